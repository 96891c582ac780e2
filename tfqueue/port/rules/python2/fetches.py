"""`names = sess.run(key)`, `tf.py_func(f, [key])`: a `str` of Python 2 was bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module, argument
from tfqueue.port.source.finding import Finding

WORDS = ("run", "eval", "py_func", "numpy_function")
_STEPS = ("run", "eval")
_PYTHON_FUNCTIONS = frozenset(["py_func", "numpy_function"])
PYTHON2 = True


def find(module: Module) -> Iterator[Finding]:
    """Finds steps whose result is used, in any file: another may have built the graph."""
    unused = {id(node.value) for node in module.nodes[ast.Expr]}
    for call in module.nodes[ast.Call]:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr not in _STEPS:
            continue
        if id(call) not in unused and not module.dotted(func):
            yield module.finding(call, "strings that a step gives are bytes: equal to text too")
            module.replace(call, module.call("fetched", call))
    for call, dotted in module.calls:
        home, _, name = dotted.rpartition(".")
        if name not in _PYTHON_FUNCTIONS or home.partition(".")[0] != "tensorflow":
            continue
        function = argument(call, 0, "func")
        if function is not None and not _is_fed(function):
            yield module.finding(
                call, "strings that a function is given are bytes: equal to text too"
            )
            texts = [ast.Constant(place) for place in _texts(argument(call, 1, "inp"))]
            module.replace(function, module.call("fed", function, *texts))


def _texts(inputs: ast.expr | None) -> list[int]:
    """The places of literals among the inputs: they are no bytes of a file, and stay text."""
    held = inputs.elts if isinstance(inputs, ast.List | ast.Tuple) else []
    if any(isinstance(one, ast.Starred) for one in held):
        return []
    return [
        place
        for place, one in enumerate(held)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value.isascii()
    ]


def _is_fed(function: ast.expr) -> bool:
    return isinstance(function, ast.Call) and getattr(function.func, "id", "") == "fed"
