"""`scipy.misc.imread` and its kin left scipy; the same on Pillow are in `tfqueue.port.libraries.scipy_misc`.

https://docs.scipy.org/doc/scipy/release/1.2.0-notes.html#deprecated-features
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("scipy",)
_IMAGES = [
    *("imread", "imsave", "imresize", "imrotate", "imshow", "toimage", "fromimage", "bytescale"),
]
_SPECIAL = ["comb", "factorial", "factorial2", "logsumexp"]
_ROWS = {
    **{f"scipy.misc.{name}": f"tfqueue.port.libraries.scipy_misc.{name}" for name in _IMAGES},
    **{
        f"scipy.misc.pilutil.{name}": f"tfqueue.port.libraries.scipy_misc.{name}"
        for name in _IMAGES
    },
    "scipy.ndimage.imread": "tfqueue.port.libraries.scipy_misc.imread",
    **{f"scipy.misc.{name}": f"scipy.special.{name}" for name in _SPECIAL},
    **{f"scipy.misc.{name}": f"scipy.datasets.{name}" for name in ("face", "ascent")},
}
_MESSAGE = "the image functions of scipy.misc are gone since scipy 1.3"


def find(module: Module) -> Iterator[Finding]:
    """Finds the image functions of scipy.misc however they are imported."""
    for node in module.nodes[ast.ImportFrom]:
        if node.module == "scipy" and [a.name for a in node.names] == ["misc"]:
            yield module.finding(node, _MESSAGE)
            known_as = node.names[0].asname or "misc"
            module.replace(
                node,
                ast.ImportFrom("tfqueue.port.libraries", [ast.alias("scipy_misc", known_as)], 0),
            )
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name in ("scipy.misc", "scipy.misc.pilutil"):
                yield module.finding(alias, _MESSAGE)
                module.rename(
                    alias, "tfqueue.port.libraries.scipy_misc" if alias.asname else "scipy"
                )
    # what was found above finds its functions where it stands now
    module.index()
    yield from moved_names.find(module, _ROWS, _MESSAGE)
