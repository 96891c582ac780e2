"""Layers of Keras 2 with `data_format="channels_first"` where there is no GPU.

The package keras of TensorFlow 1's day had the channels last on a CPU, whose kernels take nothing else,
and put them back behind the op. `tf.keras` ends in TensorFlow's error there, with 1.15 as well.
"""

import functools
import importlib
from typing import Any

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()
_CLASSES = {
    "convolutional.base_conv": "Conv",
    "convolutional.separable_conv2d": "SeparableConv2D",
    "pooling.base_pooling2d": "Pooling2D",
}
_FORMATS = {3: "NWC", 4: "NHWC", 5: "NDHWC"}
# what a layer asks while it computes; its activation may be one over an axis, such as softmax
_LAST = {"data_format": "channels_last", "_channels_first": False, "activation": None}


def install() -> None:
    """Has convolutions and poolings of tf_keras run anywhere."""
    for home, name in _CLASSES.items():
        cls = getattr(importlib.import_module(f"tf_keras.src.layers.{home}"), name)
        cls.call = _with_channels_last(cls.call)


def _with_channels_last(original: Any) -> Any:
    backend = importlib.import_module("tf_keras.src.backend")

    @functools.wraps(original)
    def call(self: Any, inputs: Any) -> Any:
        rank = inputs.shape.rank
        if self.data_format != "channels_first" or rank not in _FORMATS:
            return original(self, inputs)
        if backend._has_nchw_support():
            return original(self, inputs)
        held = vars(self)
        own = {**_LAST, "_tf_data_format": _FORMATS[rank]}
        kept = {name: held[name] for name in own if name in held}
        held.update({name: own[name] for name in kept})
        try:
            found = original(self, _tf.transpose(inputs, [0, *range(2, rank), 1]))
        finally:
            held.update(kept)
        found = _tf.transpose(found, [0, rank - 1, *range(1, rank - 1)])
        activation = kept.get("activation")
        return found if activation is None else activation(found)

    return call
