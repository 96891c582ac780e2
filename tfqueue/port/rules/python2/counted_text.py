"""`set(open(path).read())`: a letter of text is one now, which was several bytes of a `str`.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module, argument
from tfqueue.port.rules.opened_files import TEXT_MODES, attributes
from tfqueue.port.source.finding import Finding

WORDS = ("read",)
PYTHON2 = True
_COUNTS = ("enumerate", "frozenset", "len", "list", "map", "set", "sorted", "tuple")
_SAME = frozenset(["lower", "upper", "strip", "rstrip", "lstrip", "replace", "expandtabs"])


def find(module: Module) -> Iterator[Finding]:
    """Finds a file whose characters are counted, looped over or taken by their number."""
    if module.ported:
        return
    for call in module.nodes[ast.Call]:
        mode = argument(call, 1, "mode") or ast.Constant("r")
        opens = any(module.is_builtin(call.func, name) for name in ("open", "file"))
        if not opens or not isinstance(mode, ast.Constant):
            continue
        if mode.value not in TEXT_MODES:
            continue
        for use in attributes(module, call):
            read = module.parents.get(use)
            if isinstance(read, ast.Call) and getattr(use, "attr", "") == "read":
                if read.func is use and _is_counted(module, read):
                    yield module.finding(read, "letters other than ASCII are one character each")
                    module.replace(read, module.call("counted_text", read))


def _is_counted(module: Module, value: ast.expr) -> bool:
    """Whether the characters of a text matter, or of what a name is bound to that holds it."""
    parent = module.parents[value]
    if isinstance(parent, ast.Attribute) and parent.attr in _SAME:
        call = module.parents[parent]
        return isinstance(call, ast.Call) and call.func is parent and _is_counted(module, call)
    if isinstance(parent, ast.Assign) and [type(one) for one in parent.targets] == [ast.Name]:
        name = parent.targets[0]
        assert isinstance(name, ast.Name)
        if len(module.bindings(name, name.id)) > 1:
            return False
        return any(_is_counted(module, use) for use in module.uses(name, name.id))
    if isinstance(parent, ast.Call) and value in parent.args:
        if module.dotted(parent.func) == "collections.Counter":
            return True
        return any(module.is_builtin(parent.func, name) for name in _COUNTS)
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is value
    return isinstance(parent, ast.Subscript) and parent.value is value
