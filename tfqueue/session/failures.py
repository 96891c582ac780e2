"""How a runner's failure becomes an error of the thread that waits for its elements.

A runner that fails closes its queue with the failure as the cause (`Queues.causes`). What was
put in before is still delivered. Then TensorFlow ends the step with "closed and has insufficient
elements", and `raise_true` raises the cause in its place. Why the queue was closed, `closed_queues` finds out.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NoReturn

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Error
from tfqueue.explain import diagnosis
from tfqueue.graph.op_types import READS, READS_OF_FILES, WRITES_OF_FILES
from tfqueue.session import closed_queues, registry

if TYPE_CHECKING:
    from tfqueue.session.owner import Owner
    from tfqueue.session.step import Plan

_tf = _tensorflow.compat_v1()

_FOLLOW_SECONDS = 1.0
"""How soon a step must follow the last one for a loop to count as still taking elements."""

_NO_MORE = "is closed and has insufficient elements"
"""What TensorFlow says where a queue has come to its end."""


def not_the_end(error: Error) -> Error:
    """`error`, whatever it is, as a `DataLossError` if it says that a file is too short.

    Or as a `ResourceExhaustedError`, as on a full disk, if it says that one is too large to be written.

    A read op raises `OutOfRangeError` where there is no other file, and also where a file ends
    inside its header: then the files behind it were not read. One that restores a checkpoint, or
    reads a whole file, has no end at all.
    """
    if not isinstance(error, _tf.errors.OutOfRangeError) or _NO_MORE in error.message:
        return error
    if error.op is None:
        return error
    if error.op.type in WRITES_OF_FILES:
        full = _tf.errors.ResourceExhaustedError(error.node_def, error.op, error.message)
        return full.with_traceback(error.__traceback__)
    if error.op.type not in READS | READS_OF_FILES:
        return error
    found = _tf.errors.DataLossError(error.node_def, error.op, error.message)
    return found.with_traceback(error.__traceback__)


def _not_the_sessions_end(owner: Owner, error: Error, plan: Plan) -> Error:
    """`error`, whatever it is, as a `CancelledError` if only the session's end closed what it waited for.

    TensorFlow's `Session.close` cancels such a step. Ours closes the queues first, and the step meets
    a closed queue in front of elements that were still to come.
    """
    if not owner.stopping or not isinstance(error, _tf.errors.OutOfRangeError):
        return error
    if _NO_MORE not in error.message:
        return error
    takes = plan.demand.takes
    met = [take for take in takes if error.op is not None and take.op.name == error.op.name]
    names = {take.queue.name for take in met or takes}
    if names and names <= owner.queues.closed_before:
        return error
    text = "the step was cancelled: the session was closed while it waited for elements"
    found = _tf.errors.CancelledError(error.node_def, error.op, text)
    found.__suppress_context__ = True
    return found.with_traceback(error.__traceback__)


def raise_true(
    owner: Owner, error: Any, plan: Plan, cause: BaseException | None = None
) -> NoReturn:
    """Raises what is behind the `tf.errors.OpError` that TensorFlow ended a step with.

    That is the failure that closed a queue upstream, or else `cause`, for which we ended the step, or
    else `error` itself, explained.
    """
    owner.link.note_lost(error)
    error = not_the_end(error)
    if owner.remote and isinstance(error, _tf.errors.OutOfRangeError):
        closed_queues.await_runners(owner, plan)
    error = _not_the_sessions_end(owner, error, plan)
    cause = (
        closed_queues.failure_upstream(owner, plan)
        or closed_queues.failure_of_no_queue(owner, plan)
        or cause
    )
    if cause is None and isinstance(error, _tf.errors.OutOfRangeError):
        cause = closed_queues.behind_the_stop(owner, plan)
    closed_by_program = isinstance(error, _tf.errors.OutOfRangeError) and _is_of_the_programs_close(
        owner, cause
    )
    if closed_by_program and cause is not None:
        mark_reported(cause)
        cause = None
    if isinstance(error, (_tf.errors.OutOfRangeError, _tf.errors.CancelledError)):
        if cause is not None:
            raise to_raise(mark_reported(cause))
        if isinstance(error, _tf.errors.CancelledError) and closed_queues.cancelled_by_us(
            owner, plan
        ):
            registry.mark_clean(error)
        elif isinstance(error, _tf.errors.OutOfRangeError):
            owner.note_end(plan)
            if not closed_by_program:
                diagnosis.note_end(error, stopped=closed_queues.was_stopped(owner, plan))
        raise error
    told = diagnosis.explain(owner.failure(error=error, plan=plan))
    raise told from told.__cause__


def raise_left_to_others(owner: Owner, plan: Plan) -> None:
    """Raises what a runner here failed with whose queue other processes fill on.

    Otherwise a step that takes from that queue would go on, and meet the failure at the end of their
    data.
    """
    taken = {take.queue.name for take in plan.demand.takes}
    for run in list(owner.runs):
        if run.left_to_others and run.failure is not None and run.queue_name in taken:
            raise to_raise(mark_reported(run.failure))


def _is_of_the_programs_close(owner: Owner, cause: BaseException | None) -> bool:
    """Whether `cause` is only that a runner's enqueue was cancelled: a step of the program closed its queue.

    For the step that takes from it that is the end of the data, as it is in TensorFlow 1.
    """
    if not isinstance(cause, _tf.errors.CancelledError):
        return False
    closed = {queue.name for plan in owner.plans for queue in plan.demand.closes}
    return any(
        run.failure is not None
        and original(run.failure) is original(cause)
        and run.queue_name in closed
        for run in list(owner.runs)
    )


def mark_reported(error: Error) -> Error:
    """`error`, to be raised: the program has been told of it."""
    vars(original(error))["tfqueue_reported"] = True
    return error


def was_reported(error: BaseException | None) -> bool:
    """Whether the program has been told of `error`."""
    return getattr(original(error), "tfqueue_reported", False)


def to_raise(error: Error) -> Error:
    """A copy of `error`, with its traceback, for a program that gets it; `error` itself is kept.

    What is raised gains the frames of the program, and these hold the session: it would keep itself.
    """
    # Where it does not let itself be copied: each raise adds to it, and steps are repeated.
    first = vars(error).setdefault("tfqueue_first_frames", error.__traceback__)
    made = _tensorflow.without_frames(error)
    if made is not error:
        vars(made)["tfqueue_copy_of"] = original(error)
        made.__cause__ = error.__cause__
    return made.with_traceback(first)


def original(error: BaseException | None) -> Any:
    """The error that `error` is a copy of, or itself."""
    return getattr(error, "tfqueue_copy_of", error)


def still_delivers(owner: Owner, but: Plan | None = None) -> bool:
    """Whether what was read in front of a failure is still being taken by the program.

    That is so from the failure on, for as long as steps behind the failed
    queue follow each other within a second, until one of them meets it. The `Plan` `but` does not
    count.
    """
    now = time.monotonic()
    for run in list(owner.runs):
        if run.failure is None or was_reported(run.failure):
            continue
        if now - run.failed_at < _FOLLOW_SECONDS:
            return True
        waiting = [step.plan for step in list(owner.steps.under_way)]
        recent = [plan for plan in owner.plans if now - plan.last < _FOLLOW_SECONDS]
        for plan in waiting + recent:
            if plan is not but and any(queue.name == run.queue_name for queue in plan.upstream):
                return True
    return False
