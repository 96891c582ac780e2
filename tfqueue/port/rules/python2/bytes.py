"""`BytesList(value=["text"])`, `bytes(5)`, `x == b"a"`, `np.array(x, dtype="c")`: a `str` of Python 2 was bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = (
    *("BytesList", "bytes", "binary_type", "'c'", '"c"'),
    *(f"{prefix}{quote}" for prefix in ("b", "B", "br", "bR", "Br", "BR") for quote in "'\""),
)
PYTHON2 = True
_BYTES = frozenset(["tobytes", "tostring", "encode", "SerializeToString", "as_bytes"])
_HOLDERS = (
    *(ast.Assign, ast.AugAssign, ast.Return, ast.Yield, ast.Lambda, ast.arguments),
    *(ast.Compare, ast.BoolOp, ast.IfExp, ast.For, ast.comprehension, ast.Subscript),
)
"""Where a value is kept, compared with another, or taken apart."""
_OF_COLLECTIONS = frozenset(
    [
        *("add", "append", "count", "get", "has_key", "index", "insert", "pop", "remove"),
        "setdefault",
    ]
)
"""Methods of lists, sets and dictionaries, which look for a value or keep it."""


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
    for node in module.nodes[ast.Constant]:
        if isinstance(node.value, bytes) and _meets_text(module, node):
            yield module.finding(node, "bytes were text in Python 2, and equal to it")
            module.replace(node, module.call("byte_strings", node))


def _meets_text(module: Module, node: ast.expr) -> bool:
    """Whether a literal of bytes is compared with what may be text, added to it, or kept."""
    parent = module.parents[node]
    while isinstance(parent, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.keyword):
        parent = module.parents[parent]
    if isinstance(parent, ast.Call):
        func = parent.func
        if module.dotted(func):
            return False
        if isinstance(func, ast.Attribute):
            return func.attr in _OF_COLLECTIONS
        return getattr(func, "id", "") in module.bound
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.Add | ast.Mod)
    if isinstance(parent, ast.Attribute):
        return parent.attr == "join" or parent.attr in _OF_COLLECTIONS
    return isinstance(parent, _HOLDERS)


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
