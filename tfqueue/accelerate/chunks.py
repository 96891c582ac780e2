"""Moves chunks of examples: read, computed and put many at a time.

A chunk is one step of the session, which keeps the chunk's records until its
elements are in the queue. One that fails is replayed one by one by the runner's
own op: everything in front of the bad record is put, once, and the error is that
of the one example.
"""

import itertools
import os
import threading
import time

from tfqueue import _tensorflow
from tfqueue.accelerate import build
from tfqueue.accelerate.mover import Mover
from tfqueue.accelerate.replay import Replay, named
from tfqueue.accelerate.source import Position

_tf = _tensorflow.compat_v1()


def cores():
    """How many cores this process may use."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return found or 1


class FailedChunk(Exception):
    """A chunk failed, and nothing of it is in the queue: its records are to be put one by one.

    Attributes:
      columns: Its records, an array for each output of the source.
      error: Why it failed.
      after: What to raise once they are put; None if all of them may be sound.
    """

    def __init__(self, columns, error, after=None):
        super().__init__(str(error))
        self.columns = columns
        self.error = error
        self.after = after


class ChunkSteps:
    """The steps of one session that move chunks for one enqueue op, whichever thread runs them.

    Args:
      region: A `Region` that can be vectorised.
      handle: The session's `SessionHandle`.
      others_read: Function that tells whether other threads may read, one record at a time.

    Raises:
      CannotBuild: If TensorFlow cannot vectorise it.
    """

    def __init__(self, region, handle, others_read=lambda: False):
        self.region = region
        files = region.reader is not None and region.reader.kind == "TFRecordReader"
        self.position = Position(others_read) if files else None
        self.replaying = threading.Lock()
        """Held while a chunk is replayed: no thread fails meanwhile, and so closes the queue."""
        self._keys = itertools.count()
        if region.threads == 1 and region.reader is not None and cores() > 1:
            form = build.AHEAD
        else:
            form = build.SPLIT if files and region.threads > 1 else build.WHOLE
        self.ahead = form == build.AHEAD
        with build.building():
            key = ("chunk", region.op.name, form, region.threads > 1)
            graph = region.op.graph
            self.ops = ops = build.kept_with(graph, key, lambda: build.ChunkOps(region, form))

            def step(targets, fetches=()):
                return _tensorflow.RawStep(handle, targets, fetches)

            first, *rest = {
                build.WHOLE: [ops.move],
                build.SPLIT: [ops.read, ops.move],
                build.AHEAD: [ops.read, ops.prepare, ops.deliver],
            }[form]
            self._first = step([first], ops.told)
            self._prepare = step([rest[0]]) if self.ahead else None
            self._last = step([rest[-1]]) if rest else None
            self._drop = step([], ops.drop)
            self._compute = step([], ops.outputs)
            self._produced = step([], [ops.produced]) if files else None
            self.replay = Replay(region, handle)

    def all(self):
        """The `RawStep`s of a chunk."""
        return [each for each in (self._first, self._prepare, self._last) if each is not None]

    def begin(self, most):
        """Does the first step of a chunk.

        Args:
          most: How many records at the most.

        Returns:
          `(key, count)` of the chunk.

        Raises:
          FailedChunk: If it is to be replayed.
          tf.errors.OpError: What the user's op would raise in its place.
        """
        key = next(self._keys)
        if self.position is None:
            return key, int(self._run_first(key, most)[0])
        with self.position.reading:
            count, last, length, produced = self._run_first(key, self.position.most(most))
            self.position.read(last, length, produced)
        return key, int(count)

    def _run_first(self, key, most):
        try:
            return self._first({self.ops.size: most, self.ops.key: key})
        except _tf.errors.CancelledError as error:
            raise named(self.region, error) from None
        except _tf.errors.OpError as error:
            columns, after = self._drop({self.ops.key: key}), None
            if not len(columns[0]):  # it failed while it read
                after = named(self.region, error)
                if self.position is not None and not isinstance(error, _tf.errors.OutOfRangeError):
                    columns = self.position.lost(self._produced()[0], most)
            elif self.position is not None:
                self.position.moved_on(columns, self._produced()[0])
            if len(columns[0]):
                raise FailedChunk(columns, error, after) from None
            raise after from None

    def prepare(self, key):
        """Does the step in the middle, of the form that has one: computes a chunk's elements.

        Raises: As `finish`.
        """
        self._run_on(self._prepare, key)

    def finish(self, key):
        """Does the last step of a chunk: its elements are in the queue, its records dropped.

        Raises:
          FailedChunk: If it is to be replayed.
          tf.errors.OpError: What the user's op would raise in its place.
        """
        if self._last is not None:
            self._run_on(self._last, key)

    def _run_on(self, step, key):
        try:
            step({self.ops.key: key})
        except _tf.errors.CancelledError as error:
            raise named(self.region, error) from None
        except _tf.errors.OpError as error:
            # Nothing of it is in the queue: what puts comes after all else that may fail.
            raise FailedChunk(self._drop({self.ops.key: key}), error) from None

    def compute(self, columns):
        """What the vectorised ops make of records at hand: an array for each component."""
        return self._compute(dict(zip(self.ops.records, columns, strict=True)))


class ChunkMover(Mover):
    """Moves a chunk a call.

    Args:
      steps: The `ChunkSteps`, which all threads of the enqueue op share.
      size: The `ChunkSize`, which they share too.
      failed: Called with the error of a chunk whose examples all passed one by one.
    """

    def __init__(self, steps, size, failed):
        self._steps = steps
        self._size = size
        self._failed = failed

    @property
    def grain(self):
        return self._size.now

    def steps(self):
        return self._steps.all()

    def move(self):
        before = self.elements
        size = self._size.now
        began = time.perf_counter()
        try:
            key, count = self._steps.begin(size)
            self._steps.finish(key)
        except FailedChunk as failed:
            self._replay(failed)
        except _tf.errors.OpError:
            with self._steps.replaying:
                raise
        else:
            self._put(count)
            self._size.took(count, size, time.perf_counter() - began)
        return self.elements - before

    def _put(self, count):
        self.elements += count
        self.certain += count

    def _replay(self, failed):
        with self._steps.replaying:
            self._steps.replay.put(failed.columns, self)
            if failed.after is not None:
                raise failed.after
        self._failed(failed.error)


class ChunkSize:
    """How many examples a chunk has.

    It is doubled while a step takes little time, and halved where one takes long: a stop waits for
    it, and so may a batch.

    Args:
      setting: How many, if that is set; None to find it out.
      largest: How many at the most.
    """

    FIRST = 16
    _SECONDS = 0.004

    def __init__(self, setting, largest):
        self.largest = setting or largest
        self.now = setting or min(self.FIRST, largest)
        self._set = setting is not None

    def took(self, count, asked, seconds):
        """Learns from a chunk.

        Args:
          count: How many examples it had.
          asked: How many it might have had.
          seconds: How long its longest step took.
        """
        if self._set or asked != self.now:
            return
        if count == asked and seconds < self._SECONDS / 2:
            self.now = min(2 * self.now, self.largest)
        elif seconds > 2 * self._SECONDS:
            self.now = max(self.FIRST // 2, self.now // 2, 1)
