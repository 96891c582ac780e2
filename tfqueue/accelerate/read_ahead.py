"""Chunks read and computed ahead, in order, while the runner's thread puts the one before.

Putting a chunk into a queue takes about as long as reading and parsing it, and
one thread does one after the other. So once a runner with one thread is known
to gain by chunks, workers of that thread read and compute the next ones. They
read in turns and hand over in the order in which they read, errors included: what the
queue gets, and up to where, is what one thread would have brought.

A worker ends with the thread it works for, which waits for it; it is never more
than a few chunks ahead. Not used where the source is a queue: a worker that takes
what is there at once would take it in crumbs.
"""

import collections
import os
import threading
import time

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

_MOST = 2
"""Workers for one runner, where there are cores for them. For cheap examples (MNIST) one does as
well, and none brought a quarter less."""


def workers_for(op):
    """How many workers are to compute ahead for an `accelerator.Op`; 0 for none."""
    region = op.region
    if len(op.task.ops) != 1 or region.reader is None:
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(_MOST, cores) if cores and cores > 1 else 0


class Chunk:
    """A chunk on its way.

    Attributes:
      kept: The records, as `Source.take` gives them; None if there are no more.
      error: Why there are no more, or why its elements cannot be computed at once.
      seconds: How long the computing took.
    """

    def __init__(self, kept, error=None):
        self.kept = kept
        self.error = error
        self.seconds = 0.0
        self._done = threading.Event()
        if kept is None:
            self._done.set()

    def compute(self, op):
        """Computes the elements, in a worker."""
        began = time.perf_counter()
        try:
            op.vector.compute(self.kept)
        except BaseException as error:  # noqa: BLE001  (met by the runner's thread, in its turn)
            self.error = error
        finally:
            self.seconds = time.perf_counter() - began
            self._done.set()

    def wait(self):
        """Waits until it is computed, or known not to be; returns it."""
        self._done.wait()
        return self


class Ahead:
    """The workers of one thread of a runner.

    Args:
      op: The `accelerator.Op`.
      count: How many.
    """

    def __init__(self, op, count):
        self._op = op
        self._changed = threading.Condition()
        self._reading = threading.Lock()
        self._chunks = collections.deque()
        self._room = count + 1  # as many chunks may be under way or wait
        self._stopping = False
        self._working = count
        name = threading.current_thread().name
        self._threads = [
            threading.Thread(target=self._work, name=f"{name}-ahead-{k}") for k in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def next(self):
        """The next chunk in order, waited for; None once `stop` was called and all are given."""
        with self._changed:
            self._changed.wait_for(lambda: self._chunks or not self._working)
            if not self._chunks:
                return None
            chunk = self._chunks.popleft()
            self._room += 1
            self._changed.notify_all()
        return chunk.wait()

    def stop(self):
        """No further chunk is begun; what was read is still given by `next`."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def end(self):
        """Stops, and waits for the workers."""
        self.stop()
        for thread in self._threads:
            thread.join()
        self._chunks.clear()

    def _work(self):
        try:
            while (chunk := self._begin()) is not None and chunk.kept is not None:
                chunk.compute(self._op)
        finally:
            with self._changed:
                self._working -= 1
                self._changed.notify_all()

    def _begin(self):
        """Reads the next chunk and lines it up; None if there is to be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._room > 0 or self._stopping)
            if self._stopping:
                return None
            self._room -= 1
        with self._reading:
            if self._stopping:
                return None
            try:
                chunk = Chunk(self._op.vector.source.take(self._op.size))
            except BaseException as error:  # noqa: BLE001  (raised by the runner's thread)
                chunk = Chunk(None, error)
            with self._changed:
                self._stopping |= chunk.kept is None
                self._chunks.append(chunk)
                self._changed.notify_all()
            return chunk
