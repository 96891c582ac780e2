"""`tf.contrib.bayesflow.variational_inference`: the lower bound of the evidence."""

from collections.abc import Sequence
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.bayesflow import stochastic_graph, stochastic_tensor
from tfqueue.v1._types import Name, Tensor

_tf = _tensorflow.compat_v1()
_kept = _tf.distributions

__all__ = ["ELBOForms", "elbo", "elbo_with_log_joint", "register_prior"]
VI_PRIORS = "__vi_priors__"


def register_prior(variational: Any, prior: Any) -> None:
    """Notes the prior of a `StochasticTensor` for `elbo` (`...variational_inference.register_prior`).

    Raises:
        TypeError: If it is none, or `prior` is no distribution.
    """
    _check({variational: prior})
    if prior is None:
        raise TypeError("prior must be a distribution")
    _tf.add_to_collection(VI_PRIORS, (variational, prior))


class ELBOForms:
    """How `elbo` computes its second term: one of these objects (`...variational_inference.ELBOForms`)."""

    default, analytic_kl, analytic_entropy, sample = (object() for _ in range(4))

    @staticmethod
    def check_form(form: object) -> None:
        """Raises a TypeError if `form` is none of them."""
        if form not in vars(ELBOForms).values():
            raise TypeError("form must be one of ELBOForms")


def _check(pairs: dict[Any, Any]) -> None:
    for tensor, prior in pairs.items():
        if not isinstance(tensor, stochastic_tensor.StochasticTensor):
            raise TypeError(f"{tensor!r} is no StochasticTensor")
        if prior is not None and not isinstance(prior, _kept.Distribution):
            raise TypeError(f"{prior!r} is no distribution")


def _pairs(model: Tensor, given: dict[Any, Any] | None, needed: bool) -> dict[Any, Any]:
    """Each `StochasticTensor` before a tensor -> its prior."""
    if given is None:
        before = list(stochastic_graph.depending([model]))
        if not before:
            raise ValueError(f"No StochasticTensor is before {model.name}.")
        priors = dict(_tf.get_collection(VI_PRIORS))
        given = {one: priors.get(one) for one in before}
        for one, prior in given.items():
            if needed and prior is None:
                raise ValueError(f"No prior of {one.name} is registered.")
    _check(given)
    return given


def _tried(allowed: bool, must: bool, compute: Any) -> Tensor | None:
    try:
        return compute() if allowed else None
    except NotImplementedError:
        if must:
            raise
        return None


def _bound(
    first: Tensor, pairs: dict[Any, Any], keep_batch: bool, form: Any, joint: bool
) -> Tensor:
    ELBOForms.check_form(form)
    forms, default = ELBOForms, form is ELBOForms.default
    total = first
    for tensor, prior in pairs.items():
        q, z = tensor.distribution, tensor.value()
        known = form is forms.analytic_kl
        apart = _tried(
            not joint and (default or known), known, lambda q=q, p=prior: _kept.kl_divergence(q, p)
        )
        known = form is forms.analytic_entropy
        if apart is not None:
            terms = [-apart]
        else:
            entropy = _tried(default or known, known, q.entropy)
            terms = [-q.log_prob(z) if entropy is None else entropy]
            if not joint:
                terms.append(prior.log_prob(z))
        for term in terms:
            total += term if keep_batch else _tf.reduce_sum(term)
    return total


def elbo(
    log_likelihood: Tensor,
    variational_with_prior: dict[Any, Any] | None = None,
    keep_batch_dim: bool = True,
    form: Any = None,
    name: Name = "ELBO",
) -> Tensor:
    """The lower bound of the evidence: `log p(x|z) - KL(q || p)` (`...variational_inference.elbo`).

    Args:
        log_likelihood: `log p(x|z)`, where `z` is a `StochasticTensor`.
        variational_with_prior: Dict from each `StochasticTensor` to its prior; None for all before
            `log_likelihood`, with their registered priors.
        keep_batch_dim: Whether the second term is not summed up.
        form: One of `ELBOForms`. The default is the first that the distributions have: the exact divergence,
            the exact entropy, or samples.

    Returns:
        A tensor of the shape of `log_likelihood`.

    Raises:
        TypeError: If a tensor, a prior or `form` is none.
        ValueError: If there is no `StochasticTensor`, or one has no prior.
    """
    with _tf.name_scope(name):
        model = _tf.convert_to_tensor(log_likelihood)
        pairs = _pairs(model, variational_with_prior, needed=True)
        return _bound(log_likelihood, pairs, keep_batch_dim, form or ELBOForms.default, joint=False)


def elbo_with_log_joint(
    log_joint: Tensor,
    variational: Sequence[Any] | None = None,
    keep_batch_dim: bool = True,
    form: Any = None,
    name: Name = "ELBO",
) -> Tensor:
    """The same of `log p(x, z)`, which has the priors in it (`...variational_inference.elbo_with_log_joint`).

    Args:
        log_joint: `log p(x, z)`.
        variational: The `StochasticTensor`s; None for all before `log_joint`.

    Raises:
        ValueError: If `form` is `analytic_kl`, or there is no `StochasticTensor`.
    """
    if form is ELBOForms.analytic_kl:
        raise ValueError("ELBOForms.analytic_kl needs priors: elbo takes them")
    with _tf.name_scope(name):
        model = _tf.convert_to_tensor(log_joint)
        given = None if variational is None else dict.fromkeys(variational)
        pairs = _pairs(model, given, needed=False)
        return _bound(log_joint, pairs, keep_batch_dim, form or ELBOForms.default, joint=True)
