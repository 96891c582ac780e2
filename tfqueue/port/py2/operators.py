"""Operators whose meaning changed with Python 3: division, and the order of unlike things."""

from __future__ import annotations

import numbers
import operator
from typing import Any

from tfqueue.port import runtime
from tfqueue.port.py2.text import decoded
from tfqueue.port.runtime import np_div, np_idiv

__all__ = ["array_eq", "array_ne", "div", "divide", "ge", "gt", "idiv", "le", "lt"]


def _integers(value: Any) -> bool:
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    return kind in ("i", "u", "b") if kind else isinstance(value, numbers.Integral)


def div(left: Any, right: Any) -> Any:
    """Stands for ``left / right``: whole numbers give the whole number below.

    >>> div(7, 2), div(7.0, 2), div(-7, 2)
    (3, 3.5, -4)
    """
    if type(left) is int and type(right) is int:
        return left // right
    # classes of Python 2 know the old division, and so do TensorFlow's tensors
    for value, other, name in ((left, right, "__div__"), (right, left, "__rdiv__")):
        method = getattr(type(value), name, None)
        if method is not None:
            result = method(value, other)
            if result is not NotImplemented:
                return result
    if _integers(left) and _integers(right):
        return left // right
    return _promoted(np_div, operator.truediv, left, right)


def _promoted(promoting: Any, native: Any, left: Any, right: Any) -> Any:
    one_of_numpy = hasattr(left, "dtype") or hasattr(right, "dtype")
    return (promoting if one_of_numpy else native)(left, right)


def divide(left: Any, right: Any) -> Any:
    """Stands for ``numpy.divide(left, right)``.

    >>> divide([7, -7], 2).tolist()
    [3, -4]
    """
    import numpy as np

    sides = np.asarray(left), np.asarray(right)
    whole = all(side.dtype.kind in "iub" for side in sides)
    return (np.floor_divide if whole else np.divide)(left, right)


def idiv(left: Any, right: Any) -> Any:
    """Stands for ``left /= right``: what can be changed in place is.

    >>> idiv(7, 2)
    3
    """
    method = getattr(type(left), "__idiv__", None)
    if method is not None:
        result = method(left, right)
        if result is not NotImplemented:
            return result
    if hasattr(type(left), "__div__"):
        return div(left, right)
    if _integers(left) and _integers(right):
        return operator.ifloordiv(left, right)
    if hasattr(type(left), "__itruediv__"):
        return _promoted(np_idiv, operator.itruediv, left, right)
    return div(left, right)


def _name(value: Any) -> str:
    """What Python 2 ordered unlike things by: nothing, numbers, then the names of the types."""
    if isinstance(value, numbers.Number):
        return ""
    return "str" if isinstance(value, bytes) else type(value).__name__


def compare(left: Any, right: Any) -> int:
    """Orders any two things as Python 2 did: -1, 0 or 1.

    >>> compare(None, 0), compare("a", 1), compare([1, None], [1, 2]), compare((), [])
    (-1, 1, -1, 1)
    """
    if left is right:
        return 0
    if isinstance(left, bytes) != isinstance(right, bytes):
        left, right = (decoded(v) if isinstance(v, bytes) else v for v in (left, right))
    for kind in (list, tuple):
        if isinstance(left, kind) and isinstance(right, kind):
            for one, other in zip(left, right, strict=False):
                if (found := compare(one, other)) != 0:
                    return found
            return (len(left) > len(right)) - (len(left) < len(right))
    if isinstance(left, dict) and isinstance(right, dict):
        return _dicts(left, right)
    try:
        if left == right:
            return 0
        return -1 if left < right else 1
    except TypeError:
        pass
    if left is None or right is None:
        return -1 if left is None else 1
    one, other = _name(left), _name(right)
    if one == other:
        one, other = id(left), id(right)
    return -1 if one < other else 1


def _dicts(left: dict[Any, Any], right: dict[Any, Any]) -> int:
    if len(left) != len(right):
        return -1 if len(left) < len(right) else 1
    found = []
    for one, other in ((left, right), (right, left)):
        differ = [k for k in one if k not in other or compare(one[k], other[k]) != 0]
        least = differ[0] if differ else None
        for key in differ:
            least = key if compare(key, least) < 0 else least
        found.append((least, one.get(least)))
    return compare(*found)


def _ordered(name: str, symbol: str, holds: Any) -> Any:
    native = getattr(operator, name)

    def function(left: Any, right: Any) -> Any:
        try:
            return native(left, right)
        except TypeError:
            return holds(compare(left, right))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``left {symbol} right``, of any two things."
    return function


lt = _ordered("lt", "<", lambda order: order < 0)
le = _ordered("le", "<=", lambda order: order <= 0)
gt = _ordered("gt", ">", lambda order: order > 0)
ge = _ordered("ge", ">=", lambda order: order >= 0)


def _texts(value: Any) -> Any:
    """An array of bytes as one of text, which they were; so is a literal."""
    import numpy as np

    if type(value) is bytes:
        return decoded(value)
    if isinstance(value, np.ndarray | np.bytes_) and value.dtype.kind == "S":
        return np.char.decode(value, "utf-8", "surrogateescape")
    return value


def array_eq(left: Any, right: Any) -> Any:
    """Stands for ``left == right`` of an array and text: bytes in the array were text.

    >>> import numpy as np
    >>> array_eq(np.array([b"a", b"b"]), "a"), array_eq(np.array([b"a"]), b"a"), array_eq(np.arange(3), "a")
    (array([ True, False]), array([ True]), False)
    """
    return runtime.array_eq(_texts(left), _texts(right))


def array_ne(left: Any, right: Any) -> Any:
    """Stands for ``left != right`` of an array and text.

    >>> import numpy as np
    >>> array_ne(np.array([b"a", b"b"]), "a"), array_ne(np.arange(3), "a")
    (array([False,  True]), True)
    """
    return runtime.array_ne(_texts(left), _texts(right))
