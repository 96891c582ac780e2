"""The movers that only a session can make: for gradients, and for what is no op of the graph."""

import time

from tfqueue import _tensorflow, accelerate
from tfqueue.session.step import Step, wait_for

_tf = _tensorflow.compat_v1()

_ACCUMULATORS = frozenset(
    [
        "AccumulatorTakeGradient",
        "SparseAccumulatorTakeGradient",
        "ResourceAccumulatorTakeGradient",
    ]
)
_LET_GO_SECONDS = 0.2
"""How long a thread that was asked to stop waits for a step that no queue's closing ends."""


class GradientMover(accelerate.StepMover):
    """Runs an enqueue op that waits for the gradients of an accumulator.

    Only the session's end ends such a wait: there is no queue to close. So a thread of the
    session's own waits, and the runner's goes when it is asked to.

    Args:
      op: The enqueue op.
      run: The `RunnerRun`.
      sess: The session.
    """

    def __init__(self, op, run, sess):
        super().__init__(op, sess)
        self._run = run
        self._run_step, self._step = self._step, self._apart
        self._asked = None

    def steps(self):
        return [self._run_step]

    def _apart(self):
        run, self._asked = self._run, None
        steps = run.owner.steps
        step = Step(self._run_step, None)
        thread = steps.submit(step)
        wait_for(step, self._look)
        if thread is not None:
            steps.give_back(thread)
        return step.result()

    def _look(self):
        if not self._run.released.is_set():
            return
        now = time.monotonic()
        if self._asked is None:
            self._asked = now
        if now - self._asked > _LET_GO_SECONDS:
            raise _tf.errors.CancelledError(None, None, "a stop was asked for")


class CallableMover(accelerate.Mover):
    """Runs something that is no op of the graph, but that the session knows how to run.

    Args:
      item: What to run.
      sess: The session.
    """

    grain = None

    def __init__(self, item, sess):
        self._make = lambda: sess.make_callable(item)
        self._step = None

    def move(self):
        if self._step is None:
            self._step = self._make()  # in the runner's thread, which reports what is wrong with it
        self._step()
        self.elements += 1
        return 1


def movers_for(run, sess):
    """The `Mover`s of a runner's threads, one for each of its enqueue ops.

    Args:
      run: The `RunnerRun`.
      sess: The session.
    """
    owner, items = run.owner, run.runner.enqueue_ops
    if not all(isinstance(item, (_tf.Operation, _tf.Tensor)) for item in items):
        return [CallableMover(item, sess) for item in items]
    ops = [getattr(item, "op", item) for item in items]
    if any(each.type in _ACCUMULATORS for each in run.demand.ops):
        for op in ops:
            accelerate.note(sess.graph, run.name, op, "examples", "it waits for gradients")
        return [GradientMover(op, run, sess) for op in ops]
    task = accelerate.RunnerTask(
        name=run.name,
        pipeline=owner.pipeline,
        ops=tuple(ops),
        handle=_tensorflow.SessionHandle(sess),
        setting=accelerate.setting_of(owner.chunks),
        remote=owner.remote,
        guarded=run.guard is not None,
    )
    return accelerate.movers_for(task)
