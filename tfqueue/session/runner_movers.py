"""The movers of a runner's threads: the accelerator's, or one that waits in a thread of the session's own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tfqueue import _tensorflow, accelerate
from tfqueue._tensorflow.types import Session
from tfqueue.accelerate.mover import Mover
from tfqueue.session.step import Call, wait_for

if TYPE_CHECKING:
    from tfqueue.session.runner import RunnerRun

_tf = _tensorflow.compat_v1()

_TAKES_GRADIENTS = "AccumulatorTakeGradient"
"""What the types of ops that wait for an accumulator's gradients end with."""
_LET_GO_SECONDS = 0.2
"""How long a thread that was asked to stop waits for a step that no queue's closing ends."""


class ApartMover(accelerate.StepMover):
    """Runs an enqueue op that waits for what only the session's end can end.

    That is where it takes the gradients of an accumulator, and where it waits for elements or room of
    a queue that other processes use, too: there is no queue to close. So a thread of the session's own
    waits, and the runner's goes when it is asked to.
    """

    def __init__(self, op: Any, run: RunnerRun, sess: Any) -> None:
        super().__init__(op, sess)
        self._run = run
        self._asked: float | None = None

    def move(self) -> int:
        before, self._asked = self.elements, None
        call = Call(self._move_on)
        self._run.owner.steps.submit(call)
        wait_for(call, self._look)
        call.result()
        return self.elements - before

    def _move_on(self) -> None:
        """One call after the other until a stop is asked for: a thread is woken once, not for each."""
        run = self._run
        super().move()
        while not run.should_stop():
            if run.guard is not None:
                run.guard.take()
            super().move()

    def _look(self) -> None:
        if not self._run.released.is_set():
            return
        now = time.monotonic()
        if self._asked is None:
            self._asked = now
        if now - self._asked > _LET_GO_SECONDS:
            raise _tf.errors.CancelledError(None, None, "a stop was asked for")


def _waits_apart(run: RunnerRun) -> str | None:
    """Why its enqueue ops may wait for what no closing of a queue ends, in words; None if they don't."""
    if any(each.type.endswith(_TAKES_GRADIENTS) for each in run.demand.ops):
        return "it waits for gradients"
    queues = [run.owner.pipeline.queues.get(run.queue_name), *run.upstream()]
    if any(queue is not None and run.owner.queues.is_shared(queue) for queue in queues):
        return "the session runs on a server"
    return None


def movers_of(run: RunnerRun, sess: Session) -> list[Mover]:
    """The `Mover`s of a runner's threads, one for each of its enqueue ops."""
    owner, ops = run.owner, run.ops
    why = _waits_apart(run)
    if why is not None:
        for op in ops:
            accelerate.note(sess.graph, run.name, op, accelerate.Strategy.SINGLE, why)
        return [ApartMover(op, run, sess) for op in ops]
    task = accelerate.RunnerTask(
        name=run.name,
        pipeline=owner.pipeline,
        ops=ops,
        handle=_tensorflow.SessionHandle.of(sess),
        setting=accelerate.setting_of(owner.chunks),
        rivals=tuple(_rivals(run)),
        remote=owner.remote,
        timed=_tensorflow.have_deadlines(sess),
        guarded=run.guard is not None,
    )
    return accelerate.movers_for(task)


def _rivals(run: RunnerRun) -> Iterator[Mover]:
    """The movers of other runners that are at work and take by an op by which `run` takes too."""
    wanted = {take.op for take in run.demand.takes}
    others = [other for op in wanted for other in run.owner.takers.get(op, ())]
    for other in dict.fromkeys(others):
        if other.working() or other.alive():
            for demand, mover, _ in other.demands():
                if any(take.op in wanted for take in demand.takes):
                    yield mover
