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
    index, module = node.slice, seen.module
    if isinstance(index, ast.Name):
        places = module.bindings(index, index.id)
    elif isinstance(index, ast.Attribute):
        places = seen.stored.get(index.attr, [])
    else:
        return _gives_list(seen, index, node.value)
    held = [(module.parents.get(place), place) for place in places]
    return any(
        isinstance(one, ast.Assign)
        and place in one.targets
        and _gives_list(seen, one.value, node.value)
        for one, place in held
    )


def _gives_list(seen: Arrays, value: ast.expr, array: ast.expr) -> bool:
    """Whether a value is a list and may hold sequences; a list of columns' names is pandas' most often."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Mult):
        return any(
            isinstance(side, ast.List | ast.ListComp | ast.BinOp) and _gives_list(seen, side, array)
            for side in (value.left, value.right)
        )
    if isinstance(value, ast.List) and value.elts:
        return any(not _is_plain(one) for one in value.elts)
    if isinstance(value, ast.List | ast.ListComp):
        return seen.may_be(array)
    return (
        isinstance(value, ast.Call) and bool(value.args) and getattr(value.func, "id", "") in _LISTS
    )


def _is_plain(node: ast.expr) -> bool:
    """Whether it is a number or text that is written out."""
    if isinstance(node, ast.UnaryOp):
        return _is_plain(node.operand)
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and node.value not in (None, ...)
    )
