"""What a runner's thread calls again and again to move elements into its queue.

Every pump is called without arguments, moves some elements, counts them in
`elements`, and raises what the enqueue op of one example would raise. The
accelerator's pump moves a chunk a call; this one moves what the enqueue op does.
"""

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()


class StepPump:
    """Runs the enqueue op itself: one session step a call.

    Args:
      run: The `RunnerRun` it works for.
      op: The enqueue op, or the tensor of a conditional one.
      sess: The session.
    """

    def __init__(self, run, op, sess):
        operation = op.op if hasattr(op, "op") else op
        self.elements = 0
        self.per_call = _elements_per_call(operation)
        self._step = _tensorflow.RawStep(sess, [operation])

    def __call__(self):
        self._step()
        self.elements += self.per_call


def _elements_per_call(operation):
    """How many elements an enqueue op puts at a time; 1 where only the run knows."""
    if not operation.type.startswith("QueueEnqueueMany"):
        return 1
    first = operation.inputs[1].shape
    return first[0].value if first.rank and first[0].value is not None else 1


def make(run, op, sess):
    """The pump for one thread of a runner.

    Args:
      run: The `RunnerRun`.
      op: The thread's enqueue op.
      sess: The session.

    Returns:
      A callable with the attribute `elements`.
    """
    return StepPump(run, op, sess)
