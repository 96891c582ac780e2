"""Who calls a method of a library that was changed: the program, or an installed library."""

from __future__ import annotations

import functools
import sys
import types

from tfqueue.port.program.folders import is_library

_is_library = functools.cache(is_library)
_FOR_THE_PROGRAM = ("tfqueue.port.runtime.", "tfqueue.port.py2.")


def by_library(*passing: str) -> bool:
    """Whether a library calls the function that asks this.

    What stands in for functions of numpy or of Python 2 is none: the program calls these.

    Args:
        passing: Beginnings of modules' names: who calls those is looked at in their place.
    """
    asking: types.FrameType | None = sys._getframe(2)
    while asking is not None and _name(asking).startswith(passing):
        asking = asking.f_back
    if asking is None or _name(asking).startswith(_FOR_THE_PROGRAM):
        return False
    return _is_library(asking.f_code.co_filename)


def _name(frame: types.FrameType) -> str:
    return str(frame.f_globals.get("__name__"))
