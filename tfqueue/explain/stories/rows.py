"""What a row is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from tfqueue.explain.case import Case


class Row(NamedTuple):
    """One thing to say."""

    failures: tuple[str, ...]
    """The failures that it explains, by their names in `tests/failures/README.md`."""
    when: Callable[[Case], Any]
    """`when(case)`: whether it applies."""
    say: Callable[[Case], str]
    """`say(case)`: the text; an empty one says nothing."""
    category: type[Warning] | None = None
    """The warning's class, for silent damage."""

    @property
    def warning_class(self) -> type[Warning]:
        """The class of the warning.

        Raises:
            LookupError: If the row is no warning.
        """
        return sure(self.category)


Found = TypeVar("Found")


def sure(found: Found | None) -> Found:
    """What a row's condition has found; a row says something only where that is not None."""
    if found is None:
        raise LookupError("the row does not apply")
    return found


def listed(names: Iterable[str], most: int = 3) -> str:
    """`names` in a line, the first few of them."""
    names = list(names)
    return ", ".join(names[:most]) + (f", ... ({len(names)} in all)" if len(names) > most else "")


def counted(number: int, noun: str) -> str:
    """`number` with its noun, in the plural where it is one."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
