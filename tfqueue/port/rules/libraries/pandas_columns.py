"""pandas: `frame[column][row] = x` writes into the frame up to pandas 2, and into nothing since 3.

https://pandas.pydata.org/docs/user_guide/copy_on_write.html#chained-assignment
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("pandas",)
_HOME = "tfqueue.port.libraries.pandas_frames"
_INPLACE = ("bfill", "clip", "ffill", "fillna", "interpolate", "mask", "replace", "where")
_FRAMES = re.compile("df|data|frame|test|train")
"""What a frame is called, where `frame.age` may be a column."""


def find(module: Module) -> Iterator[Finding]:
    """Finds what is written into a part of a part, in modules that import pandas."""
    if "pandas" not in module.packages or not module.is_old:
        return
    for node in module.nodes[ast.Subscript]:
        if isinstance(node.ctx, ast.Store) and _is_column(module, node.value):
            yield module.finding(node, "frame[column][row] = x writes into no frame since pandas 3")
            _replace(module, node.value)
    for call in module.nodes[ast.Call]:
        func = call.func
        inplace = any(
            word.arg == "inplace" and getattr(word.value, "value", False) is True
            for word in call.keywords
        )
        if inplace and isinstance(func, ast.Attribute) and func.attr in _INPLACE:
            if _is_column(module, func.value):
                yield module.finding(
                    call, f"frame[column].{func.attr}(inplace=True) changes no frame since pandas 3"
                )
                _replace(module, func.value)


def _is_column(module: Module, part: ast.expr) -> bool:
    """Whether it may be a column of a frame, which is not made for the moment.

    A part of what is made for the moment, `frame[rows]["a"][0] = x`, was lost in any pandas.
    """
    if isinstance(part, ast.Subscript):
        return isinstance(part.value, ast.Name | ast.Attribute) and not _is_place(part.slice)
    if not isinstance(part, ast.Attribute) or module.dotted(part):
        return False
    name = getattr(part.value, "id", "")
    return name != "self" and bool(_FRAMES.search(name))


def _replace(module: Module, part: ast.expr) -> None:
    if isinstance(part, ast.Subscript):
        module.replace(part, module.call("column", part.value, part.slice, home=_HOME))
    elif isinstance(part, ast.Attribute):
        name = ast.Constant(part.attr)
        module.replace(part, module.call("attribute", part.value, name, home=_HOME))


def _is_place(key: ast.expr) -> bool:
    """Whether a key is a place in a list or an array, and no column's name."""
    if isinstance(key, ast.Tuple):
        return any(map(_is_place, key.elts))
    if isinstance(key, ast.UnaryOp):
        key = key.operand
    return isinstance(key, ast.Slice) or (
        isinstance(key, ast.Constant) and not isinstance(key.value, str)
    )
