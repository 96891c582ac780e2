"""`tf.gfile` opened as text gave bytes to `.decode()` until TensorFlow 0.12.

https://github.com/tensorflow/tensorflow/releases/tag/v0.12.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import GFILES, Module
from tfqueue.port.rules.opened_files import attributes, open_as
from tfqueue.port.source.finding import Finding

WORDS = ("gfile",)
_HARMLESS = frozenset(["close", "seek", "tell", "size", "name"])


def find(module: Module) -> Iterator[Finding]:
    """Finds files whose text is decoded, at every use, although it is text already."""
    for call, dotted in module.calls:
        mode = call.args[1] if len(call.args) > 1 else None
        if dotted not in GFILES or not call.args or call.keywords:
            continue
        if mode is not None and getattr(mode, "value", None) != "r":
            continue
        uses = [use for use in attributes(module, call) if getattr(use, "attr", 0) not in _HARMLESS]
        if uses and all(_decoded(module, use) for use in uses):
            yield module.finding(
                call,
                "text of a gfile is text since TensorFlow 0.12: opened as bytes for its decode()",
            )
            open_as(module, call, mode)


def _decoded(module: Module, use: ast.AST) -> bool:
    """Whether a use is `f.read().decode(...)`."""
    if not isinstance(use, ast.Attribute) or use.attr not in ("read", "readline"):
        return False
    call = module.parents[use]
    method = module.parents.get(call)
    return isinstance(method, ast.Attribute) and method.attr == "decode" and method.value is call
