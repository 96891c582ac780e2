"""How many ops gradients were in 1.4 to 1.15: the seeds of the random ops behind them count these.

`tfqueue.v1._op_counts` says what for. Gradients of complex numbers and of loops are not among them.
"""

from __future__ import annotations

import contextvars
import functools
import inspect
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
from tensorflow.python import tf2
from tensorflow.python.eager import context
from tensorflow.python.framework import ops, tensor_util
from tensorflow.python.ops import gradients_util

from tfqueue import release
from tfqueue._tensorflow import seeds
from tfqueue.v1 import _op_counts

_Count = Callable[[Any], int]
_More = Callable[[Any, Any], int]
"""Of an op and what today's gradient of it is."""
_once: weakref.WeakKeyDictionary[Any, set[Any]] = weakref.WeakKeyDictionary()
"""By graph, of what 1.15 had made constants that later gradients took, too."""

_gated = contextvars.ContextVar("_gated", default=False)
"""Whether each gradient with several inputs waits for all of them, as an optimizer has it."""
_GATE = 3
"""How many ops such a wait is for two inputs."""


def _is_first(key: Any) -> bool:
    known = _once.setdefault(ops.get_default_graph(), set())
    first = key not in known
    known.add(key)
    return first


def _shapes(op: Any) -> tuple[Any, ...]:
    return tuple(each.shape for each in op.inputs)


def _of_two(own: int, equal_since: str | None, smart: bool) -> _Count:
    """Of an op that broadcasts: each side was summed over the axes of the other one.

    Args:
        own: How many ops there are beside.
        equal_since: Since when that was left out where the shapes are known and the same.
        smart: Whether 1.15 left it out for a side that has the shape of the result.
    """

    def count(op: Any) -> int:
        x, y = _shapes(op)
        if not (x.is_fully_defined() and y.is_fully_defined()):
            return 7 + own
        same = x.as_list() == y.as_list()
        if same and equal_since and not release.before(equal_since):
            return own
        if release.before("1.15") or not smart:
            return 7 + own
        both = np.broadcast_shapes(tuple(x.as_list()), tuple(y.as_list()))
        summed = sum(tuple(each.as_list()) != both for each in (x, y))
        constants = 3 * _is_first(("broadcast", tuple(x.as_list()), tuple(y.as_list())))
        return own + constants + (2 + 2 * summed if summed else 0)

    return count


def _power(op: Any) -> int:
    return _of_two(12 if release.before("1.13") else 16, None, True)(op)


def _sum(op: Any) -> int:
    shape, axes = op.inputs[0].shape, tensor_util.constant_value(op.inputs[1])
    if shape.rank is None or axes is None:
        return 16
    if np.array_equal(axes, np.arange(shape.rank)):  # a number alone is none of these
        return 4
    if release.before("1.15") or not shape.is_fully_defined():
        return 16
    return 21 if _is_first(("sum", tuple(shape.as_list()), tuple(np.reshape(axes, -1)))) else 4


def _mean(op: Any) -> int:
    known = op.inputs[0].shape.is_fully_defined() and op.outputs[0].shape.is_fully_defined()
    return _sum(op) + (2 if known and not release.before("1.5") else 11)


def _divided(op: Any) -> int:
    """The mean of a loss was a division and a choice up to 1.12."""
    count = _of_two(5, None, False)(op)
    if op not in _op_counts.means or not release.before("1.13"):
        return count
    more, waits = (21, 3) if release.before("1.9") else (3, 1)
    if release.before("1.8") and not release.before("1.6"):
        more += 4
    return count + more + waits * _GATE * _gated.get()


def _leaky(op: Any, found: Any) -> int:
    """It was a product and a maximum up to 1.12."""
    return 22 + 2 * _GATE * _gated.get() if release.before("1.13") else 0


_STANDING: dict[str, _Count] = {
    **dict.fromkeys(("Add", "AddV2"), _of_two(0, "1.5", True)),
    "Sub": _of_two(1, "1.6", True),
    "Mul": _of_two(2, "1.5", True),
    "DivNoNan": _divided,
    "RealDiv": _of_two(5, None, False),
    **dict.fromkeys(("Maximum", "Minimum"), _of_two(6, None, False)),
    "SquaredDifference": _of_two(5, "1.15", True),
    "Pow": _power,
    "Sum": _sum,
    "Mean": _mean,
    **dict.fromkeys(("Max", "Min"), lambda op: 19),
    "Prod": lambda op: 47 if release.before("1.8") else 49,
    "StridedSlice": lambda op: 2,
}
"""By the type of an op, how many ops its gradient was."""


def _of_rows(op: Any, found: Any) -> int:
    """The number of ids was made an int32, as it is up to TensorFlow 2.16 and some releases behind it."""
    axis = tensor_util.constant_value(op.inputs[2])
    first = axis is not None and axis == 0
    return int(first and found[0].dense_shape.op.type != "Cast")


def _convolved(op: Any, found: Any) -> int:
    return 1 if release.before("1.9") and not release.before("1.5") else 0


_MORE: dict[str, _More] = {
    "BatchMatMulV2": lambda op, found: -15 if release.before("1.14") else 0,
    "Conv2D": _convolved,
    "FusedBatchNormV3": lambda op, found: -1 if release.before("1.15") else 0,
    "GatherV2": _of_rows,
    "LeakyRelu": _leaky,
    "Softmax": lambda op, found: 2 if release.before("1.11") else 0,
    "SoftmaxCrossEntropyWithLogits": lambda op, found: -5 if release.before("1.5") else 0,
    "Softplus": lambda op, found: -1 if release.before("1.14") else 0,
    "SparseSoftmaxCrossEntropyWithLogits": lambda op, found: 1,
    "UnsortedSegmentSum": lambda op, found: (
        -20 if release.before("1.7") else -11 if release.before("1.8") else -10
    ),
}
"""The same, how many ops more than today."""


def _counting(today: Callable[..., Any], stands: _Count | None, more: _More | None) -> Any:
    @functools.wraps(today)
    def gradient(op: Any, *grads: Any) -> Any:
        if tf2.enabled() or context.executing_eagerly() or not isinstance(op, ops.Operation):
            return today(op, *grads)  # a tape gives what stands for an op, inputs left out
        if any(each.dtype.is_complex for each in op.inputs):
            return today(op, *grads)
        if stands is not None:
            with seeds.standing_for(stands(op)):
                return today(op, *grads)
        found = today(op, *grads)
        seeds.more(more(op, found) if more is not None else 0)
        return found

    return gradient


def _telling_of_gates(today: Callable[..., Any]) -> Any:
    signature = inspect.signature(today)

    @functools.wraps(today)
    def gradients(*args: Any, **words: Any) -> Any:
        gate = signature.bind(*args, **words).arguments.get("gate_gradients", False)
        token = _gated.set(bool(gate))
        try:
            return today(*args, **words)
        finally:
            _gated.reset(token)

    return gradients


def install() -> None:
    """Has gradients count. Where TensorFlow has no gradient of an op, nothing is done."""
    for name in (*_STANDING, *_MORE):
        row = ops.gradient_registry._registry.get(name)
        if row and row["type"]:
            row["type"] = _counting(row["type"], _STANDING.get(name), _MORE.get(name))
    gradients_util._GradientsHelper = _telling_of_gates(gradients_util._GradientsHelper)
