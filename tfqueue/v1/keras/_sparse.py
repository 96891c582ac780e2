"""Sparse matrices of scipy that a model's sparse inputs are given, which TensorFlow 1's Keras fed as they are.

tf_keras makes tensors of them, for which `fit` wants a number of steps.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()


def install() -> None:
    """Has models and functions of the backend take sparse matrices."""
    model: Any = importlib.import_module("tf_keras.src.engine.training_v1").Model
    model._standardize_tensors = _as_they_are(model._standardize_tensors)
    function: Any = importlib.import_module("tf_keras.src.backend").GraphExecutionFunction
    function.__call__ = _fed(function.__call__)


def _is_sparse(value: Any) -> bool:
    return hasattr(value, "tocoo") and not _tf.is_tensor(value)


def _as_they_are(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def _standardize_tensors(self: Any, x: Any, *args: Any, **words: Any) -> Any:
        given, inputs = _tf.nest.flatten(x), _tf.nest.flatten(self.inputs)
        # The input itself stands for a matrix while it is checked.
        kept = {
            id(tensor): matrix
            for matrix, tensor in zip(given, inputs, strict=False)
            if _is_sparse(matrix) and isinstance(tensor, _tf.SparseTensor)
        }
        if not kept:
            return original(self, x, *args, **words)
        stand = [
            tensor if id(tensor) in kept else one
            for one, tensor in zip(given, inputs, strict=False)
        ]
        found, *others = original(self, _tf.nest.pack_sequence_as(x, stand), *args, **words)
        found = _tf.nest.map_structure(lambda one: kept.get(id(one), one), found)
        return found, *others

    return _standardize_tensors


def _fed(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def __call__(self: Any, inputs: Any) -> Any:
        return original(self, _tf.nest.map_structure(_value, inputs))

    return __call__


def _value(given: Any) -> Any:
    """What feeds a sparse tensor."""
    if not _is_sparse(given):
        return given
    matrix = given.tocoo()
    indices = np.stack([matrix.row, matrix.col], 1)
    return _tf.SparseTensorValue(indices, matrix.data, np.array(matrix.shape))
