"""`BytesList(value=["text"])`, `bytes(5)`, `np.array(x, dtype="c")`: a `str` of Python 2 was bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("BytesList", "bytes", "binary_type", "'c'", '"c"')
PYTHON2 = True
_BYTES = frozenset(["tobytes", "tostring", "encode", "SerializeToString", "as_bytes"])


def find(module: Module) -> Iterator[Finding]:
    """Finds lists of bytes whose elements may be text, and bytes that are made of what may be text or a number."""
    for call in module.nodes[ast.Call]:
        if not call.args or call.keywords:
            continue
        if module.is_builtin(call.func, "map") and _is_bytes(module, call.args[0]):
            yield module.finding(call, "bytes was str in Python 2")
            module.replace(call.args[0], module.use("tfqueue.port.py2", "byte_string"))
        elif len(call.args) == 1 and _is_bytes(module, call.func):
            if not _sure_bytes(call.args[0]):
                yield module.finding(call, "bytes was str in Python 2")
                module.replace(call, module.call("byte_string", call.args[0]))
    for call, dotted in module.calls:
        if dotted in ("numpy.array", "numpy.asarray") and _holds_letters(call):
            yield module.finding(call, "an array of dtype c holds letters in Python 2")
            module.replace(call, module.call("letters", call.args[0]))
        if not dotted.endswith(".BytesList"):
            continue
        for keyword in call.keywords:
            value = keyword.value
            if keyword.arg == "value" and not _sure(value):
                yield module.finding(
                    value, "BytesList takes bytes; a str of Python 2 is text now: becomes UTF-8"
                )
                module.replace(value, module.call("bytes_list", value))


def _holds_letters(call: ast.Call) -> bool:
    given = [*call.args[1:], *(word.value for word in call.keywords if word.arg == "dtype")]
    return (
        len(call.args) + len(call.keywords) == 2
        and len(given) == 1
        and isinstance(given[0], ast.Constant)
        and given[0].value == "c"
    )


def _is_bytes(module: Module, node: ast.expr) -> bool:
    return module.is_builtin(node, "bytes") or module.dotted(node) == "six.binary_type"


def _sure(value: ast.expr) -> bool:
    """Whether a value is certainly a list of bytes."""
    if not isinstance(value, ast.List | ast.Tuple):
        return False
    return all(map(_sure_bytes, value.elts))


def _sure_bytes(item: ast.expr) -> bool:
    return (isinstance(item, ast.Constant) and isinstance(item.value, bytes)) or (
        isinstance(item, ast.Call) and ast.unparse(item.func).rpartition(".")[2] in _BYTES
    )
