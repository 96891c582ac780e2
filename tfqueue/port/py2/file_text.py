"""Text of a file as the `str` of Python 2: bytes, of which only those of ASCII are letters and spaces."""

from __future__ import annotations

import functools
import re
from typing import Any, SupportsIndex

from tfqueue.port.py2.text import decoded, encoded

__all__ = ["FileText", "file_text"]

# What Python 3 takes for a letter, a space or the end of a line, and Python 2 did not.
_OTHER = re.compile("[\x0b\x0c\x1c-\x1f\x80-\U0010ffff]")


_has_other = _OTHER.search
# Those of them that `split` and `strip` cut at.
_SPACES = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_CUTS = frozenset(["lstrip", "rsplit", "rstrip", "split", "strip"])


def file_text(found: str) -> str:
    """What was read of a file: a `FileText` where Python 3's methods could give something else.

    >>> type(file_text("a b")).__name__, type(file_text("a\\u3000b")).__name__
    ('str', 'FileText')
    """
    return FileText(found) if _has_other(found) else found


class FileText(str):
    """Text that is no `unicode` of Python 2: `split` and `strip` cut at spaces of ASCII, `lower` changes its letters.

    Its length, its characters and all that compares it are those of the text.

    >>> FileText("caf\\xc9\\xa0au lait").split(), FileText("\\xc9A").lower(), FileText("\\xc9").isalpha()
    (['cafÉ\\xa0au', 'lait'], 'Éa', False)
    """

    __slots__ = ()

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        return file_text(str.__getitem__(self, key))

    def __iter__(self) -> Any:
        return map(file_text, str.__iter__(self))

    def __add__(self, other: Any) -> Any:
        return _added(str(self), other)

    def __radd__(self, other: Any) -> Any:
        return file_text(other + str(self)) if isinstance(other, str) else NotImplemented

    def __reduce__(self) -> Any:
        return str, (str(self),)


def _added(left: str, right: Any) -> Any:
    return file_text(left + str(right)) if isinstance(right, str) else NotImplemented


def _as_bytes(name: str) -> Any:
    """A method that looks for letters or spaces: that of the bytes."""
    native, of_bytes, cuts = getattr(str, name), getattr(bytes, name), name in _CUTS

    @functools.wraps(native)
    def method(self: FileText, *args: Any, **words: Any) -> Any:
        at = any(isinstance(one, str) for one in (*args, *words.values()))
        if at or (cuts and not _SPACES.search(self)):
            return _found(native(self, *args, **words))
        return _found(of_bytes(encoded(self), *args, **words))

    return method


def _as_text(name: str) -> Any:
    """A method that does to text what it did to bytes."""
    native = getattr(str, name)

    @functools.wraps(native)
    def method(self: FileText, *args: Any, **words: Any) -> Any:
        return _found(native(self, *args, **words))

    return method


def _found(found: Any) -> Any:
    if isinstance(found, str):
        return file_text(found)
    if isinstance(found, bytes):
        return file_text(decoded(found))
    return type(found)(map(_found, found)) if isinstance(found, list | tuple) else found


for _name in (
    *("capitalize", "isalnum", "isalpha", "isdigit", "islower", "isspace", "istitle", "isupper"),
    *("lower", "lstrip", "rsplit", "rstrip", "split", "splitlines", "strip", "swapcase", "title"),
    "upper",
):
    setattr(FileText, _name, _as_bytes(_name))
for _name in ("expandtabs", "partition", "replace", "rpartition"):
    setattr(FileText, _name, _as_text(_name))
