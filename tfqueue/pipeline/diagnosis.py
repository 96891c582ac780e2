"""From a failure or a stall to its cause and its fix, by rows.

`explain` adds the pipeline's story to TensorFlow's own exception, as notes;
`starved` and its like make the errors that TensorFlow has no class for;
`at_end` and `before_start` speak of silent damage. What is said stands in the
rows of `tfqueue.pipeline.stories`: a condition, and the text.
"""

import re
import sys
import warnings

from tfqueue import _tensorflow, errors
from tfqueue.pipeline import stories
from tfqueue.pipeline.case import Case


def explain(error, supervision, *, run=None, pump=None, plan=None):
    """Adds to `error` what the pipeline knows of it.

    Args:
      error: What a step raised.
      supervision: The session's `Supervision`.
      run: The `RunnerRun` whose thread met it, if it was a runner's.
      pump: That thread's pump.
      plan: The `Plan` of the step, if it was the program's own.

    Returns:
      `error` itself, or the same thing under the class that TensorFlow 1 gave it.
    """
    if getattr(error, "tfqueue_told", False):
        return error
    error = _as_in_tf1(error)
    case = Case(error, supervision, run=run, pump=pump, plan=plan)
    for row in stories.FAILURES:
        if row.when(case):
            text = row.say(case)
            if text:
                _tensorflow.add_note(error, f"tfqueue: {text}")
    error.tfqueue_told = True
    return error


def _as_in_tf1(error):
    tf = _tensorflow.compat_v1()
    op = getattr(error, "op", None)
    if isinstance(error, tf.errors.NotFoundError) and op is not None:
        if op.type in ("ResourceCountUpTo", "ReadVariableOp", "AssignAddVariableOp"):
            # An epoch counter that was never initialised. Resource variables, which `tfqueue.v1`
            # has for the sake of `tf.cond`, say NotFound where TF1's said FailedPrecondition.
            made = tf.errors.FailedPreconditionError(error.node_def, op, error.message)
            return made.with_traceback(error.__traceback__)
    return error


def first_line(error):
    """The useful line of an error's message: TensorFlow puts others in front of it."""
    text = getattr(error, "message", None) or str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if not line.startswith(("Graph execution error", "Detected at node", "Node:", "File ")):
            return re.sub(r"\s*\[\[\{\{node [^}]*\}\}\]\]", "", line)
    return lines[0] if lines else type(error).__name__


def warn(message, category):
    """Warns at the user's line: the innermost frame outside TensorFlow and tfqueue.

    Args:
      message: The text.
      category: A class of `tfqueue.errors`.
    """
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _tensorflow.is_library_file(frame.f_code.co_filename):
        frame, level = frame.f_back, level + 1
    if _tensorflow.is_library_file(frame.f_code.co_filename):
        level = 2  # a thread of ours: there is no line of the user's
    warnings.warn(message, category, stacklevel=level)


def starved(supervision, queue, plan):
    """The error for a queue that nobody can feed any more.

    Args:
      supervision: The session's `Supervision`.
      queue: The queue.
      plan: The `Plan` of the step that waits.

    Returns:
      A `StarvationError`, with the dead feeder's own exception as its cause
      where that was seen.
    """
    case = Case(None, supervision, plan=plan, queue=queue)
    text = next(row.say(case) for row in stories.STALLS if row.when(case))
    error = errors.StarvationError(text)
    error.__cause__ = case.feeder_error()
    error.tfqueue_told = True
    return error


def never_started(supervision, queues):
    """What to say of queues whose registered runners were never started."""
    return stories.never_started(Case(None, supervision, queue=queues[0]), queues)


def warn_waiting(supervision, plan):
    """Says once what a step waits for that something unknown may yet bring."""
    warn(stories.waiting(Case(None, supervision, plan=plan)), errors.WaitingWarning)


def names_per_epoch(supervision, queue):
    """How many names a producer's queue gets in one epoch, or None if it is no such queue."""
    return Case(None, supervision, queue=queue).names_per_epoch()


def no_records(supervision, queue, count):
    """What to say of a whole epoch of files without a record."""
    return stories.no_records(Case(None, supervision, queue=queue), count)


def before_start(supervision):
    """Looks at a pipeline whose runners are about to be started; warns of silent damage."""
    case = Case(None, supervision)
    for row in stories.AT_START:
        if row.when(case):
            warn(row.say(case), row.category)


def at_end(supervision, plan):
    """Looks at a pipeline whose data came to its end; warns of silent damage."""
    case = Case(None, supervision, plan=plan)
    for row in stories.AT_END:
        if row.when(case):
            warn(row.say(case), row.category)
