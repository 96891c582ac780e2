"""The commands of `tfqueue`: a module each, with its arguments and what it calls.

A module has ``add_arguments(parser)`` and ``run(args)``, which returns the exit code. It is imported when
its command is chosen: `run`, `check`, `port`, `draw`, `bench`, `recorder`, `compare` and `completion`. The
command `records` has its module among its own, `tfqueue.records.cli`.

What else such a module may have, `tfqueue.cli` reads: ``divide(argv)``, which parts the arguments of a
program from the command's own; ``PROGRAM_ARGUMENTS``, true where `--` parts them; ``OWN_STREAMS``,
true where stdout and stderr keep their error handlers; ``ERRORS``, the exceptions that end it in one
line. `options` and `tf_data` are no commands: they are parts of `port` and others.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import re
from typing import NamedTuple, NoReturn

from tfqueue.output.printing import printable


class Command(NamedTuple):
    """One subcommand.

    Attributes:
        name: What the user types.
        module: Its module, with ``add_arguments(parser)`` and ``run(args) -> int``. ``run`` may
            raise `OSError`, `ValueError` or an error of its own (see `tfqueue.cli.main`).
        summary: One line for ``tfqueue --help``.
    """

    name: str
    module: str
    summary: str


COMMANDS = (
    Command("run", "tfqueue.commands.run", "run a TensorFlow 1 program as it was written"),
    Command(
        "check", "tfqueue.commands.check", "say what a program needs to run today, line by line"
    ),
    Command("port", "tfqueue.commands.port", "write the program that needs only tfqueue"),
    Command("draw", "tfqueue.commands.draw", "draw a program's input pipeline: SVG, PNG, text"),
    Command(
        "bench",
        "tfqueue.commands.bench",
        "measure a program's input pipeline, with and without tfqueue",
    ),
    Command(
        "recorder",
        "tfqueue.commands.recorder",
        "write the script that records a program in its old environment",
    ),
    Command(
        "compare",
        "tfqueue.commands.compare",
        "run a recorded program again, and say whether it computes the same",
    ),
    Command("records", "tfqueue.records.cli", "look into, check, salvage and write TFRecord files"),
    Command(
        "completion", "tfqueue.commands.completion", "print what makes a shell complete commands"
    ),
)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        # Python's own suggestion comes with 3.14 (``suggest_on_error``).
        told = re.match(r"(.*invalid choice: '(.+)') \(choose from (.+)\)$", message)
        if told is not None:
            names = re.findall(r"[\w-]+", told[3])
            meant = difflib.get_close_matches(told[2], names, 1)
            if meant:
                message = f"{told[1]}, did you mean {meant[0]!r}?"
        self.exit(2, f"{self.prog}: {printable(message)} (see {self.prog} --help)\n")


def parser_of(command: Command) -> argparse.ArgumentParser:
    """The parser of one subcommand."""
    text = f"{command.summary[0].upper()}{command.summary[1:]}."
    parser = Parser(prog=f"tfqueue {command.name}", description=text)
    importlib.import_module(command.module).add_arguments(parser)
    return parser


def whole_parser(kind: type[argparse.ArgumentParser] = Parser) -> argparse.ArgumentParser:
    """One parser, a `kind`, of all subcommands and their options."""
    parser = kind(prog="tfqueue")
    parser.add_argument("--version", action="version", version="", help="show which one this is")
    commands = parser.add_subparsers(metavar="COMMAND")
    for command in COMMANDS:
        added = commands.add_parser(command.name, help=command.summary)
        importlib.import_module(command.module).add_arguments(added)
    return parser
