"""How many records may be read in front of a header that claims more than a machine holds."""

import types
from unittest import mock

import pytest

import tfqueue.v1 as tf
from tests import damaged_files
from tfqueue.explain import forged_length
from tfqueue.graph.model import Pipeline
from tfqueue.records import framing


def header(length):
    """A header whose checksum is right."""
    packed = length.to_bytes(8, "little")
    return packed + framing.checksum.masked(packed).to_bytes(4, "little")


def allowed(tmp_path, files, order_known, make=tf.TFRecordReader, **options):
    """How many records a guard lets through; None where there is no guard."""
    paths = []
    for number, data in enumerate(files):
        (tmp_path / str(number)).write_bytes(data)
        paths.append(str(tmp_path / str(number)))
    names = tf.train.string_input_producer(paths)
    key, _ = make(**options).read(names)
    pipeline = Pipeline(tf.get_default_graph())
    case = types.SimpleNamespace(
        pipeline=pipeline, demand=pipeline.demand([key.op]), files=paths, order_known=order_known
    )
    with mock.patch.object(forged_length, "Case", return_value=case):
        guard = forged_length.guard_for(failure=None)
    if guard is None:
        return None
    count = 0
    with pytest.raises(tf.errors.DataLossError, match=f"of {tmp_path}/.*far beyond the end"):
        while count < 1000:
            guard.take()
            count += 1
    return count


@pytest.fixture(autouse=True)
def enough_time(monkeypatch):
    monkeypatch.setattr(forged_length, "_SECONDS", 1e9)


GOOD = damaged_files.record(b"data") * 10
BAD = damaged_files.record(b"data") * 4 + header(1 << 40) + b"no data"


@pytest.mark.parametrize(("order_known", "expected"), [(True, 14), (False, 4)])
def test_all_in_front_of_it_where_the_order_is_known(order_known, expected, tmp_path):
    """Where it is not, the file may be the first one."""
    assert allowed(tmp_path, [GOOD, BAD], order_known) == expected


def test_tf_record_iterator_gives_what_is_in_front(tmp_path):
    (tmp_path / "bad").write_bytes(BAD)
    found = []
    with pytest.raises(tf.errors.DataLossError, match="far beyond the end"):
        for record in tf.python_io.tf_record_iterator(str(tmp_path / "bad")):
            found.append(record)
    assert found == [b"data"] * 4


def test_a_file_that_is_only_cut_is_left_to_tensorflow(tmp_path):
    assert allowed(tmp_path, [GOOD + header(1 << 20) + b"no data"], True) is None
    assert allowed(tmp_path, [GOOD, GOOD], True) is None


def test_a_header_is_known_by_its_checksum(tmp_path):
    wrong = (1 << 40).to_bytes(8, "little") + b"1234"
    assert allowed(tmp_path, [GOOD + wrong + b"no data"], True) is None


def test_after_its_time_nothing_is_guarded(tmp_path, monkeypatch):
    monkeypatch.setattr(forged_length, "_SECONDS", -1.0)
    assert allowed(tmp_path, [damaged_files.record(b"data") * 100 + BAD], True) is None


def test_only_a_reader_of_records_is_guarded(tmp_path):
    assert allowed(tmp_path, [BAD], True, tf.TextLineReader) is None
    assert allowed(tmp_path, [BAD], True, tf.FixedLengthRecordReader, record_bytes=4) is None
