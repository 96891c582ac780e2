"""`tf.contrib.nn`: cross entropies whose first argument is the logits, alpha dropout, the scaled softplus."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Tensor

_ROWS = {
    "conv1d_transpose": "tf:nn.conv1d_transpose",
    "nth_element": "tensorflow.python.ops.nn_ops:nth_element",
}
_ALPHA = -1.7580993408473766

__getattr__, __dir__ = _lazy_names.attributes(__name__, _ROWS)


def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: Tensor, labels: Tensor, dim: int = -1, name: str | None = None
) -> Any:
    """`tf.nn.softmax_cross_entropy_with_logits` of up to 0.12, whose first argument is the logits."""
    tf = _tensorflow.compat_v1()
    return tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits, dim=dim, name=name)


def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: Tensor, labels: Tensor, name: str | None = None
) -> Any:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits` of up to 0.12."""
    tf = _tensorflow.compat_v1()
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)


def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: Tensor, targets: Tensor, name: str | None = None
) -> Any:
    """`tf.nn.sigmoid_cross_entropy_with_logits` of up to 0.12."""
    tf = _tensorflow.compat_v1()
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)


def alpha_dropout(
    x: Tensor, keep_prob: Any, noise_shape: Any = None, seed: int | None = None, name: Any = None
) -> Any:
    """Dropout that keeps mean and deviation, for self-normalizing networks.

    Args:
        keep_prob: The probability that an element is kept, a number or a tensor.
        noise_shape: The shape of what is drawn.
        seed: The seed of what is drawn.

    Raises:
        ValueError: `keep_prob` is a number that is not in (0, 1].
    """
    tf = _tensorflow.compat_v1()
    with tf.name_scope(name, "alpha_dropout", [x]):
        x = tf.convert_to_tensor(x, name="x")
        if isinstance(keep_prob, numbers.Real) and not 0 < float(keep_prob) <= 1.0:
            raise ValueError(f"keep_prob is above 0 and at most 1; got {keep_prob:g}")
        keep_prob = tf.convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep_prob.get_shape().assert_has_rank(0)
        if tf.get_static_value(keep_prob) == 1:
            return x
        shape = tf.shape(x) if noise_shape is None else noise_shape
        drawn = tf.random_uniform(shape, seed=seed, dtype=x.dtype)
        kept = tf.cast(tf.greater_equal(drawn, 1 - keep_prob), x.dtype)
        masked = x * kept + _ALPHA * (1 - kept)
        scale = (keep_prob + keep_prob * (1 - keep_prob) * _ALPHA**2) ** -0.5
        return scale * masked + -scale * _ALPHA * (1 - keep_prob)


def scaled_softplus(x: Tensor, alpha: Any, clip: Any = None, name: str | None = None) -> Any:
    """`alpha * log(1 + exp(x / alpha))`, or `clip` where that is less.

    Its gradient is computed from its value, as TensorFlow 1 did it.

    Args:
        alpha: How smooth it is, above 0.
        clip: An upper bound, or None.
    """
    tf = _tensorflow.compat_v1()

    def reduced(gradient: Tensor, like: Tensor) -> Tensor:
        axes, _ = tf.raw_ops.BroadcastGradientArgs(s0=tf.shape(like), s1=tf.shape(gradient))
        return tf.reshape(tf.reduce_sum(gradient, axes), tf.shape(like))

    @tf.custom_gradient
    def forward(
        x: Tensor, alpha: Tensor, *bound: Tensor
    ) -> tuple[Tensor, Callable[[Tensor], list[Tensor]]]:
        value = alpha * tf.nn.softplus(x / alpha)
        for one in bound:
            value = tf.minimum(value, one)

        def backward(gradient: Tensor) -> list[Tensor]:
            with tf.control_dependencies([gradient]):
                y = tf.identity(value)
            of_bound = []
            for one in bound:
                free = tf.cast(y < one, gradient.dtype)
                of_bound.append(reduced(gradient * (1.0 - free), one))
                gradient *= free
            y /= alpha
            shrunk = tf.exp(-y)
            slope = 1.0 - shrunk
            of_alpha = y * shrunk - slope * tf.log(slope + 1e-8)
            return [reduced(gradient * slope, x), reduced(gradient * of_alpha, alpha), *of_bound]

        return value, backward

    given = [x, alpha] if clip is None else [x, alpha, clip]
    with tf.name_scope(name, "scaled_softplus", given):
        x = tf.convert_to_tensor(x, name="x")
        others = [tf.convert_to_tensor(one, dtype=x.dtype) for one in given[1:]]
        return forward(x, *others)
