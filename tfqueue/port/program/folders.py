"""Folders: where a program's modules are looked for, and where libraries are."""

from __future__ import annotations

import ast
import functools
import os
import sys
import sysconfig
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from tfqueue.port.source.files import install_folder


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


class Names(Protocol):
    """What `added` asks of a module (see `module.Module`)."""

    path: str
    nodes: dict[type, list[Any]]

    @property
    def calls(self) -> list[tuple[ast.Call, str]]:
        """Every call of a dotted name that goes back to an import."""

    def dotted(self, node: ast.AST) -> str | None:
        """What a name stands for."""


def added(module: Names) -> Iterator[str]:
    """The folders of `sys.path.append(...)` and `sys.path.insert(0, ...)`."""
    for call, dotted in module.calls:
        if dotted in ("sys.path.append", "sys.path.insert") and call.args:
            try:
                value = _value(module, call.args[-1])
            except ValueError:
                continue
            yield os.path.normpath(os.path.join(os.getcwd(), value))


_OWN_FILE = frozenset(
    ["__file__", "inspect.getfile(inspect.currentframe())", "inspect.stack()[0][1]"]
)
_PATHS: dict[str, Callable[..., str]] = {
    "os.path.abspath": os.path.abspath,
    "os.path.realpath": os.path.realpath,
    "os.path.dirname": os.path.dirname,
    "os.path.split": os.path.dirname,
    "os.path.join": os.path.join,
    "os.path.normpath": os.path.normpath,
    "os.path.expanduser": os.path.expanduser,
    "os.getcwd": os.getcwd,
}


def _value(module: Names, node: ast.expr, depth: int = 0) -> str:
    """The text that an expression about paths stands for."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if ast.unparse(node) in _OWN_FILE:
        return os.path.realpath(module.path)
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
        return os.path.dirname(os.path.realpath(module.path))
    if isinstance(node, ast.Subscript):
        # The folder is the first of what is split, and of `sys.path`.
        if ast.unparse(node.slice) != "0":
            raise ValueError(ast.unparse(node))
        return _value(module, node.value, depth + 1)
    if isinstance(node, ast.Call) and dotted in _PATHS:
        return _PATHS[dotted](*(_value(module, argument, depth + 1) for argument in node.args))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _value(module, node.left, depth + 1) + _value(module, node.right, depth + 1)
    raise ValueError(ast.unparse(node))
