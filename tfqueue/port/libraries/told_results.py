"""Says once that a library's function gives other values than in 2018: a row of `names.values`.

Translated programs call `told`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfqueue.names import values
from tfqueue.port.differences import telling


def told(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Tells once in a module that a function's values are others, and returns the function.

    Args:
        name: Its dotted name, one of `values.WHY`.
        function: What the program calls.
    """
    telling.tell_values(name, values.sentence(name))
    return function
