"""`tf.contrib.distributions.percentile`: an element of a sorted sample."""

from __future__ import annotations

import math
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
_STEPS = {"lower": _tf.ceil, "higher": _tf.floor, "nearest": _tf.round}
"""How the place in the sample, counted from its largest element, becomes a whole number."""


def _axes(axis: Any, x: Tensor) -> list[int]:
    """The axes of a sample, counted from the first; they must be known, as must the number of axes of `x`."""
    axis = _tf.convert_to_tensor(axis, name="axis")
    if not axis.dtype.is_integer:
        raise TypeError(f"axis is a whole number or a list of them, not {axis}")
    known = _tf.get_static_value(axis)
    if known is None or known.ndim > 1:
        raise ValueError(f"axis is a number or a list of them that the graph knows, not {axis}")
    if not x.shape.ndims:
        raise ValueError(f"x has axes whose number the graph knows; this one does not: {x}")
    for each in known.ravel():
        if not -x.shape.ndims <= each < x.shape.ndims:
            raise ValueError(f"x has {x.shape.ndims} axes; there is none with the number {each}")
    return [int(each) % x.shape.ndims for each in known.ravel()]


def percentile(
    x: Any,
    q: Any,
    axis: Any = None,
    interpolation: str | None = None,
    keep_dims: bool = False,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The element that `q` of a hundred elements of a sample do not exceed.

    The place is computed in float32 up to 1.7, which may be the place beside it.

    Args:
        x: The numbers.
        q: A number from 0 to 100.
        axis: The axes that make up a sample; all of them when None.
        interpolation: Which one to take of two elements that `q` lies between: "lower", "higher" or "nearest".
        keep_dims: Whether the axes of the sample stay, with one element.
        validate_args: Whether a step fails for another `q`.
        name: The name of the op.
    """
    interpolation = interpolation or "nearest"
    if interpolation not in _STEPS:
        raise ValueError(f"interpolation is one of {', '.join(_STEPS)}, not {interpolation!r}")
    old = release.before("1.8")
    precision = _tf.float32 if old else _tf.float64
    with _tf.name_scope(name or "percentile", values=[x, q]):
        x = _tf.convert_to_tensor(x, name="x")
        q = _tf.cast(q, precision, name="q")
        if q.shape.ndims:
            raise ValueError(f"q is one number, not {q}")
        if validate_args:
            limits = [_tf.assert_rank(q, 0), _tf.assert_non_negative(q)]
            limits.append(_tf.assert_less_equal(q, _tf.constant(100, precision)))
            with _tf.control_dependencies(limits):
                q = _tf.identity(q)
        axes = None if axis is None else _axes(axis, x)
        if axes is None:
            samples = _tf.reshape(x, [-1])
        else:
            others = [each for each in range(x.shape.ndims) if each not in axes]
            moved = _tf.transpose(x, others + axes)
            if x.shape.is_fully_defined():
                size = math.prod(int(x.shape[each]) for each in axes)
                samples = _tf.reshape(moved, [*(int(x.shape[each]) for each in others), size])
            else:
                shape = _tf.concat([_tf.shape(moved)[: len(others)], [-1]], 0)
                samples = _tf.reshape(moved, shape)
        # The number of elements is an op for each use: the result has the name that it had.
        place = _tf.cast(_tf.shape(samples)[-1], precision) - 1
        place = _tf.cast(_STEPS[interpolation](place * (1.0 - q / 100.0)), _tf.int32)
        if not old:
            place = _tf.clip_by_value(place, 0, _tf.shape(samples)[-1] - 1)
        falling, _ = _tf.nn.top_k(samples, _tf.shape(samples)[-1])
        found = falling[..., place]
        found.set_shape(samples.shape[:-1])
        if keep_dims and axes is None:
            ndims = _tf.rank(x) if x.shape.ndims is None else x.shape.ndims
            found = found * _tf.ones(_tf.ones([ndims], _tf.int32), x.dtype)
        elif keep_dims:
            for each in sorted(axes or []):
                found = _tf.expand_dims(found, each)
        return found
