"""What a program that runs as Python 3, though nothing proves that, calls.

Its divisions, `round` and what is made by `map`, `filter` and `zip` go through these functions, which
give what Python 3 gives, and say the first time that Python 2 gives something else.
"""

from __future__ import annotations

import builtins
import decimal
import math
from typing import Any

from tfqueue.port.differences.telling import tell, tell_division, was_told


def div(left: Any, right: Any) -> Any:
    """Divides.

    >>> div(6, 3), div(7.0, 2)
    (2.0, 3.5)
    """
    result = left / right
    tell_division(left, right, 3)
    return result


def divisor(left: Any, right: Any) -> Any:
    """Gives the right side of ``left /= right``.

    >>> divisor(7.0, 2)
    2
    """
    tell_division(left, right, 3)
    return right


def round(number: Any, ndigits: Any = None) -> Any:
    """Rounds.

    >>> round(2.6), round(0.26, 1)
    (3, 0.3)
    """
    result = builtins.round(number, ndigits)
    if not was_told("round") and isinstance(number, float) and math.isfinite(number):
        step = decimal.Decimal(1).scaleb(-(ndigits or 0))
        half_up = decimal.Context(prec=400, rounding=decimal.ROUND_HALF_UP)  # away from zero
        before = float(decimal.Decimal(number).quantize(step, context=half_up))
        if before != result:
            given = f"round({number}{'' if ndigits is None else f', {ndigits}'})"
            tell("round", f"{given} is {result}", f"it is {before}", 3)
    return result


def _iterator(name: str) -> Any:
    """A class of iterators that says when it is used as the list that it was in Python 2."""
    native = getattr(builtins, name)

    class Once(native):  # type: ignore[misc, valid-type]
        """What can be gone through once."""

        gone_through = False

        def __iter__(self) -> Any:
            if self.gone_through and not was_told(name):
                tell(name, f"a {name} is gone through again and is empty", "it is a list", 3)
            self.gone_through = True
            return native.__iter__(self)

        def __bool__(self) -> bool:
            if not was_told(name):
                tell(name, f"a {name} is true, whatever is in it", "it is a list", 3)
            return True

        def __repr__(self) -> str:
            if not was_told(name):
                tell(name, f"a {name} is shown without what is in it", "it is a list", 3)
            return str(native.__repr__(self))

    Once.__name__ = Once.__qualname__ = name
    Once.__module__ = native.__module__
    return Once


map, filter, zip = _iterator("map"), _iterator("filter"), _iterator("zip")
