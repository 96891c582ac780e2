"""What is seen in a module to be made of what a session gave."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import FUNCTIONS, Module

REDUCTIONS = frozenset(["max", "mean", "median", "min", "prod", "std", "sum", "var"])
"""Functions and methods that give a number for an array."""
ELEMENTWISE = frozenset(
    ["abs", "ceil", "exp", "floor", "log", "log10", "log2", "power", "rint", "round", "sqrt"]
)
"""Functions that give what they get: a number for a number."""
MAKERS = ELEMENTWISE | {"float64", "int64", "float_", "double"}
"""Functions that give a number of 64 bits for numbers."""
_METHODS = frozenset(
    "astype copy flatten get items pop ravel reshape squeeze transpose values".split()
)
_BUILTINS = ("abs", "iter", "list", "max", "min", "next", "reversed", "sorted", "tuple")
DISPLAYS = (ast.Dict, ast.GeneratorExp, ast.List, ast.ListComp, ast.Tuple)
"""Expressions that hold values, and are none themselves."""
_RUNTIME = "tfqueue.port.runtime"
_OPERATORS = ("np_add", "np_sub", "np_mul", "np_div", "np_pow")
_ADDING = frozenset(["append", "extend", "insert"])


class SessionValues:
    """What comes from a session: as it is, as a part, or computed of it.

    It follows names, attributes, keys, lists, and what the module's own functions return; an argument of a
    function is not followed.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self._known: dict[ast.AST, bool] = {}
        self._stored: dict[str, list[ast.AST]] = {}
        self._methods: dict[str, list[ast.AST]] = {}
        self._returned: dict[ast.AST, list[ast.expr]] = {}
        for kind in (ast.Attribute, ast.Subscript):
            for node in module.nodes[kind]:
                if isinstance(node.ctx, ast.Store):
                    self._stored.setdefault(_key(node), []).append(node)
                    if kind is ast.Subscript:
                        self._stored.setdefault(f"{_key(node.value)}[]", []).append(node)
        for call in module.nodes[ast.Call]:
            method = call.func
            if isinstance(method, ast.Attribute) and method.attr in _ADDING and call.args:
                key = f"{_key(method.value)}.append"
                self._stored.setdefault(key, []).append(call.args[-1])
        for node in module.nodes[ast.FunctionDef]:
            if isinstance(module.parents[node], ast.ClassDef):
                self._methods.setdefault(node.name, []).append(node)
        for node in (*module.nodes[ast.Return], *module.nodes[ast.Yield]):
            if node.value is not None:
                self._returned.setdefault(module.scope(node), []).append(node.value)

    def may_be(self, node: ast.AST) -> bool:
        """Whether an expression may be such a value."""
        seen: dict[ast.AST, None] = {node: None}
        todo = [node]
        while todo:
            one = todo.pop()
            if self._known.get(one) or self._runs(one):
                self._known[node] = True
                return True
            if one not in self._known:
                fresh = [each for each in self._made_of(one) if each not in seen]
                seen.update(dict.fromkeys(fresh))
                todo += fresh
        self._known.update(dict.fromkeys(seen, False))
        return False

    def _runs(self, node: ast.AST) -> bool:
        """Whether it is `sess.run(x)` or `x.eval()`."""
        if not isinstance(node, ast.Call):
            return False
        method = getattr(node.func, "attr", None)
        if method == "eval":
            return not (self.module.dotted(node.func) or "").startswith("tensorflow.")
        return method == "run" and bool(node.args or node.keywords)

    def _made_of(self, node: ast.AST) -> Iterator[ast.AST]:
        """The expressions that a value is, is a part of, or is computed of."""
        if isinstance(node, ast.Call):
            yield from self._call(node)
        elif isinstance(node, ast.BinOp):
            yield from (node.left, node.right)
        elif isinstance(node, ast.UnaryOp):
            yield node.operand
        elif isinstance(node, ast.IfExp):
            yield from (node.body, node.orelse)
        elif isinstance(node, ast.List | ast.Tuple):
            yield from node.elts
        elif isinstance(node, ast.ListComp | ast.GeneratorExp):
            yield node.elt
        elif isinstance(node, ast.Dict):
            yield from node.values
        elif isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            yield from self._held(node)

    def _held(self, node: ast.Name | ast.Attribute | ast.Subscript) -> Iterator[ast.AST]:
        """What a name, an attribute or an item was given."""
        if isinstance(node, ast.Subscript):
            yield node.value
        elif not isinstance(node, ast.Name) and self.module.dotted(node):
            return
        yield from self._stored.get(f"{_key(node)}.append", ())
        places = self._stored.get(_key(node), [])
        if isinstance(node, ast.Name):
            places = self.module.bindings(node, node.id)
        for place in places:
            yield from self._given(place)

    def _call(self, call: ast.Call) -> Iterator[ast.AST]:
        home, _, name = (self.module.dotted(call.func) or "").rpartition(".")
        if self._is_operator(call):
            yield from call.args
        elif home == "numpy" and name in REDUCTIONS | MAKERS:
            yield from call.args[:1]
        elif any(self.module.is_builtin(call.func, name) for name in _BUILTINS):
            yield from call.args
        elif isinstance(call.func, ast.Attribute) and not home:
            if call.func.attr in REDUCTIONS | _METHODS:
                yield call.func.value
            if call.func.attr in _METHODS:
                for place in self._stored.get(f"{_key(call.func.value)}[]", ()):
                    yield from self._given(place)
        for function in self._functions(call):
            yield from self._returned.get(function, ())
            if isinstance(function, ast.Lambda):
                yield function.body

    def _is_operator(self, call: ast.Call) -> bool:
        """Whether a call is what has been put in the place of an operator."""
        name = getattr(call.func, "id", "")
        added = self.module.added.get(_RUNTIME, {})
        if (self.module.dotted(call.func) or "").rpartition(".")[0] == _RUNTIME:
            return name.removeprefix("tfq_") in _OPERATORS
        return any(added.get(one) == name for one in _OPERATORS)

    def _functions(self, call: ast.Call) -> Iterator[ast.AST]:
        """The functions of the module that a call may be one of."""
        if isinstance(call.func, ast.Attribute):
            if not self.module.dotted(call.func):
                yield from self._methods.get(call.func.attr, ())
            return
        if isinstance(call.func, ast.Name):
            for place in self.module.bindings(call.func, call.func.id):
                held = getattr(self.module.parents.get(place), "value", None)
                if isinstance(place, FUNCTIONS):
                    yield place
                elif isinstance(held, ast.Lambda):
                    yield held

    def _given(self, place: ast.AST) -> Iterator[ast.AST]:
        """What a place is assigned where it stands, as far as it is its own."""
        held = self.module.parents.get(place)
        path: list[int] = []
        while isinstance(held, ast.Tuple | ast.List):
            path.insert(0, next(at for at, one in enumerate(held.elts) if one is place))
            place, held = held, self.module.parents.get(held)
        if isinstance(held, ast.For | ast.comprehension) and place is held.target:
            yield from self._one_of(held.iter, path)
        elif isinstance(held, ast.Assign) and place in held.targets:
            yield from self._part(held.value, path[0] if path else None)
        elif isinstance(held, ast.AugAssign) and isinstance(held.value, DISPLAYS):
            yield held.value

    def _one_of(self, values: ast.expr, path: list[int]) -> Iterator[ast.AST]:
        """What a loop gives its target, or one of several targets, by its places from the outside in."""
        if path and isinstance(values, ast.Call):
            if self.module.is_builtin(values.func, "enumerate"):
                for one in values.args[: path[0]]:
                    yield from self._one_of(one, path[1:])
                return
            if self.module.is_builtin(values.func, "zip"):
                for one in values.args[path[0] : path[0] + 1]:
                    yield from self._one_of(one, path[1:])
                return
        yield values

    def _part(self, value: ast.expr, at: int | None) -> Iterator[ast.AST]:
        """What an assignment gives its target, or one of several targets."""
        if at is None:
            yield value
        elif isinstance(value, ast.Tuple | ast.List):
            yield from value.elts[at : at + 1]
        elif isinstance(value, ast.Call) and not self._runs(value):
            for function in self._functions(value):
                for each in self._returned.get(function, ()):
                    yield from self._part(each, at) if isinstance(each, ast.Tuple) else [each]
        else:
            yield value


def _key(node: ast.AST) -> str:
    """What a place is known by: `.loss` of any object, `out['loss']` of any `out`."""
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Subscript):
        return f"{_key(node.value)}[{ast.unparse(node.slice)}]"
    return ast.unparse(node)
