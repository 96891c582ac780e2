"""What becomes of the records of a step that failed: they are put one by one, by the runner's own op.

So everything in front of the bad record is put, once, and the error is that of the one example.
Most records of a failed step are kept by the session. But a TFRecord reader that meets damage loses
those that it had read before in the same step: `ReaderReadUpTo` never goes past the end of a file
once it has a record, and raises where a record in the middle is damaged; only TFRecord files can be
damaged like that. So of a TFRecord file it is always known which one is being read, and how far
(`Position`): the first record of each file is read alone (its key names the file), and the sound
records in front of a damaged one are read again from the file.
"""

from __future__ import annotations

import itertools
import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from tfqueue import _tensorflow
from tfqueue.accelerate.mover import CountingMover
from tfqueue.accelerate.region import Region

_tf = _tensorflow.compat_v1()

_records = _tensorflow.undecorated(_tf.python_io.tf_record_iterator)
Columns: TypeAlias = Sequence[Any]
"""Records: for each output of the source the values, all equally many."""
_FRAME = 16
"""Bytes around the payload of a TFRecord record: length, and two checksums."""

# How messages name the ops of ours that may fail in place of the user's; all else is replayed.
_OURS = re.compile(rf"{{{{node {_tensorflow.CHUNK_SCOPE}\d+/(read|put)(?:_\d+)?}}}}")


def named(region: Region, error: Any) -> Any:
    """`error`, a `tf.errors.OpError` of an op of ours, as the user's op would have raised it."""
    names = {"read": region.source.name, "put": region.op.name}
    text = _OURS.sub(lambda match: "{{node " + names[match[1]] + "}}", error.message)
    if text == error.message:
        return error
    plain = type(error)(None, None, text).with_traceback(error.__traceback__)
    return _tensorflow.with_op(plain, region.op.graph)


class Replay:
    """Puts records one by one, by the runner's own op."""

    def __init__(self, region: Region, handle: _tensorflow.SessionHandle) -> None:
        self._outputs = region.source.outputs
        self._reads = region.reader is not None
        self._put_one = _tensorflow.PreparedStep(handle, [region.op])

    def put(self, columns: Columns, mover: CountingMover) -> None:
        """Puts them; raises what the op raises, with `mover.record` the record at fault.

        Args:
            columns: An array for each output of the source, equally long.
            mover: The `CountingMover` on whose account they are put.
        """
        for row in zip(*columns, strict=True):
            if self._reads:
                mover.record = tuple(row)
            self._put_one(dict(zip(self._outputs, row, strict=True)))
            mover.count(1)
        mover.record = None


class Position:
    """How far a TFRecord reader has read.

    Attributes:
        reading: Held while a step reads, by whoever does.

    Args:
        others_read: Function that tells whether other threads may read, one record at a time.
    """

    _inside = False
    """Whether it stands in a file, behind a record; what follows is known only then."""
    _path = b""
    _offset: int
    _end: int | None
    _produced: int

    def __init__(self, others_read: Callable[[], bool]) -> None:
        self._others_read = others_read
        self.reading = threading.Lock()

    def most(self, size: int) -> int:
        """How many records the next chunk may have at the most: one where a new file begins."""
        if self._others_read():
            self._inside = False
        return size if self._inside else 1

    def moved_elsewhere(self) -> None:
        """Others have read: where the reader stands is not known any more."""
        with self.reading:
            self._inside = False

    def read(self, key: bytes, length: int, produced: int) -> None:
        """Notes the last record of a chunk.

        Args:
            key: The record's key.
            length: The length of its value.
            produced: How many records the reader had produced after it.
        """
        path, _, offset = key.rpartition(b":")
        if path != self._path:
            self._path, self._end = path, _length(path)
        self._offset = int(offset) + _FRAME + int(length)
        self._produced = int(produced)
        # What is too short for a record is no more of the file, but for a reader's complaint.
        self._inside = self._end is not None and self._offset + _FRAME <= self._end

    def lost(self, produced: int, most: int) -> Columns:
        """The records that a failed read had read before it met the damage: arrays of keys and values.

        Args:
            produced: How many records the reader has produced now.
            most: How many it was asked for.
        """
        count = min(int(produced) - self._produced, most) if self._inside else 0
        keys: list[bytes] = []
        values: list[bytes] = []
        offset = 0
        try:
            found = _records(os.fsdecode(self._path))
            for value in itertools.takewhile(lambda _: len(values) < count, found):
                if offset >= self._offset:
                    keys.append(self._path + b":" + str(offset).encode())
                    values.append(value)
                offset += _FRAME + len(value)
        except _tf.errors.OpError:
            pass  # here is the damage
        self._inside = False
        return [np.array(keys, object), np.array(values, object)]


def _length(path: bytes) -> int | None:
    try:
        return _tf.gfile.Stat(os.fsdecode(path)).length
    except _tf.errors.OpError:
        return None
