"""An array is equal to a list of another shape no more: that is an error since numpy 1.25.

https://numpy.org/doc/stable/release/1.25.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "tensorflow")
_HELPERS = {ast.Eq: "array_eq", ast.NotEq: "array_ne"}
_PLAIN = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.JoinedStr)
# Methods that give a list of Python's, as far as libraries have them
_LISTS = frozenset(["as_list", "tolist", "split", "rsplit", "splitlines", "readlines", "keys"])


def find(module: Module) -> Iterator[Finding]:
    """Finds ``x == []`` and ``x != [1, 2]`` where ``x`` may be an array."""
    if not (module.python2 or module.era.why or module.imports("tensorflow")):
        return  # it may be from any day
    for node in module.nodes[ast.Compare]:
        helper = _HELPERS.get(type(node.ops[0]))
        if len(node.ops) != 1 or helper is None:
            continue
        left, right = node.left, node.comparators[0]
        one, other = (left, right) if _is_list(right) else (right, left)
        if not _is_list(other) or not _may_be_array(module, one):
            continue
        yield module.finding(node, "an array can't be compared with another shape since numpy 1.25")
        new = module.call(helper, left, right, home="tfqueue.port.runtime")
        if _decides(module, node):
            new = module.call("truth", new, home="tfqueue.port.runtime")
        module.replace(node, new)


def _is_list(node: ast.AST) -> bool:
    return isinstance(node, ast.List) or (isinstance(node, ast.Tuple) and not node.elts)


def _may_be_array(module: Module, node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        dotted = module.dotted(node.func) or ast.unparse(node.func)
        is_list = getattr(node.func, "attr", "") in _LISTS
        return not is_list and not dotted.startswith(("os.", "re.", "glob.", "list", "sorted"))
    if isinstance(node, ast.Name):
        held = [module.parents.get(place) for place in module.bindings(node, node.id)]
        values = [each.value if isinstance(each, ast.Assign) else None for each in held]
        return not values or not all(isinstance(value, _PLAIN) for value in values)
    return not isinstance(node, _PLAIN) and module.dotted(node) != "sys.argv"


def _decides(module: Module, node: ast.AST) -> bool:
    """Whether only the truth of an expression counts."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.BoolOp):
        return _decides(module, parent)
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    return isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert) and parent.test is node
