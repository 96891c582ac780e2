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


def find(module: Module) -> Iterator[Finding]:
    """Finds names that are gone from `sys` and `os`."""
    yield from moved_names.find(module, _ROWS, "the name is gone from Python 3")
    if any(_leaves_a_blank(module, call) for call in module.nodes[ast.Call]):
        for node, dotted in module.references:
            if dotted == "sys.stdout.write" and isinstance(node, ast.Attribute):
                yield module.finding(node, "it takes the blank that a print statement has left")
                module.replace(node, module.call("writer", node.value))


def _leaves_a_blank(module: Module, call: ast.Call) -> bool:
    return module.is_builtin(call.func, "print") and any(
        word.arg == "end" for word in call.keywords
    )
