"""`self._stop = Event()` in a thread: since Python 3 these are names of `threading.Thread`'s own.

https://docs.python.org/3/library/threading.html#thread-objects
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("Thread",)
PYTHON2 = True
_OWN = frozenset(
    "_args _daemonic _handle _ident _initialized _invoke_excepthook _is_stopped _kwargs _name "
    "_native_id _os_thread_handle _started _stderr _stop _target _tstate_lock".split()
)
_SEEN_OUTSIDE = ("_started", "_stop")
"""Those that a program asks its threads for; the others may be of any object's."""


def find(module: Module) -> Iterator[Finding]:
    """Finds attributes that a class of threads, or one it is derived from, gives such a name."""
    classes = {owner.name: owner for owner in module.nodes[ast.ClassDef]}
    outside = set()
    for owner in module.nodes[ast.ClassDef]:
        family, unseen = _family(owner, classes)
        if not any(ast.unparse(base).endswith("Thread") for one in family for base in one.bases):
            continue
        defined = {name for one in family for node in one.body for name in _defined(node)}
        own = [node for node in _own(owner) if node.attr not in defined]
        given = {n.attr for one in family for n in _own(one) if isinstance(n.ctx, ast.Store)}
        named = {node.attr for node in own if unseen or node.attr in given}
        outside.update(named.intersection(_SEEN_OUTSIDE))
        yield from _renamed(module, (node for node in own if node.attr in named))
    yield from _renamed(module, (n for n in module.nodes[ast.Attribute] if n.attr in outside))


def _own(owner: ast.ClassDef) -> list[ast.Attribute]:
    """Where a class uses such an attribute of its objects."""
    return [
        node
        for node in ast.walk(owner)
        if isinstance(node, ast.Attribute) and _is_self(node.value) and node.attr in _OWN
    ]


def _family(
    owner: ast.ClassDef, classes: dict[str, ast.ClassDef]
) -> tuple[list[ast.ClassDef], bool]:
    """A class and those of the file that it is derived from, and whether one is of another file."""
    family, unseen, waiting = [], False, [owner]
    while waiting:
        one = waiting.pop()
        if one in family:
            continue
        family.append(one)
        for base in map(ast.unparse, one.bases):
            if base in classes:
                waiting.append(classes[base])
            elif base not in ("Thread", "threading.Thread", "object"):
                unseen = True
    return family, unseen


def _defined(node: ast.AST) -> list[str]:
    """The names that a statement of a class's body gives to the class."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [node.name]
    targets = getattr(node, "targets", [])
    return [
        each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
    ]


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _renamed(module: Module, nodes: Iterable[ast.Attribute]) -> Iterator[Finding]:
    for node in nodes:
        yield module.finding(
            node, f"{node.attr} is a name of threading.Thread's own since Python 3"
        )
        module.rename(node, f"{node.attr}_")
