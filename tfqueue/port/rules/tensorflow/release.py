"""What kept its name and changed its meaning is told at run time which release the program is from.

https://github.com/tensorflow/tensorflow/blob/r1.15/RELEASE.md
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

# What asks `tfqueue.release` (flags on argparse, ops of other names, shapes that were tensors, cells
# without variables of their own, ...), and the last release in which it means something else.
_ASKING: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("flags", "range_input_producer", "slice_input_producer"), (1, 4)),
    **dict.fromkeys(("SparseTensor", "dynamic_decode", "Cell"), (1, 4)),
    "_head": (1, 7),
    "train_and_evaluate": (1, 9),
}
_ARITHMETIC = ("%", "//", "/", "div", "mod")
WORDS = (*_ASKING, *_ARITHMETIC)


def find(module: Module) -> Iterator[Finding]:
    """Finds the first import of tensorflow of a program that is old enough for what it uses."""
    said = any(node.module == "tfqueue.release" for node in module.nodes[ast.ImportFrom])
    if said or module.ported or module.era.two:
        return
    high = module.era.high
    asks = any(high <= last and word in module.text for word, last in _ASKING.items())
    # up to 0.7 any tensor was true, and no word shows that a program asks
    if high >= (0, 8) and not asks and (high >= (1, 0) or not _divides(module)):
        return
    for at, node in enumerate(module.tree.body):
        if _imports_tensorflow(node):
            release = ".".join(map(str, high[:2]))
            yield module.finding(
                node, f"it is from TensorFlow {release} or before: what changed since means that"
            )
            called = module.call("assume", ast.Constant(release), home="tfqueue.release")
            statement = ast.Expr(called)
            after = at + 1
            while module.tree.body[after:] and module.tree.body[after] not in module.before:
                after += 1  # one import has become two
            module.tree.body.insert(after, statement)
            module.settle(statement, module.tree, node)
            return


def _divides(module: Module) -> bool:
    """Whether a module divides, or takes a remainder of, what may be a tensor."""
    operators = [*module.nodes[ast.BinOp], *module.nodes[ast.AugAssign]]
    for node in operators:
        sides = [getattr(node, "left", None), getattr(node, "right", None)]
        constants = [side.value for side in sides if isinstance(side, ast.Constant)]
        plain = len(constants) == 2 or isinstance(next(iter(constants), None), str)
        whole = isinstance(node.op, ast.FloorDiv | ast.Mod)
        if not plain and (whole or (module.python2 and isinstance(node.op, ast.Div))):
            return True
    for call in module.nodes[ast.Call]:
        name = getattr(call.func, "attr", None) or getattr(call.func, "id", "")
        if name in ("div", "floordiv", "idiv", "mod"):
            return True
    return False


def _imports_tensorflow(node: ast.AST) -> bool:
    names = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        names = [node.module or ""]
    return any(name.partition(".")[0] in ("tensorflow", "tfqueue") for name in names)
