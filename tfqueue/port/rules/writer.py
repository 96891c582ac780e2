"""The one place that turns a changed tree into text: all that was not changed stays as it was.

A module keeps what each node of the user's text held. Where a node holds the same, its text
is kept and only its parts are looked at. Where it holds something else, it is printed anew around
the text of those of its parts that are the user's; line breaks and comments between them stay.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from typing import Any

from tfqueue.port.program.module import Module

_SLOT = re.compile(r"tfq_slot_(\d+)_")
# white space that holds line ends, with the comments in front of them
_BREAKS = re.compile(r"[ \t]*(?:(?:#[^\n]*)?\n|\\\n)[ \t]*")
_LOOSE = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.UnaryOp, ast.NamedExpr)
_TIGHT = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.Attribute, ast.Subscript, ast.Call)

Edit = tuple[int, int, str]
Fields = dict[str, Any]
"""The parts of a node by their names: nodes, lists of them, text and numbers."""


def write(module: Module) -> str:
    """Returns the text of a module after the rules.

    Raises:
        AssertionError: The text would not mean what the tree means.

    >>> module = Module("x = f(1,  # one\\n      2)\\n")
    >>> call = module.nodes[ast.Call][0]
    >>> module.name_arguments(call, ["a", "b"])
    >>> print(write(module), end="")
    x = f(a=1,  # one
          b=2)
    """
    return _apply(module.text, 0, edits(module))


def edits(module: Module) -> list[Edit]:
    """Returns what `write` changes in a module's text: (start, end, new text).

    Raises:
        AssertionError: The text would not mean what the tree means.
    """
    if not module.changes:
        return []
    for coarse in (False, True):
        # what can't be kept in its shape is printed anew, statement by statement
        writer = _Writer(module, coarse)
        writer.collect(module.tree)
        if _same(_apply(module.text, 0, writer.edits), module.tree):
            return sorted(writer.edits, key=lambda edit: edit[:2])
    raise AssertionError(f"{module.path}: the ported text is not what `tfqueue run` runs")


def part(text: str, start: int, end: int, edits: list[Edit]) -> str:
    """A part of a text with the edits in it; one that goes over its end is written where it begins."""
    inside = [edit for edit in edits if start <= edit[0] < end or edit[0] == end == len(text)]
    begin = max([start, *(edit[1] for edit in edits if edit[0] < start)])
    stop = max([end, *(edit[1] for edit in inside)])
    return _apply(text[begin:stop], begin, inside) if begin < stop else ""


def _same(text: str, tree: ast.Module) -> bool:
    try:
        return ast.dump(ast.parse(text)) == ast.dump(tree)
    except SyntaxError:
        return False


# between the parts there may be a backslash and the end of a line
_FROM = re.compile(r"from\b{0}*([.\w]*(?:{0}*\.{0}*\w+)*){0}*import\b".format(r"(?:\s|\\\n)"))


class _Writer:
    """Collects the edits that make the new text of one module."""

    def __init__(self, module: Module, coarse: bool) -> None:
        self.module, self.coarse = module, coarse
        self.edits: list[Edit] = []

    def _original(self, node: ast.AST) -> bool:
        return node in self.module.before

    def collect(self, node: ast.AST) -> None:
        """Notes the edits below a node of the user's text."""
        if isinstance(node, ast.JoinedStr):
            # the places of what stands in it are not told before Python 3.12
            if self._differs(node):
                self._edit(node, ast.unparse(node))
            return
        before = self.module.before[node]
        fields = dict(ast.iter_fields(node))
        blocks = [f for f, v in before.items() if isinstance(v, list) and _statements(v, fields[f])]
        if self.coarse and isinstance(node, ast.stmt) and not blocks:
            if self._differs(node):
                self._edit(node, self._keep_comments(node, ast.unparse(node)))
            return
        rest = {f: v for f, v in before.items() if f not in blocks}
        if isinstance(node, ast.ImportFrom) and self._alike({"names": before["names"]}, fields):
            self._home(node, before, fields)
            rest = {"names": before["names"]}
        if not self._alike(rest, fields):
            if not blocks:
                self._edit(node, self._render(node, node))
                return
            rest = self._header(node, rest, fields)
        for field, old in rest.items():
            new = fields[field]
            for one, other in zip(*map(_listed, (old, new)), strict=True):
                self._slot(one, other, node)
        for field in blocks:
            self._block(before[field], fields[field])

    def _home(self, node: ast.ImportFrom, before: Fields, fields: Fields) -> None:
        """The module of a from-import; what is imported may go over several lines."""
        names = ("module", "level")
        if all(before[name] == fields[name] for name in names):
            return
        text = self.module.text
        match = _FROM.match(text, self.module.start(node))
        assert match is not None, "every import from a module begins like this"
        new = "." * fields["level"] + (fields["module"] or "")
        space = "" if text[match.start(1) - 1].isspace() else " "
        after = "" if text[match.end(1)].isspace() else " "
        self.edits.append((match.start(1), match.end(1), f"{space}{new}{after}"))

    @staticmethod
    def _alike(before: Fields, fields: Fields) -> bool:
        """Whether two nodes differ in nothing but which nodes are their parts."""
        for field, old in before.items():
            olds, news = _listed(old), _listed(fields[field])
            if len(olds) != len(news):
                return False
            for one, other in zip(olds, news, strict=True):
                parts = (
                    isinstance(one, ast.expr | ast.alias),
                    isinstance(other, ast.expr | ast.alias),
                )
                if (
                    one is not other
                    and not all(parts)
                    and (isinstance(one, ast.AST) or isinstance(other, ast.AST) or one != other)
                ):
                    return False
        return True

    def _slot(self, old: Any, new: Any, parent: ast.AST) -> None:
        if not isinstance(old, ast.AST) or isinstance(old, ast.expr_context):
            return
        if old is new:
            if old in self.module.before:
                self.collect(old)
            return
        text = self._render(new, old)
        loose = isinstance(new, _LOOSE) and not isinstance(old, _LOOSE)
        inner = isinstance(parent, _TIGHT) and not (
            isinstance(parent, ast.Call) and parent.func is not new
        )
        if loose and inner and not (isinstance(parent, ast.Subscript) and parent.slice is new):
            text = f"({text})"
        self._edit(old, text)

    def _header(self, node: ast.AST, rest: Fields, fields: Fields) -> Fields:
        """The changes in the head of a statement that has a body: a decorator, a handler's name."""
        rest = dict(rest)
        more = fields.get("decorator_list", [])[len(rest.get("decorator_list", [])) :]
        if more and isinstance(node, ast.stmt):
            at = self.module.offset(node.lineno, node.col_offset)
            lines = [f"@{ast.unparse(new)}\n{' ' * node.col_offset}" for new in more]
            self.edits.append((at, at, "".join(lines)))
            fields["decorator_list"] = rest["decorator_list"]
        if isinstance(node, ast.ExceptHandler) and node.type and rest["name"] != fields["name"]:
            start = self.module.end(node.type)
            match = re.compile(r"\bas\s+(\w+)").search(self.module.text, start)
            if match is not None:
                self.edits.append((match.start(1), match.end(1), fields["name"]))
            fields["name"] = rest["name"]
        if not self._alike(rest, fields):
            line = getattr(node, "lineno", 0)
            raise AssertionError(f"{self.module.path}:{line}: a head that can't be written")
        return rest

    def _block(self, old: list[ast.stmt], new: list[ast.stmt]) -> None:
        at, replaced = 0, self.module.replaced
        instead = {id(one) for statement in old for one in replaced.get(statement, ())}
        kept = {id(one) for one in new}
        for previous, statement in itertools.pairwise([None, *old]):
            assert statement is not None
            while at < len(new) and not self._original(new[at]) and id(new[at]) not in instead:
                is_import = isinstance(new[at], ast.Import | ast.ImportFrom)
                if previous is not None and not is_import and self._ends_its_line(previous):
                    self._append(new[at], [previous])
                else:
                    self._insert(new[at], statement)
                at += 1
            if id(statement) in kept:
                at += 1
                self.collect(statement)
            else:
                fresh = replaced[statement]
                at += len(fresh)
                texts = [self._render(one, statement) for one in fresh]
                if any(hasattr(one, "body") for one in fresh):
                    # the user's statement has its line for itself
                    indent = self.module.lines[statement.lineno - 1][: statement.col_offset]
                    text = "\n".join(texts).replace("\n", f"\n{indent}")
                else:
                    text = "; ".join(texts)
                self._edit(statement, self._keep_comments(statement, text))
        for one in new[at:]:
            self._append(one, old)

    def _insert(self, new: ast.stmt, before: ast.stmt) -> None:
        first = min([before, *getattr(before, "decorator_list", ())], key=lambda n: n.lineno)
        line = self.module.offset(first.lineno, 0)
        at = self.module.start(before) if first is before else line
        indent = self.module.text[line:at] if first is before else " " * before.col_offset
        text = ast.unparse(new)
        if indent.strip():
            self.edits.append((at, at, f"{text}; "))
        else:
            self.edits.append((line, line, f"{indent}{text}\n"))

    def _ends_its_line(self, statement: ast.stmt) -> bool:
        rest = self.module.text[self.module.end(statement) :].partition("\n")[0].strip()
        return not rest or rest.startswith("#")

    def _append(self, new: ast.stmt, old: list[ast.stmt]) -> None:
        text = self.module.text
        if not old:
            between = "" if not text or text.endswith("\n") else "\n"
            self.edits.append((len(text), len(text), f"{between}{ast.unparse(new)}\n"))
            return
        last = old[-1]
        end = self.module.end(last)
        if text[self.module.offset(last.lineno, 0) : self.module.start(last)].strip():
            self.edits.append((end, end, f"; {ast.unparse(new)}"))
            return
        end = text.find("\n", end) if "\n" in text[end:] else len(text)
        self.edits.append((end, end, f"\n{' ' * last.col_offset}{ast.unparse(new)}"))

    def _edit(self, node: ast.AST, text: str) -> None:
        self.edits.append((self.module.start(node), self.module.end(node), text))

    # printing

    def _differs(self, node: ast.AST) -> bool:
        """Whether anything in a node is not as it was."""
        for inner in ast.walk(node):
            before = self.module.before.get(inner)
            if before is None:
                if not isinstance(inner, ast.expr_context | ast.operator | ast.unaryop):
                    if not isinstance(inner, ast.boolop | ast.cmpop):
                        return True
                continue
            for field, old in before.items():
                olds, news = _listed(old), _listed(getattr(inner, field))
                if len(olds) != len(news) or any(
                    one is not other and (isinstance(one, ast.AST) or one != other)
                    for one, other in zip(olds, news, strict=True)
                ):
                    return True
        return False

    def _text_of(self, node: ast.AST) -> str:
        """The new text of a node that is the user's, wherever it stands now."""
        inner = _Writer(self.module, self.coarse)
        inner.collect(node)
        start = self.module.start(node)
        return _apply(self.module.text[start : self.module.end(node)], start, inner.edits)

    def _render(self, node: ast.AST, place: ast.AST) -> str:
        """The text of a node that is new, or holds something new.

        Args:
            place: The node of the user's text in whose place it comes.
        """
        if self._original(node) and node is not place:
            return self._text_of(node)
        slots: list[ast.AST] = []
        printed = ast.unparse(ast.fix_missing_locations(self._clone(node, slots, top=True)))
        pieces = _SLOT.split(printed)
        gaps, order = pieces[::2], [slots[int(number)] for number in pieces[1::2]]
        texts = [self._text_of(slot) for slot in order]
        return self._joined(gaps, order, texts, place)

    def _clone(self, node: Any, slots: list[ast.AST], top: bool = False) -> Any:
        """A copy in which names stand for the expressions that are the user's."""
        if isinstance(node, list):
            return [self._clone(item, slots) for item in node]
        if not isinstance(node, ast.AST):
            return node
        if not top and isinstance(node, ast.expr) and self._original(node):
            slots.append(node)
            return ast.Name(f"tfq_slot_{len(slots) - 1}_", ast.Load())
        return type(node)(**{f: self._clone(v, slots) for f, v in ast.iter_fields(node)})

    def _joined(
        self, gaps: list[str], order: list[ast.AST], texts: list[str], place: ast.AST
    ) -> str:
        module = self.module
        start, end = module.start(place), module.end(place)
        pieces = [gaps[0]]
        reach = start
        for number, (slot, text) in enumerate(zip(order, texts, strict=True)):
            at, to = module.start(slot), module.end(slot)
            inside = start <= at and to <= end and at >= reach
            if inside:
                pieces[-1] = _with_breaks(pieces[-1], _breaks(module.text[reach:at]))
                reach = to
            if isinstance(slot, ast.Tuple | ast.GeneratorExp | ast.Yield | ast.NamedExpr) and (
                not text.startswith("(") and len(order) > 1
            ):
                text = f"({text})"
            pieces += (text, gaps[number + 1])
        tail = _breaks(module.text[reach:end]) if order else ""
        if tail and gaps[-1].strip().startswith((")", "]", "}", ".")):
            pieces[-1] = tail + pieces[-1].lstrip()
        elif tail and gaps[-1].lstrip().startswith(","):
            pieces[-1] = _with_breaks(pieces[-1], tail)
        return "".join(pieces)

    def _keep_comments(self, node: ast.stmt, text: str) -> str:
        """Puts comments that a statement lost on lines of their own above it."""
        lost = [c for c in _comments(self.module.source(node)) if c not in text]
        line = self.module.offset(node.lineno, 0)
        indent = self.module.text[line : self.module.start(node)]
        if not lost or indent.strip():
            return text
        return "".join(f"{comment}\n{indent}" for comment in lost) + text


def _comments(text: str) -> Iterator[str]:
    """The comments in the text of a statement."""
    import io
    import tokenize

    try:
        for token in tokenize.generate_tokens(io.StringIO(text + "\n").readline):
            if token.type == tokenize.COMMENT:
                yield token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _breaks(gap: str) -> str:
    """The line breaks and comments of what stands between two nodes."""
    return "".join(match.group() for match in _BREAKS.finditer(gap))


def _with_breaks(gap: str, breaks: str) -> str:
    if not breaks:
        return gap
    head, comma, tail = gap.partition(",")
    if comma:
        return head + comma + breaks + tail.lstrip()
    if gap.rstrip().endswith(("(", "[", "{")):
        return gap.rstrip() + breaks
    return breaks + gap.lstrip() if gap.strip() else breaks


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _statements(before: list[Any], after: Any) -> bool:
    return any(isinstance(one, ast.stmt) for one in [*before, *_listed(after)])


def _apply(text: str, start: int, edits: list[Edit]) -> str:
    """Puts edits, whose offsets count from the module's beginning, into a part of its text."""
    at = 0
    pieces: list[str] = []
    for first, last, new in sorted(edits, key=lambda edit: edit[:2]):
        pieces += (text[at : first - start], new)
        at = last - start
    return "".join([*pieces, text[at:]])
