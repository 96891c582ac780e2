"""A `_pb2.py` of a protoc before 3.20 makes its descriptors one by one, which protobuf 4 refuses.

https://protobuf.dev/news/2022-05-06/#python-updates
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

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
    made_at_once = module.call(
        "messages_of",
        serialized,
        ast.Call(ast.Name("globals", ast.Load()), [], []),
        home="tfqueue.port.libraries.protobuf_messages",
    )
    made: set[str] = set()
    for statement in list(module.tree.body):
        if _makes_descriptors(module, statement, made):
            made |= {name.id for name in getattr(statement, "targets", ()) if _is_name(name)}
            if statement.lineno > file.lineno:
                module.replace(statement, [])
    module.replace(call, made_at_once)


def _makes_descriptors(module: Module, statement: ast.stmt, made: set[str]) -> bool:
    """Whether a statement calls `google.protobuf`, or changes what another one made so, as protoc wrote it.

    A line that somebody added stays.

    Args:
        made: The names of what other statements made.
    """

    def is_of_these(node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        return isinstance(node, ast.Name) and node.id in made

    value = getattr(statement, "value", None)
    func = value.func if isinstance(value, ast.Call) else None
    if func and (module.dotted(func) or "").startswith("google.protobuf."):
        return isinstance(statement, ast.Assign | ast.Expr)
    if isinstance(statement, ast.Assign):
        return all(is_of_these(one) and not _is_name(one) for one in statement.targets)
    if not isinstance(statement, ast.Expr) or not isinstance(func, ast.Attribute):
        return False
    return is_of_these(func) or func.attr == "RegisterExtension"


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)
