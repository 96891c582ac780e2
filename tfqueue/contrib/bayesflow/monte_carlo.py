"""`tf.contrib.bayesflow.monte_carlo`: expectations as means of samples."""

from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()

__all__ = [
    "expectation",
    "expectation_importance_sampler",
    "expectation_importance_sampler_logspace",
]


def _get_samples(dist: Any, z: Tensor | None, n: Tensor | None, seed: int | None) -> Tensor:
    """`z`, or `n` samples of a distribution.

    Raises:
        ValueError: If both are given, or neither.
    """
    with _tf.name_scope("get_samples", values=[z, n]):
        if (n is None) == (z is None):
            raise ValueError(f"n or z must be given, and not both: n = {n}, z = {z}")
        return _tf.convert_to_tensor(z, name="z") if n is None else dist.sample(n, seed=seed)


def _logspace_mean(log_values: Tensor) -> Tensor:
    """The logarithm of the mean of `exp(log_values)` over the first axis."""
    most = _tf.stop_gradient(_tf.reduce_max(log_values, 0))
    return _tf.log(_tf.reduce_mean(_tf.exp(log_values - most), 0)) + most


def expectation_importance_sampler(
    f: Callable[[Tensor], Tensor],
    log_p: Callable[[Tensor], Tensor],
    sampling_dist_q: Any,
    z: Tensor | None = None,
    n: Tensor | None = None,
    seed: int | None = None,
    name: Name = "expectation_importance_sampler",
) -> Tensor:
    """The mean of `f` under `p`, by samples of `q` (`...monte_carlo.expectation_importance_sampler`).

    Args:
        f: Function of samples.
        log_p: Logarithm of the density of samples.
        sampling_dist_q: The distribution `q`.
        z: Samples of it, `[n, ...]`; or else
        n: how many to draw.
    """
    with _tf.name_scope(name, values=[z, n]):
        z = _get_samples(sampling_dist_q, z, n, seed)
        of_p, of_q, values = log_p(z), sampling_dist_q.log_prob(z), f(z)
        above, below = (
            _logspace_mean(_tf.log(_tf.nn.relu(part) + 1.0) + of_p - of_q)
            for part in (values, -values)
        )
    return _tf.exp(above) - _tf.exp(below)


def expectation_importance_sampler_logspace(
    log_f: Callable[[Tensor], Tensor],
    log_p: Callable[[Tensor], Tensor],
    sampling_dist_q: Any,
    z: Tensor | None = None,
    n: Tensor | None = None,
    seed: int | None = None,
    name: Name = "expectation_importance_sampler_logspace",
) -> Tensor:
    """The logarithm of that mean of `exp(log_f)` (`...monte_carlo.expectation_importance_sampler_logspace`)."""
    with _tf.name_scope(name, values=[z, n]):
        z = _get_samples(sampling_dist_q, z, n, seed)
        return _logspace_mean(log_f(z) + log_p(z) - sampling_dist_q.log_prob(z))


def expectation(f: Callable[[Tensor], Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """The mean of a function of samples (`tf.contrib.bayesflow.monte_carlo.expectation`).

    Args:
        f: The function.
        samples: `[n, ...]`. The others, by position, too:
        log_prob: Logarithm of the samples' density, a function of them.
        use_reparametrization: Whether samples have a gradient; if not, that of the mean comes of `log_prob`.
        axis: Over which the mean is; 0 if not given.
        keep_dims: Whether that axis stays, of size one.
        name: Of the scope.
        p: Up to 1.3, in place of `samples`: the distribution, with samples `z`, or the number `n` to
            draw, and `seed`.

    Raises:
        ValueError: If `f` can't be called, or `log_prob` not where it is needed.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(expectation(tf.square, tf.constant([1.0, 3.0]))))
    5.0
    """
    old = isinstance(args[0], _tf.distributions.Distribution) if args else "p" in kwargs
    return (_of_distribution if old else _of_samples)(f, *args, **kwargs)


def _of_distribution(
    f: Callable[[Tensor], Tensor],
    p: Any,
    z: Tensor | None = None,
    n: Tensor | None = None,
    seed: int | None = None,
    name: Name = "expectation",
) -> Tensor:
    with _tf.name_scope(name, values=[n, z]):
        return _tf.reduce_mean(f(_get_samples(p, z, n, seed)), 0)


def _of_samples(
    f: Callable[[Tensor], Tensor],
    samples: Tensor,
    log_prob: Callable[[Tensor], Tensor] | None = None,
    use_reparametrization: bool = True,
    axis: Any = 0,
    keep_dims: bool = False,
    name: Name = None,
) -> Tensor:
    with _tf.name_scope(name, "expectation", [samples]):
        if not callable(f):
            raise ValueError("f must be callable")
        if use_reparametrization:
            return _tf.reduce_mean(f(samples), axis=axis, keepdims=keep_dims)
        if not callable(log_prob):
            raise ValueError("log_prob must be callable")
        drawn = _tf.stop_gradient(samples)
        density, values = log_prob(drawn), f(drawn)
        values += _tf.stop_gradient(values) * (density - _tf.stop_gradient(density))  # adds zero
        return _tf.reduce_mean(values, axis=axis, keepdims=keep_dims)
