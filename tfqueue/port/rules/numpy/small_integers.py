"""A pixel and a number of Python's: numpy 1 computed with 64 bits, numpy 2 with the pixel's eight.

https://numpy.org/neps/nep-0050-scalar-promotion.html
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.python2 import division
from tfqueue.port.source.finding import Finding

WORDS = ("uint8", "imread", "Image")
_OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Pow: "pow"}
_READERS = frozenset(
    [
        "cv2.imread",
        "imageio.imread",
        "scipy.misc.imread",
        "skimage.io.imread",
        "scipy.ndimage.imread",
    ]
    + ["tfqueue.port.libraries.images.imread"]
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
        name = _OPERATORS.get(type(node.op))
        if name is None:
            continue
        if isinstance(node, ast.BinOp):
            if _is_byte(module, node.left) != _is_byte(module, node.right):
                yield module.finding(node, message)
                module.replace(node, _call(module, f"np_{name}", node.left, node.right))
        elif division.is_pure(node.target) and _is_byte(module, node.value):
            yield module.finding(node, message)
            old = copy.deepcopy(node.target)
            for inner in ast.walk(old):
                if hasattr(inner, "ctx"):
                    inner.ctx = ast.Load()
            new = ast.Assign([node.target], _call(module, f"np_i{name}", old, node.value))
            new.lineno = node.lineno
            ast.copy_location(new, node)
            module.replace(node, new)


def _call(module: Module, name: str, *operands: ast.expr) -> ast.Call:
    return module.call(name, *operands, home="tfqueue.port.runtime")


def _is_byte(module: Module, node: ast.AST) -> bool:
    """Whether an expression may be one element of an array of bytes."""
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        whole = all(isinstance(part, ast.Slice) for part in parts)
        return not whole and _is_array(module, node.value)
    if not isinstance(node, ast.Name):
        return False
    held = [module.parents.get(place) for place in module.bindings(node, node.id)]
    loops = [
        each for each in held if isinstance(each, ast.For) and isinstance(each.target, ast.Name)
    ]
    return bool(loops) and all(_is_array(module, each.iter) for each in loops)


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
    return bool(held) and all(
        isinstance(each, ast.Assign) and _is_array(module, each.value, asked) for each in held
    )


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
