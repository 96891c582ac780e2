"""How many examples a step takes: every bound on it stands here, and each is a row of numbers below.

* A chunk: `largest_chunk`, by the bytes of an example, of a record and of its widest tensor, and by the
  queue's capacity where a step reads a variable. Up to there `ChunkSize` doubles or halves it by the
  time that a step takes. Examples that are `is_too_large` are not put into chunks.
* Examples that cannot be vectorised: `of_loop`, and `of_list` where helpers compute them.
* A size that the program sets (`managed_session(chunks=...)`, `TFQUEUE_CHUNKS`) is a promise: it stands in
  place of all bounds but those of `of_loop` and `of_list`.

A small queue is asked several times in a step that reads a chunk: `takes`.

One chunk may be shorter for what is there when it is read: the first record of a file is read alone
(`replay.Position.most`), and one element is taken from a queue that another thread takes from one by
one (`chunks.ChunkSteps.begin`).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from tfqueue._tensorflow.types import Tensor
from tfqueue.accelerate.region import Region

Sample: TypeAlias = list[list[Any]]
"""A row for each example: the values of the source, of the components, and what was drawn; or none."""

_LARGEST = 2048
"""Examples in a chunk at the most."""
_CHUNK_BYTES, _WIDEST_BYTES = 2 << 20, 3 << 20
"""What the elements of a chunk, and its records, take at the most; and what a tensor on the way does: the
values are to stay in a core's cache."""
_LARGE = 64 << 10
"""Bytes of an example above which chunks were never faster: copying is all."""
_MOST_TAKES = 32
"""Takes from a small queue in one step."""
_WANTED = 1024
"""Elements that the takes of one step should come to."""
AT_ONCE = 32
"""Elements that one step takes or puts one by one at the most: each makes the stack of the thread that
computes the step higher, which is another's where it waits."""
_LISTED = 256
"""Examples that helpers read and compute one after the other in a step."""
_FEW = 4
"""Elements for which the steps of a chunk cost about what as many steps of the op itself do."""


def is_too_large(region: Region) -> bool:
    """Whether the examples of a region are too large for chunks."""
    return _element_bytes(region) > _LARGE


def largest_chunk(region: Region, sample: Sample) -> int:
    """How many examples a chunk of a region may have; `sample` is of its examples."""
    each = max(_element_bytes(region), _record_bytes(sample, len(region.source.outputs)))
    room = min(_CHUNK_BYTES // each, _WIDEST_BYTES // _widest_bytes(region))
    return max(1, min(room, _with_one_value_of_variables(region)))


def of_loop(region: Region, setting: int | None) -> int:
    """How many examples a step of a loop has; `setting` is the size that the program sets, if any."""
    return min(setting or _with_one_value_of_variables(region), AT_ONCE)


def of_list(sample: Sample, setting: int | None) -> int:
    """How many examples a step of helpers may have that compute them one after the other.

    Args:
        sample: Some of the examples.
        setting: The size that the program sets, if any.
    """
    return min(setting or _LISTED, _CHUNK_BYTES // _record_bytes(sample, None))


def takes(region: Region) -> int:
    """How many times the step that reads a chunk takes from the source."""
    if region.source.type == "ReaderReadV2":
        return 1
    # Never more than are there: an element in the queue must not wait for its successors. What is
    # taken makes room for more, so a small queue is asked several times.
    taken = region.taken
    assert taken is not None  # it is what the source takes from
    usable = taken.capacity - taken.min_after_dequeue
    return 1 if usable <= 0 else min(_MOST_TAKES, max(1, -(-_WANTED // usable)))


def _with_one_value_of_variables(region: Region) -> int:
    """How many examples a step may have that reads a variable once for all of them.

    What a `load` or a restore changes is seen about as soon as TensorFlow 1 showed it.
    """
    room = region.target.capacity if region.target is not None else 0
    return min(room, _LARGEST) if region.reads_variables and room > 0 else _LARGEST


def _element_bytes(region: Region) -> int:
    """The size of an element of a region."""
    return max(1, sum(map(_size, region.components)))


def _widest_bytes(region: Region) -> int:
    """The size of the largest tensor between a region's source and its queue."""
    return max((_size(t) for op in region.inside for t in op.outputs), default=1)


def _size(tensor: Tensor) -> int:
    """The bytes of a tensor; of one element of it where its shape is not known."""
    return tensor.dtype.size * (tensor.shape.num_elements() or 1)


def _record_bytes(sample: Sample, count: int | None) -> int:
    """The size of the largest record of a sample, of whose values the first `count` are read, or all."""
    rows = (row[:count] for row in sample)
    return max(
        sum(len(v) if isinstance(v, bytes) else np.asarray(v).nbytes for v in r) for r in rows
    )


class ChunkSize:
    """How many examples a chunk has, up to `largest_chunk`.

    It is doubled while a step takes little time, and halved where one takes long: a stop waits for
    it, and so may a batch.

    Args:
        setting: How many, if that is set; None to find it out.
        largest: How many at the most.
    """

    FIRST = 16
    _SECONDS = 0.008

    def __init__(self, setting: int | None, largest: int) -> None:
        self.largest = setting or largest
        self.now = setting or min(self.FIRST, largest)
        self._set = setting is not None
        self.few = 0
        """How many chunks in a row had few examples."""

    def took(self, count: int, asked: int, seconds: float) -> None:
        """Adapts to a chunk of `count` of `asked` examples, and how long what waits for it waits."""
        self.few = self.few + 1 if count < _FEW else 0
        if self._set or asked != self.now:
            return
        if count == asked and seconds < self._SECONDS / 2:
            self.now = min(2 * self.now, self.largest)
        elif seconds > 2 * self._SECONDS:
            self.now = max(min(self.now, self.FIRST // 2), self.now // 2)
