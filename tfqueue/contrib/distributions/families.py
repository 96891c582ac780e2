"""The families of `tf.contrib.distributions`, under the names that their parameters had in turn."""

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.names import forms
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import DType, Tensor

_tf = _tensorflow.compat_v1()
_kept = _tf.distributions

_METHODS = {
    "pdf": "prob",
    "pmf": "prob",
    "log_pdf": "log_prob",
    "log_pmf": "log_prob",
    "std": "stddev",
}
_PROPERTIES = {"get_event_shape": "event_shape", "get_batch_shape": "batch_shape"}

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Exponential",
    "Gamma",
    "Laplace",
    "Multinomial",
    "MultivariateNormalDiag",
    "Normal",
    "StudentT",
    "Uniform",
]


def _sample_n(self: Any, n: int, seed: int | None = None, name: str = "sample_n") -> Tensor:
    """`sample(n)` under its name of up to 0.12."""
    return self.sample(n, seed=seed, name=name)


def _renamed(old: str, new: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, new)(*args, **kwargs)

    method.__name__ = old
    method.__doc__ = f"`{new}` under its name of up to 0.12."
    return method


def _read(new: str) -> Callable[[Any], Any]:
    return lambda self: getattr(self, new)


OLD_METHODS = {
    "sample_n": _sample_n,
    **{old: _renamed(old, new) for old, new in _METHODS.items()},
    **{old: _read(new) for old, new in _PROPERTIES.items()},
}
"""What the methods of a distribution were called up to 0.12."""


def _covariance_up_to_1_0(original: Any, of: str) -> Callable[..., Any]:
    """`variance` or `stddev`, which up to 1.0 was the covariance or the square root of that."""
    plain = getattr(original, of)

    @functools.wraps(plain)
    def method(self: Any, name: str = of) -> Tensor:
        if not release.before("1.1"):
            found: Tensor = plain(self, name)
            return found
        found = self.covariance(name)
        return found if of == "variance" else _tf.sqrt(found)

    return method


def _with_mode_of_1_up_to_1_0(original: Any) -> Callable[..., Any]:
    """`_mode` of a gamma distribution, which was 0 up to 1.0 where the concentration is 1."""

    @functools.wraps(original._mode)
    def _mode(self: Any) -> Tensor:
        found: Tensor = original._mode(self)
        if not release.before("1.1"):
            return found
        one = _tf.equal(self.concentration, _tf.ones_like(self.concentration))
        return _tf.where(_tf.logical_and(one, _tf.is_nan(found)), _tf.zeros_like(found), found)

    return _mode


def _methods_of_1_0(original: Any) -> dict[str, Callable[..., Any]]:
    """The methods of a distribution that gave something else up to 1.0."""
    name = original.__name__
    if name in ("Dirichlet", "DirichletMultinomial", "Multinomial", "MultivariateNormalDiag"):
        return {of: _covariance_up_to_1_0(original, of) for of in ("variance", "stddev")}
    return (
        {"_mode": _with_mode_of_1_up_to_1_0(original)} if name in ("Exponential", "Gamma") else {}
    )


def _family(original: Any) -> Any:
    """A subclass of one of the distributions that also takes the old names of its parameters."""
    name = original.__name__
    renamed = forms.RENAMED.get(f"contrib.distributions.{name}", {})
    make = original.__init__

    @functools.wraps(make)
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        for old, new in renamed.items():
            if old in kwargs:
                if new in kwargs:
                    raise TypeError(f"{name} got {old!r} and {new!r}, which are one parameter")
                kwargs[new] = kwargs.pop(old)
        make(self, *args, **kwargs)

    return type(
        name,
        (original,),
        {
            "__module__": __name__,
            "__doc__": f"`tf.contrib.distributions.{name}`.\n",
            "__signature__": inspect.signature(original),
            "__init__": __init__,
            **OLD_METHODS,
            **_methods_of_1_0(original),
            **{old: property(_read(new)) for old, new in renamed.items()},
        },
    )


class OfVectors(_kept.Distribution):
    """A distribution whose event is the last axis of a tensor, `_like`."""

    _like: Tensor

    def _batch_shape_tensor(self) -> Tensor:
        return _tf.shape(self._like)[:-1]

    def _batch_shape(self) -> Any:
        return self._like.shape[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return _tf.shape(self._like)[-1:]

    def _event_shape(self) -> Any:
        return self._like.shape[-1:]


def settle(
    made: Any,
    given: dict[str, Any],
    scope: str,
    dtype: DType,
    *parents: Tensor,
    smooth: bool = True,
) -> None:
    """What TensorFlow's own constructor does, for a distribution of ours.

    Args:
        given: The arguments of our constructor.
        scope: The name scope of the ops.
        dtype: Of what is drawn.
        parents: The tensors that it is made of.
        smooth: Whether what is drawn has a gradient.
    """
    _kept.Distribution.__init__(
        made,
        dtype,
        _kept.FULLY_REPARAMETERIZED if smooth else _kept.NOT_REPARAMETERIZED,
        given["validate_args"],
        given["allow_nan_stats"],
        given,
        list(parents),
        scope,
    )


class MultivariateNormalDiag(OfVectors):
    """Independent normals as one vector (`tf.contrib.distributions.MultivariateNormalDiag`).

    Args:
        loc: Means, float tensor of shape `[..., k]`; zeros when None.
        scale_diag: Standard deviations, `[..., k]`; ones when None.
        scale_identity_multiplier: Standard deviation of all components, `[...]`; is added to
            `scale_diag` where both are given.
        validate_args: Not used.
        allow_nan_stats: As for all distributions.

    Raises:
        ValueError: If no parameter tells the number of components.
    """

    __init__ = constructor(
        "loc=None scale_diag=None scale_identity_multiplier=None validate_args=False "
        "allow_nan_stats=True name='MultivariateNormalDiag'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        loc, scale_diag, name = given["loc"], given["scale_diag"], given["name"]
        scale_identity_multiplier = given["scale_identity_multiplier"]
        if loc is None and scale_diag is None:
            raise ValueError(f"{name} needs `loc` or `scale_diag`: neither is given.")
        with _tf.name_scope(name) as scope:
            known = [each for each in (loc, scale_diag) if each is not None]
            tensors = [_tf.convert_to_tensor(each) for each in known]
            dtype = tensors[0].dtype
            shape = functools.reduce(
                _tf.broadcast_dynamic_shape, [_tf.shape(each) for each in tensors]
            )
            static = functools.reduce(_tf.broadcast_static_shape, [each.shape for each in tensors])
            scale = _tf.zeros([], dtype) if scale_diag is None else tensors[-1]
            if scale_identity_multiplier is not None:
                many = _tf.convert_to_tensor(scale_identity_multiplier, dtype)[..., _tf.newaxis]
                shape = _tf.broadcast_dynamic_shape(shape, _tf.shape(many))
                static = _tf.broadcast_static_shape(static, many.shape)
                scale += many
            elif scale_diag is None:
                scale += 1
            mean = _tf.zeros([], dtype) if loc is None else tensors[0]
            self._like = _tf.broadcast_to(mean, shape, name="loc")
            self._scale = _tf.broadcast_to(scale, shape, name="scale")
            for each in (self._like, self._scale):
                each.set_shape(static)
        settle(self, given, scope, dtype, self._like, self._scale)

    loc = property(lambda self: self._like)
    scale_diag = property(lambda self: self._scale)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        shape = _tf.concat([[n], _tf.shape(self._like)], 0)
        noise = _tf.random_normal(shape, dtype=self.dtype, seed=seed)
        return self._like + self._scale * noise

    def _log_prob(self, value: Tensor) -> Tensor:
        many = _tf.cast(_tf.shape(self._like)[-1], self.dtype)
        z = (value - self._like) / self._scale
        return (
            -0.5 * _tf.reduce_sum(_tf.square(z), -1)
            - 0.5 * math.log(2 * math.pi) * many
            - _tf.reduce_sum(_tf.log(_tf.abs(self._scale)), -1)
        )

    def _entropy(self) -> Tensor:
        many = _tf.cast(_tf.shape(self._like)[-1], self.dtype)
        spread = _tf.reduce_sum(_tf.log(_tf.abs(self._scale)), -1)
        return 0.5 * (1 + math.log(2 * math.pi)) * many + spread

    def _mean(self) -> Tensor:
        return _tf.identity(self._like)

    _mode = _mean

    def _stddev(self) -> Tensor:
        return _tf.abs(self._scale)

    def _variance(self) -> Tensor:
        return _tf.square(self._scale)

    def _covariance(self) -> Tensor:
        return _tf.matrix_diag(_tf.square(self._scale))


@_kept.RegisterKL(MultivariateNormalDiag, MultivariateNormalDiag)
def _kl(one: Any, other: Any, name: str | None = None) -> Tensor:
    with _tf.name_scope(name or "kl_mvn_diag"):
        ratio = _tf.square(one.scale_diag / other.scale_diag)
        apart = _tf.square((one.loc - other.loc) / other.scale_diag)
        return 0.5 * _tf.reduce_sum(ratio + apart - 1 - _tf.log(ratio), -1)


(
    Bernoulli,
    Beta,
    Categorical,
    Dirichlet,
    DirichletMultinomial,
    Exponential,
    Gamma,
    Laplace,
    Multinomial,
    Normal,
    StudentT,
    Uniform,
) = (_family(getattr(_kept, name)) for name in __all__ if name != "MultivariateNormalDiag")
MultivariateNormalDiag = _family(MultivariateNormalDiag)  # type: ignore[misc]
