"""`tfqueue recorder -o record_tf1.py`: the script that records a program in its old environment."""

from __future__ import annotations

import argparse
import os
import sys

from tfqueue.output import files
from tfqueue.output.printing import printable

EPILOG = """
Copy the file to where the program still runs, and there: python record_tf1.py PROGRAM [ARGUMENTS].
It needs NumPy and TensorFlow 0.12 or later, Python 2.7 or 3.4 and later, and nothing else.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue recorder``."""
    parser.epilog = EPILOG
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write it to this file, not to standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace the file if it is there")


def run(args: argparse.Namespace) -> int:
    """Writes the script; returns the exit code.

    Raises:
        OSError: If the file cannot be written.
        ValueError: If it is there and ``--force`` was not given.
    """
    here = os.path.join(os.path.dirname(os.path.dirname(__file__)), "recording", "record_tf1.py")
    with open(here, encoding="utf-8") as file:
        text = file.read()
    if args.output is None:
        sys.stdout.write(text)
        return 0
    if os.path.exists(args.output) and not args.force:
        raise ValueError(f"{printable(args.output)}: it is there already; --force replaces it")
    files.write_whole(args.output, text.encode("utf-8"))
    name = printable(args.output)
    sys.stdout.write(f"{name}: run python {os.path.basename(name)} PROGRAM\n")
    return 0
