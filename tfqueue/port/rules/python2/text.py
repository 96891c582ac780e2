"""`'%s' % x`, `'{}'.format(x)`, `x.decode(...)`: text that was bytes, floats of 12 digits.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("%", "format", "decode", "encode", "translate")
PYTHON2 = True
_ENCODINGS = ("utf", "latin", "ascii", "iso", "cp", "gb", "big5", "sjis", "shift", "euc")
_CODECS = ("hex", "base64", "zlib", "zip", "bz2", "rot13", "rot_13", "string", "unicode")
_ERRORS = ("ignore", "replace", "strict", "xmlcharref", "backslash", "surrogate")
_SHOWS = re.compile(r"%(\([^)]*\))?[^a-zA-Z%]*[sr]")


def find(module: Module) -> Iterator[Finding]:
    """Finds what shows a value as text, and conversions that only run time can tell."""
    for node in module.nodes[ast.BinOp]:
        if isinstance(node.op, ast.Mod) and (form := _literal(node.left)) and _SHOWS.search(form):
            if _is_text(node.right):
                continue
            yield module.finding(node, "%s shows floats and bytes as Python 2 did")
            module.replace(node, module.call("percent", node.left, node.right))
        elif (
            isinstance(node.op, ast.Mod) and _literal(node.left) is None and _formats(module, node)
        ):
            yield module.finding(
                node, "%s shows floats and bytes as Python 2 did: left to run time"
            )
            module.replace(node, module.call("percent", node.left, node.right))
    for call in module.nodes[ast.Call]:
        func = call.func
        if not isinstance(func, ast.Attribute):
            continue
        if func.attr == "format" and not module.dotted(func):
            yield module.finding(call, "{} shows floats and bytes as Python 2 did")
            new = module.call("formatted", func.value, *call.args)
            new.keywords = call.keywords
            module.replace(call, new)
        elif func.attr == "decode" and not module.dotted(func) and _decodes(call):
            if not (isinstance(func.value, ast.Constant) and isinstance(func.value.value, bytes)):
                yield module.finding(call, "text is decoded already: left to run time")
                new = module.call("decode", func.value, *call.args)
                new.keywords = call.keywords
                module.replace(call, new)
        elif func.attr == "encode" and not module.dotted(func) and call.args and _decodes(call):
            yield module.finding(call, "encode takes and gives bytes: left to run time")
            new = module.call("encode", func.value, *call.args)
            new.keywords = call.keywords
            module.replace(call, new)
        elif func.attr == "translate" and len(call.args) == 2 and not module.dotted(func):
            yield module.finding(call, "translate deletes nothing in Python 3")
            module.replace(call, module.call("translate", func.value, *call.args))


def _literal(node: ast.AST) -> str | None:
    """The text of a literal, or of literals that are added up."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _literal(node.left), _literal(node.right)
        return None if left is None or right is None else left + right
    return None


def _formats(module: Module, node: ast.BinOp) -> bool:
    """Whether `left % right` formats a text that is a variable."""
    if isinstance(node.right, ast.Tuple | ast.Dict) or _has_form(node.left):
        return True
    if not isinstance(node.left, ast.Name):
        return False
    places = (module.parents[place] for place in module.bindings(node.left, node.left.id))
    return any(isinstance(held, ast.Assign) and _has_form(held.value) for held in places)


def _has_form(node: ast.AST) -> bool:
    return any(
        isinstance(inner, ast.Constant)
        and isinstance(inner.value, str)
        and _SHOWS.search(inner.value)
        for inner in ast.walk(node)
    )


def _is_text(node: ast.AST) -> bool:
    """Whether a value is text, or a whole number, for certain."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_text, node.elts))
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, int) or (isinstance(value, str) and value.isascii())


def _decodes(call: ast.Call) -> bool:
    """Whether a call can be text's `decode` or `encode`: its encoding and errors are names or variables."""
    named = [*call.args, *(keyword.value for keyword in call.keywords)]
    receiver = getattr(getattr(call.func, "value", None), "id", "")
    if all(_named(node, (*_ENCODINGS, *_CODECS, *_ERRORS)) for node in named):
        return True
    return (
        receiver not in ("self", "cls")
        and len(named) <= 2
        and all(_names_encoding(node) or _named(node, (*_ENCODINGS, *_ERRORS)) for node in named)
    )


def _names_encoding(node: ast.AST) -> bool:
    """Whether a variable is called like an encoding, or like what is done about errors."""
    name = str(getattr(node, "attr", "") or getattr(node, "id", "")).lower()
    return any(part in name for part in ("enc", "charset", "codec", "coding", "errors"))


def _named(node: ast.AST, names: tuple[str, ...]) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, str) and value.lower().startswith(names)
