"""A list of sequences as an index was a tuple of them: `a[[rows, columns]]` took an element for each pair.

https://numpy.org/doc/stable/release/1.23.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import Arrays, loaded
from tfqueue.port.rules.python2.division import is_pure
from tfqueue.port.source.finding import Finding

WORDS = ("numpy",)
_HOME = "tfqueue.port.runtime"
_LISTS = ("zip", "map", "list")
"""Functions that give lists, in Python 2 at least."""


def find(module: Module) -> Iterator[Finding]:
    """Finds indices in old programs that are seen to be lists, and may hold sequences."""
    if not module.is_old:
        return  # it may be from any day
    seen = Arrays(module)
    for node in module.nodes[ast.Subscript]:
        if is_pure(node.value) and _may_be_list(seen, node):
            yield module.finding(
                node, "a list of sequences is an index like a tuple, up to numpy 1.22"
            )
            index = module.call("list_index", node.slice, loaded(node.value), home=_HOME)
            module.replace(node.slice, index)


def _may_be_list(seen: Arrays, node: ast.Subscript) -> bool:
    index = node.slice
    if isinstance(index, ast.List):
        return _holds_sequences(index)
    if isinstance(index, ast.Call):
        return getattr(index.func, "id", "") in _LISTS and bool(index.args)
    if not isinstance(index, ast.Name):
        return False
    for place in seen.module.bindings(index, index.id):
        held = seen.module.parents.get(place)
        if isinstance(held, ast.Assign) and place in held.targets:
            value = held.value
            if isinstance(value, ast.List) and value.elts:
                if _holds_sequences(value):
                    return True
            elif isinstance(value, ast.List | ast.ListComp) and seen.may_be(node.value):
                return True
    return False


def _holds_sequences(node: ast.List) -> bool:
    """Whether one of a list's elements may be a sequence; names of columns and numbers are none."""
    return any(
        not isinstance(one, ast.Constant | ast.JoinedStr | ast.UnaryOp | ast.BinOp)
        or (isinstance(one, ast.Constant) and one.value in (None, ...))
        for one in node.elts
    )
