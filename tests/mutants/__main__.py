"""Draws changes of tfqueue at random, runs the nearest tests with each, and names the survivors.

    python -m tests.mutants                                   # 45 changes
    python -m tests.mutants --count 300 --seed 20261124 -j 2  # more of them, two at once
    python -m tests.mutants --only session/                   # in modules whose path holds this
    python -m tests.mutants --tests tests/session/test_x.py   # what has survived, with these files of tests

Each file of tests runs once without a change, but with a probe at each of the drawn ones, which tells
what reaches it and how long that takes. A first round looks at the files of tests near to a change
and leaves out slow tests; a second one tries the survivors with all others.

What has been found stands in `out/mutants`. The same command goes on where it was interrupted, looks
at a file of tests again if that has changed, and tries survivors again if other tests reach them. A
survivor for which `equivalent.json` has a reason is not counted as one.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.mutants import draw, places, reached
from tests.mutants.changes import Change
from tests.mutants.places import ROOT, Chosen, Place, Reports
from tests.suite import fork_server, processes

KILLED, SURVIVED, EQUIVALENT = "killed", "SURVIVED", "changes nothing"
EQUIVALENTS = pathlib.Path(__file__).with_name("equivalent.json")
"""Changes that change nothing: the lines before and after, for lines that are common the name of the
function, and the reason. No path: modules may move."""

NEAREST, NEAR, ALL = ROUNDS = ("nearest files of tests", "near files of tests", "all tests")

End = Callable[[int], None]
"""Takes the exit status of a run of pytest."""
Task = Callable[[Place], End]
"""Starts a run of pytest in a place; gives what takes its end."""

NO_TESTS = int(pytest.ExitCode.NO_TESTS_COLLECTED)
SECONDS_A_FILE = 1800
"""What a file of tests may take without a change."""
SECONDS_MORE = 20
"""What a test may take with a change, and ten times as long as without."""


def lines_of(path: pathlib.Path) -> Iterator[Any]:
    """What a file of JSON lines holds; a last line that was cut off is left out."""
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                yield json.loads(line)


def add_line(path: pathlib.Path, value: Any) -> None:
    """Adds a line of JSON to a file, also where its last line was cut off."""
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(value))


def equivalent(change: Change, source: bytes) -> str | None:
    """Why a change changes nothing, if a reason is known."""
    removed_and_added = [line for line in change.diff(source).splitlines()[2:] if line[0] in "-+"]
    key = [line[0] + line[1:].strip() for line in removed_and_added]
    above = re.findall(r"\bdef (\w+)", source[: change.start].decode())
    for row in json.loads(EQUIVALENTS.read_text("utf-8")):
        if row["change"] == key and row.get("in") in (None, *above[-1:]):
            return row["reason"]
    return None


class Run:
    """The changes of one draw, what is known of them, and where that is written down.

    Args:
        root: The root of the repository.
        folder: Where the results are kept.
        args: `count`, `seed`, `only`, `limit`, `rounds`, `tests`.
    """

    def __init__(self, root: pathlib.Path, folder: pathlib.Path, args: argparse.Namespace) -> None:
        self.root, self.limit = root, args.limit
        self.sources = draw.modules(root, args.only)
        self.changes = draw.drawn(self.sources, args.count, args.seed)
        text = repr([args.count, args.seed, *sorted(self.sources.items())])
        self.folder = folder / hashlib.sha256(text.encode()).hexdigest()[:12]
        self.folder.mkdir(parents=True, exist_ok=True)
        self.digests, self.units = {}, []
        for path in draw.test_files(root):
            source, file = path.read_bytes(), path.relative_to(root).as_posix()
            self.digests[file] = hashlib.sha256(draw.text_of(path).encode()).hexdigest()
            if not args.tests or file in args.tests:
                self.units += [(file, False), (file, True)][: 1 + (b"mark.slow" in source)]
        self._read()
        self.rounds = (ALL,) if args.tests else ROUNDS[: args.rounds]
        self.observing: set[tuple[str, bool]] = set()
        self._begin()

    def _read(self) -> None:
        """Takes what earlier runs have found."""
        self.observed: dict[tuple[str, bool], draw.Observed] = {}
        for row in lines_of(self.folder / "observed.jsonl"):
            if self.digests.get(row["file"]) == row["digest"]:
                row["reached"] = {int(number): ids for number, ids in row["reached"].items()}
                self.observed[row["file"], row["slow"]] = draw.Observed(**row)
        self.results = {row["number"]: row for row in lines_of(self.folder / "results.jsonl")}

    def _begin(self) -> None:
        """Begins the next round, with the changes that no test has noticed."""
        self.which, self.rounds = self.rounds[0], self.rounds[1:]
        self.pending: dict[int, list[tuple[str, bool]]] = {}
        files = [*self.digests]
        for number, change in enumerate(self.changes):
            if self.results.get(number, {}).get("outcome") != KILLED:
                near = draw.near(self.root, files, change.file, most=self.which == NEAREST)
                self.pending[number] = [
                    (file, slow)
                    for file, slow in self.units
                    if self.which == ALL or (file in near and not (slow and self.which == NEAREST))
                ]

    def next_task(self) -> Task | None:
        """What can be started now; None if something that runs has to end before, or all is done.

        A change is tried as soon as its files of tests have been looked at.
        """
        for number, units in [*self.pending.items()]:
            if all(unit in self.observed for unit in units):
                del self.pending[number]
                task = self._trial(number, units)
                if task:
                    return task
        missing = collections.Counter(
            unit for units in self.pending.values() for unit in units if unit not in self.observed
        )
        for unit, _ in missing.most_common():
            if unit not in self.observing:
                self.observing.add(unit)
                return lambda place: self._observe(place, *unit)
        if not self.pending and self.rounds:
            self._begin()
            return self.next_task()
        return None

    def _observe(self, place: Place, file: str, slow: bool) -> End:
        folder = place.probed
        reached.read(folder)
        reached.say_test(folder, "")
        plugin = Reports(place.reports_path, lambda nodeid: reached.say_test(folder, nodeid))
        place.start(
            folder,
            [file, "-m", f"not exhaustive and {'' if slow else 'not '}slow"],
            [plugin],
            SECONDS_A_FILE,
        )

        def end(status: int) -> None:
            reports = [*place.reports()]
            failed = {nodeid for nodeid, _, passed in reports if not passed}
            seconds = {nodeid: time for nodeid, time, _ in reports if nodeid not in failed}
            found = draw.Observed(file, slow, self.digests[file], seconds, reached.read(folder))
            if status not in (0, 1, NO_TESTS):
                print(f"{file} does not run without a change: pytest ends with {status}")
            for nodeid in sorted(failed):
                print(f"fails without a change, left out: {nodeid}", flush=True)
            self.observed[file, slow] = found
            add_line(self.folder / "observed.jsonl", dataclasses.asdict(found))

        return end

    def _trial(self, number: int, units: list[tuple[str, bool]]) -> Task | None:
        """What tries a change with the nearest of these tests; None if that is not needed."""
        observed = [self.observed[unit] for unit in units]
        tests = draw.nearest(number, self.changes[number], observed, self.root, self.limit)
        digests = [(nodeid, self.digests[nodeid.split("::")[0]]) for nodeid in sorted(tests)]
        key = hashlib.sha256(repr(digests).encode()).hexdigest()
        if self.results.get(number, {}).get("tests") == key:
            return None
        row = {"number": number, "tests": key, "seconds": round(sum(tests.values()), 1)}
        if tests:
            return lambda place: self._try(place, row, tests)
        if number in self.results:
            return None  # of other files of tests
        self._told(row, SURVIVED, "no test reaches it")
        return None

    def _try(self, place: Place, row: dict, tests: dict[str, float]) -> End:
        change = self.changes[row["number"]]
        place.change(change.file, change.applied(self.sources[change.file]))
        limits = {nodeid: SECONDS_MORE + 10 * seconds for nodeid, seconds in tests.items()}
        files = dict.fromkeys(nodeid.split("::")[0] for nodeid in tests)
        plugins = [Chosen(limits), Reports(place.reports_path)]
        began = time.monotonic()
        place.start(place.folder, ["-x", *files], plugins, 120 + 5 * sum(tests.values()))

        def end(status: int) -> None:
            row["took"] = round(time.monotonic() - began, 1)
            failed = [nodeid for nodeid, _, passed in place.reports() if not passed]
            lines = place.log.read_text("utf-8", "replace").splitlines() or [""]
            if status in (0, NO_TESTS):
                words = f"{len(tests)} tests pass" if status == 0 else f"no tests: {lines[-1]}"
                self._told(row, SURVIVED, words)
            else:
                self._told(row, KILLED, failed[0] if failed else f"{status}: {lines[-1]}")

        return end

    def _told(self, row: dict, outcome: str, words: str) -> None:
        change = self.changes[row["number"]]
        row |= {"outcome": outcome, "words": words, "file": change.file, "line": change.line}
        row |= {"kind": change.kind, "diff": change.diff(self.sources[change.file])}
        self.results[row["number"]] = row
        add_line(self.folder / "results.jsonl", row)
        if outcome == SURVIVED and not self.reason(row):
            print(self.described(row), flush=True)

    def reason(self, row: dict) -> str | None:
        """Why a survivor's change changes nothing, if a reason is known."""
        change = self.changes[row["number"]]
        return equivalent(change, self.sources[change.file])

    def described(self, row: dict) -> str:
        """A survivor, for people."""
        head = f"SURVIVED: {row['file']}:{row['line']}: {row['kind']} ({row['words']})"
        return "\n".join([head, *row["diff"].splitlines()[2:]])

    def progress(self) -> str:
        """How far it is, in a line."""
        killed = sum(row["outcome"] == KILLED for row in self.results.values())
        waiting = sum(unit in self.observed for unit in self.units)
        return (
            f"{self.which}: {len(self.results)} changes tried, {killed} killed, {len(self.pending)} "
            f"wait; {waiting} of {len(self.units)} files of tests looked at;"
        )

    def totals(self) -> tuple[str, int]:
        """A table of the outcomes by folder, and how many survive without a reason."""
        counted: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        for row in self.results.values():
            equal = row["outcome"] == SURVIVED and self.reason(row)
            folder = pathlib.PurePath(row["file"]).parent.as_posix()
            counted[folder][EQUIVALENT if equal else row["outcome"]] += 1
        counted["all"] = sum(counted.values(), collections.Counter())
        lines = [f"| {'folder':30} | killed | survived | changes nothing |", "|---|---|---|---|"]
        for folder, numbers in sorted(counted.items(), key=lambda item: item[0] == "all"):
            cells = [numbers[outcome] for outcome in (KILLED, SURVIVED, EQUIVALENT)]
            lines.append(f"| {folder:30} | {cells[0]:6} | {cells[1]:8} | {cells[2]:15} |")
        return "\n".join(lines), counted["all"][SURVIVED]


def carry_out(run: Run, number: int) -> None:
    """Starts what there is to do, so many at once, each in a place of its own."""
    began, done = time.monotonic(), 0
    with places_for(run, number) as idle:
        busy: list[tuple[Place, End]] = []
        while True:
            while idle and (task := run.next_task()):
                place = idle.pop()
                busy.append((place, task(place)))
            if not busy:
                return
            for place, end in list(busy):
                status = place.ended()
                if status is not None:
                    busy.remove((place, end))
                    idle.append(place)
                    end(status)
                    done += 1
                    if done % 20 == 0:
                        print(run.progress(), f"{time.monotonic() - began:.0f} s", flush=True)
            time.sleep(0.05)


@contextlib.contextmanager
def places_for(run: Run, number: int) -> Iterator[list[Place]]:
    """So many places in the temporary folder; what runs in them is ended with the block."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        found = []
        for name in map(str, range(number)):
            plain, probed = pathlib.Path(folder, name), pathlib.Path(folder, f"{name}-probed")
            places.copy_of(run.root, plain)
            places.copy_of(run.root, probed)
            reached.put_probes(probed, run.changes)
            found.append(Place(plain, probed))
        try:
            yield [*found]
        finally:
            for place in found:
                place.close()


def main(argv: list[str] | None = None) -> int:
    """Tries the changes; the exit status is 1 if one survives without a reason."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=45, help="how many changes (45)")
    parser.add_argument("--seed", type=int, default=0, help="the same draws the same (0)")
    parser.add_argument("--only", default="", help="a part of the modules' paths")
    parser.add_argument("--limit", type=float, default=60, help="seconds of tests a change (60)")
    parser.add_argument("--rounds", type=int, default=3, help="how many of the three rounds (3)")
    parser.add_argument("--tests", nargs="*", help="files of tests, in place of all")
    parser.add_argument("-j", type=int, default=1, help="how many at once (1)")
    args = parser.parse_args(argv)
    processes.use_default_interrupt()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    fork_server.load()  # for the children
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    began = time.monotonic()
    run = Run(ROOT, ROOT / "out" / "mutants", args)
    carry_out(run, args.j)
    table, survivors = run.totals()
    print(table)
    print(f"seed {args.seed}; {time.monotonic() - began:.0f} s; all that is known: {run.folder}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
