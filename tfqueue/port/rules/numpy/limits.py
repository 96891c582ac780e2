"""`randint(0, n)` with an array of one element for a limit gave a number up to numpy 1.16, and gives an array today.

https://numpy.org/doc/stable/release/1.17.0-notes.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.arrays import Arrays, is_no_array
from tfqueue.port.source.finding import Finding

WORDS = ("randint",)
_LIMITS = ("low", "high")
_WHY = "randint gave a number for limits that are arrays of one element, up to numpy 1.16"


def find(module: Module) -> Iterator[Finding]:
    """Finds draws with a limit that may be an array, such as a part of a `.mat` file, in old programs."""
    if not module.is_old:
        return  # it may be from any day
    seen = Arrays(module)
    for call in module.nodes[ast.Call]:
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "randint":
            continue
        if module.dotted(call.func) not in (None, "numpy.random.randint"):
            continue
        if len(call.args) > 2 or any(isinstance(one, ast.Starred) for one in call.args):
            continue  # with a size it is an array, as it was
        if any(word.arg not in _LIMITS for word in call.keywords):
            continue
        limits = [*call.args, *(word.value for word in call.keywords)]
        if any(_may_be_array(module, seen, limit) for limit in limits):
            yield module.finding(call, _WHY)
            helper = module.use("tfqueue.port.runtime", "one_drawn")
            module.replace(call, ast.Call(helper, [call.func, *call.args], call.keywords))


def _may_be_array(module: Module, seen: Arrays, limit: ast.expr) -> bool:
    """Whether a limit may be an array: one is seen to be made, or what a file has under a name is in it."""
    if is_no_array(module, limit):
        return False
    named = (
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Constant)
        and isinstance(part.slice.value, str)
        for part in ast.walk(limit)
    )
    return seen.may_be(limit) or any(named)
