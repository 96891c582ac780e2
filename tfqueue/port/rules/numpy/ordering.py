"""`np.argsort`, `np.argpartition` and `np.partition`: orders that depend on the processor since numpy 1.25.

https://numpy.org/doc/stable/release/1.25.0-notes.html#faster-np-argsort-on-avx-512-enabled-processors
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("argsort", "argpartition", "partition")
_ROWS = {f"numpy.{name}": f"tfqueue.port.runtime.{name}" for name in WORDS}
_METHODS = frozenset(["argsort", "argpartition"])
_MESSAGE = "equal elements stand in another order since numpy 1.25"
_STABLE = frozenset(["mergesort", "stable", "heapsort"])


def find(module: Module) -> Iterator[Finding]:
    """Finds sorting by an algorithm that keeps no order of equal elements."""
    if not module.is_old:
        return
    yield from moved_names.find(module, _ROWS, _MESSAGE)
    for call in module.nodes[ast.Call]:
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in _METHODS:
            continue
        if module.dotted(call.func) or any(_is_stable(word) for word in call.keywords):
            continue
        yield module.finding(call, _MESSAGE)
        owner = call.func.value
        module.replace(call.func, module.use("tfqueue.port.runtime", call.func.attr))
        call.args.insert(0, owner)


def _is_stable(word: ast.keyword) -> bool:
    is_kind = word.arg == "kind" and isinstance(word.value, ast.Constant)
    return is_kind and word.value.value in _STABLE  # type: ignore[attr-defined]
