"""`__nonzero__`, `next`, `__div__`, `__cmp__`, `__getslice__`: special methods that changed.

https://docs.python.org/3/whatsnew/3.0.html#operators-and-special-methods
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("class",)
PYTHON2 = True
_METHODS = frozenset(
    [
        *("__nonzero__", "__div__", "__rdiv__", "__idiv__", "__cmp__", "__getslice__"),
        *("__setslice__", "__eq__", "next"),
    ]
)


_CLASSIC = frozenset(["types.ClassType", "types.InstanceType"])


def _is_classic(module: Module, node: ast.ClassDef, inside: tuple[ast.ClassDef, ...] = ()) -> bool:
    """Whether a class, and all it is derived from, was written without a base."""
    if node.keywords or node in inside:
        return False
    for base in node.bases:
        kinds = module.bindings(base, base.id) if isinstance(base, ast.Name) else []
        if not kinds or not all(
            isinstance(kind, ast.ClassDef) and _is_classic(module, kind, (*inside, node))
            for kind in kinds
        ):
            return False
    return True


def find(module: Module) -> Iterator[Finding]:
    """Finds classes that need the methods of today beside their own."""
    classic = {node for node in module.nodes[ast.ClassDef] if _is_classic(module, node)}
    asked = any(name in _CLASSIC for _, name in module.references)
    for node in module.nodes[ast.ClassDef]:
        if node in classic and (len(node.bases) > 1 or (asked and not node.bases)):
            yield module.finding(node, "a class without a base: names are looked up depth first")
            decorator = module.use("tfqueue.port.py2", "classic_class")
            node.decorator_list.append(decorator)
            module.settle(decorator, node, node)
        names = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
        for inner in node.body:
            if isinstance(inner, ast.Assign):
                names |= {target.id for target in inner.targets if isinstance(target, ast.Name)}
        yield from _slots(module, node, names)
        if any(getattr(inner, "name", "") == "__metaclass__" for inner in node.body):
            yield module.finding(node, "a metaclass is given in the head of the class")
            decorator = module.use("tfqueue.port.py2", "of_metaclass")
            node.decorator_list.append(decorator)
            module.settle(decorator, node, node)
        if names & _METHODS:
            first = sorted(names & _METHODS)[0]
            yield module.finding(node, f"a class with {first}: it gets today's methods, too")
            decorator = module.use("tfqueue.port.py2", "old_class")
            node.decorator_list.append(decorator)
            module.settle(decorator, node, node)


def _slots(module: Module, node: ast.ClassDef, names: set[str]) -> Iterator[Finding]:
    """`__slots__` with a name that the class has a value for: Python 2 made no slot of it."""
    for inner in node.body:
        if not isinstance(inner, ast.Assign) or not isinstance(inner.value, ast.List | ast.Tuple):
            continue
        if [getattr(target, "id", "") for target in inner.targets] != ["__slots__"]:
            continue
        kept = [one for one in inner.value.elts if getattr(one, "value", None) not in names]
        if len(kept) < len(inner.value.elts):
            yield module.finding(inner, "a slot is no attribute of the class in Python 3")
            module.replace(inner.value, type(inner.value)(kept, ast.Load()))
