"""Modules of the standard library that were renamed or changed: `cPickle`, `urllib2`, `string`...

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from tfqueue.port.program import python_signs, stars
from tfqueue.port.program.module import GFILES, Module, argument
from tfqueue.port.program.patterns import KEPT_ESCAPE, PATTERNS, is_as_in_python_2
from tfqueue.port.program.python2_library import CHANGED, MODULES
from tfqueue.port.source.finding import Finding

WORDS = ("import",)
PYTHON2 = True
_HOME = "tfqueue.port.py2.modules"
# The place of the flags among the arguments of a function of `re`
_FLAGS = {"compile": 1, "split": 3, "sub": 4, "subn": 4} | dict.fromkeys(
    ("findall", "finditer", "match", "search"), 2
)
# Python 2 never looked for a file of these
_BUILT_IN = frozenset(["__builtin__", "exceptions", "thread"])


def find(module: Module) -> Iterator[Finding]:
    """Finds imports of what Python 2 had under this name, or otherwise."""
    for node in module.nodes[ast.ImportFrom]:
        name = node.module
        if node.level or name not in MODULES or module.has_own(name) or _chosen(module, node):
            continue
        names = {alias.name for alias in node.names}
        if _exists(name) and not names & ({"*"} | CHANGED[name]):
            continue
        if name == "re" and not _finds_otherwise(module):
            continue
        written = _may_write(module, name)
        if written and not module.has_its_line(node):
            continue  # no room for two imports: it is the program's own, or not found
        yield module.finding(node, f"{name} is another module in Python 3")
        if written:
            theirs = ast.ImportFrom(f"{_HOME}.{name}", node.names, 0)
            module.replace(node, [_either(module, name, node, theirs)])
        else:
            node.module = f"{_HOME}.{name}"
            module.changed()
    for node in module.nodes[ast.Import]:
        old = [alias for alias in node.names if _is_old(module, alias)]
        either = [alias for alias in old if _may_write(module, alias.name)]
        if either and (_chosen(module, node) or not module.has_its_line(node)):
            old, either = [alias for alias in old if alias not in either], []
        if not old:
            continue
        yield module.finding(node, f"{old[0].name} is another module in Python 3")
        kept = [alias for alias in node.names if alias not in old]
        moved = [alias for alias in old if alias not in either]
        new: list[ast.stmt] = [ast.Import(kept)] if kept else []
        new += [ast.ImportFrom(_HOME, moved, 0)] if moved else []
        for alias in either:
            theirs = ast.ImportFrom(_HOME, [alias], 0)
            new.append(_either(module, alias.name, ast.Import([alias]), theirs))
        module.replace(node, new)
    yield from _behind_stars(module)


def _behind_stars(module: Module) -> Iterator[Finding]:
    """Imports once more what `from one_of_its_own import *` binds to the module of Python 3."""
    loaded = {node.id for node in module.nodes[ast.Name] if isinstance(node.ctx, ast.Load)}
    top = [node for node in module.tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    for place, node in enumerate(top):
        if not isinstance(node, ast.ImportFrom) or node.names[0].name != "*":
            continue
        again = []
        bound_later = {a.asname or a.name for each in top[place + 1 :] for a in each.names}
        found = stars.libraries(module.path, node.level, node.module or "")
        for known, name in found.items():
            alias = ast.alias(name, known if known != name else None)
            plain = module.imported.get(known) == name and known in loaded - bound_later
            if plain and _is_old(module, alias) and not _may_write(module, name):
                again.append(alias)
        if again:
            yield module.finding(node, f"{again[0].name} is another module in Python 3")
            module.replace(node, [copy.deepcopy(node), ast.ImportFrom(_HOME, again, 0)])


def _may_write(module: Module, name: str) -> bool:
    """Whether a module may be the program's own by the time that it is imported.

    What Python 3 has too, and what Python 2 looked for in no file, is never replaced by one.
    """
    return not _exists(name) and name not in _BUILT_IN and python_signs.names_file_of(module, name)


def _either(module: Module, name: str, own: ast.stmt, theirs: ast.stmt) -> ast.If:
    """Imports the program's own module if there is one when the program gets there."""
    found = module.call("find_spec", ast.Constant(name), home="importlib.util")
    return ast.If(found, [copy.deepcopy(own)], [copy.deepcopy(theirs)])


def _chosen(module: Module, node: ast.AST) -> bool:
    """Whether an import is one of two already, as `_either` writes them."""
    test = getattr(module.parents[node], "test", None)
    return isinstance(test, ast.Call) and module.dotted(test.func) == "importlib.util.find_spec"


def _is_old(module: Module, alias: ast.alias) -> bool:
    name = alias.name
    if name not in MODULES or module.has_own(name):
        return False
    if not _exists(name):
        return True
    front, known = f"{name}.", alias.asname or name
    used = {
        dotted[len(front) :].partition(".")[0]
        for _, dotted in module.references
        if dotted.startswith(front)
    }
    if name == "urllib" and used & {"request", "parse", "error"}:
        return False
    if name == "re" and not _finds_otherwise(module):
        return False
    whole = any(
        isinstance(module.parents[node], ast.Call | ast.Assign)
        for node in module.nodes[ast.Name]
        if node.id == known and isinstance(node.ctx, ast.Load)
    )
    return (
        whole
        or bool(used & CHANGED[name])
        or (
            # what is bound in a way that references don't follow
            not used and name in ("random", "pickle", "math")
        )
    )


def _finds_otherwise(module: Module) -> bool:
    """Whether the functions of `re` may find something else in a module, or refuse what it gives."""
    return (
        _has_pattern_of_python_2(module)
        or _reads_bytes(module)
        or _looks_for_bytes(module)
        or any(_encodes(module, call) for call in module.nodes[ast.Call])
    )


def _encodes(module: Module, call: ast.Call) -> bool:
    """Whether a call gives bytes of a text: `u.encode("utf-8")`."""
    func = call.func
    return isinstance(func, ast.Attribute) and func.attr == "encode" and module.dotted(func) is None


def _looks_for_bytes(module: Module) -> bool:
    """Whether a pattern is bytes, which may be looked for in text."""
    for call, dotted in module.calls:
        home, _, name = dotted.rpartition(".")
        if home == "re" and name in (*PATTERNS, "match", "search"):
            pattern = argument(call, 0, "pattern")
            if isinstance(pattern, ast.Constant) and isinstance(pattern.value, bytes):
                return True
    return False


def _reads_bytes(module: Module) -> bool:
    """Whether a module opens a file as bytes, which a text may be looked for in."""
    for call in module.nodes[ast.Call]:
        if module.dotted(call.func) in GFILES or module.is_builtin(call.func, "open"):
            if "b" in str(getattr(argument(call, 1, "mode"), "value", "")):
                return True
    return False


def _has_pattern_of_python_2(module: Module) -> bool:
    """Whether Python 2 took a pattern otherwise, or what replaces its matches."""
    called = {id(call.func): call for call, _ in module.calls}
    for node, dotted in module.references:
        home, _, name = dotted.rpartition(".")
        if home != "re" or name not in _FLAGS:
            continue
        call = called.get(id(node))
        if call is None or argument(call, _FLAGS[name], "flags") is not None:
            return True
        pattern = getattr(argument(call, 0, "pattern"), "value", None)
        if not isinstance(pattern, str | bytes) or not is_as_in_python_2(pattern, name):
            return True
        if name in ("sub", "subn"):
            new = getattr(argument(call, 1, "repl"), "value", None)
            if isinstance(new, str) and KEPT_ESCAPE.search(new):
                return True
    return False


def _exists(name: str) -> bool:
    """Whether Python 3 has a module of this name."""
    return name in CHANGED
