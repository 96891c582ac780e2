"""Pillow's filters and methods as they were, and `import Image` of the times before Pillow.

https://pillow.readthedocs.io/en/stable/releasenotes/10.0.0.html#constants
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("Image",)
_FILTERS = {"ANTIALIAS": "LANCZOS", "LINEAR": "BILINEAR", "CUBIC": "BICUBIC"}
_METHODS = {"fromstring": "frombytes"}
_ROWS = moved_names.within("PIL.Image", **_FILTERS, **_METHODS)
_PARTS = frozenset(["Image", "ImageDraw", "ImageFont", "ImageFilter", "ImageOps", "ImageEnhance"])


def find(module: Module) -> Iterator[Finding]:
    """Finds old names of Pillow."""
    yield from moved_names.find(module, _ROWS, "{old} is {new} since Pillow 10")
    for node in module.nodes[ast.Import]:
        names = [alias.name for alias in node.names]
        own = any(module.has_own(name) for name in names)
        if set(names) <= _PARTS and not module.guarded(node) and not own:
            yield module.finding(node, f"{names[0]} is a part of PIL")
            module.replace(node, ast.ImportFrom("PIL", node.names, 0))
    # what was found above imports PIL
    module.index()
    why = "Pillow drew, resized and told the sizes of texts otherwise up to 6.x"
    yield from moved_names.installs(module, "PIL", "tfqueue.port.libraries.pil_methods", why)
