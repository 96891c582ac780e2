"""Who calls a method of a library that was changed: the program, or an installed library."""

from __future__ import annotations

import functools
import sys

from tfqueue.port.program.folders import is_library

_is_library = functools.cache(is_library)


def by_library() -> bool:
    """Whether a library calls the function that asks this; what stands in for numpy's functions is none."""
    asking = sys._getframe(2)
    own = str(asking.f_globals.get("__name__")).startswith("tfqueue.port.runtime.")
    return not own and _is_library(asking.f_code.co_filename)
