"""Names of layers and models that are given none: the first is `dense_1` in the package keras, and in `tf.keras` up to 1.8.

Since then it is `dense`, and the second `dense_1`: what a program looks up by its name would be another layer. A file
that has `tf.keras`, and of the package keras nothing that layers are made by, makes those of `tf.keras`. In Keras 1 the
first pooling layer is `maxpooling2d_1` and not `max_pooling2d_1`, and the first convolution `convolution2d_1`.
"""

from __future__ import annotations

import functools
import importlib
import linecache
import re
import sys
from collections.abc import Callable
from typing import Any

from tfqueue import release
from tfqueue._tensorflow.lines import is_library_file
from tfqueue.v1 import _call_forms

_ENGINE = "tf_keras.src.engine"
_CLASSES = (("base_layer", "Layer"), ("base_layer_v1", "Layer"), ("functional", "Functional"))
_MAKERS = r"(?:layers|models|engine|applications|legacy)\b"
_OF_KERAS = re.compile(
    rf"^\s*(?:import\s+keras\b|from\s+keras\.{_MAKERS}|from\s+keras\s+import\b.*\b(?:{_MAKERS}|Input\b|Model\b|Sequential\b))",
    re.MULTILINE,
)
_OF_TENSORFLOW = re.compile(
    r"\b(?:tf|tensorflow)\.(?:python\.|contrib\.)?keras\b|^\s*from\s+tensorflow\S*\s+import\b.*\bkeras\b",
    re.MULTILINE,
)


_OF_KERAS_1 = (
    (re.compile(r"^separableconv(?=\d)"), "separableconvolution"),
    (re.compile(r"^conv2dtranspose$"), "deconvolution2d"),
    (re.compile(r"^conv(?=\dd$)"), "convolution"),
    (re.compile(r"^_ofeach\w+$"), "batchnormalization"),
    (re.compile(r"^functional$"), "model"),
)


def install() -> None:
    """Has layers be counted from 1, where the program's release did."""
    for module, name in _CLASSES:
        kind: Any = getattr(importlib.import_module(f"{_ENGINE}.{module}"), name)
        kind._init_set_name = _from_one(kind._init_set_name)
    model: Any = importlib.import_module(f"{_ENGINE}.training").Model
    model.get_layer = _by_either_name(model.get_layer)


def _from_one(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def _init_set_name(self: Any, name: Any, zero_based: bool = True) -> None:
        from_one = name is None and _counts_from_one()
        if from_one and release.shows_keras_1():
            backend: Any = importlib.import_module("tf_keras.src.backend")
            name = backend.unique_object_name(_of_keras_1(type(self).__name__), zero_based=False)
        original(self, name, zero_based and not from_one)

    return _init_set_name


def _of_keras_1(kind: str) -> str:
    """What the name of a layer of a class began with in Keras 1.

    >>> _of_keras_1("Conv2D"), _of_keras_1("MaxPooling2D"), _of_keras_1("Conv2DTranspose")
    ('convolution2d', 'maxpooling2d', 'deconvolution2d')
    """
    name = kind.lower()
    for today, former in _OF_KERAS_1:
        name = today.sub(former, name)
    return name


def _by_either_name(original: Callable[..., Any]) -> Callable[..., Any]:
    """`get_layer`, which finds `conv2d_1` where it is `convolution2d_1`: a part of the program may be for Keras 2."""

    @functools.wraps(original)
    def get_layer(self: Any, name: Any = None, index: Any = None) -> Any:
        if release.shows_keras_1() and isinstance(name, str) and index is None:
            same = [one for one in self.layers if _former(one.name) == _former(name)]
            if len(same) == 1:
                return same[0]
        return original(self, name, index)

    return get_layer


def _former(name: str) -> str:
    """The name in Keras 1 of a layer that was given none.

    >>> _former("conv2d_1"), _former("max_pooling2d_12"), _former("convolution2d_1"), _former("my_dense")
    ('convolution2d_1', 'maxpooling2d_12', 'convolution2d_1', 'my_dense')
    """
    kind, _, number = name.rpartition("_")
    return f"{_of_keras_1(kind.replace('_', ''))}_{number}" if number.isdigit() else name


def _counts_from_one() -> bool:
    if _call_forms.reaches("1.8"):
        return True
    if not release.imports_keras():
        return False
    frame: Any = sys._getframe(2)
    while frame is not None and is_library_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame is None or not _makes_those_of_tensorflow(frame.f_code.co_filename)


@functools.cache
def _makes_those_of_tensorflow(path: str) -> bool:
    """Whether a program's file has `tf.keras`, and nothing that makes layers of the package keras."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:  # of a notebook, say
        text = "".join(linecache.getlines(path))
    return bool(_OF_TENSORFLOW.search(text)) and not _OF_KERAS.search(text)
