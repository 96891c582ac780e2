"""`import sibling` inside a package becomes `from . import sibling`.

https://docs.python.org/3/whatsnew/2.5.html#pep-328-absolute-and-relative-imports
"""

from __future__ import annotations

import ast
import copy
import functools
import os
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("import",)
PYTHON2 = True


def _in_package(module: Module) -> bool:
    """Whether the module is, or may be, imported as a part of a package."""
    if module.package is not None:
        return bool(module.package)
    return os.path.isfile(os.path.join(os.path.dirname(module.path), "__init__.py"))


@functools.lru_cache(maxsize=256)
def _holds_script(folder: str) -> bool:
    """Whether a program is started in a folder: it finds its siblings there as it is."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name.endswith(".py") and os.path.isfile(path):
            with open(path, "rb") as file:
                if b"__main__" in file.read():
                    return True
    return False


def _sibling(module: Module, name: str) -> bool:
    """Whether Python 2 finds a dotted name beside a module: all of it, in packages."""
    at = os.path.dirname(os.path.abspath(module.path))
    *packages, last = name.split(".")
    for part in packages:
        at = os.path.join(at, part)
        if not os.path.isfile(os.path.join(at, "__init__.py")):
            return False
    there = os.path.join(at, last)
    if f"{there}.py" == os.path.abspath(module.path):
        return False
    return os.path.isfile(f"{there}.py") or os.path.isfile(os.path.join(there, "__init__.py"))


def find(module: Module) -> Iterator[Finding]:
    """Finds implicit relative imports. `from __future__ import absolute_import` rules them out."""
    if not _in_package(module):
        return
    if module.imported.get("absolute_import") == "__future__.absolute_import":
        return
    for node in module.nodes[ast.ImportFrom]:
        sibling = not node.level and node.module and _sibling(module, node.module)
        if sibling and not _chosen(module, node):
            yield module.finding(node, f"{node.module} is a module of this package")
            _replace(module, node, [], [ast.ImportFrom(node.module, node.names, 1)], node)
    for node in module.nodes[ast.Import]:
        siblings = [alias for alias in node.names if _sibling(module, alias.name)]
        if siblings and not _chosen(module, node):
            yield module.finding(node, f"{siblings[0].name} is a module of this package")
            kept = [alias for alias in node.names if alias not in siblings]
            first: list[ast.stmt] = [ast.Import(kept)] if kept else []
            _replace(module, node, first, list(_relative(siblings)), ast.Import(siblings))


def _relative(aliases: list[ast.alias]) -> Iterator[ast.stmt]:
    """What imports modules of the package: `import a, b.c as d, e.f`."""
    plain = [alias for alias in aliases if "." not in alias.name]
    if plain:
        yield ast.ImportFrom(None, plain, 1)
    for alias in aliases:
        home, _, name = alias.name.rpartition(".")
        if home:
            # without a name of its own the import binds the package, and loads the module
            known = alias.asname or f"tfq_{alias.name.replace('.', '_')}"
            yield ast.ImportFrom(home, [ast.alias(name, known)], 1)
        if home and not alias.asname:
            yield ast.ImportFrom(None, [ast.alias(home.partition(".")[0])], 1)


def _chosen(module: Module, node: ast.AST) -> bool:
    """Whether an import is one of two already, as `_replace` writes them."""
    test = getattr(module.parents[node], "test", None)
    return isinstance(test, ast.Name) and test.id == "__package__"


def _replace(
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
