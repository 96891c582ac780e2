"""The averages of `BatchNormalization`: those of volumes, and those in a program of the package keras.

Up to 1.15 and Keras 2.2 a volume, which has five axes, had no fused op, whose variance is unbiased. In the package keras:

| | the mean and variance that predictions are made with | the variance of a batch of `n` values |
|---|---|---|
| Keras 2.1 and 2.2 | averages of the batches, corrected for how few they are | times `n / (n - 1 - epsilon)`, also where the fused op has made it unbiased |
| Keras 1 and 2.0 | begin with 0 and 1, as in `tf.keras` | as it is |

The fused op does the pictures of Keras 2.1 and 2.2 whose channels are last. What the correction needs stands in two
variables, `moving_mean/biased` and `moving_mean/local_step`, which are no weights: a model that is loaded begins anew.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release

_tf = _tensorflow.compat_v1()
_INPUTS = "_tfqueue_inputs"
"""The attribute of a layer with its inputs, while it is called."""


def install(keras: Any) -> None:
    """Has batch normalization follow its batches as in the package keras.

    Args:
        keras: The module of Keras 2.
    """
    kind = keras.layers.BatchNormalization
    kind.build = _volumes_apart(kind.build)
    kind.call = _noting_inputs(kind.call)
    kind._assign_moving_average = _assigned(kind._assign_moving_average)


def _volumes_apart(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def build(self: Any, input_shape: Any) -> None:
        if _tf.TensorShape(input_shape).rank == 5:
            self.fused = False
        original(self, input_shape)

    return build


def _noting_inputs(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def call(self: Any, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        vars(self)[_INPUTS] = inputs
        try:
            return original(self, inputs, training=training, mask=mask)
        finally:
            del vars(self)[_INPUTS]

    return call


def _assigned(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def _assign_moving_average(
        self: Any, variable: Any, value: Any, momentum: Any, inputs_size: Any
    ) -> Any:
        inputs = vars(self).get(_INPUTS)
        if inputs is None or self.renorm or not release.imports_keras():
            return original(self, variable, value, momentum, inputs_size)
        corrected = not release.shows_keras_1()
        if variable is self.moving_variance:
            value = _variance(self, value, inputs, corrected)
        if not corrected:
            return original(self, variable, value, momentum, inputs_size)
        return _corrected(variable, value, momentum, self.momentum)

    return _assign_moving_average


def _variance(self: Any, value: Any, inputs: Any, corrected: bool) -> Any:
    """The variance of a batch as the package keras had it."""
    count = _tf.cast(_tf.size(inputs) // _tf.size(value), value.dtype)
    backend: Any = importlib.import_module("tf_keras.src.backend")
    pictures = inputs.shape.rank == 4 and (3 in self.axis or backend._has_nchw_support())
    if self.fused and not (corrected and pictures):
        value *= (count - 1.0) / count  # it had no fused op there
    return value * count / (count - (1.0 + self.epsilon)) if corrected else value


def _corrected(variable: Any, value: Any, momentum: Any, usual: float) -> Any:
    """Sets a variable to the average of all values up to now.

    Args:
        momentum: How much of the average stays: all of it where the layer is not trained.
        usual: What stays in training.
    """
    sums, steps = _variables(variable)
    kept = _tf.cast(momentum, variable.dtype.base_dtype)
    trains = _tf.cast(kept < 1.0, kept.dtype)
    summed = _tf.assign_sub(sums, (sums - _tf.cast(value, sums.dtype)) * (1.0 - kept))
    counted = _tf.assign_add(steps, trains)
    found = summed / (1.0 - _tf.pow(_tf.constant(usual, kept.dtype), counted))
    return _tf.assign(variable, _tf.where_v2(trains > 0, found, variable))


def _variables(variable: Any) -> tuple[Any, Any]:
    """A sum of batches, each counting less than the next, and their number."""
    backend: Any = importlib.import_module("tf_keras.src.backend")
    found = []
    with _tf.init_scope(), _tf.name_scope(None):
        for name, shape in (("biased", variable.shape), ("local_step", ())):
            first = functools.partial(_tf.zeros, shape, variable.dtype.base_dtype)
            found.append(_tf.Variable(first, trainable=False, name=f"{variable.op.name}/{name}"))
            backend.track_variable(found[-1])
    return found[0], found[1]
