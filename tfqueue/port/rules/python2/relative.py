"""`import sibling` inside a package becomes `from . import sibling`.

https://docs.python.org/3/whatsnew/2.5.html#pep-328-absolute-and-relative-imports
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.siblings import import_here, in_package
from tfqueue.port.source.finding import Finding

WORDS = ("import",)
PYTHON2 = True


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
    if not in_package(module):
        return
    if module.imported.get("absolute_import") == "__future__.absolute_import":
        return
    for node in module.nodes[ast.ImportFrom]:
        sibling = not node.level and node.module and _sibling(module, node.module)
        if sibling and not _chosen(module, node):
            yield module.finding(node, f"{node.module} is a module of this package")
            import_here(module, node, [], [ast.ImportFrom(node.module, node.names, 1)], node)
    for node in module.nodes[ast.Import]:
        siblings = [alias for alias in node.names if _sibling(module, alias.name)]
        if siblings and not _chosen(module, node):
            yield module.finding(node, f"{siblings[0].name} is a module of this package")
            kept = [alias for alias in node.names if alias not in siblings]
            first: list[ast.stmt] = [ast.Import(kept)] if kept else []
            import_here(module, node, first, list(_relative(siblings)), ast.Import(siblings))


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
    """Whether an import is one of two already, as `import_here` writes them."""
    test = getattr(module.parents[node], "test", None)
    return isinstance(test, ast.Name) and test.id == "__package__"
