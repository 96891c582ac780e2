"""Moves chunks of examples: read, computed and put many at a time.

A chunk is read by one step of the session, computed by another and put by a third. The session keeps
its records until its elements are in the queue; a chunk that fails is replayed (see `replay`). The
thread that runs a step computes it: to hand its ops to a pool of threads costs more than most of them.

Elements that cannot be vectorised, and are cheap, are computed, kept and put one after the other by the
same steps ("listed"): they may differ in size.

Putting a chunk into a queue takes about as long as reading and parsing it, and
one thread does one after the other. So a runner with one thread has two helpers
(`PrefetchMover`). One reads at a time, so that the records are in order; both compute; and
the runner's thread puts the chunks in the order in which they were read, errors included:
what the queue gets, and up to where, is what one thread would have brought. The helpers
end before the thread they work for. Where there are fewer helpers, or none, `helper_threads` says. A queue that
is filled slowly has one element at a time, for which a chunk is too dear: see `BacklogMover`.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Tensor
from tfqueue.accelerate import build
from tfqueue.accelerate.chunk_size import AT_ONCE, ChunkSize
from tfqueue.accelerate.helper_threads import helpers_of
from tfqueue.accelerate.mover import ChangingMover, CountingMover
from tfqueue.accelerate.region import Region
from tfqueue.accelerate.replay import Columns, Position, Replay, named

_tf = _tensorflow.compat_v1()

_MOST = 3
"""Chunks that may be ready or in the making."""
_FEW_CHUNKS = 16
_PAUSE, _LONGEST_PAUSE = 64, 4096
"""Elements that are moved one by one behind so many chunks with few, at first and at the most."""


class FailedChunk(Exception):
    """A chunk failed, and nothing of it is in the queue: its records are to be put one by one.

    Attributes:
        columns: Its records, an array for each output of the source.
        error: Why it failed.
        after: What to raise once they are put; None if all of them may be sound.
    """

    def __init__(
        self, columns: Columns, error: BaseException, after: BaseException | None = None
    ) -> None:
        super().__init__(str(error))
        self.columns = columns
        self.error = error
        self.after = after


class Failing:
    """The threads whose chunk has failed, and is not replayed yet."""

    def __init__(self) -> None:
        self._threads: set[int] = set()
        self._changed = threading.Condition()

    def add(self) -> None:
        """The current thread's chunk has failed."""
        with self._changed:
            self._threads.add(threading.get_ident())

    def discard(self) -> None:
        """It is replayed, if it had failed."""
        if threading.get_ident() in self._threads:
            with self._changed:
                self._threads.discard(threading.get_ident())
                self._changed.notify_all()

    def wait(self) -> bool:
        """Waits until there is no such thread; whether there was one."""
        if not self._threads:
            return False
        with self._changed:
            return self._changed.wait_for(lambda: not self._threads)


class ChunkSteps:
    """The steps of one session that move chunks for one enqueue op, whichever thread runs them.

    Args:
        region: A `Region` that can be vectorised; or looped, if its source is a reader.
        handle: The session's `SessionHandle`.
        others_read: Function that tells whether other threads may take from the source one by one.
        listed: Whether the elements of a chunk are computed, and put, one after the other.

    Raises:
        CannotBuild: If TensorFlow cannot vectorise it, or loop over it.
    """

    def __init__(
        self,
        region: Region,
        handle: _tensorflow.SessionHandle,
        others_read: Callable[[], bool],
        listed: bool = False,
    ) -> None:
        self.region = region
        files = region.reads_tfrecords
        self.position = Position(others_read) if files else None
        self._others_read = others_read
        self.failing = Failing()
        self.replaying = threading.Lock()
        """Held while a chunk is replayed: no thread fails meanwhile, and so closes the queue."""
        self.helpers = helpers_of(region)
        """Threads that read and compute ahead of a runner's only thread."""
        self.reading: threading.Lock | None = None
        """Held while the first step of a chunk runs, if others that read meanwhile did harm. What takes
        from a queue between the look at what is in it and the takes has the step wait, with elements
        that it keeps from the program."""
        if self.position is not None:
            self.reading = self.position.reading
        elif region.reader is None:
            self.reading = threading.Lock()
        with build.building():
            key = ("chunk", region.op.name, region.threads > 1, listed)
            graph = region.op.graph
            self.ops = ops = build.kept_with(graph, key, lambda: build.ChunkOps(region, listed))
            # In the thread that runs it: handing the ops of a chunk to a pool costs more than most.
            step = functools.partial(_tensorflow.PreparedStep, handle, inline=True)
            self._keys = ops.keys
            self._read, self._prepare = step([ops.read], ops.told), step([ops.prepare])
            self._put = step([ops.put])
            self._put_some = step([ops.put_some]) if listed else None
            self.all = [self._read, self._prepare, self._put_some or self._put]
            """The `PreparedStep`s of a chunk."""
            self._fill = step([ops.fill])
            self._take_back = step([], ops.drop)
            self._compute = step([], ops.outputs)
            if files:
                self._produced = step([], [ops.produced])
            self.replay = Replay(region, handle)

    def begin(self, most: int) -> tuple[int, int]:
        """Reads the records of a chunk, so many at the most; its `(key, count)`.

        Raises:
            FailedChunk: If it is to be replayed.
            tf.errors.OpError: What the user's op would raise in its place.
        """
        key = next(self._keys)
        with self.reading or contextlib.nullcontext():
            if self.position is None:
                alone = self.reading is None or not self._others_read()
                return key, int(self._run_first(key, most if alone else 1)[0])
            count, last, length, produced = self._run_first(key, self.position.most(most))
            self.position.read(last, length, produced)
        return key, int(count)

    def _run_first(self, key: int, most: int) -> list[Any]:
        try:
            return self._read({self.ops.size: most, self.ops.key: key})
        except _tf.errors.CancelledError as error:
            raise named(self.region, error) from None
        except _tf.errors.OpError as error:
            self.failing.add()
            columns, after = self._drop(key), None
            if not len(columns[0]) or self.ops.takes > 1:  # it failed while it read
                after = named(self.region, error)
                if self.position is not None and not isinstance(error, _tf.errors.OutOfRangeError):
                    columns = self.position.lost(self._produced()[0], most)
            elif self.position is not None:
                # They were read and kept, but the step returned nothing about them.
                self.position.read(columns[0][-1], len(columns[1][-1]), self._produced()[0])
            if after is None or len(columns[0]):
                raise FailedChunk(columns, error, after) from None
            raise after from None

    def prepare(self, key: int) -> None:
        """Computes the elements of a chunk; raises as `begin` does."""
        self._run_on(self._prepare, {self.ops.key: key})

    def finish(self, key: int, count: int) -> None:
        """Puts the elements of a chunk that is prepared, and drops its records; raises as `begin` does."""
        if self._put_some is not None:
            for first in range(0, count, AT_ONCE):
                self._run_on(self._put_some, {self.ops.key: key, self.ops.first: first})
        self._run_on(self._put, {self.ops.key: key})

    def _run_on(self, step: _tensorflow.PreparedStep, feeds: Mapping[Tensor, int]) -> None:
        try:
            step(feeds)
        except _tf.errors.CancelledError as error:
            raise named(self.region, error) from None
        except _tf.errors.OpError as error:
            self.failing.add()
            # Nothing of it is in the queue: what puts comes after all else that may fail.
            raise FailedChunk(self._drop(feeds[self.ops.key]), error) from None

    def _drop(self, key: int) -> Columns:
        """The records that are kept of a chunk, which they are no longer then; empty if none were."""
        for take in range(self.ops.takes):
            with contextlib.suppress(_tf.errors.InvalidArgumentError):  # this part is kept
                self._fill({self.ops.key: key, self.ops.take: take})
        columns: Columns = self._take_back({self.ops.key: key})
        return columns

    def compute(self, columns: Columns, draws: Mapping[str, Any]) -> list[Any]:
        """What the vectorised ops make of records at hand: an array for each component.

        Args:
            columns: An array for each output of the source.
            draws: Dict from names that `ops.draws` has to what is to be taken for drawn.
        """
        given = {self.ops.draws[name]: values for name, values in draws.items()}
        return self._compute(dict(zip(self.ops.records, columns, strict=True)) | given)


class ChunkMover(CountingMover):
    """Moves a chunk a call.

    Args:
        steps: The `ChunkSteps`, which all threads of the enqueue op share.
        size: The `ChunkSize`, which they share too.
        failed: Called with the error of a chunk whose examples all passed one by one.
    """

    def __init__(
        self, steps: ChunkSteps, size: ChunkSize, failed: Callable[[BaseException], None]
    ) -> None:
        self._steps = steps
        self._size = size
        self._failed = failed

    @property
    def grain(self) -> int | None:
        return self._size.now

    def steps(self) -> list[_tensorflow.PreparedStep]:
        return self._steps.all

    def move(self) -> int:
        if self._steps.failing.wait():
            # What this thread reads stands behind the chunk that failed, and would be put before it.
            return 0
        before = self.elements
        size = self._size.now
        began = time.perf_counter()
        try:
            key, count = self._steps.begin(size)
            self._steps.prepare(key)
            self._put(key, count)
        except FailedChunk as failed:
            self._replay(failed)
        except _tf.errors.OpError:
            with self._steps.replaying:  # till then the queue stays open
                raise
        else:
            self._size.took(count, size, time.perf_counter() - began)
        finally:
            self._steps.failing.discard()
        return self.elements - before

    def _put(self, key: int, count: int) -> None:
        """Puts a chunk that is prepared, whose elements count as put for sure from the beginning on.

        A step that takes some of them need not wait for more than this one, which waits for room.
        """
        self.certain += count
        try:
            self._steps.finish(key, count)
        except BaseException:
            self.certain -= count
            raise
        self.elements += count

    def _replay(self, failed: FailedChunk) -> None:
        with self._steps.replaying:
            self._steps.replay.put(failed.columns, self)
            if failed.after is not None:
                raise failed.after
        self._failed(failed.error)


class PrefetchMover(ChunkMover):
    """Puts chunks that helpers read and compute."""

    def __init__(
        self, steps: ChunkSteps, size: ChunkSize, failed: Callable[[BaseException], None]
    ) -> None:
        super().__init__(steps, size, failed)
        self._reading = threading.Lock()
        """Held by the helper that reads."""
        self._changed = threading.Condition()
        self._chunks: dict[int, tuple[int, int] | BaseException] = {}
        """By number, in the order they were read: `(key, count)` of a chunk that is ready, or the
        error that stands in its place."""
        self._begun = 0
        """How many chunks were begun."""
        self._next = 0
        """The number of the chunk to be put next."""
        self._stopping = False
        self._helpers: list[threading.Thread] = []

    def move(self) -> int:
        before = self.elements
        if not self._helpers:
            for number in range(self._steps.helpers):
                name = f"{threading.current_thread().name}-prefetch-{number}"
                helper = threading.Thread(target=self._prepare_all, name=name)
                helper.start()
                self._helpers.append(helper)
        with self._changed:
            self._changed.wait_for(lambda: self._next in self._chunks)
        self._put_next()
        return self.elements - before

    def finish(self) -> None:
        self._ask_to_stop()
        # Not once the helpers have ended: one may wait for an element that comes only after those
        # that are ready have gone through the program.
        while self._next < self._begun:
            with self._changed:
                self._changed.wait_for(lambda: self._next in self._chunks)
            self._put_next()

    def close(self) -> None:
        self._ask_to_stop()
        for helper in self._helpers:
            helper.join()
        self._chunks.clear()

    def _ask_to_stop(self) -> None:
        """Has the helpers begin no more chunks."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def _put_next(self) -> None:
        chunk = self._chunks.pop(self._next)
        try:
            if isinstance(chunk, BaseException):
                raise chunk
            self._put(*chunk)
        except FailedChunk as failed:
            self._replay(failed)
        finally:
            with self._changed:
                self._next += 1
                self._changed.notify_all()

    def _prepare_all(self) -> None:
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

    def _or_error(self, function: Callable[[int], Any], argument: int) -> Any:
        """What a function returns, or the error that the runner's thread is to meet in its turn."""
        try:
            return function(argument)
        except BaseException as error:  # noqa: BLE001  (it is raised there)
            # The runner ends with it: nothing behind it is wanted. A chunk that fails as a whole,
            # without an error after it, is replayed instead, and may well be put.
            if not isinstance(error, FailedChunk) or error.after is not None:
                with self._changed:
                    self._stopping = True
                    self._changed.notify_all()
            return error


class BacklogMover(ChangingMover):
    """Moves chunks out of a queue that has many elements, and one by one while it has few.

    It counts how many were there, so that it is right however fast the machine is.

    Args:
        chunks: Function that makes a `ChunkMover`.
        singly: Function that makes a mover that runs the op itself.
        size: The `ChunkSize` of the chunks.
        told: Called with itself and whether it runs the op itself from now on.
    """

    def __init__(
        self,
        chunks: Callable[[], ChunkMover],
        singly: Callable[[], CountingMover],
        size: ChunkSize,
        told: Callable[[ChangingMover, bool], None],
    ) -> None:
        super().__init__(chunks())
        self._chunks, self._singly, self._size, self._told = chunks, singly, size, told
        self._left = 0
        """How many more elements are moved one by one."""
        self._pause = _PAUSE

    def move(self) -> int:
        before = self.elements
        if self._left:
            self._left -= 1
            if not self._left:
                self.leave()
                self._told(self, False)
                self.go_on(self._chunks)
        elif self._size.few >= _FEW_CHUNKS:
            # Two more are enough to see that nothing has changed.
            self._size.few = _FEW_CHUNKS - 2
            self._left, self._pause = self._pause, min(2 * self._pause, _LONGEST_PAUSE)
            self.leave()
            self._told(self, True)
            self.go_on(self._singly)
        elif not self._size.few:
            self._pause = _PAUSE
        if self.elements == before:
            self._inner.move()
        return self.elements - before

    def close(self) -> None:
        super().close()
        self._told(self, False)
