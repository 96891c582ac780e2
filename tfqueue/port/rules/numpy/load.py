"""`np.load(path)` reads an array of objects, which is a pickle, only when asked for since numpy 1.16.3.

https://numpy.org/doc/stable/release/1.16.3-notes.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("numpy",)


def find(module: Module) -> Iterator[Finding]:
    """Finds `np.load` in old programs, and of what can only be a pickle in all."""
    for call, dotted in module.calls:
        words = {keyword.arg: keyword.value for keyword in call.keywords}
        if dotted != "numpy.load" or None in words:
            continue
        if any(isinstance(one, ast.Starred) for one in call.args):
            continue
        # the third is `allow_pickle`
        allowed = call.args[2] if len(call.args) > 2 else words.get("allow_pickle")
        if allowed is None:
            if not module.is_old and not _is_pickle(module.parents[call], set(words)):
                continue  # it may be from any day
            yield module.finding(
                call, "np.load reads a pickle only with allow_pickle since numpy 1.16.3"
            )
            module.add_argument(call, "allow_pickle", "True")
        elif getattr(allowed, "value", True) is False:
            continue
        # the fifth is `encoding`
        if module.python2 and "encoding" not in words and len(call.args) < 5:
            if allowed is not None:
                yield module.finding(call, "np.load reads text of Python 2 with an encoding alone")
            module.add_argument(call, "encoding", "'latin1'")


def _is_pickle(parent: ast.AST, words: set[str | None]) -> bool:
    """Whether what a call reads can only be a pickle."""
    item = isinstance(parent, ast.Attribute) and parent.attr in ("item", "tolist")
    return item or "encoding" in words
