"""Reads and computes the next chunk while the runner's thread puts the one before.

Putting a chunk into a queue takes about as long as reading and parsing it, and
one thread does one after the other. So a runner with one thread has a helper that
reads and computes; it hands over in the order in which it read, errors included:
what the queue gets, and up to where, is what one thread would have brought.

The helper is at most two chunks ahead, and ends before the thread it works for. Not
used where the source is a queue: taking what is there at once would take it in crumbs.
"""

import collections
import threading
import time

from tfqueue.accelerate.chunks import ChunkMover, FailedChunk

_MOST = 2
"""Chunks that may be ready or in the making."""


class AheadMover(ChunkMover):
    """Puts chunks that a helper reads and computes.

    Args:
      steps: The `ChunkSteps`, of the form that prepares and delivers.
      size: The `ChunkSize`.
      failed: Called with the error of a chunk whose examples all passed one by one.
    """

    def __init__(self, steps, size, failed):
        super().__init__(steps, size, failed)
        self._changed = threading.Condition()
        self._chunks = collections.deque()
        self._under_way = 0
        self._stopping = False
        self._helper = None

    def move(self):
        before = self.elements
        if self._helper is None:
            name = f"{threading.current_thread().name}-ahead"
            self._helper = threading.Thread(target=self._prepare_all, name=name)
            self._helper.start()
        with self._changed:
            self._changed.wait_for(lambda: self._chunks)
            chunk = self._chunks.popleft()
        try:
            self._deliver(chunk)
        finally:
            with self._changed:
                self._under_way -= 1
                self._changed.notify_all()
        return self.elements - before

    def finish(self):
        self._stop()
        while self._chunks:
            self._deliver(self._chunks.popleft())

    def close(self):
        self._stop()
        self._chunks.clear()

    def _stop(self):
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._helper is not None:
            self._helper.join()

    def _deliver(self, chunk):
        """Puts a chunk: `(key, count)`, or the error that stands in its place."""
        try:
            if isinstance(chunk, BaseException):
                raise chunk
            key, count = chunk
            self._steps.finish(key)
        except FailedChunk as failed:
            self._replay(failed)
        else:
            self._put(count)

    def _prepare_all(self):
        """The helper's work: one chunk after the other, until an error or a stop."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._under_way < _MOST or self._stopping)
                if self._stopping:
                    return
                self._under_way += 1
            size, began = self._size.now, time.perf_counter()
            try:
                chunk = self._steps.begin(size)
                self._size.took(chunk[1], size, time.perf_counter() - began)
            except BaseException as error:  # noqa: BLE001  (met by the runner's thread, in its turn)
                chunk = error
            ends = isinstance(chunk, BaseException) and not isinstance(chunk, FailedChunk)
            with self._changed:
                self._chunks.append(chunk)
                self._changed.notify_all()
            if ends:
                return
