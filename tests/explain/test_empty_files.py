"""Whether files hold a record: what TensorFlow's readers say."""

from __future__ import annotations

import functools
import gzip

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.explain import empty_files

with_header = functools.partial(tf.FixedLengthRecordReader, 4, header_bytes=8)
unpacked = functools.partial(tf.FixedLengthRecordReader, 4, encoding="GZIP")
without_first_line = functools.partial(tf.TextLineReader, skip_header_lines=1)


@pytest.mark.parametrize(
    ("make", "contents", "none"),
    [
        (tf.TextLineReader, [b"", b""], True),
        (tf.TextLineReader, [b"", b"a"], False),
        (without_first_line, [b"a\n", b""], True),
        (without_first_line, [b"a\n", b"b\nc\n"], False),
        (with_header, [b"header00", b"header00abc"], True),
        (with_header, [b"header00", b"header00abcd"], False),
        (with_header, [b"short", b"header00abcd"], False),
        (unpacked, [gzip.compress(b"abc")], True),
        (unpacked, [gzip.compress(b"abcd")], False),
        (tf.TFRecordReader, [b"", b""], True),
        (tf.TFRecordReader, [b"no such file at all"], False),
        (tf.WholeFileReader, [b""], False),
        (tf.IdentityReader, [b""], False),
    ],
)
def test_what_a_reader_finds(own_graph, tmp_path, make, contents, none):
    paths = [tmp_path / str(number) for number, _ in enumerate(contents)]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    make().read(tf.FIFOQueue(1, tf.string, [[]]))
    (reader,) = tfqueue.pipeline(own_graph).readers.values()
    before = len(own_graph.get_operations())
    assert empty_files.hold_none(reader, [str(path) for path in paths]) is none
    assert len(own_graph.get_operations()) == before


def test_a_file_that_is_missing_is_not_empty(own_graph):
    tf.TextLineReader().read(tf.FIFOQueue(1, tf.string, [[]]))
    (reader,) = tfqueue.pipeline(own_graph).readers.values()
    assert not empty_files.hold_none(reader, ["none.txt"])
