"""A program's text as a tree of Python 3, whichever Python it was written in."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import re
import warnings

from tfqueue.port.source import keywords, python2_syntax
from tfqueue.port.source.files import Unreadable
from tfqueue.port.source.finding import Finding

_MISPLACED = re.compile(
    r"'(break|continue|return|yield)' (not properly in|outside) |'yield' inside |name .* (prior to|before) global"
    r"|from __future__ imports must|future feature .* is not defined"
)
"""What is found when code is made of a tree, and not before. Python 2 let some of it pass: where the line is
never reached, or with a warning."""


@dataclasses.dataclass(frozen=True)
class Parsed:
    """A text that was parsed.

    Attributes:
        path: The file that it is from.
        original: The text as it was.
        text: The text in Python 3.
        tree: The tree of that text.
        findings: What was changed to make Python 3 of it.
        lines: For each line of `text` (from 0) the number of the line in `original`.
        converted: Whether the syntax of Python 2 was made into that of Python 3.
    """

    path: str
    original: str
    text: str
    tree: ast.Module
    findings: tuple[Finding, ...]
    lines: list[int]
    converted: bool = False

    def as_python2(self) -> Parsed:
        """The same text read as Python 2, although Python 3 can parse it.

        Raises:
            Unreadable: Python 2 could not parse it.
        """
        return self if self.converted else _converted(self.original, self.path, None)


def tree_of(text: str) -> ast.Module:
    """Parses Python 3; the parser's warnings about old literals are not shown.

    Raises:
        SyntaxError: It is not Python 3.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or "too deeply nested") from None


def parse(text: str, path: str = "<string>") -> Parsed:
    """Parses a program of Python 3, or one of Python 2 that Python 3 cannot parse.

    Args:
        text: The program, with ``\\n`` line ends.
        path: Its file, for messages.

    Raises:
        Unreadable: It is neither.

    >>> parse("print 'a', b\\n").text
    "print('a', b)\\n"
    """
    try:
        new, tree, findings = _python3(text)
        parsed = Parsed(path, text, new, tree, tuple(findings), _every_line(text))
    except SyntaxError as error:
        parsed = _converted(text, path, error)
    _refuse_misplaced(parsed)
    return parsed


def _refuse_misplaced(parsed: Parsed) -> None:
    """Raises `Unreadable` for a `continue` outside a loop and its like, which the parser lets through."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # IPython compiles the statements of a notebook one by one: `global` of one says nothing about those before
        apart = parsed.path.endswith(".ipynb")
        trees = [ast.Module([node], []) for node in parsed.tree.body] if apart else [parsed.tree]
        try:
            for tree in trees:
                compile(tree, parsed.path, "exec", dont_inherit=True)
        except SyntaxError as error:
            if _MISPLACED.match(error.msg):
                line = parsed.lines[(error.lineno or 1) - 1]
                reason = f"it can't be compiled: {error.msg}"
                raise Unreadable(parsed.path, reason, line) from None
        except (ValueError, RecursionError, MemoryError):
            return  # what compiles it for a run says so


def can_be_parsed(text: str) -> bool:
    """Whether a text is Python 3 or Python 2.

    >>> can_be_parsed("print 1\\n"), can_be_parsed("once upon a time\\n")
    (True, False)
    """
    try:
        return bool(_python3(text))
    except SyntaxError as error:
        try:
            python2_syntax.convert(text, error)
            return True
        except python2_syntax.NotPython2:
            return False


def is_python2(text: str) -> bool:
    """Whether a text that can be parsed is one that Python 3 cannot parse.

    >>> is_python2("print 1\\n"), is_python2("print(1)\\n")
    (True, False)
    """
    return not _is_python3(text)


def _is_python3(text: str) -> bool:
    with contextlib.suppress(SyntaxError):
        return bool(_python3(text))
    return False


def _python3(text: str) -> tuple[str, ast.Module, list[Finding]]:
    """A text of any Python 3, as today's Python parses it: the text, its tree, what was changed in it.

    Raises:
        SyntaxError: It is not Python 3.
    """
    try:
        return text, tree_of(text), []
    except SyntaxError:
        new, found = keywords.as_names(text)
        if not found:
            raise
        return new, tree_of(new), found


def _every_line(text: str) -> list[int]:
    return list(range(1, text.count("\n") + 2))


def _converted(text: str, path: str, error: SyntaxError | None) -> Parsed:
    """Reads a text as Python 2; `error` says why Python 3 cannot parse it, if that is so."""
    try:
        new, findings, lines = python2_syntax.convert(text, error)
        try:
            tree = tree_of(new)
        except TabError as mixed:
            # Python 3 finds mixed tabs only where it can parse the rest.
            new, findings, lines = python2_syntax.convert(text, mixed)
            tree = tree_of(new)
    except python2_syntax.NotPython2 as refused:
        raise Unreadable(path, refused.reason, refused.line) from None
    except SyntaxError as failure:
        reason = f"can't be parsed, neither as Python 3 nor as Python 2: {failure.msg}"
        line = lines[min((failure.lineno or 1), len(lines)) - 1]
        raise Unreadable(path, reason, line) from None
    return Parsed(path, text, new, tree, tuple(findings), lines, new != text or bool(findings))
