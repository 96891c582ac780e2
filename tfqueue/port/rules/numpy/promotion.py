"""A number of numpy's takes part in arithmetic with its own type since numpy 2.

https://numpy.org/neps/nep-0050-scalar-promotion.html
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import loaded
from tfqueue.port.rules.python2 import division
from tfqueue.port.rules.session_values import DISPLAYS, MAKERS, REDUCTIONS, SessionValues
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow",)
OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}
_COMPARISONS = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
_NARROW = frozenset(["float16", "float32", "int16", "int32", "int8", "uint16", "uint32", "uint8"])
"""Types that a number of 64 bits widens."""
_FILLED = {"array": 1, "asarray": 1, "empty": 1, "full": 2, "ones": 1, "zeros": 1}
"""Functions that make an array, and where among their arguments the type stands."""
_DEPTH = 3
_MESSAGE = "numpy 2 widens an array, and no longer a single number, by the number's own type"


def find(module: Module) -> Iterator[Finding]:
    """Finds arithmetic with what numpy or a session gave for one number.

    numpy 1 took the type of the array, or that of Python's number: ``np.sqrt(2) * x`` was float32
    where ``x`` is, and ``total += sess.run(loss)`` added in float64. Beside an array that is seen to be
    narrow, an argument or an attribute may be such a number: ``x.astype(np.float32) - self.mean``.
    """
    if not module.has_tensorflow:
        return
    values = SessionValues(module)
    old_division = module.python2 and not module.has_future("division")
    for node in [*module.nodes[ast.BinOp], *module.nodes[ast.AugAssign]]:
        name = OPERATORS.get(type(node.op))
        if name is None or (name == "div" and old_division and division.changes(module, node)):
            continue
        if isinstance(node, ast.BinOp):
            sides = ((node.left, node.right), (node.right, node.left))
            if any(_differs(values, *each) or _is_beside_narrow(module, *each) for each in sides):
                yield module.finding(node, _MESSAGE)
                module.replace(node, promoted(module, f"np_{name}", node.left, node.right))
        elif division.is_pure(node.target) and _differs(values, node.value, node.target):
            yield module.finding(node, _MESSAGE)
            replace_augmented(module, node, f"np_i{name}")
    for node in module.nodes[ast.Compare]:
        both = [node.left, *node.comparators]
        name = _COMPARISONS.get(type(node.ops[0]))
        if (
            len(both) == 2
            and name
            and any(_is_rounded(values, *each) for each in (both, both[::-1]))
        ):
            yield module.finding(node, _MESSAGE)
            module.replace(node, promoted(module, f"np_{name}", *both))
    for call in module.nodes[ast.Call]:
        if module.is_builtin(call.func, "sum") and len(call.args) == 1 and not call.keywords:
            if values.may_be(call.args[0]):
                yield module.finding(call, _MESSAGE)
                module.replace(call, promoted(module, "np_sum", call.args[0]))


def _is_rounded(values: SessionValues, node: ast.AST, other: ast.AST) -> bool:
    """Whether a session's number is compared with one that a float of 32 bits does not hold."""
    if isinstance(other, ast.Name):
        places = values.module.bindings(other, other.id)
        given = _assigned(values.module, places[0]) if len(places) == 1 else []
        other = given[0] if given else other
    value = getattr(other, "value", None)
    if not isinstance(other, ast.Constant) or not isinstance(value, float) or abs(value) > 1e38:
        return False
    return struct.unpack("f", struct.pack("f", value))[0] != value and values.may_be(node)


def replace_augmented(module: Module, node: ast.AugAssign, name: str) -> None:
    """Lets a function of `port.runtime` compute what ``target += value`` assigns."""
    new = ast.Assign([node.target], promoted(module, name, loaded(node.target), node.value))
    new.lineno = node.lineno
    ast.copy_location(new, node)
    module.replace(node, new)


def promoted(module: Module, name: str, *operands: ast.expr) -> ast.Call:
    """A call of a function of `port.runtime` that promotes as numpy 1 did."""
    return module.call(name, *operands, home="tfqueue.port.runtime")


def _differs(values: SessionValues, node: ast.AST, other: ast.AST) -> bool:
    """Whether an operand may be such a number, and its type matters to the other."""
    if isinstance(node, DISPLAYS):
        return False
    if values.may_be(node):
        return not isinstance(other, ast.Constant) or isinstance(other.value, int | float)
    if isinstance(other, ast.Constant) or _is_number(values.module, other):
        return False
    made = _made(values.module, node)
    return made is not None and not (made[1] and made[1] & _names(other))


def _is_beside_narrow(module: Module, node: ast.AST, other: ast.AST) -> bool:
    """Whether an argument or an attribute stands beside an array of less than 64 bits."""
    if isinstance(node, ast.Attribute):
        return not module.dotted(node) and _is_narrow(module, other)
    if not isinstance(node, ast.Name) or not _is_narrow(module, other):
        return False
    return any(isinstance(place, ast.arg) for place in module.bindings(node, node.id))


def _is_narrow(module: Module, node: ast.AST) -> bool:
    """Whether an expression is made as an array of a narrow type."""
    if isinstance(node, ast.Subscript):
        return _is_narrow(module, node.value)
    if isinstance(node, ast.Name):
        places = module.bindings(node, node.id)
        given = _assigned(module, places[0]) if len(places) == 1 else []
        node = given[0] if given else node
    if not isinstance(node, ast.Call):
        return False
    home, _, name = (module.dotted(node.func) or "").rpartition(".")
    if home == "numpy" and name in _FILLED:
        at = _FILLED[name]
        told = [*node.args[at : at + 1], *(w.value for w in node.keywords if w.arg == "dtype")]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "astype":
        told = node.args[:1]
    else:
        return False
    return any(_type_name(module, one) in _NARROW for one in told)


def _type_name(module: Module, node: ast.expr) -> str:
    """`float32` of `np.float32` and of `'float32'`."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    home, _, name = (module.dotted(node) or "").rpartition(".")
    return name if home == "numpy" else ""


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _is_number(module: Module, node: ast.AST) -> bool:
    """Whether an expression is certainly no array."""
    if isinstance(node, ast.BinOp):
        return _is_number(module, node.left) and _is_number(module, node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("len", "int", "float")
    return isinstance(node, ast.Constant) or _made(module, node) is not None


def _made(
    module: Module, node: ast.AST, asked: tuple[str, ...] = ()
) -> tuple[str, set[str]] | None:
    """`(function, names)` of a number that numpy makes, or None.

    The names are those of an array that is reduced: the number has its type.
    """
    if isinstance(node, ast.UnaryOp):
        return _made(module, node.operand, asked)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        found = [_made(module, side, asked) for side in sides]
        plain = [f or isinstance(s, ast.Constant) for f, s in zip(found, sides, strict=True)]
        return next((f for f in found if f), None) if all(plain) else None
    if isinstance(node, ast.Call):
        home, _, name = (module.dotted(node.func) or "").rpartition(".")
        if home != "numpy" or len(node.args) != 1 + (name == "power") or node.keywords:
            return None
        if name in REDUCTIONS:
            return name, _names(node.args[0])
        return (name, set()) if name in MAKERS else None
    if isinstance(node, ast.Name) and node.id not in asked and len(asked) < _DEPTH:
        places = module.bindings(node, node.id)
        held = module.parents.get(places[0]) if len(places) == 1 else None
        if isinstance(held, ast.Assign) and places[0] in held.targets:
            return _made(module, held.value, (*asked, node.id))
    return None


def _assigned(module: Module, place: ast.AST) -> list[ast.expr]:
    """The value of an assignment to a name, as far as it is the name's own."""
    held = module.parents.get(place)
    if isinstance(held, ast.For) and held.target is place:
        return [held.iter]
    at = None
    if isinstance(held, ast.Tuple | ast.List):
        at = next(at for at, one in enumerate(held.elts) if one is place)
        held = module.parents.get(held)
    if not isinstance(held, ast.Assign) or place is held.value:
        return []
    if at is not None and isinstance(held.value, ast.Tuple | ast.List):
        return held.value.elts[at : at + 1]
    return [held.value]
