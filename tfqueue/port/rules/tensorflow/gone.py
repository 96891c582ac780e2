"""What is gone and not brought back: each use ends in one sentence that says what to use.

https://www.tensorflow.org/guide/migrate
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import re
from collections.abc import Iterator

from tfqueue.names import gone as names
from tfqueue.names.sentence import Gone, GoneError
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow", "tfqueue", "protobuf")
_ROWS = [
    Gone("tf.LMDBReader", "2.4", "write the records to a TFRecord file: tfqueue records"),
    Gone("tf.tfprof", "1.5", "tf.profiler"),
    Gone("tf.python.pywrap_tensorflow_internal", "2.2", "the public names"),
    Gone("tf.tensorboard", "1.4", "the package tensorboard"),
    Gone("google.protobuf.pyext", "protobuf 4", "protoc, run again"),
]


def _match(dotted: str, table: dict[str, Gone]) -> Gone | None:
    while dotted:
        if dotted in table:
            return table[dotted]
        dotted = dotted.rpartition(".")[0]
    return None


@functools.cache
def _table() -> dict[str, Gone]:
    rows = [
        row._replace(old=f"tf.{row.old}")
        for row in names.BY_NAME.values()
        # a row that points to contrib of ours is no loss
        if "tfqueue.v1.contrib" not in row.use
    ]
    if not importlib.util.find_spec("tf_keras"):
        for row in names.KERAS_2.values():
            rows += [row._replace(old=f"tf.{where}{row.old}") for where in ("", "contrib.")]
    return {row.old: row for row in [*rows, *_ROWS]}


def find(module: Module) -> Iterator[Finding]:
    """Finds uses of what is gone, each name once a line."""
    table = _table()
    places: list[tuple[ast.expr | ast.alias, str]] = [*module.references]
    for node in module.nodes[ast.ImportFrom]:
        if not node.level and node.module:
            places += [(a, _imported(f"{node.module}.{a.name}")) for a in node.names]
    for node in module.nodes[ast.Import]:
        places += [(alias, _imported(alias.name)) for alias in node.names]
    said: set[tuple[str, int]] = set()
    for node, dotted in sorted(places, key=lambda place: place[0].lineno):
        row = _match(re.sub(r"^tensorflow\b", "tf", dotted), table)
        if row is None or (row.old, node.lineno) in said or module.guarded(node):
            continue
        said.add((row.old, node.lineno))
        sentence = str(GoneError(*row))
        if isinstance(node, ast.alias) and is_unused(module, node):
            yield module.finding(node, f"{sentence}; it is imported here and not used")
            leave_out(module, node)
        else:
            yield module.finding(node, sentence, helpless=True)


def is_unused(module: Module, alias: ast.alias) -> bool:
    """Whether nothing in the module reads what an import binds; `import a.b` binds `a`."""
    name = alias.asname or alias.name
    if "." in name:
        return not _reads(module, name)
    return name != "*" and "__all__" not in module.identifiers and not module.uses(alias, name)


def _reads(module: Module, dotted: str) -> bool:
    name = _imported(dotted)
    return any(read == name or read.startswith(f"{name}.") for _, read in module.references)


def leave_out(module: Module, alias: ast.alias) -> None:
    """Takes a name out of an import, or `import a.b` back to `import a`."""
    statement = module.parents[alias]
    assert isinstance(statement, ast.Import | ast.ImportFrom)
    if "." in (alias.asname or alias.name):
        module.rename(alias, _head(alias.name))
    elif len(statement.names) > 1:
        statement.names.remove(alias)
        module.changed()
    else:
        module.replace(statement, ast.Pass())


def _head(name: str) -> str:
    return "tfqueue.v1" if name.startswith("tfqueue.v1") else name.partition(".")[0]


def _imported(name: str) -> str:
    return name.replace("tfqueue.v1", "tensorflow", 1) if name.startswith("tfqueue.v1") else name
