"""`tensorflow_core` is the package that TensorFlow 1.15 was inside, as `tensorflow._api.v1` was of its names.

https://github.com/tensorflow/tensorflow/blob/r1.15/RELEASE.md
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import CORE, Module
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow_core", "tensorflow._api")


def find(module: Module) -> Iterator[Finding]:
    """Finds imports of the packages, and what is read of them."""
    for statement in module.nodes[ast.ImportFrom]:
        new = None if statement.level else _outside(statement.module or "")
        if new:
            yield module.finding(statement, f"{statement.module} is {new}")
            statement.module = new
            module.changed()
    for statement in module.nodes[ast.Import]:
        for alias in statement.names:
            if new := _outside(alias.name):
                yield module.finding(alias, f"{alias.name} is {new}")
                module.rename(alias, new)
    for node in module.nodes[ast.Attribute]:
        if _outside(ast.unparse(node)) == "tensorflow":
            module.replace(node, ast.Name("tensorflow", ast.Load()))
    for node in module.nodes[ast.Name]:
        if node.id == "tensorflow_core":
            module.rename(node, "tensorflow")


def _outside(name: str) -> str | None:
    """The name of a module without the package that it was inside, or None where that is not named."""
    package = next((one for one in CORE if f"{name}.".startswith(f"{one}.")), None)
    return None if package is None else "tensorflow" + name.removeprefix(package)
