"""`tfqueue compare old.recording [PROGRAM ARGUMENTS]`: whether a program still computes the same."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import Any

from tfqueue.commands import options
from tfqueue.errors import MissingExtraError
from tfqueue.output import files
from tfqueue.recording import again, comparison, page, record_tf1, recording, tolerances

ERRORS = (OSError, ValueError, MissingExtraError)
_END = "OutOfRangeError"
EPILOG = """
The exit status is 0 where nothing differs, 1 where something does, 2 where there is nothing to compare.
PROGRAM and its arguments are the recorded ones if left out.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue compare``."""
    parser.epilog = EPILOG
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument(
        "--ported", action="store_true", help="run PROGRAM with Python alone, not with tfqueue run"
    )
    kinds.add_argument(
        "--dataset",
        metavar="FUNCTION",
        help="compare the elements with the lift of old.py:FUNCTION",
    )
    kinds.add_argument(
        "--with", dest="other", metavar="RECORDING", help="compare with this one, and run nothing"
    )
    parser.add_argument(
        "--replay",
        action="store_true",
        help="start from the recorded initial values, and feed the recorded elements and draws",
    )
    parser.add_argument(
        "--first-step",
        action="store_true",
        help="trace one step, to name the first op that differs",
    )
    parser.add_argument("--steps", type=int, metavar="N", help="compare only the first N steps")
    parser.add_argument(
        "--rtol", type=float, default=tolerances.RTOL, help="how far floats may be apart (1e-5)"
    )
    parser.add_argument("--report", metavar="HTML", help="write what was found to one page")
    parser.add_argument("recording", metavar="RECORDING", help="what record_tf1.py wrote")
    parser.add_argument("program", nargs="?", metavar="PROGRAM")
    parser.add_argument("args", nargs="*", metavar="ARGUMENTS")


def divide(parser: argparse.ArgumentParser, argv: list[str]) -> tuple[list[str], list[str]]:
    """Divides a command line behind the recording and the program: what follows is its own."""
    return options.divide(parser, argv, 2)


def run(args: argparse.Namespace) -> int:
    """Runs the program again and prints the outcome; returns the exit code.

    Raises:
        OSError: If a file cannot be read or written.
        ValueError: If the recording is none, or there is nothing to compare.
    """
    if args.dataset or args.other:
        _refuse_what_is_run(args)
    old = recording.read(args.recording)
    args.steps = recording.steps_of(old, args.steps, args.replay)
    if args.steps is not None:
        old = recording.beginning(old, args.steps)
    if args.dataset:
        old, new = _lifted(old, args.dataset)
    elif args.other:
        new = recording.read(args.other)
        steps = recording.steps_of(new, args.steps, False)
        if steps is not None:
            old, new = recording.beginning(old, steps), recording.beginning(new, steps)
    else:
        new = _again(old, args)
    outcome = comparison.compare(old, new, rtol=args.rtol)
    if args.report:
        text = page.page(args.recording, old, new, outcome)
        files.write_whole(args.report, text.encode("utf-8"))
    sys.stdout.write(f"{outcome}\n")
    if not outcome.same:
        return 1
    return 0 if outcome.compared else 2


def _refuse_what_is_run(args: argparse.Namespace) -> None:
    """Refuses what says how a program is run, where none is.

    Raises:
        ValueError: It is given.
    """
    option = "--dataset" if args.dataset else "--with"
    given = {"PROGRAM": args.program, "--replay": args.replay, "--first-step": args.first_step}
    for name, value in given.items():
        if value:
            raise ValueError(f"{option} runs no program, so it takes no {name}")


def _again(old: recording.Recording, args: argparse.Namespace) -> recording.Recording:
    return again.run(
        old,
        args.program,
        args.args if args.program is not None else None,
        ported=args.ported,
        replay=args.recording if args.replay else None,
        first_step=args.first_step or bool(old.trace),
        steps=args.steps,
    )


def _lifted(
    old: recording.Recording, function: str
) -> tuple[recording.Recording, recording.Recording]:
    """The recording's elements alone, and as many that the lift of a function gives.

    Raises:
        ValueError: If no op took elements of the types that the lift gives.
    """
    import tfqueue

    steps = [step for step in old.steps if step.taken or step.error]
    with tfqueue.eager():
        elements = iter(tfqueue.dataset(function))
        first = next(elements, None)
        if first is None:
            raise ValueError(f"{function}: its lift gives no element")
        name, places = _component_places(steps, _arrays(first), function)
        found = []
        for step in steps:
            if step.error is None and name not in step.taken:
                continue
            if first is None:
                found.append(dataclasses.replace(step, values=(), taken={}, error=_END))
                break
            by_row = _is_by_row(step.taken.get(name), _arrays(first))
            arrays = [_arrays(first)[place] for place in places]
            rows = recording.rows_of(record_tf1.rows_of(arrays, by_row))
            found.append(dataclasses.replace(step, values=(), taken={name: rows}, error=None))
            first = next(elements, None)
    kept = [
        dataclasses.replace(
            step, values=(), taken={k: v for k, v in step.taken.items() if k == name}
        )
        for step in steps
        if step.error or name in step.taken
    ]
    bare = dataclasses.replace(
        old, initial={}, final={}, files={}, trace=[], seeds={}, error="Enough", status=0
    )
    return dataclasses.replace(bare, steps=kept), dataclasses.replace(bare, steps=found)


def _arrays(element: Any) -> list[Any]:
    """The components of a dataset's element."""
    from tfqueue import _tensorflow

    return [part.numpy() for part in _tensorflow.compat_v1().nest.flatten(element)]


def _is_by_row(rows: recording.Rows | None, arrays: list[Any]) -> bool:
    """Whether a lift's arrays hold one element a row, as the recorded op's do."""
    return rows is None or len(rows.rows) != 1 or recording.types_of(arrays, True) == rows.types


def _component_places(
    steps: list[recording.Step], arrays: list[Any], function: str
) -> tuple[str, list[int]]:
    """The op whose elements a lift gives, and for each of its components the lift's place."""
    for step in steps:
        for name, rows in step.taken.items():
            for by_row in (True, False):
                types = list(recording.types_of(arrays, by_row))
                if sorted(types) != sorted(rows.types):
                    continue
                places = []
                for wanted in rows.types:
                    places.append(types.index(wanted))
                    types[places[-1]] = ""
                return name, places
    raise ValueError(f"{function}: no recorded op took elements of the types that its lift gives")
