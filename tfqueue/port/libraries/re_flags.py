"""`(?i)` and other flags of a whole regular expression in its middle, as up to Python 3.10. Translated programs import it for what it does."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

_GROUP = re.compile(r"\(\?[aiLmsux]+\)")


def in_front(pattern: Any, place: int) -> Any:
    """A pattern, a text or bytes, with the flags that stand at `place` in front of it.

    >>> in_front("a|(?i)b", 2), in_front(b"a(?s)", 1)
    ('(?i)a|b', b'(?s)a')
    """
    text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    found = _GROUP.match(text, place)
    if found is None:
        raise ValueError(f"no flags stand at {place} of {pattern!r}")
    moved = found[0] + text[:place] + text[found.end() :]
    return moved if isinstance(pattern, str) else moved.encode("latin-1")


def _with_flags_anywhere(parse: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(parse)
    def parsed(pattern: Any, *args: Any, **words: Any) -> Any:
        try:
            return parse(pattern, *args, **words)
        except re.error as error:
            place = error.pos
            if place is None or not error.msg.startswith("global flags not at the start"):
                raise
        return parsed(in_front(pattern, place), *args, **words)

    return parsed


_parser: Any = getattr(re, "_parser", None)  # since Python 3.11, which refuses them
if _parser is not None:
    _parser.parse = _with_flags_anywhere(_parser.parse)
