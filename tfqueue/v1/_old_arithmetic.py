"""Division and remainder as they were up to 0.12: of whole numbers the quotient is truncated.

`-7 // 2` was -3 and `-7 % 3` was -1 then, as in C; since 1.0 they are -4 and 2, as in Python. The
remainder of floats had the sign of the dividend, too. So it is where the program is known to be from
then (`tfqueue.release`), for these functions and for the operators of tensors and variables.

Up to 1.15 `tf.truncatediv` truncated the quotient of whole numbers only, and `tf.angle` of real numbers
was 0 also where they are negative.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow, release
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

_LATER = (
    *("keras", "tensorflow", "tf_keras", "tf_slim"),
    *("tfqueue.contrib", "tfqueue.estimator", "tfqueue.v1"),
)
"""Packages whose own operators mean what they mean since 1.0."""


def div(x: Tensor, y: Tensor, name: str | None = None) -> Any:
    """Divides as Python 2 does (`tf.div`): whole numbers have a whole quotient.

    Args:
        x: A tensor of numbers.
        y: A tensor of the same dtype, or a number.

    Returns:
        A tensor of that dtype. The quotient of whole numbers is rounded down; up to 0.12, towards zero.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.div([-7, 7], 2)).tolist())
    [-4, 3]
    """
    if _truncates(x, y):
        return _tf.raw_ops.Div(x=x, y=y, name=name)
    return _tf.div(x, y, name=name)


def floordiv(x: Any, y: Any, name: str | None = None) -> Any:
    """The whole quotient, also of floats (`tf.floordiv`); otherwise as `div`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.floordiv([-7.0, 7.0], 2.0)).tolist())
    [-4.0, 3.0]
    """
    if _truncates(x, y):
        with _tf.name_scope(name, "floordiv", [x, y]) as scope:
            return _tf.raw_ops.Div(x=x, y=y, name=scope)
    return _tf.floordiv(x, y, name=name)


def mod(x: Tensor, y: Tensor, name: str | None = None) -> Any:
    """The remainder (`tf.mod`).

    Args:
        x: As for `div`.
        y: As there.
        name: As there.

    Returns:
        A tensor of that dtype. It has the sign of `y`; up to 0.12, that of `x`.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.mod([-7, 7], 3)).tolist())
    [2, 1]
    """
    if _truncates(x, y, floats=True):
        return _tf.raw_ops.Mod(x=x, y=y, name=name)
    return _tf.mod(x, y, name=name)


def truncatediv(x: Any, y: Any, name: str | None = None) -> Any:
    """The quotient (`tf.truncatediv`), of whole numbers truncated; that of floats is not, as up to 1.15.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run([tf.truncatediv(-7, 2), tf.truncatediv(-7.0, 2.0)]))
    [-3, -3.5]
    """
    known = [value for value in (x, y) if hasattr(value, "dtype")]
    dtype = _tf.as_dtype(known[0].dtype) if known else _tf.convert_to_tensor(x).dtype
    if dtype.is_floating:
        return _tf.raw_ops.RealDiv(x=x, y=y, name=name or "TruncateDiv")
    return _tf.truncatediv(x, y, name=name)


def angle(input: Any, name: str | None = None) -> Any:
    """The argument of complex numbers (`tf.angle`); of real ones 0, as up to 1.15.

    >>> import tfqueue.v1 as tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.angle([1.0, -2.0])).tolist())
    [0.0, 0.0]
    """
    with _tf.name_scope(name, "Angle", [input]) as scope:
        numbers = _tf.convert_to_tensor(input)
        if numbers.dtype.is_complex:
            return _tf.angle(numbers, name=scope)
        return _tf.zeros_like(numbers)


def _truncates(x: Tensor, y: Tensor, floats: bool = False) -> bool:
    """Whether the program is from before 1.0, and that makes a difference to these numbers."""
    if not release.before("1.0"):
        return False
    known = [value.dtype for value in (x, y) if hasattr(value, "dtype")]
    dtype = _tf.as_dtype(known[0]).base_dtype if known else _tf.convert_to_tensor(x).dtype
    return (dtype.is_integer and not dtype.is_unsigned) or (floats and dtype.is_floating)


def install() -> None:
    """Lets the operators of tensors and variables do the same, where a program uses them."""
    classes = {cls for kind in (_tf.Tensor, _tf.Variable) for cls in kind.__mro__}
    for cls in classes:
        for function in (div, floordiv, mod):
            for side in ("", "r"):
                name = f"__{side}{function.__name__}__"
                original = vars(cls).get(name)
                if original is not None and not hasattr(original, "_tfqueue"):
                    setattr(cls, name, _operator(original, function, bool(side)))


def _operator(
    original: Callable[..., Tensor], function: Callable[..., Tensor], is_reversed: bool
) -> Callable[..., Tensor]:
    @functools.wraps(original)
    def operator(self: Tensor, other: Tensor) -> Tensor:
        asking = sys._getframe(1).f_globals.get("__name__", "").split(".")
        later = any(asking[: len(each.split("."))] == each.split(".") for each in _LATER)
        if later or not _truncates(self, other, floats=function is mod):
            return original(self, other)
        with _tf.name_scope(None, function.__name__, [self, other]) as scope:
            this = _tf.convert_to_tensor(self)
            other = _tf.convert_to_tensor(other, this.dtype.base_dtype)
            return function(*((other, this) if is_reversed else (this, other)), name=scope)

    vars(operator)["_tfqueue"] = True
    return operator
