"""What is said of files that a reader cannot use: patterns, folders, files of less than a record."""

import functools

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors


def run(names, reader, expected):
    with tf.Graph().as_default():
        _, record = reader().read(tf.train.string_input_producer(names))
        batch = tf.train.batch([record], 2)
        with pytest.raises(expected) as caught, tfqueue.managed_session() as sess:
            for _ in sess.batches(batch):
                pass
    return " ".join([str(caught.value), *getattr(caught.value, "__notes__", ())])


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parts").mkdir()
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("1,2\n")


def test_a_pattern_is_no_name():
    said = run(["*.csv"], tf.TextLineReader, tf.errors.NotFoundError)
    assert "match_filenames_once('*.csv') finds the 2 files that it matches" in said


def test_a_name_with_brackets_that_matches_nothing_is_a_missing_file():
    said = run(["a[9].csv"], tf.TextLineReader, tf.errors.NotFoundError)
    assert "there is no file 'a[9].csv'" in said


def test_of_several_files_the_missing_one_is_named():
    said = run(["a.csv", "none.csv", "b.csv"], tf.TextLineReader, tf.errors.NotFoundError)
    assert "there is no file 'none.csv'" in said


def test_a_folder_is_no_file():
    said = run(["parts"], tf.TextLineReader, tf.errors.FailedPreconditionError)
    assert "'parts' is a folder, and a reader reads files" in said
    assert "match_filenames_once('parts/*')" in said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a.csv"], "a.csv, of 4 bytes, and record_bytes is 3,073"),
        (["a.csv", "b.csv"], "b.csv, of 4 bytes at most, and record_bytes is 3,073"),
    ],
)
def test_files_shorter_than_one_record(names, said):
    reader = functools.partial(tf.FixedLengthRecordReader, 3073)
    assert said in run(names, reader, errors.NoRecordsError)
