"""`np.load(path).item()`: a pickled dictionary is read only when asked for since numpy 1.16.3.

https://numpy.org/doc/stable/release/1.16.3-notes.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("np.load", "numpy.load")


def find(module: Module) -> Iterator[Finding]:
    """Finds `np.load` of what can only be a pickle."""
    for call, dotted in module.calls:
        words = {keyword.arg for keyword in call.keywords}
        if dotted != "numpy.load" or "allow_pickle" in words or not call.args:
            continue
        parent = module.parents[call]
        item = isinstance(parent, ast.Attribute) and parent.attr in ("item", "tolist")
        if item or "encoding" in words:
            yield module.finding(
                call, "np.load reads a pickle only with allow_pickle since numpy 1.16.3"
            )
            module.add_argument(call, "allow_pickle", "True")
            if module.python2 and "encoding" not in words:
                module.add_argument(call, "encoding", "'latin1'")
