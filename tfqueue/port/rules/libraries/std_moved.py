"""What the standard library moved or removed since Python 3.3.

https://docs.python.org/3/whatsnew/3.10.html#removed
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = (
    *("collections", "getargspec", "clock", "errno", "gcd", "encodestring", "decodestring"),
    *("isAlive", "cElementTree", "getchildren", "getiterator", "escape", "distutils", "imp"),
    *("dist", "U'", 'U"', "sample", "json", "assert", "(?"),
    *("parse_qs", "pipes", "random", "unescape"),
)
_ABCS = [
    *("Mapping", "MutableMapping", "Sequence", "MutableSequence", "Set", "MutableSet"),
    *("Iterable", "Iterator", "Callable", "Hashable", "Sized", "Container", "Generator"),
    *("Collection", "Awaitable", "Coroutine", "MappingView", "KeysView", "ValuesView"),
]
_ROWS = {
    **{f"collections.{name}": f"collections.abc.{name}" for name in _ABCS},
    "time.clock": "time.perf_counter",
    "inspect.getargspec": moved_names.RUNTIME + "argspec",
    "distutils.version.LooseVersion": moved_names.RUNTIME + "LooseVersion",
    "distutils.version.StrictVersion": moved_names.RUNTIME + "LooseVersion",
    **{
        f"imp.{name}": moved_names.RUNTIME + name
        for name in ("find_module", "load_module", "load_source")
    },
    "imp.new_module": "types.ModuleType",
    "imp.reload": "importlib.reload",
    "os.errno": "errno",
    "fractions.gcd": "math.gcd",
    "base64.encodestring": "base64.encodebytes",
    "base64.decodestring": "base64.decodebytes",
    "cgi.parse_qs": "urllib.parse.parse_qs",
    "cgi.parse_qsl": "urllib.parse.parse_qsl",
    "pipes.quote": "shlex.quote",
    "cgi.escape": moved_names.RUNTIME + "escape",
    "xml.etree.cElementTree": "xml.etree.ElementTree",
    "platform.dist": moved_names.RUNTIME + "no_distribution",
    "platform.linux_distribution": moved_names.RUNTIME + "no_distribution",
}
MOVED = frozenset(_ROWS)  # which `port.run.advice` asks for, too
_FLAGS = re.compile(r"(?<!\\)\(\?[aiLmsux]+\)")
_SAMPLES = {"random.sample": moved_names.RUNTIME + "sample"}
_RUNTIME = moved_names.RUNTIME.rstrip(".")
_SEQUENCES = ("range", "xrange", "list", "tuple", "sorted")
_GONE = {"imp": "importlib", "distutils.version": "importlib"}
_ASSERTS = {
    "assertEquals": "assertEqual",
    "assertNotEquals": "assertNotEqual",
    "assertItemsEqual": "assertCountEqual",
    "assertAlmostEquals": "assertAlmostEqual",
    "assertRegexpMatches": "assertRegex",
    "assertRaisesRegexp": "assertRaisesRegex",
}
_JSON = ("json.loads", "json.load", "json.dumps", "json.dump")
_SINCE = {
    "collections": "3.10",
    "distutils": "3.12",
    "imp": "3.12",
    "time": "3.8",
    "inspect": "3.11",
    "os": "3.7",
    "fractions": "3.9",
    "base64": "3.9",
    "cgi": "3.8",
    "pipes": "3.13",
    "xml": "3.9",
    "platform": "3.8",
    "random": "3.11",
}


def _universal_newlines(module: Module, call: ast.Call) -> Iterator[Finding]:
    if module.python2 or not module.is_builtin(call.func, "open"):
        return  # `tfqueue.port.py2.open` takes the mode
    given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
    for mode in given:
        text = mode.value if isinstance(mode, ast.Constant) else None
        if isinstance(text, str) and "U" in text:
            yield module.finding(mode, "the mode U is what open does of its own, since Python 3.11")
            rest = text.replace("U", "")
            module.replace(mode, ast.Constant(rest if "r" in rest else f"r{rest}"))


def _flags(module: Module) -> Iterator[Finding]:
    """Finds flags of a whole pattern that stand in its middle, or in what may be a part of one."""
    patterns = {
        call.args[0] for call, dotted in module.calls if dotted.startswith("re.") and call.args
    }
    for node in module.nodes[ast.Constant]:
        text = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
        if isinstance(text, str) and any(
            found.start() or node not in patterns for found in _FLAGS.finditer(text)
        ):
            home = "tfqueue.port.libraries.re_flags"
            why = "flags of a whole regular expression stand at its start since Python 3.11"
            yield from moved_names.installs(module, "re", home, why)
            return


def _may_sample_a_set(module: Module) -> bool:
    """Whether `random.sample` is called with what may be a set or a dictionary's keys.

    In a program for Python 2 it is that of `tfqueue.port.py2`, which takes them.
    """
    if module.python2:
        return False
    for call, dotted in module.calls:
        if dotted == "random.sample" and call.args:
            population = call.args[0]
            made = population.func if isinstance(population, ast.Call) else population
            listed = isinstance(population, ast.List | ast.ListComp | ast.Tuple)
            if not listed and not any(module.is_builtin(made, name) for name in _SEQUENCES):
                return True
    return False


def find(module: Module) -> Iterator[Finding]:
    """Finds moved names and methods, and what `json` was told about its text."""
    rows = _ROWS | _SAMPLES if _may_sample_a_set(module) else _ROWS
    yield from moved_names.find(module, rows, _why)
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name in _GONE and not _left(module, node, alias.name):
                # its functions are found elsewhere; what is left of the name is to do no harm
                yield module.finding(alias, f"{alias.name} is gone since Python 3.12")
                known_as = alias.asname or (alias.name if "." not in alias.name else None)
                module.rename(alias, _GONE[alias.name])
                alias.asname = known_as
    yield from _flags(module)
    xml = any(target.startswith(("xml.", "lxml")) for target in module.imported.values())
    for call in module.nodes[ast.Call]:
        if not isinstance(call.func, ast.Attribute):
            yield from _universal_newlines(module, call)
            continue
        name, bare = call.func.attr, not call.args and not call.keywords
        if name == "isAlive" and bare and name not in module.bound:
            yield module.finding(call, "isAlive is is_alive since Python 3.9")
            module.rename(call.func, "is_alive")
        elif name == "getchildren" and bare and xml:
            yield module.finding(call, "getchildren is list(element) since Python 3.9")
            module.replace(call, module.expression("list(owner)", owner=call.func.value))
        elif name == "getiterator" and xml:
            yield module.finding(call, "getiterator is iter since Python 3.9")
            module.rename(call.func, "iter")
        elif name in _ASSERTS and getattr(call.func.value, "id", "") == "self":
            yield module.finding(call, f"{name} is {_ASSERTS[name]} since Python 3.12")
            module.rename(call.func, _ASSERTS[name])
        elif name == "unescape" and len(call.args) == 1 and _is_parser(module, call.func.value):
            yield module.finding(call, "HTMLParser has no unescape since Python 3.9")
            module.replace(call.func, module.use("html", "unescape"))
    yield from _random(module)
    for call, dotted in module.calls:
        if dotted in _JSON and any(keyword.arg == "encoding" for keyword in call.keywords):
            yield module.finding(call, "json has no encoding since Python 3.9: its text is unicode")
            call.keywords = [keyword for keyword in call.keywords if keyword.arg != "encoding"]
            module.changed()


def _is_parser(module: Module, node: ast.expr) -> bool:
    """Whether an expression is seen to be an `HTMLParser`: it makes one, or each of its assignments does."""
    if isinstance(node, ast.Call):
        return (module.dotted(node.func) or "").rpartition(".")[2] == "HTMLParser"
    if not isinstance(node, ast.Name):
        return False
    held = [module.parents.get(place) for place in module.bindings(node, node.id)]
    made = [isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) for one in held]
    return (
        bool(held)
        and all(made)
        and all(_is_parser(module, one.value) for one in held if isinstance(one, ast.Assign))
    )


def _random(module: Module) -> Iterator[Finding]:
    """Finds `random.shuffle` of two arguments, and seeds that are times or numbers of numpy."""
    for call, dotted in module.calls:
        if module.python2:
            return  # the random of `tfqueue.port.py2` takes both
        if dotted == "random.shuffle" and len(call.args) + len(call.keywords) == 2:
            yield module.finding(call, "random.shuffle takes no function since Python 3.11")
            module.replace(call.func, module.use(_RUNTIME, "shuffle"))
        elif dotted == "random.seed" and len(call.args) == 1:
            inner = [module.dotted(node) or "" for node in ast.walk(call.args[0])]
            if any(name.startswith(("datetime.", "numpy.")) for name in inner):
                yield module.finding(call, "random.seed takes numbers and text since Python 3.11")
                module.replace(call.func, module.use(_RUNTIME, "seed"))


def _why(old: str, new: str) -> str:
    since = _SINCE[old.partition(".")[0]]
    return f"{old} is {new.removeprefix('tfqueue.port.')} since Python {since}"


def _left(module: Module, node: ast.AST, name: str) -> bool:
    """Whether an import is taken care of by the program, or means a module of its own."""
    return module.guarded(node) or module.has_own(name)
