"""What is gone and not brought back: each use ends in one sentence that says what to use.

https://www.tensorflow.org/guide/migrate
"""

from __future__ import annotations

import ast
import functools
import importlib.util
from collections.abc import Iterator, Mapping

from tfqueue.port.program.module import Module
from tfqueue.port.program.moved import contrib_gone, gone
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow", "tfqueue", "protobuf", "descriptor")
# dotted name: (the release without it, what to use)
_ROWS = {
    "tensorflow.LMDBReader": ("2.4", "write the records to a TFRecord file: tfqueue records"),
    "tensorflow.tfprof": ("1.5", "tf.profiler"),
    "tensorflow.python.pywrap_tensorflow_internal": ("2.2", "the public names"),
    "tensorflow.tensorboard": ("1.4", "the package tensorboard"),
    "google.protobuf.pyext": ("protobuf 4", "protoc, run again"),
}
# Where the package tf_keras is not installed: Keras 3 keeps no session.
_KERAS_2 = {
    f"tensorflow.{keras}.backend.{name}": ("2.16", "tf_keras: pip install 'tfqueue[keras]'")
    for keras in ("keras", "contrib.keras")
    for name in (
        *("get_session", "set_session", "placeholder", "function"),
        *("learning_phase", "set_learning_phase"),
    )
}


def _match(dotted: str, table: Mapping[str, tuple[str, str]]) -> str | None:
    name = dotted
    while name:
        if name in table:
            return name
        name = name.rpartition(".")[0]
    return None


@functools.cache
def _table() -> dict[str, tuple[str, str]]:
    rows = {
        f"tensorflow.{row.old}": (row.removed, row.use)
        for row in gone().values()
        # a row that points to contrib of ours is no loss
        if "tfqueue.v1.contrib" not in row.use
    }
    contrib = {f"tensorflow.contrib.{name}": row for name, row in contrib_gone().items()}
    keras = {} if importlib.util.find_spec("tf_keras") else _KERAS_2
    return {**rows, **contrib, **keras, **_ROWS}


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
        name = _match(dotted, table)
        if name is None or (name, node.lineno) in said or module.guarded(node):
            continue
        said.add((name, node.lineno))
        since, use = table[name]
        short = name.replace("tensorflow.", "tf.", 1)
        release = since if since.startswith("protobuf") else f"TensorFlow {since}"
        yield module.finding(
            node, f"{short} is gone since {release}; instead: {use}", helpless=True
        )
    yield from _generated(module)


def _imported(name: str) -> str:
    return name.replace("tfqueue.v1", "tensorflow", 1) if name.startswith("tfqueue.v1") else name


def _generated(module: Module) -> Iterator[Finding]:
    """Files that an old protoc wrote: today's protobuf refuses to load them."""
    if not module.path.endswith("_pb2.py"):
        return
    for call, dotted in module.calls:
        if dotted == "google.protobuf.descriptor.FieldDescriptor":
            message = "written by protoc before 3.20; protobuf 4 refuses it: run protoc again"
            yield module.finding(call, message, helpless=True)
            return
