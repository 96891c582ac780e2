"""What kept its name and changed its meaning is told at run time which release the program is from.

https://github.com/tensorflow/tensorflow/blob/r1.15/RELEASE.md
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program import era
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow", "keras", "tfqueue")


def find(module: Module) -> Iterator[Finding]:
    """Finds the first import of tensorflow of a program that is known to be older than 1.15.

    Where that is inside a block, the release is told before the block. No list of words decides whether
    it is: call forms, defaults and operators ask for it.
    """
    said = any(node.module == "tfqueue.release" for node in module.nodes[ast.ImportFrom])
    if said or module.ported or module.era.two or module.era.high >= era.LAST:
        return
    for at, node in enumerate(module.tree.body):
        if any(_imports_tensorflow(inner) for inner in ast.walk(node)):
            release = ".".join(map(str, module.era.high[:2]))
            yield module.finding(
                node, f"it is from TensorFlow {release} or before: what changed since means that"
            )
            called = module.call("assume", ast.Constant(release), home="tfqueue.release")
            statement = ast.Expr(called)
            body = module.tree.body
            if isinstance(node, ast.Import | ast.ImportFrom):
                at += 1
                while body[at:] and body[at] not in module.before:
                    at += 1  # one import has become two
            body.insert(at, statement)
            module.settle(statement, module.tree, node)
            return


def _imports_tensorflow(node: ast.AST) -> bool:
    names = []
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level:
        names = [node.module or ""]
    return any(name.partition(".")[0] in ("tensorflow", "tfqueue") for name in names)
