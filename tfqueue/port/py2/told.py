"""What a program that runs as Python 2, though only names that may never run speak for that, calls.

The functions give what Python 2 gave, and say the first time that Python 3 gives something else.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

from tfqueue.port.differences.telling import tell, tell_division, was_told
from tfqueue.port.py2 import builtins as builtins2
from tfqueue.port.py2 import operators


def div(left: Any, right: Any) -> Any:
    """Divides.

    >>> div(6, 3), div(7.0, 2)
    (2, 3.5)
    """
    result = operators.div(left, right)
    tell_division(left, right, 2)
    return result


def idiv(left: Any, right: Any) -> Any:
    """Stands for ``left /= right``.

    >>> idiv(6, 3)
    2
    """
    tell_division(left, right, 2)
    return operators.idiv(left, right)


def divide(left: Any, right: Any) -> Any:
    """Stands for ``numpy.divide(left, right)``.

    >>> divide([8, 6], 2).tolist()
    [4, 3]
    """
    import numpy as np

    if not was_told("/"):
        tell_division(np.asarray(left), np.asarray(right), 2)
    return operators.divide(left, right)


def round(value: Any, digits: int = 0) -> Any:
    """Rounds.

    >>> round(2.6), round(0.26, 1)
    (3.0, 0.3)
    """
    result = builtins2.round(value, digits)
    if not was_told("round") and isinstance(value, float) and math.isfinite(value):
        other = builtins.round(value, digits)
        if other != result:
            given = f"round({value}{f', {digits}' if digits else ''})"
            tell("round", f"{given} is {result}", f"it is {other if digits else int(other)}", 2)
    return result


def printed(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Gives what a `print` with several arguments in brackets prints.

    >>> printed(())
    ()
    """
    if not was_told("print"):
        shown = "print(...) with several values in its brackets" if values else "print()"
        tell(
            "print",
            f"{shown} shows a tuple",
            "it shows the values" if values else "it shows nothing",
            2,
        )
    return values
