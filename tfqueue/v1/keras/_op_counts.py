"""How many ops layers of `tf.keras` were from 1.9 on: the seeds of the random ops behind them count these.

`tfqueue.v1._op_counts` says what for. Recurrent layers are in `_recurrent_op_counts`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from tensorflow.python.framework.tensor_shape import dimension_value

from tfqueue import release
from tfqueue._tensorflow import seeds
from tfqueue.v1 import _op_counts
from tfqueue.v1._random_ops import ours


def _hidden(layer: Any, inputs: Any) -> int:
    return 3 if release.before("1.14") else 0


def _leaky(layer: Any, inputs: Any) -> int:
    return 5 if release.before("1.12") else 2 if release.before("1.13") else 0


def _enlarged(layer: Any, inputs: Any) -> int:
    """The new size was computed, also where it is known."""
    first = layer.data_format == "channels_first"
    return 4 if (inputs.shape[2:] if first else inputs.shape[1:3]).is_fully_defined() else 0


def _normalized(layer: Any, inputs: Any, training: Any) -> int:
    batch = 4 if release.before("1.13") and not release.before("1.10") else 0
    if training is None:
        return batch - 2 * bool(layer.fused)
    if not isinstance(training, (bool, int)):
        return 0  # a tensor
    return batch if training else int(bool(layer.fused))


def _of_each_time(layer: Any, inputs: Any, training: Any) -> int:
    unrolled = release.before("1.14") and dimension_value(inputs.shape[0]) is not None
    return 0 if unrolled else -2


def _convolved(layer: Any, inputs: Any) -> int:
    """A dilation that is more than 1 is an op of each call today."""
    return _op_counts.convolution(layer) - 1


_CALLS: dict[str, Callable[[Any, Any], int]] = {
    "Conv2D": _convolved,
    "Conv2DTranspose": _op_counts.transposed_convolution,
    "Conv3DTranspose": _op_counts.transposed_convolution_of_3,
    "Flatten": _op_counts.flattened,
    "LeakyReLU": _leaky,
    "Masking": _hidden,
    "UpSampling2D": _enlarged,
}
"""What a call was more."""


def _since_1_9(how_many: Callable[..., int]) -> Callable[..., int]:
    return lambda *given: 0 if release.before("1.9") else how_many(*given)


def _built(build: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """A convolution, whose op of the dilation was made with its variables."""

    @ours(build)
    def function(self: Any, input_shape: Any) -> None:
        build(self, input_shape)
        if not release.before("1.9"):
            seeds.more(1)

    return function


def _of_training(call: Callable[..., Any], how_many: Callable[..., int]) -> Callable[..., Any]:
    """A call that is told whether it is one of training."""

    @ours(call)
    def function(self: Any, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        result = call(self, inputs, training=training, mask=mask)
        seeds.more(how_many(self, inputs, training))
        return result

    return function


def _weighted(original: Callable[..., Any]) -> Callable[..., Any]:
    """The loss of an output that `compile` makes: without weights it was broadcast with 1 in 1.14 and 1.15."""

    @ours(original)
    def compute_weighted_loss(losses: Any, sample_weight: Any = None, **named: Any) -> Any:
        result = original(losses, sample_weight, **named)
        if sample_weight is None and losses.shape.rank != 0 and not release.before("1.14"):
            seeds.more(9)
        return result

    return compute_weighted_loss


def _maker(layer: Any, method: str) -> Any:
    """The class that a layer's method is of."""
    return next(each for each in layer.__mro__ if method in vars(each))


def install(layers: Any) -> None:
    """Has them count.

    Args:
        layers: The module `keras.layers`.
    """
    for name, how_many in _CALLS.items():
        owner = _maker(getattr(layers, name), "call")
        owner.call = _op_counts.of_a_layer(owner.call, _since_1_9(how_many))
    training: Any = importlib.import_module("tf_keras.src.engine.training_v1")
    compiled = training.losses_utils
    compiled.compute_weighted_loss = _weighted(compiled.compute_weighted_loss)
    convolution = _maker(layers.Conv2D, "build")
    convolution.build = _built(convolution.build)
    for kind, of_training in (
        (layers.BatchNormalization, _normalized),
        (layers.TimeDistributed, _of_each_time),
    ):
        owner = _maker(kind, "call")
        owner.call = _of_training(owner.call, _since_1_9(of_training))
