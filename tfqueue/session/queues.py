"""The queues of one session: who feeds them, what they hold, and why each was closed.

`Queues` notes what is known of a queue that is closed, `closed_queues` finds out which of it was the reason, and
`explain.diagnosis` says it:

* it has nothing more to give: its input came to an end, or the program closed it (`at_end`, noted when a
  step of the program meets it);
* a runner failed, or nobody can feed it any more (`causes` has it, which is raised in
  the place of TensorFlow's "closed and has insufficient elements");
* a stop cancelled what waits to be put in (`cancelled`).

`closed_before` are the queues that were closed before the session ended them. A runner that fails because the program closed
its queue has not failed: the module `failures` tells the two apart.

What went in and out is in `accounts`.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Op, Tensor
from tfqueue.graph import control_ops
from tfqueue.graph.op_types import Demand, Queue

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner
    from tfqueue.session.step import Step

_tf = _tensorflow.compat_v1()


class Queues:
    """The queues of one session."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self.causes: dict[str, BaseException] = {}
        """Why a queue was closed, by queue name, where that was a failure."""
        self.at_end: set[str] = set()
        """Names of the queues whose end a step of the program has met."""
        self.cancelled: set[str] = set()
        """Names of the queues whose pending enqueues a stop of ours cancelled."""
        self.closed_before: set[str] = set()
        """Names of the queues that were closed before the session's end closed the others, as far
        as a step waited for them then."""
        self.feeders: dict[str, set[threading.Thread]] = {}
        """Queue name to the threads that ever enqueued by hand, dead ones too."""
        self._steps: dict[tuple[str, tuple[str, ...]], _tensorflow.PreparedStep] = {}

    # -- who feeds them ------------------------------------------------------------------------

    def feeders_of(self, queue: Queue) -> list[threading.Thread]:
        """The threads that ever enqueued into `queue` by hand, dead ones too."""
        with self._owner.lock:  # a set must not grow while it is walked
            return list(self.feeders.get(queue.name, ()))

    def live_feeders(self, queue: Queue | None = None) -> list[threading.Thread]:
        """Those of them that are alive; for all queues if none is given.

        `Thread.is_alive` calls `_stop`, a name that programs take for attributes of their threads.
        """
        with self._owner.lock:
            names = [queue.name] if queue is not None else list(self.feeders)
            fed = set().union(*(self.feeders.get(name, ()) for name in names))
        return [each for each in threading.enumerate() if each in fed]

    def note_feeder(self, queues: Iterable[Queue]) -> None:
        """The current thread puts into `queues` by hand."""
        thread = threading.current_thread()
        with self._owner.lock:
            known = [self.feeders.setdefault(queue.name, set()) for queue in queues]
            new = any(thread not in threads for threads in known)
            for threads in known:
                threads.add(thread)
        if new:
            self._owner.changed.notify_all()

    # -- why they were closed --------------------------------------------------------------------

    def failed(self, queue_name: str, cause: BaseException) -> BaseException:
        """Notes that a queue gets no more elements because of `cause`; the first one counts, and is returned."""
        first = self.causes.setdefault(queue_name, cause)
        self._owner.changed.notify_all()
        return first

    def close(self, queue: Queue, cancel: bool) -> None:
        """Closes a queue; with `cancel`, pending enqueues end too."""
        if self.is_left_open(queue.name):
            return
        if cancel:
            self.cancelled.add(queue.name)
            for run in self._owner.runs_of(queue):
                run.stop()  # what its threads get now is no failure
        with contextlib.suppress(_tf.errors.OpError, RuntimeError):
            self._step(queue, "cancel" if cancel else "close")()

    def note_closed(self) -> None:
        """Notes which queues are closed, before the session's end closes the others.

        That is where the input came to an end, where a stop was asked for, and where the program has
        closed the queue itself.
        """
        owner = self._owner
        waited_for = {
            take.queue
            for step in list(owner.steps.under_way)
            if step.plan is not None
            for take in step.plan.demand.takes
        }
        found = self.at_end | self.cancelled
        for queue in waited_for:
            runs = owner.runs_of(queue)
            looked = None if owner.remote else self.look(queue)
            if (looked is not None and looked[1]) or any(
                run.ended or run.stop_was_asked_for() for run in runs
            ):
                found.add(queue.name)
        self.closed_before = found

    def is_left_open(self, queue_name: str) -> bool:
        """Whether a queue is not to be closed: others use it, or nobody is there to close it."""
        if self._owner.link.silent:
            return True
        queue = self._owner.pipeline.queues.get(queue_name)
        return queue is not None and self.is_shared(queue)

    def is_shared(self, queue: Queue) -> bool:
        """Whether sessions of other processes may use a queue, too."""
        return bool(self._owner.remote and queue.shared_name)

    # -- what they hold --------------------------------------------------------------------------

    def size(self, queue: Queue) -> int:
        """How many elements a queue holds now, without those a pending dequeue has taken."""
        return int(self._step(queue, "size")()[0])

    def sizes(self, queues: Iterable[Queue]) -> _tensorflow.PreparedStep:
        """One step that gives the sizes of several queues: a callable that returns a list.

        Raises:
            RuntimeError: If the session is gone.
        """
        return self._made([control_ops.of_queue("size", queue.handle) for queue in queues])

    def look(self, queue: Queue) -> tuple[int, bool] | None:
        """How many elements a queue holds now, and whether it is closed; None if it can't tell."""
        try:
            size, closed = self._step(queue, "size", "closed")()
        except (_tf.errors.OpError, RuntimeError):
            return None
        return int(size), bool(closed)

    def is_full(self, queue: Queue, unknown: bool = True) -> bool:
        """Whether a queue is open and has no room; `unknown` if it can't tell."""
        looked = self.look(queue)
        return unknown if looked is None else 0 <= queue.capacity <= looked[0] and not looked[1]

    def drop(self) -> None:
        """Drops what the closed session has no more use for."""
        self._steps.clear()

    def _step(self, queue: Queue, *actions: str) -> _tensorflow.PreparedStep:
        """A step of ops that act on a queue, kept."""
        with self._owner.lock:
            found = self._steps.get((queue.name, actions))
            if found is None:
                ops = [control_ops.of_queue(action, queue.handle) for action in actions]
                found = self._steps[queue.name, actions] = self._made(ops)
            return found

    def _made(self, ops: Iterable[Op | Tensor]) -> _tensorflow.PreparedStep:
        handle = self._owner.handle()
        if handle is None:
            raise RuntimeError("the session is gone")
        targets = [op for op in ops if isinstance(op, _tf.Operation)]
        fetches = [op for op in ops if not isinstance(op, _tf.Operation)]
        # A small op needs no pool of threads, which a py_func that does not return may hold.
        return _tensorflow.PreparedStep(handle, targets, fetches, inline=not self._owner.remote)


def puts_under_way(owner: Owner, queue: Queue) -> list[tuple[Op, Demand, Step]]:
    """`(op, its Demand, its Step)` of each put into a queue that is under way, or not booked."""
    return [
        (op, owner.pipeline.demand([op], step.plan.fed), step)
        for step in list(owner.steps.under_way)
        if queue in step.plan.put_queues
        for op, into in step.plan.demand.puts
        if into is queue
    ]
