"""Reads and computes the next chunks while the runner's thread puts the one before.

Putting a chunk into a queue takes about as long as reading and parsing it, and
one thread does one after the other. So a runner with one thread has two helpers. One
reads at a time, so that the records are in order; both compute; and the runner's thread
puts the chunks in the order in which they were read, errors included: what the queue gets,
and up to where, is what one thread would have brought.

The helpers are at most three chunks ahead, and end before the thread they work for. Not
used where the source is a queue: taking what is there at once would take it in crumbs.
"""

import threading
import time

from tfqueue.accelerate.chunks import ChunkMover, FailedChunk

_HELPERS = 2
_MOST = 3
"""Chunks that may be ready or in the making."""


class AheadMover(ChunkMover):
    """Puts chunks that helpers read and compute.

    Args:
      steps: The `ChunkSteps`, of the form that prepares and delivers.
      size: The `ChunkSize`.
      failed: Called with the error of a chunk whose examples all passed one by one.
    """

    def __init__(self, steps, size, failed):
        super().__init__(steps, size, failed)
        self._reading = threading.Lock()
        """Held by the helper that reads."""
        self._changed = threading.Condition()
        self._chunks = {}
        """By number, in the order they were read: `(key, count)` of a chunk that is ready, or the
        error that stands in its place."""
        self._begun = 0
        """How many chunks were begun."""
        self._next = 0
        """The number of the chunk to be put next."""
        self._stopping = False
        self._helpers = []

    def move(self):
        before = self.elements
        if not self._helpers:
            for number in range(_HELPERS):
                name = f"{threading.current_thread().name}-ahead-{number}"
                self._helpers.append(threading.Thread(target=self._prepare_all, name=name))
                self._helpers[-1].start()
        with self._changed:
            self._changed.wait_for(lambda: self._next in self._chunks)
        self._put_next()
        return self.elements - before

    def finish(self):
        self._stop()
        while self._next in self._chunks:
            self._put_next()

    def close(self):
        self._stop()
        self._chunks.clear()

    def _stop(self):
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for helper in self._helpers:
            helper.join()

    def _put_next(self):
        chunk = self._chunks.pop(self._next)
        try:
            if isinstance(chunk, BaseException):
                raise chunk
            key, count = chunk
            self._steps.finish(key)
        except FailedChunk as failed:
            self._replay(failed)
        else:
            self._put(count)
        finally:
            with self._changed:
                self._next += 1
                self._changed.notify_all()

    def _prepare_all(self):
        """A helper's work: one chunk after the other, until an error or a stop."""
        while True:
            with self._reading:
                with self._changed:
                    self._changed.wait_for(
                        lambda: self._begun - self._next < _MOST or self._stopping
                    )
                    if self._stopping:
                        return
                    number, size = self._begun, self._size.now
                    self._begun += 1
                began = time.perf_counter()
                chunk = self._or_error(self._steps.begin, size)
            if not isinstance(chunk, BaseException):
                read = time.perf_counter()
                made = self._or_error(self._steps.prepare, chunk[0])
                longest = max(read - began, time.perf_counter() - read)
                if isinstance(made, BaseException):
                    chunk = made
                else:
                    with self._changed:
                        self._size.took(chunk[1], size, longest)
            with self._changed:
                self._chunks[number] = chunk
                self._changed.notify_all()

    def _or_error(self, function, argument):
        """What a function returns, or the error that the runner's thread is to meet in its turn."""
        try:
            return function(argument)
        except BaseException as error:  # noqa: BLE001  (it is raised there)
            # The runner ends with it: nothing behind it is wanted. Most chunks that are replayed do not.
            if not isinstance(error, FailedChunk) or error.after is not None:
                with self._changed:
                    self._stopping = True
                    self._changed.notify_all()
            return error
