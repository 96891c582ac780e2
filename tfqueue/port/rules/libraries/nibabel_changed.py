"""nibabel: images have no `get_shape` since 3.0, `get_header` and `get_affine` since 4.0, `get_data` since 5.0.

https://nipy.org/nibabel/changelog.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("nibabel",)
_GONE = frozenset(["get_affine", "get_data", "get_header", "get_shape"])


def find(module: Module) -> Iterator[Finding]:
    """Finds the first import of nibabel in an old program, or in a module that nibabel 5 refuses."""
    why = "images of nibabel had methods for their data, header, affine and shape up to 2.x"
    home = "tfqueue.port.libraries.nibabel_methods"
    proven = any(node.attr in _GONE for node in module.nodes[ast.Attribute])
    yield from moved_names.installs(module, "nibabel", home, why, proven=proven)
