"""`np.array` of rows of different lengths is no array of objects by itself any more.

https://numpy.org/doc/stable/release/1.24.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("numpy",)
_MAKERS = ("numpy.array", "numpy.asarray")
_EVEN = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.JoinedStr, ast.Constant)


def find(module: Module) -> Iterator[Finding]:
    """Finds arrays made of values that are not literals, in programs of Python 2 or TensorFlow 1."""
    if not module.is_old:
        return  # it may be from any day
    for call, dotted in module.calls:
        if dotted in _MAKERS and len(call.args) == 1 and isinstance(call.func, ast.Attribute):
            if call.keywords or _is_even(module, call.args[0]) or _is_numbas(module, call):
                continue
            yield module.finding(call, _WHY)
            module.replace(call, _made(module, call.args[0], dotted))
        elif dotted == "numpy.save" and len(call.args) == 2 and not call.keywords:
            value = call.args[1]
            if isinstance(value, ast.Name | ast.List | ast.ListComp):
                yield module.finding(call, _WHY)
                module.replace(value, _made(module, value, "numpy.asarray"))


_WHY = "rows of different lengths make an array of objects only when told to since numpy 1.24"


def _is_numbas(module: Module, node: ast.expr) -> bool:
    """Whether numba compiles the function that a node stands in: to it an array never held rows."""
    return any(
        (module.dotted(each.func if isinstance(each, ast.Call) else each) or "").startswith(
            "numba."
        )
        for parent in module.ancestors(node)
        if isinstance(parent, ast.FunctionDef)
        for each in parent.decorator_list
    )


def _made(module: Module, value: ast.expr, dotted: str) -> ast.expr:
    name = {"numpy.array": "np_array", "numpy.asarray": "np_asarray"}[dotted]
    return module.call(name, value, home="tfqueue.port.runtime")


def _is_even(module: Module, value: ast.expr) -> bool:
    """Whether the rows of an expression certainly have one length."""
    if isinstance(value, _EVEN):
        return True
    if isinstance(value, ast.Call):
        dotted = module.dotted(value.func) or ""
        return dotted.startswith(("numpy.", "PIL.", "cv2.", "tensorflow.")) or dotted in (
            "range",
            "xrange",
        )
    if isinstance(value, ast.List | ast.Tuple):
        if all(isinstance(one, _EVEN) for one in value.elts):
            return True
        try:
            return _shape(ast.literal_eval(value)) is not None
        except ValueError:
            return False
    return False


def _shape(rows: ast.AST) -> tuple[int, ...] | None:
    """The shape of a literal, or None where its rows differ in length."""
    if not isinstance(rows, list | tuple):
        return ()
    shapes = {_shape(row) for row in rows} or {()}
    [inner] = shapes if len(shapes) == 1 else [None]
    return None if inner is None else (len(rows), *inner)
