"""`sys.maxint`, `sys.setdefaultencoding`, `os.getcwdu` and the like.

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("sys", "os")
PYTHON2 = True
_ROWS = {
    "sys.maxint": "tfqueue.port.py2.maxint",
    "sys.setdefaultencoding": "tfqueue.port.py2.no_result",
    "sys.exc_clear": "tfqueue.port.py2.no_result",
    "os.getcwdu": "os.getcwd",
}
_WRITE = ("sys.stdout.write", "sys.stderr.write")


def find(module: Module) -> Iterator[Finding]:
    """Finds names that are gone from `sys` and `os`."""
    yield from moved_names.find(module, _ROWS, "the name is gone from Python 3")
    blanks = any(_leaves_a_blank(module, call) for call in module.nodes[ast.Call])
    for node, dotted in module.references:
        if dotted not in _WRITE or not isinstance(node, ast.Attribute):
            continue
        if blanks and dotted == "sys.stdout.write":
            yield module.finding(node, "it takes the blank that a print statement has left")
        elif _writes_bytes(module, module.parents[node]):
            yield module.finding(node, "the stream is one of text, and what is encoded is bytes")
        else:
            continue
        module.replace(node, module.call("writer", node.value))


def _writes_bytes(module: Module, call: ast.AST) -> bool:
    """Whether it writes what is encoded, or a variable that is."""
    if not isinstance(call, ast.Call):
        return False
    written = [*call.args]
    for inner in (node for arg in call.args for node in ast.walk(arg)):
        if isinstance(inner, ast.Name):
            places = (module.parents[place] for place in module.bindings(inner, inner.id))
            written += [
                held.value for held in places if isinstance(held, ast.Assign | ast.AugAssign)
            ]
    return any(
        isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "encode"
        for each in written
        for node in ast.walk(each)
    )


def _leaves_a_blank(module: Module, call: ast.Call) -> bool:
    return module.is_builtin(call.func, "print") and any(
        word.arg == "end" for word in call.keywords
    )
