"""pandas: `frame[column][row] = x` writes into the frame up to pandas 2, and into nothing since 3.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("pandas",)


def find(module: Module) -> Iterator[Finding]:
    """Finds what is written into a part of a part, in modules that import pandas."""
    heads = {target.partition(".")[0] for target in module.imported.values()}
    if "pandas" not in heads or not module.is_old:
        return
    for node in module.nodes[ast.Subscript]:
        part = node.value
        if not isinstance(node.ctx, ast.Store) or not isinstance(part, ast.Subscript):
            continue
        # a part of what is made for the moment, `frame[rows]["a"][0] = x`, was lost in any pandas
        if not isinstance(part.value, ast.Name | ast.Attribute) or _is_place(part.slice):
            continue
        yield module.finding(node, "frame[column][row] = x writes into no frame since pandas 3")
        new = module.call(
            "column", part.value, part.slice, home="tfqueue.port.libraries.pandas_frames"
        )
        module.replace(part, new)


def _is_place(key: ast.expr) -> bool:
    """Whether a key is a place in a list or an array, and no column's name."""
    if isinstance(key, ast.Tuple):
        return any(map(_is_place, key.elts))
    if isinstance(key, ast.UnaryOp):
        key = key.operand
    return isinstance(key, ast.Slice) or (
        isinstance(key, ast.Constant) and not isinstance(key.value, str)
    )
