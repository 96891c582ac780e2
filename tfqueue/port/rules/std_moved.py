"""What the standard library moved or removed since Python 3.3.

https://docs.python.org/3/whatsnew/3.10.html#removed
"""

import ast

from tfqueue.port import moves
from tfqueue.port.edits import Edit

WORDS = (
    "collections",
    "getargspec",
    "clock",
    "errno",
    "gcd",
    "encodestring",
    "decodestring",
    "maketrans",
    "isAlive",
    "cElementTree",
    "getchildren",
    "getiterator",
    "escape",
    "async",
    "distutils",
    "imp",
    "exceptions",
)
_ABCS = [
    "Mapping",
    "MutableMapping",
    "Sequence",
    "MutableSequence",
    "Set",
    "MutableSet",
    "Iterable",
    "Iterator",
    "Callable",
    "Hashable",
    "Sized",
    "Container",
    "Generator",
    "Collection",
    "Awaitable",
    "Coroutine",
]
_ROWS = {
    **{f"collections.{name}": f"collections.abc.{name}" for name in _ABCS},
    "time.clock": "time.perf_counter",
    "inspect.getargspec": moves.RUNTIME + "argspec",
    "distutils.version.LooseVersion": moves.RUNTIME + "LooseVersion",
    "distutils.version.StrictVersion": moves.RUNTIME + "LooseVersion",
    "imp.load_source": moves.RUNTIME + "load_source",
    "imp.reload": "importlib.reload",
    "os.errno": "errno",
    "fractions.gcd": "math.gcd",
    "base64.encodestring": "base64.encodebytes",
    "base64.decodestring": "base64.decodebytes",
    "string.maketrans": "str.maketrans",
    "cgi.escape": "html.escape",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
}
_GONE = {"imp": "importlib", "distutils.version": "importlib", "exceptions": "builtins"}
_BOUND = {"imp": "imp", "exceptions": "exceptions"}
_SINCE = {
    "collections": "3.10",
    "distutils": "3.12",
    "imp": "3.12",
    "time": "3.8",
    "inspect": "3.11",
    "os": "3.7",
    "fractions": "3.9",
    "base64": "3.9",
    "string": "3.0",
    "cgi": "3.8",
    "xml": "3.9",
}
_WHY = {
    old: f"{old} is {new.removeprefix('tfqueue.port.')} since Python {_SINCE[old.partition('.')[0]]}"
    for old, new in _ROWS.items()
}


def find(module):
    """Finds moved names, `thread.isAlive()`, `tree.getchildren()`."""
    yield from moves.find(module, _ROWS, _WHY)
    for node in module.nodes[ast.ImportFrom]:
        if node.module == "exceptions" and not node.level and not _left(module, node, node.module):
            start = module.start(node) + len("from")
            start = module.text.index("exceptions", start)
            edit = Edit(start, start + len("exceptions"), "builtins")
            yield module.finding(node, "exceptions is gone since Python 3.0", [edit])
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name == "xml.etree.cElementTree" and not module.guarded(node):
                start = module.start(alias)
                edit = Edit(start, start + len(alias.name), "xml.etree.ElementTree")
                yield module.finding(alias, _WHY[alias.name], [edit])
            elif alias.name in _GONE and not _left(module, node, alias.name):
                # its functions are found elsewhere; what is left of the name is to do no harm
                known_as = alias.asname or _BOUND.get(alias.name)
                new = _GONE[alias.name] + (f" as {known_as}" if known_as else "")
                since = "3.0" if alias.name == "exceptions" else "3.12"
                message = f"{alias.name} is gone since Python {since}"
                yield module.finding(alias, message, [module.replace(alias, new)])
    xml = any(target.startswith(("xml.", "lxml")) for target in module.imported.values())
    for call in module.nodes[ast.Call]:
        if not isinstance(call.func, ast.Attribute) or call.args or call.keywords:
            continue
        name = call.func.attr
        if name == "isAlive" and name not in module.bound:
            end = module.end(call.func)
            edit = Edit(end - len(name), end, "is_alive")
            yield module.finding(call, "isAlive is is_alive since Python 3.9", [edit])
        elif name == "getchildren" and xml and module.is_line(call):
            new = f"list({module.source(call.func.value)})"
            message = "getchildren is list(element) since Python 3.9"
            yield module.finding(call, message, [module.replace(call, new)])
    for call in module.nodes[ast.Call]:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "getiterator" and xml:
            end = module.end(call.func)
            edit = Edit(end - len("getiterator"), end, "iter")
            yield module.finding(call, "getiterator is iter since Python 3.9", [edit])


def _left(module, node, name):
    """Whether an import is taken care of by the program, or means a module of its own."""
    return module.guarded(node) or module.has_beside(name)
