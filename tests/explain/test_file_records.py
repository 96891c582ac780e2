"""The records of a reader's files, read without the graph as TensorFlow reads them."""

from __future__ import annotations

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
