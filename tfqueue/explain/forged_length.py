"""A forged length field, which makes TensorFlow ask for too much memory.

A record's header has a checksum of its own, and TensorFlow's reader takes a
length that fits it as it is: it asks for that much memory at once, and the process
crashes where there is not so much. Damage by chance does not
make such a header; a hostile file may have one. So before the first record is read the files' headers are
walked through (lengths only; a few hundred thousand a second, within a budget),
and the read that would reach the forged header raises a DataLossError instead.
"""

from __future__ import annotations

import os
import threading
import time

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Op
from tfqueue.explain.case import Case
from tfqueue.explain.failure import Failure
from tfqueue.records import endings, framing

_SECONDS = 0.002
"""How many seconds the check may take, so that the first batch is not noticeably later. Larger data sets are
gone through as far as that goes, and no further."""
_BELIEVABLE = 1 << 24
"""Bytes beyond the file's end up to which TensorFlow itself finds out that the file is cut."""


class Guard:
    """Lets so many records be read as stand in front of a forged header, and no more.

    Args:
        offset: Where in it the record stands, in bytes.
        length: How long it says it is.
        allowed: How many records may be read before.
    """

    def __init__(self, read_op: Op, path: str, offset: int, length: int, allowed: int) -> None:
        self._read_op = read_op
        self._where = path, offset, length
        self._left = allowed
        self._lock = threading.Lock()

    def take(self) -> None:
        """One record is about to be read.

        Raises:
            tf.errors.DataLossError: If it would be the forged one.
        """
        with self._lock:
            self._left -= 1
            if self._left >= 0:
                return
        path, offset, length = self._where
        raise _tensorflow.compat_v1().errors.DataLossError(
            self._read_op.node_def,
            self._read_op,
            f"corrupted record at {offset} of {path}: it says that it is {length} bytes long, "
            "which is far beyond the end of the file",
        )


def guard_for(failure: Failure) -> Guard | None:
    """The `Guard` that a step needs which reads TFRecord files, or None.

    Args:
        failure: The `Failure` that tells what the step demands.
    """
    case = Case(failure)
    until = time.monotonic() + _SECONDS
    reads = case.demand.reads
    plain = [
        op
        for op in reads
        if (reader := case.pipeline.reader_of(op)) is not None
        and reader.kind == "TFRecordReader"
        and not reader.op.get_attr("compression_type")
    ]
    if not plain:
        return None
    before = 0
    for path in case.files:
        try:
            count, found = _walk(path, until)
        except (OSError, ValueError):
            return None  # the reader itself will say what is wrong with it
        if found is not None:
            allowed = before + count if case.order_known else count
            return Guard(plain[0], path, *found, allowed)
        before += count
        if time.monotonic() > until:
            return None
    return None


def forged_in(path: str | os.PathLike[str]) -> tuple[int, tuple[int, int]] | None:
    """`(records in front, (offset, length))` of the first forged header in a file, or None.

    Args:
        path: An uncompressed TFRecord file.
    """
    count, found = _walk(path, float("inf"))
    return None if found is None else (count, found)


def _walk(path: str | os.PathLike[str], until: float) -> tuple[int, tuple[int, int] | None]:
    end = count = 0
    for offset, _, length in endings.frames(path):
        end = offset + endings.FRAME + length
        count += 1
        if not count & 0xF and time.monotonic() > until:
            return count, None
    with open(path, "rb") as file:
        file.seek(end)
        header = file.read(framing.HEADER)
        rest = file.seek(0, 2) - end
    if len(header) < framing.HEADER or not framing.good_header(header):
        return count, None
    length = int.from_bytes(header[:8], "little")
    return count, (end, length) if length > rest + _BELIEVABLE else None
