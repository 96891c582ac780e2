"""Bytes as the `str` of Python 2 that they were: what a session, a process, a file or `encode` gave."""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable
from typing import Any

from tfqueue.port.py2.file_text import FileText
from tfqueue.port.py2.text import decoded


def wrapped(found: Any) -> Any:
    """Bytes as a `ByteString`, in a list or a tuple too.

    >>> wrapped([b"a"])[0] == "a", wrapped(1)
    (True, 1)
    """
    if type(found) is bytes:
        # Not before a program gives bytes: it takes numpy, which translating does without.
        from tfqueue.port.py2.strings import ByteString

        return ByteString(found)
    if type(found) in (list, tuple):
        return type(found)(wrapped(one) for one in found)
    return found


def byte_strings(found: Any) -> Any:
    """What was read: bytes are a `ByteString`, and so are the lines of a list.

    >>> byte_strings(b"") == "", byte_strings([b"a"])[0] == "a", byte_strings("text")
    (True, True, 'text')
    """
    if type(found) is bytes or (type(found) is list and found and type(found[0]) is bytes):
        return wrapped(found)
    return found


def byte_lines(lines: Any) -> Any:
    """The lines of a file, or whatever else is gone through in its place.

    >>> list(byte_lines([b"a"])) == ["a"]
    True
    """
    return map(wrapped, lines)


def joined(separator: str, values: Any) -> Any:
    """``separator.join(values)``, whose values may be bytes.

    >>> joined("", byte_strings([b"a", b"b"])) == "ab", joined(",", "ab")
    (True, 'a,b')
    """
    values = values if isinstance(values, str | list | tuple) else list(values)
    if not isinstance(values, str) and any(isinstance(value, bytes) for value in values):
        return wrapped(separator.encode()).join(values)
    return separator.join(values)


class characters(str):
    """A text in which bytes may be looked for.

    >>> byte_strings(b"b") in characters("abc"), "z" in characters("abc")
    (True, False)
    """

    def __contains__(self, other: Any) -> bool:
        return super().__contains__(decoded(other) if isinstance(other, bytes) else other)


def fetched(found: Any) -> Any:
    """What a session gave: strings are `ByteString`s, in arrays, lists, tuples and dicts too.

    >>> fetched({"key": b"a.jpg"})["key"].split(".")[0] == "a", fetched(1)
    (True, 1)
    """
    if isinstance(found, dict):
        values = {key: fetched(value) for key, value in found.items()}
        if all(values[key] is found[key] for key in found):
            return found
        new = copy.copy(found)  # an OrderedDict stays one
        new.update(values)
        return new
    if type(found) in (list, tuple) or (isinstance(found, tuple) and hasattr(found, "_make")):
        parts = list(map(fetched, found))
        if all(map(operator.is_, parts, found)):
            return found  # it may be of no session, and be held elsewhere too
        return getattr(found, "_make", type(found))(parts)
    of_numpy = type(found).__module__ == "numpy"
    if of_numpy and getattr(getattr(found, "dtype", None), "kind", None) == "O":
        items = list(map(wrapped, found.flat))
        if all(map(operator.is_, items, found.flat)):
            return found
        array = found.copy()
        for place, value in enumerate(items):
            array.flat[place] = value
        return array
    return wrapped(found)


def fed(function: Callable[..., Any], *texts: int) -> Callable[..., Any]:
    """A function for `tf.py_func`, whose strings come as `fetched` gives them.

    Args:
        function: The program's own.
        texts: The places of arguments that are text in the program.

    >>> fed(lambda kind: kind == "a")(b"a"), fed(lambda x, kind: "_".join([kind]), 1)(2, b"a")
    (True, 'a')
    """

    @functools.wraps(function, updated=())
    def call(*args: Any) -> Any:
        given = list(map(fetched, args))
        for place in texts:
            given[place] = decoded(given[place])
        return function(*given)

    return call


def kind(value: Any) -> type:
    """Stands for ``type(value)`` that is compared: what was a `str` of Python 2 is one.

    An element of an array of numpy's strings was of a class of its own, and is.

    >>> import numpy as np
    >>> kind(byte_strings(b"a")) is str, kind(b"a") is str, kind(1) is int, kind(np.array([b"a"])[0]) is str
    (True, True, True, False)
    """
    from tfqueue.port.py2.strings import ByteString

    return str if type(value) in (bytes, ByteString, FileText) else type(value)
