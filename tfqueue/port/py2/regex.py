"""Regular expressions as Python 2 took them: those that match nothing, of letters, and in bytes.

`re.split` never split where nothing is matched, `re.sub` replaced nothing right behind a match, and
the search went on one character behind an empty match. Python 3.7 changed all three. Without the
flag `re.UNICODE` only those of ASCII were letters, digits and spaces. A `str` was
bytes: a pattern that is text now is looked for in bytes, too, whose characters are their codes, and
one of bytes in text.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from tfqueue.port.program.patterns import KEPT_ESCAPE, LETTER_ESCAPE, PATTERNS, may_match_nothing
from tfqueue.port.py2.text import decoded, encoded
from tfqueue.port.py2.wrapping import wrapped

__all__ = [*PATTERNS, "match", "search"]


_Method = TypeVar("_Method", bound=Callable[..., Any])


class _Match:
    """What was found in bytes: its groups are a `str` of Python 2."""

    def __init__(self, match: re.Match[Any]) -> None:
        self._match = match

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._match, name)
        if not callable(found):
            return wrapped(found)
        given = (lambda value: value) if name != "expand" else encoded
        return lambda *args, **words: _of_bytes(found(*map(given, args), **words))

    def __getitem__(self, group: Any) -> Any:
        return wrapped(self._match[group])


def _of_bytes(found: Any) -> Any:
    """What was found in bytes, as a `str` of Python 2."""
    if isinstance(found, dict):
        return {name: wrapped(value) for name, value in found.items()}
    if isinstance(found, re.Match):
        return _Match(found)
    return map(_Match, found) if isinstance(found, Iterator) else wrapped(found)


def _as_bytes(value: Any) -> Any:
    """What replaces something in bytes, or where it is looked for."""
    if callable(value):
        return lambda match: _as_bytes(value(_Match(match)))
    return bytes(value) if isinstance(value, bytes) else encoded(value)


def _as_text(value: Any) -> Any:
    """What replaces something in text."""
    if callable(value):
        return lambda match: _as_text(value(match))
    return decoded(value) if isinstance(value, bytes) else value


def _of_text(pattern: re.Pattern[Any]) -> Pattern:
    """A pattern of bytes as one of text, for which letters and digits are those of ASCII."""
    return Pattern(re.compile(pattern.pattern.decode("ascii"), pattern.flags | re.ASCII))


def _taking_bytes(method: _Method) -> _Method:
    """A method that looks for a text in bytes, too, and for ASCII bytes in text."""
    place = 1 if method.__name__.startswith("sub") else 0

    @functools.wraps(method)
    def either(self: Pattern, *args: Any, **words: Any) -> Any:
        string = args[place] if len(args) > place else words.get("string")
        of_bytes = isinstance(self.pattern, bytes)
        if of_bytes and isinstance(string, str) and self.pattern.isascii():
            named = {name: _as_text(value) for name, value in words.items()}
            return method(_of_text(self._pattern), *map(_as_text, args), **named)
        if of_bytes or not isinstance(string, bytes):
            return method(self, *args, **words)
        inner = Pattern(re.compile(encoded(self.pattern), self.flags & ~re.UNICODE))
        named = {name: _as_bytes(value) for name, value in words.items()}
        return _of_bytes(method(inner, *map(_as_bytes, args), **named))

    return cast("_Method", either)


class Pattern:
    """What `re.compile` gives; what is not below is the pattern's own."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._pattern = pattern
        self._matches_something = not may_match_nothing(pattern.pattern, pattern.flags)

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

    @_taking_bytes
    def search(self, string: Any, *where: int) -> Any:
        """The first match, or None."""
        return self._pattern.search(string, *where)

    @_taking_bytes
    def match(self, string: Any, *where: int) -> Any:
        """The match that begins where the string does, or None."""
        return self._pattern.match(string, *where)

    @_taking_bytes
    def finditer(self, string: Any, *where: int) -> Iterator[re.Match[Any]]:
        """The matches in a string, from one place to another."""
        if self._matches_something:
            yield from self._pattern.finditer(string, *where)
            return
        at, *end = where or (0,)
        while (found := self._pattern.search(string, at, *end)) is not None:
            yield found
            at = found.end() + (found.end() == found.start())
            if at > min([len(string), *end]):
                return

    @_taking_bytes
    def findall(self, string: Any, *where: int) -> list[Any]:
        """What was matched: the groups, or all of it."""
        if self._matches_something:
            return self._pattern.findall(string, *where)
        empty = string[:0]
        found = [each.groups(empty) or (each.group(),) for each in self.finditer(string, *where)]
        return [each[0] if len(each) == 1 else each for each in found]

    @_taking_bytes
    def split(self, string: Any, maxsplit: int = 0) -> list[Any]:
        """What stands between the matches that are not empty, and their groups."""
        if self._matches_something:
            return self._pattern.split(string, maxsplit)
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

    @_taking_bytes
    def subn(self, repl: Any, string: Any, count: int = 0) -> tuple[Any, int]:
        """A string with its matches replaced, and how many they were."""
        if isinstance(repl, str) and "\\" in repl:
            repl = KEPT_ESCAPE.sub(r"\1\\\\\2", repl)
        if self._matches_something:
            return self._pattern.subn(repl, string, count)
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

    @_taking_bytes
    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        """A string with its matches replaced."""
        return self.subn(repl, string, count)[0]


def compile(pattern: Any, flags: int = 0) -> Pattern:
    """Compiles a pattern.

    >>> compile(r"\\W*").split("a big world")
    ['a', 'big', 'world']

    An escape that Python 2 did not know is the letter itself:

    >>> compile(r"\\u00+").findall("u000 a")
    ['u000']
    """
    if isinstance(pattern, Pattern):
        return pattern
    if isinstance(pattern, str):
        return _compiled(pattern, flags)
    return Pattern(re.compile(pattern, flags))


@functools.lru_cache(512)
def _compiled(pattern: str, flags: int) -> Pattern:
    pattern = LETTER_ESCAPE.sub(r"\1\2", pattern)
    if not flags & (re.UNICODE | re.LOCALE):
        with contextlib.suppress(ValueError):  # the pattern has the flag itself: (?u)
            return Pattern(re.compile(pattern, flags | re.ASCII))
    return Pattern(re.compile(pattern, flags))


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
