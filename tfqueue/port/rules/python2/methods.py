"""`d.has_key(k)`, `d.iteritems()`, `d.keys()[0]`, `it.next()`, `l.sort(cmp)`, `error.message`.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = (
    *("keys", "values", "items", "has_key", "next", "sort", "message", "func_", "im_", "view"),
    "xreadlines",
)
PYTHON2 = True
_LISTS = frozenset(["keys", "values", "items"])
_ITERATORS = frozenset(["iterkeys", "itervalues", "iteritems"])
_MOVED = _LISTS | _ITERATORS | {"has_key", "next"}
_VIEWS = {"viewkeys": "keys", "viewvalues": "values", "viewitems": "items"}
_RENAMED = {
    **{f"func_{name}": f"__{name}__" for name in ("name", "code", "defaults", "doc", "globals")},
    **{f"func_{name}": f"__{name}__" for name in ("closure", "dict")},
    "im_func": "__func__",
    "im_self": "__self__",
}
# What takes all there is at once, or asks what does not change.
_KINDS = frozenset(["dict", "defaultdict", "OrderedDict", "Counter"])
_TAKERS = frozenset(
    [*("list", "tuple", "set", "frozenset", "len", "sorted", "sum", "min", "max", "dict"), "any"]
)
_CHANGES = frozenset(["pop", "popitem", "clear", "update", "setdefault", "append", "add"])


def find(module: Module) -> Iterator[Finding]:
    """Finds methods that changed; functions that ask the object first stand in their place."""
    bound_to_errors = {node.name for node in module.nodes[ast.ExceptHandler] if node.name}
    stored = {n.attr for n in module.nodes[ast.Attribute] if isinstance(n.ctx, ast.Store)}
    own = module.bound | stored
    functions = {one.name for one in module.nodes[ast.FunctionDef]}
    for node in module.nodes[ast.Attribute]:
        if not isinstance(node.ctx, ast.Load):
            continue
        call = module.parents[node]
        called = isinstance(call, ast.Call) and call.func is node
        if isinstance(call, ast.Call) and called:
            changed = list(_call(module, call, node))
            yield from changed
            if changed:
                continue
        if node.attr in _MOVED and module.parents.get(node) is call and not module.dotted(node):
            # what was not replaced with its call: `map(d.has_key, keys)`, `dict.iteritems(d)`
            if node.attr != "next" or not called:
                yield from _held(module, call, node, node.attr in functions)
        elif node.attr == "message" and getattr(node.value, "id", "") in bound_to_errors:
            yield module.finding(node, "an exception has no message in Python 3")
            module.replace(node, module.call("message", node.value))
        if node.attr in _RENAMED and node.attr not in own:
            yield module.finding(node, f"{node.attr} is {_RENAMED[node.attr]} in Python 3")
            module.rename(node, _RENAMED[node.attr])


def _call(module: Module, call: ast.Call, func: ast.Attribute) -> Iterator[Finding]:
    name, bare = func.attr, not call.args and not call.keywords
    dotted = module.dotted(func)
    if dotted and not dotted.startswith("os.environ"):
        return
    if name in _LISTS and bare:
        if not _leaves_nothing(module, call):
            yield module.finding(call, f"{name} gives a view: left to run time")
            module.replace(call, module.call(name, func.value))
    elif name in _ITERATORS and bare:
        yield module.finding(call, f"{name} is {name[4:]} in Python 3: left to run time")
        module.replace(call, module.call(name, func.value))
    elif name in _VIEWS and bare:
        yield module.finding(call, f"{name} is {_VIEWS[name]} in Python 3")
        module.rename(func, _VIEWS[name])
    elif name == "has_key" and len(call.args) == 1:
        yield module.finding(call, "has_key is `in` in Python 3: left to run time")
        module.replace(call, module.call("has_key", func.value, call.args[0]))
    elif name == "next" and bare and getattr(func.value, "id", "") != "self":
        yield module.finding(call, "an iterator's method is __next__: left to run time")
        module.replace(call, module.call("advance", func.value))
    elif name == "xreadlines" and bare:
        yield module.finding(call, "xreadlines is gone: a file gives its lines")
        module.replace(call, func.value)
    elif name == "sort" and not any(k.arg in ("axis", "kind", "order") for k in call.keywords):
        # numpy's `sort(0)` takes an axis there
        if call.args and isinstance(call.args[0], ast.Constant | ast.UnaryOp):
            return
        compares = call.args or any(k.arg == "cmp" for k in call.keywords)
        yield module.finding(
            call,
            "sort takes no comparing function since Python 3"
            if compares
            else "Python 2 orders any two things: left to run time",
        )
        new = module.call("sort", func.value, *call.args)
        new.keywords = call.keywords
        module.replace(call, new)


def _held(module: Module, user: ast.AST, node: ast.Attribute, own: bool) -> Iterator[Finding]:
    kept = isinstance(user, ast.Call) and user.func is node and not user.args
    of_kind = getattr(node.value, "id", "") in _KINDS
    own = own or getattr(node.value, "id", "") == "self"
    if kept or (own and not of_kind):
        return
    if node.attr in _LISTS and not (
        of_kind
        or (isinstance(user, ast.Call) and node in user.args)
        or (isinstance(user, ast.Assign) and isinstance(user.targets[0], ast.Name))
    ):
        return  # most of them are attributes that hold data
    yield module.finding(node, f"{node.attr} is another method in Python 3: left to run time")
    module.replace(node, module.call("method", node.value, ast.Constant(node.attr)))


def _leaves_nothing(module: Module, call: ast.Call) -> bool:
    """Whether a view is gone through at once, and nothing can change meanwhile."""
    parent = module.parents[call]
    if isinstance(parent, ast.comprehension):
        return parent.iter is call and not isinstance(module.parents[parent], ast.GeneratorExp)
    if isinstance(parent, ast.Compare):
        return isinstance(parent.ops[0], ast.In | ast.NotIn) and parent.comparators[0] is call
    if isinstance(parent, ast.For):
        return parent.iter is call and not any(map(_changes, parent.body))
    return (
        isinstance(parent, ast.Call)
        and isinstance(parent.func, ast.Name)
        and parent.func.id in _TAKERS
        and parent.args[:1] == [call]
    )


def _changes(statement: ast.AST) -> bool:
    """Whether a statement can change a dictionary; calls of functions are taken to."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Delete):
            return True
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", None)
            if name in _CHANGES:
                return True
    return False
