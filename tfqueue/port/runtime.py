"""What only run time can tell: small helpers that rewritten programs call.

They stand in for operations whose meaning depends on what a value turns out to be. None of them
imports TensorFlow or numpy.
"""

from __future__ import annotations

import io
import numbers
import operator
from collections.abc import Callable, Iterable
from typing import Any

_IMAGES = frozenset(
    ["bytescale", "fromimage", "imread", "imresize", "imrotate", "imsave", "imshow", "toimage"]
)
__all__ = ["argspec", "bytes_list", "div", "string_io", "tobytes"]


def tobytes(value: Any, *args: Any) -> Any:
    """Stands for ``value.tostring()``: an array's, an image's, or a method of one's own.

    >>> import array
    >>> tobytes(array.array("B", [104, 105]))
    b'hi'
    """
    # numpy 2.3 removed ndarray.tostring; a user's own class keeps what it calls tostring
    if hasattr(type(value), "tobytes") or not hasattr(value, "tostring"):
        return value.tobytes(*args)
    return value.tostring(*args)


def _integers(value: Any) -> bool:
    kind = getattr(getattr(value, "dtype", None), "kind", None)
    return kind in ("i", "u", "b") if kind else isinstance(value, numbers.Integral)


def div(left: Any, right: Any) -> Any:
    """Divides as Python 2 did: whole numbers give the whole number below.

    >>> div(7, 2), div(7.0, 2), div(-7, 2)
    (3, 3.5, -4)
    """
    if _integers(left) and _integers(right):
        return left // right
    # TensorFlow's tensors still know the old division
    for value, other, name in ((left, right, "__div__"), (right, left, "__rdiv__")):
        method = getattr(type(value), name, None)
        if method is not None:
            result = method(value, other)
            if result is not NotImplemented:
                return result
    return operator.truediv(left, right)


def bytes_list(values: Iterable[Any]) -> list[bytes]:
    """Makes a list of bytes of what Python 2 knew as ``str``: text becomes UTF-8.

    >>> bytes_list(["cat", b"dog"])
    [b'cat', b'dog']
    """
    return [value.encode("utf-8") if isinstance(value, str) else value for value in values]


def string_io(value: Any = "") -> io.StringIO | io.BytesIO:
    """Stands for Python 2's ``StringIO.StringIO``: of bytes or of text, as it is given.

    >>> string_io(b"x").read(), string_io("x").read()
    (b'x', 'x')
    """
    return io.StringIO(value) if isinstance(value, str) else io.BytesIO(value)


def argspec(function: Callable[..., Any]):
    """Stands for ``inspect.getargspec``, gone since Python 3.11: the first four of the full one.

    >>> argspec(lambda a, b=1: 0).args
    ['a', 'b']
    """
    import collections
    import inspect

    spec = inspect.getfullargspec(function)
    kind = collections.namedtuple("ArgSpec", "args varargs keywords defaults")
    return kind(spec.args, spec.varargs, spec.varkw, spec.defaults)


def __getattr__(name: str):
    # For the one program in many that uses TensorFlow's inside and never imports tensorflow itself.
    if name == "v1":
        import importlib

        return importlib.import_module("tfqueue.v1")
    if name in _IMAGES:
        from tfqueue.port import images

        return getattr(images, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
