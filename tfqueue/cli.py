"""The command `tfqueue`: reads the command line, runs a command, and says how it ended."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType, TracebackType

from tfqueue.commands import COMMANDS, parser_of
from tfqueue.errors import MissingExtraError
from tfqueue.output.printing import is_utf8, line_of


def _overview() -> str:
    width = max(len(command.name) for command in COMMANDS)
    rows = "\n".join(f"  {c.name:<{width}}  {c.summary}" for c in COMMANDS)
    return (
        "usage: tfqueue COMMAND ...\n\n"
        "TensorFlow 1 queue-runner programs on today's TensorFlow.\n\n"
        f"commands:\n{rows}\n\n"
        "  tfqueue COMMAND --help says more; tfqueue --version says which one this is.\n"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit code.

    Errors of the command line and of files are one line on stderr, with exit code 2.

    Args:
        argv: The arguments, without the program's name; those of the process when None.

    Raises:
        KeyboardInterrupt: On Ctrl-C. Where nobody catches it, the process ends as SIGINT ends one
            (130 to a shell, whose loop it ends too), without a traceback.

    >>> main(["--version"])  # doctest: +ELLIPSIS
    tfqueue ...
    0
    """
    _open_what_is_closed()
    code = None
    try:
        try:
            code = _main(list(sys.argv[1:] if argv is None else argv), argv is None)
        finally:
            _put_back_what_has_no_flush()
        if sys.stdout is not None and not getattr(sys.stdout, "closed", False):
            sys.stdout.flush()
        return code
    except KeyboardInterrupt as interrupt:
        _say_nothing_of(interrupt)
        raise
    except BrokenPipeError:
        # `tfqueue check . | head`: the reader has ended
        sys.stdout = None
        return 1
    except OSError as error:
        if error.filename is not None:
            raise
        # `tfqueue check . > /dev/full`: Python would try to flush stdout once more at its end.
        sys.stdout = None
        if code != 2:  # otherwise the command has said it
            sys.stderr.write(f"tfqueue: {line_of(error)}\n")
        return 2


def _put_back_what_has_no_flush() -> None:
    """Python flushes the standard streams at its end; Python 2 did not, and took any object for one."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not hasattr(stream, "flush"):
            setattr(sys, name, getattr(sys, f"__{name}__"))


def _open_what_is_closed() -> None:
    """Opens the standard streams that the process was started without (`>&-`); nobody reads them.

    Without this the next file that is opened gets the number of the closed stream, and what a
    library writes to that stream is written to the file.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            try:
                os.fstat(number)
            except OSError:
                os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # gets the lowest number
            mode = "w" if number else "r"
            stream = open(number, mode, errors="backslashreplace", closefd=False)  # noqa: SIM115
            setattr(sys, name, stream)


def _say_nothing_of(error: BaseException) -> None:
    """Where nobody catches this error, the process ends without its traceback."""
    hook = sys.excepthook

    def others(
        kind: type[BaseException], raised: BaseException, trace: TracebackType | None
    ) -> None:
        if raised is not error:
            hook(kind, raised, trace)

    sys.excepthook = others


def _main(argv: list[str], own_process: bool = False) -> int:
    if not argv or argv[0] in ("-h", "--help", "help"):
        sys.stdout.write(_overview())
        return 0 if argv else 2
    if argv[0] == "--version":
        from tfqueue import __version__

        sys.stdout.write(f"tfqueue {__version__}\n")
        return 0
    command = next((command for command in COMMANDS if command.name == argv[0]), None)
    if command is None:
        names = [command.name for command in COMMANDS]
        meant = difflib.get_close_matches(argv[0], names, 1)
        hint = f"did you mean {meant[0]!r}?" if meant else f"there are {', '.join(names)}"
        sys.stderr.write(f"tfqueue: no command {argv[0]!r}; {hint}\n")
        return 2
    module = importlib.import_module(command.module)
    parser = parser_of(command)
    given, rest = argv[1:], []
    if hasattr(module, "divide"):
        given, rest = module.divide(parser, given)
    elif getattr(module, "PROGRAM_ARGUMENTS", False) and "--" in given:
        # What follows is the program's own; argparse would take it only right behind the name.
        at = given.index("--")
        given, rest = given[:at], given[at + 1 :]
    try:
        args = parser.parse_args(given)
        args.own_process = own_process
        if rest:
            args.args = rest
    except SystemExit as ended:
        return int(ended.code or 0)
    streams = contextlib.nullcontext() if getattr(module, "OWN_STREAMS", False) else _any_text()
    try:
        with streams:
            return module.run(args)
    except BrokenPipeError:
        raise
    except expected(module) as error:
        if isinstance(error, OSError) and error.filename is None:
            raise  # a stream of ours
        sys.stderr.write(f"tfqueue: {line_of(error)}\n")
        return 2


@contextlib.contextmanager
def _any_text() -> Iterator[None]:
    """Lets stdout take any text: a key, a file's name or a line that its encoding does not have."""
    stream = sys.stdout
    if not hasattr(stream, "reconfigure"):
        yield
        return
    kept = stream.errors
    stream.reconfigure(errors="surrogateescape" if is_utf8(stream) else "backslashreplace")
    try:
        yield
    finally:
        if not stream.closed:
            with contextlib.suppress(OSError):  # what cannot be written is told when it is flushed
                stream.reconfigure(errors=kept)


def expected(module: ModuleType) -> tuple[type[BaseException], ...]:
    """The errors that a command ends with in one line: ``module.ERRORS``, or the usual ones."""
    return getattr(module, "ERRORS", (OSError, ValueError, MissingExtraError))
