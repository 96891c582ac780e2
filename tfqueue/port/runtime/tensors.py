"""Tensors in calls of numpy, and the classes of TensorFlow's objects."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

__all__ = [
    "class_name",
    "class_of",
    "of_tensors",
]


def of_tensors(function: Callable[..., Any], *args: Any, **words: Any) -> Any:
    """Calls a function of numpy, which takes a tensor for one object as with TensorFlow 1.

    A list of tensors is an array of objects, so that ``np.sum([loss, penalty])`` is their sum.

    Args:
        function: The function, such as ``np.sum``.
        **words: Those by name.

    >>> import numpy as np
    >>> int(of_tensors(np.sum, [1, 2]))
    3
    """
    if function.__name__ == "shape" and is_tensor(args[0]):
        return function(*args, **words)  # its own, which numpy asks for first
    return function(*(objects(arg) if has_tensor(arg) else arg for arg in args), **words)


def has_tensor(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(has_tensor, value))
    return is_tensor(value)


def is_tensor(value: Any) -> bool:
    return hasattr(value, "op") and hasattr(value, "consumers")


def objects(value: Any) -> Any:
    """An array of the objects in lists, as deep as all lists have one length."""
    import numpy as np

    shape = _shape(value)
    array = np.empty(shape, object)
    for index in np.ndindex(*shape):
        array[index] = functools.reduce(operator.getitem, index, value)
    return array


def _shape(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        return getattr(value, "shape", ()) if type(value).__module__ == "numpy" else ()
    inner = [_shape(one) for one in value]
    common = itertools.takewhile(lambda sizes: len(set(sizes)) == 1, zip(*inner, strict=False))
    return len(value), *(sizes[0] for sizes in common)


def class_of(value: Any) -> type:
    """Stands for ``type(value)`` beside `tf.Variable`, which up to TensorFlow 1.10 was the class itself.

    >>> class_of(1)
    <class 'int'>
    """
    kind = type(value)
    if kind.__name__ == "RefVariable":
        return next((base for base in kind.__mro__ if base.__name__ == "VariableV1"), kind)
    return kind


def class_name(value: Any) -> str:
    """Stands for ``type(value).__name__`` beside the name that a class of TensorFlow had.

    >>> class_name(1)
    'int'
    """
    name = type(value).__name__
    return {"RefVariable": "Variable", "SymbolicTensor": "Tensor"}.get(name, name)
