"""Names of layers and models that are given none: the first is `dense_1` in the package keras, and in `tf.keras` up to 1.8.

Since then it is `dense`, and the second `dense_1`: what a program looks up by its name would be another layer.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tfqueue.v1 import _call_forms

_ENGINE = "tf_keras.src.engine"
_CLASSES = (("base_layer", "Layer"), ("base_layer_v1", "Layer"), ("functional", "Functional"))


def install() -> None:
    """Has layers be counted from 1, where the program's release did."""
    for module, name in _CLASSES:
        kind: Any = getattr(importlib.import_module(f"{_ENGINE}.{module}"), name)
        kind._init_set_name = _from_one(kind._init_set_name)


def _from_one(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def _init_set_name(self: Any, name: Any, zero_based: bool = True) -> None:
        original(self, name, zero_based and not _call_forms.reaches("1.8", keras=True))

    return _init_set_name
