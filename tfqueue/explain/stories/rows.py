"""What a row is."""

from collections.abc import Callable
from typing import NamedTuple


class Row(NamedTuple):
    """One thing to say."""

    failures: tuple[str, ...]
    """The failures that it explains, by their names in `tests/failures/README.md`."""
    when: Callable
    """`when(case)`: whether it applies."""
    say: Callable
    """`say(case)`: the text; an empty one says nothing."""
    category: type | None = None
    """The warning's class, for silent damage."""


def listed(names, most=3):
    """`names` in a line, the first few of them."""
    names = list(names)
    return ", ".join(names[:most]) + (f", ... ({len(names)} in all)" if len(names) > most else "")


def counted(number, noun):
    """`number` with its noun, in the plural where it is one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
