"""`_pooling_function` of pooling layers, which a class derived from one had in its place up to Keras 2.2, and their bases.

`tf.keras` computes without that method. Importing this has its layers call what a class of the program has of it.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

import tfqueue.v1 as _tf
from tfqueue import release
from tfqueue._tensorflow import patches
from tfqueue.port.libraries import keras_attributes, keras_words

_keras: Any = _tf.keras
_K: Any = _keras.backend
_ORDERINGS = {"channels_last": "tf", "channels_first": "th"}
_FORMATS = {"default": None, **{old: new for new, old in _ORDERINGS.items()}}
_MODES = {"AveragePooling": "avg", "MaxPooling": "max"}


def _base(rank: int) -> Any:
    home: Any = importlib.import_module(f"tf_keras.src.layers.pooling.base_pooling{rank}d")
    return getattr(home, f"Pooling{rank}D")


def _words(padding: Any, data_format: Any) -> dict[str, Any]:
    """The last two arguments, by their names of Keras 2 or 1."""
    if release.shows_keras_1():
        return {"border_mode": padding, "dim_ordering": _ORDERINGS[data_format]}
    return {"padding": padding, "data_format": data_format}


def _of_the_layer(rank: int, mode: str) -> Callable[..., Any]:
    """The method of a layer of the library."""

    def _pooling_function(
        self: Any,
        inputs: Any,
        pool_size: Any,
        strides: Any,
        padding: str = "valid",
        data_format: str | None = None,
        *,
        border_mode: str | None = None,
        dim_ordering: str | None = None,
    ) -> Any:
        ordering = dim_ordering or data_format
        pooled = _K.pool3d if rank == 3 else _K.pool2d
        ordering = _FORMATS.get(ordering or "", ordering)
        return pooled(inputs, pool_size, strides, border_mode or padding, ordering, mode)

    return _pooling_function


def _by_its_method(original: Callable[..., Any], rank: int) -> Any:
    """`call` of a base, which asks the method of a class of the program."""

    @functools.wraps(original)
    def call(self: Any, inputs: Any) -> Any:
        method = getattr(type(self), "_pooling_function", None)
        if method is None or method.__module__ == __name__:
            return original(self, inputs)
        words = _words(self.padding, self.data_format)
        sizes = {"pool_size": self.pool_size, "strides": self.strides}
        if rank > 1:
            return self._pooling_function(inputs=inputs, **sizes, **words)
        axis = 2 if self.data_format == "channels_last" else 3
        sizes = {name: (*size, 1) for name, size in sizes.items()}
        found = self._pooling_function(inputs=_K.expand_dims(inputs, axis), **sizes, **words)
        return _K.squeeze(found, axis)

    return patches.unconverted(call)


def _made(rank: int) -> Any:
    """Keras's base of pooling layers, a class to derive from."""
    kind = _base(rank)
    size = (2,) * rank if rank > 1 else 2

    def __init__(
        self: Any,
        pool_size: Any = size,
        strides: Any = None,
        padding: str = "valid",
        data_format: str | None = None,
        **words: Any,
    ) -> None:
        data_format = _FORMATS.get(data_format or "", data_format)
        if rank == 1:
            data_format = data_format or "channels_last"
        kind.__init__(self, None, pool_size, strides, padding, data_format, **words)

    doc = f"Stands for ``keras.layers.pooling._Pooling{rank}D``."
    return type(f"_Pooling{rank}D", (kind,), {"__init__": __init__, "__doc__": doc})


def _install() -> None:
    for rank in (1, 2, 3):
        kind = _base(rank)
        kind.call = _by_its_method(kind.call, rank)
        for name, mode in _MODES.items():
            getattr(_keras.layers, f"{name}{rank}D")._pooling_function = _of_the_layer(rank, mode)


_install()
_Pooling1D, _Pooling2D, _Pooling3D = map(_made, (1, 2, 3))
keras_words.install(sys.modules[__name__])
keras_attributes.of_layers(sys.modules[__name__])
