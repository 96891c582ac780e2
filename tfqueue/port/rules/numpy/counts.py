"""A count that is read from a file as an array of one element was an index, too.

https://numpy.org/doc/stable/release/1.12.0-notes.html#deprecated-to-error
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("frombuffer", "fromstring", "fromfile")
_READERS = ("numpy.frombuffer", "numpy.fromstring", "numpy.fromfile")
_HELPER = "tfqueue.port.runtime.np_count"
_LARGEST = 8  # bytes of an integer


def find(module: Module) -> Iterator[Finding]:
    """Finds arrays of a single number of the file, unless they are indexed at once."""
    for call, dotted in module.calls:
        if dotted not in _READERS or not _reads_a_number(call):
            continue
        parent = module.parents.get(call)
        done = isinstance(parent, ast.Call) and module.dotted(parent.func) == _HELPER
        if done or isinstance(parent, ast.Subscript):
            continue
        yield module.finding(call, "an array of one number is no index since numpy 1.12")
        module.replace(call, module.call("np_count", call, home="tfqueue.port.runtime"))


def _reads_a_number(call: ast.Call) -> bool:
    counts = [word.value for word in call.keywords if word.arg == "count"] + call.args[2:3]
    if counts:
        return isinstance(counts[0], ast.Constant) and counts[0].value == 1
    for node in ast.walk(call.args[0]) if call.args else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            [size] = node.args if len(node.args) == 1 else [None]
            if node.func.attr == "read" and isinstance(size, ast.Constant):
                return isinstance(size.value, int) and 0 < size.value <= _LARGEST
    return False
