"""An array of one element is a number only where it has no dimensions.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "tensorflow")
_DIRECTIVE = re.compile(r"%(\(\w+\))?[#0\- +]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([a-zA-Z%])")
_NUMBERS = frozenset("diouxXeEfFgG")
# Functions and methods that give a number for a whole array
_REDUCTIONS = frozenset(
    ["all", "any", "argmax", "argmin", "max", "mean", "median", "min", "prod", "std", "sum", "var"]
)
# Functions that give what they get: a number for a number
_ELEMENTWISE = frozenset(
    ["abs", "ceil", "exp", "floor", "log", "log10", "log2", "power", "rint", "round", "sqrt"]
)
# Functions of numpy.random that give a number for this many arguments
_DRAWS = {"rand": 0, "randn": 0, "random": 0, "random_sample": 0, "choice": 1} | dict.fromkeys(
    ["randint", "uniform", "normal"], 2
)
_METHODS = frozenset(["astype", "copy", "flatten", "ravel", "reshape", "squeeze", "transpose"])
_PLAIN = ("numpy.random.seed", "numpy.load", "numpy.iinfo", "numpy.finfo")
# Functions of math that take several numbers as one argument
_OF_MANY = ("math.fsum", "math.prod")
_DEPTH = 4


def find(module: Module) -> Iterator[Finding]:
    """Finds conversions to a number of values that come from numpy or from a session."""
    seen = _Arrays(module)
    for call in module.nodes[ast.Call]:
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            continue
        if not _asks_for_a_number(module, call.func):
            continue
        if seen.may_be(call.args[0]):
            yield from _wrapped(module, call.args[0])
    for node in module.nodes[ast.BinOp]:
        left = node.left
        if isinstance(node.op, ast.Mod) and isinstance(left, ast.Constant):
            if isinstance(left.value, str):
                for value in _numbers(left.value, node.right):
                    if seen.may_be(value):
                        yield from _wrapped(module, value)


def _asks_for_a_number(module: Module, function: ast.AST) -> bool:
    if any(module.is_builtin(function, name) for name in ("int", "float", "long")):
        return True
    dotted = module.dotted(function) or ""
    return dotted.startswith("math.") and dotted not in _OF_MANY


def _wrapped(module: Module, value: ast.expr) -> Iterator[Finding]:
    yield module.finding(
        value, "an array of one element is a number only without dimensions since numpy 2.4"
    )
    module.replace(value, module.call("scalar", value, home="tfqueue.port.runtime"))


def _numbers(template: str, right: ast.expr) -> list[ast.expr]:
    """The values that a format shows as numbers."""
    found = [match for match in _DIRECTIVE.finditer(template) if match[4] != "%"]
    if any(match[1] or "*" in (match[2], match[3]) for match in found):
        return []
    values = right.elts if isinstance(right, ast.Tuple) else [right]
    if len(values) != len(found) or any(isinstance(value, ast.Starred) for value in values):
        return []
    return [value for value, match in zip(values, found, strict=True) if match[4] in _NUMBERS]


class _Arrays:
    """What is seen in a module to be made of what numpy or a session gave."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.stored: dict[str, list[ast.AST]] = {}
        for node in module.nodes[ast.Attribute]:
            if isinstance(node.ctx, ast.Store):
                self.stored.setdefault(node.attr, []).append(node)

    def may_be(self, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
        """Whether an expression may be an array.

        Args:
            node: The expression.
            asked: The names and attributes on the way to it.
        """
        if isinstance(node, ast.Call):
            return self._call(node, asked)
        if isinstance(node, ast.BinOp):
            return self.may_be(node.left, asked) or self.may_be(node.right, asked)
        if isinstance(node, ast.UnaryOp):
            return self.may_be(node.operand, asked)
        if isinstance(node, ast.Subscript):
            return self.may_be(node.value, asked)
        if isinstance(node, ast.Attribute):
            name, places = node.attr, self.stored.get(node.attr, [])
        elif isinstance(node, ast.Name):
            name = node.id
            places = [p for p in self.module.bindings(node, name) if isinstance(p, ast.Name)]
        else:
            return False
        if name in asked or len(asked) == _DEPTH:
            return False
        return any(self._is_given(place, (*asked, name)) for place in places)

    def _call(self, call: ast.Call, asked: tuple[str, ...]) -> bool:
        dotted = self.module.dotted(call.func) or ""
        name = dotted.rpartition(".")[2]
        more = bool(call.keywords)
        if dotted.startswith("numpy.random.") and name in _DRAWS:
            return more or len(call.args) > _DRAWS[name]
        if dotted.startswith("numpy."):
            if name in _REDUCTIONS:
                return more or len(call.args) > 1
            if name in _ELEMENTWISE:
                return any(self.may_be(argument, asked) for argument in call.args)
            return dotted not in _PLAIN
        if dotted.startswith("tfqueue.port.runtime.np_"):
            # what `promotion` has put in the place of an operator
            return any(self.may_be(argument, asked) for argument in call.args)
        if not isinstance(call.func, ast.Attribute):
            return False
        method = call.func.attr
        if method == "run" or (method == "eval" and not dotted.startswith("tensorflow.")):
            return True
        if method in _METHODS or (method in _REDUCTIONS and (more or call.args)):
            return self.may_be(call.func.value, asked)
        return False

    def _is_given(self, place: ast.AST, asked: tuple[str, ...]) -> bool:
        """Whether a name or an attribute is assigned such a value where it stands."""
        held = self.module.parents.get(place)
        if isinstance(held, ast.Tuple | ast.List):
            held = self.module.parents.get(held)
        if isinstance(held, ast.Assign | ast.AugAssign):
            return self.may_be(held.value, asked)
        if isinstance(held, ast.For) and place is not held.iter:
            return self.may_be(held.iter, asked)
        return False
