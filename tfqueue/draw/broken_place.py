"""Where in the picture a failure or a stall belongs: what the diagnosis found out about the error."""

from __future__ import annotations

import dataclasses

from tfqueue import errors
from tfqueue._tensorflow.types import Op
from tfqueue.explain import diagnosis
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import Queue


@dataclasses.dataclass(frozen=True)
class Place:
    """The broken place, all of it empty where nothing is broken."""

    kind: str = ""
    """`failed`, or `waits` for a step that can never go on."""
    message: str = ""
    op: Op | None = None
    """The operation that raised the error."""
    queues: tuple[Queue, ...] = ()
    """The model's `Queue`s that are waited for, or that were being filled."""
    filled: tuple[Queue, ...] = ()
    """The `Queue`s that were being filled: the place, where the op is on no card."""
    runner_missing: bool = False
    """Whether they are waited for because their runners were not started."""


def place(pipeline: Pipeline, error: BaseException | None) -> Place:
    """The `Place` of an exception, or of None.

    Args:
        pipeline: The `Pipeline` of the graph it happened in.
        error: An exception, or None.
    """
    if error is None:
        return Place()
    waits = isinstance(error, errors.StarvationError)
    op = getattr(error, "op", None)
    if op is not None and op.graph is not pipeline.graph:
        op = None
    names = getattr(error, "tfqueue_queues", ())
    queues = tuple(pipeline.queues[name] for name in names if name in pipeline.queues)
    # A failure is shown at the op that raised it; at the queue only where that is not known.
    inside = op is not None and not any(each.op is op for each in pipeline.queues.values())
    return Place(
        kind="waits" if waits else "failed",
        message=f"{type(error).__name__}: {diagnosis.first_line(error)}",
        op=op,
        queues=queues if waits or not inside else (),
        filled=queues,
        runner_missing=isinstance(error, errors.StarvationError) and error.runner_missing,
    )
