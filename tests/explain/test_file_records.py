"""The records of a reader's files, read without the graph as TensorFlow reads them."""

from __future__ import annotations

import gzip
import time

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.explain import file_records


def _names(paths, epochs=1, shuffle=False):
    return tf.train.string_input_producer(paths, num_epochs=epochs, shuffle=shuffle)


READERS = {
    "TextLineReader": (lambda: tf.TextLineReader(), b"one\ntwo\r\n\nfour"),
    "header": (lambda: tf.TextLineReader(skip_header_lines=1), b"head\none\ntwo\n"),
    "FixedLengthRecordReader": (lambda: tf.FixedLengthRecordReader(3), b"abcdefgh"),
    "parts": (
        lambda: tf.FixedLengthRecordReader(3, header_bytes=2, footer_bytes=1, hop_bytes=2),
        b"HHabcdefghF",
    ),
    "WholeFileReader": (lambda: tf.WholeFileReader(), b"all of it"),
    "IdentityReader": (lambda: tf.IdentityReader(), b""),
}


def _by_tensorflow(reader, path):
    pair = reader.read(_names([path]))
    with tfqueue.managed_session() as sess:
        found = list(sess.batches(list(pair)))
        kind = next(iter(sess.pipeline.readers.values()))
    return [tuple(item) for item in found], list(file_records.records(kind, path))


@pytest.mark.parametrize("name", READERS)
def test_the_same_records_as_tensorflow(name, tmp_path):
    make, data = READERS[name]
    (tmp_path / "file").write_bytes(data)
    expected, found = _by_tensorflow(make(), str(tmp_path / "file"))
    assert found == expected


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_the_same_tfrecords_as_tensorflow(compression, records):
    options = tf.python_io.TFRecordOptions(
        getattr(tf.python_io.TFRecordCompressionType, compression or "NONE")
    )
    path = records([b"one", b"", b"three" * 100], options=options)
    expected, found = _by_tensorflow(tf.TFRecordReader(options=options), path)
    assert found == expected
    assert len(found) == 3


@pytest.mark.parametrize(
    ("cut", "expected"),
    [(0, 0), (1, 0), (4, 0), (19, 0), (20, 11), (30, 1), (31, 0)],
    ids=lambda value: str(value),
)
def test_trailing_bytes(cut, expected, records, tmp_path):
    """Two records of 31 bytes: a cut in the second one's header alone goes unnoticed."""
    path = records([b"x" * 15] * 2)
    with open(path, "rb") as file:
        data = file.read()
    shorter = tmp_path / "cut.tfrecord"
    shorter.write_bytes(data[: len(data) - cut])
    assert file_records.trailing_bytes(str(shorter), time.monotonic() + 60) == expected


@pytest.mark.parametrize(("cut", "expected"), [(0, 0), (4, 0), (20, 11), (30, 1)])
def test_trailing_bytes_of_a_compressed_file(cut, expected, records, tmp_path):
    with open(records([b"x" * 15] * 2), "rb") as file:
        data = file.read()
    packed = tmp_path / "cut.gz"
    packed.write_bytes(gzip.compress(data[: len(data) - cut]))
    found = file_records.trailing_bytes(str(packed), time.monotonic() + 60, "GZIP")
    assert found == expected


def test_trailing_bytes_of_other_files(tmp_path):
    until = time.monotonic() + 60
    (tmp_path / "text").write_bytes(b"just some text, and not a little of it\n")
    (tmp_path / "gzip").write_bytes(gzip.compress(b"whatever"))
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "short").write_bytes(b"12345")
    found = {
        path.name: file_records.trailing_bytes(str(path), until) for path in tmp_path.iterdir()
    }
    assert found == {"text": 0, "gzip": 0, "empty": 0, "short": 5}
