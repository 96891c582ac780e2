"""`map`, `round`, `range`, `sorted`, `cmp` and other builtins that changed or went.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.program.python2_library import BUILTINS
from tfqueue.port.source.finding import Finding

WORDS = ()
PYTHON2 = True
# What takes an iterable and leaves nothing of it.
_TAKERS = frozenset(["list", "tuple", "set", "frozenset", "len", "sum", "enumerate", "any", "all"])


def find(module: Module) -> Iterator[Finding]:
    """Finds names of builtins; the module imports those of Python 2."""
    first = {}
    for node in module.nodes[ast.Name]:
        name = node.id
        if name in first or (name not in BUILTINS and name != "print"):
            continue
        if isinstance(node.ctx, ast.Load) and module.binder(node, name) is None:
            first[name] = node
    for name, node in first.items():
        uses = [n for n in module.uses(node, name) if module.binder(n, name) is None]
        if name == "print":
            function = module.has_future("print_function")
            kind = "print_function" if function else "print_statement"
            module.added.setdefault("tfqueue.port.py2", {})[kind] = "print"
            module.changed()
            yield module.finding(node, "print shows floats and bytes as Python 2 did")
        elif not _is_the_same(module, name, uses):
            module.use("tfqueue.port.py2", name)
            yield module.finding(node, f"{name} is another thing in Python 3, or gone")
        elif name == "str":  # it is the type here, too, as in `type=str`
            for use in uses:
                if _makes_text(module, use):
                    yield module.finding(use, "str shows floats with twelve digits in Python 2")
                    module.replace(use, module.use("tfqueue.port.py2.text", "text"))


def _is_the_same(module: Module, name: str, uses: list[ast.Name]) -> bool:
    """Whether the builtin of today does at every use, or the other one does not at some."""
    if name == "range":
        return all(_is_gone_through(module, use) for use in uses)
    if name == "isinstance":
        numbers = ("int", "long") if module.packages & {"numpy", "tensorflow"} else ()
        return not any(_asks_for(module, use, ("str", "string_types", *numbers)) for use in uses)
    if name == "str":
        return not all(_is_called(module, use) for use in uses)
    return name in ("max", "min") and all(_is_plain(module, use) for use in uses)


def _asks_for(module: Module, name: ast.Name, kinds: tuple[str, ...]) -> bool:
    """Whether a use of `isinstance` may ask for one of some classes."""
    call = module.parents[name]
    if not isinstance(call, ast.Call) or call.func is not name or len(call.args) != 2:
        return True
    asked = ast.walk(call.args[1])
    return any({getattr(one, "id", ""), getattr(one, "attr", "")} & {*kinds} for one in asked)


def _is_gone_through(module: Module, name: ast.Name) -> bool:
    """Whether `range(...)` is at once gone through, so that a list makes no difference."""
    call = module.parents[name]
    if not isinstance(call, ast.Call) or call.func is not name:
        return False
    parent = module.parents[call]
    if isinstance(parent, ast.For | ast.comprehension):
        return parent.iter is call
    return (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id in _TAKERS
        and len(parent.args) == 1
    )


def _is_called(module: Module, name: ast.Name) -> bool:
    """Whether a use of `str` is a call, or asks whether something is one."""
    parent = module.parents[name]
    if isinstance(parent, ast.Tuple):
        parent = module.parents[parent]
    if not isinstance(parent, ast.Call):
        return isinstance(parent, ast.Attribute) and parent.value is name
    called = getattr(parent.func, "id", "")
    return (
        parent.func is name
        or called == "isinstance"
        or (called == "map" and parent.args[0] is name)
    )


def _makes_text(module: Module, name: ast.Name) -> bool:
    """Whether a use of `str` is `str(x)` or `map(str, x)`, where x may be a float."""
    call = module.parents[name]
    if not isinstance(call, ast.Call) or call.keywords or not call.args:
        return False
    if call.func is name and not isinstance(call.args[0], ast.Starred):
        value = getattr(call.args[0], "value", 0.0)
        return len(call.args) == 1 and not (
            isinstance(call.args[0], ast.Constant) and not isinstance(value, float)
        )
    return call.args[0] is name and getattr(call.func, "id", "") == "map"


def _is_plain(module: Module, name: ast.Name) -> bool:
    """Whether the arguments of a call are constants that Python 3 orders, too: all numbers or all text."""
    call = module.parents[name]
    if not isinstance(call, ast.Call) or call.func is not name or len(call.args) < 2:
        return False
    values = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
    return len(values) == len(call.args) and any(
        all(isinstance(value, kind) for value in values) for kind in (int | float, str)
    )
