"""`tf.gfile.Glob`, which notes that it matched nothing, for the error that comes of it."""

from __future__ import annotations

from typing import Any

from tfqueue import _tensorflow
from tfqueue.v1._types import FileNames

_tf = _tensorflow.compat_v1()

_matched_nothing = None
"""The pattern of the last search, if it found no file."""


def Glob(filename: FileNames) -> list[str]:
    """The files that match a pattern, or one of several (`tf.gfile.Glob`).

    Args:
        filename: str or bytes, or a list of them: patterns with `*`, `?`, `[...]`.

    Returns:
        A list of names, in the order of the file system; empty if nothing matches.
    """
    global _matched_nothing
    found = _tf.gfile.Glob(filename)
    _matched_nothing = None if found else filename
    return found


def glob(pattern: Any) -> list[str]:
    """The files that match a pattern, or one of several (`tf.io.gfile.glob`).

    Args:
        pattern: As for `Glob`.

    Returns:
        A list of names, in the order of the file system; empty if nothing matches.
    """
    return Glob(pattern)


def matched_nothing() -> Any:
    """The pattern that the last search found no file for, or None."""
    return _matched_nothing
