"""Which libraries a module gets the names of by ``from one_of_its_own import *``."""

from __future__ import annotations

import functools
import os
import re

from tfqueue.port.program import folders
from tfqueue.port.source.files import Unreadable, read

_DEEP = 4
_IMPORT = re.compile(r"^import[ \t]+([^#\n;]+)", re.MULTILINE)
_ALIAS = re.compile(r"([\w.]+)(?:[ \t]+as[ \t]+(\w+))?$")
_STAR = re.compile(r"^from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\*", re.MULTILINE)


def libraries(path: str, level: int, name: str, depth: int = 0) -> dict[str, str]:
    """The modules that a star import binds, by the name that each of them gets.

    Only ``import numpy as np`` and its like at the top of the user's module count, and those of modules that
    it imports with a star itself. A module with an ``__all__`` gives none.

    Args:
        path: The file with the star import.
        level: How many dots the import begins with.
        name: The module that it names.
        depth: How many star imports led here.
    """
    found = _file(path, level, name) if depth < _DEEP else None
    return {} if found is None else _bound(found, _stamp(found), depth)


@functools.lru_cache(maxsize=1024)
def _bound(path: str, _stamp: tuple[int, ...], depth: int) -> dict[str, str]:
    try:
        text = read(path).text
    except Unreadable:
        return {}
    names: dict[str, str] = {}
    if "__all__" in text:
        return names
    for dots, module in _STAR.findall(text):
        names.update(libraries(path, len(dots), module, depth + 1))
    for aliases in _IMPORT.findall(text):
        for match in map(_ALIAS.match, map(str.strip, aliases.split(","))):
            if match:
                top = match[1].partition(".")[0]
                names[match[2] or top] = match[1] if match[2] else top
    return {name: module for name, module in names.items() if not name.startswith("_")}


def _file(path: str, level: int, name: str) -> str | None:
    """The user's file that an import names."""
    home = os.path.dirname(os.path.realpath(path))
    bases = [home, *folders.given_folders()]
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
