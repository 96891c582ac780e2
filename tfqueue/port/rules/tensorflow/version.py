"""`if tf.__version__.split(".")[0] != "1"`: a program that asks for TensorFlow 1, or for 0, gets it.

https://www.tensorflow.org/guide/migrate/tf1_vs_tf2
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("__version__", "VERSION")
_OLD = re.compile(r"[01]\.\d+")
_NAMES = frozenset(["tensorflow.__version__", "tensorflow.VERSION"])


def find(module: Module) -> Iterator[Finding]:
    """Finds tests of the major version; `tfqueue.v1.__version__` is that of the installed TensorFlow."""
    old = module.era.old
    for node, dotted in module.references:
        name, _, method = dotted.rpartition(".")
        release = "0.12" if old else "1.15"
        if dotted in _NAMES:
            version, parent = node, module.parents[node]
            release = _compared(parent, release)
            asks = _first(parent) or release not in ("0.12", "1.15")
        elif (
            isinstance(node, ast.Attribute) and name in _NAMES and method in ("split", "startswith")
        ):
            version, call = node.value, module.parents[node]
            asks = method == "startswith" or old or _first(module.parents[call])
        else:
            continue
        if asks:
            yield module.finding(node, "tfqueue.v1 is TensorFlow 1 or 0, whatever it stands on")
            module.replace(version, ast.Constant(release))


def _compared(node: ast.AST, release: str) -> str:
    """The release that a comparison asks for exactly, `release` with a patch where it asks for TensorFlow 2, or `release`."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        asked = [
            one.value for one in (node.left, *node.comparators) if isinstance(one, ast.Constant)
        ]
        for one in asked:
            if (
                isinstance(one, str)
                and _OLD.match(one)
                and isinstance(node.ops[0], ast.Eq | ast.NotEq)
            ):
                return one
            if isinstance(one, str) and one.startswith("2"):
                return f"{release}.0"
    return release


def _first(node: ast.AST) -> bool:
    """Whether a node is `...[0]`."""
    return isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) == 0
