"""`tfqueue check`: what a program needs to run today, line by line. Loads no TensorFlow.

What can't be helped, `port.program.refusals` says.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import dataclasses
import json
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tfqueue.commands import options
from tfqueue.output.printing import printable
from tfqueue.output.progress import ProgressBar
from tfqueue.port import entrance
from tfqueue.port.entrance import NOTHING, Given
from tfqueue.port.program import project, reach, refusals, tensorflow_names
from tfqueue.port.program.module import PLACED
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.source.files import Unreadable, find

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

# Below this many files the start of other processes costs more than they bring.
_MANY = 150
ERRORS = (Unreadable, ValueError)
EPILOG = f"""
exit code: 0 = runs as it is, 1 = runs with changes (tfqueue run makes them in memory, tfqueue port
writes them), 2 = something {refusals.CANNOT_BE_HELPED}, and stops the program where it gets to it, or a file can't
be read
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue check``."""
    parser.epilog = EPILOG
    parser.add_argument("paths", nargs="+", metavar="PATH", help="programs, notebooks or folders")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    options.add_given(parser)


@dataclasses.dataclass
class Result:
    """The result of `check` for one file, in plain values that processes can exchange.

    `reached` are the lines of which something runs whenever the file does.
    """

    path: str
    code: int
    era: str
    python2: bool
    findings: list[refusals.Row]
    pipelines: list[tuple[str, list[tuple[str, str, int]]]]
    written_for: str = ""
    asked: list[tensorflow_names.Asked] = dataclasses.field(default_factory=list)
    called: list[tensorflow_names.Called] = dataclasses.field(default_factory=list)
    imports: list[str] = dataclasses.field(default_factory=list)
    reached: frozenset[tuple[str, int]] = frozenset()
    error: str | None = None
    judged: WrittenFor | None = None

    def as_json(self) -> dict[str, Any]:
        """The file's part of the JSON document."""
        if self.error:
            return {"path": self.path, "code": 2, "error": self.error}
        names = ("place", "line", "col", "rule", "message", "helpless", "reached")
        return {
            "path": self.path,
            "code": self.code,
            "era": self.era,
            "python2": self.python2,
            "verdict": self.written_for,
            "findings": [
                dict(zip(names, (*row, row[:2] in self.reached), strict=True))
                for row in self.findings
            ],
            "pipelines": [
                {
                    "function": function,
                    "calls": [{"kind": k, "name": n, "line": at} for k, n, at in calls],
                }
                for function, calls in self.pipelines
            ],
        }


def check(path: str, given: Given = NOTHING, judged: WrittenFor | None = None) -> Result:
    """Checks one program or notebook.

    Args:
        given: Which Python and which TensorFlow the user said, or None for each.
        judged: What is known of the program that imports it; found out when None.
    """
    try:
        program = entrance.opened(path, given=given, written_for=judged)
    except Unreadable as error:
        return Result(path, 2, "", False, [], [], error=str(error))
    translation = program.translation
    rows: list[refusals.Row] = [
        (*program.place(f.line), f.col, f.rule, f.message, f.helpless) for f in translation.findings
    ]
    pipelines = [
        (found.function, [(kind, name, program.place(at)[1]) for kind, name, at in found.calls])
        for found in translation.pipelines
    ]
    asked = tensorflow_names.asked(translation.module, translation.lines)
    return Result(
        path,
        translation.code,
        str(translation.written_for.era),
        translation.module.python2,
        rows,
        pipelines,
        str(translation.written_for),
        asked,
        tensorflow_names.called(translation.module, translation.lines),
        project.imported_files(path, translation.text if path.endswith(".ipynb") else None),
        reached=_reached(program),
        judged=translation.written_for,
    )


def _reached(program: entrance.Program) -> frozenset[tuple[str, int]]:
    """The lines of which something runs whenever the program does, as findings name them."""
    translation = program.translation
    found = reach.nodes(translation.module, as_program=True)
    at = {min(node.lineno, len(translation.lines)) for node in found if isinstance(node, PLACED)}
    lines = [translation.lines[line - 1] for line in at]
    own = {(translation.module.path, line) for line in lines}
    return frozenset(own.union(map(program.place, lines)))


def _one(job: tuple[str, Given]) -> Result:
    return check(*job)


def _results(paths: list[str], given: Given) -> Iterator[Result]:
    jobs = [(path, given) for path in paths]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    workers = min(cores or 1, 8)
    if len(jobs) < _MANY or workers < 2:
        yield from map(_one, jobs)
        return
    import multiprocessing  # here: a tenth of the time that a look at one program takes
    from concurrent import futures
    from concurrent.futures.process import BrokenProcessPool

    # spawned, not forked: the calling process may have threads
    context, done = multiprocessing.get_context("spawn"), 0
    pool = futures.ProcessPoolExecutor(workers, context)
    try:
        with _ignoring_interrupts(context):
            found = pool.map(_one, jobs, chunksize=8)  # starts them all
        for result in found:
            done += 1
            yield result
    except BrokenProcessPool:
        # one was killed, or none can start below a script without `if __name__ == "__main__"`
        yield from map(_one, jobs[done:])
    finally:
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _ignoring_interrupts(context: BaseContext) -> Iterator[None]:
    """Processes that are started in the block ignore Ctrl-C, which a terminal sends to them, too.

    The process that started them handles it, and ends them when they have finished their current file.
    """
    if sys.platform == "win32":
        yield
        return
    context.Lock()  # the first one starts a process of multiprocessing's, which changes the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _progress(results: Iterable[Result], total: int) -> Iterator[Result]:
    with ProgressBar("checking", "files", total) as progress:
        for number, result in enumerate(results, 1):
            progress(number)
            yield result


def _print(result: Result) -> None:
    if result.error:
        sys.stderr.write(f"tfqueue: {result.error}\n")
        return
    for place, line, col, rule, message, helpless in result.findings:
        sign = refusals.sign(helpless, (place, line) in result.reached)
        _say(f"{place}:{line}:{col}: {rule} {message}{sign}")
    if result.findings and result.written_for:
        _say(f"{result.path}: written for {result.written_for}")
    for function, calls in result.pipelines:
        chain = " -> ".join(f"{name} ({line})" for _, name, line in calls)
        _say(f"{result.path}: pipeline in {function}: {chain}")


def _say(line: str) -> None:
    sys.stdout.write(printable(line) + "\n")


def _followed(results: list[Result], given: Given) -> list[Result]:
    """The user's modules that the programs import, and those that these import."""
    seen = {os.path.realpath(result.path) for result in results}
    found: list[Result] = []
    # a module is of the Python and the TensorFlow of the program that imports it, as `run` has it
    todo = collections.deque((path, each.judged) for each in results for path in each.imports)
    while todo:
        path, judged = todo.popleft()
        if os.path.realpath(path) in seen:
            continue
        seen.add(os.path.realpath(path))
        result = check(os.path.relpath(path), given, judged)
        found.append(result)
        todo += [(each, judged) for each in result.imports]
    return found


def _add_refusals(results: list[Result]) -> None:
    """Adds the names below `tf` that do not exist, and calls that fit no form, to what was found."""
    files = [(result.asked, result.called, result.findings) for result in results]
    for result, found in zip(results, refusals.of_names(files), strict=True):
        if found:
            result.findings = sorted([*result.findings, *found])
            result.code = 2


def run(args: argparse.Namespace) -> int:
    """Prints the report; returns the exit code."""
    given = options.given(args)
    paths, broken = [], []
    for found in find(args.paths):
        if isinstance(found, Unreadable):
            broken.append(Result(found.path, 2, "", False, [], [], error=str(found)))
        else:
            paths.append(found)
    results = list(_progress(_results(paths, given), len(paths)))
    results += _followed(results, given)
    _add_refusals(results)
    results += broken
    if args.json:
        document = {"files": [result.as_json() for result in results]}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        for result in results:
            _print(result)
        codes = [result.code for result in results if not result.error]
        errors = sum(1 for result in results if result.error)
        unread = f", {errors} can't be read" if errors else ""
        files = "1 file" if len(results) == 1 else f"{len(results)} files"
        sys.stdout.write(
            f"{files}: {codes.count(0)} as it is, {codes.count(1)} with changes, "
            f"{codes.count(2)} with what {refusals.CANNOT_BE_HELPED}{unread}\n"
        )
    return max((result.code for result in results), default=0)
