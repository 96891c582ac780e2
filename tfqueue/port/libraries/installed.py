"""Changes a library that programs may do without: what `*_methods` are imported for."""

from __future__ import annotations

import importlib
from collections.abc import Callable


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
