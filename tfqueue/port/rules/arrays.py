"""What is seen in a module to be an array of numpy's."""

from __future__ import annotations

import ast

from tfqueue.port.program.module import Module

# Functions and methods that give a number for a whole array
_REDUCTIONS = frozenset(
    ["all", "any", "argmax", "argmin", "max", "mean", "median", "min", "prod", "std", "sum", "var"]
)
# Functions that give what they get: a number for a number
_ELEMENTWISE = frozenset(
    ["abs", "ceil", "exp", "floor", "log", "log10", "log2", "power", "rint", "round", "sqrt"]
)
# Functions of numpy.random that give a number for this many arguments
_DRAWS = {"rand": 0, "randn": 0, "random": 0, "random_sample": 0, "choice": 1} | dict.fromkeys(
    ["randint", "uniform", "normal"], 2
)
_METHODS = frozenset(["astype", "copy", "flatten", "ravel", "reshape", "squeeze", "transpose"])
_PLAIN = ("numpy.random.seed", "numpy.load", "numpy.iinfo", "numpy.finfo")
_DEPTH = 4


class Arrays:
    """What is seen in a module to be made of what numpy or a session gave."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.stored: dict[str, list[ast.AST]] = {}
        for node in module.nodes[ast.Attribute]:
            if isinstance(node.ctx, ast.Store):
                self.stored.setdefault(node.attr, []).append(node)

    def may_be(self, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
        """Whether an expression may be an array.

        Args:
            node: The expression.
            asked: The names and attributes on the way to it.
        """
        if isinstance(node, ast.Call):
            return self._call(node, asked)
        if isinstance(node, ast.BinOp):
            return self.may_be(node.left, asked) or self.may_be(node.right, asked)
        if isinstance(node, ast.UnaryOp):
            return self.may_be(node.operand, asked)
        if isinstance(node, ast.Subscript):
            return self.may_be(node.value, asked)
        if isinstance(node, ast.Attribute):
            name, places = node.attr, self.stored.get(node.attr, [])
        elif isinstance(node, ast.Name):
            name = node.id
            places = [p for p in self.module.bindings(node, name) if isinstance(p, ast.Name)]
        else:
            return False
        if name in asked or len(asked) == _DEPTH:
            return False
        return any(self._is_given(place, (*asked, name)) for place in places)

    def _call(self, call: ast.Call, asked: tuple[str, ...]) -> bool:
        dotted = self.module.dotted(call.func) or ""
        name = dotted.rpartition(".")[2]
        more = bool(call.keywords)
        if dotted.startswith("numpy.random.") and name in _DRAWS:
            return more or len(call.args) > _DRAWS[name]
        if dotted.startswith("numpy."):
            if name in _REDUCTIONS:
                return more or len(call.args) > 1
            if name in _ELEMENTWISE:
                return any(self.may_be(argument, asked) for argument in call.args)
            return dotted not in _PLAIN
        if dotted.startswith("tfqueue.port.runtime.np_"):
            # what `promotion` has put in the place of an operator
            return any(self.may_be(argument, asked) for argument in call.args)
        if not isinstance(call.func, ast.Attribute):
            return False
        method = call.func.attr
        if method == "run" or (method == "eval" and not dotted.startswith("tensorflow.")):
            return True
        if method in _METHODS or (method in _REDUCTIONS and (more or call.args)):
            return self.may_be(call.func.value, asked)
        return False

    def _is_given(self, place: ast.AST, asked: tuple[str, ...]) -> bool:
        """Whether a name or an attribute is assigned such a value where it stands."""
        held = self.module.parents.get(place)
        if isinstance(held, ast.Tuple | ast.List):
            held = self.module.parents.get(held)
        if isinstance(held, ast.Assign | ast.AugAssign):
            return self.may_be(held.value, asked)
        if isinstance(held, ast.For) and place is not held.iter:
            return self.may_be(held.iter, asked)
        return False
