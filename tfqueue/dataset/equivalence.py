"""Whether enqueue ops do the same, as those of a `batch_join` of one function do."""

from __future__ import annotations

from typing import Any

from tfqueue._tensorflow.types import Op
from tfqueue.graph.model import Pipeline

_IGNORED = frozenset(["_class", "seed", "seed2", "shared_name", "container"])


def form(pipeline: Pipeline, op: Op) -> int:
    """A number that is the same for ops that do the same.

    Names and seeds are left out. Different queues are different, readers with the same attributes
    are the same.
    """
    known: dict[Op, int] = {}

    def of(op: Op) -> int:
        if op not in known:
            known[op] = 0  # where a loop comes back to it
            known[op] = hash(parts(op))
        return known[op]

    def parts(op: Op) -> tuple[Any, ...]:
        if op.name in pipeline.queues:
            return ("queue", op.name)
        attributes = tuple(
            (name, value.SerializeToString(deterministic=True))
            for name, value in sorted(op.node_def.attr.items())
            if name not in _IGNORED
        )
        inputs = tuple((of(t.op), t.value_index) for t in op.inputs)
        waits = tuple(sorted(map(str, (of(c) for c in op.control_inputs))))
        return (op.type, attributes, inputs, waits)

    return of(op)
