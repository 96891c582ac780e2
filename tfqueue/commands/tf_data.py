"""`tfqueue port --to-tf-data`: the input pipeline of an old program, as a tf.data program.

With `--function` and `--args` the function that builds the pipeline is called. Otherwise the program is
run up to its first step (`port.run.first_step`), and what that step takes from the queues is written.
Where the program has no step, or `--args` are given alone, the function that is called is the one that
returns what it takes from queues (`port.program.inputs`).
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import sys
import types
from contextlib import AbstractContextManager
from typing import Any

from tfqueue.output.printing import printable
from tfqueue.port import entrance
from tfqueue.port.program import era, inputs
from tfqueue.port.run.first_step import Reached
from tfqueue.port.source.files import Source, Unreadable, write


def arguments(text: str) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call, as they stand between its parentheses.

    Raises:
        ValueError: They are not all literals.

    >>> arguments("['a.tfrecord'], batch_size=32")
    ([['a.tfrecord']], {'batch_size': 32})
    """
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        if not isinstance(call, ast.Call):
            raise ValueError("it is more than the arguments of one call")
        given = [ast.literal_eval(node) for node in call.args]
        named = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"--args {text!r}: numbers, strings and lists of them only") from error
    if any(word.arg is None for word in call.keywords):
        raise ValueError(f"--args {text!r}: no ** here")
    return given, named


def run(args: argparse.Namespace) -> int:
    """Writes the program that is asked for; returns the exit code."""
    from tfqueue.errors import CannotLiftError

    if len(args.paths) != 1 or os.path.isdir(args.paths[0]):
        raise ValueError("--to-tf-data takes one program")
    if args.in_place or args.diff:
        raise ValueError("--to-tf-data writes another program: to --output, or to be read")
    if args.managed:
        raise ValueError("--to-tf-data leaves no session to be --managed")
    if args.era and (args.function or args.args is not None):
        raise ValueError("--function is called in the era that its file tells; no --era here")
    given_era = era.parse(args.era) if args.era else None
    (path,) = args.paths
    if not os.path.isfile(path):
        raise Unreadable(path, "no such file or directory")
    try:
        if args.function or args.args is not None:
            text = _of_function(path, args.function, args.args)
        else:
            text = _of_program(path, given_era)
    except CannotLiftError as error:
        sys.stderr.write(f"tfqueue: {printable(path)}: {error}\n")
        return 2
    if args.output:
        write(Source(args.output, ""), text)
    else:
        sys.stdout.write(text)
    for name, array in text.arrays.items():
        sys.stderr.write(
            f"tfqueue: dataset() takes {name}: {array.dtype} {list(array.shape)}, an array of the "
            "old program that is too large to be written out\n"
        )
    return 0


class _NoStep(Exception):
    """A program came to its end without a step that takes from a queue."""


def _of_program(path: str, given_era: era.Era | None) -> Any:
    from tfqueue.dataset import conversion

    try:
        return conversion.source_of_program(path, _Programs(given_era).first_step)
    except _NoStep:
        if given_era is not None:
            raise ValueError(f"{path}: no step takes from a queue; no --era here") from None
    return _of_function(path, None, None)


class _Programs:
    """Loads the program that a function is called in, or runs it up to its first step.

    Args:
        given_era: The TensorFlow that the user said the program is from.
    """

    def __init__(self, given_era: era.Era | None = None) -> None:
        self._given_era = given_era

    def program(self, path: str) -> AbstractContextManager[types.ModuleType]:
        from tfqueue.port.run import importer

        return importer.loaded(path, importer.Options())

    def first_step(self, path: str) -> Reached:
        from tfqueue.port.run import first_step

        reached = first_step.first_step(path, given_era=self._given_era)
        if reached.error is not None:
            raise reached.error
        if reached.step is None:
            raise _NoStep
        return reached


def _of_function(path: str, name: str | None, text: str | None) -> Any:
    from tfqueue.dataset import conversion

    given, named = arguments(text or "")
    function = f"{path}:{name or _builder(path, text)}"
    # What the old program prints is no part of the new one.
    with contextlib.redirect_stdout(sys.stderr):
        return conversion.source(function, given, named, _Programs())


def _builder(path: str, arguments: str | None) -> str:
    """The name of the function that builds the pipeline, found in the file."""
    program = entrance.opened(path)
    found = inputs.builders(program.text()) if isinstance(program, entrance.Script) else []
    names = [function.name for function in found]
    if not names:
        raise ValueError(f"{path}: no step takes from a queue; name the --function that builds it")
    if len(names) > 1:
        raise ValueError(f"{path}: {', '.join(names)} build pipelines; name one with --function")
    missing = inputs.required(found[0])
    if missing and arguments is None:
        raise ValueError(
            f"{path}: {names[0]}({', '.join(missing)}) builds the pipeline; give what it is "
            "called with: --args"
        )
    return names[0]
