"""Copies of the repository in which pytest runs, each time in a child of this process.

TensorFlow is imported once, before the children are forked.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import py_compile
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
_REPORTS = "mutant.reports"


def copy_of(root: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """A copy of what git knows, and of what is new, at `folder`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (root / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, folder / name)
    return folder


class Reports:
    """A pytest plugin: writes a line of JSON for each test, as it ends.

    Args:
        path: The file to write to.
        started: Called with the node id of each test that starts.
    """

    def __init__(self, path: pathlib.Path, started: Callable[[str], None] | None = None) -> None:
        self.path, self.started = path, started
        self.seconds, self.passed = 0.0, True

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Called by pytest before a test."""
        self.seconds, self.passed = 0.0, True
        if self.started:
            self.started(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called by pytest after a test's set-up, call and tear-down."""
        self.seconds += report.duration
        self.passed &= not report.failed
        if report.when == "teardown" or report.failed:
            line = json.dumps([report.nodeid, round(self.seconds, 3), self.passed])
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


class Chosen:
    """A pytest plugin: keeps the given tests, in the given order, each with a time limit.

    Args:
        limits: By node id, the seconds after which a test is ended.
    """

    def __init__(self, limits: dict[str, float]) -> None:
        self.limits = limits
        self.places = {nodeid: place for place, nodeid in enumerate(limits)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Called by pytest with all tests of the files."""
        items[:] = [item for item in items if item.nodeid in self.places]
        items.sort(key=lambda item: self.places[item.nodeid])
        for item in items:
            limit = pytest.mark.timeout(self.limits[item.nodeid])
            item.add_marker(limit, append=False)


class Place:
    """Two copies of the repository; one run of pytest at a time.

    Args:
        folder: Where the copy is in which changes are tried.
        probed: Where the one with probes is.
    """

    def __init__(self, folder: pathlib.Path, probed: pathlib.Path) -> None:
        self.folder, self.probed = folder, probed
        self.child = 0
        self._restored: tuple[pathlib.Path, bytes] | None = None

    def change(self, file: str, source: bytes) -> None:
        """Writes a module anew until `ended` says that the run has ended."""
        path = self.folder / file
        self._restored = path, path.read_bytes()
        # Its bytecode is known by the text: two changes in one second are told apart.
        by_text = py_compile.PycInvalidationMode.CHECKED_HASH
        py_compile.compile(str(path), doraise=True, invalidation_mode=by_text)
        path.write_bytes(source)

    def start(
        self, copy: pathlib.Path, words: list[str], plugins: list[object], seconds: float
    ) -> None:
        """Starts pytest with these words in one of the copies; after so many seconds it is ended."""
        self.reports_path.unlink(missing_ok=True)
        self._until = time.monotonic() + seconds
        self.child = os.fork()
        if not self.child:
            self._run(copy, words, plugins)

    def _run(self, copy: pathlib.Path, words: list[str], plugins: list[object]) -> None:
        """In the child: pytest, as if from the command line."""
        status = 70
        try:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            output = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            for descriptor in (1, 2):
                os.dup2(output, descriptor)
            os.chdir(copy)
            os.environ["PYTHONPATH"] = str(copy)
            for name in ("PYTHONDONTWRITEBYTECODE", "PYTEST_CURRENT_TEST"):
                os.environ.pop(name, None)
            sys.dont_write_bytecode = False
            here = ("", os.getcwd(), str(ROOT))
            sys.path[:] = [str(copy), *(path for path in sys.path if path not in here)]
            for name in [n for n in sys.modules if n.partition(".")[0] in ("tests", "tfqueue")]:
                del sys.modules[name]
            options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", "."]
            status = int(pytest.main([*options, *words], plugins=plugins))
        finally:
            sys.stdout.flush()
            os._exit(status)

    @property
    def log(self) -> pathlib.Path:
        """What pytest prints."""
        return self.folder / "mutant.log"

    @property
    def reports_path(self) -> pathlib.Path:
        """Where the plugin `Reports` writes to."""
        return self.folder / _REPORTS

    def reports(self) -> Iterator[tuple[str, float, bool]]:
        """Node id, seconds and whether it passed, of each test that has ended."""
        if self.reports_path.exists():
            for line in self.reports_path.read_text("utf-8").splitlines():
                yield tuple(json.loads(line))

    def ended(self) -> int | None:
        """The exit status of pytest; negative for a signal; None while it runs."""
        if time.monotonic() > self._until:
            os.kill(self.child, signal.SIGKILL)
        child, status = os.waitpid(self.child, os.WNOHANG)
        return self._end(status) if child else None

    def close(self) -> None:
        """Ends what runs."""
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            self._end(os.waitpid(self.child, 0)[1])

    def _end(self, status: int) -> int:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.child, signal.SIGKILL)  # what the tests have started
        self.child = 0
        if self._restored:
            self._restored[0].write_bytes(self._restored[1])
            self._restored = None
        return os.waitstatus_to_exitcode(status)
