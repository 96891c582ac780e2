"""Random ops with the ops that TensorFlow 1 built for them: a uniform distribution with its bounds, and dropout.

Seeds are taken from how many ops a graph has (`seeds`), and programs name what dropout gives (`dropout/mul:0`). What
is dropped is multiplied by 0, as then: NaN stays NaN, where TensorFlow 2 makes it 0.
"""

from __future__ import annotations

import functools
import numbers
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from tensorflow.python import tf2
from tensorflow.python.framework import dtypes, ops, tensor_util
from tensorflow.python.ops import math_ops, nn_ops, random_ops

from tfqueue import release
from tfqueue.v1._types import Tensor


def ours(original: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a function the name and the text of TensorFlow's; its module stays ours, and the examples are no tests."""

    def named(function: Callable[..., Any]) -> Callable[..., Any]:
        functools.wraps(original, assigned=("__name__", "__qualname__"))(function)
        text = original.__doc__ or ""
        function.__doc__ = re.sub(r"(?m)^( *)(>>>|\.\.\.) ", r"\1", text)
        return function

    return named


class _Kept(NamedTuple):
    """In the place of a rate: which share is kept."""

    share: Tensor


def with_bounds(original: Callable[..., Any]) -> Callable[..., Any]:
    """`tf.random_uniform`: TensorFlow 2 leaves out the bounds where they are 0 and 1."""

    @ours(original)
    def random_uniform(
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = dtypes.float32,
        seed: Any = None,
        name: str | None = None,
    ) -> Any:
        if not tf2.enabled() and dtypes.as_dtype(dtype).is_floating:
            minval = float(minval) if isinstance(minval, int) else minval
            maxval = 1.0 if maxval is None else maxval
        return original(shape, minval, maxval, dtype, seed, name)

    return random_uniform


def with_what_is_kept(original: Callable[..., Any]) -> Callable[..., Any]:
    """`tf.nn.dropout`: a tensor of which share is kept goes into no difference, up to 1.12."""

    @ours(original)
    def dropout(
        x: Any,
        keep_prob: Any = None,
        noise_shape: Any = None,
        seed: Any = None,
        name: str | None = None,
        rate: Any = None,
    ) -> Any:
        as_given = tensor_util.is_tf_type(keep_prob) and rate is None and release.before("1.13")
        if tf2.enabled() or not as_given:
            return original(x, keep_prob, noise_shape, seed, name, rate)
        uniform = functools.partial(random_ops.random_uniform, seed=seed)
        return nn_ops._dropout(x, _Kept(keep_prob), noise_shape, uniform, None, name, "dropout")

    return dropout


def by_a_product(original: Callable[..., Any]) -> Callable[..., Any]:
    """What every kind of dropout calls."""

    @ours(original)
    def _dropout(
        x: Any,
        rate: Any,
        noise_shape: Any,
        uniform_sampler: Callable[..., Any],
        dummy_rng_step: Any,
        name: str | None,
        default_name: str,
    ) -> Any:
        others = noise_shape, uniform_sampler, dummy_rng_step, name, default_name
        if tf2.enabled() or (isinstance(rate, numbers.Real) and not 0 <= float(rate) < 1):
            return original(x, rate, *others)  # which raises
        if isinstance(rate, numbers.Real) and not (rate or release.before("1.9")):
            return original(x, rate, *others)
        with ops.name_scope(name, default_name, [x]):
            x = ops.convert_to_tensor(x, name="x")
            if not x.dtype.is_floating:
                return original(x, rate, *others)  # which raises
            if isinstance(rate, _Kept):
                given, label = rate.share, "keep_prob"
            elif release.before("1.13"):
                given, label = 1 - rate, "keep_prob"
            else:
                given, label = rate, "rate"
            given = ops.convert_to_tensor(given, dtype=x.dtype, name=label)
            given.shape.assert_has_rank(0)
            if tensor_util.constant_value(given) == (0 if label == "rate" else 1):
                return x
            shape = nn_ops._get_noise_shape(x, noise_shape)
            draw = functools.partial(uniform_sampler, shape=shape, dtype=x.dtype)
            if release.before("1.13"):
                mask = math_ops.floor(given + draw())
                result = math_ops.div(x, given) * mask
            elif release.before("1.14"):
                kept = 1 - given
                mask = math_ops.floor(kept + draw())
                result = x / kept * mask
            else:
                drawn = draw()
                scale = 1 / (1 - given)
                mask = drawn >= given
                result = x * scale * math_ops.cast(mask, x.dtype)
            result.set_shape(x.shape)
            return result

    return _dropout


random_uniform = with_bounds(random_ops.random_uniform)
dropout = with_what_is_kept(nn_ops.dropout)
_dropout = by_a_product(nn_ops._dropout)
FUNCTIONS = {
    **dict.fromkeys(("random_uniform", "random.uniform"), random_uniform),
    "nn.dropout": dropout,
}
"""By their names below `tf`."""


def install() -> None:
    """Puts them where TensorFlow's own functions look for them."""
    random_ops.random_uniform = random_uniform
    nn_ops.dropout, nn_ops._dropout = dropout, _dropout
