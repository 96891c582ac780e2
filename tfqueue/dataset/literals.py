"""Values as Python text."""

from __future__ import annotations

import keyword
import re
from typing import Any

import numpy as np

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()

MOST = 200
"""The largest number of values that is written out; a larger array becomes a parameter."""


class Expression(str):
    """Python text for a tensor.

    Attributes:
        atomic: Whether an operator can stand beside it without parentheses.
        array: The value, if it is a constant.
        dtype: The constant's dtype.
    """

    atomic: bool = True
    array: np.ndarray[Any, Any] | None = None
    dtype: Any = None


def known(array: Any, dtype: Any) -> Expression:
    """The expression of a constant."""
    made = Expression(constant(array, dtype))
    made.array, made.dtype = as_array(array), dtype
    made.atomic = not made.startswith("-")
    return made


# The dtypes of Python's own numbers, strings and bools.
_PLAIN = frozenset(["int32", "float32", "string", "bool"])


def value(array: Any) -> str:
    """A scalar or a nested list, as text.

    >>> import numpy as np
    >>> value(np.array([[1.5, 2.0]], np.float32)), value(np.array(b"a", object)), value(np.bool_(1))
    ('[[1.5, 2.0]]', "'a'", 'True')
    """
    if isinstance(array, bytes):  # as an array it would lose the zeros at its end
        return text(array)
    array = np.asarray(array)
    if array.ndim:
        return "[" + ", ".join(value(item) for item in array) + "]"
    item = array.item()
    if isinstance(item, bytes):
        return text(item)
    if array.dtype.kind == "f":
        # The shortest number that is this one again in its own precision.
        short = str(array[()])
        return {"inf": "float('inf')", "-inf": "float('-inf')", "nan": "float('nan')"}.get(
            short, short
        )
    return repr(item)


def text(item: bytes) -> str:
    """Bytes as a str literal where they are text, as a bytes literal where not."""
    try:
        decoded = item.decode()
    except UnicodeDecodeError:
        return repr(item)
    return repr(decoded) if decoded.isprintable() else repr(item)


def dtype(item: Any) -> str:
    """`tf.float32` for a dtype of TensorFlow's, or the number of one in an attribute."""
    return f"tf.{_tf.as_dtype(item).base_dtype.name}"


def shape(proto: Any) -> str:
    """A shape in an attribute, as a list or None."""
    known = _tf.TensorShape(proto)
    return repr(None if known.rank is None else known.as_list())


def as_array(value: Any) -> np.ndarray[Any, Any]:
    """A value as an array; bytes keep the zeros at their end."""
    return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)


def constant(array: Any, of: Any) -> str:
    """A constant, with its dtype where Python's value has another one."""
    array = as_array(array)
    if _tf.as_dtype(of).name in _PLAIN and array.size:
        return value(array)
    if not array.size and array.ndim > 1:
        return f"tf.zeros({list(array.shape)}, {dtype(of)})"
    return f"tf.constant({value(array)}, {dtype(of)})"


def attribute(proto: Any) -> str | None:
    """An op's attribute as text; None for one that cannot be written."""
    kind = proto.WhichOneof("value")
    if kind == "s":
        return text(proto.s)
    if kind in ("i", "f", "b"):
        return value(np.float32(proto.f)) if kind == "f" else repr(getattr(proto, kind))
    if kind == "type":
        return dtype(proto.type)
    if kind == "shape":
        return shape(proto.shape)
    if kind == "list":
        parts = proto.list
        items = [
            *map(text, parts.s),
            *map(repr, parts.i),
            *(value(np.float32(f)) for f in parts.f),
            *map(repr, parts.b),
            *map(dtype, parts.type),
            *map(shape, parts.shape),
        ]
        return "[" + ", ".join(items) + "]"
    return None


def identifier(name: str, fallback: str) -> str:
    """A Python name made of another name.

    >>> identifier("input/DecodeRaw_1", "x"), identifier("1", "x")
    ('decode_raw_1', 'x')
    """
    last = name.rstrip("/").rpartition("/")[2]
    snake = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", last).lower()
    snake = re.sub(r"\W+", "_", snake).strip("_")
    if not snake.isidentifier() or keyword.iskeyword(snake) or snake == "tf":
        return fallback
    return snake


def free(wanted: str, taken: set[str]) -> str:
    """A name like `wanted` that is not taken yet, and is from now on.

    Args:
        wanted: The name to give if it can be.
        taken: Set of names, which it is added to.
    """
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    taken.add(name)
    return name
