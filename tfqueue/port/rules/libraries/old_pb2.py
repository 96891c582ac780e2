"""A `_pb2.py` of a protoc before 3.20 makes its descriptors one by one, which protobuf 4 refuses.

https://protobuf.dev/news/2022-05-06/#python-updates
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("serialized_pb",)
_FILE = "google.protobuf.descriptor.FileDescriptor"


def find(module: Module) -> Iterator[Finding]:
    """Finds the descriptors of such a file, which its serialized form gives as well."""
    for statement in module.tree.body:
        call = getattr(statement, "value", None)
        if not isinstance(statement, ast.Assign) or not isinstance(call, ast.Call):
            continue
        serialized = next(
            (word.value for word in call.keywords if word.arg == "serialized_pb"), None
        )
        if module.dotted(call.func) != _FILE or serialized is None:
            continue
        yield module.finding(
            statement,
            "protobuf 4 takes the descriptors of a protoc before 3.20 from its file alone",
        )
        _replace(module, statement, call, serialized)
        return


def _replace(module: Module, file: ast.Assign, call: ast.Call, serialized: ast.expr) -> None:
    """Makes the file's messages of its serialized form, and drops what made them one by one."""
    made = module.call(
        "messages_of",
        serialized,
        ast.Call(ast.Name("globals", ast.Load()), [], []),
        home="tfqueue.port.libraries.protobuf_messages",
    )
    at = module.tree.body.index(file) + 1
    for statement in module.tree.body[at:]:
        if isinstance(statement, ast.Assign | ast.Expr):
            module.replace(statement, [])
    module.replace(call, made)
