"""All commands of the command line, as its parsers know them, and who sits before it."""

import argparse
import io

from tfqueue import commands


def nodes():
    """Yields each command's words behind `tfqueue`, and its parser."""
    for command in commands.COMMANDS:
        yield from _below((command.name,), commands.parser_of(command))


def _below(words, parser):
    yield words, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                yield from _below((*words, name), sub)


class Terminal(io.StringIO):
    """A stream that somebody reads."""

    encoding = "utf-8"

    def isatty(self):
        return True


class Immediately:
    """A timer whose time is over when it starts."""

    def __init__(self, delay, function):
        self.start = function

    def cancel(self):
        pass

    join = cancel
