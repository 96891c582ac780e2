"""`/` between whole numbers gave a whole number in Python 2.

https://peps.python.org/pep-0238/
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import loaded
from tfqueue.port.source.finding import Finding

WORDS = ("/", "divide")
PYTHON2 = True
_WHOLE_CALLS = frozenset(["len", "int", "ord"])
_REAL_CALLS = frozenset(
    [
        *("float", "math.sqrt", "math.exp", "math.log", "numpy.sqrt", "numpy.float32"),
        *("numpy.float64", "time.time", "random.random", "random.uniform"),
    ]
)
_MESSAGE = "Python 2 divides whole numbers to the whole number below"


def find(module: Module) -> Iterator[Finding]:
    """Finds divisions that can be of whole numbers.

    Where both sides are seen to be whole it becomes `//`; where one is seen to be a float nothing
    has to be done; the rest is left to run time.
    """
    if module.has_future("division"):
        return
    for node in module.nodes[ast.BinOp]:
        if not isinstance(node.op, ast.Div):
            continue
        kinds = (_kind(module, node.left), _kind(module, node.right))
        if kinds == ("whole", "whole"):
            yield module.finding(node, _MESSAGE)
            module.replace(node, ast.BinOp(node.left, ast.FloorDiv(), node.right))
        elif "real" not in kinds:
            yield module.finding(node, f"{_MESSAGE}: left to run time")
            module.replace(node, module.call("div", node.left, node.right))
    for call, dotted in module.calls:
        if dotted == "numpy.divide" and len(call.args) == 2 and not call.keywords:
            yield module.finding(call, f"{_MESSAGE}: left to run time")
            module.replace(call.func, module.use("tfqueue.port.py2", "divide"))
    for node in module.nodes[ast.AugAssign]:
        if isinstance(node.op, ast.Div) and _kind(module, node.value) != "real":
            yield module.finding(node, f"{_MESSAGE}: left to run time")
            _augmented(module, node)


def changes(module: Module, node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether a division is one of those that this rule changes."""
    sides = [node.value] if isinstance(node, ast.AugAssign) else [node.left, node.right]
    return "real" not in [_kind(module, side) for side in sides]


def _augmented(module: Module, node: ast.AugAssign) -> None:
    target = node.target
    if not isinstance(target, ast.Name) and not is_pure(target):
        # its parts are computed once: the object and the key go to a function
        value = module.call("idiv", ast.Name("tfq_old", ast.Load()), node.value)
        raise_it = module.call("in_place", target.value, _key(target), ast.Lambda(_one(), value))
        module.replace(node, ast.Expr(raise_it))
        return
    module.replace(node, ast.Assign([target], module.call("idiv", loaded(target), node.value)))


def _one() -> ast.arguments:
    return ast.arguments([], [ast.arg("tfq_old")], None, [], [], None, [])


def _key(target: ast.Attribute | ast.Subscript) -> ast.expr:
    if isinstance(target, ast.Attribute):
        return ast.Dict([ast.Constant("attribute")], [ast.Constant(target.attr)])
    key = target.slice
    if isinstance(key, ast.Slice):
        parts: list[ast.expr] = [
            part or ast.Constant(None) for part in (key.lower, key.upper, key.step)
        ]
        return ast.Call(ast.Name("slice", ast.Load()), parts, [])
    return key


def is_pure(target: ast.AST) -> bool:
    """Whether the parts of a target can be computed twice."""
    return not any(
        isinstance(inner, ast.Call | ast.Await | ast.Yield | ast.NamedExpr)
        for inner in ast.walk(target)
    )


def _kind(module: Module, node: ast.AST) -> str | None:
    """The kind of a number: "whole", "real", or None where only run time can tell."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, float):
            return "real"
        return "whole" if isinstance(node.value, int) else None
    if isinstance(node, ast.UnaryOp):
        return _kind(module, node.operand)
    if isinstance(node, ast.Call):
        name = module.dotted(node.func) or str(getattr(node.func, "id", ""))
        if isinstance(node.func, ast.Name) and module.binder(node, name) is not None:
            return None
        if name in _REAL_CALLS:
            return "real"
        return "whole" if name in _WHOLE_CALLS else None
    if isinstance(node, ast.BinOp):
        kinds = {_kind(module, node.left), _kind(module, node.right)}
        plain = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv)
        return "whole" if kinds == {"whole"} and plain else None
    return None
