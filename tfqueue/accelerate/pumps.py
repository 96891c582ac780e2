"""What a runner's thread calls again and again to move elements into its queue.

Every pump is called without arguments, moves some elements, counts them in
`elements`, and raises what the enqueue op of one example would raise; `end` is
called once, last, in the same thread. The accelerator's pump moves a chunk a
call; this one moves what the enqueue op does.

`grain` is by how much the count may lag behind the queue while a call is under
way, None where `elements` is a guess; `steps()` are the `RawStep`s of a call.
"""

import os
import time

from tfqueue import _tensorflow, accelerate
from tfqueue.accelerate import chunk_pump, tuner
from tfqueue.accelerate.backpressure import put_one
from tfqueue.session import steps

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


class Pump:
    """A pump that starts nothing of its own."""

    def bring_home(self):
        """Puts what was read ahead when the stop is asked for: nothing."""

    def end(self):
        """Ends what it has started: nothing."""


class StepPump(Pump):
    """Runs the enqueue op itself: one session step a call.

    Args:
      run: The `RunnerRun` it works for.
      op: The enqueue op, or the tensor of a conditional one.
      sess: The session.
    """

    def __init__(self, run, op, sess):
        operation = op.op if hasattr(op, "op") else op
        self.elements = 0
        self.certain = 0
        """How many elements are in the queue for sure: what only the run knows counts for none."""
        self.per_call, self._sure_per_call = elements_per_call(operation)
        self.grain = self.per_call if self.per_call == self._sure_per_call else None
        self._step = _tensorflow.RawStep(sess, [operation], trial=run.trial_of(operation))
        self._room = run.supervision.rooms.of_op(run.queue_name, operation)
        self._ends = run.should_stop

    def steps(self):
        return [self._step]

    def __call__(self):
        if not put_one(self._room, self._step, self._ends):
            return
        self.elements += self.per_call
        self.certain += self._sure_per_call


class GradientPump(StepPump):
    """Runs an enqueue op that waits for the gradients of an accumulator.

    Only the session's end ends such a wait: there is no queue to close. So a thread of the
    session's own waits, and the runner's goes when it is asked to.
    """

    def __init__(self, run, op, sess):
        super().__init__(run, op, sess)
        self._run = run
        self._run_step, self._step = self._step, self._apart
        self._asked = None

    def steps(self):
        return [self._run_step]

    def _apart(self):
        run, self._asked = self._run, None
        threads = run.supervision.threads
        job = steps.Job(self._run_step, None)
        thread = threads.submit(job)
        steps.wait_for(job, self._look)
        if thread is not None:
            threads.give_back(thread)
        return job.result()

    def _look(self):
        if not self._run.released.is_set():
            return
        now = time.monotonic()
        if self._asked is None:
            self._asked = now
        if now - self._asked > _LET_GO_SECONDS:
            raise _tf.errors.CancelledError(None, None, "a stop was asked for")


class CallablePump(Pump):
    """Runs something that is no op of the graph, but that the session knows how to run.

    Args:
      op: What to run.
      sess: The session.
    """

    grain = None

    def __init__(self, op, sess):
        self.elements = 0
        self.certain = 0
        self._make = lambda: sess.make_callable(op)
        self._step = None

    def steps(self):
        return []

    def __call__(self):
        if self._step is None:
            self._step = self._make()  # in the runner's thread, which reports what is wrong with it
        self._step()
        self.elements += 1


class GuardedPump(Pump):
    """Moves elements one at a time, up to a record that must not be read.

    Args:
      pump: The `StepPump` that moves them.
      guard: The `forged.Guard`, which all threads of the runner share.
    """

    def __init__(self, pump, guard):
        self._pump = pump
        self._guard = guard

    @property
    def elements(self):
        return self._pump.elements

    @property
    def certain(self):
        return self._pump.certain

    @property
    def grain(self):
        return self._pump.grain

    def steps(self):
        return self._pump.steps()

    def __call__(self):
        self._guard.take()
        self._pump()


def elements_per_call(operation):
    """How many elements an enqueue op puts at a time.

    Args:
      operation: An op that a runner or a step runs to enqueue.

    Returns:
      `(guess, sure)`: as far as is known beforehand, and at the least.
    """
    if operation.type in ("QueueEnqueue", "QueueEnqueueV2"):
        return 1, 1
    if not operation.type.startswith("QueueEnqueueMany"):
        return 1, 0  # one that a condition may skip
    first = operation.inputs[1].shape
    known = _tf.dimension_value(first[0]) if first.rank else None
    return (1, 0) if known is None else (known, known)


_DEFAULT = "auto"
"""What `TFQUEUE_CHUNKS` is taken for where it is not set."""


def setting_of(supervision):
    """How chunks are set for a session.

    Args:
      supervision: The session's `Supervision`; its `chunks` is what `managed_session` was given.

    Returns:
      False for one example a step, an int for chunks of that size, None to find out what is best.

    Raises:
      ValueError: If `TFQUEUE_CHUNKS` or `chunks` is neither a number nor a switch.
    """
    value = getattr(supervision, "chunks", None)
    if value is None:
        value = os.environ.get("TFQUEUE_CHUNKS", "") or _DEFAULT
    if value is True or value == "auto":
        return None
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        raise ValueError(
            f"chunks (or TFQUEUE_CHUNKS) is the number of examples in a step, 0 for one at a "
            f"time, or 'auto'; got {value!r}"
        )
    return number or False


def make(run, op, sess):
    """The pump for one thread of a runner.

    Args:
      run: The `RunnerRun`.
      op: The thread's enqueue op.
      sess: The session.

    Returns:
      A callable with the attribute `elements`.
    """
    if not isinstance(op, (_tf.Operation, _tf.Tensor)):
        return CallablePump(op, sess)
    operation = op.op if hasattr(op, "op") else op
    if any(each.type in _ACCUMULATORS for each in run.demand.ops):
        why = "it waits for gradients"
        accelerate.note(sess.graph, run.name, operation, "examples", why)
        return GradientPump(run, op, sess)
    if run.guard is not None:
        why = "a file has a header that must not be read"
        accelerate.note(sess.graph, run.name, operation, "examples", why)
        return GuardedPump(StepPump(run, op, sess), run.guard)
    setting = setting_of(run.supervision)
    if setting is False:
        accelerate.note(sess.graph, run.name, operation, "examples", "switched off")
        return StepPump(run, op, sess)
    if run.supervision.remote:
        # What a chunk takes at once, another process may be waiting for; and each of its ops would
        # have to be placed anew on the cluster's devices.
        why = "the session runs on a server, whose queues other processes may share"
        accelerate.note(sess.graph, run.name, operation, "examples", why)
        return StepPump(run, op, sess)
    if operation.type != "QueueEnqueueV2":
        many = operation.type.startswith("QueueEnqueueMany")
        why = "it puts many at a time" if many else f"its op is {operation.type}"
        accelerate.note(sess.graph, run.name, operation, "examples", why)
        return StepPump(run, op, sess)
    handle = _tensorflow.SessionHandle(sess)
    shared = tuner.share(run, operation, setting, handle)
    return chunk_pump.ChunkPump(shared, handle, lead=shared.new())
