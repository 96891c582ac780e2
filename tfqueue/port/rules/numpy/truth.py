"""An empty array was false up to numpy 2.1, as in ``if sess.run(tf.report_uninitialized_variables()):``.

https://numpy.org/doc/stable/release/2.2.0-notes.html#expired-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import Arrays
from tfqueue.port.rules.numpy.comparisons import decides
from tfqueue.port.source.finding import Finding

WORDS = ("numpy", "tensorflow")
_KINDS = (ast.Attribute, ast.BinOp, ast.Call, ast.Name, ast.Subscript)
_MAY_BE_EMPTY = frozenset(
    "arange argwhere array asarray atleast_1d delete extract flatnonzero genfromtxt intersect1d loadtxt nonzero"
    " setdiff1d setxor1d squeeze union1d unique where".split()
)
"""Functions of numpy whose array has no known size; a predicate such as `np.isnan` is asked about one number."""


def find(module: Module) -> Iterator[Finding]:
    """Finds ``if x``, ``not x`` and ``bool(x)`` where ``x`` may be an array. Comparisons are another rule's."""
    if not module.is_old:
        return  # it may be from any day
    seen = Arrays(module)
    for kind in _KINDS:
        for node in module.nodes[kind]:
            if not (decides(module, node) or _is_asked(module, node)) or not _may_be_empty(
                module, node
            ):
                continue
            if seen.may_be(node):
                yield module.finding(node, "an empty array has no truth since numpy 2.2")
                module.replace(node, module.call("truth", node, home="tfqueue.port.runtime"))


def _is_asked(module: Module, node: ast.AST) -> bool:
    """Whether it is the `x` of `bool(x)`."""
    call = module.parents.get(node)
    return (
        isinstance(call, ast.Call) and call.args == [node] and module.is_builtin(call.func, "bool")
    )


def _may_be_empty(module: Module, node: ast.AST) -> bool:
    """Whether nothing speaks against it: what a function of numpy gives may be one number for certain."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if not isinstance(node, ast.Call):
        return True
    home, _, name = (module.dotted(node.func) or "").partition(".")
    return home != "numpy" or name in _MAY_BE_EMPTY
