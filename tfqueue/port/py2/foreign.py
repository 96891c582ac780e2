"""`ctypes` of Python 2: text is what a C function takes as `char *`, and what it gives back.

Python 3 hands text to C as wide characters: a function that reads `char *` sees the first one alone.
`c_char_p("text")` raises in Python 3, and is left to it: a class below it would be another thing in
structures and arrays.
"""

from __future__ import annotations

import ctypes
from typing import Any

from tfqueue.port.py2.text import encoded
from tfqueue.port.py2.wrapping import wrapped


def create_string_buffer(init: Any, size: int | None = None) -> Any:
    """Bytes that C may write to, of text too.

    >>> buffer = create_string_buffer("abc", 5); buffer.value == "abc", len(buffer)
    (True, 5)
    """
    held = ctypes.create_string_buffer(encoded(init), size)
    kind: Any = type(held)

    def texts(name: str) -> property:
        plain = getattr(kind, name)
        return property(
            lambda self: wrapped(plain.__get__(self)),
            lambda self, new: plain.__set__(self, encoded(new)),
        )

    made: Any = type("Buffer", (kind,), {})
    for name in ("value", "raw"):  # which making the type has set
        setattr(made, name, texts(name))
    return made.from_buffer(held)


def _called(base: Any) -> type:
    """Functions of a library, to which text is bytes."""

    class Function(base):
        _flags_ = base._flags_
        _restype_ = base._restype_

        def __call__(self, *args: Any) -> Any:
            kinds = self.argtypes or ()
            wide = {i for i, kind in enumerate(kinds) if kind is ctypes.c_wchar_p}
            given = [one if i in wide else encoded(one) for i, one in enumerate(args)]
            return wrapped(super().__call__(*given))

    return Function


class CDLL(ctypes.CDLL):
    """A library of C whose functions take text as bytes.

    >>> CDLL(None).strlen("four")
    4
    """

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self._FuncPtr: Any = _called(self._FuncPtr)


class PyDLL(ctypes.PyDLL):
    """A library of C that uses Python, whose functions take text as bytes."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self._FuncPtr: Any = _called(self._FuncPtr)


def string_at(pointer: Any, size: int = -1) -> Any:
    """The bytes at an address, up to the first that is 0 where no size is given."""
    return wrapped(ctypes.string_at(pointer, size))


def memmove(target: Any, source: Any, count: int) -> int:
    """Copies bytes, of text too; returns the address that they went to.

    >>> held = create_string_buffer(3); _ = memmove(held, "ab", 2); held.raw == "ab\\0"
    True
    """
    return ctypes.memmove(target, encoded(source), count)


def cast(held: Any, kind: Any) -> Any:
    """A pointer of another kind to the same bytes, of text too.

    >>> cast("abc", ctypes.POINTER(ctypes.c_ubyte))[:3]
    [97, 98, 99]
    """
    data = encoded(held)
    # The pointer holds what is cast, but for bytes; these would be gone, as nobody else has them.
    return ctypes.cast(ctypes.create_string_buffer(data) if data is not held else data, kind)


c_buffer = create_string_buffer
cdll = ctypes.LibraryLoader(CDLL)
pydll = ctypes.LibraryLoader(PyDLL)
