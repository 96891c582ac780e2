"""Options that several commands have."""

from __future__ import annotations

import argparse
import itertools

from tfqueue.port.entrance import Given
from tfqueue.port.program import era


def add_given(parser: argparse.ArgumentParser) -> None:
    """Adds the options by which the user says what a program was written for."""
    parser.add_argument(
        "--python", type=int, choices=(2, 3), help="the Python that it was written for"
    )
    add_era(parser)


def add_era(parser: argparse.ArgumentParser) -> None:
    """Adds `--era` alone."""
    parser.add_argument("--era", metavar="RELEASE", help="the TensorFlow it is from, such as 0.12")


def given(args: argparse.Namespace) -> Given:
    """What these options say: which Python and which TensorFlow, or None for each.

    Raises:
        ValueError: `--era` names no release of TensorFlow before 2.0.
    """
    return args.python, era.parse(args.era) if args.era else None


def divide(
    parser: argparse.ArgumentParser, argv: list[str], places: int, last: str = ""
) -> tuple[list[str], list[str]]:
    """Divides a command line behind its positional arguments.

    Args:
        parser: What knows which options take a value.
        argv: The command line.
        places: How many positional arguments there are.
        last: An option that is given in place of the last of them.

    Returns:
        The parser's part, positional arguments last, and what follows.

    >>> parser = argparse.ArgumentParser()
    >>> _ = parser.add_argument("--era"), parser.add_argument("-m"), parser.add_argument("--yes", action="store_true")
    >>> divide(parser, ["--era", "0.12", "--yes", "old.py", "--", "-x"], 1)
    (['--era', '0.12', '--yes', 'old.py'], ['--', '-x'])
    >>> divide(parser, ["-m", "package.module", "-v"], 1, "-m")
    (['-m', 'package.module'], ['-v'])
    >>> divide(parser, ["old.recording", "--yes", "old.py", "--era", "5"], 2)
    (['--yes', 'old.recording', 'old.py'], ['--era', '5'])
    """
    with_value = {
        name for action in parser._actions if action.nargs != 0 for name in action.option_strings
    }
    own: list[str] = []
    given: list[str] = []
    rest = iter(argv)
    while len(given) < places and (word := next(rest, None)) is not None:
        if word == "-" or not word.startswith("-"):
            given.append(word)
            continue
        own += [word, *(itertools.islice(rest, 1) if word in with_value else ())]
        if word == last:
            break
    return [*own, *given], [*rest]
