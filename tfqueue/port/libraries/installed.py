"""Libraries that programs may do without: changes of one, which `*_methods` are imported for, and classes on one's classes."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from typing import Any


def change(library: str, *changes: Callable[[], object]) -> None:
    """Makes changes in a library, where it can be imported.

    An ImportError of a change is no sign that the library is absent: it is raised.

    Args:
        library: The name it is imported by, such as "PIL".
        changes: Functions that change its classes and functions.
    """
    try:
        importlib.import_module(library)
    except ImportError:
        return  # a program that needs it meets the error itself
    for each in changes:
        each()


def classes(home: str, made: Mapping[str, tuple[Any, ...]]) -> Callable[[str], Any]:
    """A module's `__getattr__` that makes classes; the library is imported when one is asked for.

    Args:
        home: The module's name.
        made: Name of a class -> what it has of its own, and the dotted names of the library's classes below.
    """

    @functools.cache
    def __getattr__(name: str) -> Any:
        if name not in made:
            raise AttributeError(f"module {home!r} has no attribute {name!r}")
        own, *bases = made[name]
        members = {"__module__": home, "__qualname__": name, "__doc__": own.__doc__}
        return type(name, (own, *map(pkgutil.resolve_name, bases)), members)

    return __getattr__
