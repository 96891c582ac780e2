"""What a producer puts into its queue: names of files, numbers, arrays; how often, in which order."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Array, Op, Tensor
from tfqueue.graph.model import Pipeline
from tfqueue.graph.op_types import COUNTERS, VARIABLES, Queue

_ASSIGNS = ("Assign", "AssignVariableOp")
_PASSES = ("RandomShuffle", "Identity", "StopGradient", "Reshape")


@dataclasses.dataclass(frozen=True)
class Production:
    """What one run of a producer's enqueue op puts, as far as the graph tells."""

    names: list[str] | None
    """The names of the files, as str, where they are constants."""
    pattern: str | None
    """The pattern of a `match_filenames_once`."""
    numbers: int | None
    """How many numbers from 0 on (`range_input_producer`)."""
    epochs: int | None
    shuffled: bool


def production(pipeline: Pipeline, op: Op) -> Production:
    """What an enqueue op puts that takes from no queue itself.

    Args:
        op: A `QueueEnqueueMany` op.

    Returns:
        A `Production`.
    """
    tensor, shuffled = _before_shuffle(op.inputs[1])
    value = _tensorflow.compat_v1().get_static_value(tensor)
    strings = value is not None and value.dtype.kind in "OS"
    counters = [each for each in pipeline.demand([op]).ops if each.type in COUNTERS]
    return Production(
        names=_decoded(value) if strings else None,
        pattern=pattern_of(pipeline, _variable_behind(tensor)),
        numbers=int(value.size) if value is not None and tensor.op.type == "Range" else None,
        epochs=counters[0].get_attr("limit") if counters else None,
        shuffled=shuffled,
    )


def names_of(queue: Queue, read_variable: Callable[[Tensor], Array | None]) -> list[str] | None:
    """The names that a producer puts into `queue` in one epoch, as str, or None.

    Args:
        read_variable: Called with a variable's tensor; gives its value or None.
    """
    for op in queue.enqueues:
        if op.type.startswith("QueueEnqueueMany"):
            tensor, _ = _before_shuffle(op.inputs[1])
            value = _tensorflow.compat_v1().get_static_value(tensor)
            if value is None and _variable_behind(tensor) is not None:
                value = read_variable(tensor)
            if value is not None and value.dtype.kind in "OS":
                return _decoded(value)
    return None


def pattern_of(pipeline: Pipeline, variable: Op | None) -> str | None:
    """The pattern of the `match_filenames_once` whose variable this is, as str, or None.

    Args:
        variable: The op that makes the variable, or None.
    """
    for assign in op_building.consumers(variable.outputs[0]) if variable is not None else ():
        if assign.type in _ASSIGNS and assign.inputs[0].op is variable:
            for op in pipeline.demand([assign.inputs[1].op]).ops:
                if op.type == "MatchingFiles":
                    value = _tensorflow.compat_v1().get_static_value(op.inputs[0])
                    if value is not None:
                        return ", ".join(_decoded(value))
    return None


def _before_shuffle(tensor: Tensor) -> tuple[Tensor, bool]:
    """What is behind a producer's tensor, up to a constant or a variable; whether it is shuffled."""
    shuffled = False
    while tensor.op.type in _PASSES and _tensorflow.compat_v1().get_static_value(tensor) is None:
        shuffled |= tensor.op.type == "RandomShuffle"
        tensor = tensor.op.inputs[0]
    return tensor, shuffled


def _variable_behind(tensor: Tensor) -> Op | None:
    if tensor.op.type == "ReadVariableOp":
        return tensor.op.inputs[0].op
    return tensor.op if tensor.op.type in VARIABLES else None


def _decoded(value: Any) -> list[str]:
    return [item.decode(errors="replace") for item in value.ravel()]
