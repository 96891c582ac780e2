"""An array of one element is a number only where it has no dimensions.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import Arrays
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "tensorflow", "scipy")
_DIRECTIVE = re.compile(r"%(\(\w+\))?[#0\- +]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([a-zA-Z%])")
_NUMBERS = frozenset("diouxXeEfFgG")
# Functions of math that take several numbers as one argument
_OF_MANY = ("math.fsum", "math.prod")
_GIVING = "tfqueue.port.runtime.giving_scalar"
# Functions of scipy that ask a function for a number
_ASKING = frozenset(
    [
        *(f"scipy.integrate.{name}" for name in ("quad", "dblquad", "tplquad")),
        *(f"scipy.optimize.{name}" for name in ("brentq", "brenth", "bisect", "ridder")),
    ]
)


def find(module: Module) -> Iterator[Finding]:
    """Finds conversions to a number of values that come from numpy or from a session."""
    seen = Arrays(module)
    for call in module.nodes[ast.Call]:
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            continue
        if not _asks_for_a_number(module, call.func):
            continue
        if seen.may_be(call.args[0]):
            yield from _wrapped(module, call.args[0])
    for call, dotted in module.calls:
        asked = dotted in _ASKING and module.is_old and call.args
        if asked and module.dotted(getattr(call.args[0], "func", call.args[0])) != _GIVING:
            yield from _wrapped(module, call.args[0], "giving_scalar")
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


def _wrapped(module: Module, value: ast.expr, by: str = "scalar") -> Iterator[Finding]:
    yield module.finding(
        value, "an array of one element is a number only without dimensions since numpy 2.4"
    )
    module.replace(value, module.call(by, value, home="tfqueue.port.runtime"))


def _numbers(template: str, right: ast.expr) -> list[ast.expr]:
    """The values that a format shows as numbers."""
    found = [match for match in _DIRECTIVE.finditer(template) if match[4] != "%"]
    if any(match[1] or "*" in (match[2], match[3]) for match in found):
        return []
    values = right.elts if isinstance(right, ast.Tuple) else [right]
    if len(values) != len(found) or any(isinstance(value, ast.Starred) for value in values):
        return []
    return [value for value, match in zip(values, found, strict=True) if match[4] in _NUMBERS]
