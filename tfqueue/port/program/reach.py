"""What of a module runs whenever the module is run.

It follows the statements of the module, and the functions that they call by name. A loop counts as
having a turn; what stands behind an `if`, in a handler, in a block that may drop its error, or after a
`return` that only may come, does not count. Where a program ends early it gives nothing that a later line could have told of.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable

from tfqueue.port.program.module import Module

_DROPPING = frozenset(["suppress", "raises", "assertRaises", "assertRaisesRegexp"])
_ENDS = (ast.Return, ast.Break, ast.Continue)


def nodes(module: Module, *, as_program: bool) -> set[ast.AST]:
    """The nodes that run whenever a module does.

    Args:
        as_program: Whether its name is ``__main__``.

    >>> module = Module("if a:\\n  b()\\nc()\\n")
    >>> sorted(node.id for node in nodes(module, as_program=True) if isinstance(node, ast.Name))
    ['a', 'c']
    """
    reach = _Reach(module, as_program=as_program)
    reach.block(module.tree.body)
    return reach.found


def is_main_test(test: ast.expr) -> bool:
    """Whether an expression is ``__name__ == "__main__"``."""
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1):
        return False
    sides = (test.left, test.comparators[0])
    names = {getattr(side, "id", getattr(side, "value", "")) for side in sides}
    return isinstance(test.ops[0], ast.Eq) and names == {"__name__", "__main__"}


class _Reach:
    def __init__(self, module: Module, *, as_program: bool) -> None:
        self._module, self._as_program = module, as_program
        self.found: set[ast.AST] = set()
        self._called: set[ast.AST] = set()

    def block(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)
            if _may_leave(statement):
                return

    def _statement(self, node: ast.stmt) -> None:
        self.found.add(node)
        for child in _expressions(node):
            self._expression(child)
        if isinstance(node, ast.If):
            if self._as_program and is_main_test(node.test):
                self.block(node.body)
        elif isinstance(node, ast.With):
            self.block([] if self._may_drop(node) else node.body)
        elif isinstance(node, ast.For | ast.While | ast.ClassDef):
            self.block(node.body)
        elif isinstance(node, ast.Try):
            self.block([] if any(map(_catches_names, node.handlers)) else node.body)
            self.block(node.finalbody)

    def _may_drop(self, node: ast.With) -> bool:
        """Whether an error may end a block and be dropped, as by `contextlib.suppress`.

        What the program has written itself may do that as well.
        """
        names = [
            one
            for item in node.items
            for one in ast.walk(item.context_expr)
            if isinstance(one, ast.Name | ast.Attribute)
        ]
        if any(getattr(one, "id", getattr(one, "attr", "")) in _DROPPING for one in names):
            return True
        own = (ast.ClassDef, ast.FunctionDef)
        return any(
            isinstance(place, own)
            for one in names
            if isinstance(one, ast.Name)
            for place in self._module.bindings(one, one.id)
        )

    def _expression(self, node: ast.expr) -> None:
        self.found.add(node)
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, ast.Call):
            self._call(node)
        for child in _first(node):
            self._expression(child)

    def _call(self, call: ast.Call) -> None:
        """Follows a call of one of the module's functions; `tf.app.run` calls one."""
        called: list[ast.expr] = [call.func]
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func).endswith("app.run"):
            given = [*call.args, *(word.value for word in call.keywords)]
            called = given or [ast.Name("main", ast.Load())]
        for name in called:
            body = self._function(name, call)
            if body is not None and body not in self._called:
                self._called.add(body)
                self.block(body.body)

    def _function(self, name: ast.expr, place: ast.AST) -> ast.FunctionDef | None:
        """The one function that a name stands for, where a call of it runs its body as it is."""
        if not isinstance(name, ast.Name):
            return None
        places = self._module.bindings(place, name.id)
        found = places[0] if len(places) == 1 else None
        if isinstance(found, ast.ClassDef):
            inner = (n for n in found.body if isinstance(n, ast.FunctionDef))
            found = next((one for one in inner if one.name == "__init__"), None)
        if not isinstance(found, ast.FunctionDef) or found.decorator_list:
            return None
        return (
            None
            if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(found))
            else found
        )


def _catches_names(handler: ast.ExceptHandler) -> bool:
    """Whether a handler gets the error of a name that there is not."""
    if handler.type is None:
        return True
    parts = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    # What has a dotted name, such as `tf.errors.OutOfRangeError`, is none of Python's own.
    return any(not isinstance(part, ast.Attribute) and _is_above_names(part) for part in parts)


def _is_above_names(kind: ast.expr) -> bool:
    known = getattr(builtins, getattr(kind, "id", ""), None)
    return not isinstance(known, type) or issubclass(NameError, known)


def _may_leave(node: ast.AST, ends: tuple[type[ast.stmt], ...] = _ENDS) -> bool:
    """Whether what follows a statement in its block may not run, though the program goes on."""
    if isinstance(node, ends):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
        return False
    inner = (ast.Return,) if isinstance(node, ast.For | ast.While) else ends
    return any(_may_leave(child, inner) for child in ast.iter_child_nodes(node))


def _expressions(node: ast.stmt) -> Iterable[ast.expr]:
    """The expressions of a statement that are computed when it is reached, without its blocks."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        defaults = [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
        return [*node.decorator_list, *defaults]
    if isinstance(node, ast.Assert):
        return [node.test]
    return _children(node)


def _first(node: ast.expr) -> Iterable[ast.expr]:
    """The parts of an expression that are computed whatever the others are."""
    if isinstance(node, ast.BoolOp):
        return node.values[:1]
    if isinstance(node, ast.IfExp):
        return [node.test]
    if isinstance(node, ast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, ast.GeneratorExp):
        return [node.generators[0].iter]
    if isinstance(node, ast.ListComp | ast.SetComp):
        return [node.generators[0].iter, *([] if _is_chosen(node) else [node.elt])]
    if isinstance(node, ast.DictComp):
        return [node.generators[0].iter, *([] if _is_chosen(node) else [node.key, node.value])]
    return _children(node)


def _is_chosen(node: ast.ListComp | ast.SetComp | ast.DictComp) -> bool:
    return any(one.ifs for one in node.generators)


def _children(node: ast.AST) -> list[ast.expr]:
    found: list[ast.expr] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            found.append(child)
        elif isinstance(child, ast.keyword):
            found.append(child.value)
        elif isinstance(child, ast.withitem):
            found.append(child.context_expr)
    return found
