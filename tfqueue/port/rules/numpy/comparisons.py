"""An array compared with another shape, or numbers with text, gave one answer up to numpy 1.24.

https://numpy.org/doc/stable/release/1.25.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import Arrays
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "tensorflow")
_HELPERS = {ast.Eq: "array_eq", ast.NotEq: "array_ne"}
_HOME = "tfqueue.port.runtime"
_SHAPE = "an array can't be compared with another shape since numpy 1.25"
_TEXT = "an array of numbers beside text gave one answer up to numpy 1.24"
_PLAIN = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.JoinedStr)
# Methods that give a list of Python's, as far as libraries have them
_LISTS = frozenset(["as_list", "tolist", "split", "rsplit", "splitlines", "readlines", "keys"])


def find(module: Module) -> Iterator[Finding]:
    """Finds ``x == []``, ``x != "text"``, ``x == y`` and ``x in ["text"]`` where ``x`` may be an array.

    In ``if x == None`` too: an array has one answer there up to numpy 1.12. What else ``x`` may be says
    itself what it is equal to, so that it is no ``x is None``.
    """
    if not module.is_old:
        return  # it may be from any day
    seen = Arrays(module)
    for node in module.nodes[ast.Compare]:
        if len(node.ops) != 1:
            continue
        left, right, op = node.left, node.comparators[0], node.ops[0]
        if isinstance(op, ast.In | ast.NotIn):
            if _are_texts(right) and seen.may_be(left):
                yield module.finding(node, _TEXT)
                new: ast.expr = module.call("array_in", left, right, home=_HOME)
                module.replace(node, ast.UnaryOp(ast.Not(), new) if type(op) is ast.NotIn else new)
            continue
        helper = _HELPERS.get(type(op))
        if helper is None:
            continue
        is_none = isinstance(right, ast.Constant) and right.value is None
        if is_none and decides(module, node) and not isinstance(left, _PLAIN):
            yield module.finding(
                node, "an array beside None has an answer for each since numpy 1.13"
            )
            beside = "is_none" if helper == "array_eq" else "is_not_none"
            module.replace(node, module.call(beside, left, home=_HOME))
        elif message := _differs(module, seen, left, right):
            yield module.finding(node, message)
            old_text = message == _TEXT and module.python2 and not module.ported
            home = "tfqueue.port.py2" if old_text else _HOME
            new = module.call(helper, left, right, home=home)
            if decides(module, node):
                new = module.call("truth", new, home=_HOME)
            module.replace(node, new)


def _differs(module: Module, seen: Arrays, left: ast.expr, right: ast.expr) -> str:
    """Why a comparison may give something else today, or nothing."""
    for one, other in ((left, right), (right, left)):
        if _is_list(other) and _may_be_array(module, one):
            return _SHAPE
        if _is_text(other) and (seen.may_be(one) or _is_used_as_array(module, one)):
            return _TEXT
    return _SHAPE if seen.may_be(left) and seen.may_be(right) else ""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _are_texts(node: ast.AST) -> bool:
    if not isinstance(node, ast.List | ast.Tuple | ast.Set):
        return False
    return bool(node.elts) and all(map(_is_text, node.elts))


def _is_used_as_array(module: Module, node: ast.AST) -> bool:
    """Whether a parameter is asked for its shape, or whether it is an array, where it is known."""
    if not isinstance(node, ast.Name):
        return False
    if not any(isinstance(place, ast.arg) for place in module.bindings(node, node.id)):
        return False
    for use in module.uses(node, node.id):
        parent = module.parents[use]
        if isinstance(parent, ast.Attribute) and parent.attr in ("shape", "dtype", "ndim"):
            return True
        if isinstance(parent, ast.Call) and module.is_builtin(parent.func, "isinstance"):
            kinds = {module.dotted(kind) for kind in ast.walk(parent.args[-1])}
            if "numpy.ndarray" in kinds:
                return True
    return False


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


def decides(module: Module, node: ast.AST) -> bool:
    """Whether only the truth of an expression counts."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.BoolOp):
        return decides(module, parent)
    if isinstance(parent, ast.UnaryOp):
        return isinstance(parent.op, ast.Not)
    if isinstance(parent, ast.comprehension):
        return node in parent.ifs
    return isinstance(parent, ast.If | ast.While | ast.IfExp | ast.Assert) and parent.test is node
