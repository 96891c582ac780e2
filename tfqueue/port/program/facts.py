"""What one file shows of its program: the Python and TensorFlow that it is from, its folders."""

from __future__ import annotations

import ast
import dataclasses
import functools
import os
from collections.abc import Iterator

from tfqueue.port.program import (
    folders,
    keras_signs,
    later_keras,
    python_signs,
    reach,
    tensorflow_signs,
)
from tfqueue.port.program.era import Evidence
from tfqueue.port.program.module import Module, was_ported
from tfqueue.port.source.files import Unreadable, read
from tfqueue.port.source.parsing import Parsed, parse

Stamp = tuple[int, ...]
Sign = tuple[str, int]
"""What shows something, and its line."""


@dataclasses.dataclass(frozen=True)
class Facts:
    """What one file shows.

    Attributes:
        hard: What proves Python 2, because only that can parse or import it: (what, line).
        soft: Names that only Python 2 has.
        run: Those of the names that Python 3 meets, and ends at, whenever the file is imported.
        run_as_program: Those that it meets when the file is the program itself.
        imports: What is imported whenever the file is the program itself: (level, dotted name).
        bare: The modules that are imported by a bare name as the file is: (name, line).
        python3: What proves Python 3, because Python 2 cannot parse it.
        soft3: Names and arguments that only Python 3 has.
        run3: Those of them that Python 2 meets, and ends at, whenever the file is imported.
        run3_as_program: Those that it meets when the file is the program itself.
        tuples3: Calls that only Python 3 shows as they were meant: `print(a, b)`.
        shebang2: The first line, or the kernel of a notebook, where that names Python 2.
        shebang3: The same where it names Python 3.
        era: What it says of its TensorFlow.
        two: Whether it has names of TensorFlow 2, and of TensorFlow 1.
        folders: Folders that it adds to `sys.path`, as far as that can be read off.
        keras_2: What it has of the package keras that Keras 3 has not.
        keras: Which Keras it shows.
        later_keras: Whether it has what came after Keras 2.2.
    """

    hard: tuple[Sign, ...] = ()
    soft: tuple[Sign, ...] = ()
    run: tuple[Sign, ...] = ()
    run_as_program: tuple[Sign, ...] = ()
    imports: tuple[tuple[int, str], ...] = ()
    bare: tuple[Sign, ...] = ()
    python3: tuple[Sign, ...] = ()
    soft3: tuple[Sign, ...] = ()
    run3: tuple[Sign, ...] = ()
    run3_as_program: tuple[Sign, ...] = ()
    tuples3: tuple[Sign, ...] = ()
    shebang2: tuple[Sign, ...] = ()
    shebang3: tuple[Sign, ...] = ()
    era: tuple[Evidence, ...] = ()
    two: tuple[bool, bool] = (False, False)
    folders: tuple[str, ...] = ()
    keras_2: tuple[Sign, ...] = ()
    keras: keras_signs.Signs = dataclasses.field(default_factory=keras_signs.Signs)
    later_keras: bool = False


def of_parsed(parsed: Parsed, kernel: int | None = None) -> Facts:
    """What a text that was parsed as Python 3 shows, or one that only Python 2 can parse.

    Args:
        kernel: Of a notebook, the Python that its file names, 2 or 3.
    """
    hard = _unparsable(parsed)
    module = Module(parsed.text, parsed.path, tree=parsed.tree, python2=bool(hard), read_only=True)
    ported = was_ported(parsed.tree)
    soft = [] if ported else python_signs.of_python2(module)
    bare = dict(_bare(module))
    hard += [
        (what, line)
        for what, line in soft
        if what == "the print statement"
        or (what.startswith(("import ", "from ")) and line in bare.values())
    ]

    ruled_out = ported or parsed.converted or any(what == "the print statement" for what, _ in hard)
    python3 = [] if ruled_out else python_signs.of_python3(module)
    if not ruled_out:
        python3 += python_signs.undeclared(parsed.original, parsed.path)
    if python3:
        hard = []  # a file that Python 2 cannot parse

    def begun(python: int) -> tuple[Sign, ...]:
        if ported:
            return ()
        if kernel == python:
            return (("the notebook's kernel", 1),)
        return tuple(python_signs.shebang(parsed.original, python))

    def old(line: int) -> int:
        return parsed.lines[min(line, len(parsed.lines)) - 1]

    def run(*, as_program: bool) -> tuple[Sign, ...]:
        signs = python_signs.run_by_python2(module, as_program=as_program) if soft else []
        return tuple((what, old(line)) for what, line in signs)

    return Facts(
        tuple(hard),
        tuple((what, old(line)) for what, line in soft),
        run(as_program=False),
        run(as_program=True),
        tuple(_imports(module)),
        tuple((name, old(line)) for name, line in bare.items()),
        tuple(python3),
        *_met_by_python3(None if ruled_out else module),
        () if ruled_out else tuple(python_signs.of_several(module)),
        begun(2),
        begun(3),
        tuple(
            (name, old(line), low, high)
            for name, line, low, high in tensorflow_signs.evidence(module)
        ),
        tensorflow_signs.sides(module),
        tuple(folders.added(module)),
        () if ported else tuple(tensorflow_signs.of_keras_2(module)),
        keras_signs.of_module(module),
        later_keras.is_shown_by(module),
    )


def _unparsable(parsed: Parsed) -> list[tuple[str, int]]:
    """What only Python 2 can parse, each with its line."""
    if not parsed.converted:
        return []
    places = {
        (found.rule.removeprefix("py2-"), found.line)
        for found in parsed.findings
        if found.rule.startswith("py2-")
    }
    first = sorted(places, key=lambda place: place[1])
    return [(f"`{rule}`", line) for rule, line in first] or [("its syntax", 1)]


def _met_by_python3(
    module: Module | None,
) -> tuple[tuple[Sign, ...], tuple[Sign, ...], tuple[Sign, ...]]:
    """What only Python 3 has; what of that runs if it is imported, and if it is the program."""
    if module is None:
        return (), (), ()
    return (
        tuple(python_signs.met_by_python3(module)),
        tuple(python_signs.run_by_python3(module, as_program=False)),
        tuple(python_signs.run_by_python3(module, as_program=True)),
    )


def _bare(module: Module) -> Iterator[Sign]:
    """What a module imports by a bare name, whatever happens, as it is imported itself."""
    if module.imported.get("absolute_import") == "__future__.absolute_import":
        return
    for node in module.tree.body:
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            yield node.module, node.lineno


def _imports(module: Module) -> Iterator[tuple[int, str]]:
    """What a module imports whenever it is the program itself: (level, dotted name)."""
    reached = reach.nodes(module, as_program=True)
    for node in (*module.nodes[ast.Import], *module.nodes[ast.ImportFrom]):
        if node not in reached:
            continue
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        else:
            stem = node.module or ""
            if stem:
                yield node.level, stem
            for alias in node.names:
                yield node.level, f"{stem}.{alias.name}" if stem else alias.name


def of_file(path: str) -> Facts:
    """What a file shows; one that cannot be read or parsed shows nothing."""
    return _of_file(path, stamp(path))


@functools.lru_cache(maxsize=4096)
def _of_file(path: str, _stamp: Stamp) -> Facts:
    try:
        return of_parsed(parse(read(path).text, path))
    except Unreadable:
        return Facts()


def stamp(path: str) -> Stamp:
    """Tells one state of a file from another: its time and its size, or nothing without a file."""
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size
