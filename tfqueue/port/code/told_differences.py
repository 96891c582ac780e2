"""A program that nothing proves to be for either Python: its differences are told as they happen.

Which Python it is taken for, `tfqueue.port.program.written_for` decides.

It changes no text, so it is no rule: only what `tfqueue run` compiles.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import loaded
from tfqueue.port.rules.python2 import division

if TYPE_CHECKING:
    from tfqueue.port.rules.engine import Translation

_HOMES = {2: "tfqueue.port.py2.told", 3: "tfqueue.port.differences.python3"}
_PY2 = "tfqueue.port.py2"
_STAND_INS = ("div", "divide", "idiv", "round")  # functions of py2 that have one that tells
_LISTS = ("map", "filter", "zip")
# what goes through an iterator once, at once
_TAKERS = frozenset(
    [
        *("list", "tuple", "set", "frozenset", "dict", "sum", "sorted", "any", "all", "max", "min"),
        *("enumerate", "iter", "next"),
    ]
)


def watched(translation: Translation, tree: ast.Module) -> ast.Module:
    """A program's tree that tells where the other Python gives something else.

    Args:
        translation: The program.
        tree: Its tree, which stays as it is.
    """
    copies: dict[int, ast.AST] = {}
    new = copy.deepcopy(tree, copies)
    python = 2 if translation.module.python2 else 3
    originals = dict(zip(ast.walk(translation.tree), ast.walk(tree), strict=True))
    find = _functions2 if python == 2 else _functions
    found = find(translation)
    functions = {copies[id(originals[node])]: name for node, name in found.items()}
    names = {name: f"tfq_told_{name}" for name in functions.values()}
    if python == 2:
        names |= _taken_over(new)
    if not names:
        return tree
    _Calls(functions).visit(new)
    at = sum(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in new.body)
    at += ast.get_docstring(new, clean=False) is not None
    aliases = [ast.alias(name, known) for name, known in sorted(names.items())]
    imports = ast.ImportFrom(_HOMES[python], aliases, 0)
    if new.body:
        ast.copy_location(imports, new.body[min(at, len(new.body) - 1)])
    new.body.insert(at, imports)
    ast.fix_missing_locations(new)
    return new


def _taken_over(tree: ast.Module) -> dict[str, str]:
    """Takes the functions that have one that tells out of the imports: {name: the name in the module}."""
    names: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == _PY2:
            taken = [alias for alias in node.names if alias.name in _STAND_INS]
            names |= {alias.name: alias.asname or alias.name for alias in taken}
            node.names = [alias for alias in node.names if alias not in taken]
    tree.body = [n for n in tree.body if not isinstance(n, ast.ImportFrom) or n.names]
    return names


def _functions2(translation: Translation) -> dict[ast.AST, str]:
    """As `_functions`, for a program that runs as Python 2: what the rules left no function for."""
    module = translation.module
    found: dict[ast.AST, str] = {
        node: "div"
        for node in module.nodes[ast.BinOp]
        if isinstance(node.op, ast.FloorDiv)
        and node not in module.before  # `rules.python2.division`
    }
    if module.has_future("print_function"):
        return found
    several = _prints_of_several(translation.original)
    for call in module.nodes[ast.Call]:
        line = translation.lines[min(call.lineno, len(translation.lines)) - 1]
        if getattr(call.func, "id", "") == "print" and line in several:
            found.update((each, "printed") for each in call.args if isinstance(each, ast.Tuple))
    return found


def _prints_of_several(text: str) -> set[int]:
    """The lines with a `print` of no value, or of several, in brackets."""
    return {
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "print"
        and len(node.args) != 1
    }


def _functions(translation: Translation) -> dict[ast.AST, str]:
    """The places of a module where the Pythons can differ, each with the function for it."""
    module = translation.module
    found: dict[ast.AST, str] = {}
    if not module.has_future("division"):
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
            call = ast.Call(self._name(node), [loaded(node.target), node.value], [])
            node.value = ast.copy_location(call, node.value)
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.expr:
        self.generic_visit(node)
        if node not in self._functions:
            return node
        return ast.copy_location(ast.Call(self._name(node), [node], []), node)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return self._name(node) if node in self._functions else node
