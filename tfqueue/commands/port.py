"""`tfqueue port`: writes the program that needs only `tfqueue.v1`."""

from __future__ import annotations

import argparse
import difflib
import os
import sys
from collections.abc import Iterator

from tfqueue.commands import options
from tfqueue.output.printing import printable
from tfqueue.output.progress import ProgressBar
from tfqueue.port import entrance
from tfqueue.port.differences import telling
from tfqueue.port.entrance import NOTHING, Given
from tfqueue.port.program import project
from tfqueue.port.program.written_for import WrittenFor, of_file
from tfqueue.port.source import files
from tfqueue.port.source.files import Unreadable

ERRORS = (Unreadable, ValueError)
EPILOG = """
Without --in-place or --output nothing is written: the changes are shown as a diff. Formatting and
comments stay outside of what changes; porting twice changes nothing more.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of ``tfqueue port``."""
    parser.epilog = EPILOG
    parser.add_argument("paths", nargs="+", metavar="PATH", help="programs, notebooks or folders")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--diff", action="store_true", help="show a diff (the default)")
    where.add_argument("--in-place", action="store_true", help="write over the programs")
    where.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="write to this file, or below this folder; - is stdout",
    )
    options.add_given(parser)
    parser.add_argument(
        "--managed",
        action="store_true",
        help="turn session, coordinator and runners into tfqueue.managed_session where that is all",
    )
    parser.add_argument(
        "--to-tf-data",
        action="store_true",
        help="write the program's input pipeline as a tf.data program, which needs no tfqueue",
    )
    parser.add_argument(
        "--function",
        metavar="NAME",
        help="with --to-tf-data: what builds it, if that is to be called",
    )
    parser.add_argument(
        "--args", metavar="ARGS", help="with --to-tf-data: the function's arguments, as in a call"
    )


def port(
    path: str,
    *,
    given: Given = NOTHING,
    managed: bool = False,
    written_for: WrittenFor | None = None,
    tell: bool = False,
) -> tuple[files.Source, str]:
    """Ports one program or notebook.

    Args:
        given: Which Python and which TensorFlow the user said, or None for each.
        managed: Whether its session becomes a managed one.
        written_for: What is known of the program that it is a part of; found out when None.
        tell: Whether what a run tells of it beforehand is told here, too.

    Returns:
        The file as it is, and its new text.

    Raises:
        Unreadable: It can't be read.
    """
    program = entrance.opened(path, given=given, written_for=written_for)
    new = program.text()
    for found in program.translation.findings:
        if tell and found.told:
            telling.tell_of_line(*program.place(found.line), found.message)
    if managed and isinstance(program, entrance.Script):
        from tfqueue.port.rules.session_boilerplate import manage

        new = manage(new, path)
    return program.source, new


def _target(path: str, args: argparse.Namespace, several: bool) -> str:
    if args.in_place:
        return path
    if args.output == "-":
        return "/dev/stdout"
    if not several and not os.path.isdir(args.output):
        return str(args.output)
    for given in args.paths:
        if os.path.isdir(given) and not os.path.relpath(path, given).startswith(".."):
            return os.path.join(args.output, os.path.relpath(path, given))
    return os.path.join(args.output, os.path.basename(path))


def _make_room(target: str, path: str, taken: dict[str, str]) -> None:
    """Makes the folder that a ported program goes to; two of them can't have one name there."""
    first = taken.setdefault(os.path.realpath(target), path)
    if first != path:
        raise Unreadable(path, f"not written: {target} is what {first} became")
    try:
        os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unreadable(target, f"can't be written: {reason}") from None


def _parts(path: str, old: str, new: str) -> list[tuple[str, str, str]]:
    """What to compare: a program, or each code cell of a notebook."""
    if not path.endswith(".ipynb") or old == new:
        return [(path, old, new)]
    from tfqueue.port.notebook.document import code

    before, after = code(old), code(new)
    return [(f"{path}[{number}]", before[number], after[number]) for number in before]


def _told(found: list[str | Unreadable], args: argparse.Namespace) -> Iterator[str | Unreadable]:
    """Yields what was found; a bar says how far it is, unless what is printed does."""
    if not (args.in_place or args.output):
        yield from found
        return
    with ProgressBar("porting", "files", len(found)) as progress:
        for number, path in enumerate(found, 1):
            progress(number)
            yield path


def _show(path: str, old: str, new: str) -> None:
    lines = difflib.unified_diff(
        files.lines_of(old),
        files.lines_of(new),
        printable(path),
        f"{printable(path)} (ported)",
    )
    for line in lines:
        sys.stdout.write(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")


def run(args: argparse.Namespace) -> int:
    """Ports what is asked for; returns the exit code: 0, or 2 if a file can't be read or written."""
    if args.to_tf_data:
        from tfqueue.commands import tf_data

        return tf_data.run(args)
    for option, value in (("--function", args.function), ("--args", args.args)):
        if value is not None:
            raise ValueError(f"{option} goes with --to-tf-data")
    given = options.given(args)
    code = 0
    several = len(args.paths) > 1 or os.path.isdir(args.paths[0])
    taken: dict[str, str] = {}
    # before the first is written over: which Python and TensorFlow it is from, the whole program tells
    found = list(files.find(args.paths))
    all_written_for = {
        path: None if path.endswith(".ipynb") else of_file(path)
        for path in found
        if isinstance(path, str)
    }
    if given[1] is None:  # no --era
        guessed = [path for path, one in all_written_for.items() if one and one.era.guesses_keras_2]
        if guessed:  # the others are of the same program, or alike
            telling.tell_keras(guessed[0], ported=True)
    behind = (
        list(_left_behind(list(all_written_for), given)) if args.in_place or args.output else []
    )
    for path in _told(found, args):
        try:
            if isinstance(path, Unreadable):
                raise path
            _one(path, args, given, all_written_for[path], several, taken)
        except Unreadable as error:
            sys.stderr.write(f"tfqueue: {error}\n")
            code = 2
        except (AssertionError, RecursionError) as error:
            # one file that can't be ported does not end a folder
            reason = str(error) or type(error).__name__
            said = f"{path}: not ported: {reason.removeprefix(f'{path}: ')}"
            sys.stderr.write(f"tfqueue: {printable(said)}\n")
            code = 2
    for path in behind:
        name = printable(os.path.relpath(path))
        sys.stderr.write(f"tfqueue: {name} is imported and was not ported\n")
    return code


def _left_behind(asked: list[str], given: Given) -> Iterator[str]:
    """The modules that the given programs import and that porting would change, but that were not given."""
    seen = {os.path.realpath(path) for path in asked}
    todo = [path for path in asked if not path.endswith(".ipynb")]
    while todo:
        for path in project.imported_files(todo.pop()):
            if os.path.realpath(path) in seen:
                continue
            seen.add(os.path.realpath(path))
            todo.append(path)
            try:
                old, new = port(path, given=given, written_for=of_file(path))
            except (Unreadable, AssertionError, RecursionError):
                continue  # it is no program of Python's that could be ported
            if new != old.text:
                yield path


def _one(
    path: str,
    args: argparse.Namespace,
    given: Given,
    written_for: WrittenFor | None,
    several: bool,
    taken: dict[str, str],
) -> None:
    old, new = port(path, given=given, managed=args.managed, written_for=written_for, tell=True)
    if args.managed and not path.endswith(".ipynb"):
        from tfqueue.port.rules.session_boilerplate import left_alone

        for line, why in left_alone(new, path):
            name = printable(path)
            sys.stderr.write(f"{name}:{line} (ported): session left as it is: {why}\n")
    if not (args.in_place or args.output):
        for name, before, after in _parts(path, old.text, new):
            _show(name, before, after)
        return
    target = _target(path, args, several)
    if args.output:
        _make_room(target, path, taken)
    if new != old.text or not os.path.exists(target) or target != path:
        files.write(old, new, target)
