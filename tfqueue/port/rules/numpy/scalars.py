"""An array of one element is a number only where it has no dimensions.

https://numpy.org/doc/stable/release/2.4.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import Arrays, is_no_array
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "tensorflow", "scipy", "h5py")
_DIRECTIVE = re.compile(r"%(\(\w+\))?[#0\- +]*(\*|\d+)?(?:\.(\*|\d+))?[hlL]?([a-zA-Z%])")
_FLOATS = frozenset("eEfFgG")
_NUMBERS = _FLOATS | frozenset("diouxX")
# Functions of math that take several numbers as one argument
_OF_MANY = ("math.fsum", "math.prod")
# Functions of scipy that ask a function for a number
_ASKING = frozenset(
    [
        *(f"scipy.integrate.{name}" for name in ("quad", "dblquad", "tplquad")),
        *(f"scipy.optimize.{name}" for name in ("brentq", "brenth", "bisect", "ridder")),
    ]
)


def find(module: Module) -> Iterator[Finding]:
    """Finds conversions to a number of values that come from numpy or a session, or from where it is not seen."""
    seen = Arrays(module, own=module.is_old)
    given = Arrays(module, own=module.is_old, methods=module.is_old)
    of_files = "h5py" in module.packages
    for call in module.nodes[ast.Call]:
        if len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
            continue
        if not _asks_for_a_number(module, call.func):
            continue
        whole = any(module.is_builtin(call.func, name) for name in ("int", "long"))
        handed = module.is_old and not whole and _is_handed(module, call.args[0])
        handed = handed or (of_files and _is_of_a_file(call.args[0]))
        if handed or (seen if whole else given).may_be(call.args[0]):
            yield from _wrapped(module, call.args[0])
    for call, dotted in module.calls:
        if dotted in _ASKING and module.is_old and call.args:
            yield from _wrapped(module, call.args[0], "giving_scalar")
    for node in module.nodes[ast.BinOp]:
        left = node.left
        if isinstance(node.op, ast.Mod) and isinstance(left, ast.Constant):
            if isinstance(left.value, str):
                for value, letter in _numbers(left.value, node.right):
                    shown = module.is_old and letter in _FLOATS and not is_no_array(module, value)
                    if shown or seen.may_be(value):
                        yield from _wrapped(module, value)


def _is_of_a_file(value: ast.expr) -> bool:
    """Whether it is an attribute of an HDF5 file: `dataset.attrs["rate"]`."""
    owner = value.value if isinstance(value, ast.Subscript) else None
    return isinstance(owner, ast.Attribute) and owner.attr == "attrs"


def _asks_for_a_number(module: Module, function: ast.AST) -> bool:
    if any(module.is_builtin(function, name) for name in ("int", "float", "long")):
        return True
    dotted = module.dotted(function) or ""
    return dotted.startswith("math.") and dotted not in _OF_MANY


def _is_handed(module: Module, value: ast.expr) -> bool:
    """Whether a value is of what a function is given, or an object's own: another place has made it.

    An element of it is so, too, and what is counted with it: `self.scale * self.medians[i]`.
    """
    if isinstance(value, ast.BinOp):
        return any(_is_handed(module, side) for side in (value.left, value.right))
    if isinstance(value, ast.UnaryOp):
        return _is_handed(module, value.operand)
    if isinstance(value, ast.Subscript):
        return _is_handed(module, value.value)
    if isinstance(value, ast.Attribute):
        return module.dotted(value) is None
    places = module.bindings(value, value.id) if isinstance(value, ast.Name) else []
    return bool(places) and all(isinstance(place, ast.arg) for place in places)


def _wrapped(module: Module, value: ast.expr, by: str = "scalar") -> Iterator[Finding]:
    if module.dotted(getattr(value, "func", value)) == f"tfqueue.port.runtime.{by}":
        return
    yield module.finding(
        value, "an array of one element is a number only without dimensions since numpy 2.4"
    )
    module.replace(value, module.call(by, value, home="tfqueue.port.runtime"))


def _numbers(template: str, right: ast.expr) -> list[tuple[ast.expr, str]]:
    """The values that a format shows as numbers, and the letters that show them."""
    found = [match for match in _DIRECTIVE.finditer(template) if match[4] != "%"]
    if any(match[1] or "*" in (match[2], match[3]) for match in found):
        return []
    values = right.elts if isinstance(right, ast.Tuple) else [right]
    if len(values) != len(found) or any(isinstance(value, ast.Starred) for value in values):
        return []
    pairs = zip(values, [match[4] for match in found], strict=True)
    return [pair for pair in pairs if pair[1] in _NUMBERS]
