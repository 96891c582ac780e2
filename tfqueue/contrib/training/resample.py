"""`tf.contrib.training.resample_at_rate` and `weighted_resample`."""

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import Scope, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["resample_at_rate", "weighted_resample"]


def resample_at_rate(
    inputs: Tensor,
    rates: Tensor,
    scope: Scope | None = None,
    seed: int | None = None,
    back_prop: bool = False,
) -> Any:
    """Repeats each row as often as a Poisson draw says (`tf.contrib.training.resample_at_rate`).

    Args:
        inputs: List of tensors `[batch, ...]`.
        rates: Float tensor `[batch]`, how often each row is to come on average.
        back_prop: Whether gradients flow through the choice of rows.

    Returns:
        List of tensors `[chosen, ...]`, the same rows of each.
    """
    with _tf.name_scope(scope, "resample_at_rate", [*inputs, rates]):
        rates = _tf.convert_to_tensor(rates, name="rates")
        counts = _tf.cast(_tf.random_poisson(rates, [], rates.dtype, seed=seed), _tf.int32)
        rows = _tf.repeat(_tf.range(_tf.size(counts)), counts)
        if not back_prop:
            rows = _tf.stop_gradient(rows)
        return [_tf.gather(tensor, rows) for tensor in inputs]


def weighted_resample(
    inputs: Tensor,
    weights: Tensor,
    overall_rate: float,
    scope: Scope | None = None,
    mean_decay: float = 0.999,
    seed: int | None = None,
) -> Any:
    """Resamples rows in proportion to a weight (`tf.contrib.training.weighted_resample`).

    Args:
        inputs: List of tensors `[batch, ...]`.
        weights: Float tensor `[batch]`.
        overall_rate: float, how often a row is to come on average.
        mean_decay: float, how slowly the running mean of the weights, a local
            variable, follows.

    Returns:
        A pair: the list of tensors `[chosen, ...]`; the rate of each chosen row.
    """
    with _tf.name_scope(scope, "weighted_resample", inputs) as name:
        with _tf.variable_scope(scope, "estimate_mean", inputs):
            mean = _tf.get_local_variable(
                "estimated_mean", initializer=_tf.zeros([], weights.dtype), dtype=weights.dtype
            )
            # Begins at zero: the first steps are scaled up for what is still missing.
            weight = _tf.get_local_variable(
                "estimated_mean_weight",
                initializer=_tf.zeros([], weights.dtype),
                dtype=weights.dtype,
            )
        rate = 1.0 - mean_decay
        mean = _tf.assign_add(mean, (_tf.reduce_mean(weights) - mean) * rate)
        weight = _tf.assign_add(weight, (1.0 - weight) * rate)
        rates = weights * overall_rate / (mean / weight)
        chosen, *results = resample_at_rate([rates, *inputs], rates, scope=name, seed=seed)
        return results, chosen
