"""`tfqueue run old.py [its arguments]`: a program of TensorFlow 1, as it was written."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading

from tfqueue.port import engine, era, importer
from tfqueue.port.source import Unreadable

# Asked where the program has loaded it, and never loaded from here.
_EXITS = "tfqueue.session.exits"
ERRORS = (Unreadable, ValueError)
OWN_STREAMS = True  # what the program writes is encoded as Python would have it
EPILOG = """
The program sees its own arguments, its own name and the folder you are in. Put tfqueue's options
before the program; for a notebook they may follow it.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue run``."""
    parser.epilog = EPILOG
    parser.add_argument("--era", metavar="RELEASE", help="the TensorFlow it is from, such as 0.12")
    parser.add_argument(
        "--root", metavar="DIR", help="rewrite modules below this folder (the program's own)"
    )
    parser.add_argument(
        "--explain", action="store_true", help="say on stderr what was changed, and why"
    )
    parser.add_argument(
        "-o", "--output", metavar="NB", help="a notebook's new outputs are written to this file"
    )
    parser.add_argument(
        "--watch", action="store_true", help="show the queues live, on stderr, while it runs"
    )
    parser.add_argument(
        "--report", metavar="HTML", help="write what was seen of the queues to one page"
    )
    parser.add_argument(
        "--summaries", metavar="DIR", help="write it as event files, for TensorBoard"
    )
    parser.add_argument("program", help="a .py or .ipynb file")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="the program's own arguments")


class _Report:
    """Keeps what was found in each file, and says it where that is asked for."""

    def __init__(self, explain: bool):
        self._explain = explain
        self.files: dict[str, engine.Translation] = {}

    def __call__(self, path: str, translation: engine.Translation) -> None:
        self.files[path] = translation
        if self._explain:
            name = os.path.relpath(path)
            sys.stderr.write(f"{name}: {translation.era}\n")
            for found in translation.findings:
                place = f"{name}:{found.line}:{found.col}"
                sys.stderr.write(f"{place}: {found.rule} {found.message}\n")

    def sentence(self, error: BaseException) -> str | None:
        """The sentence for what can't be helped, where it explains an exception."""
        if " is gone since " in str(error):
            # tfqueue.v1 has said it
            return None
        if type(error).__name__ == "URLError":
            return _download(error)
        places = {(frame.f_code.co_filename, line) for frame, line in _frames(error)}
        known = [
            (path, finding)
            for path, translation in self.files.items()
            for finding in translation.findings
            if finding.helpless
        ]
        for path, finding in known:
            missing = isinstance(error, ImportError | AttributeError | TypeError)
            if (path, finding.line) in places or (missing and finding.line):
                return f"{os.path.relpath(path)}:{finding.line}: {finding.message}"
        return None


def _frames(error: BaseException):
    """The frames of a traceback, outermost first, each with its line."""
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _download(error: BaseException) -> str | None:
    """What a program wanted to fetch, and where to put it so that it need not."""
    for frame, _ in _frames(error):
        # the two functions of urllib.request, by their parameters
        if frame.f_code.co_name in ("urlretrieve", "urlopen") and "url" in frame.f_locals:
            url, target = frame.f_locals["url"], frame.f_locals.get("filename")
            where = f"put it at {os.path.abspath(target)}" if target else "put it where it looks"
            url = getattr(url, "full_url", url)
            return f"the program downloads {url}, which can't be reached from here: {where}"
    return None


def _ended(error: BaseException, report: _Report) -> int:
    """What Python does with an exception that nobody caught."""
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        sys.stderr.write(f"{error.code}\n")
        return 1
    sys.excepthook(type(error), error, error.__traceback__)
    sentence = report.sentence(error)
    if sentence:
        sys.stderr.write(f"tfqueue: {sentence}\n")
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def run(args: argparse.Namespace) -> int:
    """Runs the program; returns its exit code."""
    given = era.parse(args.era) if args.era else None
    if not os.path.isfile(args.program):
        what = "is a directory" if os.path.isdir(args.program) else "no such file or directory"
        raise Unreadable(args.program, what)
    report = _Report(args.explain)
    root = args.root or importer.home(args.program)
    options = importer.Options(root=root, era=given, report=report)
    interrupted: list[BaseException] = []

    watching = _watching(args)

    def ended(error: BaseException) -> int:
        if isinstance(error, KeyboardInterrupt):
            interrupted.append(error)
        elif not isinstance(error, SystemExit) and watching is not None:
            watching.failed(error)
        return _ended(error, report)

    with _one_line(watching) if watching is not None else contextlib.nullcontext():
        code = _run(args, options, ended)
    if interrupted:
        # The shell must see a process that SIGINT ended, as it would of Python itself.
        raise interrupted[0]
    return code


def _watching(args: argparse.Namespace):
    """The watch that the options ask for, or None."""
    if not (args.watch or args.report or args.summaries):
        return None
    from tfqueue.watch import watch

    program = [args.program, *args.args]
    return watch(args.watch, args.report, args.summaries, program=program)


def _unwritable(error: OSError) -> Unreadable:
    return Unreadable(str(error.filename), (error.strerror or str(error)).lower())


@contextlib.contextmanager
def _one_line(watching):
    """The watch, whose files that cannot be written are a line on stderr and no traceback."""
    try:
        watching.__enter__()
    except OSError as error:
        raise _unwritable(error) from None
    try:
        yield
    finally:
        try:
            watching.__exit__(None, None, None)
        except OSError as error:
            raise _unwritable(error) from None


def _run(args: argparse.Namespace, options: importer.Options, ended) -> int:
    if args.program.endswith(".ipynb"):
        from tfqueue.port import notebook

        output, rest = _output(args.args)
        return notebook.run(args.program, rest, options, ended, output or args.output)
    if args.output:
        raise Unreadable(args.program, "--output is for notebooks")
    open_before = _open_sessions()

    def join(threads: set[threading.Thread]) -> None:
        # as Python ends: the sessions first, whose runners would be waited for in vain
        if exits := sys.modules.get(_EXITS):
            exits.end_all(but=open_before)
        importer.join_threads(threads)

    return importer.run_script(args.program, args.args, options, ended, join)


def _open_sessions() -> set:
    exits = sys.modules.get(_EXITS)
    return exits.watched() if exits else set()


def _output(args: list[str]) -> tuple[str | None, list[str]]:
    """Takes ``-o FILE`` out of what follows a notebook, which has no arguments of its own."""
    rest = list(args)
    for position, word in enumerate(rest):
        if word in ("-o", "--output") and position + 1 < len(rest):
            return rest[position + 1], rest[:position] + rest[position + 2 :]
        if word.startswith("--output="):
            return word.partition("=")[2], rest[:position] + rest[position + 1 :]
    return None, rest
