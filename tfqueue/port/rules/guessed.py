"""A program that nothing shows to be for either Python: its differences are told as they happen.

It changes no text, so it is no rule: only what `tfqueue run` compiles.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from tfqueue.port.program.module import Module
from tfqueue.port.rules.python2 import division

if TYPE_CHECKING:
    from tfqueue.port.rules.engine import Translation

_HOME = "tfqueue.port.differences"
_LISTS = ("map", "filter", "zip")
# what goes through an iterator once, at once
_TAKERS = frozenset(
    [
        *("list", "tuple", "set", "frozenset", "dict", "sum", "sorted", "any", "all", "max", "min"),
        *("enumerate", "iter", "next"),
    ]
)


def watched(translation: Translation) -> ast.Module:
    """A copy of a program's tree that tells where Python 2 gives something else."""
    module = translation.module
    functions = _functions(module)
    if not functions:
        return module.tree
    copies: dict[int, ast.AST] = {}
    tree = copy.deepcopy(module.tree, copies)
    new = _Calls({copies[id(node)]: name for node, name in functions.items()})
    new.visit(tree)
    names = [ast.alias(name, f"tfq_told_{name}") for name in sorted({*functions.values()})]
    at = sum(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
    at += ast.get_docstring(tree, clean=False) is not None
    imported = ast.ImportFrom(_HOME, names, 0)
    tree.body.insert(at, ast.copy_location(imported, tree.body[min(at, len(tree.body) - 1)]))
    ast.fix_missing_locations(tree)
    return tree


def _functions(module: Module) -> dict[ast.AST, str]:
    """The places of a module where the Pythons can differ, each with the function for it."""
    found: dict[ast.AST, str] = {}
    if "division" not in module.imported:
        for node in module.nodes[ast.BinOp]:
            if isinstance(node.op, ast.Div) and division.changes(module, node):
                found[node] = "div"
        for node in module.nodes[ast.AugAssign]:
            whole = isinstance(node.op, ast.Div) and division.changes(module, node)
            if whole and division.is_pure(node.target):
                found[node] = "divisor"
    for call in module.nodes[ast.Call]:
        for name in ("round", *_LISTS):
            if module.is_builtin(call.func, name) and not (
                name in _LISTS and _is_taken(module, call)
            ):
                found[call.func] = name
    return found


def _is_taken(module: Module, call: ast.Call) -> bool:
    """Whether what a call gives is gone through at once, and kept by nobody."""
    parent = module.parents[call]
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is call
    if isinstance(parent, ast.Starred):
        return True
    if not isinstance(parent, ast.Call) or call not in parent.args:
        return False
    return getattr(parent.func, "id", getattr(parent.func, "attr", "")) in (*_TAKERS, "join")


class _Calls(ast.NodeTransformer):
    """Puts calls of the functions in their places."""

    def __init__(self, functions: dict[ast.AST, str]) -> None:
        self._functions = functions

    def _name(self, node: ast.AST) -> ast.Name:
        known = ast.Name(f"tfq_told_{self._functions[node]}", ast.Load())
        return ast.copy_location(known, node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if node not in self._functions:
            return node
        return ast.copy_location(ast.Call(self._name(node), [node.left, node.right], []), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        self.generic_visit(node)
        if node in self._functions:
            old = copy.deepcopy(node.target)
            for inner in ast.walk(old):
                if hasattr(inner, "ctx"):
                    inner.ctx = ast.Load()
            call = ast.Call(self._name(node), [old, node.value], [])
            node.value = ast.copy_location(call, node.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return self._name(node) if node in self._functions else node
