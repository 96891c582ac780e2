"""Modules of the standard library that were renamed or changed: `cPickle`, `urllib2`, `string`...

https://docs.python.org/3/whatsnew/3.0.html#library-changes
"""

import ast

from tfqueue.port import signs

WORDS = ("import",)
PYTHON2 = True
_HOME = "tfqueue.port.py2.modules"
# Python 2 never looked for a file of these
_BUILT_IN = frozenset(["__builtin__", "exceptions", "thread"])


def find(module):
    """Finds imports of what Python 2 had under this name, or otherwise."""
    from tfqueue.port.py2.modules import CHANGED, HOMES

    for node in module.nodes[ast.ImportFrom]:
        if node.level or node.module not in HOMES or _is_own(module, node.module):
            continue
        names = {alias.name for alias in node.names}
        if _exists(node.module) and not names & ({"*"} | _different(node.module, CHANGED)):
            continue
        yield module.finding(node, f"{node.module} is another module in Python 3")
        node.module = f"{_HOME}.{node.module}"
        module.changed()
    for node in module.nodes[ast.Import]:
        old = [alias for alias in node.names if _is_old(module, alias, HOMES, CHANGED)]
        if not old:
            continue
        yield module.finding(node, f"{old[0].name} is another module in Python 3")
        kept = [alias for alias in node.names if alias not in old]
        new = [ast.Import(kept)] if kept else []
        module.replace(node, [*new, ast.ImportFrom(_HOME, old, 0)])


def _is_own(module, name):
    """Whether a module is the program's own, or is one by the time that it is imported."""
    if module.has_own(name):
        return True
    if _exists(name) or name in _BUILT_IN:
        return False
    return signs.names_file_of(module, name)


def _is_old(module, alias, homes, changed):
    name = alias.name
    if name not in homes or _is_own(module, name):
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
        *("gzip", "struct", "subprocess", "zipfile"),
        *("base64", "csv", "hashlib", "itertools", "json", "math", "operator", "pickle", "random"),
        *("string", "types", "urllib", "zlib"),
    )
