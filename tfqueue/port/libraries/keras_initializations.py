"""`keras.initializations` of Keras 1: functions of a shape that make variables. Translated programs import these."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np


def _backend() -> Any:
    import tfqueue.v1

    return tfqueue.v1.keras.backend


def get_fans(shape: Any, dim_ordering: str = "th") -> tuple[float, float]:
    """How many numbers each output is made of, and how many each input goes into.

    >>> get_fans((3, 5)), get_fans((8, 2, 3, 3)), get_fans((3, 3, 2, 8), "tf"), get_fans((4,))
    ((3, 5), (18, 72), (18, 72), (2.0, 2.0))
    """
    if len(shape) == 2:
        return shape[0], shape[1]
    if len(shape) not in (4, 5):
        return math.sqrt(math.prod(shape)), math.sqrt(math.prod(shape))
    if dim_ordering == "th":
        size = math.prod(shape[2:])
        return shape[1] * size, shape[0] * size
    size = math.prod(shape[:2])
    return shape[-2] * size, shape[-1] * size


def uniform(shape: Any, scale: float = 0.05, name: Any = None, dim_ordering: str = "th") -> Any:
    """A variable of numbers from `-scale` to `scale`."""
    return _backend().random_uniform_variable(shape, -scale, scale, name=name)


def normal(shape: Any, scale: float = 0.05, name: Any = None, dim_ordering: str = "th") -> Any:
    """A variable of normal numbers with this deviation."""
    return _backend().random_normal_variable(shape, 0.0, scale, name=name)


def orthogonal(shape: Any, scale: float = 1.1, name: Any = None, dim_ordering: str = "th") -> Any:
    """A variable whose rows or columns are at right angles, drawn by numpy."""
    flat = shape[0], math.prod(shape[1:])
    left, _, right = np.linalg.svd(np.random.normal(0.0, 1.0, flat), full_matrices=False)
    drawn = (left if left.shape == flat else right).reshape(shape)
    return _backend().variable(scale * drawn, name=name)


def identity(shape: Any, scale: float = 1, name: Any = None, dim_ordering: str = "th") -> Any:
    """A variable of a square matrix with `scale` on its diagonal.

    Raises:
        ValueError: The shape is not a square.
    """
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"identity makes square matrices, none of shape {tuple(shape)}")
    return _backend().variable(scale * np.identity(shape[0]), name=name)


def zero(shape: Any, name: Any = None, dim_ordering: str = "th") -> Any:
    """A variable of zeros."""
    return _backend().zeros(shape, name=name)


def one(shape: Any, name: Any = None, dim_ordering: str = "th") -> Any:
    """A variable of ones."""
    return _backend().ones(shape, name=name)


def _scaled(draw: Callable[..., Any], square: float, of_both: bool) -> Callable[..., Any]:
    def drawn(shape: Any, name: Any = None, dim_ordering: str = "th") -> Any:
        fan_in, fan_out = get_fans(shape, dim_ordering)
        return draw(shape, math.sqrt(square / (fan_in + of_both * fan_out)), name=name)

    return drawn


lecun_uniform = _scaled(uniform, 3, False)
he_uniform = _scaled(uniform, 6, False)
he_normal = _scaled(normal, 2, False)
glorot_uniform = _scaled(uniform, 6, True)
glorot_normal = _scaled(normal, 2, True)


def get(identifier: Any, **_words: Any) -> Any:
    """The function of a name; anything else is one itself."""
    return globals()[identifier] if isinstance(identifier, str) else identifier


def initializer(given: Any) -> Any:
    """What a layer is given as its `init`: a function that makes a variable stands for its first value."""
    if not inspect.isfunction(given) or "name" not in inspect.signature(given).parameters:
        return given

    def first_value(shape: Any, dtype: Any = None, **_words: Any) -> Any:
        made = given(tuple(shape), name=None)
        return getattr(made, "initial_value", made)

    return first_value
