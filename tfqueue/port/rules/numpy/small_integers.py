"""A pixel and a number of Python's: numpy 1 computed with 64 bits, numpy 2 with the pixel's eight.

https://numpy.org/neps/nep-0050-scalar-promotion.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.numpy import promotion
from tfqueue.port.rules.python2 import division
from tfqueue.port.source.finding import Finding

WORDS = ("uint8", "imread", "Image")
_OPERATORS = ("add", "sub", "mul", "pow")
_READERS = frozenset(
    f"{home}.imread"
    for home in (
        *("cv2", "imageio", "scipy.misc", "scipy.ndimage", "skimage.io"),
        "tfqueue.port.libraries.scipy_misc",
    )
)
_MAKERS = frozenset(
    "array asarray empty frombuffer fromfile fromstring full ones zeros zeros_like ones_like".split()
)
_METHODS = frozenset("copy flatten ravel reshape squeeze transpose".split())
_NAMES = ("uint8", "u1", "B")
_DEPTH = 4


def find(module: Module) -> Iterator[Finding]:
    """Finds arithmetic with elements of arrays that are seen to be of bytes."""
    if not module.is_old:
        return
    message = "numpy 2 computes with a byte of an array and a number in eight bits"
    for node in [*module.nodes[ast.BinOp], *module.nodes[ast.AugAssign]]:
        name = promotion.OPERATORS.get(type(node.op))
        if name not in _OPERATORS:
            continue
        if isinstance(node, ast.BinOp):
            if _is_byte(module, node.left) != _is_byte(module, node.right):
                yield module.finding(node, message)
                new = promotion.promoted(module, f"np_{name}", node.left, node.right)
                module.replace(node, new)
        elif division.is_pure(node.target) and _is_byte(module, node.value):
            yield module.finding(node, message)
            promotion.replace_augmented(module, node, f"np_i{name}")


def _is_byte(module: Module, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
    """Whether an expression may be one element of an array of bytes, or made of such alone."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        whole = all(isinstance(part, ast.Slice) for part in parts)
        return not whole and _is_array(module, node.value)
    if isinstance(node, ast.Call):
        return _is_greatest(module, node)
    if isinstance(node, ast.UnaryOp):
        return _is_byte(module, node.operand, asked)
    if isinstance(node, ast.BinOp):
        return all(_is_byte(module, side, asked) for side in (node.left, node.right))
    if not isinstance(node, ast.Name) or node.id in asked or len(asked) == _DEPTH:
        return False
    places = module.bindings(node, node.id)
    return any(_holds_byte(module, place, (*asked, node.id)) for place in places)


def _is_greatest(module: Module, call: ast.Call) -> bool:
    """Whether a call gives the greatest or the least element of an array of bytes."""
    home, _, name = (module.dotted(call.func) or "").rpartition(".")
    if home == "numpy" and name in ("max", "min", "amax", "amin") and call.args:
        return _is_array(module, call.args[0])
    method = call.func if isinstance(call.func, ast.Attribute) and not home else None
    return method is not None and method.attr in ("max", "min") and _is_array(module, method.value)


def _holds_byte(module: Module, place: ast.AST, asked: tuple[str, ...]) -> bool:
    """Whether a name is given an element: in a loop, by itself, or as one of several."""
    held = module.parents.get(place)
    several = isinstance(held, ast.Tuple | ast.List)
    held = module.parents.get(held) if several and held else held
    if isinstance(held, ast.For) and place is not held.iter:
        return _is_array(module, held.iter)
    if not isinstance(held, ast.Assign) or place is held.value:
        return False
    return _is_array(module, held.value) if several else _is_byte(module, held.value, asked)


def _is_array(module: Module, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
    """Whether an expression is seen to be an array of bytes."""
    if isinstance(node, ast.Subscript):
        return _is_array(module, node.value, asked)
    if isinstance(node, ast.Call):
        return _gives_bytes(module, node, asked)
    if not isinstance(node, ast.Name) or node.id in asked or len(asked) == _DEPTH:
        return False
    held = [module.parents.get(place) for place in module.bindings(node, node.id)]
    asked = (*asked, node.id)
    given = [
        each.iter if isinstance(each, ast.For) else getattr(each, "value", None) for each in held
    ]
    return bool(given) and all(one is not None and _is_array(module, one, asked) for one in given)


def _gives_bytes(module: Module, call: ast.Call, asked: tuple[str, ...]) -> bool:
    dotted = module.dotted(call.func) or ""
    if dotted in _READERS:
        return True
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    said = any(_is_type(module, one) for one in given)
    home, _, name = dotted.rpartition(".")
    if home == "numpy" and name in _MAKERS:
        opened = call.args and isinstance(call.args[0], ast.Call) and len(given) == 1
        return said or bool(opened and _opens(module, call.args[0]))
    if dotted or not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr == "astype":
        return said
    return call.func.attr in _METHODS and _is_array(module, call.func.value, asked)


def _is_type(module: Module, node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value in _NAMES
    return module.dotted(node) == "numpy.uint8"


def _opens(module: Module, node: ast.AST) -> bool:
    """Whether an expression opens a picture, and may do more with it."""
    return any(
        isinstance(inner, ast.Call)
        and module.dotted(inner.func) in ("PIL.Image.open", "Image.open")
        for inner in ast.walk(node)
    )
