"""Comparisons of arrays that numpy of old answered with one truth value."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from tfqueue.port.runtime.arrays import np_asarray

__all__ = [
    "array_eq",
    "array_in",
    "array_ne",
    "is_none",
    "is_not_none",
    "truth",
]


_PLAIN = (list, tuple, str, bytes, int, float)


def _compared(native: Callable[..., Any], otherwise: bool, left: Any, right: Any) -> Any:
    """What numpy 1 gave: one answer where shapes do not fit, or numbers are compared with text."""
    import numpy as np

    arrays = (np.ndarray, np.generic)
    if not any(isinstance(side, arrays) for side in (left, right)):
        return native(left, right)
    if not all(isinstance(side, (*arrays, *_PLAIN)) for side in (left, right)):
        return native(left, right)  # a class of its own, such as a table or a tensor
    if any(isinstance(side, str | bytes) for side in (left, right)):
        if any(isinstance(side, list | tuple) for side in (left, right)):
            return otherwise  # a single text of numpy's
    sides = [s if isinstance(s, np.ndarray) else np_asarray(s) for s in (left, right)]
    one, other = (_comparable(side.dtype) for side in sides)
    if one != other and "O" not in (one, other):
        return otherwise
    try:
        return native(*sides)
    except ValueError as error:
        if {one, other} <= {"S", "U"} or "could not be broadcast" not in str(error):
            raise
        return otherwise


def _comparable(dtype: Any) -> str:
    """What values are compared as: bytes, text, dates, any objects, or numbers."""
    return dtype.kind if dtype.kind in "SUOMmV" else "numbers"


def array_eq(left: Any, right: Any) -> Any:
    """Stands for ``left == right`` beside a list: False where an array has another shape.

    >>> import numpy as np
    >>> array_eq(np.arange(3), []), array_eq([], []), array_eq(np.arange(2), [0, 2])
    (False, True, array([ True, False]))
    """
    return _compared(operator.eq, False, left, right)


def array_ne(left: Any, right: Any) -> Any:
    """Stands for ``left != right`` beside a list: True where an array has another shape.

    >>> import numpy as np
    >>> array_ne(np.arange(3), []), array_ne("a", [])
    (True, True)
    """
    return _compared(operator.ne, True, left, right)


def is_none(value: Any) -> Any:
    """Stands for ``if value == None``: an array of several is not, and has no answer for each.

    >>> import numpy as np
    >>> is_none(np.zeros(3)), is_none(None), is_none(3)
    (False, True, False)
    """
    return _beside_none(operator.eq, False, value)


def is_not_none(value: Any) -> Any:
    """Stands for ``if value != None``.

    >>> import numpy as np
    >>> is_not_none(np.zeros(3)), is_not_none(None), is_not_none(3)
    (True, False, True)
    """
    return _beside_none(operator.ne, True, value)


def _beside_none(native: Callable[[Any, Any], Any], otherwise: bool, value: Any) -> Any:
    import numpy as np

    if isinstance(value, np.ndarray) and value.size != 1:
        return otherwise
    return native(value, None)


def array_in(value: Any, texts: Any) -> bool:
    """Stands for ``value in ["a", "b"]``: an array of numbers is equal to no text.

    >>> import numpy as np
    >>> array_in(np.arange(3), ["a", "b"]), array_in("b", ["a", "b"])
    (False, True)
    """
    return any(truth(array_eq(value, text)) for text in texts)


def truth(value: Any) -> Any:
    """Stands for a value where only its truth counts: that of an empty array was False up to numpy 2.1.

    >>> import numpy as np
    >>> truth(np.arange(1) != []), truth(True)
    (False, True)
    """
    return False if getattr(value, "shape", None) is not None and value.size == 0 else value
