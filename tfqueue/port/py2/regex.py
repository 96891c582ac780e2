"""Regular expressions that match nothing, as Python 2 took them.

`re.split` never split where nothing is matched, `re.sub` replaced nothing right behind a match, and
the search went on one character behind an empty match. Python 3.7 changed all three.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue.port.program.python2_library import PATTERNS

__all__ = [*PATTERNS, "match", "search"]


class Pattern:
    """What `re.compile` gives; what is not below is the pattern's own."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    @property
    def __class__(self) -> type[Any]:
        """The class of patterns, so that `re`'s own functions take it, and `isinstance` tells the same."""
        return re.Pattern

    def __repr__(self) -> str:
        return repr(self._pattern)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._pattern,)

    def __copy__(self) -> Pattern:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Pattern:
        return self

    def finditer(self, string: Any, *where: int) -> Iterator[re.Match[Any]]:
        """The matches in a string, from one place to another."""
        at, *end = where or (0,)
        while (found := self._pattern.search(string, at, *end)) is not None:
            yield found
            at = found.end() + (found.end() == found.start())
            if at > min([len(string), *end]):
                return

    def findall(self, string: Any, *where: int) -> list[Any]:
        """What was matched: the groups, or all of it."""
        empty = string[:0]
        found = [each.groups(empty) or (each.group(),) for each in self.finditer(string, *where)]
        return [each[0] if len(each) == 1 else each for each in found]

    def split(self, string: Any, maxsplit: int = 0) -> list[Any]:
        """What stands between the matches that are not empty, and their groups."""
        parts, last = [], 0
        for found in self.finditer(string):
            if found.end() == found.start():
                continue
            parts += [string[last : found.start()], *found.groups()]
            last = found.end()
            maxsplit -= 1
            if maxsplit == 0:
                break
        return [*parts, string[last:]]

    def subn(self, repl: Any, string: Any, count: int = 0) -> tuple[Any, int]:
        """A string with its matches replaced, and how many they were."""
        parts, last, done = [], 0, 0
        for found in self.finditer(string):
            if done and found.start() == found.end() == last:
                continue
            new = repl(found) if callable(repl) else found.expand(repl)
            parts += [string[last : found.start()], new]
            last = found.end()
            done += 1
            if done == count:
                break
        return string[:0].join([*parts, string[last:]]), done

    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        """A string with its matches replaced."""
        return self.subn(repl, string, count)[0]


def compile(pattern: Any, flags: int = 0) -> Pattern:
    """Compiles a pattern.

    >>> compile(r"\\W*").split("a big world")
    ['a', 'big', 'world']
    """
    return pattern if isinstance(pattern, Pattern) else Pattern(re.compile(pattern, flags))


def flags_of(name: str, args: tuple[Any, ...], flags: int) -> tuple[tuple[Any, ...], int]:
    """Splits the arguments behind the pattern into those of a method and the flags, also given by position.

    >>> flags_of("split", ("a b", 0, re.I), 0)
    (('a b', 0), re.IGNORECASE)
    """
    most = {"sub": 3, "subn": 3, "split": 2}.get(name, 1)
    return (args[:most], args[most]) if len(args) == most + 1 else (args, flags)


def _function(name: str) -> Callable[..., Any]:
    def function(pattern: Any, *args: Any, flags: int = 0, **words: Any) -> Any:
        args, flags = flags_of(name, args, flags)
        return getattr(compile(pattern, flags), name)(*args, **words)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`re.{name}`."
    return function


def _search(name: str) -> Callable[..., Any]:
    def function(pattern: Any, string: Any, flags: int = 0) -> Any:
        return getattr(compile(pattern, flags), name)(string)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`re.{name}`."
    return function


split, sub, subn = map(_function, ("split", "sub", "subn"))
findall, finditer, match, search = map(_search, ("findall", "finditer", "match", "search"))
