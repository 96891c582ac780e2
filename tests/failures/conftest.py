"""How many rows there are, and which of them stay open and why, for the end of the run."""

from __future__ import annotations

from tests.suite import last_line

from .rows import ELSEWHERE, OPEN, closed

last_line.totals["failure_row"] = len(closed())
last_line.remarks += [f"failures: {name} stays open: {why}" for name, why in OPEN.items()]
last_line.remarks += [
    f"failures: {name} is shown elsewhere: {where}" for name, where in ELSEWHERE.items()
]
