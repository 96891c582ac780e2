"""h5py as it was up to 2.x: files that are opened to be written, and text that is text. Translated programs import this.

Installed libraries, Keras among them, go on with what they were written for: what asks is looked at.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfqueue.port.libraries.callers import by_library

_python2 = False


def h5_value(dataset: Any) -> Any:
    """Stands for ``dataset.value``, which h5py's datasets no longer have."""
    return dataset.value if hasattr(dataset, "value") else dataset[()]


def _encoding(dataset: Any) -> str | None:
    """How a data set that the program takes for text is encoded; None where it is something else.

    To Python 3 text is what is marked as such, of any length; to Python 2 all bytes are.
    """
    import h5py

    kind = h5py.check_string_dtype(dataset.dtype)
    if kind is None:
        return None
    if kind.encoding == "utf-8" and kind.length is None:
        return "utf-8"
    return "latin-1" if _python2 else None


def _read(dataset: Any, place: Any) -> Any:
    """What stands at a place of a data set: text, or what it is."""
    encoding = _encoding(dataset)
    found = (dataset.asstr(encoding) if encoding else dataset)[place]
    if encoding and dataset.dtype.kind == "S" and getattr(found, "shape", ()):
        return found.astype(str)
    return found


def _making(original: Callable[..., Any]) -> Callable[..., Any]:
    """`create_dataset(name, data=array)`: numpy's text, which h5py has no type for, is bytes to Python 2."""

    @functools.wraps(original)
    def create_dataset(
        self: Any, name: Any, shape: Any = None, dtype: Any = None, data: Any = None, **words: Any
    ) -> Any:
        if _python2 and dtype is None and getattr(getattr(data, "dtype", None), "kind", "") == "U":
            data = np.char.encode(data, "utf-8")
        return original(self, name, shape, dtype, data, **words)

    return create_dataset


def _typing(original: Callable[..., Any]) -> Callable[..., Any]:
    """`special_dtype(vlen=unicode)`, also where that is a class of what stands in for Python 2."""

    @functools.wraps(original)
    def special_dtype(**words: Any) -> Any:
        kind = words.get("vlen")
        if isinstance(kind, type) and issubclass(kind, str):
            words["vlen"] = str
        return original(**words)

    return special_dtype


def _opening(original: Callable[..., None]) -> Callable[..., None]:
    """`h5py.File(name)`: read and written, made where there is none; read where it can't be written."""

    @functools.wraps(original)
    def init(self: Any, name: Any, mode: Any = None, *args: Any, **words: Any) -> None:
        if mode is not None or by_library():
            original(self, name, *(() if mode is None else (mode, *args)), **words)
            return
        for mode in ("r+", "r"):
            try:
                original(self, name, mode, **words)
            except OSError:
                if mode == "r" and os.path.exists(name):
                    raise
            else:
                return
        original(self, name, "w-", **words)

    return init


def _reading(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def getitem(self: Any, args: Any, *more: Any, **words: Any) -> Any:
        if more or words or by_library():
            return original(self, args, *more, **words)
        return _read(self, args)

    return getitem


def _iterating(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def iterated(self: Any) -> Iterator[Any]:
        if self.shape and _encoding(self) and not by_library():
            return (_read(self, at) for at in range(len(self)))
        found: Iterator[Any] = original(self)
        return found

    return iterated


def _as_array(original: Callable[..., Any]) -> Callable[..., Any]:
    """`np.array(dataset)`, which numpy asks for in the name of its caller."""

    @functools.wraps(original)
    def array(self: Any, *args: Any, **words: Any) -> Any:
        if not _encoding(self) or by_library():
            return original(self, *args, **words)
        return np.asarray(_read(self, ()))

    return array


def _setting(original: Callable[..., None]) -> Callable[..., None]:
    """An attribute that is a list of bytes has bytes of one length, and is read as such."""

    @functools.wraps(original)
    def setitem(self: Any, name: Any, value: Any) -> None:
        if isinstance(value, list | tuple) and value and not by_library():
            value = np.array(value) if all(isinstance(one, bytes) for one in value) else value
        original(self, name, value)

    return setitem


def install(python2: bool = False) -> None:
    """Gives h5py what it did up to 2.x.

    Args:
        python2: Whether the program is for Python 2, whose text is bytes.

    >>> import h5py, os, tempfile
    >>> install()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with h5py.File(os.path.join(folder, "a.h5")) as file:
    ...         file["words"] = "text"
    ...         file["words"][()], file["words"].value
    ('text', 'text')
    """
    import h5py

    global _python2
    _python2 = _python2 or python2
    kind: Any = h5py.Dataset
    if hasattr(kind, "value"):
        return
    kind.value = property(lambda self: _read(self, ()))
    kind.__getitem__ = _reading(kind.__getitem__)
    kind.__iter__ = _iterating(kind.__iter__)
    kind.__array__ = _as_array(kind.__array__)
    library: Any = h5py
    library.special_dtype = _typing(library.special_dtype)
    group: Any = h5py.Group
    group.create_dataset = _making(group.create_dataset)
    file: Any = h5py.File
    file.__init__ = _opening(file.__init__)
    attributes: Any = h5py.AttributeManager
    attributes.__setitem__ = _setting(attributes.__setitem__)
