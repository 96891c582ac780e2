"""Functions of libraries that give other values than in 2018, which is told where they are called.

https://scikit-image.org/docs/stable/release_notes/index.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.names import values
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = tuple(sorted({name.partition(".")[0] for name in values.WHY}))
_HOME = "tfqueue.port.libraries.told_results"


def find(module: Module) -> Iterator[Finding]:
    """Finds calls in old programs, and has the program tell when it gets there."""
    for call, dotted in module.calls:
        if dotted not in values.WHY or not module.is_old:
            continue
        if module.has_own(dotted.partition(".")[0]):
            continue
        yield module.finding(call, values.sentence(dotted))
        told = ast.Call(module.use(_HOME, "told"), [ast.Constant(dotted), call.func], [])
        module.replace(call.func, told)
