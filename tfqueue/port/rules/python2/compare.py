"""`None < 3` is true in Python 2, which orders any two things.

https://docs.python.org/3/whatsnew/3.0.html#ordering-comparisons
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("<", ">")
PYTHON2 = True
_LISTS = frozenset(
    [
        *("os.listdir", "glob.glob", "tensorflow.gfile.ListDirectory", "tensorflow.gfile.Glob"),
        *("filter", "map", "range", "sorted", "zip"),
    ]
)
"""What gives a list in Python 2."""
_SEQUENCES = frozenset(["as_list", "dims", "get_shape", "shape", "split", "tolist"])
"""Attributes and methods that give a list, a tuple or a shape, which is above any number in Python 2."""
_FUNCTIONS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}


def find(module: Module) -> Iterator[Finding]:
    """Finds comparisons of a name that can be None, or a text, somewhere in the module, and of a list or a shape."""
    nothing = _can_be_none(module)
    lists = {call for call in module.nodes[ast.Call] if _lists(module, call)}
    for node in module.nodes[ast.Compare]:
        if type(node.ops[0]) not in _FUNCTIONS:
            continue
        if len(node.ops) != 1:
            yield from _chain(module, node, nothing)
            continue
        sides = (node.left, node.comparators[0])
        if not any(side in lists or _is_one(side, nothing) for side in sides):
            continue
        yield module.finding(node, "Python 2 orders any two things: left to run time")
        name = _FUNCTIONS[type(node.ops[0])]
        module.replace(node, module.call(name, node.left, node.comparators[0]))


def _chain(module: Module, node: ast.Compare, nothing: set[str]) -> Iterator[Finding]:
    """`a < b < c` is `a < b and b < c` where what is compared twice is a name or a constant."""
    sides = [node.left, *node.comparators]
    if not any(_is_one(side, nothing) for side in sides):
        return
    if not all(type(op) in _FUNCTIONS for op in node.ops):
        return
    if not all(isinstance(side, ast.Name | ast.Constant) for side in sides[1:-1]):
        return
    yield module.finding(node, "Python 2 orders any two things: left to run time")
    tests: list[ast.expr] = [
        module.call(_FUNCTIONS[type(op)], *copy.deepcopy([one, other]))
        for op, one, other in zip(node.ops, sides, sides[1:], strict=False)
    ]
    module.replace(node, ast.BoolOp(ast.And(), tests))


def _lists(module: Module, call: ast.Call) -> bool:
    """Whether a call gives a list for certain."""
    dotted = module.dotted(call.func) or ""
    if isinstance(call.func, ast.Name) and not dotted:
        dotted = call.func.id
    builtin = "." not in dotted and module.is_builtin(call.func, dotted)
    return dotted in _LISTS and (builtin or "." in dotted)


def _is_one(node: ast.AST, nothing: set[str]) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None or isinstance(node.value, str)
    if isinstance(node, ast.Call):
        func = node.func
        if isinstance(func, ast.Attribute):
            return (func.attr == "get" and len(node.args) == 1) or func.attr in _SEQUENCES
        return getattr(func, "id", "") in ("raw_input", "getattr")
    if isinstance(node, ast.Attribute) and node.attr in _SEQUENCES:
        return True
    return getattr(node, "id", getattr(node, "attr", None)) in nothing or isinstance(
        node, ast.List | ast.Tuple | ast.Dict
    )


def _can_be_none(module: Module) -> set[str]:
    """The names of variables, attributes and parameters that get a None, or a text, somewhere."""
    found: set[str] = set()

    def note(target: ast.AST, value: ast.AST) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, other in zip(target.elts, value.elts, strict=False):
                note(one, other)
            return
        name = getattr(target, "id", getattr(target, "attr", getattr(target, "arg", None)))
        if (
            name
            and _is_one(value, set())
            and not isinstance(value, ast.List | ast.Tuple | ast.Dict)
        ):
            found.add(name)

    for node in module.nodes[ast.Assign]:
        for target in node.targets:
            note(target, node.value)
    for node in module.nodes[ast.arguments]:
        for parameter, value in zip(reversed(node.args), reversed(node.defaults), strict=False):
            note(parameter, value)
    return found
