"""What is seen in a module to be an array of numpy's."""

from __future__ import annotations

import ast
import copy

from tfqueue.port.program.module import Module
from tfqueue.port.rules.session_values import ELEMENTWISE, REDUCTIONS

# Functions and methods that give a number for a whole array
_REDUCTIONS = REDUCTIONS | {"all", "any", "argmax", "argmin"}
# Functions of numpy.random that give a number for this many arguments
_DRAWS = {"rand": 0, "randn": 0, "random": 0, "random_sample": 0, "choice": 1} | dict.fromkeys(
    ["randint", "uniform", "normal"], 2
)
_METHODS = frozenset(["astype", "copy", "flatten", "ravel", "reshape", "squeeze", "transpose"])
_OF_TEXT = frozenset(name for kind in (str, bytes, list, dict, set, int) for name in dir(kind))
_OF_TEXT |= {
    "attrib",
    "find",
    "findtext",
    "get_text",
    "getfloat",
    "group",
    "read",
    "readline",
    "text",
    "time",
    "total_seconds",
}
"""Methods that give no array, whatever they are of."""
_PLAIN = ("numpy.random.seed", "numpy.load", "numpy.iinfo", "numpy.finfo")
_SESSIONS = frozenset(["sess", "session", "_sess", "_session"])
_DEPTH = 4


class Arrays:
    """What is seen in a module to be made of what numpy or a session gave.

    Args:
        own: Whether what the program's own functions give may be an array, too.
        methods: Whether what a method gives may be one, of an object that nothing is known of: `model.predict(x)`.
    """

    def __init__(self, module: Module, own: bool = False, methods: bool = False) -> None:
        self.module = module
        self.own, self.methods = own, methods
        self.stored: dict[str, list[ast.AST]] = {}
        for node in module.nodes[ast.Attribute]:
            if isinstance(node.ctx, ast.Store):
                self.stored.setdefault(node.attr, []).append(node)

    def may_be(self, node: ast.AST, asked: tuple[str, ...] = ()) -> bool:
        """Whether an expression may be an array.

        Args:
            asked: The names and attributes on the way to it.
        """
        if isinstance(node, ast.Call):
            return self._call(node, asked)
        if isinstance(node, ast.BinOp):
            return self.may_be(node.left, asked) or self.may_be(node.right, asked)
        if isinstance(node, ast.UnaryOp):
            return self.may_be(node.operand, asked)
        if isinstance(node, ast.Await):
            return self.may_be(node.value, asked)
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
            if name in ELEMENTWISE:
                return any(self.may_be(argument, asked) for argument in call.args)
            return dotted not in _PLAIN
        if dotted.startswith("tfqueue.port.runtime.np_"):
            # what `promotion` has put in the place of an operator
            return any(self.may_be(argument, asked) for argument in call.args)
        if not dotted.startswith("tensorflow.") and _gets_a_session(call):
            return True
        if self.own and self._is_own(call.func):
            return True
        if not isinstance(call.func, ast.Attribute):
            return False
        method = call.func.attr
        if method == "run" or (method == "eval" and not dotted.startswith("tensorflow.")):
            return True
        if method in _METHODS or (method in _REDUCTIONS and (more or call.args)):
            return self.may_be(call.func.value, asked)
        return self.methods and not dotted and method not in _OF_TEXT

    def _is_own(self, function: ast.expr) -> bool:
        """Whether a function is the program's: of this module or of one beside it, or a method of a class here."""
        functions = ast.FunctionDef | ast.AsyncFunctionDef
        if isinstance(function, ast.Name):
            places = self.module.bindings(function, function.id)
            if any(isinstance(place, functions) for place in places):
                return True
        elif isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "self":
            return any(node.name == function.attr for node in self.module.nodes[ast.FunctionDef])
        head = (self.module.dotted(function) or "").partition(".")[0]
        return head not in ("", "tfqueue") and self.module.has_own(head)

    def _is_given(self, place: ast.AST, asked: tuple[str, ...]) -> bool:
        """Whether a name or an attribute is assigned such a value where it stands."""
        held = self.module.parents.get(place)
        if isinstance(held, ast.Tuple | ast.List):
            several: list[ast.AST] = [*held.elts]
            held = self.module.parents.get(held)
            values = getattr(getattr(held, "value", None), "elts", [])
            if isinstance(held, ast.Assign) and len(values) == len(several):
                return self.may_be(values[several.index(place)], asked)
        if isinstance(held, ast.Assign | ast.AugAssign):
            return self.may_be(held.value, asked)
        if isinstance(held, ast.For) and place is not held.iter:
            return self.may_be(held.iter, asked)
        return False


def _gets_a_session(call: ast.Call) -> bool:
    """Whether a function is handed a session or what is fed: it may give what the session gave."""
    given = [getattr(one, "attr", getattr(one, "id", None)) for one in call.args]
    return not _SESSIONS.isdisjoint(given) or any(
        word.arg == "feed_dict" or word.arg in _SESSIONS for word in call.keywords
    )


_NUMBERS = frozenset(["int", "float", "long", "len", "bool", "ord", "hash", "complex", "round"])


def is_no_array(module: Module, node: ast.AST, depth: int = _DEPTH) -> bool:
    """Whether an expression is certainly no array: a constant, a count, or made of these.

    Args:
        depth: How many names to follow.
    """
    if isinstance(node, ast.Constant | ast.JoinedStr | ast.List | ast.Dict | ast.ListComp):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not) or is_no_array(module, node.operand, depth)
    if isinstance(node, ast.BinOp):
        return is_no_array(module, node.left, depth) and is_no_array(module, node.right, depth)
    if isinstance(node, ast.Call):
        if any(module.is_builtin(node.func, name) for name in _NUMBERS):
            return True
        home, _, name = (module.dotted(node.func) or "").rpartition(".")
        if home == "numpy":
            return name in _REDUCTIONS and len(node.args) == 1 and not node.keywords
        return home in ("math", "random", "time")
    if isinstance(node, ast.Name) and depth:
        places = module.bindings(node, node.id)
        return bool(places) and all(_is_count(module, place, depth - 1) for place in places)
    return False


def _is_count(module: Module, place: ast.AST, depth: int) -> bool:
    """Whether a name gets a number where it stands: assigned, or by `for i in range(n)`."""
    held = module.parents.get(place)
    if isinstance(held, ast.Assign) and place in held.targets:
        return is_no_array(module, held.value, depth)
    if isinstance(held, ast.Tuple):
        looped = module.parents.get(held)
        first, name = place is held.elts[0], "enumerate"
    else:
        looped, first, name = held, True, "range"
    if not isinstance(looped, ast.For | ast.comprehension) or place is looped.iter or not first:
        return False
    ranges = (name, "xrange") if name == "range" else (name,)
    call = looped.iter
    return isinstance(call, ast.Call) and any(module.is_builtin(call.func, one) for one in ranges)


def loaded(target: ast.expr) -> ast.expr:
    """What a target holds, as an expression."""
    read = copy.deepcopy(target)
    for inner in ast.walk(read):
        if hasattr(inner, "ctx"):
            inner.ctx = ast.Load()
    return read
