"""`if tf.__version__.split(".")[0] != "1"`: a program that asks for TensorFlow 1, or for 0, or for a Keras 2, gets it.

https://www.tensorflow.org/guide/migrate/tf1_vs_tf2
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program import tensorflow_signs
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("__version__", "VERSION")
_ENDS = ("exit(", "quit(", "sys.exit(", "os._exit(")
_OLD = {"tensorflow": re.compile(r"[01]\.\d+"), "keras": re.compile(r"[012]\.\d+")}
_NAMES = frozenset(["tensorflow.__version__", "tensorflow.VERSION"])

_KERAS = frozenset(f"{home}keras.__version__" for home in ("", "tensorflow.", "tfqueue.v1."))


def find(module: Module) -> Iterator[Finding]:
    """Finds tests of the major version; `tfqueue.v1.__version__` is that of the installed TensorFlow."""
    old = module.era.old
    yield from _of_keras(module)
    for node, dotted in module.references:
        name, _, method = dotted.rpartition(".")
        release = "0.12.0" if old else "1.15.0"
        if dotted in _NAMES:
            version, parent = node, module.parents[node]
            compared = _compared(module, parent, release)
            asks = _first(parent) or compared is not None
            release = compared or release
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


def _of_keras(module: Module) -> Iterator[Finding]:
    """Finds where a program ends unless keras is one release of those that `tfqueue.v1.keras` stands for."""
    if not module.is_old or module.has_own("keras") or tensorflow_signs.is_keras_3(module):
        return  # another keras
    for node, dotted in module.references:
        asked = _demanded(module, module.parents[node], "keras")
        if dotted in _KERAS and asked is not None:
            yield module.finding(node, f"keras is Keras 1 and 2, and stands for {asked}, too")
            module.replace(node, ast.Constant(asked))


def _demanded(module: Module, node: ast.AST, package: str) -> str | None:
    """The old release of a package without which a program ends at a comparison."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for one in (node.left, *node.comparators):
            asked = one.value if isinstance(one, ast.Constant) else None
            if isinstance(asked, str) and _OLD[package].match(asked) and _demands(module, node):
                return asked
    return None


def _compared(module: Module, node: ast.AST, release: str) -> str | None:
    """What a version is compared as.

    Returns:
        The very release that a program demands, `release` where it asks for TensorFlow 2, or None.
    """
    if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
        return None
    demanded = _demanded(module, node, "tensorflow")
    if demanded is not None:
        return demanded
    for one in (node.left, *node.comparators):
        asked = one.value if isinstance(one, ast.Constant) else None
        if isinstance(asked, str) and asked.startswith("2"):
            return release
    return None


def _demands(module: Module, node: ast.Compare) -> bool:
    """Whether a program ends where it is another release: not one that only does something else for it."""
    parent, same = module.parents[node], isinstance(node.ops[0], ast.Eq)
    if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
        parent, same = module.parents[parent], isinstance(node.ops[0], ast.NotEq)
    if isinstance(parent, ast.Assert):
        return same
    if not isinstance(parent, ast.If) or same or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return False
    last = parent.body[-1]
    ends = isinstance(last, ast.Expr) and isinstance(last.value, ast.Call)
    return isinstance(last, ast.Raise) or (ends and ast.unparse(last).startswith(_ENDS))


def _first(node: ast.AST) -> bool:
    """Whether a node is `...[0]`."""
    return isinstance(node, ast.Subscript) and getattr(node.slice, "value", None) == 0
