"""Of which class the object is that a name stands for: one of TensorFlow's, or one of the file."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tfqueue.names import ledger
from tfqueue.port.program.module import Module


class Objects:
    """The classes of objects, as far as each of their assignments calls one and the same.

    Args:
        module: The module that makes them.
        names: The dotted name below ``tensorflow`` of each expression that has one.

    >>> module = Module("import tensorflow as tf\\nsaver = tf.train.Saver()\\nsaver.save(a, b)\\n")
    >>> objects = Objects(module, dict(module.references))
    >>> objects.method(module.tree.body[-1].value.func)
    'tensorflow.train.Saver.save'
    """

    def __init__(self, module: Module, names: Mapping[ast.expr, str]) -> None:
        self._module, self._names = module, names
        self._stored: dict[str, list[ast.Attribute]] = {}
        for node in module.nodes[ast.Attribute]:
            if not isinstance(node.ctx, ast.Load):
                self._stored.setdefault(ast.unparse(node), []).append(node)

    def method(self, function: ast.expr) -> str | None:
        """The dotted name of a method whose object is known, or None."""
        if not isinstance(function, ast.Attribute):
            return None
        made = self._class_of(function.value)
        return f"{made}.{function.attr}" if made else None

    def _class_of(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Call):
            dotted = self._names.get(node.func)
            entries = ledger.find(dotted.removeprefix("tensorflow.")) if dotted else ()
            return dotted if any(entry.kind == "class" for entry in entries) else None
        places: list[ast.AST] = []
        if isinstance(node, ast.Name):
            places = self._module.bindings(node, node.id)
        elif isinstance(node, ast.Attribute):
            places = [*self._stored.get(ast.unparse(node), ())]
        values = [self._value(place) for place in places]
        made = {self._class_of(v) if isinstance(v, ast.Call) else None for v in values}
        return made.pop() if len(made) == 1 else None

    def _value(self, place: ast.AST) -> ast.expr | None:
        held = self._module.parents.get(place)
        if isinstance(held, ast.Assign) and place in held.targets:
            return held.value
        if isinstance(held, ast.withitem) and held.optional_vars is place:
            return held.context_expr
        return None


def is_of_the_file(module: Module, function: ast.Attribute) -> bool:
    """Whether a method is that of a class of the file, as far as each assignment of its object makes one.

    >>> module = Module("class Mine:\\n  def sort(self): pass\\nx = Mine()\\nx.sort()\\n")
    >>> is_of_the_file(module, module.tree.body[-1].value.func)
    True
    """
    own = {
        place.name
        for place in module.nodes[ast.ClassDef]
        for one in place.body
        if isinstance(one, ast.FunctionDef) and one.name == function.attr
    }
    made = values(module, function.value) if own else []
    return bool(made) and all(
        isinstance(one, ast.Call) and getattr(one.func, "id", None) in own for one in made
    )


def values(module: Module, node: ast.expr) -> list[ast.expr]:
    """What a variable or an attribute is assigned, or the call itself; nothing where it gets a value otherwise, too."""
    places: list[ast.AST] = []
    if isinstance(node, ast.Call):
        return [node]
    if isinstance(node, ast.Name):
        places = module.bindings(node, node.id)
    elif isinstance(node, ast.Attribute):
        same = [one for one in module.nodes[ast.Attribute] if one.attr == node.attr]
        places = [one for one in same if isinstance(one.ctx, ast.Store)]
    held = [module.parents.get(place) for place in places]
    found = [one.value for one in held if isinstance(one, ast.Assign)]
    return found if len(found) == len(places) else []
