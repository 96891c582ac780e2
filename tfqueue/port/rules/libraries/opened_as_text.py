"""Files opened as text that hold bytes: pictures, graphs, arrays. Python 2 made no difference.

https://docs.python.org/3/whatsnew/3.0.html#text-vs-data-instead-of-unicode-vs-8-bit
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import GFILES, Module, argument
from tfqueue.port.rules.opened_files import TEXT_MODES, attributes, open_as
from tfqueue.port.source.finding import Finding

WORDS = ("open", "GFile", "gfile")
_HARMLESS = frozenset(["close", "flush", "seek", "tell", "name"])
# What gives bytes, whatever it is called on, and what TensorFlow's sessions give: bytes or arrays.
_GIVES_BYTES = frozenset(["tobytes", "tostring", "SerializeToString"])
_GIVE_BYTES = frozenset(["struct.pack", "pickle.dumps", "cPickle.dumps", "zlib.compress"])
_SESSIONS = frozenset(["tensorflow.Session", "tensorflow.InteractiveSession"])
_TAKES_BYTES = frozenset(["ParseFromString", "MergeFromString", "FromString"])


def find(module: Module) -> Iterator[Finding]:
    """Finds files of which every use shows that they hold bytes."""
    for call in module.nodes[ast.Call]:
        gfile = module.dotted(call.func) in GFILES
        if not (gfile or module.is_builtin(call.func, "open")) or not call.args:
            continue
        mode = argument(call, 1, "mode")
        if mode is None and (len(call.args) > 1 or call.keywords):
            continue
        if mode is not None and getattr(mode, "value", None) not in TEXT_MODES:
            continue
        # a gfile takes bytes as it is, whatever its mode
        uses = {"read"} if gfile else {"read", "write"}
        if not _all_bytes(module, call, uses):
            continue
        yield module.finding(
            call, "bytes, in a file that is opened as text: Python 2 made no difference"
        )
        open_as(module, call, mode)


def _all_bytes(module: Module, call: ast.Call, methods: set[str]) -> bool:
    found = False
    for attribute in attributes(module, call):
        if not isinstance(attribute, ast.Attribute):
            return False
        if attribute.attr in _HARMLESS:
            continue
        use = module.parents[attribute]
        if attribute.attr not in methods or not isinstance(use, ast.Call):
            return False
        if attribute.attr == "write":
            sure = len(use.args) == 1 and _is_bytes(module, use.args[0])
        else:
            sure = _goes_to_a_decoder(module, use)
        if not sure:
            return False
        found = True
    return found


def _values(module: Module, node: ast.Name) -> list[ast.expr | None]:
    """What a name is bound to; None stands for what is no plain assignment."""
    values: list[ast.expr | None] = []
    for place in module.bindings(node, node.id):
        parent = module.parents.get(place)
        plain = isinstance(parent, ast.Assign) and parent.targets == [place]
        values.append(parent.value if isinstance(parent, ast.Assign) and plain else None)
    return values


def _is_bytes(module: Module, node: ast.AST | None) -> bool:
    if isinstance(node, ast.Name):
        values = _values(module, node)
        return bool(values) and all(
            isinstance(value, ast.Call) and _is_bytes(module, value) for value in values
        )
    if not isinstance(node, ast.Call):
        return False
    if module.dotted(node.func) in _GIVE_BYTES:
        return True
    if not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in _GIVES_BYTES:
        return True
    if node.func.attr == "eval":
        return module.python2 or any(keyword.arg == "session" for keyword in node.keywords)
    return node.func.attr == "run" and _is_session(module, node.func.value)


def _is_session(module: Module, node: ast.AST) -> bool:
    if not isinstance(node, ast.Name):
        return False
    made = _values(module, node)
    for place in module.bindings(node, node.id):
        item = module.parents.get(place)
        if isinstance(item, ast.withitem):
            made.append(item.context_expr)
    return any(isinstance(v, ast.Call) and module.dotted(v.func) in _SESSIONS for v in made)


def _goes_to_a_decoder(module: Module, read: ast.Call) -> bool:
    parent = module.parents[read]
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0]
        return any(_takes_bytes(module, node) for node in module.uses(name, name.id))
    return _takes_bytes(module, read)


def _takes_bytes(module: Module, node: ast.AST) -> bool:
    """Whether a value is handed to TensorFlow's decoders, or to a message of protobuf."""
    call = module.parents[node]
    if not isinstance(call, ast.Call) or node not in call.args:
        return False
    dotted = module.dotted(call.func) or ""
    if dotted.startswith(("tensorflow.image.decode_", "tensorflow.decode_raw")):
        return True
    return isinstance(call.func, ast.Attribute) and call.func.attr in _TAKES_BYTES
