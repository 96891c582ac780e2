"""`if tf.__version__.split(".")[0] != "1"`: a program that asks for TensorFlow 1, or for 0, gets it.

https://www.tensorflow.org/guide/migrate/tf1_vs_tf2
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("__version__", "VERSION")
_NAMES = frozenset(["tensorflow.__version__", "tensorflow.VERSION"])


def find(module: Module) -> Iterator[Finding]:
    """Finds tests of the major version; `tfqueue.v1.__version__` is that of the installed TensorFlow."""
    old = module.era.old
    for node, dotted in module.references:
        name, _, method = dotted.rpartition(".")
        if dotted in _NAMES:
            version, asks = node, _first(module.parents[node])
        elif (
            isinstance(node, ast.Attribute) and name in _NAMES and method in ("split", "startswith")
        ):
            version, call = node.value, module.parents[node]
            asks = method == "startswith" or old or _first(module.parents[call])
        else:
            continue
        if asks:
            yield module.finding(node, "tfqueue.v1 is TensorFlow 1 or 0, whatever it stands on")
            module.replace(version, ast.Constant("0.12" if old else "1.15"))


def _first(node: ast.AST) -> bool:
    """Whether a node is `...[0]`."""
    return isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) == 0
