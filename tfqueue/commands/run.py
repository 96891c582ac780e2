"""`tfqueue run old.py [its arguments]`: a program of TensorFlow 1, as it was written."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tfqueue.commands import options
from tfqueue.output.printing import printable
from tfqueue.port import entrance
from tfqueue.port.code.execution import Ended, join_threads
from tfqueue.port.rules import engine
from tfqueue.port.run import advice, importer, interrupts
from tfqueue.port.source.files import Source, Unreadable, write
from tfqueue.recording import record_tf1

if TYPE_CHECKING:
    from tfqueue.watch import watch as Watch

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
    options.add_given(parser)
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
    parser.add_argument(
        "--record", metavar="FILE", help="write what each step gave, for tfqueue compare"
    )
    record_tf1.add_options(parser.add_argument_group("with --record"))
    parser.add_argument("-m", dest="module", metavar="MODULE", help="run a module by its name")
    parser.add_argument("program", nargs="?", help="a .py or .ipynb file, or -")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="the program's own arguments")


def divide(parser: argparse.ArgumentParser, argv: list[str]) -> tuple[list[str], list[str]]:
    """Divides a command line behind the program: what follows is its own, `--` and all."""
    return options.divide(parser, argv, 1, "-m")


def _explain(path: str, translation: engine.Translation) -> None:
    """Says on stderr what was found in a file."""
    name = os.path.relpath(path)
    sys.stderr.write(printable(f"{name}: {translation.written_for}") + "\n")
    for found in translation.findings:
        place = f"{name}:{found.line}:{found.col}"
        sys.stderr.write(printable(f"{place}: {found.rule} {found.message}") + "\n")


def _ended(error: BaseException, how: importer.Options) -> int:
    """Does what Python does with an exception that is not caught; returns the exit code."""
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return error.code or 0
        sys.stderr.write(f"{error.code}\n")
        return 1
    sys.excepthook(type(error), error, error.__traceback__)
    if sentence := _advice(error, how):
        sys.stderr.write(sentence)
    return 130 if isinstance(error, KeyboardInterrupt) else 1


def _advice(error: BaseException, how: importer.Options) -> str:
    sentence = advice.sentence(how.ran, error, how.also | importer.OLD_LIBRARIES)
    return f"tfqueue: {printable(sentence)}\n" if sentence else ""


@contextlib.contextmanager
def _advising_in_threads(how: importer.Options) -> Iterator[None]:
    """An error that ends a thread of the program's own gets its advice, too, each advice once."""
    earlier, given = threading.excepthook, {""}

    def hook(args: threading.ExceptHookArgs) -> None:
        earlier(args)
        said = _advice(args.exc_value, how) if isinstance(args.exc_value, Exception) else ""
        if said not in given:
            given.add(said)
            sys.stderr.write(said)

    threading.excepthook = hook
    try:
        yield
    finally:
        if threading.excepthook is hook:
            threading.excepthook = earlier


def run(args: argparse.Namespace) -> int:
    """Runs the program; returns its exit code."""
    given = options.given(args)
    _refuse_what_only_records(args)
    if args.module:
        importer.module_file(args.module)
        path = ""
    else:
        path = args.program
        if path is None:
            raise ValueError("run: the following arguments are required: PROGRAM, or -m MODULE")
        if path != "-" and not os.path.isfile(path):
            what = "is a directory" if os.path.isdir(path) else "no such file or directory"
            raise Unreadable(path, what)
    how = importer.Options(
        root=args.root,
        also=frozenset(args.also),
        report=_explain if args.explain else None,
        given=given,
        to_the_end=args.own_process and not _is_observed(args),
    )
    interrupted: list[BaseException] = []
    watching = _watching(args)
    recorded: list[BaseException] = []

    def ended(error: BaseException) -> int:
        if isinstance(error, KeyboardInterrupt):
            interrupted.append(error)
        elif not isinstance(error, SystemExit) and watching is not None:
            watching.failed(error)
        recorded.append(error)
        code = _ended(error, how)
        if interrupted:
            listener.over.set()
        return code

    with interrupts.listening(args.own_process) as listener:
        with _one_line(watching) if watching is not None else contextlib.nullcontext():
            with _recording(args) as tell_end, _advising_in_threads(how):
                code = _run(args, how, ended)
                tell_end(recorded[-1] if recorded else None, code)
    if interrupted:
        # The shell must see that SIGINT ended the process, as it does with Python.
        raise interrupted[0]
    return code


def _is_observed(args: argparse.Namespace) -> bool:
    """Whether the options ask for a watch or a recording."""
    return bool(args.watch or args.report or args.summaries or args.record)


def _watching(args: argparse.Namespace) -> Watch | None:
    """The watch that the options ask for, or None."""
    if not (args.watch or args.report or args.summaries):
        return None
    from tfqueue.watch import watch

    program = [args.module or args.program, *args.args]
    return watch(args.watch, args.report, args.summaries, program=program)


def _recording(args: argparse.Namespace) -> contextlib.AbstractContextManager[Any]:
    """The recording that the options ask for; its value is told how the program ended."""
    if not args.record:
        return contextlib.nullcontext(lambda error, code: None)
    from tfqueue.port.run import recorded

    return recorded.recording(args.record, args.module or args.program, args.args, args)


def _refuse_what_only_records(args: argparse.Namespace) -> None:
    """Refuses options that are looked at with `--record` alone.

    Raises:
        ValueError: One is given without it.
    """
    for name in ("with_data", "first_step", "steps", "replay", "yes"):
        value = getattr(args, name)
        if value is not None and value is not False and not args.record:
            option = f"--{name.replace('_', '-')}"
            raise ValueError(
                f"{option} goes with --record; the program's own options stand behind the program"
            )


def _unwritable(error: OSError) -> Unreadable:
    return Unreadable(str(error.filename), (error.strerror or str(error)).lower())


@contextlib.contextmanager
def _one_line(watching: Watch) -> Iterator[None]:
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


def _run(args: argparse.Namespace, how: importer.Options, ended: Ended) -> int:
    if not args.module and args.program.endswith(".ipynb"):
        return _run_notebook(args, how, ended)
    if args.output:
        raise ValueError(f"{args.module or args.program}: --output is for notebooks")
    open_before = _open_sessions()

    # What is observed ends here. Otherwise the program's handlers of `atexit` still have its sessions.
    here = not args.own_process or _is_observed(args)

    def join(threads: set[threading.Thread]) -> None:
        # As Python ends. Threads that are waited for do not end before their sessions.
        if registry := sys.modules.get(_REGISTRY):
            if here or registry.others_are_waited_for(threads):
                registry.end_all(but=open_before)
        join_threads(threads)

    if args.module:
        return importer.run_module(args.module, args.args, how, ended, join)
    path = args.program if args.program == "-" else os.path.abspath(args.program)
    program = entrance.opened(path, given=how.given, package="")
    return importer.run(program, [args.program, *args.args], how, ended, join)


def _run_notebook(args: argparse.Namespace, how: importer.Options, ended: Ended) -> int:
    """Runs a notebook, and writes it with its new outputs where that is asked for."""
    output, rest = _output(args.args)
    output = output or args.output
    if output and not os.path.isdir(os.path.dirname(os.path.abspath(output))):
        raise Unreadable(output, "no such folder")
    from tfqueue.port.notebook.notebook import Notebook

    held = entrance.opened(args.program, given=how.given)
    code = importer.run(held, [args.program, *rest], how, ended)
    if output and isinstance(held, Notebook):
        text = held.text_with_outputs()
        write(Source(output, text), text)
    return code


def _open_sessions() -> set[object]:
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
