"""Where a program takes what an `index_generator` of Keras gives as three values, as it was up to Keras 2.0.8."""

from __future__ import annotations

import ast

from tfqueue.port.program.module import Module

_SINCE = "_get_batches_of_transformed_samples"


def triples(module: Module) -> list[tuple[ast.Call, ast.expr, ast.ClassDef]]:
    """The calls whose result is unpacked into three, or of which one is taken, each with what has the `index_generator` and with its class.

    A class that has the method of 2.0.9 takes one value, of which these may be parts.
    """
    classes = {node.name: node for node in module.nodes[ast.ClassDef]}
    taken: list[ast.expr] = []
    for node in module.nodes[ast.Assign]:
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and len(target.elts) == 3:
            taken.append(node.value)
    taken += [
        node.value for node in module.nodes[ast.Subscript] if isinstance(node.slice, ast.Constant)
    ]
    found = []
    for call in taken:
        owner = _owner(call) if isinstance(call, ast.Call) else None
        over: ast.AST | None = call
        while over is not None and not isinstance(over, ast.ClassDef):
            over = module.parents.get(over)
        if over is not None and any(getattr(one, "name", "") == _SINCE for one in over.body):
            continue
        if isinstance(call, ast.Call) and owner and over and _is_of_keras(module, over, classes):
            found.append((call, owner, over))
    return found


def _owner(call: ast.Call) -> ast.expr | None:
    """What has the `index_generator` that a call asks for the next."""
    given = call.args[0] if len(call.args) == 1 else None
    if isinstance(call.func, ast.Attribute):
        given = call.func.value if call.func.attr in ("next", "__next__") else None
    elif not (isinstance(call.func, ast.Name) and call.func.id == "next"):
        return None
    named = isinstance(given, ast.Attribute) and given.attr == "index_generator"
    return given.value if named and isinstance(given, ast.Attribute) else None


def _is_of_keras(module: Module, cls: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    """Whether a class is derived from one of Keras."""
    for base in cls.bases:
        dotted = module.dotted(base) or ""
        if "keras" in dotted.split("."):
            return True
        own = classes.get(base.id) if isinstance(base, ast.Name) else None
        if own is not None and own is not cls and _is_of_keras(module, own, classes):
            return True
    return False
