"""What `asyncio` gave up since Python 3.8: `with await lock`, the argument `loop`, coroutines of generators.

https://docs.python.org/3/whatsnew/3.9.html#removed
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("asyncio",)
_ROWS = {
    "asyncio.coroutine": "types.coroutine",
    "asyncio.Task.all_tasks": "asyncio.all_tasks",
    "asyncio.Task.current_task": "asyncio.current_task",
}
_SINCE = {"coroutine": "3.11", "all_tasks": "3.9", "current_task": "3.9"}
_WITHOUT_LOOP = frozenset(
    f"asyncio.{name}"
    for name in (
        *("BoundedSemaphore", "Condition", "Event", "Lock", "Semaphore"),
        *("LifoQueue", "PriorityQueue", "Queue"),
        *("as_completed", "gather", "shield", "sleep", "wait", "wait_for"),
    )
)


def find(module: Module) -> Iterator[Finding]:
    """Finds locks that are awaited, and names and arguments that are gone."""
    if not module.imports("asyncio"):
        return
    yield from moved_names.find(module, _ROWS, _why)
    for node in module.nodes[ast.With]:
        for item in node.items:
            awaited = item.context_expr
            if isinstance(awaited, ast.Await) and not isinstance(awaited.value, ast.Call):
                yield module.finding(awaited, "with await lock is gone since Python 3.9")
                lock = awaited.value
                module.replace(lock, module.call("held", lock, home="tfqueue.port.runtime"))
    for call, dotted in module.calls:
        if dotted in _WITHOUT_LOOP and any(word.arg == "loop" for word in call.keywords):
            yield module.finding(call, f"{dotted} has no loop since Python 3.10")
            call.keywords = [word for word in call.keywords if word.arg != "loop"]
            module.changed()


def _why(old: str, new: str) -> str:
    return f"{old} is {new} since Python {_SINCE[old.rpartition('.')[2]]}"
