"""Importing this has Keras 2 do what the package keras did up to 2.2, and `tf.keras` up to some release: programs import it for that.

Loops put out their first state where a mask hides a time, `model.layers` is the list itself, Keras's session begins with all
variables, a batch counts as often as it has examples, layers take the arguments of Keras 1 (`keras_words`) and call methods of a class derived from
them (`keras_pooling`), and models have some attributes more (`keras_attributes`).
`keras.engine` and names that `tf.keras` has not are found at run time, too (`keras_parts`).
"""

import contextlib
from collections.abc import Callable
from typing import Any

import tfqueue.v1.keras as _keras
from tfqueue import release
from tfqueue.port.libraries import keras_attributes, keras_parts
from tfqueue.port.libraries import (  # noqa: F401 - for what importing them does
    keras_pooling as _keras_pooling,
)
from tfqueue.port.libraries import keras_words as _keras_words  # noqa: F401

_MODULES = "activations backend callbacks constraints initializers layers losses metrics models optimizers regularizers utils"


def _known_first(inner: str, behind: Callable[[str], Any] | None) -> Callable[[str], Any]:
    """A module's `__getattr__`: what Keras 2.2 had there, or else what it gave before."""

    def __getattr__(name: str) -> Any:
        if release.imports_keras():
            with contextlib.suppress(AttributeError):
                return keras_parts.known(inner, name)
        if behind is None:
            raise AttributeError(f"module 'keras.{inner}' has no attribute {name!r}")
        return behind(name)

    return __getattr__


release.assume_keras()
keras_attributes.of_all()
vars(_keras).update(keras_parts.HOMES)
for _name in _MODULES.split():
    _module = getattr(_keras, _name)
    vars(_module)["__getattr__"] = _known_first(_name, getattr(_module, "__getattr__", None))
