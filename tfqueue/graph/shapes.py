"""The op at which a tensor's static shape is lost, for messages that say it must be known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow.types import Op, Tensor

# Ops whose output's shape is a value that comes in: when that is only known at run time, they are
# where the shape is lost, however well known the rest is.
_SHAPED_BY = {
    "Reshape": 1,
    "Fill": 0,
    "RandomUniform": 0,
    "BroadcastTo": 1,
    "Slice": 2,
    "StridedSlice": 2,
}


def unknown(tensors: Any) -> list[str]:
    """What is wrong with the shapes of tensors that are to be batched.

    Args:
        tensors: Tensors, or nested lists or dicts of them.

    Returns:
        A line for each tensor whose shape is not fully known: its name, its
        shape, and the op that lost it with the user's line.
    """
    lines = []
    for tensor in _flat(tensors):
        if _known(tensor):
            continue
        op = losing_op(tensor)
        where = _tensorflow.creation_line(op)
        built = f", built at {where[0]}:{where[1]}: {where[2]}" if where else ""
        shape = tensor.shape.as_list() if tensor.shape.rank is not None else "of unknown rank"
        lines.append(f"'{tensor.name}' is {shape}: {op.type} op '{op.name}'{built}, lost its shape")
    return lines


def losing_op(tensor: Tensor) -> Op:
    """The op behind a tensor that had all shapes given and gave none.

    Args:
        tensor: A tensor whose shape is not fully known.
    """
    tf, op, seen = _tensorflow.compat_v1(), tensor.op, set()
    while op not in seen:
        seen.add(op)
        place = _SHAPED_BY.get(op.type)
        if place is not None and tf.get_static_value(op.inputs[place]) is None:
            return op
        for source in op.inputs:
            if source.dtype != tf.resource and not _known(source):
                op = source.op
                break
        else:
            return op
    return op


def _known(tensor: Tensor) -> bool:
    return tensor.shape.is_fully_defined()


def _flat(value: Any) -> Iterator[Tensor]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    elif hasattr(value, "shape") and hasattr(value, "op"):
        yield value
