"""`tf.contrib.bayesflow.entropy`: entropies and divergences of samples."""

import math
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.bayesflow import monte_carlo, variational_inference
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()

__all__ = ["elbo_ratio", "entropy_shannon", "renyi_alpha", "renyi_ratio"]
ELBOForms = variational_inference.ELBOForms


def elbo_ratio(
    log_p: Callable[[Tensor], Tensor],
    q: Any,
    z: Tensor | None = None,
    n: Tensor | None = None,
    seed: int | None = None,
    form: Any = None,
    name: Name = "elbo_ratio",
) -> Tensor:
    """The mean of `log(p / q)` under a distribution `q` (`tf.contrib.bayesflow.entropy.elbo_ratio`).

    Args:
        log_p: Function of samples.
        q: The distribution.
        z: Samples of it, `[n, ...]`; or else
        n: how many to draw.
        form: One of `ELBOForms`, for the entropy of `q`; `default` if None.
    """
    with _tf.name_scope(name, values=[n, z]):
        z = monte_carlo._get_samples(q, z, n, seed)
        return entropy_shannon(q, z=z, form=form) + _tf.reduce_mean(log_p(z), 0)


def entropy_shannon(
    p: Any,
    z: Tensor | None = None,
    n: Tensor | None = None,
    seed: int | None = None,
    form: Any = None,
    name: Name = "entropy_shannon",
) -> Tensor:
    """The entropy of a distribution, exact where it has one (`tf.contrib.bayesflow.entropy.entropy_shannon`).

    Args:
        z: Samples of `p`, for a distribution without; or else
        n: how many to draw.
        form: One of `ELBOForms`: `default`, `analytic_entropy` or `sample`.

    Raises:
        ValueError: If it is another one, or `n` is given for an exact one.
    """
    form = form or ELBOForms.default
    if n is not None and form is ELBOForms.analytic_entropy:
        raise ValueError("An exact entropy takes no n.")
    if form not in (ELBOForms.default, ELBOForms.analytic_entropy, ELBOForms.sample):
        raise ValueError("form must be default, analytic_entropy or sample")
    with _tf.name_scope(name, values=[n, z]):
        if form is not ELBOForms.sample:
            try:
                return p.entropy()
            except NotImplementedError:
                if form is ELBOForms.analytic_entropy:
                    raise
        drawn = p.sample(n, seed=seed) if z is None else z
        return -_tf.reduce_mean(p.log_prob(drawn), 0)


def renyi_ratio(
    log_p: Callable[[Tensor], Tensor],
    q: Any,
    alpha: Tensor,
    z: Tensor | None = None,
    n: Tensor | None = None,
    seed: int | None = None,
    name: Name = "renyi_ratio",
) -> Tensor:
    """Minus the divergence of Renyi of `q` from `p` (`tf.contrib.bayesflow.entropy.renyi_ratio`).

    Args:
        alpha: Its order, not 1; the others as for `elbo_ratio`.
    """
    with _tf.name_scope(name, values=[alpha, n, z]):
        z = monte_carlo._get_samples(q, z, n, seed)
        return monte_carlo._logspace_mean((1.0 - alpha) * (log_p(z) - q.log_prob(z))) / (
            1.0 - alpha
        )


def renyi_alpha(
    step: Tensor,
    decay_time: Tensor,
    alpha_min: Tensor,
    alpha_max: Tensor = 0.99999,
    name: Name = "renyi_alpha",
) -> Tensor:
    """An order that falls from `alpha_max` to `alpha_min` in `decay_time` steps (`...entropy.renyi_alpha`).

    Raises:
        InvalidArgumentError: When it runs, if `step` is below zero, or `decay_time` not above.
    """
    with _tf.name_scope(name, values=[step, decay_time, alpha_min, alpha_max]):
        low = _tf.convert_to_tensor(alpha_min, name="alpha_min")
        high = _tf.convert_to_tensor(alpha_max, dtype=low.dtype, name="alpha_max")
        step, decay_time = _tf.cast(step, low.dtype), _tf.cast(decay_time, low.dtype)
        checks = [_tf.assert_rank(one, 0) for one in (step, decay_time, low, high)]
        checks += [_tf.assert_non_negative(step), _tf.assert_positive(decay_time)]
        with _tf.control_dependencies(checks):
            share = (_tf.exp(step / decay_time) - 1.0) / (math.e - 1.0)
            share = _tf.minimum(_tf.maximum(share, 0.0), 1.0)
            return high * (1.0 - share) + low * share
