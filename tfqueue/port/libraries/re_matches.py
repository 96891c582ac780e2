"""`re` as it was before Python 3.7, for patterns that may match nothing.

A program for TensorFlow 1 is mostly from before 3.7, which no release before 1.13 knew. Where 3.7
gives something else, that is told once in each module. Written programs import this.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tfqueue.port.differences import telling
from tfqueue.port.py2 import regex


class Pattern(regex.Pattern):
    """What `re.compile` gave."""

    def split(self, string: Any, maxsplit: int = 0) -> list[Any]:
        """What stands between the matches that are not empty, and their groups."""
        parts = super().split(string, maxsplit)
        if parts != self._pattern.split(string, maxsplit):
            telling.tell_release("re.split", "does not split where nothing is matched")
        return parts

    def subn(self, repl: Any, string: Any, count: int = 0) -> tuple[Any, int]:
        """A string with its matches replaced, and how many they were."""
        found = super().subn(repl, string, count)
        if not callable(repl) and found != self._pattern.subn(repl, string, count):
            telling.tell_release("re.sub", "replaces nothing right behind a match")
        return found

    def findall(self, string: Any, *where: int) -> list[Any]:
        """What was matched: the groups, or all of it."""
        found = super().findall(string, *where)
        if found != self._pattern.findall(string, *where):
            telling.tell_release("re.findall", "finds nothing right behind an empty match")
        return found


def re_compile(pattern: Any, flags: int = 0) -> Pattern:
    """Stands for ``re.compile(pattern, flags)``.

    >>> re_compile("x*").split("axb")
    ['a', 'b']
    """
    return pattern if isinstance(pattern, Pattern) else Pattern(re.compile(pattern, flags))


def _function(name: str) -> Callable[..., Any]:
    def function(pattern: Any, *args: Any, flags: int = 0, **words: Any) -> Any:
        args, flags = regex.flags_of(name, args, flags)
        return getattr(re_compile(pattern, flags), name)(*args, **words)

    function.__name__ = function.__qualname__ = f"re_{name}"
    function.__doc__ = f"Stands for ``re.{name}``."
    return function


re_findall, re_finditer, re_split, re_sub, re_subn = map(
    _function, ("findall", "finditer", "split", "sub", "subn")
)
