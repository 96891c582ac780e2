"""Names that outlived their place: `[x for x in y]; x`, `except E, e: ...; e`, `import *` in a function.

https://docs.python.org/3/whatsnew/3.0.html#changed-syntax
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("for", "except", "import *", "yield")
PYTHON2 = True


def find(module: Module) -> Iterator[Finding]:
    """Finds variables of list comprehensions and handlers that are read afterwards."""
    for node in module.nodes[ast.ListComp]:
        yield from _leaking(module, node)
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


def _leaking(module: Module, node: ast.ListComp) -> Iterator[Finding]:
    scope = module.scope(node)
    if isinstance(scope, ast.ClassDef | ast.Lambda) or any(
        isinstance(parent, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp)
        for parent in module.ancestors(node)
    ):
        return
    inside = {id(inner) for inner in ast.walk(node)}
    names = [
        target
        for generator in node.generators
        for target in ast.walk(generator.target)
        if isinstance(target, ast.Name)
    ]
    read = [name for name in names if _is_read_behind(module, node, name.id, scope, inside)]
    if not read:
        return
    yield module.finding(node, f"Python 2 keeps {read[0].id} behind the list comprehension")
    parts = []
    for name in dict.fromkeys(name.id for name in read):
        # the first iterable is computed outside: `[i for i in range(i)]`
        outside = {id(inner) for inner in ast.walk(node.generators[0].iter)}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id == name and id(inner) not in outside:
                module.rename(inner, f"tfq_{name}")
        parts.append(
            ast.NamedExpr(ast.Name(name, ast.Store()), ast.Name(f"tfq_{name}", ast.Load()))
        )
    element = node.elt
    module.replace(
        element,
        ast.Subscript(
            ast.Tuple([*parts, element], ast.Load()),
            ast.UnaryOp(ast.USub(), ast.Constant(1)),
            ast.Load(),
        ),
    )


def _is_read_behind(
    module: Module, node: ast.AST, name: str, scope: ast.AST, inside: set[int]
) -> bool:
    """Whether the next thing that happens to a name behind a comprehension is that it is read."""
    others = [
        other
        for other in module.nodes[ast.Name]
        if other.id == name and id(other) not in inside and _same_scope(module, other, scope)
    ]
    others = [other for other in others if not _in_comprehension(module, other, name)]
    behind = sorted((o for o in others if _place(o) > _place(node)), key=_place)
    if behind:
        return isinstance(behind[0].ctx, ast.Load) and not _reads_after_store(module, behind)
    if scope is module.tree and _is_read_by_functions(module, name, scope):
        return True
    loop = next((p for p in module.ancestors(node) if isinstance(p, ast.For | ast.While)), None)
    if loop is None:
        return False
    before = sorted((o for o in others if _place(o) > _place(loop)), key=_place)
    return bool(before) and isinstance(before[0].ctx, ast.Load)


def _is_read_by_functions(module: Module, name: str, scope: ast.AST) -> bool:
    """Whether a function reads a name as the module's: it may be called at any time."""
    return any(
        other.id == name
        and isinstance(other.ctx, ast.Load)
        and isinstance(module.scope(other), ast.FunctionDef | ast.Lambda)
        and not _in_comprehension(module, other, name)
        and module.binder(other, name) in (None, scope)
        for other in module.nodes[ast.Name]
    )


def _reads_after_store(module: Module, behind: list[ast.Name]) -> bool:
    """`x = f(x)` reads before it stores; `for x in x` too."""
    first = behind[0]
    statement = next((p for p in module.ancestors(first) if isinstance(p, ast.stmt)), None)
    return isinstance(statement, ast.FunctionDef | ast.ClassDef)


def _same_scope(module: Module, node: ast.AST, scope: ast.AST) -> bool:
    return module.scope(node) is scope


def _in_comprehension(module: Module, node: ast.AST, name: str) -> bool:
    kinds = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    for parent in module.ancestors(node):
        if isinstance(parent, kinds):
            targets = (t for g in parent.generators for t in ast.walk(g.target))
            if any(isinstance(t, ast.Name) and t.id == name for t in targets):
                return True
    return False


def _handler(module: Module, node: ast.ExceptHandler) -> Iterator[Finding]:
    if not node.name:
        return
    scope, inside = module.scope(node), {id(inner) for inner in ast.walk(node)}
    behind = [
        other
        for other in module.nodes[ast.Name]
        if other.id == node.name
        and id(other) not in inside
        and _same_scope(module, other, scope)
        and _place(other) > _place(node)
    ]
    if not behind or not isinstance(min(behind, key=_place).ctx, ast.Load):
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
    if not names:
        return
    yield module.finding(node, "`import *` stands at a module's top in Python 3")
    call = module.call(
        "star_names",
        ast.Constant("." * node.level + (node.module or "")),
        ast.List([ast.Constant(name) for name in names], ast.Load()),
        ast.Call(ast.Name("globals", ast.Load()), [], []),
    )
    new = ast.Assign([ast.List([ast.Name(name, ast.Store()) for name in names], ast.Store())], call)
    new.lineno = node.lineno
    module.replace(node, new)
