"""The literals of a module that protoc wrote, which are bytes in Python 2 and encoded in Python 3.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("version_info",)
PYTHON2 = True


def find(module: Module) -> Iterator[Finding]:
    """Finds `version_info[0] < 3 and (lambda x: x) or (lambda x: x.encode('latin1'))`.

    In a module that is read as Python 2 it is for the bytes that a literal was there.
    """
    for node in module.nodes[ast.BoolOp]:
        if isinstance(node.op, ast.Or) and len(node.values) == 2 and _chooses(*node.values):
            yield module.finding(node, "a literal of Python 2 is bytes already")
            module.replace(node, module.use("tfqueue.port.py2", "encoded"))


def _chooses(python2: ast.expr, python3: ast.expr) -> bool:
    if not (isinstance(python2, ast.BoolOp) and isinstance(python2.op, ast.And)):
        return False
    test, *same = python2.values
    if "version_info" not in ast.unparse(test) or [type(one) for one in same] != [ast.Lambda]:
        return False
    names = (ast.unparse(same[0]), ast.unparse(python3).replace("latin-1", "latin1"))
    return names == ("lambda x: x", "lambda x: x.encode('latin1')")
