"""Whether a file without a sign of its own belongs to a program that was written for Python 2.

`map(...)[0]` or `5 / 2` give nothing away. A module that a Python 2 program beside it imports, or
that imports one, was run by the same Python.
"""

from __future__ import annotations

import ast
import functools
import os
import re

from tfqueue.port import python2
from tfqueue.port.module import Module
from tfqueue.port.source import Unreadable, read

# What Python says of the statements that only Python 2 had.
_MESSAGES = re.compile(
    r"^(Missing parentheses in call to '(print|exec)'|multiple exception types must be paren"
    r"|leading zeros in decimal|inconsistent use of tabs)"
)
_LARGEST_FOLDER = 200


def knows_both(module: Module) -> bool:
    """Whether a module takes care of both Pythons itself, or asks for Python 3's ways."""
    future = [name for name in module.imported.values() if name.startswith("__future__.")]
    both = {"__future__.print_function", "__future__.division"} & set(future)
    return bool(both) or "six" in module.imported or "version_info" in module.words


@functools.lru_cache(maxsize=4096)
def _about(path: str) -> tuple[bool, frozenset[str]]:
    """Whether a file is Python 2, and the modules that it names in its imports."""
    try:
        text = read(path).text
    except Unreadable:
        return False, frozenset()
    names = frozenset(re.findall(r"^[ \t]*(?:from|import)[ \t]+([\w.]+)", text, re.MULTILINE))
    names |= frozenset(re.findall(r"^[ \t]*from[ \t]+[\w.]+[ \t]+import[ \t]+(\w+)", text, re.M))
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        return bool(_MESSAGES.match(error.msg or "")), names
    except ValueError:
        return False, names
    if not python2.looks_python2(text):
        return False, names
    return bool(python2.signs(Module(text, path, tree=tree))), names


def is_python2(module: Module) -> bool:
    """Whether a file beside a module, and tied to it by an import, is Python 2."""
    folder = os.path.dirname(module.path)
    if knows_both(module) or not os.path.isfile(module.path):
        return False
    own = os.path.splitext(os.path.basename(module.path))[0]
    named = {name.partition(".")[0] for name in module.imported.values()}
    try:
        files = [name for name in os.listdir(folder or ".") if name.endswith(".py")]
    except OSError:
        return False
    if len(files) > _LARGEST_FOLDER:
        return False
    for file in files:
        name = file[:-3]
        if name == own:
            continue
        theirs, names = _about(os.path.join(folder, file))
        if theirs and (name in named or own in names):
            return True
    return False
