"""The source of a translation, line by line where the user's program stands.

AutoGraph, `inspect` and others read the source of a function again, by the file and the line of its
code. They get the translated program, in which each statement begins at the line at which it begins
in the user's file. Tracebacks and warnings, which show one line, show the user's.
"""

from __future__ import annotations

import ast
import collections
import collections.abc
import contextlib
import copy
import functools
import itertools
import linecache
import re
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue.port.source.files import lines_of


class _Lines(collections.UserList[str]):
    """Lines that are made when they are first read: few programs are read again."""

    def __init__(self, make: Callable[[], list[str]]) -> None:
        self._make = make

    @functools.cached_property
    def data(self) -> list[str]:  # type: ignore[override]
        """The lines."""
        return self._make()

    def __getitem__(self, key: Any) -> Any:
        return self.data[key]


_Entry = tuple[int, None, collections.abc.Sequence[str], str]
"""What `linecache` keeps of a file; without a time it is never compared with the file."""
_entries: dict[str, tuple[_Entry, list[str]]] = {}
"""For each file that is run, its entry with the translated lines, and the user's lines."""


def show(path: str, text: str, tree: ast.Module | None = None) -> None:
    """Lets `linecache` give the lines of what is run under the name of a file.

    Args:
        path: The name.
        text: The user's text.
        tree: What is run of it, with the user's line numbers; None where that is the text itself.
    """
    users = lines_of(text)
    made = users if tree is None else _Lines(lambda: aligned(tree, users))
    entry: _Entry = (len(text), None, made, path)
    _entries[path] = entry, users
    linecache.cache[path] = entry  # type: ignore[assignment]


def is_shown(path: str) -> bool:
    """Whether a file is one of a program that is run."""
    return path in _entries


@contextlib.contextmanager
def users_lines() -> Iterator[None]:
    """In the block, what shows one line of a translated file, such as a traceback, shows the user's.

    What reads its lines has the translated ones, also where it has `linecache` read the file anew,
    as AutoGraph does. After the block all have the user's.
    """
    read, show_one = linecache.updatecache, linecache.getline

    def updatecache(filename: str, module_globals: Any = None) -> Any:
        if filename not in _entries:
            return read(filename, module_globals)
        entry, _ = _entries[filename]
        linecache.cache[filename] = entry  # type: ignore[assignment]
        return entry[2]

    def getline(filename: str, lineno: int, module_globals: Any = None) -> str:
        if filename not in _entries:
            return show_one(filename, lineno, module_globals)
        _, lines = _entries[filename]
        return lines[lineno - 1] if 1 <= lineno <= len(lines) else ""

    from unittest import mock  # here: it brings asyncio, and `tfqueue check` needs none of it

    try:
        with (
            mock.patch.object(linecache, "updatecache", updatecache),
            mock.patch.object(linecache, "getline", getline),
        ):
            yield
    finally:
        for path, ((size, *_), lines) in _entries.items():
            linecache.cache[path] = (size, None, lines, path)
        _entries.clear()


def aligned(tree: ast.Module, users: list[str]) -> list[str]:
    """The source of a tree, each statement at its line as far as there is room.

    Args:
        tree: A program whose line numbers are those of the user's file.
        users: The lines of that file, each with its line end.

    >>> tree = ast.parse("def f(x):\\n\\n  return half(x)")
    >>> aligned(tree, ["def f(x):\\n", "  # halves\\n", "  return x / 2\\n"])
    ['def f(x):\\n', '  # halves\\n', '  return half(x)\\n']
    """
    page = _Page(users)
    # What a rule put above a function that stands in the first line has no line of its own.
    before = list(itertools.takewhile(lambda one: not hasattr(one, "body"), tree.body))
    first = _first(tree.body[len(before)]) if len(before) < len(tree.body) else 0
    crowded = [one for one in before if isinstance(one, ast.ImportFrom) and one.lineno >= first > 0]
    page.block([one for one in tree.body if one not in crowded], "", None)
    for node in crowded:
        page.block([node], "", None)
    count = max([len(users), *page.lines])
    for number, line in enumerate(users, 1):
        if line.strip()[:1] in ("", "#"):
            page.lines.setdefault(number, line)
    return [page.lines.get(number, "\n") for number in range(1, count + 1)]


class _Page:
    """Lines that are written from the top down.

    Attributes:
        lines: What is written, by line.
        last: The last line that is.
    """

    def __init__(self, users: list[str]) -> None:
        self.users, self.lines, self.last = users, dict[int, str](), 0

    def block(self, body: list[ast.stmt], indent: str, head: int | None) -> None:
        """Writes statements; `head` is the line of the head that they stand behind, if any."""
        simple = not any(hasattr(node, "body") or isinstance(node, ast.Match) for node in body)
        if head is not None and simple and body[0].lineno <= head:
            self._behind(" " + "; ".join(_text(one, self.last) for one in body))
            return
        indent = self._indent(body, indent, head)
        joins = False  # whether the line before can take another statement
        for node in body:
            compound = hasattr(node, "body") or isinstance(node, ast.Match)
            if self._as_it_is(node, _first(node), indent):
                joins = False
            elif not compound:
                self._simple(node, indent, joins)
                joins = True
            else:
                self._compound(node, indent)
                joins = False

    def _indent(self, body: list[ast.stmt], outer: str, head: int | None) -> str:
        """What the statements of a block begin with: what the user has there."""
        if head is None:
            return ""
        for node in body:
            line = self._user(node.lineno)
            indent = line[: len(line) - len(line.lstrip())]
            if len(indent) > len(outer) and indent.startswith(outer) and node.lineno > head:
                return indent
        return outer + "    "

    def _user(self, number: int) -> str:
        return self.users[number - 1] if 1 <= number <= len(self.users) else ""

    def _put(self, text: str, line: int) -> None:
        self.last = max(line, self.last + 1)
        for piece in lines_of(text):
            self.lines[self.last] = piece.rstrip("\n") + "\n"
            self.last += 1
        self.last -= 1

    def _behind(self, text: str) -> None:
        """Writes a text at the end of the last line."""
        first, *rest = lines_of(text)
        self.lines[self.last] = self.lines[self.last].rstrip("\n") + first.rstrip("\n") + "\n"
        for piece in rest:
            self._put(piece, 0)

    def _as_it_is(self, node: ast.stmt, first: int, indent: str) -> bool:
        """Writes a statement as the user wrote it, if it is still what it was."""
        last = node.end_lineno or node.lineno
        lines = self.users[first - 1 : last]
        if first <= self.last or not lines or not lines[0].startswith(indent):
            return False
        if lines[0][len(indent) : len(indent) + 1].isspace():
            return False
        text = "".join(lines)
        try:
            now = ast.parse(f"if 1:\n{text}").body[0] if indent else ast.parse(text)
        except (SyntaxError, ValueError):
            return False
        assert isinstance(now, ast.If | ast.Module)
        if len(now.body) != 1 or ast.dump(now.body[0]) != ast.dump(node):
            return False
        self._put(text, first)
        return True

    def _simple(self, node: ast.stmt, indent: str, joins: bool) -> None:
        if joins and node.lineno <= self.last:
            self._behind(f"; {_text(node, self.last)}")
        else:
            self._put(indent + _text(node, node.lineno), node.lineno)

    def _compound(self, node: Any, indent: str) -> None:
        if isinstance(node, ast.Match):
            text = ast.unparse(node).replace("\n", f"\n{indent}")
            self._put(indent + text, node.lineno)
            return
        for decorator in getattr(node, "decorator_list", ()):
            if decorator.lineno == node.lineno:
                continue  # a rule put it there, where there is no line for it; it has done its work
            self._put(f"{indent}@{ast.unparse(decorator)}", decorator.lineno)
        self._head(indent + _head(node), node.lineno, node.body, indent)
        for handler in getattr(node, "handlers", ()):
            self._head(indent + _head(handler), handler.lineno, handler.body, indent)
        orelse = getattr(node, "orelse", [])
        if len(orelse) == 1 and isinstance(node, ast.If) and isinstance(orelse[0], ast.If):
            self._otherwise(orelse[0], indent)
        elif orelse:
            self._word("else:", orelse, indent)
        if getattr(node, "finalbody", []):
            self._word("finally:", node.finalbody, indent)

    def _otherwise(self, node: ast.If, indent: str) -> None:
        """An `if` in the `else` of another one."""
        self._head(f"{indent}el{_head(node)}", node.lineno, node.body, indent)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            self._otherwise(node.orelse[0], indent)
        elif node.orelse:
            self._word("else:", node.orelse, indent)

    def _word(self, word: str, body: list[ast.stmt], indent: str) -> None:
        """`else` or `finally`, whose line no tree tells: it is above what follows."""
        line = body[0].lineno
        users = self._user(line).lstrip()
        beside = users.startswith(word.rstrip(":"))
        self._head(indent + word, line if beside else line - 1, body, indent)

    def _head(self, text: str, line: int, body: list[ast.stmt], indent: str) -> None:
        self._put(text, line)
        self.block(body, indent, self.last)


def _first(node: Any) -> int:
    """The first line of a statement, that of its first decorator if it has one."""
    return min(int(one.lineno) for one in [node, *getattr(node, "decorator_list", ())])


def _head(node: Any) -> str:
    """The head of a statement that has a body, up to its colon."""
    if isinstance(node, ast.Try):
        return "try:"
    bare = copy.copy(node)
    bare.body = [ast.Pass()]
    for field in ("orelse", "decorator_list"):
        if hasattr(bare, field):
            setattr(bare, field, [])
    return _text(bare, node.lineno).rpartition("\n")[0]


class _Slots(ast.NodeTransformer):
    """Puts names in the place of lambdas, which are kept in their order."""

    def __init__(self) -> None:
        self.lambdas: list[ast.Lambda] = []

    def visit_Lambda(self, node: ast.Lambda) -> ast.Name:
        self.lambdas.append(node)
        return ast.Name(f"tfq_lambda_{len(self.lambdas) - 1}_", ast.Load())

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        return node  # up to Python 3.11 there is no room for a line's end in it


_SLOT = re.compile(r"tfq_lambda_(\d+)_")


def _text(node: ast.AST, line: int) -> str:
    """The text of a node that begins at a line, each lambda in it at a line of its own if it has one.

    AutoGraph looks for a lambda by its line.
    """
    if all(inner.lineno <= line for inner in ast.walk(node) if isinstance(inner, ast.Lambda)):
        return ast.unparse(node)
    slots = _Slots()
    visit = slots.generic_visit if isinstance(node, ast.Lambda) else slots.visit
    pieces = _SLOT.split(ast.unparse(visit(copy.deepcopy(node))))
    text = pieces[0]
    for number, after in zip(pieces[1::2], pieces[2::2], strict=True):
        inner = slots.lambdas[int(number)]
        at = line + text.count("\n")
        text += "\\\n" * max(inner.lineno - at, 0)
        text += f"({_text(inner, max(inner.lineno, at))}){after}"
    return text
