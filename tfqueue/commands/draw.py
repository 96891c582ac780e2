"""`tfqueue draw old.py`: the input pipeline of a program as a picture, without training anything."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import traceback

from tfqueue.commands import options
from tfqueue.errors import MissingExtraError
from tfqueue.output.printing import printable
from tfqueue.port.program import era
from tfqueue.port.run import first_step
from tfqueue.port.source.files import Unreadable

ERRORS = (Unreadable, MissingExtraError, OSError, ValueError)
PROGRAM_ARGUMENTS = True
SUFFIXES = (".svg", ".png", ".html", ".txt")
EPILOG = """
The program runs as far as its first step that needs the pipeline, and is stopped there: no queue is
filled, nothing is trained. What it prints goes to stderr. Without -o the picture is drawn in the
terminal. Arguments of the program itself follow a "--".
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue draw``."""
    parser.epilog = EPILOG
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        action="append",
        default=[],
        help=f"write the picture: {', '.join(SUFFIXES)}; may be given again",
    )
    parser.add_argument("--text", action="store_true", help="draw it in the terminal, too")
    parser.add_argument(
        "--open", action="store_true", help="list every op that runs for each example"
    )
    parser.add_argument(
        "--graph",
        metavar="N",
        type=int,
        default=1,
        help="of several graphs with a pipeline the N-th; those before it are really run",
    )
    parser.add_argument(
        "--run",
        action="store_true",
        help="run the program to its end, and mark what failed or what it waited for in vain",
    )
    parser.add_argument(
        "--scale", type=int, default=2, help="of a PNG: dots per pixel (default: %(default)s)"
    )
    options.add_era(parser)
    parser.add_argument("program", help="a .py or .ipynb file")
    parser.usage = "%(prog)s [options] PROGRAM [-- ARGUMENTS]"
    parser.set_defaults(args=[])


def run(args: argparse.Namespace) -> int:
    """Draws the pipeline; returns the exit code: 1 if the program failed."""
    for path in args.output:
        if os.path.splitext(path)[1].lower() not in SUFFIXES:
            raise ValueError(f"{path}: a picture is a file that ends in {', '.join(SUFFIXES)}")
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise ValueError(f"{path}: no such folder")
    if args.graph < 1 or not 1 <= args.scale <= 8:
        raise ValueError("--graph counts from 1, --scale goes from 1 to 8")
    name = printable(os.path.basename(args.program))
    reached = first_step.first_step(
        args.program,
        args.args,
        given_era=era.parse(args.era) if args.era else None,
        nth=None if args.run else args.graph,
    )
    if reached.error is not None:
        traceback.print_exception(reached.error)
    if reached.graph is None:
        which = "" if args.graph == 1 else f" number {args.graph}"
        sys.stderr.write(f"tfqueue: {name} has built no input pipeline{which}\n")
        return _end_with(reached, 2)
    if reached.error is not None and not args.run:
        sys.stderr.write(f"tfqueue: {name} failed before its first step; drawn as far as built\n")
    from tfqueue import draw, pipeline

    about = {
        "step": reached.step,
        "error": reached.error if args.run else None,
        "title": f"Input pipeline of {name}",
        "opened": args.open,
    }
    held = pipeline(reached.graph)
    for path in args.output:
        draw.draw(held, path, scale=args.scale, **about)
    if args.text or not args.output:
        columns = max(40, min(80, shutil.get_terminal_size().columns))
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(draw.as_text(held, columns=columns, encoding=encoding, **about))
    return _end_with(reached, 0)


def _end_with(reached: first_step.Reached, code: int) -> int:
    """The exit code; ends the process where a thread of the program's would keep it."""
    code = 1 if reached.error is not None else code
    if any(not thread.daemon for thread in reached.left):
        names = ", ".join(thread.name for thread in reached.left)
        sys.stderr.write(f"tfqueue: threads of the program that do not end: {names}\n")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code
