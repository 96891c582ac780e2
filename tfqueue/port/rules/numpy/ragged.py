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
# What takes a list for an array, and may be given one whose rows differ
_TAKERS = frozenset(
    f"numpy.{name}"
    for name in "append array_split copy delete ndim random.permutation ravel repeat reshape resize roll shape "
    "size split squeeze take tile transpose".split()
)
_EVEN = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.JoinedStr, ast.Constant)


def find(module: Module) -> Iterator[Finding]:
    """Finds arrays made of values that are not literals, in programs of Python 2 or TensorFlow 1."""
    if not module.is_old:
        return  # it may be from any day
    for call, dotted in module.calls:
        if dotted in _MAKERS and call.args and isinstance(call.func, ast.Attribute):
            if _is_even(module, call.args[0]) or _is_numbas(module, call):
                continue
            if len(call.args) > 1 or call.keywords:
                if not _is_typed(call) or not _is_list(module, call.args[0]):
                    continue
            yield module.finding(call, _WHY)
            new = _made(module, call.args[0], dotted)
            new.args += call.args[1:]
            new.keywords = call.keywords
            module.replace(call, new)
        elif dotted in _TAKERS and call.args:
            if not _is_list(module, call.args[0]) and dotted != "numpy.copy":
                continue  # `copy` alone is rare enough to be asked for all that it takes
            if not _is_even(module, call.args[0]) and not _is_numbas(module, call):
                yield module.finding(call, _WHY)
                rows = module.call("np_rows", call.args[0], home="tfqueue.port.runtime")
                module.replace(call.args[0], rows)
        elif dotted == "numpy.save" and len(call.args) == 2 and not call.keywords:
            yield from _saved(module, call.args[1:])
        elif dotted in ("numpy.savez", "numpy.savez_compressed"):
            yield from _saved(module, [*call.args[1:], *(w.value for w in call.keywords if w.arg)])


def _saved(module: Module, values: list[ast.expr]) -> Iterator[Finding]:
    for value in values:
        if isinstance(value, ast.Name | ast.List | ast.ListComp):
            yield module.finding(value, _WHY)
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


def _is_typed(call: ast.Call) -> bool:
    """Whether a call of a maker has the type of its elements beside its value, and nothing else."""
    given = [*call.args[1:], *(word.value for word in call.keywords if word.arg == "dtype")]
    alone = len(given) == 1 and len(call.args) + len(call.keywords) == 2
    return alone and not ast.unparse(given[0]).endswith("object")


def _is_list(module: Module, value: ast.expr) -> bool:
    """Whether an expression is a list, or a name that some place binds to one."""
    lists = (ast.List, ast.ListComp)
    if not isinstance(value, ast.Name):
        return isinstance(value, lists)
    held = (module.parents.get(place) for place in module.bindings(value, value.id))
    return any(isinstance(each, ast.Assign) and isinstance(each.value, lists) for each in held)


def _made(module: Module, value: ast.expr, dotted: str) -> ast.Call:
    name = {"numpy.array": "np_array", "numpy.asarray": "np_asarray"}[dotted]
    return module.call(name, value, home="tfqueue.port.runtime")


def _is_even(module: Module, value: ast.expr) -> bool:
    """Whether the rows of an expression certainly have one length."""
    if isinstance(value, _EVEN):
        return True
    if isinstance(value, ast.Call):
        dotted = module.dotted(value.func) or ""
        if ".nest." in dotted:
            return False  # what it gives are the program's own lists
        homes = ("numpy.", "PIL.", "cv2.", "tensorflow.", "tfqueue.port.runtime.np_")
        return dotted.startswith(homes) or dotted in ("range", "xrange")
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
