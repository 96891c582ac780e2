"""Distributions of vectors in `tf.contrib.distributions` that TensorFlow no longer has."""

import math
from typing import Any

import numpy as np
from tensorflow.python.ops.distributions import util as _util

from tfqueue import _tensorflow
from tfqueue.contrib.distributions import families
from tfqueue.v1._linear_algebra import cholesky
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import DType, Tensor

_tf = _tensorflow.compat_v1()
_kept = _tf.distributions


class MultivariateNormalDiagWithSoftplusScale(families.MultivariateNormalDiag):
    """A diagonal normal whose standard deviations are the softplus of what is given.

    Args:
        loc: As for `MultivariateNormalDiag`.
        scale_diag: float tensor of shape `[..., k]`.
        others: As for all distributions.
    """

    __init__ = constructor(
        "loc scale_diag "
        "validate_args=False allow_nan_stats=True name='MultivariateNormalDiagWithSoftplusScale'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]):
            scale = _tf.nn.softplus(given["scale_diag"])
        super()._init_with({**given, "scale_diag": scale, "scale_identity_multiplier": None})


class MultivariateNormalTriL(families.OfVectors):
    """A normal with the lower triangle of a square root of its covariance.

    Args:
        loc: As for `MultivariateNormalDiag`, as are the others.
        scale_tril: `[..., k, k]`, of which the lower triangle is used; the identity when None.
    """

    __init__ = constructor(
        "loc=None scale_tril=None "
        "validate_args=False allow_nan_stats=True name='MultivariateNormalTriL'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        loc, scale_tril = given["loc"], given["scale_tril"]
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with _tf.name_scope(given["name"]) as scope:
            if scale_tril is None:
                loc = _tf.convert_to_tensor(loc)
                many = _tf.shape(loc)[-1]
                scale_tril = _tf.eye(many, dtype=loc.dtype)
                scale_tril.set_shape([loc.shape[-1], loc.shape[-1]])
            self._scale = _tf.matrix_band_part(_tf.convert_to_tensor(scale_tril), -1, 0)
            diagonal = _tf.matrix_diag_part(self._scale)
            start = 0.0 if loc is None else _tf.convert_to_tensor(loc, self._scale.dtype)
            self._like = _tf.add(_tf.zeros_like(diagonal), start, name="loc")
            self._spread = _tf.reduce_sum(_tf.log(_tf.abs(diagonal)), -1)
        families.settle(self, given, scope, self._scale.dtype, self._like, self._scale)

    loc = property(lambda self: self._like)

    def _constant(self) -> Tensor:
        return math.log(2 * math.pi) * _tf.cast(_tf.shape(self._like)[-1], self.dtype)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        shape = _tf.concat([[n], _tf.shape(self._like)], 0)
        noise = _tf.random_normal(shape, dtype=self.dtype, seed=seed)
        return self._like + _tf.linalg.matvec(self._scale, noise)

    def _log_prob(self, value: Tensor) -> Tensor:
        apart = (value - self._like)[..., _tf.newaxis]
        shape = _tf.concat([_tf.shape(apart)[:-1], _tf.shape(apart)[-2:-1]], 0)
        z = _tf.linalg.triangular_solve(_tf.broadcast_to(self._scale, shape), apart)
        return -0.5 * (_tf.reduce_sum(_tf.square(z), [-2, -1]) + self._constant()) - self._spread

    def _entropy(self) -> Tensor:
        many = _tf.cast(_tf.shape(self._like)[-1], self.dtype)
        return 0.5 * (many + self._constant()) + self._spread + _tf.zeros_like(self._like[..., 0])

    def _mean(self) -> Tensor:
        return _tf.identity(self._like)

    _mode = _mean

    def _covariance(self) -> Tensor:
        return _tf.matmul(self._scale, self._scale, transpose_b=True)

    def _variance(self) -> Tensor:
        return _tf.reduce_sum(_tf.square(self._scale), -1) + _tf.zeros_like(self._like)


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """A normal with its covariance.

    Args:
        loc: As for `MultivariateNormalTriL`.
        covariance_matrix: `[..., k, k]`, symmetric and positive definite; the identity when None.
        others: As for all distributions.
    """

    __init__ = constructor(
        "loc=None covariance_matrix=None "
        "validate_args=False allow_nan_stats=True name='MultivariateNormalFullCovariance'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        scale = given.pop("covariance_matrix")
        with _tf.name_scope(given["name"]):
            if scale is not None:
                scale = cholesky(_tf.convert_to_tensor(scale, name="covariance_matrix"))
        super()._init_with({**given, "scale_tril": scale})


def _root(made: Any) -> Tensor:
    """The lower triangle of a square root of the covariance of a normal of vectors."""
    if isinstance(made, families.MultivariateNormalDiag):
        return _tf.matrix_diag(made.scale_diag)
    return made._scale


@_kept.RegisterKL(MultivariateNormalTriL, MultivariateNormalTriL)
@_kept.RegisterKL(MultivariateNormalTriL, families.MultivariateNormalDiag)
@_kept.RegisterKL(families.MultivariateNormalDiag, MultivariateNormalTriL)
def _kl_of_normals(one: Any, other: Any, name: str | None = None) -> Tensor:
    with _tf.name_scope(name or "kl_mvn"):
        apart = (other.loc - one.loc)[..., _tf.newaxis]
        shape = _tf.concat([_tf.shape(apart)[:-1], _tf.shape(apart)[-2:-1]], 0)
        narrow, wide = (_tf.broadcast_to(_root(each), shape) for each in (one, other))
        z = _tf.linalg.triangular_solve(wide, _tf.concat([apart, narrow], -1))
        spread = [
            _tf.reduce_sum(_tf.log(_tf.abs(_tf.matrix_diag_part(each))), -1)
            for each in (narrow, wide)
        ]
        many = _tf.cast(_tf.shape(apart)[-2], one.dtype)
        return spread[1] - spread[0] + 0.5 * (_tf.reduce_sum(_tf.square(z), [-2, -1]) - many)


def _logits(logits: Tensor | None, probs: Tensor | None, dtype: DType | None = None) -> Tensor:
    if (logits is None) == (probs is None):
        raise ValueError("Must pass probs or logits, but not both.")
    if logits is not None:
        return _tf.convert_to_tensor(logits, dtype, name="logits")
    return _tf.log(_tf.convert_to_tensor(probs, dtype, name="probs"))


class OneHotCategorical(families.OfVectors):
    """A class as a vector with one 1.

    Args:
        logits: float tensor of shape `[..., k]`.
        probs: `[..., k]`, in place of `logits`.
        dtype: Of what is drawn.
        others: As for all distributions.
    """

    __init__ = constructor(
        "logits=None probs=None dtype=None "
        "validate_args=False allow_nan_stats=True name='OneHotCategorical'",
        dtype=_tf.int32,
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._like = _logits(given["logits"], given["probs"])
        families.settle(self, given, scope, given["dtype"], self._like, smooth=False)

    logits = property(lambda self: self._like)
    probs = property(lambda self: _tf.nn.softmax(self._like))

    def _one_hot(self, ids: Tensor) -> Tensor:
        return _tf.one_hot(ids, _tf.shape(self._like)[-1], dtype=self.dtype)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        shape = _tf.shape(self._like)
        flat = _tf.reshape(self._like, [-1, shape[-1]])
        drawn = _tf.transpose(_tf.multinomial(flat, n, seed=seed))
        return _tf.reshape(self._one_hot(drawn), _tf.concat([[n], shape], 0))

    def _log_prob(self, value: Tensor) -> Tensor:
        value = _tf.cast(value, self._like.dtype)
        return _tf.reduce_sum(value * _tf.nn.log_softmax(self._like), -1)

    def _entropy(self) -> Tensor:
        return -_tf.reduce_sum(self.probs * _tf.nn.log_softmax(self._like), -1)

    def _mode(self) -> Tensor:
        return self._one_hot(_tf.argmax(self._like, -1))

    def _variance(self) -> Tensor:
        return self.probs * (1.0 - self.probs)

    def _covariance(self) -> Tensor:
        found = self.probs
        apart = _tf.matmul(found[..., _tf.newaxis], found[..., _tf.newaxis, :])
        return _tf.matrix_set_diag(-apart, self._variance())


@_kept.RegisterKL(OneHotCategorical, OneHotCategorical)
def _kl_of_classes(one: Any, other: Any, name: str | None = None) -> Tensor:
    with _tf.name_scope(name or "kl_one_hot_categorical"):
        apart = _tf.nn.log_softmax(one.logits) - _tf.nn.log_softmax(other.logits)
        return _tf.reduce_sum(one.probs * apart, -1)


class RelaxedOneHotCategorical(families.OfVectors):
    """A class as a vector near one with one 1, which has a gradient (Gumbel-softmax).

    Args:
        temperature: float; the lower, the nearer.
        logits: float tensor of shape `[..., k]`.
        probs: `[..., k]`, in place of `logits`.
        others: As for all distributions.
    """

    __init__ = constructor(
        "temperature logits=None probs=None "
        "validate_args=False allow_nan_stats=True name='RelaxedOneHotCategorical'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._like = _logits(given["logits"], given["probs"])
            self._temperature = _tf.convert_to_tensor(given["temperature"], self._like.dtype)
        families.settle(self, given, scope, self._like.dtype, self._like, self._temperature)

    temperature = property(lambda self: self._temperature)
    logits = property(lambda self: self._like)
    probs = property(lambda self: _tf.nn.softmax(self._like))

    def _for_classes(self) -> Tensor:
        """The temperature, with an axis for the classes where each of a batch has its own."""
        if self._temperature.shape.ndims == 0:
            return self._temperature
        return self._temperature[..., _tf.newaxis]

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        shape = _tf.concat([[n], _tf.shape(self._like)], 0)
        # A smaller number than the least normal one counts as 0, which has no logarithm.
        least = np.finfo(self._like.dtype.as_numpy_dtype).tiny
        uniform = _tf.random_uniform(shape, least, 1.0, self._like.dtype, seed=seed)
        noisy = self._like - _tf.log(-_tf.log(uniform))
        return _tf.nn.softmax(noisy / self._for_classes())

    def _log_prob(self, value: Tensor) -> Tensor:
        many = _tf.cast(_tf.shape(self._like)[-1], self.dtype)
        logs = _tf.log(value)
        weighed = _tf.nn.log_softmax(self._like - self._for_classes() * logs)
        constant = _tf.lgamma(many) + (many - 1) * _tf.log(self._temperature)
        return constant + _tf.reduce_sum(weighed - logs, -1)


class MixtureSameFamily(_kept.Distribution):
    """A mixture of the distributions along the last axis of a batch.

    Args:
        mixture_distribution: A `Categorical`, whose classes are the components.
        components_distribution: A distribution, the last axis of whose batch is the components.
        others: As for all distributions.
    """

    __init__ = constructor(
        "mixture_distribution components_distribution "
        "validate_args=False allow_nan_stats=True name='MixtureSameFamily'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        self._mixture = given["mixture_distribution"]
        self._components = given["components_distribution"]
        self._rank = self._components.event_shape.ndims
        with _tf.name_scope(given["name"]) as scope:
            pass
        families.settle(self, given, scope, self._components.dtype, smooth=False)

    mixture_distribution = property(lambda self: self._mixture)
    components_distribution = property(lambda self: self._components)

    def _batch_shape_tensor(self) -> Tensor:
        return self._components.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> Any:
        return self._components.batch_shape[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return self._components.event_shape_tensor()

    def _event_shape(self) -> Any:
        return self._components.event_shape

    def _weights(self) -> Tensor:
        weights = _tf.nn.softmax(self._mixture.logits)
        for _ in range(self._rank):
            weights = weights[..., _tf.newaxis]
        return weights

    def _averaged(self, values: Tensor) -> Tensor:
        return _tf.reduce_sum(self._weights() * values, -1 - self._rank)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        drawn = self._components.sample(n, seed=seed)
        chosen = self._mixture.sample(n, seed=seed)
        many = _tf.shape(self._mixture.logits)[-1]
        mask = _tf.one_hot(chosen, many, dtype=drawn.dtype)
        for _ in range(self._rank):
            mask = mask[..., _tf.newaxis]
        return _tf.reduce_sum(drawn * mask, -1 - self._rank)

    def _log_prob(self, value: Tensor) -> Tensor:
        apart = _tf.expand_dims(value, -1 - self._rank)
        weights = _tf.nn.log_softmax(self._mixture.logits)
        return _tf.reduce_logsumexp(self._components.log_prob(apart) + weights, -1)

    def _mean(self) -> Tensor:
        return self._averaged(self._components.mean())

    def _variance(self) -> Tensor:
        squares = _tf.square(self._components.mean()) + self._components.variance()
        return self._averaged(squares) - _tf.square(self._mean())


class Mixture(_kept.Distribution):
    """A mixture of distributions, which may be of several kinds.

    Args:
        cat: A `Categorical`, whose classes are the components.
        components: The distributions, in a list.
        use_static_graph: Whether each component draws as many samples as are asked for, of which most are dropped.
        others: As for all distributions.

    Raises:
        ValueError: There are not as many components as classes.
    """

    __init__ = constructor(
        "cat components "
        "validate_args=False allow_nan_stats=True use_static_graph=False name='Mixture'"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        self._cat, self._components = given["cat"], list(given["components"])
        self._static = given["use_static_graph"]
        classes = self._cat.logits.shape[-1]
        if classes != len(self._components):
            raise ValueError(
                f"cat has {classes} classes, and there are {len(self._components)} components"
            )
        first = self._components[0]
        self._rank = first.event_shape.ndims
        with _tf.name_scope(given["name"]) as scope:
            pass
        families.settle(self, given, scope, first.dtype, smooth=False)

    cat = property(lambda self: self._cat)
    components = property(lambda self: self._components)
    num_components = property(lambda self: len(self._components))

    def _batch_shape_tensor(self) -> Tensor:
        return self._cat.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self._cat.batch_shape

    def _event_shape_tensor(self) -> Tensor:
        return self._components[0].event_shape_tensor()

    def _event_shape(self) -> Any:
        return self._components[0].event_shape

    def _averaged(self, values: list[Tensor], rank: int) -> Tensor:
        weights = _tf.nn.softmax(self._cat.logits)
        for _ in range(rank):
            weights = weights[..., _tf.newaxis]
        return _tf.reduce_sum(weights * _tf.stack(values, -1 - rank), -1 - rank)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        chosen = self._cat.sample(n, seed=seed)
        seeds = []
        for _ in self._components:
            seed = _util.gen_new_seed(seed, "mixture")
            seeds.append(seed)
        drawn_with = list(zip(self._components, seeds, strict=True))
        if self._static:
            mask = _tf.one_hot(chosen, len(drawn_with), dtype=self.dtype)
            for _ in range(self._rank):
                mask = mask[..., _tf.newaxis]
            drawn = [one.sample(n, seed=own) for one, own in drawn_with]
            return _tf.reduce_sum(_tf.stack(drawn, -1 - self._rank) * mask, -1 - self._rank)
        # each draws for the places that are its own, and gives of a sample what is at the place
        flat = _tf.reshape(chosen, [-1])
        width = _tf.size(flat) // _tf.maximum(n, 1)
        places = [_tf.where(_tf.equal(flat, at))[:, 0] for at in range(len(drawn_with))]
        parts = []
        for (one, own), place in zip(drawn_with, places, strict=True):
            drawn = one.sample(_tf.size(place), seed=own)
            event = self.event_shape_tensor()
            rows = _tf.reshape(drawn, _tf.concat([[-1], event], 0))
            at = _tf.range(_tf.size(place)) * width + _tf.cast(place, _tf.int32) % width
            parts.append(_tf.gather(rows, at))
        stitched = _tf.dynamic_stitch([_tf.cast(place, _tf.int32) for place in places], parts)
        shape = _tf.concat([_tf.shape(chosen), self.event_shape_tensor()], 0)
        return _tf.reshape(stitched, shape)

    def _log_prob(self, value: Tensor) -> Tensor:
        logs = _tf.stack([one.log_prob(value) for one in self._components], -1)
        return _tf.reduce_logsumexp(logs + _tf.nn.log_softmax(self._cat.logits), -1)

    def _cdf(self, value: Tensor) -> Tensor:
        return self._averaged([one.cdf(value) for one in self._components], 0)

    def _mean(self) -> Tensor:
        return self._averaged([one.mean() for one in self._components], self._rank)

    def _variance(self) -> Tensor:
        squares = [_tf.square(one.mean()) + one.variance() for one in self._components]
        return self._averaged(squares, self._rank) - _tf.square(self._mean())

    def entropy_lower_bound(self: Any, name: str = "entropy_lower_bound") -> Tensor:
        """The mean of the components' entropies."""
        with _tf.name_scope(name):
            return self._averaged([one.entropy() for one in self._components], 0)
