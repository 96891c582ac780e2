"""`tfqueue run old.py [its arguments]`: a program of TensorFlow 1, as it was written."""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import sys
import threading

from tfqueue.names.sentence import GoneError
from tfqueue.port.program import era
from tfqueue.port.rules import engine
from tfqueue.port.run import importer, interrupts
from tfqueue.port.source.files import Unreadable, install_folder

# Asked where the program has loaded it, and never loaded from here.
_REGISTRY = "tfqueue.session.registry"
ERRORS = (Unreadable, ValueError)
OWN_STREAMS = True  # what the program writes is encoded as Python would have it
EPILOG = """
PROGRAM is a .py or .ipynb file, or - for standard input. It sees its own arguments, its own name
and the folder you are in. Put tfqueue's options before the program; for a notebook they may follow.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue run``."""
    parser.epilog = EPILOG
    era.add_options(parser)
    parser.add_argument(
        "--root", metavar="DIR", help="translate no modules but those below this folder"
    )
    parser.add_argument(
        "--also",
        metavar="PACKAGE",
        action="append",
        default=[],
        help="translate this installed package, too (can be given again)",
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
    parser.add_argument("-m", dest="module", metavar="MODULE", help="run a module by its name")
    parser.add_argument("program", nargs="?", help="a .py or .ipynb file, or -")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="the program's own arguments")


_WITH_VALUE = frozenset(
    ["--python", "--era", "--root", "--also", "-o", "--output", "--report", "--summaries"]
)


def divide(argv: list[str]) -> tuple[list[str], list[str]]:
    """Divides a command line behind the program: what follows is its own, `--` and all.

    >>> divide(["--era", "0.12", "old.py", "--", "-x"])
    (['--era', '0.12', 'old.py'], ['--', '-x'])
    >>> divide(["-m", "package.module", "-v"])
    (['-m', 'package.module'], ['-v'])
    """
    at = 0
    while at < len(argv):
        word = argv[at]
        if word == "-m":
            return argv[: at + 2], argv[at + 2 :]
        if word == "-" or not word.startswith("-"):
            return argv[: at + 1], argv[at + 1 :]
        at += 2 if word in _WITH_VALUE else 1
    return argv, []


class _Report:
    """Keeps what was found in each file, and says it where that is asked for."""

    def __init__(self, explain: bool):
        self._explain = explain
        self.files: dict[str, engine.Translation] = {}

    def __call__(self, path: str, translation: engine.Translation) -> None:
        if self._explain:
            name = os.path.relpath(path)
            sys.stderr.write(f"{name}: {translation.verdict}\n")
            for found in translation.findings:
                place = f"{name}:{found.line}:{found.col}"
                sys.stderr.write(f"{place}: {found.rule} {found.message}\n")

    def sentence(self, error: BaseException) -> str | None:
        """The sentence for what can't be helped, where it explains an exception."""
        if isinstance(error, GoneError):
            # tfqueue.v1 has said it
            return None
        if type(error).__name__ == "URLError":
            return _download(error)
        places = {(frame.f_code.co_filename, line) for frame, line in _frames(error)}
        for path, translation in self.files.items():
            for found in translation.findings:
                if found.helpless and (path, found.line) in places and _is_about(found, error):
                    return f"{os.path.relpath(path)}:{found.line}: {found.message}"
        return _division(self.files, places, error) or _library(error)


def _is_about(found, error: BaseException) -> bool:
    """Whether a finding names what an exception is about."""
    name = found.message.partition(" ")[0].rpartition(".")[2]
    return isinstance(error, ImportError | AttributeError | TypeError) and name in str(error)


def _division(files, places: set, error: BaseException) -> str | None:
    """A float where a whole number is wanted, in a program that nothing shows to be Python 2."""
    if not isinstance(error, TypeError) or "float" not in str(error):
        return None
    for path, translation in files.items():
        module = translation.module
        if module.python2 or translation.verdict.given or translation.verdict.why:
            continue
        for node in module.nodes[ast.BinOp]:
            if isinstance(node.op, ast.Div) and (path, node.lineno) in places:
                return (
                    f"{os.path.relpath(path)}:{node.lineno}: nothing tells whether this is Python "
                    "2, where `/` divides whole numbers: run with --python 2 if it is"
                )
    return None


# These run on TensorFlow 2: translated, they would not be other programs.
_NEVER = ("tensorflow", "tfqueue", "keras", "tf_keras", "tf_slim", "numpy", "google", "absl")


def _library(error: BaseException) -> str | None:
    """That an error comes out of a package which was not translated."""
    names = [frame.f_code.co_filename for frame, _ in _frames(error)]
    if isinstance(error, SyntaxError) and error.filename:
        names.append(error.filename)
    for name in reversed(names):
        folder = install_folder(name)
        if folder is None:
            continue
        path = os.path.relpath(os.path.realpath(name), folder)
        package = path.split(os.sep)[0].removesuffix(".py")
        if package in _NEVER:
            continue
        if isinstance(error, SyntaxError) or _uses_tensorflow(name):
            return (
                f"{package} is an installed package and was not translated; "
                f"--also {package} translates it"
            )
        return None
    return None


def _uses_tensorflow(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return b"tensorflow" in file.read()
    except OSError:
        return False


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
    if args.module:
        importer.module_file(args.module)
        path = ""
    else:
        path = args.program
        if path is None:
            raise Unreadable("run", "the following arguments are required: PROGRAM, or -m MODULE")
        if path != "-" and not os.path.isfile(path):
            what = "is a directory" if os.path.isdir(path) else "no such file or directory"
            raise Unreadable(path, what)
    report = _Report(args.explain)
    options = importer.Options(root=args.root, also=frozenset(args.also), report=report)
    options.given = args.python, given
    report.files = options.ran
    interrupted: list[BaseException] = []
    watching = _watching(args)

    def ended(error: BaseException) -> int:
        if isinstance(error, KeyboardInterrupt):
            interrupted.append(error)
        elif not isinstance(error, SystemExit) and watching is not None:
            watching.failed(error)
        code = _ended(error, report)
        if interrupted:
            listener.over.set()
        return code

    own = getattr(args, "own_process", False)
    with interrupts.listening(own) as listener:
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

    program = [args.module or args.program, *args.args]
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
    if not args.module and args.program.endswith(".ipynb"):
        from tfqueue.port.notebook import notebook

        output, rest = _output(args.args)
        return notebook.run(args.program, rest, options, ended, output or args.output)
    if args.output:
        raise Unreadable(args.module or args.program, "--output is for notebooks")
    open_before = _open_sessions()

    def join(threads: set[threading.Thread]) -> None:
        # as Python ends: the sessions first, whose runners would be waited for in vain
        if registry := sys.modules.get(_REGISTRY):
            registry.end_all(but=open_before)
        importer.join_threads(threads)

    if args.module:
        return importer.run_module(args.module, args.args, options, ended, join)
    return importer.run_script(args.program, args.args, options, ended, join)


def _open_sessions() -> set:
    registry = sys.modules.get(_REGISTRY)
    return registry.still_open() if registry else set()


def _output(args: list[str]) -> tuple[str | None, list[str]]:
    """Takes ``-o FILE`` out of what follows a notebook, which has no arguments of its own."""
    rest = list(args)
    for position, word in enumerate(rest):
        if word in ("-o", "--output") and position + 1 < len(rest):
            return rest[position + 1], rest[:position] + rest[position + 2 :]
        if word.startswith("--output="):
            return word.partition("=")[2], rest[:position] + rest[position + 1 :]
    return None, rest
