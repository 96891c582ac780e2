"""A float was a length, an index and the end of a slice, too.

https://numpy.org/doc/stable/release/1.12.0-notes.html#deprecated-to-error
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("numpy",)
_HOME = "tfqueue.port.runtime"
_HELPER = f"{_HOME}.length"
_ALL = tuple(range(8))
_POINTS = ("linspace", "logspace")
# function of numpy: which of its arguments are lengths, and their name
_LENGTHS: dict[str, tuple[tuple[int, ...], str]] = {
    **dict.fromkeys(["zeros", "ones", "empty", "full"], ((0,), "shape")),
    **dict.fromkeys(["eye", "identity"], ((0, 1), "M")),
    **dict.fromkeys(_POINTS, ((2,), "num")),
    "reshape": ((1,), "newshape"),
    **dict.fromkeys(["random.rand", "random.randn"], (_ALL, "size")),
    **dict.fromkeys(["random.random", "random.random_sample"], ((0,), "size")),
    "random.choice": ((1,), "size"),
    **dict.fromkeys(["random.randint", "random.uniform", "random.normal"], ((2,), "size")),
}
_FLOATS = ("ceil", "floor", "sqrt", "rint", "round", "log2", "log10", "exp")
_DEPTH = 4


def find(module: Module) -> Iterator[Finding]:
    """Finds lengths, indices and ends of slices that are seen to be floats, in an old program."""
    if not module.is_old:
        return
    for place in [*_lengths(module), *_indices(module)]:
        if _is_float(module, place) or _is_count_of_points(module, place):
            yield module.finding(place, "numpy takes no float as a length or an index since 1.12")
            module.replace(place, module.call("length", place, home=_HOME))


def _lengths(module: Module) -> Iterator[ast.expr]:
    for call in module.nodes[ast.Call]:
        dotted = module.dotted(call.func) or ""
        if row := _LENGTHS.get(dotted.removeprefix("numpy.")) if dotted[:6] == "numpy." else None:
            given = [one for i, one in enumerate(call.args) if i in row[0]]
            given += [word.value for word in call.keywords if word.arg == row[1]]
        elif not dotted and isinstance(call.func, ast.Attribute) and call.func.attr == "reshape":
            given = call.args
        else:
            continue
        yield from _parts(given)


def _indices(module: Module) -> Iterator[ast.expr]:
    for node in module.nodes[ast.Subscript]:
        for part in _parts([node.slice]):
            if isinstance(part, ast.Slice):
                yield from [one for one in (part.lower, part.upper, part.step) if one]
            elif not isinstance(part, ast.Constant):
                yield part


def _parts(given: list[ast.expr]) -> Iterator[ast.expr]:
    """The numbers of a shape or an index."""
    for one in given:
        yield from one.elts if isinstance(one, ast.Tuple | ast.List) else [one]


def _is_float(module: Module, node: ast.AST, depth: int = _DEPTH) -> bool:
    """Whether an expression is seen to be a float."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    if isinstance(node, ast.UnaryOp):
        return _is_float(module, node.operand, depth)
    if isinstance(node, ast.BinOp):
        return any(_is_float(module, side, depth) for side in (node.left, node.right))
    if isinstance(node, ast.Call):
        if module.is_builtin(node.func, "float"):
            return True
        home, _, name = (module.dotted(node.func) or "").rpartition(".")
        return name in _FLOATS and (home == "numpy" or (home == "math" and bool(module.python2)))
    if not depth or not isinstance(node, ast.Name | ast.Attribute):
        return False
    return any(
        isinstance(held := module.parents.get(place), ast.Assign)
        and place in held.targets
        and _is_float(module, held.value, depth - 1)
        for place in _places(module, node)
    )


def _is_count_of_points(module: Module, node: ast.expr) -> bool:
    """Whether it is a quotient of Python 3 that `linspace` gets, which took floats up to numpy 1.17."""
    if isinstance(node, ast.Call) and module.dotted(node.func) == _HELPER:
        return False
    call = module.parents.get(node)
    call = module.parents.get(call) if isinstance(call, ast.keyword) else call
    if module.python2 or not isinstance(call, ast.Call):
        return False
    name = (module.dotted(call.func) or "").removeprefix("numpy.")
    return name in _POINTS and any(isinstance(one, ast.Div) for one in ast.walk(node))


def _places(module: Module, node: ast.Name | ast.Attribute) -> list[ast.AST]:
    """Where a name, or an attribute of any object, is assigned."""
    if isinstance(node, ast.Name):
        return module.bindings(node, node.id)
    return [
        one
        for one in module.nodes[ast.Attribute]
        if one.attr == node.attr and isinstance(one.ctx, ast.Store)
    ]
