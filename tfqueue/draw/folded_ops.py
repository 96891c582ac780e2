"""The ops that are run for each example, folded: what a reader of the program would name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue._tensorflow import op_building
from tfqueue._tensorflow.types import Op, Tensor

# Ops that carry, size up or check what others compute.
_SMALL = frozenset(
    "Assert Const ConcatV2 ExpandDims Fill Greater GreaterEqual Identity IdentityN Less LessEqual "
    "LogicalAnd Merge NoOp Pack Placeholder Prod Range Rank ReadVariableOp Shape Size RefSwitch "
    "Slice Squeeze StopGradient StridedSlice Switch Unpack VarHandleOp Variable VariableV2".split()
)
_KEYS = ("dense_keys", "sparse_keys", "context_dense_keys", "feature_list_dense_keys")
_TIMES = "\N{MULTIPLICATION SIGN}"


@dataclasses.dataclass(frozen=True)
class Part:
    """What one call of the program's built."""

    name: str
    """`ParseSingleExample`, `resize_image_with_crop_or_pad`: the op, or the scope of its ops."""
    count: int
    """How many calls of that name follow each other."""
    gives: str
    """What comes out, such as `28 x 28 float32`, or the keys of what was parsed; may be empty."""
    ops: tuple[Op, ...]
    """Its operations."""

    def __str__(self) -> str:
        return self.name if self.count == 1 else f"{self.name} {_TIMES}{self.count}"


def parts_of(ops: Iterable[Op]) -> list[Part]:
    """The `Part`s of some ops.

    Args:
        ops: Operations, in the order they were built.

    Returns:
        A list of `Part`s in that order. Ops that only carry what others compute
        are left out.
    """
    ops = [op for op in ops if op.type != "Placeholder" or op_building.consumers(op.outputs[0])]
    paths = [op.name.split("/") for op in ops]
    # The names are those below the scope that all of them share, `input/` or so; the scope of a
    # single call is its name.
    told = [path for op, path in zip(ops, paths, strict=True) if op.type not in _SMALL]
    deepest = min(map(len, told), default=1)
    level = next((n for n in range(deepest) if len({path[n] for path in told}) > 1), 0)
    groups: dict[str, list[Op]] = {}
    for op, path in zip(ops, paths, strict=True):
        groups.setdefault(path[min(level, len(path) - 1)], []).append(op)
    parts: list[Part] = []
    for name, held in groups.items():
        if all(op.type in _SMALL for op in held):
            continue
        name = re.sub(r"_\d+$", "", name)
        last = parts[-1] if parts else None
        if last is not None and last.name == name:
            both = (*last.ops, *held)
            parts[-1] = Part(name, last.count + 1, _gives(held), both)
        else:
            parts.append(Part(name, 1, _gives(held), tuple(held)))
    return parts


def _gives(ops: Sequence[Op]) -> str:
    keys = [key for op in ops if op.type.startswith("Parse") for key in _keys(op)]
    if keys:
        return ", ".join(keys)
    outputs = [tensor for op in ops for tensor in op.outputs]
    used = [t for t in outputs if any(after not in ops for after in op_building.consumers(t))]
    used = used or [t for t in outputs if t.op.type not in _SMALL]
    return of_tensor(used[-1]) if used else ""


def _keys(op: Op) -> list[str]:
    found = []
    static = _tensorflow.compat_v1().get_static_value
    for name in _KEYS:
        # Some versions of the op have its keys as attributes, the others as constant inputs.
        value = op.node_def.attr[name].list.s if name in op.node_def.attr else None
        if value is None:
            inputs = [t for t in op.inputs if t.op.name.endswith(f"/{name}")]
            value = static(inputs[0]) if inputs else None
        if value is not None:
            found += [key.decode(errors="replace") for key in value]
    return found


def of_tensor(tensor: Tensor) -> str:
    """A tensor in words: `128 x 28 x 28 float32`."""
    return of_shape(tensor.shape.dims, tensor.dtype)


def of_shape(dims: Sequence[Any] | None, dtype: Any) -> str:
    """A shape and a dtype in words.

    Args:
        dims: List of sizes, None where one is not known; or None.
        dtype: A `tf.DType`.
    """
    if dims is None:
        sizes = ["any shape"]
    else:
        values = [getattr(size, "value", size) for size in dims]
        sizes = ["?" if size is None or size < 0 else str(size) for size in values]
    return " ".join(filter(None, [f" {_TIMES} ".join(sizes), dtype.base_dtype.name]))
