"""`self._stop = Event()` in a thread: since Python 3 these are names of `threading.Thread`'s own.

https://docs.python.org/3/library/threading.html#thread-objects
"""

import ast

WORDS = ("Thread",)
PYTHON2 = True
_OWN = frozenset(
    [
        "_args",
        "_daemonic",
        "_handle",
        "_ident",
        "_initialized",
        "_invoke_excepthook",
        "_is_stopped",
        "_kwargs",
        "_name",
        "_native_id",
        "_os_thread_handle",
        "_started",
        "_stderr",
        "_stop",
        "_target",
        "_tstate_lock",
    ]
)
_SEEN_OUTSIDE = ("_started", "_stop")
"""Those that a program asks its threads for; the others may be of any object's."""


def find(module):
    """Finds attributes that a class of threads gives such a name."""
    outside = set()
    for owner in module.nodes[ast.ClassDef]:
        if not any(ast.unparse(base).endswith("Thread") for base in owner.bases):
            continue
        own = [
            node
            for node in ast.walk(owner)
            if isinstance(node, ast.Attribute) and _is_self(node.value) and node.attr in _OWN
        ]
        given = {node.attr for node in own if isinstance(node.ctx, ast.Store)}
        outside.update(given.intersection(_SEEN_OUTSIDE))
        yield from _renamed(module, (node for node in own if node.attr in given))
    yield from _renamed(module, (n for n in module.nodes[ast.Attribute] if n.attr in outside))


def _is_self(node):
    return isinstance(node, ast.Name) and node.id == "self"


def _renamed(module, nodes):
    for node in nodes:
        yield module.finding(
            node, f"{node.attr} is a name of threading.Thread's own since Python 3"
        )
        module.rename(node, f"{node.attr}_")
