"""Operators on numpy's arrays and numbers, promoted as numpy 1 did it."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

__all__ = [
    "np_add",
    "np_and",
    "np_div",
    "np_eq",
    "np_floordiv",
    "np_ge",
    "np_gt",
    "np_iadd",
    "np_iand",
    "np_idiv",
    "np_ifloordiv",
    "np_ilshift",
    "np_imod",
    "np_imul",
    "np_ior",
    "np_ipow",
    "np_irshift",
    "np_isub",
    "np_ixor",
    "np_le",
    "np_lshift",
    "np_lt",
    "np_mod",
    "np_mul",
    "np_ne",
    "np_or",
    "np_pow",
    "np_rshift",
    "np_sub",
    "np_sum",
    "np_xor",
]


def _promoted(left: Any, right: Any) -> tuple[Any, Any]:
    """Both operands, a single number with the type that numpy 1 computed with."""
    import numpy as np

    if np.lib.NumpyVersion(np.__version__) < "2.0.0":
        # It promotes by value itself, and would look at the value of a number whose type is changed here.
        return left, right
    if isinstance(left, np.ndarray) and left.ndim and isinstance(right, np.generic):
        return left, _beside(left.dtype, right)
    if isinstance(right, np.ndarray) and right.ndim and isinstance(left, np.generic):
        return _beside(right.dtype, left), right
    if isinstance(left, np.generic) and type(right) in (int, float):
        return left, np.array(right)[()]
    if isinstance(right, np.generic) and type(left) in (int, float):
        return np.array(left)[()], right
    return left, right


def _beside(dtype: Any, number: Any) -> Any:
    """A number beside an array: numpy 1 looked at its value, unless its kind is the wider one."""
    import numpy as np

    kinds = "bif"
    same = str.maketrans("uc", "if")  # complex numbers are of one kind with floats
    kind, own = (kind.translate(same) for kind in (dtype.kind, number.dtype.kind))
    if kind not in kinds or own not in kinds or kinds.index(own) > kinds.index(kind):
        return number
    least = np.min_scalar_type(number)
    if least.kind == "u" and dtype.kind != "u":
        signed = np.dtype(f"i{least.itemsize}")
        least = signed if number <= np.iinfo(signed).max else least
    return number.astype(np.promote_types(dtype, least))


def _arithmetic(name: str, native: Callable[..., Any], symbol: str) -> Callable[..., Any]:
    def function(left: Any, right: Any) -> Any:
        return native(*_promoted(left, right))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``left {symbol} right``, promoted as numpy 1 did it."
    return function


np_add = _arithmetic("np_add", operator.add, "+")
np_sub = _arithmetic("np_sub", operator.sub, "-")
np_mul = _arithmetic("np_mul", operator.mul, "*")
np_div = _arithmetic("np_div", operator.truediv, "/")
np_pow = _arithmetic("np_pow", operator.pow, "**")
np_eq = _arithmetic("np_eq", operator.eq, "==")
np_ne = _arithmetic("np_ne", operator.ne, "!=")
np_lt = _arithmetic("np_lt", operator.lt, "<")
np_le = _arithmetic("np_le", operator.le, "<=")
np_gt = _arithmetic("np_gt", operator.gt, ">")
np_ge = _arithmetic("np_ge", operator.ge, ">=")
np_iadd = _arithmetic("np_iadd", operator.iadd, "+=")
np_isub = _arithmetic("np_isub", operator.isub, "-=")
np_imul = _arithmetic("np_imul", operator.imul, "*=")
np_ipow = _arithmetic("np_ipow", operator.ipow, "**=")
np_idiv = _arithmetic("np_idiv", operator.itruediv, "/=")
np_and = _arithmetic("np_and", operator.and_, "&")
np_iand = _arithmetic("np_iand", operator.iand, "&=")
np_or = _arithmetic("np_or", operator.or_, "|")
np_ior = _arithmetic("np_ior", operator.ior, "|=")
np_xor = _arithmetic("np_xor", operator.xor, "^")
np_ixor = _arithmetic("np_ixor", operator.ixor, "^=")
np_floordiv = _arithmetic("np_floordiv", operator.floordiv, "//")
np_ifloordiv = _arithmetic("np_ifloordiv", operator.ifloordiv, "//=")
np_lshift = _arithmetic("np_lshift", operator.lshift, "<<")
np_ilshift = _arithmetic("np_ilshift", operator.ilshift, "<<=")
np_mod = _arithmetic("np_mod", operator.mod, "%")
np_imod = _arithmetic("np_imod", operator.imod, "%=")
np_rshift = _arithmetic("np_rshift", operator.rshift, ">>")
np_irshift = _arithmetic("np_irshift", operator.irshift, ">>=")


def np_sum(values: Any) -> Any:
    """Stands for ``sum(values)`` of numbers of numpy's: numpy 1 added in float64, and whole ones in int64.

    >>> import numpy as np
    >>> np_sum([np.float32(0.1), np.float32(0.2)]).dtype
    dtype('float64')
    """
    return functools.reduce(np_add, values, 0)
