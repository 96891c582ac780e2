"""A file that is handed to `np.load`, `Image.open` and the like, and may be opened as text: in Python 2 any file held bytes.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module, argument
from tfqueue.port.rules.opened_files import TEXT_MODES, open_as
from tfqueue.port.source.finding import Finding

WORDS = (*("numpy", "Image", "loadmat", "savemat", "imread", "zipfile", "tarfile", "wave", "gzip"),)
PYTHON2 = True
# function: place and name of its argument that is a path or a file of bytes
_ROWS = {
    **dict.fromkeys(["numpy.save", "numpy.savez", "numpy.savez_compressed"], (0, "file")),
    **dict.fromkeys(["numpy.load", "numpy.fromfile", "zipfile.ZipFile"], (0, "file")),
    **dict.fromkeys(["scipy.io.loadmat", "scipy.io.savemat"], (0, "file_name")),
    **dict.fromkeys(["scipy.misc.imread", "scipy.ndimage.imread"], (0, "name")),
    **dict.fromkeys(["PIL.Image.open", "Image.open"], (0, "fp")),
    "imageio.imread": (0, "uri"),
    "wave.open": (0, "f"),
    "gzip.GzipFile": (3, "fileobj"),
    "tarfile.open": (2, "fileobj"),
}


def find(module: Module) -> Iterator[Finding]:
    """Finds files that are handed to what reads or writes bytes."""
    for call, dotted in module.calls if not module.ported else ():
        given = argument(call, *_ROWS[dotted]) if dotted in _ROWS else None
        message = f"{dotted} takes a file of bytes: Python 2 made no difference"
        if isinstance(given, ast.Call) and module.is_builtin(given.func, "open"):
            mode = argument(given, 1, "mode")
            if mode is None or getattr(mode, "value", None) in TEXT_MODES:
                yield module.finding(call, message)
                open_as(module, given, mode)
        elif isinstance(given, ast.Name | ast.Attribute | ast.Subscript):
            yield module.finding(call, message)
            module.replace(given, module.call("bytes_of", given))
