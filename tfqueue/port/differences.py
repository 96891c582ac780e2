"""Where Python 2 gives something else, in a program that nothing shows to be for either Python.

Such a program runs as Python 3. Its divisions, `round` and what is made by `map`, `filter` and `zip`
go through these functions (`rules.guessed`), which give what Python 3 gives, and say the first time
that Python 2 gives something else.
"""

from __future__ import annotations

import builtins
import decimal
import math
import numbers
import os
import sys
from typing import Any

from tfqueue.port.rules import source_lines
from tfqueue.records.printing import printable

_told: set[str] = set()


def forget() -> None:
    """Lets each difference be told again: another program begins."""
    _told.clear()


def _tell(kind: str, now: str, before: str) -> None:
    """Tells a difference, with the user's line, once for each kind."""
    _told.add(kind)
    frame = sys._getframe(2)
    while frame.f_back is not None and not source_lines.is_shown(frame.f_code.co_filename):
        frame = frame.f_back
    name = frame.f_code.co_filename
    place = f"{os.path.relpath(name) if os.path.isabs(name) else name}:{frame.f_lineno}"
    said = (
        f"tfqueue: {place}: {now}; in Python 2 {before}. Nothing shows which of them the program is "
        "for: --python 2 runs it as Python 2, --python 3 says that this is right"
    )
    sys.stderr.write(printable(said) + "\n")


def _whole(value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        return isinstance(value, numbers.Integral)
    return getattr(dtype, "kind", "") in ("i", "u") or bool(getattr(dtype, "is_integer", False))


def _leaves_remainder(left: Any, right: Any) -> bool:
    if not (_whole(left) and _whole(right)):
        return False
    remainder = left % right
    if hasattr(remainder, "graph") or not hasattr(remainder, "dtype"):
        return hasattr(remainder, "dtype") or bool(remainder)  # a tensor's is not known yet
    return bool(remainder.any())


def _tell_division(left: Any, right: Any) -> None:
    shown = "a division of whole numbers"
    if type(left) is int and type(right) is int:
        _tell("/", f"{left} / {right} is {left / right}", f"it is {left // right}")
    else:
        _tell("/", f"{shown} leaves no remainder", f"{shown} gives whole numbers")


def div(left: Any, right: Any) -> Any:
    """Divides.

    >>> div(6, 3), div(7.0, 2)
    (2.0, 3.5)
    """
    result = left / right
    if "/" not in _told and _leaves_remainder(left, right):
        _tell_division(left, right)
    return result


def divisor(left: Any, right: Any) -> Any:
    """Gives the right side of ``left /= right``.

    >>> divisor(7.0, 2)
    2
    """
    if "/" not in _told and _leaves_remainder(left, right):
        _tell_division(left, right)
    return right


def round(number: Any, ndigits: Any = None) -> Any:
    """Rounds.

    >>> round(2.6), round(0.26, 1)
    (3, 0.3)
    """
    result = builtins.round(number, ndigits)
    if "round" not in _told and isinstance(number, float) and math.isfinite(number):
        step = decimal.Decimal(1).scaleb(-(ndigits or 0))
        half_up = decimal.Context(prec=400, rounding=decimal.ROUND_HALF_UP)  # away from zero
        before = float(decimal.Decimal(number).quantize(step, context=half_up))
        if before != result:
            given = f"round({number}{'' if ndigits is None else f', {ndigits}'})"
            _tell("round", f"{given} is {result}", f"it is {before}")
    return result


def _iterator(name: str) -> Any:
    """A class of iterators that says when it is used as the list that it was in Python 2."""
    native = getattr(builtins, name)

    class Once(native):  # type: ignore[misc, valid-type]
        """What can be gone through once."""

        gone_through = False

        def __iter__(self) -> Any:
            if self.gone_through and name not in _told:
                _tell(name, f"a {name} is gone through again and is empty", "it is a list")
            self.gone_through = True
            return native.__iter__(self)

        def __bool__(self) -> bool:
            if name not in _told:
                _tell(name, f"a {name} is true, whatever is in it", "it is a list")
            return True

    Once.__name__ = Once.__qualname__ = name
    return Once


map, filter, zip = _iterator("map"), _iterator("filter"), _iterator("zip")
