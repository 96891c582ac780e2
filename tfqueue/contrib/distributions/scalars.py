"""Distributions of numbers in `tf.contrib.distributions` that TensorFlow no longer has, and `Independent`."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from tensorflow.python.ops.distributions import util as _util

from tfqueue import _tensorflow, release
from tfqueue.contrib.distributions import families
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()
_kept = _tf.distributions
_OTHERS = "validate_args=False allow_nan_stats=True"


class OfNumbers(_kept.Distribution):
    """A distribution whose event is a number, made of tensors that are broadcast to one shape."""

    _made_of: tuple[Tensor, ...]

    def _batch_shape_tensor(self) -> Tensor:
        shapes = (_tf.shape(each) for each in self._made_of)
        return functools.reduce(_tf.broadcast_dynamic_shape, shapes)

    def _batch_shape(self) -> Any:
        return functools.reduce(_tf.broadcast_static_shape, (each.shape for each in self._made_of))

    def _event_shape_tensor(self) -> Tensor:
        return _tf.constant([], _tf.int32)

    def _event_shape(self) -> Any:
        return _tf.TensorShape([])

    def _settle(self, given: dict[str, Any], scope: str, *parts: Tensor, smooth: bool) -> None:
        self._made_of = parts
        families.settle(self, given, scope, parts[0].dtype, *parts, smooth=smooth)

    def _whole(self, value: Tensor) -> Tensor:
        """A value of some parameters, for each of a batch."""
        return value + _tf.zeros(self.batch_shape_tensor(), self.dtype)

    def _uniform(self, n: int, seed: int | None, least: float | None = None) -> Tensor:
        """Numbers below 1 for `n` draws; from the smallest normal one up, if not said."""
        shape = _tf.concat([[n], self.batch_shape_tensor()], 0)
        least = np.finfo(self.dtype.as_numpy_dtype).tiny if least is None else least
        return _tf.random_uniform(shape, least, 1.0, self.dtype, seed=seed)


for _name, _method in families.OLD_METHODS.items():
    setattr(OfNumbers, _name, _method)


class _Placed(OfNumbers):
    """A distribution with a place and a scale."""

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._loc = _tf.identity(given["loc"], "loc")
            self._scale = _tf.identity(given["scale"], "scale")
            _tf.assert_same_float_dtype([self._loc, self._scale])
        self._settle(given, scope, self._scale, self._loc, smooth=True)

    loc = property(lambda self: self._loc)
    scale = property(lambda self: self._scale)

    def _z(self, value: Tensor) -> Tensor:
        return (value - self._loc) / self._scale

    def _mode(self) -> Tensor:
        return self._whole(self._loc)


class Logistic(_Placed):
    """The logistic distribution.

    Args:
        loc: float tensor, the means.
        scale: float tensor, the scales.
        others: As for all distributions.
    """

    __init__ = constructor(f"loc scale {_OTHERS} name='Logistic'")

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        uniform = self._uniform(n, seed)
        return (_tf.log(uniform) - _tf.log1p(-uniform)) * self._scale + self._loc

    def _log_prob(self, value: Tensor) -> Tensor:
        z = self._z(value)
        return -z - 2 * _tf.nn.softplus(-z) - _tf.log(self._scale)

    def _cdf(self, value: Tensor) -> Tensor:
        return _tf.sigmoid(self._z(value))

    def _log_cdf(self, value: Tensor) -> Tensor:
        return -_tf.nn.softplus(-self._z(value))

    def _survival_function(self, value: Tensor) -> Tensor:
        return _tf.sigmoid(-self._z(value))

    def _log_survival_function(self, value: Tensor) -> Tensor:
        return -_tf.nn.softplus(self._z(value))

    def _entropy(self) -> Tensor:
        return self._whole(2 + _tf.log(self._scale))

    def _mean(self) -> Tensor:
        return self._whole(self._loc)

    def _stddev(self) -> Tensor:
        return self._whole(self._scale * math.pi / math.sqrt(3))


class Cauchy(_Placed):
    """The Cauchy distribution, which has no mean.

    Args:
        loc: float tensor, the modes.
        scale: float tensor, the scales.
        others: As for all distributions.
    """

    __init__ = constructor(f"loc scale {_OTHERS} name='Cauchy'")

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        return self._quantile(self._uniform(n, seed, 0.0))

    def _quantile(self, value: Tensor) -> Tensor:
        return self._loc + self._scale * _tf.tan(math.pi * (value - 0.5))

    def _log_prob(self, value: Tensor) -> Tensor:
        constant = math.log(math.pi) + _tf.log(self._scale)
        return -_tf.log1p(_tf.square(self._z(value))) - constant

    def _cdf(self, value: Tensor) -> Tensor:
        return _tf.atan(self._z(value)) / math.pi + 0.5

    def _entropy(self) -> Tensor:
        return self._whole(math.log(4 * math.pi) + _tf.log(self._scale))

    def _undefined(self, what: str) -> Tensor:
        if not self.allow_nan_stats:
            raise ValueError(f"`{what}` is undefined for Cauchy distribution.")
        return _tf.fill(self.batch_shape_tensor(), self.dtype.as_numpy_dtype(math.nan))

    def _mean(self) -> Tensor:
        return self._undefined("mean")

    def _stddev(self) -> Tensor:
        return self._undefined("stddev")


class HalfNormal(OfNumbers):
    """What the amount of a normal with mean 0 is.

    Args:
        scale: float tensor, the standard deviations of the normals.
        others: As for all distributions.
    """

    __init__ = constructor(f"scale {_OTHERS} name='HalfNormal'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._scale = _tf.identity(given["scale"], "scale")
        self._settle(given, scope, self._scale, smooth=True)

    scale = property(lambda self: self._scale)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        shape = _tf.concat([[n], self.batch_shape_tensor()], 0)
        return _tf.abs(_tf.random_normal(shape, dtype=self.dtype, seed=seed) * self._scale)

    def _prob(self, value: Tensor) -> Tensor:
        found = math.sqrt(2 / math.pi) / self._scale * _tf.exp(-0.5 * (value / self._scale) ** 2)
        return found * _tf.cast(value >= 0, self.dtype)

    def _cdf(self, value: Tensor) -> Tensor:
        return _tf.erf(_tf.nn.relu(value) / self._scale / math.sqrt(2))

    def _entropy(self) -> Tensor:
        return 0.5 * _tf.log(math.pi * self._scale**2 / 2) + 0.5

    def _mean(self) -> Tensor:
        return self._scale * math.sqrt(2 / math.pi)

    def _mode(self) -> Tensor:
        return _tf.zeros_like(self._scale)

    def _variance(self) -> Tensor:
        return self._scale**2 * (1 - 2 / math.pi)

    def _quantile(self, value: Tensor) -> Tensor:
        return math.sqrt(2) * self._scale * _tf.math.erfinv(value)


class InverseGamma(OfNumbers):
    """The inverse of what a gamma distribution gives.

    Args:
        concentration: float tensor.
        rate: float tensor of the same dtype.
        others: As for all distributions.
    """

    __init__ = constructor(f"concentration rate {_OTHERS} name='InverseGamma'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._concentration = _tf.identity(given["concentration"], "concentration")
            self._rate = _tf.identity(given["rate"], "rate")
            _tf.assert_same_float_dtype([self._concentration, self._rate])
        self._settle(given, scope, self._concentration, self._rate, smooth=False)

    concentration = property(lambda self: self._concentration)
    rate = property(lambda self: self._rate)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        drawn = _tf.random_gamma([n], self._concentration, self._rate, self.dtype, seed=seed)
        return 1 / drawn

    def _log_prob(self, value: Tensor) -> Tensor:
        constant = _tf.lgamma(self._concentration) - self._concentration * _tf.log(self._rate)
        return -(1 + self._concentration) * _tf.log(value) - self._rate / value - constant

    def _cdf(self, value: Tensor) -> Tensor:
        return _tf.igammac(self._concentration, self._rate / value)

    def _entropy(self) -> Tensor:
        known = self._concentration + _tf.log(self._rate) + _tf.lgamma(self._concentration)
        return known - (1 + self._concentration) * _tf.digamma(self._concentration)

    def _defined_above(self, least: float, value: Tensor, what: str) -> Tensor:
        """A moment, where the concentration is so large that there is one."""
        if not self.allow_nan_stats:
            many = _tf.constant(least, self.dtype)
            said = f"{what} undefined when any concentration <= {least:g}"
            with _tf.control_dependencies(
                [_tf.assert_less(many, self._concentration, message=said)]
            ):
                return _tf.identity(value)
        missing = _tf.constant(math.nan, self.dtype)
        return _tf.where_v2(self._concentration > least, value, missing)

    def _mean(self) -> Tensor:
        return self._defined_above(1, self._rate / (self._concentration - 1), "mean")

    def _variance(self) -> Tensor:
        below = _tf.square(self._concentration - 1) * (self._concentration - 2)
        return self._defined_above(2, _tf.square(self._rate) / below, "variance")

    def _mode(self) -> Tensor:
        return self._rate / (1 + self._concentration)


class Poisson(OfNumbers):
    """The Poisson distribution, whose draws are whole numbers in floats.

    Args:
        rate: float tensor, the means; or None.
        log_rate: float tensor, their logarithms, in place of `rate`.
        others: As for all distributions.

    Raises:
        ValueError: If both are given, or none.
        TypeError: If what is given is no float tensor.
    """

    __init__ = constructor(f"rate=None log_rate=None {_OTHERS} name='Poisson'")

    def _init_with(self, given: dict[str, Any]) -> None:
        if (given["rate"] is None) == (given["log_rate"] is None):
            raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
        [name] = [each for each in ("rate", "log_rate") if given[each] is not None]
        with _tf.name_scope(given["name"]) as scope:
            known = _tf.convert_to_tensor(given[name], name=name)
            if not known.dtype.is_floating:
                raise TypeError(f"{name}.dtype ({known.dtype.name}) is a not a float-type.")
            self._rate = known if name == "rate" else _tf.exp(known, name="rate")
            self._log_rate = known if name == "log_rate" else _tf.log(known, name="log_rate")
        self._settle(given, scope, self._rate, smooth=False)

    rate = property(lambda self: self._rate)
    log_rate = property(lambda self: self._log_rate)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        return _tf.random_poisson(self._rate, [n], self.dtype, seed=seed)

    def _log_prob(self, value: Tensor) -> Tensor:
        return value * self._log_rate - _tf.lgamma(1 + value) - self._rate

    def _cdf(self, value: Tensor) -> Tensor:
        return _tf.igammac(1 + value, self._rate)

    def _mean(self) -> Tensor:
        return _tf.identity(self._rate)

    _variance = _mean

    def _mode(self) -> Tensor:
        return _tf.floor(self._rate)


class _OfTrials(OfNumbers):
    """A distribution of trials, each of which has a probability or its log-odds."""

    def _set_trials(self, given: dict[str, Any], dtype: Any = None) -> None:
        logits, probs = given["logits"], given["probs"]
        if dtype is not None:
            logits, probs = (
                each if each is None else _tf.convert_to_tensor(each, dtype)
                for each in (logits, probs)
            )
        self._logits, self._probs = _util.get_logits_and_probs(
            logits, probs, validate_args=given["validate_args"]
        )

    logits = property(lambda self: self._logits)
    probs = property(lambda self: self._probs)


class Geometric(_OfTrials):
    """How many trials fail before the first one that does not.

    Args:
        logits: float tensor, the log-odds of a success; or None.
        probs: float tensor, its probability, in place of `logits`.
        others: As for all distributions.
    """

    __init__ = constructor(f"logits=None probs=None {_OTHERS} name='Geometric'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._set_trials(given)
        self._settle(given, scope, self._probs, smooth=False)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        return _tf.floor(_tf.log(self._uniform(n, seed)) / _tf.log1p(-self._probs))

    def _log_prob(self, value: Tensor) -> Tensor:
        value = _tf.floor(value) + _tf.zeros_like(self._probs)
        probs = self._probs + _tf.zeros_like(value)
        # With a probability of 1 the first trial succeeds: 0 times the logarithm of 0 is 0 here.
        failing = _tf.where_v2(_tf.equal(value, 0), _tf.zeros_like(probs), probs)
        return value * _tf.log1p(-failing) + _tf.log(probs)

    def _cdf(self, value: Tensor) -> Tensor:
        value = _tf.floor(value) + _tf.zeros_like(self._probs)
        found = -_tf.expm1((1 + value) * _tf.log1p(-self._probs))
        return _tf.where_v2(value < 0, _tf.zeros_like(found), found)

    def _entropy(self) -> Tensor:
        return _tf.nn.softplus(self._logits) / self._probs - self._logits

    def _mean(self) -> Tensor:
        return _tf.exp(-self._logits)

    def _variance(self) -> Tensor:
        return self._mean() / self._probs

    def _mode(self) -> Tensor:
        return _tf.zeros(self.batch_shape_tensor(), self.dtype)


class NegativeBinomial(_OfTrials):
    """How many trials succeed before so many have failed.

    Args:
        total_count: float tensor, how many fail.
        logits: float tensor, the log-odds of a success; or None.
        probs: float tensor, its probability, in place of `logits`.
        others: As for all distributions.
    """

    __init__ = constructor(f"total_count logits=None probs=None {_OTHERS} name='NegativeBinomial'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._set_trials(given)
            self._total_count = _tf.identity(given["total_count"])
        self._settle(given, scope, self._probs, self._total_count, smooth=False)

    total_count = property(lambda self: self._total_count)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        rate = _tf.random_gamma(
            [n], self._total_count, _tf.exp(-self._logits), self.dtype, seed=seed
        )
        seed = _util.gen_new_seed(seed, "negative_binom")
        return _tf.random_poisson(rate, [], self.dtype, seed=seed)

    def _log_prob(self, value: Tensor) -> Tensor:
        ways = _tf.lgamma(self._total_count + value) - _tf.lgamma(1 + value)
        ways -= _tf.lgamma(self._total_count)
        fails = self._total_count * _tf.log_sigmoid(-self._logits)
        return fails + value * _tf.log_sigmoid(self._logits) + ways

    def _cdf(self, value: Tensor) -> Tensor:
        count, after = self._whole(self._total_count), self._whole(1 + value)
        return _tf.betainc(count, after, self._whole(_tf.sigmoid(-self._logits)))

    def _mean(self) -> Tensor:
        return self._total_count * _tf.exp(self._logits)

    def _variance(self) -> Tensor:
        return self._mean() / _tf.sigmoid(-self._logits)

    def _mode(self) -> Tensor:
        return _tf.floor(_tf.nn.relu(self._total_count - 1) * _tf.exp(self._logits))


class Binomial(_OfTrials):
    """How many of some trials succeed; nothing can be drawn of it.

    Args:
        total_count: float tensor, how many trials there are.
        logits: float tensor, the log-odds of a success; or None.
        probs: float tensor, its probability, in place of `logits`.
        others: As for all distributions.
    """

    __init__ = constructor(f"total_count logits=None probs=None {_OTHERS} name='Binomial'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._total_count = _tf.convert_to_tensor(given["total_count"], name="total_count")
            self._set_trials(given, self._total_count.dtype)
        self._settle(given, scope, self._probs, self._total_count, smooth=False)

    total_count = property(lambda self: self._total_count)

    def _log_prob(self, value: Tensor) -> Tensor:
        rest = self._total_count - value
        ways = _tf.lgamma(1 + self._total_count) - _tf.lgamma(1 + rest) - _tf.lgamma(1 + value)
        return value * _tf.log(self._probs) + rest * _tf.log1p(-self._probs) + ways

    def _cdf(self, value: Tensor) -> Tensor:
        value, count = self._whole(value), self._whole(self._total_count)
        is_below = value < count
        # Where all that can be has been counted, there is no such integral.
        rest = _tf.where_v2(is_below, count - value, _tf.ones_like(count))
        found = _tf.betainc(rest, value + 1, self._whole(1 - self._probs))
        return _tf.where_v2(is_below, found, _tf.ones_like(found))

    def _mean(self) -> Tensor:
        return self._total_count * self._probs

    def _variance(self) -> Tensor:
        return self._mean() * (1 - self._probs)

    def _mode(self) -> Tensor:
        return _tf.floor((1 + self._total_count) * self._probs)


class Chi2(families.Gamma):
    """The sum of squares of normal numbers: a gamma distribution.

    Args:
        df: float tensor, how many numbers.
        others: As for all distributions.
    """

    __init__ = constructor(f"df {_OTHERS} name='Chi2'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._df = _tf.convert_to_tensor(given.pop("df"), name="df")
            half = _tf.constant(0.5, self._df.dtype)
            super().__init__(half * self._df, half, **{**given, "name": scope})

    df = property(lambda self: self._df)


class Chi2WithAbsDf(Chi2):
    """`Chi2` of the whole part of a number without its sign."""

    __init__ = constructor(f"df {_OTHERS} name='Chi2WithAbsDf'")

    def _init_with(self, given: dict[str, Any]) -> None:
        super()._init_with({**given, "df": _tf.floor(_tf.abs(given["df"]))})


class RelaxedBernoulli(_OfTrials):
    """A number near 0 or 1, which has a gradient.

    Args:
        temperature: float; the lower, the nearer.
        logits: float tensor, the log-odds of 1; or None.
        probs: float tensor, its probability, in place of `logits`.
        others: As for all distributions.
    """

    __init__ = constructor(f"temperature logits=None probs=None {_OTHERS} name='RelaxedBernoulli'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._temperature = _tf.identity(given["temperature"], "temperature")
            self._set_trials(given)
            scales = self._logits / self._temperature, 1 / self._temperature
            self._before = Logistic(*scales, given["validate_args"], given["allow_nan_stats"])
        self._settle(given, scope, *scales, smooth=True)

    temperature = property(lambda self: self._temperature)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        return _tf.sigmoid(self._before.sample(n, seed))

    def _log_prob(self, value: Tensor) -> Tensor:
        log, other = _tf.log(value), _tf.log1p(-value)
        return self._before.log_prob(log - other) - log - other

    def _cdf(self, value: Tensor) -> Tensor:
        return self._before.cdf(_tf.log(value) - _tf.log1p(-value))


class Deterministic(OfNumbers):
    """One number, with certainty.

    Args:
        loc: Tensor, the number.
        atol: Tensor, by how much a value may be apart; 0 if None.
        rtol: Tensor, the same as a part of `loc`; 0 if None.
        others: As for all distributions.
    """

    __init__ = constructor(f"loc atol=None rtol=None {_OTHERS} name='Deterministic'")

    def _init_with(self, given: dict[str, Any]) -> None:
        with _tf.name_scope(given["name"]) as scope:
            self._loc = _tf.convert_to_tensor(given["loc"], name="loc")
            self._atol, self._rtol = (
                _tf.convert_to_tensor(0 if given[each] is None else given[each], self._loc.dtype)
                for each in ("atol", "rtol")
            )
        self._settle(given, scope, self._loc, smooth=False)

    loc = property(lambda self: self._loc)
    atol = property(lambda self: self._atol)
    rtol = property(lambda self: self._rtol)

    def _slack(self) -> Tensor:
        return self._atol + self._rtol * _tf.abs(self._loc)

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        shape = _tf.concat([[n], _tf.shape(self._loc)], 0)
        return _tf.broadcast_to(self._loc, shape)

    def _prob(self, value: Tensor) -> Tensor:
        return _tf.cast(_tf.abs(value - self._loc) <= self._slack(), self.dtype)

    def _cdf(self, value: Tensor) -> Tensor:
        return _tf.cast(value >= self._loc - self._slack(), self.dtype)

    def _entropy(self) -> Tensor:
        return _tf.zeros(self.batch_shape_tensor(), self.dtype)

    def _mean(self) -> Tensor:
        return _tf.identity(self._loc)

    _mode = _mean

    def _variance(self) -> Tensor:
        return _tf.zeros_like(self._loc)


class Independent(_kept.Distribution):
    """A distribution whose last axes of a batch are axes of an event.

    Args:
        distribution: The distribution.
        reinterpreted_batch_ndims: int, how many axes; all but the first if None; the last
            one, up to 1.4.
        validate_args: Not used.
        name: Name of the ops.

    Raises:
        ValueError: If the batch has fewer axes, or its number of axes is not known.
    """

    __init__ = constructor(
        "distribution reinterpreted_batch_ndims=None validate_args=False name=None"
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        made, axes = given["distribution"], given["reinterpreted_batch_ndims"]
        ndims = made.batch_shape.ndims
        if ndims is None:
            raise ValueError(
                "Independent needs a distribution whose batch has a known number of axes."
            )
        if axes is None:
            axes = 1 if release.before("1.5") else max(0, ndims - 1)
        axes = int(_tf.get_static_value(axes))
        if axes > ndims:
            raise ValueError(
                f"reinterpreted_batch_ndims({axes}) cannot exceed distribution.batch_ndims({ndims})"
            )
        self._distribution, self._axes, self._apart = made, axes, ndims - axes
        with _tf.name_scope(given["name"] or f"Independent{made.name}") as scope:
            pass
        smooth = made.reparameterization_type == _kept.FULLY_REPARAMETERIZED
        families.settle(
            self,
            {**given, "allow_nan_stats": made.allow_nan_stats},
            scope,
            made.dtype,
            smooth=smooth,
        )

    distribution = property(lambda self: self._distribution)
    reinterpreted_batch_ndims = property(lambda self: self._axes)

    def _batch_shape_tensor(self) -> Tensor:
        return self._distribution.batch_shape_tensor()[: self._apart]

    def _batch_shape(self) -> Any:
        return self._distribution.batch_shape[: self._apart]

    def _event_shape_tensor(self) -> Tensor:
        moved = self._distribution.batch_shape_tensor()[self._apart :]
        return _tf.concat([moved, self._distribution.event_shape_tensor()], 0)

    def _event_shape(self) -> Any:
        moved = self._distribution.batch_shape[self._apart :]
        return moved.concatenate(self._distribution.event_shape)

    def _added(self, values: Tensor) -> Tensor:
        return _tf.reduce_sum(values, [-1 - each for each in range(self._axes)])

    def _sample_n(self: Any, n: int, seed: int | None = None) -> Tensor:
        return self._distribution.sample(n, seed)

    def _log_prob(self, value: Tensor) -> Tensor:
        return self._added(self._distribution.log_prob(value))

    def _entropy(self) -> Tensor:
        return self._added(self._distribution.entropy())

    def _mean(self) -> Tensor:
        return self._distribution.mean()

    def _variance(self) -> Tensor:
        return self._distribution.variance()

    def _stddev(self) -> Tensor:
        return self._distribution.stddev()

    def _mode(self) -> Tensor:
        return self._distribution.mode()


@_kept.RegisterKL(Independent, Independent)
def _kl_of_independent(one: Any, other: Any, name: str | None = None) -> Tensor:
    if one.event_shape != other.event_shape or one._axes != other._axes:
        raise ValueError("Event shapes do not match.")
    with _tf.name_scope(name or "kl_independent"):
        return one._added(_kept.kl_divergence(one.distribution, other.distribution))
