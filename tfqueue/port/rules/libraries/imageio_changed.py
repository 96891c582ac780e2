"""imageio: what is not of bytes was scaled to them, and a GIF's duration was in seconds.

https://github.com/imageio/imageio/blob/master/CHANGELOG.md
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("imageio",)
_HOME = "tfqueue.port.libraries.imageio_functions"
_ROWS = {
    "imageio.imwrite": f"{_HOME}.imwrite",
    "imageio.imsave": f"{_HOME}.imwrite",
    "imageio.mimwrite": f"{_HOME}.mimwrite",
    "imageio.mimsave": f"{_HOME}.mimwrite",
    "imageio.get_writer": f"{_HOME}.get_writer",
}


def find(module: Module) -> Iterator[Finding]:
    """Finds what writes images, and the gray ones that are read."""
    if not module.is_old:
        return
    for call, dotted in module.calls:
        if dotted == "imageio.imread":
            for keyword in call.keywords:
                if keyword.arg == "as_gray" and getattr(keyword.value, "value", None) is True:
                    yield module.finding(call, "as_gray=True is mode='F' since imageio 2.28")
                    module.rename(keyword, "mode")
                    module.replace(keyword.value, ast.Constant("F"))
    yield from moved_names.find(module, _ROWS, "{old} wrote other bytes up to imageio 2.27")
