"""What a module gets of libraries by ``from one_of_its_own import *``."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Iterator

from tfqueue.port.program import folders
from tfqueue.port.source.files import Unreadable, read
from tfqueue.port.source.parsing import parse

_DEEP = 4
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def libraries(
    path: str, level: int, name: str, added: tuple[str, ...] = (), depth: int = 0
) -> dict[str, str]:
    """What of libraries a star import binds: each name, and the module or dotted name that it is.

    Only ``import numpy as np`` and ``from numpy import ones`` at the top of the user's module count, and those
    of modules that it imports with a star itself. A name that the module binds in another way does not, and a
    module with an ``__all__`` gives none.

    Args:
        path: The file with the star import.
        level: How many dots the import begins with.
        name: The module that it names.
        added: Folders that the program adds to ``sys.path``.
        depth: How many star imports led here.
    """
    found = _file(path, level, name, added) if depth < _DEEP else None
    return {} if found is None else _bound(found, _stamp(found), added, depth)


@functools.lru_cache(maxsize=1024)
def _bound(
    path: str, _stamp: tuple[int, ...], added: tuple[str, ...], depth: int
) -> dict[str, str]:
    try:
        text = read(path).text
        tree = ast.Module([], []) if "__all__" in text else parse(text, path).tree
    except Unreadable:
        return {}
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            names.update(_taken(node, path, added, depth))
    own = set(_other_names(tree))
    return {name: of for name, of in names.items() if name[0] != "_" and name not in own}


def _taken(node: ast.ImportFrom, path: str, added: tuple[str, ...], depth: int) -> dict[str, str]:
    """What a ``from ... import`` at the top of a module binds."""
    if node.names[0].name == "*":
        return libraries(path, node.level, node.module or "", added, depth + 1)
    home = node.module or ""
    if node.level or home == "__future__" or _file(path, 0, home, added):
        return {}
    return {alias.asname or alias.name: f"{home}.{alias.name}" for alias in node.names}


def _other_names(tree: ast.Module) -> Iterator[str]:
    """The names that a module binds, but for its imports at the top."""
    todo: list[ast.AST] = [*tree.body]
    for node in todo:  # it grows on the way
        if isinstance(node, ast.Import | ast.ImportFrom) and node not in tree.body:
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        if isinstance(node, _SCOPES):
            yield getattr(node, "name", "")
            for inner in ast.walk(node):
                if isinstance(inner, ast.Global):
                    yield from inner.names
        else:
            todo += ast.iter_child_nodes(node)


def _file(path: str, level: int, name: str, added: tuple[str, ...]) -> str | None:
    """The user's file that an import names."""
    home = os.path.dirname(os.path.realpath(path))
    bases = [home, *folders.given_folders(), *added]
    for _ in range(level - 1):
        home = os.path.dirname(home)
    for base in [home] if level else bases:
        at = os.path.join(base, *name.split("."))
        for file in (os.path.join(at, "__init__.py"), f"{at}.py"):
            if os.path.isfile(file) and not folders.is_library(file):
                return file
    return None


def _stamp(path: str) -> tuple[int, ...]:
    """Tells one state of a file from another."""
    state = os.stat(path)
    return state.st_mtime_ns, state.st_size
