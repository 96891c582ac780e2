"""Names that outlived their place: `[x for x in y]; x`, `except E, e: ...; e`, `import *` in a function.

https://docs.python.org/3/whatsnew/3.0.html#changed-syntax
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

_OWN_SCOPE = (ast.GeneratorExp, ast.SetComp, ast.DictComp)
WORDS = ("for", "except", "import *", "yield")
PYTHON2 = True


def find(module: Module) -> Iterator[Finding]:
    """Finds variables of list comprehensions and handlers that are read afterwards."""
    yield from _leaking(module)
    for node in module.nodes[ast.ExceptHandler]:
        yield from _handler(module, node)
    for node in module.nodes[ast.FunctionDef]:
        yield from _generator(module, node)
    for node in module.nodes[ast.ImportFrom]:
        function = module.scope(node)
        if node.names[0].name == "*" and isinstance(function, ast.FunctionDef):
            yield from _star(module, node, function)


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _leaking(module: Module) -> Iterator[Finding]:
    """List comprehensions set variables of the function, in each turn: `[... if [(x := tfq_x)]]` does so, too."""
    kept: dict[ast.AST, set[str]] = {node: set() for node in module.nodes[ast.ListComp]}
    for node in module.nodes[ast.ListComp]:
        scope = module.scope(node)
        around, within_iterable = _around(module, node, scope)
        if any(isinstance(one, _OWN_SCOPE) for one in around):
            continue
        for name in sorted(_targets(node)):
            if not (
                _is_read_behind(module, node, name, scope)
                or _is_captured(module, node, name, scope)
                or _is_read_first(node, name)
            ):
                continue
            if within_iterable or isinstance(scope, ast.ClassDef):
                # Python 3 allows no `:=` there
                message = (
                    f"Python 2 keeps {name} behind the list comprehension; it is not kept here"
                )
                yield module.finding(node, message, changed=False, told=True)
                continue
            # it is one variable with that of the same name around it
            for one in (node, *around):
                kept[one] |= {name} & _targets(one)
    for node in module.nodes[ast.ListComp]:
        if kept[node]:
            name = min(kept[node])
            yield module.finding(node, f"Python 2 keeps {name} behind the list comprehension")
            _keep(module, node, kept[node])


def _around(module: Module, node: ast.ListComp, scope: ast.AST) -> tuple[list[ast.AST], bool]:
    """The comprehensions that compute a node in each turn, and whether it stands in an iterable of one."""
    found: list[ast.AST] = []
    within_iterable = False
    child: ast.AST = node
    generator: ast.AST | None = None
    for parent in module.ancestors(node):
        if parent is scope:
            break
        if isinstance(parent, ast.comprehension):
            generator = parent
            within_iterable |= child is parent.iter
            first = child is parent.iter
        elif isinstance(parent, (ast.ListComp, *_OWN_SCOPE)):
            # the first iterable is computed outside
            if not (generator is parent.generators[0] and first):
                found.append(parent)
            generator, first = None, False
        child = parent
    return found, within_iterable


def _targets(node: ast.AST) -> set[str]:
    """The variables that a comprehension sets."""
    return {name.id for name in _all_stored(node)}


def _all_stored(node: ast.AST) -> list[ast.Name]:
    return [name for generator in getattr(node, "generators", ()) for name in _stored(generator)]


def _stored(generator: ast.comprehension) -> list[ast.Name]:
    return [
        name
        for name in ast.walk(generator.target)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    ]


def _keep(module: Module, node: ast.AST, names: set[str]) -> None:
    """Gives targets of a comprehension other names, and sets the function's variables to them in each turn."""
    generators = getattr(node, "generators", [])
    for place, old in enumerate(generators):
        parts: list[ast.expr] = []
        for target in _stored(old):
            if target.id in names:
                own = ast.Name(f"tfq_{target.id}", ast.Load())
                parts.append(ast.NamedExpr(ast.Name(target.id, ast.Store()), own))
                module.rename(target, own.id)
        if parts:
            # a new node: the writer does not look for new parts in one of the user's
            ifs = [ast.List(parts, ast.Load()), *old.ifs]
            generators[place] = ast.comprehension(old.target, old.iter, ifs, old.is_async)
            module.settle(generators[place], node, node)


def _is_captured(module: Module, node: ast.AST, name: str, scope: ast.AST) -> bool:
    """Whether a lambda of a comprehension reads a variable: it reads it when it is called."""
    return any(
        isinstance(inner, ast.Name)
        and inner.id == name
        and module.scope(inner) is not scope
        and module.binder(inner, name) is scope
        for inner in ast.walk(node)
    )


def _is_read_first(node: ast.ListComp, name: str) -> bool:
    """Whether a comprehension reads a variable in front of the `for` that sets it: `[a for b in c if a for a in d]`."""

    def reads(part: ast.AST) -> bool:
        return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(part))

    for place, generator in enumerate(node.generators):
        if place and reads(generator.iter):
            return True  # the first iterable is computed outside
        if any(target.id == name for target in _stored(generator)):
            return False
        if any(map(reads, generator.ifs)):
            return True
    return False


def _is_read_behind(module: Module, node: ast.AST, name: str, scope: ast.AST) -> bool:
    """Whether a name may be read behind a node that sets it, before it has another value for certain."""
    if any(name in one.names and module.scope(one) is scope for one in module.nodes[ast.Global]):
        return True
    # the first iterable is computed outside, in front of it
    iterable = node.generators[0].iter if isinstance(node, ast.ListComp) else None
    in_front = set(map(id, ast.walk(iterable))) if iterable is not None else set()
    inside = set(map(id, ast.walk(node))) - in_front
    others = [
        other
        for other in module.nodes[ast.Name]
        if other.id == name and id(other) not in inside and _same_scope(module, other, scope)
    ]
    others = [
        other
        for other in others
        if not _in_comprehension(module, other, name, node) and not _in_handler(module, other, node)
    ]
    # the target of a comprehension around it gets its value first
    first = {id(t) for one in module.ancestors(node) for t in _all_stored(one)}
    stores = [o for o in others if isinstance(o.ctx, ast.Store) and id(o) not in first]
    turns = (ast.For, ast.While, ast.ListComp, *_OWN_SCOPE)
    loops = [p for p in module.ancestors(node) if isinstance(p, turns)]
    loops = [loop for loop in loops if _same_scope(module, loop, scope)]
    for read in others:
        stored = isinstance(read.ctx, ast.Store)
        if stored and not isinstance(module.parents[read], ast.AugAssign):
            continue
        since: ast.AST | None = node
        if _place(read) < _place(node) or id(read) in in_front:
            around = {*module.ancestors(read)}
            since = next((loop for loop in loops if loop in around), None)
        if since is not None and not any(
            _place(since) <= _place(store) and _comes_before(module, store, read)
            for store in stores
        ):
            return True
    return _is_read_by_functions(module, name, scope)


def _comes_before(module: Module, store: ast.Name, read: ast.Name) -> bool:
    """Whether a name was certainly stored where it is read: in a statement before, or as a loop's."""
    statement = next(p for p in module.ancestors(store) if isinstance(p, ast.stmt))
    around = [read, *module.ancestors(read)]
    if isinstance(statement, ast.For):
        return any(one in statement.body for one in around)
    block = next(
        (
            value
            for _, value in ast.iter_fields(module.parents[statement])
            if isinstance(value, list) and statement in value
        ),
        [statement],
    )
    behind = block[block.index(statement) + 1 :]
    if isinstance(statement, ast.With):
        behind = [*statement.body, *behind]
    return any(one in behind for one in around)


def _is_read_by_functions(module: Module, name: str, scope: ast.AST) -> bool:
    """Whether a function reads a name as the module's, or one around it: it may be called at any time."""
    binders = (None, scope) if scope is module.tree else (scope,)
    return any(
        other.id == name
        and isinstance(other.ctx, ast.Load)
        and isinstance(place := module.scope(other), ast.FunctionDef | ast.Lambda)
        and place is not scope
        and not _in_comprehension(module, other, name, scope)
        and module.binder(other, name) in binders
        for other in module.nodes[ast.Name]
    )


def _same_scope(module: Module, node: ast.AST, scope: ast.AST) -> bool:
    return module.scope(node) is scope


def _in_comprehension(module: Module, read: ast.AST, name: str, node: ast.AST) -> bool:
    """Whether a comprehension that isn't around a node has given a name its value where it is read."""
    around = {*module.ancestors(node)}
    child, within, iterable = read, None, False
    for parent in module.ancestors(read):
        if isinstance(parent, ast.comprehension):
            within, iterable = parent, child is parent.iter
        elif isinstance(parent, (ast.ListComp, *_OWN_SCOPE)):
            at = len(parent.generators)
            if within in parent.generators:
                at = parent.generators.index(within) + (not iterable)
            before = parent.generators[:at]
            if parent not in around and any(
                target.id == name for one in before for target in _stored(one)
            ):
                return True
            within = None
        child = parent
    return False


def _in_handler(module: Module, name: ast.Name, node: ast.AST) -> bool:
    """Whether a name is that of a handler around it, which isn't around a node."""
    around = {*module.ancestors(node)}
    return any(
        isinstance(parent, ast.ExceptHandler) and parent.name == name.id and parent not in around
        for parent in module.ancestors(name)
    )


def _handler(module: Module, node: ast.ExceptHandler) -> Iterator[Finding]:
    if not node.name:
        return
    if not _is_read_behind(module, node, node.name, module.scope(node)):
        return
    yield module.finding(node, f"Python 2 keeps {node.name} behind the handler")
    name = node.name
    node.name = f"tfq_{name}"
    new = ast.Assign([ast.Name(name, ast.Store())], ast.Name(node.name, ast.Load()))
    new.lineno = node.body[0].lineno
    ast.copy_location(new, node.body[0])
    node.body.insert(0, new)
    module.settle(new, node, node.body[1])


def _generator(module: Module, node: ast.FunctionDef) -> Iterator[Finding]:
    """A StopIteration that leaves a generator ended it; Python 3 makes it a RuntimeError."""
    own = [inner for inner in ast.walk(node) if module.scope(inner) is node]
    if not any(isinstance(inner, ast.Yield) for inner in own):
        return
    if any(_stops(inner) for inner in own):
        yield module.finding(node, "StopIteration ends a generator of Python 2")
        decorator = module.use("tfqueue.port.py2", "generator")
        node.decorator_list.append(decorator)
        module.settle(decorator, node, node)


def _stops(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise):
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return getattr(raised, "id", "") == "StopIteration"
    if isinstance(node, ast.Call):
        called = {getattr(node.func, "id", ""), getattr(node.func, "attr", "")}
        return bool(called & {"next", "advance"})
    return False


def _star(module: Module, node: ast.ImportFrom, function: ast.FunctionDef) -> Iterator[Finding]:
    stored = {
        inner.id
        for inner in ast.walk(function)
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)
    } | {inner.arg for inner in ast.walk(function) if isinstance(inner, ast.arg)}
    names = sorted(
        {
            inner.id
            for inner in ast.walk(function)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)
        }
        - stored
    )
    # a function that is called meanwhile may change these, so they stay global
    changing = {name for one in module.nodes[ast.Global] for name in one.names}
    own = [name for name in names if name not in changing]
    if not own:
        return
    yield module.finding(node, "`import *` stands at a module's top in Python 3")
    call = module.call(
        "star_names",
        ast.Constant("." * node.level + (node.module or "")),
        ast.List([ast.Constant(name) for name in own], ast.Load()),
        ast.Call(ast.Name("globals", ast.Load()), [], []),
        *(ast.Constant(name) for name in names if name in changing),
    )
    new = ast.Assign([ast.List([ast.Name(name, ast.Store()) for name in own], ast.Store())], call)
    new.lineno = node.lineno
    module.replace(node, new)
