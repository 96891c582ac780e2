"""The changes that a module's source offers, and the source with one of them."""

from __future__ import annotations

import ast
import dataclasses
import difflib
import itertools
import re
from collections.abc import Callable, Iterator

_COMPARISONS = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
}
_ARITHMETIC = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: (r"\|", "&"),
}
"""By an operator's class, a pattern of its text, and the operator that takes its place."""

_SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}

_ONE_PLATFORM = ("sys.version_info", "sys.platform", "os.name", "TYPE_CHECKING", "__name__")
"""A condition that holds one of these has one value in all runs of the tests."""


@dataclasses.dataclass(frozen=True)
class Change:
    """A part of a module's text and what takes its place. Offsets are in bytes.

    Attributes:
        file: The module's path from the root of the repository.
        line: The line of the changed part, from 1.
        kind: What is done to it, such as `comparison`.
        start: Where the old part begins.
        end: Where it ends.
        new: What takes its place.
        whole: The first and the last offset of the expression or statement that it belongs to.
        is_statement: Whether that is a statement.
    """

    file: str
    line: int
    kind: str
    start: int
    end: int
    new: str
    whole: tuple[int, int]
    is_statement: bool

    def applied(self, source: bytes) -> bytes:
        """The module's source with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]

    def diff(self, source: bytes) -> str:
        """The changed lines as a unified diff without context."""
        old, new = (text.decode().splitlines() for text in (source, self.applied(source)))
        lines = difflib.unified_diff(old, new, self.file, self.file, n=0, lineterm="")
        return "\n".join(lines)


def of(file: str, source: bytes) -> list[Change]:
    """All changes of a module, in the order of its lines.

    What no test can notice offers none: docstrings and other text, annotations, decorators,
    assertions (`zip(..., strict=True)` is one), `__repr__`, `__all__`, conditions on the platform or
    the release of Python. A function of type bool returns the opposite: None would be as good as False.
    """
    found = _Finder(file, source)
    found.visit(ast.parse(source, type_comments=True))
    return sorted(found.changes, key=lambda change: (change.start, change.end, change.new))


class _Finder(ast.NodeVisitor):
    """Walks a module and collects changes."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        lengths = (len(line) for line in source.splitlines(keepends=True))
        self.lines = list(itertools.accumulate(lengths, initial=0))
        self.changes: list[Change] = []
        self.returns_bool = False

    def visit(self, node: ast.AST) -> None:
        """Takes the changes of a node and of what is below it."""
        for kinds, changes in _ROWS:
            if isinstance(node, kinds):
                for kind, whole, (start, end), new in changes(self, node):
                    line = self.source.count(b"\n", 0, start) + 1
                    is_statement = isinstance(whole, ast.stmt)
                    row = (line, kind, start, end, new, self.span(whole), is_statement)
                    self.changes.append(Change(self.file, *row))
        outer = self.returns_bool
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            said = ast.unparse(node.returns) if node.returns else node.type_comment or ""
            self.returns_bool = said.split("-> ")[-1] == "bool"
        for child in self._below(node):
            self.visit(child)
        self.returns_bool = outer

    def _below(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes directly below this one that may be changed."""
        if isinstance(node, (ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == "__repr__":
            return
        if isinstance(node, ast.Assign) and "__all__" in map(ast.unparse, node.targets):
            return
        left_out = {"annotation", "returns", "decorator_list", "pattern"}
        if isinstance(node, ast.keyword) and (node.arg, ast.unparse(node.value)) == (
            "strict",
            "True",
        ):
            return
        if isinstance(node, ast.If) and _has_one_value(node.test):
            left_out |= {"test", "body"} if "TYPE_CHECKING" in ast.unparse(node.test) else {"test"}
        for name, value in ast.iter_fields(node):
            if name not in left_out:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield child

    def span(self, node: ast.AST) -> tuple[int, int]:
        """The offsets of a node's first byte and of the byte behind it."""
        start = self.lines[node.lineno - 1] + node.col_offset
        return start, self.lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.AST) -> str:
        """A node's text."""
        start, end = self.span(node)
        return self.source[start:end].decode()

    def operator(self, left: ast.AST, right: ast.AST, pattern: str) -> tuple[int, int]:
        """The offsets of the operator between two nodes."""
        start, end = self.span(left)[1], self.span(right)[0]
        # Parentheses and line breaks stand there too; no operator is in them.
        found = re.search(pattern.encode(), self.source[start:end])
        assert found, self.source[start:end]
        return start + found.start(), start + found.end()


_Found = Iterator[tuple[str, ast.expr | ast.stmt, tuple[int, int], str]]


def _has_one_value(test: ast.expr) -> bool:
    text = ast.unparse(test)
    return any(name in text for name in _ONE_PLATFORM)


def _comparison(at: _Finder, node: ast.Compare) -> _Found:
    for left, operator, right in zip(
        [node.left, *node.comparators], node.ops, node.comparators, strict=False
    ):
        pattern, new = _COMPARISONS[type(operator)]
        yield "comparison", node, at.operator(left, right, pattern), new


def _and_or(at: _Finder, node: ast.BoolOp) -> _Found:
    old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in itertools.pairwise(node.values):
        yield "and, or", node, at.operator(left, right, old), new


def _condition(at: _Finder, node: ast.If | ast.While | ast.IfExp) -> _Found:
    if _has_one_value(node.test) or isinstance(node.test, ast.Constant):
        return
    if not isinstance(node.test, (ast.Compare, ast.UnaryOp)):  # they are turned by themselves
        yield "condition", node.test, at.span(node.test), f"not ({at.text(node.test)})"
    if isinstance(node, ast.If):
        yield "condition", node.test, at.span(node.test), "True"
        yield "condition", node.test, at.span(node.test), "False"


def _filter(at: _Finder, node: ast.ListComp | ast.SetComp | ast.DictComp) -> _Found:
    for test in itertools.chain.from_iterable(part.ifs for part in node.generators):
        yield "condition", node, at.span(test), "True"


def _not(at: _Finder, node: ast.UnaryOp) -> _Found:
    if isinstance(node.op, ast.Not):
        yield "not", node, at.span(node), f"({at.text(node.operand)})"


def _constant(at: _Finder, node: ast.Constant) -> _Found:
    if isinstance(node.value, bool):
        yield "constant", node, at.span(node), str(not node.value)
    elif isinstance(node.value, (int, float)):
        yield "constant", node, at.span(node), repr(node.value + 1)


def _arithmetic(at: _Finder, node: ast.BinOp) -> _Found:
    is_text = isinstance(node.left, (ast.JoinedStr, ast.Constant)) and not isinstance(
        getattr(node.left, "value", ""), (int, float)
    )
    if type(node.op) in _ARITHMETIC and not is_text:
        pattern, new = _ARITHMETIC[type(node.op)]
        yield "arithmetic", node, at.operator(node.left, node.right, pattern), new


def _increment(at: _Finder, node: ast.AugAssign) -> _Found:
    if isinstance(node.op, (ast.Add, ast.Sub)):
        old, new = (r"\+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
        yield "arithmetic", node, at.operator(node.target, node.value, old), new


def _call_statement(at: _Finder, node: ast.Expr) -> _Found:
    if isinstance(node.value, ast.Call):
        yield "call dropped", node, at.span(node), "pass"


def _extremes(at: _Finder, node: ast.Call) -> _Found:
    if isinstance(node.func, ast.Name) and node.func.id in _SWAPPED:
        yield "function", node, at.span(node.func), _SWAPPED[node.func.id]


def _return(at: _Finder, node: ast.Return) -> _Found:
    if at.returns_bool and node.value:
        # Constants, comparisons and `not` are turned by themselves.
        if not isinstance(node.value, (ast.Constant, ast.Compare, ast.UnaryOp)):
            yield "return turned", node, at.span(node.value), f"not ({at.text(node.value)})"
    elif node.value is not None and ast.unparse(node.value) != "None":
        yield "return None", node, at.span(node.value), "None"


def _raise(at: _Finder, node: ast.Raise) -> _Found:
    if node.exc is None or "NotImplementedError" not in ast.unparse(node.exc):
        yield "raise dropped", node, at.span(node), "pass"


def _jump(at: _Finder, node: ast.Break | ast.Continue) -> _Found:
    yield "jump", node, at.span(node), "pass"
    yield "jump", node, at.span(node), "break" if isinstance(node, ast.Continue) else "continue"


_ROWS: list[tuple[type | tuple[type, ...], Callable[..., _Found]]] = [
    (ast.Compare, _comparison),
    (ast.BoolOp, _and_or),
    ((ast.If, ast.While, ast.IfExp), _condition),
    ((ast.ListComp, ast.SetComp, ast.DictComp), _filter),
    (ast.UnaryOp, _not),
    (ast.Constant, _constant),
    (ast.BinOp, _arithmetic),
    (ast.AugAssign, _increment),
    (ast.Expr, _call_statement),
    (ast.Call, _extremes),
    (ast.Return, _return),
    (ast.Raise, _raise),
    ((ast.Break, ast.Continue), _jump),
]
"""The kinds of nodes, each with the changes that it offers.

Of a change: its kind, the expression or statement that it belongs to, offsets, new text.
"""
