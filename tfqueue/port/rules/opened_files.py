"""Files that a program opens, as the rules about them see it: how they are used, and their mode."""

from __future__ import annotations

import ast

from tfqueue.port.program.module import PLACED, Module

TEXT_MODES = frozenset(["r", "w", "a", "r+", "w+", "a+", "rt", "wt", "at", "rU", "U"])
"""Modes of files that are opened as text."""


def attributes(module: Module, call: ast.Call) -> list[ast.AST]:
    """The uses of an opened file: `f.read`, `f.write`, ..., or whatever else it is handed to.

    Where its name stands for other things too, the call itself, which is no attribute.
    """
    parent = module.parents[call]
    name = None
    if isinstance(parent, ast.withitem) and isinstance(parent.optional_vars, ast.Name):
        name = parent.optional_vars
    elif isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0]
    if name is None:
        return [parent]
    uses = module.uses(name, name.id)
    if len(module.bindings(name, name.id)) > 1:
        # one name for several files, one after the other: those uses that stand behind this one
        # and in front of the next
        bound = [b for b in module.bindings(name, name.id) if isinstance(b, PLACED)]
        places = sorted((b.lineno, b.col_offset) for b in bound)
        if module.binder(name, name.id) is not module.scope(name):
            return [parent]
        here = (name.lineno, name.col_offset)
        after = next((place for place in places if place > here), None)
        if any(isinstance(p, ast.For | ast.While) for p in module.ancestors(call)):
            return [parent]
        uses = [
            use
            for use in uses
            if (use.lineno, use.col_offset) > here
            and (after is None or (use.lineno, use.col_offset) < after)
        ]
    return [module.parents[node] for node in uses]


def open_as(module: Module, call: ast.Call, mode: ast.expr | None) -> None:
    """Adds the `b` to the mode of a call of `open`."""
    said = mode.value if isinstance(mode, ast.Constant) else "r"
    kind = str(said).replace("t", "").replace("U", "") or "r"
    new = ast.Constant(f"{kind}b")
    if mode is None:
        call.args.append(new)
        module.settle(new, call, call)
    else:
        module.replace(mode, new)
