"""Modules of the standard library that were renamed or changed: `cPickle`, `urllib2`, `string`...

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

import ast
import copy

from tfqueue.port.program import python_signs

WORDS = ("import",)
PYTHON2 = True
_HOME = "tfqueue.port.py2.modules"
# Python 2 never looked for a file of these
_BUILT_IN = frozenset(["__builtin__", "exceptions", "thread"])


def find(module):
    """Finds imports of what Python 2 had under this name, or otherwise."""
    from tfqueue.port.py2.modules import CHANGED, HOMES

    for node in module.nodes[ast.ImportFrom]:
        name = node.module
        if node.level or name not in HOMES or module.has_own(name) or _chosen(module, node):
            continue
        names = {alias.name for alias in node.names}
        if _exists(name) and not names & ({"*"} | _different(name, CHANGED)):
            continue
        if name == "re" and not _may_match_nothing(module):
            continue
        either = _may_write(module, name)
        if either and not module.has_its_line(node):
            continue  # no room for two imports: it is the program's own, or not found
        yield module.finding(node, f"{name} is another module in Python 3")
        if either:
            old = ast.ImportFrom(f"{_HOME}.{name}", node.names, 0)
            module.replace(node, [_either(module, name, node, old)])
        else:
            node.module = f"{_HOME}.{name}"
            module.changed()
    for node in module.nodes[ast.Import]:
        old = [alias for alias in node.names if _is_old(module, alias, HOMES, CHANGED)]
        either = [alias for alias in old if _may_write(module, alias.name)]
        if either and (_chosen(module, node) or not module.has_its_line(node)):
            old, either = [alias for alias in old if alias not in either], []
        if not old:
            continue
        yield module.finding(node, f"{old[0].name} is another module in Python 3")
        kept = [alias for alias in node.names if alias not in old]
        moved = [alias for alias in old if alias not in either]
        new = [ast.Import(kept)] if kept else []
        new += [ast.ImportFrom(_HOME, moved, 0)] if moved else []
        for alias in either:
            own, theirs = ast.Import([alias]), ast.ImportFrom(_HOME, [alias], 0)
            new.append(_either(module, alias.name, own, theirs))
        module.replace(node, new)


def _may_write(module, name):
    """Whether a module may be the program's own by the time that it is imported.

    What Python 3 has too, and what Python 2 looked for in no file, is never replaced by one.
    """
    return not _exists(name) and name not in _BUILT_IN and python_signs.names_file_of(module, name)


def _either(module, name, own, theirs):
    """Imports the program's own module if there is one when the program gets there."""
    found = module.call("find_spec", ast.Constant(name), home="importlib.util")
    return ast.If(found, [copy.deepcopy(own)], [copy.deepcopy(theirs)])


def _chosen(module, node):
    """Whether an import is one of two already, as `_either` writes them."""
    test = getattr(module.parents[node], "test", None)
    return isinstance(test, ast.Call) and module.dotted(test.func) == "importlib.util.find_spec"


def _is_old(module, alias, homes, changed):
    name = alias.name
    if name not in homes or module.has_own(name):
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
    if name == "re" and not _may_match_nothing(module):
        return False
    whole = any(
        isinstance(module.parents[node], ast.Call | ast.Assign)
        for node in module.nodes[ast.Name]
        if node.id == known and isinstance(node.ctx, ast.Load)
    )
    return (
        whole
        or bool(used & _different(name, changed))
        or (
            # what is bound in a way that references don't follow
            not used and name in ("random", "pickle", "math")
        )
    )


def _may_match_nothing(module):
    """Whether a pattern that the module searches for may match nothing, which Python 3.7 changed."""
    from tfqueue.port.py2 import regex

    called = {id(call.func): call for call, _ in module.calls}
    for node, dotted in module.references:
        home, _, name = dotted.rpartition(".")
        if home != "re" or name not in regex.CHANGED:
            continue
        call = called.get(id(node))
        given = [word.value for word in call.keywords if word.arg == "pattern"] if call else []
        pattern = next(iter([*call.args, *given] if call else []), None)
        if not isinstance(pattern, ast.Constant) or not isinstance(pattern.value, str | bytes):
            return True
        if regex.may_match_nothing(pattern.value):
            return True
    return False


def _different(name, changed):
    if name == "urllib":
        return {"urlopen", "urlretrieve", "urlencode", "quote", "unquote", "quote_plus"} | {
            *("unquote_plus", "URLopener", "FancyURLopener", "pathname2url", "url2pathname"),
            "urlcleanup",
        }
    return set(changed.get(name, ()))


def _exists(name):
    """Whether Python 3 has a module of this name."""
    return name in (
        *("gzip", "re", "struct", "subprocess", "zipfile"),
        *("base64", "csv", "hashlib", "itertools", "json", "math", "operator", "pickle", "random"),
        *("string", "types", "urllib", "zlib"),
    )
