"""Prints, at the end of the run, which rows stay open and why."""

from __future__ import annotations

from tests.suite import last_line

from .rows import ELSEWHERE, OPEN, closed

last_line.totals["failure_row"] = len(closed())


def pytest_terminal_summary(terminalreporter) -> None:
    """A line for each row that is not shown here, if any row was asked for."""
    if not last_line.ran(terminalreporter, "failure_row"):
        return
    for number, why in OPEN.items():
        terminalreporter.write_line(f"failures: {number} stays open: {why}")
    for number, where in ELSEWHERE.items():
        terminalreporter.write_line(f"failures: {number} is shown elsewhere: {where}")
