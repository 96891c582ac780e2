"""`tf.contrib.bayesflow.stochastic_gradient_estimators`: terms of a loss whose gradient is that of an expectation."""

from collections.abc import Callable
from typing import Any, TypeAlias

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "get_mean_baseline",
    "get_score_function_with_advantage",
    "get_score_function_with_baseline",
    "get_score_function_with_constant_baseline",
    "get_vimco_advantage_fn",
    "score_function",
]
Term: TypeAlias = Callable[[Any, Tensor, Tensor], Tensor]
"""Of a `StochasticTensor`, its value and the loss that depends on it."""
OfLoss: TypeAlias = Callable[[Any, Tensor], Tensor]
"""Of a `StochasticTensor` and the loss that depends on it."""


def score_function(
    stochastic_tensor: Any,
    value: Tensor,
    loss: Tensor,
    baseline: Tensor | None = None,
    name: Name = "ScoreFunction",
) -> Tensor:
    """The log-probability of a sample, times its loss (`...stochastic_gradient_estimators.score_function`).

    Args:
        stochastic_tensor: A `StochasticTensor`.
        value: What was drawn of it.
        loss: Float tensor; it has no gradient here.
        baseline: Is taken from `loss`; of a shape that broadcasts to it.
    """
    with _tf.name_scope(name, values=[value, loss, baseline]):
        value, advantage = _tf.convert_to_tensor(value), _tf.convert_to_tensor(loss)
        if baseline is not None:
            advantage -= _tf.convert_to_tensor(baseline)
        return stochastic_tensor.distribution.log_prob(value) * _tf.stop_gradient(advantage)


def get_score_function_with_advantage(
    advantage_fn: OfLoss, name: Name = "ScoreFunctionWithAdvantage"
) -> Term:
    """`score_function` of `advantage_fn(stochastic_tensor, loss)` in place of the loss."""

    def term(stochastic_tensor: Any, value: Tensor, loss: Tensor) -> Tensor:
        with _tf.name_scope(name, values=[value, loss]):
            advantage = _tf.stop_gradient(advantage_fn(stochastic_tensor, loss))
            return stochastic_tensor.distribution.log_prob(value) * advantage

    return term


def get_score_function_with_constant_baseline(
    baseline: Tensor, name: Name = "ScoreFunction"
) -> Term:
    """`score_function` with this `baseline`."""

    def term(stochastic_tensor: Any, value: Tensor, loss: Tensor) -> Tensor:
        return score_function(stochastic_tensor, value, loss, baseline, name)

    return term


def get_score_function_with_baseline(
    baseline_fn: OfLoss | None = None, name: Name = "ScoreFunction"
) -> Term:
    """`score_function` with a baseline of the loss, `get_mean_baseline()` where none is given."""
    made = get_mean_baseline() if baseline_fn is None else baseline_fn

    def term(stochastic_tensor: Any, value: Tensor, loss: Tensor) -> Tensor:
        with _tf.name_scope(name):
            return score_function(stochastic_tensor, value, loss, made(stochastic_tensor, loss))

    return term


def get_mean_baseline(ema_decay: float = 0.99, name: Name = None) -> OfLoss:
    """A moving average of the mean loss, which each evaluation moves on.

    Args:
        ema_decay: The share that the average keeps. Since 0.12 the average is not biased to zero.
        name: The variable scope of the average.
    """

    def baseline(_: Any, loss: Tensor) -> Tensor:
        with _tf.variable_scope(name, default_name="MeanBaseline"):
            mean = _tf.reduce_mean(loss)
            average = _tf.train.ExponentialMovingAverage(
                decay=ema_decay, zero_debias=not _call_forms.reaches("0.12")
            )
            with _tf.control_dependencies([average.apply([mean])]):
                return _tf.identity(average.average(mean))

    return baseline


def get_vimco_advantage_fn(have_log_loss: bool = False) -> Callable[..., Tensor]:
    """How much better each of several samples is than what the others let expect (VIMCO, arXiv:1602.06725).

    Args:
        have_log_loss: Whether the loss is the logarithm of probabilities, not these.

    Returns:
        A function of a `StochasticTensor` and the loss `[n, ...]` of `n` samples, at least two.
    """

    def advantage(_: Any, loss: Tensor, name: Name = None) -> Tensor:
        with _tf.name_scope(name, "VIMCOAdvantage", values=[loss]):
            loss = _tf.convert_to_tensor(loss)
            scores = loss if have_log_loss else _tf.log(loss)
            count = _tf.shape(scores)[0]
            others = _tf.boolean_mask(
                _tf.tile(
                    scores[_tf.newaxis], _tf.concat([[count], _tf.ones_like(_tf.shape(scores))], 0)
                ),
                _tf.logical_not(_tf.cast(_tf.eye(count), _tf.bool)),
            )
            others = _tf.reshape(others, _tf.concat([[count, count - 1], _tf.shape(scores)[1:]], 0))
            in_place = _tf.stack([_tf.reduce_logsumexp(others, 1), _tf.reduce_mean(others, 1)])
            return _tf.reduce_logsumexp(scores, 0) - _tf.reduce_logsumexp(in_place, 0)

    return advantage
