"""h5py: files were opened to be written, text was text, and a data set had a value.

https://docs.h5py.org/en/stable/whatsnew/3.0.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("h5py",)


def find(module: Module) -> Iterator[Finding]:
    """Finds the import, and values of data sets."""
    home = f"tfqueue.port.libraries.h5py_{'python2' if module.python2 else 'methods'}"
    why = "h5py opened files to write them, and gave text, up to 2.x"
    yield from moved_names.installs(module, "h5py", home, why)
    if "h5py" in module.packages:
        for node in module.nodes[ast.Attribute]:
            if node.attr == "value" and isinstance(node.ctx, ast.Load) and not module.dotted(node):
                yield module.finding(node, "dataset.value is dataset[()] since h5py 3.0")
                new = module.call("h5_value", node.value, home="tfqueue.port.libraries.h5py_files")
                module.replace(node, new)
