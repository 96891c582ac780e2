"""What a program is: the user's modules that it can import, and one verdict over all of them.

Which Python it was written for, and which TensorFlow, is a question about the whole program:
`5 / 2` in one file gives nothing away where another one says `xrange`.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import os
import re
import sys
import sysconfig
from collections.abc import Iterator

from tfqueue.port.program import era as eras
from tfqueue.port.program import python_signs
from tfqueue.port.program.module import Module
from tfqueue.port.source.files import SKIPPED, Unreadable, install_folder
from tfqueue.port.source.files import read as read_file

_MOST_FILES = 400
"""In a folder with more programs than these nobody looks for who imports whom."""
_MOST_ENTRIES = 4000
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\(?[^#\n]*)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)


@dataclasses.dataclass(frozen=True)
class Verdict:
    """Which Python and which TensorFlow a program is from.

    Attributes:
        python2: Whether it was written for Python 2.
        era: Its TensorFlow.
        why: What told the Python: ``what (file:line)``; empty where nothing did.
        given: Whether the user said which Python.
    """

    python2: bool = False
    era: eras.Era = eras.UNKNOWN
    why: tuple[str, ...] = ()
    given: bool = False

    def __str__(self) -> str:
        said = "set by --python" if self.given else ", ".join(self.why[:4])
        python = f"Python {2 if self.python2 else 3}"
        return f"{python}{': ' if said else ''}{said}; {self.era}"

    def overridden(self, python: int | None, era: eras.Era | None) -> Verdict:
        """The verdict with what the user said in its place."""
        new = self
        if python is not None:
            new = dataclasses.replace(new, python2=python == 2, why=(), given=True)
        return dataclasses.replace(new, era=era) if era is not None else new


@dataclasses.dataclass(frozen=True)
class _Facts:
    """What one file shows.

    Attributes:
        hard: What only Python 2 can parse: (what, line).
        soft: What only Python 2 can run.
        python3: What only Python 3 can parse.
        era: What it says of its TensorFlow.
        two: Whether it has names of TensorFlow 2, and of TensorFlow 1.
        folders: Folders that it adds to `sys.path`, as far as that can be read off.
    """

    hard: tuple = ()
    soft: tuple = ()
    python3: tuple = ()
    era: tuple = ()
    two: tuple[bool, bool] = (False, False)
    folders: tuple[str, ...] = ()


def facts_of(text: str, path: str) -> _Facts:
    """Reads what a text shows; one that can't be read shows nothing."""
    from tfqueue.port.rules import engine  # it asks for the verdict in turn

    hard: list = []
    try:
        new, found, lines, tree = engine.read(text, path, python2=False)
    except Unreadable:
        return _Facts()
    if new != text or found:
        first = sorted({(f.rule.removeprefix("py2-"), f.line) for f in found}, key=lambda s: s[1])
        hard = [(f"`{rule}`", line) for rule, line in first] or [("its syntax", 1)]
    module = Module(new, path, tree=tree, python2=bool(hard), read_only=True)
    was_ported = engine.ported(tree)
    soft = [] if was_ported else python_signs.of_python2(module)
    hard += [sign for sign in soft if sign[0] == "the print statement"]

    def old(line: int) -> int:
        return lines[min(line, len(lines)) - 1]

    return _Facts(
        tuple(hard),
        tuple((what, old(line)) for what, line in soft),
        () if hard or was_ported else tuple(python_signs.of_python3(module)),
        tuple((name, old(line), *row) for name, line, *row in eras.evidence(module)),
        eras.sides(module),
        tuple(_folders(module)),
    )


@functools.lru_cache(maxsize=4096)
def _facts_of_file(path: str, _stamp: tuple) -> _Facts:
    try:
        return facts_of(read_file(path).text, path)
    except Unreadable:
        return _Facts()


def _facts(path: str) -> _Facts:
    return _facts_of_file(path, _stamp(path))


def _stamp(path: str) -> tuple:
    try:
        status = os.stat(path)
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_size


def _folders(module: Module) -> Iterator[str]:
    """The folders of `sys.path.append(...)` and `sys.path.insert(0, ...)`."""
    for call, dotted in module.calls:
        if dotted in ("sys.path.append", "sys.path.insert") and call.args:
            try:
                value = _value(module, call.args[-1])
            except ValueError:
                continue
            yield os.path.normpath(os.path.join(os.getcwd(), value))


_PATHS = {
    "os.path.abspath": os.path.abspath,
    "os.path.realpath": os.path.realpath,
    "os.path.dirname": os.path.dirname,
    "os.path.join": os.path.join,
    "os.path.normpath": os.path.normpath,
    "os.path.expanduser": os.path.expanduser,
    "os.getcwd": os.getcwd,
}


def _value(module: Module, node: ast.expr, depth: int = 0) -> str:
    """The text that an expression about paths stands for."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Name) and node.id == "__file__":
        return os.path.abspath(module.path)
    if isinstance(node, ast.Name) and depth < 5:
        values = [
            assign.value
            for assign in module.nodes[ast.Assign]
            if any(isinstance(t, ast.Name) and t.id == node.id for t in assign.targets)
        ]
        if len(values) == 1:
            return _value(module, values[0], depth + 1)
    dotted = module.dotted(node.func if isinstance(node, ast.Call) else node)
    if dotted == "os.pardir":
        return os.pardir
    if dotted == "sys.path":
        return os.path.dirname(os.path.abspath(module.path))
    if isinstance(node, ast.Subscript):
        return _value(module, node.value, depth + 1)
    if isinstance(node, ast.Call) and dotted in _PATHS:
        return _PATHS[dotted](*(_value(module, argument, depth + 1) for argument in node.args))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _value(module, node.left, depth + 1) + _value(module, node.right, depth + 1)
    raise ValueError(ast.unparse(node))


def home(path: str) -> str:
    """The folder that a program's modules are looked for in: its own, behind any link to it."""
    return os.path.dirname(os.path.realpath(path))


def is_library(path: str) -> bool:
    """Whether a file is one of the standard library, of this package, or an installed one."""
    real = os.path.realpath(path)
    return install_folder(real) is not None or any(
        real.startswith(os.path.join(folder, "")) for folder in library_folders()
    )


@functools.cache
def library_folders() -> frozenset[str]:
    """The folders that Python's own modules, installed packages and tfqueue are in."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return frozenset(
        os.path.realpath(path)
        for path in {*sysconfig.get_paths().values(), here}
        if os.path.isabs(path)
    ) - {os.path.realpath(sys.prefix)}


def given_folders() -> list[str]:
    """The folder that the command is started from, and those of ``PYTHONPATH``."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [os.getcwd(), *(os.path.abspath(folder) for folder in named if folder)]


def _names(text: str) -> Iterator[tuple[int, str]]:
    """What a text imports, quickly: (level, dotted name)."""
    for base, names, plain in _IMPORT.findall(text):
        if plain:
            for part in plain.split(","):
                if words := part.split():
                    yield 0, words[0]
            continue
        level = len(base) - len(base.lstrip("."))
        stem = base[level:]
        if stem:
            yield level, stem
        for part in names.strip("( ").split(","):
            if words := part.split():
                yield level, f"{stem}.{words[0]}" if stem else words[0]


@functools.lru_cache(maxsize=4096)
def _imported(path: str, _stamp: tuple, more: tuple[str, ...]) -> frozenset[str]:
    """The user's files that a file imports."""
    try:
        return _resolved(read_file(path).text, path, more)
    except Unreadable:
        return frozenset()


def _resolved(text: str, path: str, more: tuple[str, ...]) -> frozenset[str]:
    """The user's files that a text imports that stands, or would stand, at a path."""
    folder, found = os.path.dirname(path), set()
    bases = [folder, _top(folder), *more]
    for level, name in _names(text):
        near = folder
        for _ in range(level - 1):
            near = os.path.dirname(near)
        if name.startswith("tensorflow.models."):
            # the tutorials that left the wheel stand beside the program (rules/tf_imports.py)
            found.update(_files(folder, name.rpartition(".")[2]))
            continue
        for base in [near] if level else bases:
            hits = list(_files(base, name))
            if hits:
                found.update(hits)
                break
    return frozenset(hit for hit in found if hit != path and not is_library(hit))


def _top(folder: str) -> str:
    """The folder that holds the outermost package around a folder; itself where it is in none."""
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder = os.path.dirname(folder)
    return folder


def _files(base: str, name: str) -> Iterator[str]:
    """The files that are run when a dotted name is imported from a folder."""
    at = base
    for part in name.split("."):
        at = os.path.join(at, part)
        package = os.path.join(at, "__init__.py")
        if os.path.isfile(package):
            yield os.path.realpath(package)
        elif os.path.isfile(f"{at}.py"):
            yield os.path.realpath(f"{at}.py")
            return
        elif not os.path.isdir(at):
            return


def _around(path: str) -> list[str]:
    """The programs in the project of a file; nothing where they are too many."""
    found: list[str] = []
    entries = 0
    for folder, folders, names in os.walk(_top(os.path.dirname(path))):
        folders[:] = [name for name in folders if name not in SKIPPED and name[:1] != "."]
        entries += len(names) + len(folders)
        found += (os.path.join(folder, name) for name in names if name.endswith(".py"))
        if len(found) > _MOST_FILES or entries > _MOST_ENTRIES:
            return []
    return [os.path.realpath(name) for name in found]


def members(path: str, text: str | None = None) -> list[str]:
    """The files of a program: all that are tied to one by imports, in either direction.

    Args:
        path: One of them.
        text: Its text, where the file holds something else (a notebook).
    """
    start = os.path.realpath(path)
    more = tuple(given_folders())
    around = _around(start)
    importers: dict[str, set[str]] = {}

    def imports(file: str) -> frozenset[str]:
        if file == start and text is not None:
            return _resolved(text, start, more + facts_of(text, start).folders)
        found = _imported(file, _stamp(file), more)
        folders = _own_folders(file)
        return found | _imported(file, _stamp(file), more + folders) if folders else found

    for file in around:
        for other in imports(file):
            importers.setdefault(other, set()).add(file)
    seen, todo = {start}, [start]
    while todo:
        file = todo.pop()
        for other in imports(file) | importers.get(file, set()):
            if other not in seen and not os.path.basename(other).startswith("setup."):
                seen.add(other)
                todo.append(other)
    return sorted(seen, key=lambda file: (file != start, file))


def imported_files(path: str) -> list[str]:
    """The user's files that a file imports itself."""
    if not os.path.isfile(path):
        return []
    start = os.path.realpath(path)
    return sorted(_imported(start, _stamp(start), tuple(given_folders())))


def owns(path: str, name: str) -> bool:
    """Whether a module of this name is the program's own, which Python would find first."""
    if not os.path.isfile(path):
        return any(True for _ in _files(os.path.dirname(os.path.abspath(path)), name))
    return name in _own_names(tuple(members(path)))


@functools.lru_cache(maxsize=64)
def _own_names(files: tuple[str, ...]) -> frozenset[str]:
    stems = set()
    for file in files:
        stem = os.path.basename(file).removesuffix(".py")
        stems.add(os.path.basename(os.path.dirname(file)) if stem == "__init__" else stem)
    return frozenset(stems)


@functools.lru_cache(maxsize=4096)
def _names_sys_path(path: str, _stamp: tuple) -> bool:
    try:
        return "sys.path" in read_file(path).text
    except Unreadable:
        return False


def _own_folders(file: str) -> tuple[str, ...]:
    return _facts(file).folders if _names_sys_path(file, _stamp(file)) else ()


def of_text(text: str, path: str) -> Verdict:
    """The verdict over a program whose text, or a part of it, is at hand.

    >>> of_text("for i in xrange(2): pass", "<string>").python2
    True
    """
    facts = {path: facts_of(text, path)}
    if os.path.isfile(path):
        start = os.path.realpath(path)
        facts.update((file, _facts(file)) for file in members(path, text) if file != start)
    return _judge(facts, path)


def of_file(path: str) -> Verdict:
    """The verdict over the program that a file belongs to."""
    return _of_members(tuple((file, _stamp(file)) for file in members(path)), path)


@functools.lru_cache(maxsize=1024)
def _of_members(files: tuple, path: str) -> Verdict:
    return _judge({file: _facts(file) for file, _ in files}, os.path.realpath(path))


def _told(facts: dict[str, _Facts], kind: str) -> list[str]:
    return [
        f"{what} ({os.path.basename(file)}:{line})"
        for file, one in facts.items()
        for what, line in getattr(one, kind)
    ]


def _judge(facts: dict[str, _Facts], path: str) -> Verdict:
    stems = _own_names(tuple(facts))

    def own(what: str) -> bool:
        words = what.removeprefix("import ").removeprefix("from ").split()
        return what.startswith(("import ", "from ")) and words[0] in stems

    facts = {
        file: dataclasses.replace(one, soft=tuple(row for row in one.soft if not own(row[0])))
        for file, one in facts.items()
    }
    hard, soft, three = (_told(facts, kind) for kind in ("hard", "soft", "python3"))
    if hard:
        python2, why = True, hard + soft
    elif three:
        python2, why = False, three
    else:
        python2, why = bool(soft), soft
    two = any(one.two[0] for one in facts.values())
    if two and not any(one.two[1] for one in facts.values()):
        return Verdict(python2, eras.Era(two=True), tuple(dict.fromkeys(why)))
    return Verdict(python2, _era(facts, path), tuple(dict.fromkeys(why)))


def _era(facts: dict[str, _Facts], path: str) -> eras.Era:
    rows: list = []
    for file, one in facts.items():
        name = os.path.basename(file)
        for said, line, *row in one.era:
            rows.append((said if file == path else f"{said} in {name}", line, *row))
    return eras.tell(rows)
