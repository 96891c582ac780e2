"""The tests that may be skipped, and why. Any other skip fails the run."""

from __future__ import annotations

import re

import pytest

_NO_DOCUMENTS = r"no documents in .*"

ALLOWED = {
    # where a test stands: (pytest's reason, a regular expression; why that is no loss)
    "tests/documents/": (_NO_DOCUMENTS, "the documents' texts are no part of the repository"),
    "tests/dataset/test_documents.py": (_NO_DOCUMENTS, "as above"),
    "tests/test_cli_errors.py": ("root reads everything", "no file is unreadable to root"),
    # They make an import of TensorFlow a third longer, so `make matrix` alone has them.
    "tests/port/libraries/": (
        r"(pandas|openpyxl) is not installed|could not import '(sk(image|learn)|imblearn|nltk|librosa|statsmodels)",
        "programs bring it",
    ),
    "tests/": (r".* TensorFlow 2\.21.*", "what is asked of one release alone; CI has that"),
    "tests/commands/test_completion.py": (r"there is no \w+ here", "a shell may not be installed"),
}


def is_allowed(place: str, reason: str) -> bool:
    """Whether a skip of the test at `place` for `reason` is on the list."""
    return any(
        place.startswith(start) and re.search(expected, reason)
        for start, (expected, _) in ALLOWED.items()
    )


def unexpected(reporter) -> list[str]:
    """A line for each skip of the run that is not on the list."""
    found = []
    for report in reporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not is_allowed(report.nodeid, reason):
            found.append(f"{report.nodeid}: {reason}")
    return found


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session):
    """Fails the run if a test was skipped that is not on the list.

    With several workers this is asked by the process that has the terminal. Its lines stand below
    pytest's summary: of a long run, only the end may be kept.
    """
    reporter = session.config.pluginmanager.getplugin("terminalreporter")
    lines = unexpected(reporter) if reporter else []
    if lines and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    result = yield
    for line in lines:
        reporter.write_line(f"skipped, and not on the list of tests/suite/skips.py: {line}")
    return result
