"""`tf.layers`: TensorFlow 1's layers without Keras 3 in the way.

TensorFlow still carries these classes and hides them where Keras 3 is
installed. Here they are again, without its warnings, and as functions;
batch normalization, which it dropped, is our own (`_batch_norm`).
"""

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import numpy as np
from tensorflow.python.keras.engine import input_spec
from tensorflow.python.keras.legacy_tf_layers import base as _base
from tensorflow.python.keras.legacy_tf_layers import convolutional as _convolutional
from tensorflow.python.keras.legacy_tf_layers import core as _core
from tensorflow.python.keras.legacy_tf_layers import pooling as _pooling
from tensorflow.python.keras.utils import conv_utils as _conv_utils

from tfqueue.v1 import _batch_norm, _layer_base, _lazy_names

Layer = _batch_norm.Layer
InputSpec = input_spec.InputSpec
experimental = types.SimpleNamespace(
    keras_style_scope=_base.keras_style_scope, set_keras_style=_base.set_keras_style
)

_CLASSES = {
    "dense": _core.Dense,
    "dropout": _core.Dropout,
    "flatten": _core.Flatten,
    "conv1d": _convolutional.Conv1D,
    "conv2d": _convolutional.Conv2D,
    "conv3d": _convolutional.Conv3D,
    "separable_conv1d": _convolutional.SeparableConv1D,
    "separable_conv2d": _convolutional.SeparableConv2D,
    "conv2d_transpose": _convolutional.Conv2DTranspose,
    "conv3d_transpose": _convolutional.Conv3DTranspose,
    "average_pooling1d": _pooling.AveragePooling1D,
    "average_pooling2d": _pooling.AveragePooling2D,
    "average_pooling3d": _pooling.AveragePooling3D,
    "max_pooling1d": _pooling.MaxPooling1D,
    "max_pooling2d": _pooling.MaxPooling2D,
    "max_pooling3d": _pooling.MaxPooling3D,
}
"""The function's name, and TensorFlow's class for it."""


def _function(name: str, signature: inspect.Signature, layer: Any) -> Callable[..., Any]:
    """The function `tf.layers.<name>`: makes the layer and calls it.

    Args:
        signature: Its arguments.
        layer: Our class.
    """

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(bound.arguments)
        inputs = given.pop("inputs")
        call = {"training": given.pop("training")} if "training" in given else {}
        if "reuse" in given:
            given["_reuse"] = given.pop("reuse")
            given["_scope"] = given["name"]
        return layer(**given)(inputs, **call)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    vars(function)["__signature__"] = signature
    function.__doc__ = (
        f"Makes the layer `tf.layers.{layer.__name__}` and calls it (`tf.layers.{name}`).\n\n"
        "    Arguments are those of TensorFlow 1.15.\n    "
    )
    return function


def _take_numpy_integers() -> None:
    """Lets sizes and strides be whole numbers of numpy's, which were Python 2's own on most machines."""
    former = _conv_utils.normalize_tuple

    @functools.wraps(former)
    def normalize_tuple(value: Any, *args: Any, **kwargs: Any) -> Any:
        return former(int(value) if isinstance(value, np.integer) else value, *args, **kwargs)

    _conv_utils.normalize_tuple = normalize_tuple


def _export() -> dict[str, Any]:
    names = {}
    for name, original in _CLASSES.items():
        layer = _layer_base.subclass(original, "layer tf.layers.", __name__, Layer)
        names[original.__name__] = layer
        module = next(m for m in (_core, _convolutional, _pooling) if hasattr(m, name))
        signature = inspect.signature(inspect.unwrap(getattr(module, name)))
        names[name] = _function(name, signature, layer)
    return names


_take_numpy_integers()
globals().update(_export())

BatchNormalization = _batch_norm.BatchNormalization
batch_normalization = _function(
    "batch_normalization", _batch_norm.function_signature(), BatchNormalization
)

__all__ = sorted(
    [
        *_CLASSES,
        *(original.__name__ for original in _CLASSES.values()),
        "BatchNormalization",
        "InputSpec",
        "Layer",
        "batch_normalization",
        "experimental",
    ]
)
__getattr__ = _lazy_names.attributes(__name__, {})[0]
