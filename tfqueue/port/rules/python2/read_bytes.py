"""`f.read(1) == ' '`, `for line in open(path, 'rb')`: bytes of a file were a `str` of Python 2.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import GFILES, Module, argument
from tfqueue.port.rules.opened_files import TEXT_MODES, attributes
from tfqueue.port.source.finding import Finding

WORDS = ("read", "open", "GFile", "gfile", "bytes_list")
PYTHON2 = True
_READS = frozenset(["read", "readline", "readlines"])
# What takes bytes of every kind, by the last part of its name
_TAKES_BYTES = frozenset(
    [
        *("BytesIO", "FromString", "MergeFromString", "ParseFromString", "decode", "decode_image"),
        *("decode_jpeg", "decode_png", "frombuffer", "fromstring", "loads", "unpack", "update"),
    ]
)
_WHY = "what a file of bytes gives is equal to text, too"
_WHY_LINES = "lines of a file are cut at spaces of ASCII"


def find(module: Module) -> Iterator[Finding]:
    """Finds what is read from files of bytes, and what texts it may be joined with."""
    found = [] if module.ported else [*_read(module), *_features(module)]
    yield from found
    if found:
        yield from _texts(module)


def _read(module: Module) -> Iterator[Finding]:
    """What is read, but for files that are seen to be opened as text, and their lines."""
    of_text: set[int] = set()
    gfiles = {id(call) for call, dotted in module.calls if dotted in GFILES}
    for call in module.nodes[ast.Call]:
        if not (module.is_builtin(call.func, "open") or id(call) in gfiles):
            continue
        mode = getattr(argument(call, 1, "mode") or ast.Constant("r"), "value", "")
        for use in attributes(module, call):
            if mode in TEXT_MODES:
                of_text.add(id(use))
                if id(call) in gfiles and mode == "r":
                    yield from _gfile(module, use)
            elif "b" in str(mode):
                yield from _lines(module, use)
    for call in module.nodes[ast.Call]:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr not in _READS:
            continue
        if id(func) in of_text or module.dotted(func) or _is_taken(module, call):
            continue
        yield module.finding(call, _WHY)
        module.replace(call, module.call("byte_strings", call))


def _features(module: Module) -> Iterator[Finding]:
    """`feature.bytes_list.value[0]`: what an example holds is a `str`, too."""
    for node in module.nodes[ast.Subscript]:
        values = node.value
        if not isinstance(node.ctx, ast.Load) or getattr(values, "attr", "") != "value":
            continue
        if getattr(getattr(values, "value", None), "attr", "") != "bytes_list":
            continue
        if isinstance(node.slice, ast.Slice) or _is_taken(module, node):
            continue
        yield module.finding(node, "what an example holds is equal to text, too")
        module.replace(node, module.call("byte_strings", node))


def _gfile(module: Module, use: ast.AST) -> Iterator[Finding]:
    """`f.read()` of a gfile that is opened as text: a picture is bytes nevertheless. Its lines are those of a file."""
    if (file := _looped_over(module, use)) is not None:
        yield module.finding(file, _WHY_LINES)
        module.replace(file, module.call("text_lines", file))
    call = module.parents[use]
    if isinstance(use, ast.Attribute) and use.attr in _READS and isinstance(call, ast.Call):
        if call.func is not use or call.keywords or _is_taken(module, call):
            return
        if use.attr == "read":
            yield module.finding(call, "a gfile that is opened as text gives bytes that are none")
            module.replace(call, module.call("read_gfile", use.value, *call.args))
        else:
            yield module.finding(call, _WHY_LINES)
            module.replace(call, module.call("file_texts", call))


def _is_taken(module: Module, call: ast.expr) -> bool:
    """Whether what is read is dropped, or handed to what takes bytes."""
    user = module.parents[call]
    if isinstance(user, ast.Call) and call in user.args:
        return getattr(user.func, "attr", getattr(user.func, "id", "")) in _TAKES_BYTES
    return isinstance(user, ast.Expr) or getattr(user, "attr", "") in _TAKES_BYTES


def _lines(module: Module, use: ast.AST) -> Iterator[Finding]:
    """A loop over the lines of a file that is opened as bytes."""
    if (file := _looped_over(module, use)) is not None:
        yield module.finding(file, _WHY)
        module.replace(file, module.call("byte_lines", file))


def _looped_over(module: Module, use: ast.AST) -> ast.expr | None:
    """The file, where it is used in a loop over its lines."""
    if isinstance(use, ast.For | ast.comprehension):
        return use.iter
    if isinstance(use, ast.Call) and module.is_builtin(use.func, "enumerate") and use.args:
        return use.args[0]
    return None


def _texts(module: Module) -> Iterator[Finding]:
    """Literals that join what was read, or may hold it."""
    for call in module.nodes[ast.Call]:
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr == "join" and len(call.args) == 1:
            if isinstance(func.value, ast.Constant) and isinstance(func.value.value, str):
                yield module.finding(call, "a text joins bytes, too")
                module.replace(call, module.call("joined", func.value, call.args[0]))
    for test in module.nodes[ast.Compare]:
        for operator, right in zip(test.ops, test.comparators, strict=True):
            if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Constant):
                if isinstance(right.value, str):
                    yield module.finding(right, "bytes are looked for in a text")
                    module.replace(right, module.call("characters", right))
