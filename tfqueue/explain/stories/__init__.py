"""What to say of each failure, stall and silent damage: rows of a condition and a text.

A row's text names the queue and runner by the names the user gave, the file and the record, and the fix. A
row says which failures it explains, by their names in `tests/failures/README.md`. One file per subject:
`files`, `parsing` (records), `silent` (damage without an error), `python` (functions in the graph), `starting`, `stalls` and
`cluster`. `rows` is what a row is, `places` where a failure happened.
"""

from __future__ import annotations

from tfqueue.explain.stories import (
    cluster,
    files,
    parsing,
    places,
    python,
    silent,
    stalls,
    starting,
)
from tfqueue.explain.stories.rows import Row

__all__ = [
    "AT_CLOSE",
    "AT_END",
    "AT_PLAN",
    "AT_START",
    "FAILURES",
    "STALLS",
    "Row",
    "cluster",
    "stalls",
]

FAILURES = [
    *places.FAILURES,
    *starting.FAILURES,
    *files.FAILURES,
    *parsing.FAILURES,
    *python.FAILURES,
    *cluster.FAILURES,
]
"""Notes on an error: every row that applies is said."""

STALLS = stalls.STALLS
"""The text of a `StarvationError`: the first row that applies."""

AT_START = silent.AT_START
AT_PLAN = silent.AT_PLAN
AT_END = silent.AT_END
AT_CLOSE = silent.AT_CLOSE
"""Warnings: when runners are started, when a step is first run, at the end of the data, and when
the session is closed. Every row that applies is said."""
