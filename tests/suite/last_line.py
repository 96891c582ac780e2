"""The last lines of a run: what failed, how many of the documents' blocks and the failures' rows ran."""

from __future__ import annotations

import pytest

_COUNTED = {"document_block": ("documents", "blocks"), "failure_row": ("failures", "rows")}
"""A property that tests record: what is counted by it."""

totals: dict[str, int] = {}
"""How many there are of each; the `conftest.py` beside the tests fills it in."""

remarks: list[str] = []
"""Lines in front of the last one, from there too."""


def ran(reporter, counted: str) -> set[str]:
    """The values of this property over all tests that passed.

    They are read from the reports, which pytest-xdist's workers send to the process that has the
    terminal.
    """
    return {
        value
        for report in reporter.getreports("passed")
        for name, value in report.user_properties
        if name == counted
    }


def line(reporter) -> str:
    """`documents: 46 of 46 blocks; failures: 65 of 65 rows; 3500 passed, 2 skipped`."""
    parts = [
        f"{what}: {len(ran(reporter, name))} of {totals[name]} {kind}"
        for name, (what, kind) in _COUNTED.items()
        if name in totals
    ]
    kinds = ("failed", "error", "passed", "skipped", "xfailed", "xpassed")
    numbers = {kind: len(reporter.getreports(kind)) for kind in kinds}
    parts.append(", ".join(f"{number} {kind}" for kind, number in numbers.items() if number))
    return "; ".join(filter(None, parts))


def failed(reporter) -> list[str]:
    """What failed, a line each, where only the end of what is printed is kept; the first of them."""
    reports = [*reporter.getreports("failed"), *reporter.getreports("error")]
    lines = []
    for report in reports[:_MOST]:
        crash = getattr(report.longrepr, "reprcrash", None)
        text = crash.message if crash else str(report.longrepr)
        lines.append(f"failed: {report.nodeid}: {(text.splitlines() or [''])[0][:_WIDTH]}")
    return lines


_MOST, _WIDTH = 20, 150


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Takes what one of pytest-xdist's workers says: the process with the terminal loads no such file."""
    said = getattr(node, "workeroutput", {})
    totals.update(said.get("totals", {}))
    remarks.extend(text for text in said.get("remarks", ()) if text not in remarks)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session):
    """Ends the run with the line, below pytest's own summary."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput.update(totals=totals, remarks=remarks)
    result = yield
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter and any(ran(reporter, name) for name in _COUNTED):
        for text in [*remarks, *failed(reporter), line(reporter)]:
            reporter.write_line(text)
    return result
