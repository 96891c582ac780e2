"""Imports of the modules that stand beside a program: absolute ones, and those of a package."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import os

from tfqueue.port.program.module import Module


def in_package(module: Module) -> bool:
    """Whether the module is, or may be, imported as a part of a package."""
    if module.package is not None:
        return bool(module.package)
    return os.path.isfile(os.path.join(os.path.dirname(module.path), "__init__.py"))


@functools.lru_cache(maxsize=256)
def _holds_script(folder: str) -> bool:
    """Whether a module of a folder speaks of `__main__`: started there, it finds its siblings as it is."""
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    for name in names:
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):  # one that can't be read is not started either
            if name.endswith(".py") and os.path.isfile(path):
                with open(path, "rb") as file:
                    if b"__main__" in file.read():
                        return True
    return False


def import_here(
    module: Module,
    node: ast.stmt,
    first: list[ast.stmt],
    relative: list[ast.stmt],
    absolute: ast.stmt,
) -> None:
    """Puts `first` and the relative imports in the place of `node`.

    The absolute one is kept where the module may be started, or imported from its own folder; not
    where the import shares its line, which has no room for both.
    """
    if module.package is None and module.has_its_line(node):
        absolute = copy.deepcopy(absolute)
        relative = [ast.If(ast.Name("__package__", ast.Load()), relative, [absolute])]
    elif module.package is None and _holds_script(os.path.dirname(os.path.abspath(module.path))):
        relative = [absolute]
    module.replace(node, [*first, *relative])
