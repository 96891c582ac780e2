"""What `--with-data` keeps, up to where the user is asked, and what a replay makes of it."""

from __future__ import annotations

import gzip
import io
import os
import tempfile

import numpy as np
import pytest
import tensorflow as tf2

from tests.recording import kit
from tfqueue.recording import comparison, record_tf1, recording

tf = tf2.compat.v1


def _train(path, count, **options):
    """Records a few steps of a program that draws without a seed."""
    with tf.Graph().as_default(), kit.recorder(path, **options):
        drawn = tf.random_uniform([4, 3], name="drawn")
        weights = tf.Variable(tf.random_normal([3]), name="weights")
        change = tf.assign_add(weights, tf.reduce_mean(drawn, 0), name="change")
        with tf.Session() as sess:
            sess.run(weights.initializer)
            try:
                for _ in range(count):
                    sess.run(change)
            except record_tf1.Enough:
                pass
    return recording.read(path)


def test_what_a_python_function_gives_is_not_compared_in_any_step(tmp_path):
    def record(path, values):
        with tf.Graph().as_default(), kit.recorder(path):
            given = tf.py_func(lambda: next(values), [], tf.float64, name="given")
            with tf.Session() as sess:
                for _ in range(3):
                    sess.run(given)
        return recording.read(path)

    old = record(tmp_path / "old", iter([1.0, 2.0, 3.0]))
    found = comparison.compare(old, record(tmp_path / "new", iter([1.0, 5.0, 6.0])))
    assert found.same, str(found)
    assert dict(found.not_compared) == {"values that a Python function gives": 2}


class Terminal(io.StringIO):
    """Standard input with somebody before it."""

    def isatty(self):
        return True


def test_a_replay_computes_the_same(tmp_path):
    old = _train(tmp_path / "old", 4, with_data=True)
    replayed = _train(tmp_path / "new", 4, replay=str(tmp_path / "old"))
    found = comparison.compare(old, replayed)
    assert found.same, str(found)
    assert not found.not_compared
    assert found.compared["values"] == 4
    other = comparison.compare(old, _train(tmp_path / "other", 4))
    assert other.same
    assert other.not_compared["values that depend on draws without a seed"] == 4


@pytest.mark.parametrize(
    ("stdin", "yes", "kept"),
    [
        (io.StringIO("y\n"), False, 1),  # nobody is there to ask
        (None, False, 1),
        (Terminal("n\n"), False, 1),
        (Terminal("\n"), False, 1),
        (Terminal(""), False, 1),
        (Terminal("y\n"), False, None),
        (io.StringIO(""), True, None),
    ],
)
def test_above_a_size_the_user_is_asked(tmp_path, monkeypatch, capsys, stdin, yes, kept):
    monkeypatch.setattr(record_tf1, "ASK_ABOVE", 40)
    monkeypatch.setattr(record_tf1.sys, "stdin", stdin)
    old = _train(tmp_path / "old", 4, with_data=True, yes=yes)
    said = capsys.readouterr().err
    assert "keeps 48 bytes a step" in said
    assert ("[y/N]" in said) is not yes
    assert ("only digests" in said) is (kept is not None)
    assert old.data_steps == kept
    # As many steps are replayed as there are data for; they are the same.
    steps = recording.steps_of(old, None, replay=True)
    replayed = _train(tmp_path / "new", 4, replay=str(tmp_path / "old"), steps=steps)
    assert len(replayed.steps) == (kept or 4)
    some = old if steps is None else recording.beginning(old, steps)
    found = comparison.compare(some, replayed)
    assert found.same, str(found)
    assert found.compared["values"] == (kept or 4)


def test_without_data_no_value_of_a_draw_is_kept(tmp_path):
    _train(tmp_path / "old", 2)
    with_data = _train(tmp_path / "with", 2, with_data=True)
    assert with_data.has_data
    assert b'"data"' not in gzip.decompress((tmp_path / "old").read_bytes())
    assert b'"data"' in gzip.decompress((tmp_path / "with").read_bytes())


def test_the_name_of_a_temporary_file_is_drawn(tmp_path, monkeypatch):
    monkeypatch.chdir(os.path.dirname(kit.__file__))
    recordings = []
    for number in range(2):
        folder = tempfile.mkdtemp()
        with kit.recorder(tmp_path / str(number)):
            with tf.python_io.TFRecordWriter(os.path.join(folder, "a")) as writer:
                writer.write(b"one")
        recordings.append(recording.read(tmp_path / str(number)))
    assert list(recordings[0].files) == ["<temporary file 0>"]
    found = comparison.compare(*recordings)
    assert found.same, str(found)
    assert found.compared["files"] == 1


def _example(names, kind="Example"):
    """A serialized example whose features stand in this order."""
    values = {
        "number": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 300])),
        "float": tf.train.Feature(float_list=tf.train.FloatList(value=[1.5])),
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x" * 300])),
        "empty": tf.train.Feature(),
    }
    parts = [tf.train.Features(feature={name: values[name]}).SerializeToString() for name in names]
    features = b"".join(parts)
    return b"\x0a" + _length(features) + features


def _length(data):
    size, found = len(data), bytearray()
    while size > 127:
        found.append(size & 127 | 128)
        size >>= 7
    return bytes([*found, size])


def test_python_writes_features_in_any_order():
    names = ["number", "float", "image", "empty"]
    one, other = _example(names), _example(names[::-1])
    assert tf.train.Example.FromString(one) == tf.train.Example.FromString(other)
    assert one != other
    assert record_tf1.described(one) == record_tf1.described(other)
    rows = [record_tf1.rows_of([np.array([each], object)], True) for each in (one, other)]
    assert rows[0] == rows[1]
    assert record_tf1.canonical(one) != record_tf1.canonical(_example(names[1:]))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"a",
        b"\n",
        b"\n\n\n\n",
        b"\n\x80",
        b"\n\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\n\x00",
        b"\n\x05\x0a\x03abc",
        b"\x12\x00",
        b"\n\x04\x0a\x02\x12\x00",  # an entry without a name
        _example(["number"]) + b"a",
        _example(["number"])[:-1],
    ],
)
def test_other_strings_stay_what_they_are(text):
    assert record_tf1.canonical(text) == text


def test_the_order_of_examples_stays():
    one, other = _example(["number"]), _example(["float"])
    assert record_tf1.described([one, other]) != record_tf1.described([other, one])


def test_an_op_that_is_called_otherwise_is_replayed(tmp_path):
    found = []
    for name, more in (("old", {"with_data": True}), ("new", {"replay": str(tmp_path / "old")})):
        with tf.Graph().as_default(), kit.recorder(tmp_path / name, **more):
            number = tf.random_uniform([4], name=f"{name}_number")
            whole = tf.random_uniform([4], maxval=1000, dtype=tf.int32, name=f"{name}_whole")
            total = tf.add(number, tf.cast(whole, tf.float32), name="total")
            with tf.Session() as sess:
                for _ in range(3):
                    sess.run(total)
        found.append(recording.read(tmp_path / name))
    outcome = comparison.compare(*found)
    assert outcome.same, str(outcome)
    assert outcome.compared["values"] == 3
