"""A pixel and a number of Python's: numpy 1 computed with 64 bits, numpy 2 with the pixel's own.

https://numpy.org/neps/nep-0050-scalar-promotion.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.numpy import promotion
from tfqueue.port.rules.python2 import division
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "imread", "Image")
_OPERATORS = {
    **{op: name for op, name in promotion.OPERATORS.items() if name != "div"},
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.FloorDiv: "floordiv",
    ast.LShift: "lshift",
    ast.Mod: "mod",
    ast.RShift: "rshift",
}
_READERS = frozenset(
    f"{home}.imread"
    for home in (
        *("cv2", "imageio", "scipy.misc", "scipy.ndimage", "skimage.io"),
        "tfqueue.port.libraries.scipy_misc",
    )
)
_MAKERS = frozenset(
    "arange array asarray empty frombuffer fromfile fromstring full ones zeros zeros_like ones_like".split()
)
_METHODS = frozenset("copy flatten ravel reshape squeeze transpose".split())
_TYPES = frozenset(
    "byte int16 int32 int8 intc short ubyte uint16 uint32 uint8 uintc ushort".split()
)
_CODES = frozenset("B H I b h i i1 i2 i4 u1 u2 u4".split())
_LISTS = ("list", "reversed", "sorted", "tuple")
_DEPTH = 4
_MESSAGE = (
    "numpy 2 computes with a small integer of an array and a number in the integer's own bits"
)


def find(module: Module) -> Iterator[Finding]:
    """Finds arithmetic with elements of arrays that are seen to be of bytes, or of up to 32 bits."""
    if not module.is_old and not module.has_tensorflow:
        return
    for node in module.nodes[ast.BinOp]:
        name = _OPERATORS.get(type(node.op))
        if name and _is_small(module, node.left) != _is_small(module, node.right):
            yield module.finding(node, _MESSAGE)
            new = promotion.promoted(module, f"np_{name}", node.left, node.right)
            module.replace(node, new)
    for node in module.nodes[ast.AugAssign]:
        name = _OPERATORS.get(type(node.op))
        if name and division.is_pure(node.target) and _is_mixed(module, node):
            yield module.finding(node, _MESSAGE)
            promotion.replace_augmented(module, node, f"np_i{name}")
    for call in module.nodes[ast.Call]:
        if module.is_builtin(call.func, "sum") and len(call.args) == 1 and not call.keywords:
            if _is_array(module, call.args[0]):
                yield module.finding(call, _MESSAGE)
                module.replace(call, promotion.promoted(module, "np_sum", call.args[0]))


def _is_mixed(module: Module, node: ast.AugAssign) -> bool:
    """Whether ``x += y`` may be of a small integer and another number."""
    if _is_small(module, node.value):
        return True
    return isinstance(node.target, ast.Name) and _is_small(module, node.target)


def _is_small(module: Module, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
    """Whether an expression may be one element of an array of small integers, or made of such alone."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        whole = all(isinstance(part, ast.Slice) for part in parts)
        return not whole and _is_array(module, node.value, asked)
    if isinstance(node, ast.Call):
        return _is_greatest(module, node, asked)
    if isinstance(node, ast.UnaryOp):
        return _is_small(module, node.operand, asked)
    if isinstance(node, ast.BinOp):
        return all(_is_small(module, side, asked) for side in (node.left, node.right))
    if not isinstance(node, ast.Name) or node.id in asked or len(asked) == _DEPTH:
        return False
    places = module.bindings(node, node.id)
    return any(_holds_small(module, place, (*asked, node.id)) for place in places)


def _is_greatest(module: Module, call: ast.Call, asked: tuple[str, ...]) -> bool:
    """Whether a call gives the greatest or the least element of such an array, or one of such a type."""
    home, _, name = (module.dotted(call.func) or "").rpartition(".")
    if home == "numpy" and name in ("max", "min", "amax", "amin") and call.args:
        return _is_array(module, call.args[0], asked)
    if home == "numpy" and name in _TYPES:
        return True
    method = call.func if isinstance(call.func, ast.Attribute) and not home else None
    if method is None or method.attr not in ("max", "min"):
        return False
    return _is_array(module, method.value, asked)


def _holds_small(module: Module, place: ast.AST, asked: tuple[str, ...]) -> bool:
    """Whether a name is given an element: in a loop, by itself, or as one of several."""
    held = module.parents.get(place)
    several = held if isinstance(held, ast.Tuple | ast.List) else None
    held = module.parents.get(several) if several else held
    if isinstance(held, ast.For | ast.comprehension) and place is not held.iter:
        at = next((at for at, one in enumerate(several.elts) if one is place), 0) if several else 0
        values = _one_of(module, held.iter, at) if several else None
        return _is_array(module, values or held.iter, asked)
    if not isinstance(held, ast.Assign) or place is held.value:
        return False
    return _is_array(module, held.value, asked) if several else _is_small(module, held.value, asked)


def _one_of(module: Module, node: ast.expr, at: int) -> ast.expr | None:
    """What one name of several goes through in ``enumerate(...)`` or ``zip(...)``, or None."""
    if not isinstance(node, ast.Call) or any(isinstance(arg, ast.Starred) for arg in node.args):
        return None
    if module.is_builtin(node.func, "enumerate"):
        return node.args[0] if at and node.args else ast.Constant(0)
    return node.args[at] if module.is_builtin(node.func, "zip") and at < len(node.args) else None


def _is_array(module: Module, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
    """Whether an expression is seen to be an array of small integers, or to give its elements."""
    if isinstance(node, ast.Subscript):
        return _is_array(module, node.value, asked)
    if isinstance(node, ast.Call):
        return _gives_small(module, node, asked)
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return _is_small(module, node.elt, asked)
    if isinstance(node, ast.List | ast.Tuple):
        return any(_is_small(module, one, asked) for one in node.elts)
    if isinstance(node, ast.BinOp):
        sides = [
            _is_array(module, side, asked)
            for side in (node.left, node.right)
            if not _is_whole(side)
        ]
        return bool(sides) and all(sides) and not isinstance(node.op, ast.Div)
    if not isinstance(node, ast.Name) or len(asked) == _DEPTH:
        return False
    array = f"{node.id}[]"  # a name may be one of an array first, and of an element later
    if array in asked:
        return False
    held = [module.parents.get(place) for place in module.bindings(node, node.id)]
    asked = (*asked, array)
    given = [
        each.iter if isinstance(each, ast.For) else getattr(each, "value", None)
        for each in held
        if not isinstance(each, ast.AugAssign)  # it keeps an array's type
    ]
    return bool(given) and all(one is not None and _is_array(module, one, asked) for one in given)


def _is_whole(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _gives_small(module: Module, call: ast.Call, asked: tuple[str, ...]) -> bool:
    dotted = module.dotted(call.func) or ""
    if dotted in _READERS:
        return True
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    said = any(_is_type(module, one) for one in given)
    home, _, name = dotted.rpartition(".")
    if home == "numpy" and name in _TYPES:
        return True
    if (home == "numpy" and name in _MAKERS) or dotted == "numpy.random.randint":
        opened = call.args and isinstance(call.args[0], ast.Call) and len(given) == 1
        return said or bool(opened and _opens(module, call.args[0]))
    if any(module.is_builtin(call.func, kind) for kind in _LISTS) and call.args:
        return _is_array(module, call.args[0], asked)
    if dotted or not isinstance(call.func, ast.Attribute):
        return False
    if call.func.attr in ("astype", "view"):
        return said
    return call.func.attr in _METHODS and _is_array(module, call.func.value, asked)


def _is_type(module: Module, node: ast.AST) -> bool:
    """Whether an expression is a type of up to 32 bits, by its name, code or class."""
    if isinstance(node, ast.Constant):
        code = node.value.lstrip("<>=|") if isinstance(node.value, str) else ""
        return code in _TYPES or code in _CODES
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "newbyteorder":
            return _is_type(module, node.func.value)
        return module.dotted(node.func) == "numpy.dtype" and _is_type(module, node.args[0])
    if isinstance(node, ast.Name) and (places := module.bindings(node, node.id)):
        held = module.parents.get(places[0])
        if len(places) == 1 and isinstance(held, ast.Assign) and places[0] in held.targets:
            return not isinstance(held.value, ast.Name) and _is_type(module, held.value)
    home, _, name = (module.dotted(node) or "").rpartition(".")
    return home == "numpy" and name in _TYPES


def _opens(module: Module, node: ast.AST) -> bool:
    """Whether an expression opens a picture, and may do more with it."""
    return any(
        isinstance(inner, ast.Call)
        and module.dotted(inner.func) in ("PIL.Image.open", "Image.open")
        for inner in ast.walk(node)
    )
