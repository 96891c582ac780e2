"""Runners that were started too early, twice, or without what they need."""

from __future__ import annotations

from tfqueue._tensorflow.types import Op
from tfqueue.explain.case import Case
from tfqueue.explain.stories.rows import Row, sure
from tfqueue.graph.op_types import VARIABLES


def _uninitialised(case: Case) -> Op | None:
    """The op of the variable that was read before it had a value, or None."""
    if not isinstance(case.error, case.tf.errors.FailedPreconditionError) or case.op is None:
        return None
    for op in (case.op, *(tensor.op for tensor in case.op.inputs)):
        if op.type in VARIABLES:
            return op
    return None


def _initializer(case: Case) -> str:
    variable = sure(_uninitialised(case))
    scope = [v.op.name for v in case.pipeline.graph.get_collection("local_variables")]
    which = "local" if variable.name in scope else "global"
    pattern = case.pattern_of(variable)
    what = (
        f"the file list of match_filenames_once({pattern!r}), variable '{variable.name}',"
        if pattern is not None
        else f"variable '{variable.name}'"
    )
    by = f"QueueRunner '{case.run.name}'" if case.run is not None else "the step"
    text = f"{by} needs {what} which has no value yet: run tf.{which}_variables_initializer() "
    if case.run is not None:
        return text + "before start_queue_runners()"
    return text + "before it"


def _reopened(case: Case) -> bool:
    """Whether the runner was started once more after it had closed its queue."""
    return (
        case.run is not None
        and isinstance(case.error, case.tf.errors.CancelledError)
        and any(
            run is not case.run and run.closed and run.queue_name == case.run.queue_name
            for run in case.failure.runners
        )
    )


def reopened_text(name: str, stopped: bool = False) -> str:
    """What to say of a queue that is filled again after its end, or after a stop."""
    if stopped:
        return (
            f"{name} was closed by the stop that was asked for earlier in this session, and a "
            "closed queue cannot be reopened: to go on use a new session, or ask for the stop "
            "only when no more steps are to come"
        )
    return (
        f"{name} was closed at the end of its epochs and cannot be reopened; use a new session "
        "for another pass over the data (or a larger num_epochs)"
    )


def _story_of_reopened(case: Case) -> str:
    name = sure(case.run).queue_name
    earlier = [run for run in case.failure.runners if run.queue_name == name]
    return reopened_text(name, not any(run.ended for run in earlier))


def _placeholder(case: Case) -> str:
    shown = f"placeholder '{case.op.name}'"
    if case.run is None:
        return ""
    return (
        f"QueueRunner '{case.run.name}' needs {shown}, which only sess.run(..., feed_dict) of the "
        "main program feeds: what a runner runs in its thread is never fed. Build the producer on "
        "a constant or a variable, or enqueue by hand"
    )


FAILURES = [
    Row(
        (
            "epochs_uninitialised_alone",
            "epochs_uninitialised",
            "pattern_uninitialised",
            "started_before_initializer",
        ),
        lambda case: _uninitialised(case) is not None,
        _initializer,
    ),
    Row(("reopened_queue",), _reopened, _story_of_reopened),
    Row(
        ("placeholder_in_runner",),
        lambda case: case.op_type in ("Placeholder", "PlaceholderV2"),
        _placeholder,
    ),
]
