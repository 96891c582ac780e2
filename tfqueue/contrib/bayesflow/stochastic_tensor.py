"""`tf.contrib.bayesflow.stochastic_tensor`: tensors that stand for a distribution.

A program takes one where it would take a tensor: it is a sample of its distribution, or the mean.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue import _tensorflow
from tfqueue.contrib.bayesflow import stochastic_gradient_estimators as sge
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1 import _call_forms
from tfqueue.v1._types import DType, Name, Shape, Tensor

_tf = _tensorflow.compat_v1()
_kept = _tf.distributions

__all__ = [
    "BaseStochasticTensor",
    "MeanValue",
    "ObservedStochasticTensor",
    "SampleValue",
    "StochasticTensor",
    "get_current_value_type",
    "value_type",
]
STOCHASTIC_TENSOR_COLLECTION = "_stochastic_tensor_collection_"


class BaseStochasticTensor:
    """What can be converted to a tensor, its `value()` (`...stochastic_tensor.BaseStochasticTensor`).

    A class derived from it has `name`, `dtype`, `graph`, `value(name)` and `loss(sample_loss)`.
    """

    def __init__(self) -> None:
        _tf.add_to_collection(STOCHASTIC_TENSOR_COLLECTION, self)

    def value(self, name: Name = None) -> Tensor:
        """The tensor that it is."""
        raise NotImplementedError

    def loss(self, sample_loss: Tensor) -> Tensor | None:
        """What `surrogate_loss` adds for it.

        Args:
            sample_loss: The losses that depend on it, without a gradient.
        """
        raise NotImplementedError


def _converted(value: Any, dtype: DType = None, name: Name = None, as_ref: bool = False) -> Tensor:
    found = value.value()
    if dtype is not None and not dtype.is_compatible_with(found.dtype):
        raise ValueError(f"{value.name} is of {found.dtype.name}, not of {dtype.name}")
    if as_ref:
        raise ValueError(f"{value.name} is no variable")
    return found


_tf.register_tensor_conversion_function(BaseStochasticTensor, _converted)


class _StochasticValueType:
    stop_gradient = False

    def pushed_above(self, _: Any) -> None:
        """Called where another one holds within this one."""

    def popped_above(self, _: Any) -> None:
        """Called where that ends."""


class MeanValue(_StochasticValueType):
    """The value is the distribution's mean (`...stochastic_tensor.MeanValue`).

    Args:
        stop_gradient: Whether the mean has no gradient.
    """

    def __init__(self, stop_gradient: bool = False) -> None:
        self.stop_gradient = stop_gradient


class SampleValue(_StochasticValueType):
    """The value is drawn: `distribution.sample(shape)` (`...stochastic_tensor.SampleValue`).

    Args:
        shape: Of the samples, in front of the shape of each; `n` up to 0.11, where it was 1 if not given.
        stop_gradient: Whether the samples have no gradient.
    """

    def __init__(
        self, shape: Shape = None, stop_gradient: bool = False, n: int | None = None
    ) -> None:
        self._given = n if shape is None else shape
        self.stop_gradient = stop_gradient

    @property
    def shape(self) -> Shape:
        """The shape of the samples."""
        return () if self._given is None else self._given


_stacks = threading.local()


def _stack() -> list[_StochasticValueType]:
    return vars(_stacks).setdefault("values", [])


@contextlib.contextmanager
def value_type(dist_value_type: _StochasticValueType) -> Iterator[None]:
    """What the tensors that are made within are (`...stochastic_tensor.value_type`).

    Args:
        dist_value_type: A `MeanValue` or a `SampleValue`.

    Raises:
        TypeError: If it is neither.
    """
    if not isinstance(dist_value_type, _StochasticValueType):
        raise TypeError(f"{dist_value_type!r} is no MeanValue and no SampleValue")
    stack = _stack()
    if stack:
        stack[-1].pushed_above(dist_value_type)
    stack.append(dist_value_type)
    try:
        yield
    finally:
        stack.pop()
        if stack:
            stack[-1].popped_above(dist_value_type)


class NoValueTypeSetError(ValueError):
    """No `value_type` surrounds the call."""


def get_current_value_type() -> _StochasticValueType:
    """The innermost `value_type` of this thread (`...stochastic_tensor.get_current_value_type`).

    Raises:
        NoValueTypeSetError: If there is none.
    """
    if not _stack():
        raise NoValueTypeSetError("No `with value_type(...)` surrounds this call.")
    return _stack()[-1]


def _is_smooth(dist: Any) -> bool:
    """Whether samples had a gradient, in the releases that had this module; more have one today."""
    if isinstance(dist, _kept.StudentT) and _call_forms.reaches("1.0"):
        raise GoneArgumentError(
            "tf.contrib.bayesflow.stochastic_tensor.StochasticTensor of a StudentT",
            "1.1",
            "its samples have a gradient with respect to df today",
        )
    if isinstance(dist, _kept.Exponential):
        return _call_forms.reaches("1.0")
    if isinstance(dist, (_kept.Beta, _kept.Dirichlet, _kept.Gamma, _kept.StudentT)):
        return False
    return bool(dist.reparameterization_type == _kept.FULLY_REPARAMETERIZED)


def _distribution(dist: Any, arguments: dict[str, Any]) -> Any:
    made = dist(**arguments) if isinstance(dist, type) else dist
    if not isinstance(made, _kept.Distribution) or (arguments and made is dist):
        raise TypeError(f"{dist!r} with {sorted(arguments)} is no distribution")
    return made


class StochasticTensor(BaseStochasticTensor):
    """A tensor of a distribution, always the same sample of it (`...stochastic_tensor.StochasticTensor`).

    Args:
        dist: The distribution; up to 0.11 its class, and its arguments by name.
        name: Of the scope of its ops.
        dist_value_type: A `MeanValue` or a `SampleValue`; what `value_type` says if None, or else one sample.
        loss_fn: Called with this tensor, its value and the loss that depends on it, where samples have
            no gradient: the term that `surrogate_loss` adds. None for no term.

    Raises:
        TypeError: If `dist` is no distribution, or `loss_fn` can't be called.

    >>> import tfqueue.v1 as tf
    >>> st = tf.contrib.bayesflow.stochastic_tensor
    >>> with tf.Graph().as_default(), st.value_type(st.SampleValue(4)):
    ...     print((st.StochasticTensor(tf.distributions.Normal([0.0, 1.0], 1.0)) + tf.ones([2])).shape)
    (4, 2)
    """

    def __init__(
        self,
        dist: Any,
        name: Name = None,
        dist_value_type: _StochasticValueType | None = None,
        loss_fn: Callable[..., Tensor] | None = sge.score_function,
        **dist_args: Any,
    ) -> None:
        if dist_value_type is not None:
            with value_type(dist_value_type):
                self.value_type = get_current_value_type()
        else:
            self.value_type = _stack()[-1] if _stack() else SampleValue(())
        if loss_fn is not None and not callable(loss_fn):
            raise TypeError("loss_fn must be callable")
        self._loss_fn = loss_fn
        with _tf.name_scope(name or "StochasticTensor") as scope:
            self.name = scope
            self.distribution = _distribution(dist, dist_args)
            self._value = self._made(isinstance(dist, type))
        super().__init__()

    def _made(self, of_class: bool) -> Tensor:
        kind = self.value_type
        if isinstance(kind, MeanValue):
            value = self.distribution.mean()
            return _tf.stop_gradient(value) if kind.stop_gradient else value
        if not isinstance(kind, SampleValue):
            raise TypeError(f"{kind!r} is no MeanValue and no SampleValue")
        shape = 1 if of_class and kind._given is None else kind.shape
        smooth = _is_smooth(self.distribution) and not kind.stop_gradient
        value = self.distribution.sample(shape)
        return value if smooth else _tf.stop_gradient(value)

    graph = property(lambda self: self._value.graph)
    dtype = property(lambda self: self.distribution.dtype)

    def entropy(self, name: Name = "entropy") -> Tensor:
        """That of the distribution."""
        return self.distribution.entropy(name=name)

    def mean(self, name: Name = "mean") -> Tensor:
        """That of the distribution."""
        return self.distribution.mean(name=name)

    def value(self, name: Name = "value") -> Tensor:
        """The sample, or the mean."""
        return self._value

    def loss(self, final_loss: Tensor, name: Name = "Loss") -> Tensor | None:
        """What `loss_fn` gives for the loss that depends on this tensor; None where gradients need no term."""
        stopped = self.value_type.stop_gradient
        if self._loss_fn is None or (not stopped and isinstance(self.value_type, MeanValue)):
            return None
        if not stopped and _is_smooth(self.distribution):
            return None
        with _tf.name_scope(self.name, values=[final_loss]), _tf.name_scope(name):
            return self._loss_fn(self, self._value, final_loss)


class ObservedStochasticTensor(StochasticTensor):
    """A tensor of a distribution that has a value (`...stochastic_tensor.ObservedStochasticTensor`).

    Args:
        dist: The distribution; up to 0.11 its class, and its arguments by name.
        value: Tensor of its dtype, which ends in the shape of one sample.

    Raises:
        TypeError: If `dist` is no distribution.
        ValueError: If `value` does not fit it.
    """

    def __init__(self, dist: Any, value: Tensor, name: Name = None, **dist_args: Any) -> None:
        with _tf.name_scope(name, "ObservedStochasticTensor", [value]) as scope:
            self.name = scope
            self.distribution = made = _distribution(dist, dist_args)
            value = _tf.convert_to_tensor(value)
            one = made.batch_shape.concatenate(made.event_shape)
            if not value.shape.is_compatible_with(one):
                beyond = value.shape.rank - one.rank
                if beyond < 0 or not value.shape[beyond:].is_compatible_with(one):
                    raise ValueError(f"a value of shape {value.shape} for samples of {one}")
            if value.dtype != made.dtype:
                raise ValueError(f"a value of {value.dtype.name} for samples of {made.dtype.name}")
            self._value = _tf.identity(value)
        BaseStochasticTensor.__init__(self)

    def loss(self, final_loss: Tensor, name: Name = None) -> None:
        """None: what is observed adds nothing."""
