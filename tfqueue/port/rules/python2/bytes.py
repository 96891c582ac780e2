"""`BytesList(value=["text"])`: a `str` of Python 2 was bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("BytesList",)
PYTHON2 = True
_BYTES = frozenset(["tobytes", "tostring", "encode", "SerializeToString", "as_bytes"])


def find(module: Module) -> Iterator[Finding]:
    """Finds lists of bytes whose elements may be text."""
    for call, dotted in module.calls:
        if not dotted.endswith(".BytesList"):
            continue
        for keyword in call.keywords:
            value = keyword.value
            if keyword.arg == "value" and not _sure(value):
                yield module.finding(
                    value, "BytesList takes bytes; a str of Python 2 is text now: becomes UTF-8"
                )
                module.replace(value, module.call("bytes_list", value))


def _sure(value: ast.expr) -> bool:
    """Whether a value is certainly a list of bytes."""
    if not isinstance(value, ast.List | ast.Tuple):
        return False
    return all(
        (isinstance(item, ast.Constant) and isinstance(item.value, bytes))
        or (isinstance(item, ast.Call) and ast.unparse(item.func).rpartition(".")[2] in _BYTES)
        for item in value.elts
    )
