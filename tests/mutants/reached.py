"""Which tests reach which changes: the package with a probe at each of them, and what probes wrote.

A probe is called in whatever process runs the changed part, so that programs which tests start are
seen too.
"""

from __future__ import annotations

import ast
import collections
import itertools
import pathlib
from collections.abc import Iterable, Iterator

from tests.mutants.changes import Change

MODULE = "mutant_probe"
"""The module of the probes; it is written into the root of a copy."""

_LOG = "mutant_probe.log"
_NOW = "mutant_probe.test"

_PROBE = f'''"""Writes down which test reaches which change."""
import os, pathlib, sys

_HERE = pathlib.Path(__file__).parent
_seen = set()

def _is_import():
    """Whether a module of the package is being imported: its constants are every later test's, too."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(str(_HERE / "tfqueue"))

def reached(number):
    test = os.environ.get("PYTEST_CURRENT_TEST", "")
    if (number, test) in _seen:
        return
    _seen.add((number, test))
    test = test or (_HERE / "{_NOW}").read_text("utf-8")
    file = os.open(_HERE / "{_LOG}", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        for name in [test.rpartition(" ")[0]] + [""] * _is_import():
            os.write(file, f"{{number}}\\t{{name}}\\n".encode())
    finally:
        os.close(file)
'''


def with_probes(source: bytes, changes: Iterable[tuple[int, Change]]) -> bytes:
    """A module's source with a call of the probe in front of each numbered change.

    A change of a parameter's default has another one in the function: whoever calls it has the default.
    """
    insertions: list[tuple[int, int, str]] = []
    bodies = [*_bodies(source)]
    for number, change in changes:
        call = f'__import__("{MODULE}").reached({number})'
        for defaults, place, text in bodies:
            if any(start <= change.start < end for start, end in defaults):
                insertions.append((place, 0, text.format(call)))
        start, end = change.whole
        if change.is_statement:
            insertions.append((start, start - 10**9, f"{call}; "))
        else:  # at one place the longer expression's parenthesis opens first and closes last
            insertions.append((start, start - end, f"({call} or ("))
            insertions.append((end, end - start, "))"))
    for place, _, text in sorted(insertions, reverse=True):
        source = source[:place] + text.encode() + source[place:]
    return source


def _bodies(source: bytes) -> Iterator[tuple[list[tuple[int, int]], int, str]]:
    """Of each function with defaults: where these stand, a place in it, and how a call is written there."""
    lines = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]

    def start(node: ast.expr | ast.stmt) -> int:
        return lines[node.lineno - 1] + node.col_offset

    def end(node: ast.expr | ast.stmt) -> int:
        return lines[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)

    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        given = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        first = node.body[0]
        if ast.get_docstring(node, clean=False) is not None:
            yield [(start(one), end(one)) for one in given], end(first), "; {}"
        elif not hasattr(first, "body") and not isinstance(first, ast.Match):
            yield [(start(one), end(one)) for one in given], start(first), "{}; "


def put_probes(folder: pathlib.Path, changes: list[Change]) -> None:
    """Puts the probes of all changes, which are numbered by their place, into a copy."""
    by_file: dict[str, list[tuple[int, Change]]] = collections.defaultdict(list)
    for numbered in enumerate(changes):
        by_file[numbered[1].file].append(numbered)
    for file, numbers in by_file.items():
        path = folder / file
        changed = with_probes(path.read_bytes(), numbers)
        compile(changed, file, "exec")
        path.write_bytes(changed)
    (folder / f"{MODULE}.py").write_text(_PROBE, "utf-8")
    # Before a program is run: what is imported within one is taken for a module of the program.
    with (folder / "tfqueue" / "__init__.py").open("a", encoding="utf-8") as package:
        package.write(f"\nimport {MODULE}\n")
    say_test(folder, "")


def say_test(folder: pathlib.Path, test: str) -> None:
    """Tells the probes of a copy which test runs, for processes that do not know from pytest."""
    (folder / _NOW).write_text(f"{test} " if test else "", "utf-8")


def read(folder: pathlib.Path) -> dict[int, list[str]]:
    """What the probes of a copy wrote since the last call: by number, the tests' node ids.

    An empty node id stands for an import, of the tests or of a module of the package: what is made then
    all tests of the file may use.
    """
    log = folder / _LOG
    found = collections.defaultdict(set)
    if log.exists():
        for line in log.read_text("utf-8").splitlines():
            number, _, test = line.partition("\t")
            found[int(number)].add(test)
        log.unlink()
    return {number: sorted(tests) for number, tests in sorted(found.items())}
