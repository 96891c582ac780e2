"""Gradients of ops that were others in early releases, where the program is known to be from then.

A gradient that was none stopped what is learned there; one that was of rows, and is dense in the program's day, has
optimizers with a momentum move the other rows, too; and gradients of gradients had mistakes that a program's numbers
show. Distributions of gamma's kind say whether what they draw has a gradient. `tests/_tensorflow/test_gradients.py` has
what the releases gave. `install` is called once a process.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tensorflow.python.framework import indexed_slices, ops
from tensorflow.python.ops import array_ops, gen_nn_ops, math_ops
from tensorflow.python.ops.distributions import (
    beta,
    dirichlet,
    distribution,
    exponential,
    gamma,
    student_t,
)

from tfqueue import release

_Gradient = Callable[..., Any]


def _none(op: Any, *grads: Any, of: Callable[..., Any]) -> Any:
    return [None] * len(op.inputs)


def _of_x_alone(op: Any, *grads: Any, of: _Gradient) -> Any:
    return None, of(op, *grads)[1]


def _of_all_rows(op: Any, *grads: Any, of: _Gradient) -> Any:
    first, *rest = of(op, *grads)
    if isinstance(first, indexed_slices.IndexedSlices):
        first = math_ops.unsorted_segment_sum(first.values, first.indices, first.dense_shape[0])
    return [first, *rest]


def _of_the_loss_alone(op: Any, *grads: Any, of: _Gradient) -> Any:
    return of(op, grads[0], None)


def _elu_twice(op: Any, *grads: Any, of: _Gradient) -> Any:
    (grad,), (_, x) = grads, op.inputs
    _, second = of(op, grad)
    if release.before("1.3"):
        below = gen_nn_ops.elu_grad(grad, op.outputs[0] + 1)
        second = array_ops.where(x < 0.0, below, array_ops.zeros_like(x))
    return gen_nn_ops.elu_grad(grad, op.outputs[0]), second


_SCALED = 1.7580993408473768599402175208123
"""The product of the two constants of `selu`."""


def _selu_twice(op: Any, *grads: Any, of: _Gradient) -> Any:
    (grad,), (_, x) = grads, op.inputs
    below = gen_nn_ops.elu_grad(grad, op.outputs[0] + _SCALED)
    second = array_ops.where(x < 0.0, below, array_ops.zeros_like(x))
    return gen_nn_ops.elu_grad(grad, op.outputs[0]), second


OLDER: dict[str, tuple[str, _Gradient]] = {
    "EluGrad": ("1.14", _elu_twice),
    "GatherNd": ("1.5", _of_all_rows),
    "Igamma": ("1.10", _of_x_alone),
    "Igammac": ("1.10", _of_x_alone),
    "RGBToHSV": ("1.15", _none),
    "RandomGamma": ("1.10", _none),
    "ResourceGatherNd": ("1.5", _of_all_rows),
    "SeluGrad": ("1.14", _selu_twice),
    "SoftmaxCrossEntropyWithLogits": ("1.0", _of_the_loss_alone),
    "SparseSoftmaxCrossEntropyWithLogits": ("1.0", _of_the_loss_alone),
    "SparseToDense": ("1.14", _none),
}
"""Type of op -> the release that brought today's gradient, and what gives the one before.

It is called with the op and the gradients of its results, and with today's function as `of`."""


def _up_to(later: str, older: _Gradient, today: _Gradient) -> _Gradient:
    @functools.wraps(today)
    def gradient(op: Any, *grads: Any) -> Any:
        return older(op, *grads, of=today) if release.before(later) else today(op, *grads)

    return gradient


_DRAWN_OF_GAMMA = (beta.Beta, dirichlet.Dirichlet, gamma.Gamma, student_t.StudentT)


def _kind(today: property) -> property:
    """`reparameterization_type`, which up to 1.9 was another one where a gamma distribution is drawn from."""

    def reparameterization_type(self: Any) -> Any:
        drawn = isinstance(self, _DRAWN_OF_GAMMA) and not isinstance(self, exponential.Exponential)
        if drawn and release.before("1.10"):
            return distribution.NOT_REPARAMETERIZED
        return today.fget(self) if today.fget else None

    return property(reparameterization_type, doc=today.__doc__)


def install() -> None:
    """Puts them in place. Where TensorFlow has no gradient of an op, nothing is done."""
    for name, (later, older) in OLDER.items():
        row = ops.gradient_registry._registry.get(name)
        if row and row["type"]:
            row["type"] = _up_to(later, older, row["type"])
    distributions = distribution.Distribution
    distributions.reparameterization_type = _kind(distributions.reparameterization_type)
