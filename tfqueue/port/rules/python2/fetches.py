"""`names = sess.run(key)`: a `str` of Python 2 was bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("run", "eval")
PYTHON2 = True


def find(module: Module) -> Iterator[Finding]:
    """Finds steps whose result is used, in any file: another may have built the graph."""
    unused = {id(node.value) for node in module.nodes[ast.Expr]}
    for call in module.nodes[ast.Call]:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr not in WORDS:
            continue
        if id(call) not in unused and not module.dotted(func):
            yield module.finding(call, "strings that a step gives are bytes: equal to text too")
            module.replace(call, module.call("fetched", call))
