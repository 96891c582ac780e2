"""How many threads read and compute ahead of a runner's thread, such as a second one."""

from __future__ import annotations

import os

from tfqueue.accelerate.region import Region

_HELPERS = 2
"""Where there is a reader; one where the source is a queue."""


def cores() -> int:
    """How many cores this process may use."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return found or 1


def helpers_of(region: Region) -> int:
    """How many threads read and compute ahead of the runner's, if it has one thread only.

    None on a single core, or where the examples read variables.
    """
    if region.threads > 1 or cores() == 1 or region.reads_variables:
        return 0
    return _HELPERS if region.reader is not None else 1
