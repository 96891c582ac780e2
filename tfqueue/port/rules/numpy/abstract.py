"""`x.dtype == np.integer` was of int64, and is False in silence today; `dtype=np.floating` was float64.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("integer", "floating", "inexact", "number")
_TYPES = {
    "numpy.complexfloating": "complex128",
    "numpy.floating": "float64",
    "numpy.inexact": "float64",
    "numpy.integer": "int64",
    "numpy.number": "float64",
    "numpy.signedinteger": "int64",
    "numpy.unsignedinteger": "uint64",
}


def find(module: Module) -> Iterator[Finding]:
    """Finds them beside an attribute `dtype`, as an argument `dtype`, and in `astype`."""
    for compare in module.nodes[ast.Compare]:
        sides = [compare.left, *compare.comparators]
        equal = all(isinstance(op, ast.Eq | ast.NotEq) for op in compare.ops)
        if equal and any(
            isinstance(side, ast.Attribute) and side.attr == "dtype" for side in sides
        ):
            yield from _replaced(module, sides)
    for call in module.nodes[ast.Call]:
        given = [word.value for word in call.keywords if word.arg == "dtype"]
        if isinstance(call.func, ast.Attribute) and call.func.attr == "astype":
            given += call.args[:1]
        yield from _replaced(module, given)


def _replaced(module: Module, nodes: list[ast.expr]) -> Iterator[Finding]:
    for node in nodes:
        name = module.dotted(node) or ""
        if name in _TYPES and isinstance(node, ast.Attribute):
            yield module.finding(node, f"{name} is no dtype since numpy 2.4: it was {_TYPES[name]}")
            module.replace(node, ast.Attribute(node.value, _TYPES[name], ast.Load()))
