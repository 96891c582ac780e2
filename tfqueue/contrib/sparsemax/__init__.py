"""`tf.contrib.sparsemax`: shares that may be zero, in place of a softmax, and their loss."""

from tfqueue import _tensorflow
from tfqueue.v1 import _lazy_names
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["sparsemax", "sparsemax_loss"]


def sparsemax(logits: Tensor, name: Name = None) -> Tensor:
    """The nearest shares to logits, many of them zero (`tf.contrib.sparsemax.sparsemax`).

    Args:
        logits: Float tensor `[batch, classes]`.

    Returns:
        A tensor of the shape and dtype of `logits`, whose rows sum to one. A row with NaN, with plus infinity,
        or all of minus infinity is NaN.
    """
    with _tf.name_scope(name, "sparsemax", [logits]):
        logits = _tf.convert_to_tensor(logits, name="logits")
        count = _tf.shape(logits)[1]
        ordered, _ = _tf.nn.top_k(logits, k=count)
        sums = _tf.cumsum(ordered, axis=1)
        places = _tf.range(1, _tf.cast(count, logits.dtype) + 1, dtype=logits.dtype)
        support = _tf.reduce_sum(_tf.cast(1 + places * ordered > sums, _tf.int32), axis=1)
        # a row with NaN has no support; its last place stands for it until it is NaN below
        last = _tf.maximum(support, 1) - 1
        rows = _tf.range(_tf.shape(logits)[0])
        total = _tf.gather_nd(sums, _tf.stack([rows, last], axis=1))
        threshold = (total - 1) / _tf.cast(support, logits.dtype)
        shares = _tf.maximum(_tf.cast(0, logits.dtype), logits - threshold[:, _tf.newaxis])
        odd = _tf.logical_or(_tf.equal(support, 0), _tf.is_nan(sums[:, -1]))
        nothing = _tf.fill(_tf.shape(logits), _tf.cast(float("nan"), logits.dtype))
        return _tf.where(odd, nothing, shares)


def sparsemax_loss(logits: Tensor, sparsemax: Tensor, labels: Tensor, name: Name = None) -> Tensor:
    """The loss that belongs to `sparsemax` (`tf.contrib.sparsemax.sparsemax_loss`).

    Args:
        logits: Float tensor `[batch, classes]`.
        sparsemax: What `sparsemax` gave for them.
        labels: Shares of the same shape that are true.

    Returns:
        A tensor `[batch]`.
    """
    with _tf.name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]):
        logits = _tf.convert_to_tensor(logits, name="logits")
        shares = _tf.convert_to_tensor(sparsemax, name="sparsemax")
        labels = _tf.convert_to_tensor(labels, name="labels")
        own = _tf.where(
            _tf.logical_or(shares > 0, _tf.is_nan(shares)),
            shares * (logits - 0.5 * shares),
            _tf.zeros_like(shares),
        )
        true = labels * (0.5 * labels - logits)
        true = _tf.where(
            _tf.logical_and(_tf.equal(labels, 0), _tf.is_inf(logits)), _tf.zeros_like(logits), true
        )
        return _tf.reduce_sum(own + true, axis=1)


__getattr__, __dir__ = _lazy_names.attributes(__name__, {})
