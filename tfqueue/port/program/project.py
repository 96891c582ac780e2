"""The files of a program: the user's modules that it can import."""

from __future__ import annotations

import contextlib
import functools
import importlib.machinery
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator

from tfqueue.port.program import facts, folders
from tfqueue.port.program.facts import Facts
from tfqueue.port.source.files import SKIPPED, Unreadable, read

_MOST_FILES = 400
"""In a folder with more programs, imports of the given file by others are not looked for."""
_MOST_ENTRIES = 4000
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\(?[^#\n]*)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)


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


@functools.lru_cache(maxsize=512)
def _text(path: str, _stamp: facts.Stamp) -> str:
    """The text of a file; nothing of one that cannot be read."""
    try:
        return read(path).text
    except Unreadable:
        return ""


@functools.lru_cache(maxsize=4096)
def _imported(path: str, stamp: facts.Stamp, more: tuple[str, ...]) -> frozenset[str]:
    """The user's files that a file imports."""
    return _resolved(_names(_text(path, stamp)), path, more)


@functools.lru_cache(maxsize=4096)
def _adds_folders(path: str, stamp: facts.Stamp) -> bool:
    """Whether a file may add folders to those that modules are looked for in."""
    return "sys.path" in _text(path, stamp)


def _resolved(names: Iterable[tuple[int, str]], path: str, more: tuple[str, ...]) -> frozenset[str]:
    """The user's files of names that a file at a path imports: (level, dotted name)."""
    folder = os.path.dirname(path)
    found: set[str] = set()
    bases = [folder, _top(folder), *more]
    for level, name in names:
        near = folder
        for _ in range(level - 1):
            near = os.path.dirname(near)
        if name.startswith("tensorflow.models."):
            # the tutorials that left the wheel stand beside the program (rules/tensorflow/imports.py)
            found.update(_files(folder, name.rpartition(".")[2]))
            continue
        for base in [near] if level else bases:
            hits = list(_files(base, name))
            if hits:
                found.update(hits)
                break
    return frozenset(hit for hit in found if hit != path and not folders.is_library(hit))


def _top(folder: str) -> str:
    """The folder that holds the outermost package around a folder; the folder if it is in no package."""
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
    entries, todo = 0, [_top(os.path.dirname(path))]
    while todo:
        # A folder is read only as far as it takes to know that there are too many.
        for entry in _entries(todo.pop()):
            if _is_folder(entry):
                if entry.name in SKIPPED or entry.name.startswith("."):
                    continue
                if not entry.is_symlink():
                    todo.append(entry.path)
            elif entry.name.endswith(".py"):
                found.append(os.path.realpath(entry) if entry.is_symlink() else entry.path)
            entries += 1
            if len(found) > _MOST_FILES or entries > _MOST_ENTRIES:
                return []
    return found


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder, or a link to one; of most the folder's list says it, without a `stat`."""
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """What is in a folder, as it is read; nothing of one that cannot be read."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        yield from entries


def imported_files(path: str, text: str | None = None) -> list[str]:
    """The user's files that a file imports directly; `text` is what it runs if it holds something else."""
    if not os.path.isfile(path):
        return []
    return sorted(Project(path, text)._imports(os.path.realpath(path)))


@functools.lru_cache(maxsize=64)
def _names_of(files: tuple[str, ...]) -> frozenset[str]:
    """The names that files have as modules: that of a package is its folder's."""
    stems = set()
    for file in files:
        stem = os.path.basename(file).removesuffix(".py")
        stems.add(os.path.basename(os.path.dirname(file)) if stem == "__init__" else stem)
    return frozenset(stems)


@functools.lru_cache(maxsize=512)
def _is_found(name: str) -> bool:
    """Whether a module of this name is installed."""
    if name in sys.stdlib_module_names:
        return True
    return importlib.machinery.PathFinder.find_spec(name) is not None


class Project:
    """The files of a program: all that are tied to one by imports, in either direction.

    Args:
        path: One of them, or where one would stand.
        text: Its text, where that is at hand, or the file holds something else (a notebook).
        own: What this text shows.
    """

    def __init__(self, path: str, text: str | None = None, own: Facts | None = None) -> None:
        self.path, self._text, self._own = path, text, own

    @functools.cached_property
    def files(self) -> list[str]:
        """The files, the one that was given first."""
        start = self._start
        importers: dict[str, set[str]] = {}
        for file in _around(start):
            for other in self._imports(file):
                importers.setdefault(other, set()).add(file)
        seen, todo = {start}, [start]
        while todo:
            file = todo.pop()
            for other in self._imports(file) | importers.get(file, set()):
                if other not in seen and not os.path.basename(other).startswith("setup."):
                    seen.add(other)
                    todo.append(other)
        return sorted(seen, key=lambda file: (file != start, file))

    @functools.cached_property
    def program(self) -> frozenset[str]:
        """Those of the files that are imported by the given one, or by one that imports it."""
        start = self._start
        imports = {file: self._imports(file) for file in self.files}

        def closure(todo: list[str], next_of: Callable[[str], Iterable[str]]) -> set[str]:
            seen = set(todo)
            while todo:
                new = set(next_of(todo.pop())) - seen
                seen |= new
                todo += new
            return seen

        importers: dict[str, list[str]] = {}
        for one, inside in imports.items():
            for file in inside:
                importers.setdefault(file, []).append(one)
        above = closure([start], lambda file: importers.get(file, ()))
        return frozenset(closure([*above], lambda file: imports.get(file, ()))) | {self.path}

    @functools.cached_property
    def run(self) -> frozenset[str]:
        """Those of the files that run whenever the given one is run."""
        start = next(iter(self.shown))
        seen, todo = {start}, [start]
        while todo:
            file = todo.pop()
            one = self.shown.get(file)
            if one is None:
                continue
            more = tuple(folders.given_folders()) + one.folders
            new = _resolved(one.imports, os.path.realpath(file), more) - seen
            seen |= new
            todo += new
        return frozenset(seen)

    def implicit(self, file: str) -> tuple[facts.Sign, ...]:
        """The bare imports of a file in a package that only Python 2 finds: beside the file."""
        one = self.shown[file]
        if not one.bare:
            return ()
        home = os.path.dirname(os.path.realpath(file))
        if _top(home) == home:
            return ()
        added = {folder for each in self.shown.values() for folder in each.folders}
        starts = {os.path.dirname(os.path.realpath(each)) for each in self.files}
        bases = [_top(home), *folders.given_folders(), *added, *(starts - {home})]
        if home in map(os.path.realpath, bases) or home == folders.home(self.path):
            return ()
        outside = (each for each in self.files if os.path.dirname(os.path.realpath(each)) != home)
        if home not in {os.path.dirname(one) for each in outside for one in self._imports(each)}:
            return ()  # its files are run from there, or import each other: nobody takes them for a package
        return tuple(
            (f"import of {name}, a module beside it", line)
            for name, line in one.bare
            if any(True for _ in _files(home, name))
            and not any(True for base in bases for _ in _files(base, name))
            and not _is_found(name.partition(".")[0])
        )

    @functools.cached_property
    def _start(self) -> str:
        return os.path.realpath(self.path)

    @functools.cached_property
    def _given_folders(self) -> tuple[str, ...]:
        return tuple(folders.given_folders())

    def _imports(self, file: str) -> frozenset[str]:
        more = self._given_folders
        if self._text is not None and file == self._start:
            added = self._own.folders if self._own is not None else ()
            return _resolved(_names(self._text), file, more + added)
        stamp = facts.stamp(file)
        found = _imported(file, stamp, more)
        added = facts.of_file(file).folders if _adds_folders(file, stamp) else ()
        return found | _imported(file, stamp, more + added) if added else found

    @functools.cached_property
    def shown(self) -> dict[str, Facts]:
        """What each of the files shows; the one that was given comes first."""
        if self._own is None:
            return {file: facts.of_file(file) for file in self.files}
        shown = {self.path: self._own}
        if os.path.isfile(self.path):
            shown.update((file, facts.of_file(file)) for file in self.files[1:])
        return shown

    @property
    def names(self) -> frozenset[str]:
        """The names that the files have as modules."""
        return _names_of(tuple(self.shown))

    def owns(self, name: str) -> bool:
        """Whether a module of this name is the program's own, which Python would find first."""
        if not os.path.isfile(self.path):
            return any(True for _ in _files(os.path.dirname(os.path.abspath(self.path)), name))
        return name in _names_of(tuple(self.files))
