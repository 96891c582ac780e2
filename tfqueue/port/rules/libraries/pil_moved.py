"""Pillow's renamed filters and methods, and `import Image` of the times before Pillow.

https://pillow.readthedocs.io/en/stable/releasenotes/10.0.0.html#constants
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("Image",)
_ROWS = {
    "PIL.Image.ANTIALIAS": "PIL.Image.LANCZOS",
    "PIL.Image.LINEAR": "PIL.Image.BILINEAR",
    "PIL.Image.CUBIC": "PIL.Image.BICUBIC",
    "PIL.Image.fromstring": "PIL.Image.frombytes",
    "PIL.Image.frombuffer_raw": "PIL.Image.frombuffer",
}
_WHY = {old: f"{old[4:]} is {new[4:]} since Pillow 10" for old, new in _ROWS.items()}
_PARTS = frozenset(["Image", "ImageDraw", "ImageFont", "ImageFilter", "ImageOps", "ImageEnhance"])


def find(module: Module) -> Iterator[Finding]:
    """Finds old names of Pillow."""
    yield from moved_names.find(module, _ROWS, _WHY)
    for node in module.nodes[ast.Import]:
        names = [alias.name for alias in node.names]
        own = any(module.has_own(name) for name in names)
        if set(names) <= _PARTS and not module.guarded(node) and not own:
            yield module.finding(node, f"{names[0]} is a part of PIL")
            module.replace(node, ast.ImportFrom("PIL", node.names, 0))
