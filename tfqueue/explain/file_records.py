"""The records of a reader's files, read again without TensorFlow, to find one of them.

After a failure the record that was being read is gone, and its file is still
there. The functions here yield what the reader gave, keys included.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from tfqueue._tensorflow.types import Op
from tfqueue.graph.op_types import Reader
from tfqueue.records import endings, framing

Numbered: TypeAlias = tuple[int | None, bytes]
"""The place that a record's key ends with, None where a file is one record; and its bytes."""


def records(reader: Reader, path: str, skip: int = 0) -> Iterator[tuple[bytes, bytes]]:
    """The records of one file, as a reader gives them.

    Args:
        reader: A model `Reader`.
        skip: How many to leave out at its beginning.

    Yields:
        `(key, value)`, both bytes.

    Raises:
        OSError: If the file cannot be read.
        RecordsError: If it is a damaged, compressed TFRecord file.
    """
    name = os.fsencode(path)
    if _is_plain(reader):
        for offset, data, length in itertools.islice(endings.frames(path), skip, None):
            start = offset + framing.HEADER
            yield b"%s:%d" % (name, offset), data[start : start + length]
    elif reader.kind in _READ:
        for place, value in itertools.islice(_READ[reader.kind](reader.op, path), skip, None):
            yield (name if place is None else b"%s:%d" % (name, place)), value


def count(reader: Reader, path: str, until: float) -> int:
    """How many records a file has, as far as it can be gone through in time.

    Args:
        reader: A model `Reader`.
        until: `time.monotonic()` at which to give up.

    Raises:
        OSError, RecordsError: As for `records`.
    """
    number = 0
    for _ in endings.frames(path) if _is_plain(reader) else records(reader, path):
        number += 1
        if not number & 0xFFF and time.monotonic() > until:
            break
    return number


def _is_plain(reader: Reader) -> bool:
    return reader.kind == "TFRecordReader" and not reader.op.get_attr("compression_type")


def _compressed(op: Op, path: str) -> Iterable[Numbered]:
    return framing.records(path, op.get_attr("compression_type").decode())


def _lines(op: Op, path: str) -> Iterator[Numbered]:
    header = op.get_attr("skip_header_lines")
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if number > header:
                # TensorFlow drops every carriage return, wherever it stands.
                yield number, line.rstrip(b"\n").replace(b"\r", b"")


def _fixed(op: Op, path: str) -> Iterator[Numbered]:
    if op.get_attr("encoding"):
        return
    start, size, end = (op.get_attr(f"{part}_bytes") for part in ("header", "record", "footer"))
    hop = op.get_attr("hop_bytes") or size
    total = os.path.getsize(path) - end
    with open(path, "rb") as file:
        for number in itertools.count():
            at = start + number * hop
            if at + size > total:
                return
            file.seek(at)
            yield number, file.read(size)


def _whole(op: Op, path: str) -> Iterator[Numbered]:
    with open(path, "rb") as file:
        yield None, file.read()


_READ = {
    "TFRecordReader": _compressed,
    "TextLineReader": _lines,
    "FixedLengthRecordReader": _fixed,
    "WholeFileReader": _whole,
    "IdentityReader": lambda op, path: [(None, os.fsencode(path))],
}
