"""An enqueue on a closed queue raised AbortedError before TensorFlow 1.0, and CancelledError since.

https://github.com/tensorflow/tensorflow/releases/tag/v0.10.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("AbortedError",)
_ABORTED = "tensorflow.errors.AbortedError"
_CANCELLED = "tensorflow.errors.CancelledError"


def find(module: Module) -> Iterator[Finding]:
    """Finds handlers of AbortedError in programs of before 1.0."""
    if module.ported:
        return
    if module.era.high > (1, 0) and not _feeds_a_queue(module):
        return
    for handler in module.nodes[ast.ExceptHandler]:
        caught = handler.type
        items = caught.elts if isinstance(caught, ast.Tuple) else [caught] if caught else []
        names = {module.dotted(item): item for item in items}
        if _ABORTED not in names or _CANCELLED in names:
            continue
        node = names[_ABORTED]
        if not isinstance(node, ast.Attribute):
            continue
        yield module.finding(
            handler, "a closed queue ends its feeders with CancelledError since TensorFlow 1.0"
        )
        other = ast.parse(ast.unparse(node).replace("AbortedError", "CancelledError"), mode="eval")
        if isinstance(caught, ast.Tuple):
            caught.elts.insert(caught.elts.index(node) + 1, other.body)
            module.settle(other.body, caught, node)
        else:
            module.replace(node, ast.Tuple([node, other.body], ast.Load()))


def _feeds_a_queue(module: Module) -> bool:
    return not module.era.new and any(name in module.words for name in ("enqueue", "enqueue_many"))
