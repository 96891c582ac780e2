"""Options that several commands have."""

from __future__ import annotations

import argparse

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
