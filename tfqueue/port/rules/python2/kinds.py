"""`type(x) == str` is true of what a file or a step gave in Python 2.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("type",)
PYTHON2 = True


def find(module: Module) -> Iterator[Finding]:
    """Finds `type(x)` that is compared with `str` alone or among others."""
    for test in module.nodes[ast.Compare]:
        call, other = test.left, test.comparators[0]
        if len(test.ops) != 1 or not _is_type(module, call):
            call, other = other, call
        if len(test.ops) != 1 or not _is_type(module, call) or not _is_text(module, other):
            continue
        assert isinstance(call, ast.Call)
        yield module.finding(call, "bytes were a str of Python 2")
        module.replace(call, module.call("kind", *call.args))


def _is_type(module: Module, node: ast.expr) -> bool:
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return False
    return module.is_builtin(node.func, "type") and not isinstance(node.args[0], ast.Constant)


def _is_text(module: Module, node: ast.expr) -> bool:
    """Whether an expression is `str`, or several classes with `str` and without `bytes`."""
    several = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else [node]
    named = [
        name for name in ("str", "bytes") if any(module.is_builtin(one, name) for one in several)
    ]
    return named == ["str"]
