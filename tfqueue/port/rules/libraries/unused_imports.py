"""Imports of modules that libraries have no more, and of which the program uses nothing.

https://scikit-image.org/docs/stable/release_notes/release_0.20.html#completed-deprecations
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules.tensorflow import gone
from tfqueue.port.source.finding import Finding

WORDS = ("viewer", "novice", "finance", "pandas", "weave", "hmm")
_GONE = (
    *("matplotlib.finance", "pandas.io.data", "pandas.rpy", "pandas.stats", "pandas.tools"),
    *("scipy.weave", "skimage.novice", "skimage.viewer", "sklearn.hmm"),
)


def find(module: Module) -> Iterator[Finding]:
    """Finds them; one that is used stays, and says itself what is missing."""
    for node in (*module.nodes[ast.ImportFrom], *module.nodes[ast.Import]):
        if getattr(node, "level", 0) or module.guarded(node):
            continue
        home = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        for alias in list(node.names):
            dotted = f"{home}{alias.name}"
            lost = next((one for one in _GONE if f"{dotted}.".startswith(f"{one}.")), None)
            if lost and gone.is_unused(module, alias):
                yield module.finding(alias, f"{lost} is gone; it is imported here and not used")
                gone.leave_out(module, alias)
