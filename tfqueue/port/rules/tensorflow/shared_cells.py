"""`[cell] * 2` was two layers with variables of their own up to TensorFlow 1.1.

https://github.com/tensorflow/tensorflow/releases/tag/v1.2.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module, argument
from tfqueue.port.source.finding import Finding

WORDS = ("Cell",)
_MESSAGE = (
    "one cell for {}: up to TensorFlow 1.1 each has variables of its own (--era 1.1 "
    "says so), since 1.2 they share one set"
)
_DIRECTIONS = (("cell_fw", "cells_fw"), ("cell_bw", "cells_bw"))


def find(module: Module) -> Iterator[Finding]:
    """Finds one cell in several layers or both directions, where the era does not tell what that means."""
    if module.era.low >= (1, 2) or module.era.high < (1, 2):
        return
    for call, dotted in module.calls:
        forwards, backwards = (argument(call, at, *names) for at, names in enumerate(_DIRECTIONS))
        if "bidirectional" not in dotted or not isinstance(forwards, ast.Name):
            continue
        same = isinstance(backwards, ast.Name) and forwards.id == backwards.id
        if same and _is_cell(module, forwards):
            yield module.finding(call, _MESSAGE.format("both directions"), changed=False)
    for node in [*module.nodes[ast.BinOp], *module.nodes[ast.ListComp]]:
        held: ast.expr | None = None
        if isinstance(node, ast.ListComp):
            held = node.elt
        elif isinstance(node.op, ast.Mult):
            lists = [each for each in (node.left, node.right) if isinstance(each, ast.List)]
            held = lists[0].elts[0] if lists and len(lists[0].elts) == 1 else None
        if isinstance(held, ast.Name) and _is_cell(module, held):
            yield module.finding(node, _MESSAGE.format("several layers"), changed=False, told=True)


def _is_cell(module: Module, name: ast.Name) -> bool:
    """Whether each value of a name is made by a class of TensorFlow's cells."""
    held = [module.parents.get(place) for place in module.bindings(name, name.id)]
    made = [
        module.dotted(each.value.func) or ""
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Call)
        else ""
        for each in held
    ]
    return bool(made) and all(
        one.startswith("tensorflow.") and one.endswith(("Cell", "Wrapper")) for one in made
    )
