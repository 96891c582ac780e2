"""`tf.contrib.seq2seq.sequence_loss`."""

from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()


def sequence_loss(
    logits: Tensor,
    targets: Tensor,
    weights: Tensor,
    average_across_timesteps: bool = True,
    average_across_batch: bool = True,
    sum_over_timesteps: bool = False,
    sum_over_batch: bool = False,
    softmax_loss_function: Callable[..., Any] | None = None,
    name: str | None = None,
) -> Any:
    """The weighted cross entropy of sequences (`tf.contrib.seq2seq.sequence_loss`).

    Args:
        logits: Float tensor `[batch, time, symbols]`.
        targets: Integer tensor `[batch, time]`.
        weights: Float tensor `[batch, time]`.
        average_across_timesteps: Whether to average over time, by the weights.
        average_across_batch: Whether to average over the batch, by the weights.
        sum_over_timesteps: Whether to sum over time, divided by how many count.
        sum_over_batch: Whether to sum over the batch, divided by how many count.
        softmax_loss_function: Function of `labels` and `logits` in place of the
            sparse softmax cross entropy. A program from TensorFlow 1.0 has one that takes the logits and
            the labels by position, and one from 1.1 the labels and the logits (`tfqueue.release`).

    Returns:
        A float tensor: scalar, `[time]`, `[batch]` or `[batch, time]`, by what is
        averaged or summed.

    Raises:
        ValueError: If ranks do not fit, or one dimension is to be averaged and summed.
    """
    for tensor, rank, what in (
        (logits, 3, "Logits"),
        (targets, 2, "Targets"),
        (weights, 2, "Weights"),
    ):
        if len(tensor.get_shape()) != rank:
            raise ValueError(f"{what} must be a tensor of rank {rank}")
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("average_across_timesteps and sum_over_timesteps cannot both be True")
    if average_across_batch and sum_over_batch:
        raise ValueError("average_across_batch and sum_over_batch cannot both be True")
    with _tf.name_scope(name, "sequence_loss", [logits, targets, weights]):
        flat = _cross_entropy(
            _tf.reshape(targets, [-1]),
            _tf.reshape(logits, [-1, _tf.shape(logits)[2]]),
            softmax_loss_function,
        )
        losses = _tf.reshape(flat, _tf.shape(targets)) * weights
        axes = [0] if average_across_batch or sum_over_batch else []
        axes += [1] if average_across_timesteps or sum_over_timesteps else []
        if not axes:
            return losses
        total = _tf.reduce_sum(losses, axes)
        if sum_over_timesteps or sum_over_batch:
            counted = _tf.reduce_sum(_tf.cast(weights > 0, total.dtype), axes)
            return _tf.div_no_nan(total, counted)
        return total / (_tf.reduce_sum(weights, axes) + 1e-12)


def _cross_entropy(labels: Tensor, logits: Tensor, function: Callable[..., Any] | None) -> Any:
    if function is None:
        return _tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    if release.before("1.1"):
        return function(logits, labels)
    if release.before("1.2"):
        return function(labels, logits)
    return function(labels=labels, logits=logits)
