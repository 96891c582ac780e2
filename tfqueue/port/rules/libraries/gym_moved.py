"""gym: environments give and take something else since 0.26; run time gives back what they were.

https://github.com/openai/gym/releases/tag/0.26.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("gym",)
_INSTALLS = "tfqueue.port.environment_methods"


def find(module: Module) -> Iterator[Finding]:
    """Finds the first import of gym in an old program."""
    if not module.is_old or module.imports(_INSTALLS) or module.has_own("gym"):
        return
    for node in (*module.nodes[ast.Import], *module.nodes[ast.ImportFrom]):
        names = [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if not node.level else []
        if any(name.partition(".")[0] == "gym" for name in names):
            yield module.finding(node, "reset and step of gym give other values since 0.26")
            module.use_module(_INSTALLS)
            return
