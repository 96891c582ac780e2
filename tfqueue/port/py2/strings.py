"""The `str` of Python 2 where it holds bytes: what a process or `encode` gave."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from tfqueue.port.py2.text import decoded, encoded

__all__ = ["ByteString"]


class ByteString(np.bytes_):
    """Bytes that are equal to the text that they hold, and whose elements are characters.

    It is `bytes` for all that takes bytes; numpy takes a subclass of `bytes` for an array, unless
    it is its own.

    >>> data = ByteString(b"a 1")
    >>> data == "a 1", data.split(" ")[0] in {"a": 1}, data[0] == "a", data + "!" == "a 1!"
    (True, True, True, True)
    """

    __slots__ = ()

    # TensorFlow makes a numpy array of what has one of these, and that drops zeros at the end
    __array__ = __array_interface__ = None

    def __eq__(self, other: Any) -> Any:
        return bytes.__eq__(self, encoded(other))

    def __ne__(self, other: Any) -> Any:
        return bytes.__ne__(self, encoded(other))

    # CPython gives bytes and the ASCII text that they hold one hash
    __hash__ = bytes.__hash__

    def __lt__(self, other: Any) -> Any:
        return bytes.__lt__(self, encoded(other))

    def __le__(self, other: Any) -> Any:
        return bytes.__le__(self, encoded(other))

    def __gt__(self, other: Any) -> Any:
        return bytes.__gt__(self, encoded(other))

    def __ge__(self, other: Any) -> Any:
        return bytes.__ge__(self, encoded(other))

    def __getitem__(self, key: Any) -> ByteString:
        if isinstance(key, slice):
            return ByteString(bytes.__getitem__(self, key))
        return ByteString((bytes.__getitem__(self, key),))

    def __iter__(self) -> Iterator[ByteString]:
        return (ByteString((code,)) for code in bytes.__iter__(self))

    def __contains__(self, other: Any) -> bool:
        return bytes.__contains__(self, encoded(other))

    def __add__(self, other: Any) -> ByteString:
        return ByteString(bytes.__add__(self, encoded(other)))

    def __radd__(self, other: Any) -> Any:
        return (
            ByteString(encoded(other) + bytes(self)) if isinstance(other, str) else NotImplemented
        )

    def __mul__(self, times: Any) -> ByteString:
        return ByteString(bytes.__mul__(self, times))

    __rmul__ = __mul__

    def __mod__(self, values: Any) -> Any:
        return decoded(self) % values

    def __str__(self) -> str:
        return decoded(self)

    def __repr__(self) -> str:
        return bytes.__repr__(self)

    def astype(self, dtype: Any, *args: Any, **words: Any) -> Any:
        """An array without dimensions, or a number, as of numpy's own; all zeros are kept."""
        if np.dtype(dtype) == object:
            return np.array(bytes(self), object)
        return super().astype(dtype, *args, **words)

    def __format__(self, spec: str) -> str:
        return format(decoded(self), spec)

    def __reduce__(self) -> Any:
        return bytes, (bytes(self),)

    def format(self, *values: Any, **named: Any) -> str:
        """Text of this form."""
        return decoded(self).format(*values, **named)

    def encode(self, *args: Any) -> ByteString:
        """Itself: it is encoded already."""
        return self

    def join(self, values: Any) -> ByteString:
        """Several, with this one between them."""
        return ByteString(bytes.join(self, [encoded(value) for value in values]))


def _taking_text(name: str) -> Any:
    native = getattr(bytes, name)

    @functools.wraps(native)
    def method(self: ByteString, *args: Any, **words: Any) -> Any:
        return _wrapped(native(self, *[_plain(value) for value in args], **words))

    return method


def _wrapped(found: Any) -> Any:
    """What a method of bytes gave: a string, several of them, or something else."""
    if type(found) is bytes:
        return ByteString(found)
    return type(found)(map(ByteString, found)) if type(found) in (list, tuple) else found


def _plain(value: Any) -> Any:
    return tuple(map(encoded, value)) if isinstance(value, tuple) else encoded(value)


for _name in (
    *("capitalize", "center", "count", "endswith", "expandtabs", "find", "index", "ljust", "lower"),
    *("lstrip", "partition", "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit"),
    *("rstrip split splitlines startswith strip swapcase title upper zfill").split(),
):
    setattr(ByteString, _name, _taking_text(_name))
