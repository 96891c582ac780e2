"""`Mover`: what a runner's thread calls to move elements into its queue.

This is all that a runner and the accelerator share. A runner is given one
`Mover` for each of its threads. How that moves elements is the accelerator's matter.
"""

from __future__ import annotations

import dataclasses
import enum
import threading
from collections.abc import Callable, Iterable
from typing import Protocol

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Op, Session
from tfqueue.graph import traversal
from tfqueue.graph.model import Pipeline


class Strategy(enum.Enum):
    """How an enqueue op of a runner is run."""

    CHUNK = "vectorised"
    LOOP = "looped"
    SINGLE = "one at a time"


class Mover(Protocol):
    """Moves elements into a queue for one thread of a runner.

    The thread calls `move` again and again until it raises or the runner is to stop, then
    `finish` if what was read is still wanted, and `close` in every case. All calls come from that
    thread. Whatever the mover does, the queue gets the elements that the enqueue
    op would have put, in its order, each once, and `move` raises what the op would have raised,
    after everything in front of the failure has been put.
    """

    @property
    def elements(self) -> int:
        """How many elements it has put, as far as is known."""

    @property
    def certain(self) -> int:
        """How many elements are in the queue for sure; an amount that only the run shows counts for none.

        Those that a step is about to put count too, where only a closed queue can keep it from that.
        """

    @property
    def grain(self) -> int | None:
        """By how much `elements` may lag behind during a call; None where it is a guess."""

    @property
    def per_call(self) -> int:
        """How many elements it puts for each time that it takes from its source."""

    @property
    def record(self) -> tuple[bytes, bytes] | None:
        """Key and value of the record that was being worked on when `move` raised, if known."""

    def move(self) -> int:
        """Moves some elements, at least one unless it raises or had to wait for another thread's.

        Returns:
            How many elements it has put into the queue, as far as is known.

        Raises:
            tf.errors.OpError: What the enqueue op raises; `OutOfRangeError` at the end of the input.
        """

    def finish(self) -> None:
        """Puts what was read and is not in the queue yet; raises as `move` does."""

    def close(self) -> None:
        """Drops what is left and ends what the mover has started; never raises."""

    def share_source(self) -> threading.Lock | None:
        """Takes one example at a time from now on: other threads are about to take from its source.

        It may be called from any thread.

        Returns:
            A lock that is held while records are read by a step that had begun before; the others
            take none until they have had it. None if there is no need.
        """

    def steps(self) -> list[_tensorflow.PreparedStep]:
        """The `PreparedStep`s that a call of `move` runs at the moment, to be traced."""


class CountingMover(Mover):
    """A mover that counts what it puts, and has nothing to finish or to close."""

    elements = 0
    certain = 0
    per_call = 1
    record: tuple[bytes, bytes] | None = None

    def count(self, put: int) -> None:
        """Adds elements that are in the queue for sure."""
        self.elements += put
        self.certain += put

    def finish(self) -> None:
        pass

    def close(self) -> None:
        pass

    def share_source(self) -> threading.Lock | None:
        return None


class ChangingMover(Mover):
    """A mover that lets another one move, and may change it for the next."""

    per_call = 1

    def __init__(self, first: CountingMover | ChangingMover) -> None:
        self._inner = first
        self._before = 0
        """Elements put by the movers before the current one."""

    @property
    def elements(self) -> int:
        return self._before + self._inner.elements

    @property
    def certain(self) -> int:
        return self._before + self._inner.certain

    @property
    def grain(self) -> int | None:
        return self._inner.grain

    @property
    def record(self) -> tuple[bytes, bytes] | None:
        return self._inner.record

    def steps(self) -> list[_tensorflow.PreparedStep]:
        return self._inner.steps()

    def leave(self) -> None:
        """Ends the current mover, once what it has read is put; raises as `move` does."""
        self._inner.finish()
        self._inner.close()

    def go_on(self, make: Callable[[], CountingMover | ChangingMover]) -> None:
        """Lets a new mover move, after `leave`."""
        before, inner = self.elements, make()
        # In this order: who counts in between finds fewer elements than there are, and never more.
        self._inner = inner
        self._before = before

    def finish(self) -> None:
        self._inner.finish()

    def close(self) -> None:
        self._inner.close()

    def share_source(self) -> threading.Lock | None:
        return self._inner.share_source()


class StepMover(CountingMover):
    """Runs the enqueue op itself: one session step a call.

    Args:
        op: The enqueue op.
        sess: A session, or the `SessionHandle` of one.
        after: What the movers that take from the same source gave for `share_source`.
        inline: Whether the thread that calls `move` computes the step itself.
    """

    grain: int | None = None

    def __init__(
        self,
        op: Op,
        sess: _tensorflow.SessionHandle | Session,
        after: Iterable[threading.Lock | None] = (),
        inline: bool = False,
    ) -> None:
        self.grain = traversal.put_amount(op)
        self.per_call = 1 if self.grain is None else self.grain  # one that a condition may skip
        self._step = _tensorflow.PreparedStep(sess, [op], inline=inline)
        self._after = [lock for lock in after if lock is not None]

    def steps(self) -> list[_tensorflow.PreparedStep]:
        return [self._step]

    def move(self) -> int:
        while self._after:
            with self._after.pop():
                pass  # what was begun is read
        self._step()
        self.elements += self.per_call
        self.certain += self.grain or 0
        return self.per_call


@dataclasses.dataclass(frozen=True)
class RunnerTask:
    """What the accelerator is given of a runner."""

    name: str
    pipeline: Pipeline
    ops: tuple[Op, ...]
    """The enqueue operations, one for each thread; one may stand there several times."""
    handle: _tensorflow.SessionHandle
    """The session that they run in."""
    setting: int | bool | None
    """How many examples a chunk is to have; False for one example a step, None for the best."""
    rivals: tuple[Mover, ...]
    """The `Mover`s of other runners at work in the session that take from a source of this one."""
    remote: bool
    """Whether the session runs on a server."""
    timed: bool
    """Whether each step of the session has a deadline (`operation_timeout_in_ms`)."""
    guarded: bool
    """Whether the runner has to look at its files in front of every single element."""
