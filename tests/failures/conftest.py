"""Prints, at the end of the run, which rows stay open and why."""

from __future__ import annotations

from .rows import ELSEWHERE, OPEN, closed


def pytest_terminal_summary(terminalreporter) -> None:
    """`failures: N of 70 rows`, and a line for each that is not shown here."""
    passed = {
        value
        for report in terminalreporter.getreports("passed")
        for name, value in report.user_properties
        if name == "failure_row"
    }
    if not passed:
        return  # none of the rows was asked for
    terminalreporter.write_line(f"failures: {len(passed)} of {len(closed())} rows hold")
    for number, why in OPEN.items():
        terminalreporter.write_line(f"failures: {number} stays open: {why}")
    for number, where in ELSEWHERE.items():
        terminalreporter.write_line(f"failures: {number} is shown elsewhere: {where}")
