"""Distributions of vectors in `tf.contrib.distributions` that TensorFlow no longer has."""

import math
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.distributions import families
from tfqueue.v1._types import DType, Tensor

_tf = _tensorflow.compat_v1()
_kept = _tf.distributions

__all__ = [
    "MixtureSameFamily",
    "MultivariateNormalDiagWithSoftplusScale",
    "MultivariateNormalFullCovariance",
    "MultivariateNormalTriL",
    "OneHotCategorical",
    "RelaxedOneHotCategorical",
]


class MultivariateNormalDiagWithSoftplusScale(families.MultivariateNormalDiag):
    """A diagonal normal whose standard deviations are the softplus of what is given.

    Args:
        loc: As for `MultivariateNormalDiag`.
        scale_diag: float tensor of shape `[..., k]`.
        validate_args: Not used.
        allow_nan_stats: As for all distributions.
        name: Of the ops.
    """

    def __init__(
        self,
        loc: Tensor,
        scale_diag: Tensor,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:
        with _tf.name_scope(name):
            scale_diag = _tf.nn.softplus(scale_diag)
        super().__init__(loc, scale_diag, None, validate_args, allow_nan_stats, name)


class _OfVectors(_kept.Distribution):
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

    def _log_prob(self, value: Tensor) -> Tensor:
        raise NotImplementedError

    def _prob(self, value: Tensor) -> Tensor:
        return _tf.exp(self._log_prob(value))


class MultivariateNormalTriL(_OfVectors):
    """A normal with the lower triangle of a square root of its covariance.

    Args:
        loc: Means, float tensor of shape `[..., k]`; zeros when None.
        scale_tril: `[..., k, k]`, of which the lower triangle is used; the identity when None.
        validate_args: Not used.
        allow_nan_stats: As for all distributions.
        name: Of the ops.

    Raises:
        ValueError: If no parameter tells the number of components.
    """

    def __init__(
        self,
        loc: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalTriL",
    ) -> None:
        parameters = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with _tf.name_scope(name) as scope:
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
        super().__init__(
            dtype=self._scale.dtype,
            reparameterization_type=_kept.FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._like, self._scale],
            name=scope,
        )

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

    def _stddev(self) -> Tensor:
        return _tf.sqrt(self._variance())


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """A normal with its covariance.

    Args:
        loc: As for `MultivariateNormalTriL`.
        covariance_matrix: `[..., k, k]`, symmetric and positive definite; the identity when None.
        validate_args: Not used.
        allow_nan_stats: As for all distributions.
        name: Of the ops.
    """

    def __init__(
        self,
        loc: Tensor | None = None,
        covariance_matrix: Tensor | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ) -> None:
        scale = covariance_matrix
        with _tf.name_scope(name):
            if scale is not None:
                scale = _tf.cholesky(_tf.convert_to_tensor(scale, name="covariance_matrix"))
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)


def _logits(logits: Tensor | None, probs: Tensor | None, dtype: DType | None = None) -> Tensor:
    if (logits is None) == (probs is None):
        raise ValueError("Must pass probs or logits, but not both.")
    if logits is not None:
        return _tf.convert_to_tensor(logits, dtype, name="logits")
    return _tf.log(_tf.convert_to_tensor(probs, dtype, name="probs"))


class OneHotCategorical(_OfVectors):
    """A class as a vector with one 1.

    Args:
        logits: float tensor of shape `[..., k]`.
        probs: `[..., k]`, in place of `logits`.
        dtype: Of what is drawn.
        validate_args: Not used.
        allow_nan_stats: As for all distributions.
        name: Of the ops.
    """

    def __init__(
        self,
        logits: Tensor | None = None,
        probs: Tensor | None = None,
        dtype: DType = _tf.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with _tf.name_scope(name) as scope:
            self._like = _logits(logits, probs)
        super().__init__(
            dtype=dtype,
            reparameterization_type=_kept.NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._like],
            name=scope,
        )

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


class RelaxedOneHotCategorical(_OfVectors):
    """A class as a vector near one with one 1, which has a gradient (Gumbel-softmax).

    Args:
        temperature: float; the lower, the nearer.
        logits: float tensor of shape `[..., k]`.
        probs: `[..., k]`, in place of `logits`.
        validate_args: Not used.
        allow_nan_stats: As for all distributions.
        name: Of the ops.
    """

    def __init__(
        self,
        temperature: Tensor | float,
        logits: Tensor | None = None,
        probs: Tensor | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with _tf.name_scope(name) as scope:
            self._like = _logits(logits, probs)
            self._temperature = _tf.convert_to_tensor(temperature, self._like.dtype)
        super().__init__(
            dtype=self._like.dtype,
            reparameterization_type=_kept.FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[self._like, self._temperature],
            name=scope,
        )

    temperature = property(lambda self: self._temperature)
    logits = property(lambda self: self._like)
    probs = property(lambda self: _tf.nn.softmax(self._like))

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        shape = _tf.concat([[n], _tf.shape(self._like)], 0)
        least = self._like.dtype.as_numpy_dtype(1e-38)
        uniform = _tf.random_uniform(shape, least, 1.0, self._like.dtype, seed=seed)
        noisy = self._like - _tf.log(-_tf.log(uniform))
        return _tf.nn.softmax(noisy / self._temperature)

    def _log_prob(self, value: Tensor) -> Tensor:
        many = _tf.cast(_tf.shape(self._like)[-1], self.dtype)
        logs = _tf.log(value)
        weighed = _tf.nn.log_softmax(self._like - self._temperature * logs)
        constant = _tf.lgamma(many) + (many - 1) * _tf.log(self._temperature)
        return constant + _tf.reduce_sum(weighed - logs, -1)


class MixtureSameFamily(_kept.Distribution):
    """A mixture of the distributions along the last axis of a batch.

    Args:
        mixture_distribution: A `Categorical`, whose classes are the components.
        components_distribution: A distribution, the last axis of whose batch is the components.
        validate_args: Not used.
        allow_nan_stats: As for all distributions.
        name: Of the ops.
    """

    def __init__(
        self,
        mixture_distribution: Any,
        components_distribution: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:
        parameters = dict(locals())
        self._mixture, self._components = mixture_distribution, components_distribution
        self._rank = components_distribution.event_shape.ndims
        with _tf.name_scope(name) as scope:
            pass
        super().__init__(
            dtype=components_distribution.dtype,
            reparameterization_type=_kept.NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[],
            name=scope,
        )

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

    def _prob(self, value: Tensor) -> Tensor:
        return _tf.exp(self._log_prob(value))

    def _mean(self) -> Tensor:
        return self._averaged(self._components.mean())

    def _variance(self) -> Tensor:
        squares = _tf.square(self._components.mean()) + self._components.variance()
        return self._averaged(squares) - _tf.square(self._mean())

    def _stddev(self) -> Tensor:
        return _tf.sqrt(self._variance())
