"""Counts the documents' blocks that ran, for the last line of the run."""

from __future__ import annotations

import pytest

from . import library


def pytest_configure(config: pytest.Config) -> None:
    """pytest-xdist's mark, for when that is not installed or switched off."""
    config.addinivalue_line("markers", "xdist_group(name): run these tests on one worker")


@pytest.fixture(autouse=True)
def own_graph():
    """In place of a graph for each test: a document has one, over all its blocks."""


@pytest.fixture(autouse=True)
def no_thread_left():
    """In place of a look after each test: the runners of one block feed the next.

    `test_documents.test_no_thread_is_left` looks when the document has ended.
    """


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session):
    """Ends the run with ``documents: N of N blocks``.

    Counted from the reports, so that it is right under pytest-xdist too: the workers, which have no
    terminal, send their reports' properties along.
    """
    result = yield
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    if reporter:
        passed = {
            value
            for report in reporter.getreports("passed")
            for name, value in report.user_properties
            if name == "document_block"
        }
        total = sum(len(blocks) for blocks in library.documents().values())
        found = f"{len(passed)} of {total} blocks" if total else library.WHY_NOT
        reporter.write_line(f"documents: {found}")
    return result
