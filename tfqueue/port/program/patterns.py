"""Regular expressions: what the Pythons take otherwise.

https://docs.python.org/3/whatsnew/3.7.html#changes-in-the-python-api
"""

from __future__ import annotations

import re
import warnings
from typing import Any

try:
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as _parser

PATTERNS = ("compile", "findall", "finditer", "split", "sub", "subn")
"""Functions of `re` that do another thing where a pattern can match nothing."""

LETTER_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\([ceg-mo-quyzCE-RT-VXY])")
"""An escape in a pattern that means the letter itself in Python 2: `\\u`, and what Python 3 refuses."""

KEPT_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\([c-ehi-mopqsuw-zA-Z])")
"""An escape in what replaces a match that Python 2 left as it was, and Python 3 refuses."""

_OF_LETTERS = re.compile(r"\\[bBdDsSwW]|\(\?[a-zA-Z]*i")
"""What takes letters other than ASCII for letters, without the flag that Python 2 had for that."""


def is_as_in_python_2(pattern: str | bytes, function: str) -> bool:
    """Whether a function of `re` that is given no flags takes a pattern as it did in Python 2.

    >>> is_as_in_python_2("[a-z]+", "sub"), is_as_in_python_2(r"\\w+", "match")
    (True, False)
    """
    if function in PATTERNS and may_match_nothing(pattern):
        return False
    return isinstance(pattern, bytes) or not (
        LETTER_ESCAPE.search(pattern) or _OF_LETTERS.search(pattern)
    )


def may_match_nothing(pattern: Any, flags: int = 0) -> bool:
    """Whether a pattern may match an empty string somewhere; true of one that cannot be read.

    >>> may_match_nothing("[, ]*"), may_match_nothing("[, ]+"), may_match_nothing("a* # b", re.X)
    (True, False, True)
    """
    widths = _widths(pattern, flags)
    return widths is None or widths[0] == 0


def matches_only_nothing(pattern: Any) -> bool:
    """Whether a pattern matches empty strings alone, at which no Python 3 before 3.7 split.

    >>> matches_only_nothing("(?=a)"), matches_only_nothing("[, ]*")
    (True, False)
    """
    widths = _widths(pattern)
    return widths is not None and widths[1] == 0


def _widths(pattern: Any, flags: int = 0) -> tuple[int, int] | None:
    """The least and the greatest length of what a pattern matches; None where it cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the program's own call says what is odd about it
            least, most = _parser.parse(pattern, flags).getwidth()
            return int(least), int(most)
    except re.error:
        return None
