"""Makes Python 3's syntax of Python 2's: `print x`, `except A, e`, `<>`, `0777`.

lib2to3 does most of it, up to Python 3.12; with later Pythons its successor fissix does. Only text that
Python 3 cannot parse, or parses as something else, is changed here. The rules in `rules/python2`
and the functions of `tfqueue.port.py2` keep what Python 2 meant by the rest.
"""

from __future__ import annotations

import functools
import importlib
import io
import re
import types
import warnings
from collections.abc import Iterable
from typing import Any

from tfqueue.port.source import keywords
from tfqueue.port.source.finding import Finding

Node = Any
"""A node or a leaf of the library's tree. The library is chosen at run time, and has no types."""

# fixer of lib2to3: (name of the rule, what it says)
_FIXERS = {
    "print": ("py2-print", "print is a function"),
    "except": ("py2-except", "an exception is caught `as` a name"),
    "raise": ("py2-raise", "an exception is raised by calling its class"),
    "exec": ("py2-exec", "exec is a function"),
    "ne": ("py2-operators", "`<>` and backquotes are gone"),
    "repr": ("py2-operators", "`<>` and backquotes are gone"),
    "numliterals": ("py2-numbers", "one kind of integer, and octal numbers begin with 0o"),
    "tuple_params": ("py2-parameters", "a parameter can't be a tuple"),
    "paren": ("py2-parameters", "a bare tuple needs parentheses"),
    "metaclass": ("py2-classes", "a metaclass is given in the head of the class"),
}
# An import from __future__, which can go over several lines.
_FUTURE = re.compile(
    r"^from[ \t]+__future__[ \t]+import\b(?:\\\n|\([^)]*\)|[^\n\\(])*", re.MULTILINE
)
_STRING = re.compile(r"([a-zA-Z]*)('''|\"\"\"|'|\")(.*)\2\Z", re.DOTALL)
# what a raw text of Python 2 has of escapes: an odd number of backslashes, then u or U
_RAW_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)(\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))")
# an escape that a str of Python 2 did not know: an odd number of backslashes, then u, U or N
_UNKNOWN_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\([uUN])")
# escapes of bytes above 127
_HIGH_ESCAPES = re.compile(r"(?<!\\)((?:\\\\)*)((?:\\x[89a-fA-F][0-9a-fA-F]|\\[23][0-7]{2})+)")


def _as_text(found: re.Match[str]) -> str:
    """The text that escaped bytes are; where they are none, as a binary file is read as text."""
    codes = [
        int(each[1:], 16) if each[0] == "x" else int(each, 8) for each in found[2].split("\\")[1:]
    ]
    text = bytes(codes).decode("utf-8", "surrogateescape")
    return str(found[1]) + "".join(
        f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}" for char in text
    )


class NotPython2(Exception):
    """A text that cannot be parsed as Python 2, or nothing is installed that could.

    Attributes:
        reason: One clause, such as ``is nested too deeply to be parsed``.
        line: The 1-based line, or 0 where there is none.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.line = reason, line


@functools.cache
def _library() -> str:
    for name in ("lib2to3", "fissix"):
        try:
            with warnings.catch_warnings():
                # lib2to3 warns that it is deprecated: fissix follows it
                warnings.simplefilter("ignore")
                importlib.import_module(f"{name}.refactor")
        except ImportError:
            continue
        return name
    raise NotPython2(
        "is Python 2, and this Python has no lib2to3: pip install 'tfqueue[port]' (fissix)"
    )


def _part(name: str) -> types.ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(f"{_library()}.{name}")


def future_of(text: str) -> frozenset[str]:
    """The names that a text imports from __future__.

    >>> sorted(future_of("from __future__ import (division,\\n    print_function)\\n"))
    ['division', 'print_function']
    """
    imports = re.sub(r"#[^\n]*", "", "\n".join(_FUTURE.findall(text)))
    return frozenset(re.findall(r"\w+", imports)) - {"from", "__future__", "import"}


def detab(text: str) -> str:
    """Expands the tabs that indent a line to Python 2's eight columns.

    Python 3 refuses indentation that mixes tabs and spaces in a way that depends on the width.

    >>> detab("if a:\\n\\tb\\n        c\\n")
    'if a:\\n        b\\n        c\\n'
    """
    tokenize = _part("pgen2.tokenize")
    inside: set[int] = set()
    for kind, _, (start, _), (end, _), _ in tokenize.generate_tokens(io.StringIO(text).readline):
        if kind == _part("pgen2.token").STRING:
            inside.update(range(start + 1, end + 1))
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if number not in inside:
            body = line.lstrip(" \t")
            lines[number - 1] = line[: len(line) - len(body)].expandtabs(8) + body
    return "\n".join(lines)


def _parse(text: str, future: Iterable[str], error: SyntaxError) -> Node:
    pygram, pytree, driver = _part("pygram"), _part("pytree"), _part("pgen2.driver")
    grammars = [
        pygram.python_grammar,
        pygram.python_grammar_no_print_statement,
        pygram.python_grammar_no_print_and_exec_statement,
    ]
    if "print_function" in future:
        del grammars[0]
    failures = (
        _part("pgen2.parse").ParseError,
        _part("pgen2.tokenize").TokenError,
        IndentationError,
        UnicodeError,
    )
    for grammar in grammars:
        try:
            return driver.Driver(grammar, convert=pytree.convert).parse_string(text)
        except failures:
            continue
    reason = f"can't be parsed, neither as Python 3 nor as Python 2: {error.msg}"
    raise NotPython2(reason, error.lineno or 0) from None


def _first_leaf(node: Node) -> Node:
    while node.children:
        node = node.children[0]
    return node


class _Recorder:
    """A fixer of the library, with a note of what it changed."""

    def __init__(self, fixer: Any, row: tuple[str, str], found: list[Finding]) -> None:
        self._transform, self._row, self._found = fixer.transform, row, found
        fixer.transform = self

    def __call__(self, node: Node, results: Any) -> Node:
        if isinstance(results, dict) and "lambda" in results:
            return None  # they come last, see `_lambdas`
        leaf, before = _first_leaf(node), str(node)
        line, column = leaf.lineno, leaf.column
        parent = node.parent
        new = self._transform(node, results)
        changed = str(new) != before if new is not None else str(node) != before
        changed = changed or (new is None and node.parent is not parent)
        if changed and line:
            # the first word is enough to know the place by
            name, message = self._row
            self._found.append(Finding(name, line, column + 1, message, True))
        return new


def line_map(tree: Node) -> list[int]:
    """Returns, for each line of a refactored tree's text, the line of the old text."""
    found: dict[int, int] = {}
    line = 1
    for leaf in tree.leaves():
        line += leaf.prefix.count("\n")
        if leaf.lineno:
            found.setdefault(line, leaf.lineno)
            # a string or a newline: what follows inside it keeps step
            for extra in range(1, leaf.value.count("\n") + 1):
                found.setdefault(line + extra, leaf.lineno + extra)
        line += leaf.value.count("\n")
    lines, last = [], 1
    for number in range(1, line + 1):
        last = found.get(number, last)
        lines.append(last)
    return lines


@functools.cache
def _tool() -> Any:
    fixers = [f"{_library()}.fixes.fix_{name}" for name in _FIXERS]
    # without `explicit` each fixer that runs only when asked for would be left out
    return _part("refactor").RefactoringTool(fixers, explicit=fixers)


def _strings(tree: Node, future: frozenset[str]) -> Iterable[Finding]:
    """`ur''` becomes `r''`; in a `str`, `\\u` was a backslash and a u."""
    kind = _part("pgen2.token").STRING
    for leaf in tree.leaves():
        if leaf.type != kind:
            continue
        match = _STRING.match(leaf.value)
        assert match is not None, "a token of this kind begins with a quote, or a prefix"
        prefix, quote, body = match.groups()
        lower = prefix.lower()
        if lower == "ur" or (lower == "r" and "unicode_literals" in future):
            # a raw text of Python 2 has these escapes, one of Python 3 has none
            apart = _RAW_ESCAPE.sub(rf"\1{quote} {quote}\2{quote} r{quote}", body)
            new = f"r{quote}{apart}{quote}"
        elif not lower and "unicode_literals" not in future:
            doubled = _UNKNOWN_ESCAPE.sub(r"\1\\\\\2", body)
            new = f"{prefix}{quote}{_HIGH_ESCAPES.sub(_as_text, doubled)}{quote}"
        else:
            continue
        if new != leaf.value:
            message = f"{leaf.value[:7]}: an escape, or a prefix, that Python 3 reads otherwise"
            leaf.value = new
            leaf.changed()
            yield Finding("py2-text", leaf.lineno, leaf.column + 1, message, True)


def _keywords(tree: Node) -> Iterable[Finding]:
    """`dict(True=1)` and `f(async=1)`: in Python 2 these are names like others."""
    token = _part("pgen2.token")
    for leaf in tree.leaves():
        if leaf.type != token.NAME or leaf.value not in ("True", "False", *keywords.WORDS):
            continue
        if leaf.value in keywords.WORDS:
            yield keywords.told(leaf.value, leaf.lineno, leaf.column)
        elif getattr(leaf.next_sibling, "value", "") == "=" and (
            leaf.parent.type == _part("pygram").python_symbols.argument
        ):
            yield Finding(
                "py2-names", leaf.lineno, leaf.column + 1, f"{leaf.value} is no name", True
            )
        else:
            continue
        leaf.value = keywords.as_name(leaf.value)
        leaf.changed()


def _empty_tuples(tree: Node) -> None:
    """`print ()` prints a tuple; the fixer takes it for a call."""
    for node in tree.post_order():
        if node.type == _part("pygram").python_symbols.print_stmt:
            for child in node.children[1:]:
                if str(child).strip() == "()":
                    leaf = _part("pytree").Leaf(
                        _part("pgen2.token").NAME, "(())", prefix=child.prefix
                    )
                    leaf.lineno, leaf.column = _first_leaf(child).lineno, _first_leaf(child).column
                    child.replace(leaf)


def _targets(tree: Node) -> None:
    """`except E as (a, b)` and `except E, (a, b): print a`, which the fixer leaves or spoils."""
    symbols, token = _part("pygram").python_symbols, _part("pgen2.token")
    leaf, number = _part("pytree").Leaf, 0
    for node in tree.post_order():
        if node.type != symbols.except_clause or len(node.children) != 4:
            continue
        target = node.children[3]
        if target.type == token.NAME:
            continue
        suite = node.next_sibling.next_sibling
        if suite.type == symbols.suite:
            node.children[2].value = ","  # the fixer of fissix leaves what has `as`
            continue
        # a line of its own: the fixer would put the assignment in front without a semicolon
        first = suite.children[0]
        number += 1
        wanted = f"{str(target).strip()} = tfq_caught_{number}"
        inner = target.children[:2] if target.type == symbols.atom else []
        if inner and (inner[0].value == "[" or inner[1].type == symbols.testlist_gexp):
            wanted += ".args"
        caught = leaf(token.NAME, f"tfq_caught_{number}", prefix=" ")
        caught.lineno, caught.column = _first_leaf(target).lineno, _first_leaf(target).column
        target.replace(caught)
        suite.insert_child(0, leaf(token.NAME, wanted, prefix=first.prefix))
        suite.insert_child(1, leaf(token.SEMI, ";"))
        first.prefix = " "


def _lambdas(tree: Node) -> Iterable[Finding]:
    """`lambda a, (b, c): x` becomes `lambda a, tfq_2: (lambda b, c: x)(*tfq_2)`."""
    symbols = _part("pygram").python_symbols
    lambdas = [n for n in tree.post_order() if n.type in (symbols.lambdef, symbols.old_lambdef)]
    for node in lambdas:
        line, column = _first_leaf(node).lineno, _first_leaf(node).column
        given = node.children[1:-2]
        if given and given[0].type == symbols.varargslist:
            given = given[0].children
        parameters = [(_without_parentheses(one[0]), one) for one in _at_commas(given)]
        if not any(parts[0].type == symbols.vfpdef for _, parts in parameters):
            continue
        names, inner = [], str(node.children[-1]).strip()
        for number, (pattern, parts) in enumerate(parameters, 1):
            name = "".join(map(str, (pattern, *parts[1:]))).strip()
            if pattern.type == symbols.vfpdef:
                inner = f"({_lambda(pattern, inner)})(*tfq_{number})"
                name = f"tfq_{number}" + "".join(map(str, parts[1:]))
            names.append(name)
        leaf = _part("pytree").Leaf(
            _part("pgen2.token").NAME, f"lambda {', '.join(names)}: {inner}", prefix=node.prefix
        )
        leaf.lineno, leaf.column = line, column
        node.replace(leaf)
        yield Finding("py2-parameters", line, column + 1, _FIXERS["tuple_params"][1], True)


def _lambda(pattern: Node, body: str) -> str:
    """A lambda over the names of a pattern, whose own tuples are taken apart in turn."""
    symbols = _part("pygram").python_symbols
    names = []
    for number, parts in enumerate(_at_commas(pattern.children[1].children), 1):
        part = _without_parentheses(parts[0])
        name = str(part).strip()
        if part.type == symbols.vfpdef:
            name = f"tfq_in_{number}"
            body = f"({_lambda(part, body)})(*{name})"
        names.append(name)
    return f"lambda {', '.join(names)}: {body}"


def _without_parentheses(pattern: Node) -> Node:
    """What stands in parentheses that make no tuple: `((a))` is `a`."""
    symbols = _part("pygram").python_symbols
    while pattern.type == symbols.vfpdef and pattern.children[1].type != symbols.vfplist:
        pattern = pattern.children[1]
    return pattern


def _at_commas(nodes: list[Node]) -> list[list[Node]]:
    """Divides the parts of a list at its commas; one at its end divides nothing."""
    comma = _part("pgen2.token").COMMA
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if node.type == comma:
            parts.append([])
        else:
            parts[-1].append(node)
    return [part for part in parts if part]


def convert(text: str, error: SyntaxError | None = None) -> tuple[str, list[Finding], list[int]]:
    """Turns Python 2's syntax into Python 3's.

    Args:
        error: Why the text does not parse as Python 3; None where it does.

    Returns:
        The new text, what was found, and for each new line (from 1) the number of the old one.

    Raises:
        NotPython2: It is not Python 2 either, or there is no library to read it.

    >>> convert("print 'a', b\\n")[0]
    "print('a', b)\\n"
    """
    _library()
    found: list[Finding] = []
    if isinstance(error, TabError):
        expanded = detab(text)
        if expanded != text:
            message = "tabs and spaces mixed: Python 2 took a tab for eight columns"
            found.append(Finding("py2-tabs", error.lineno or 1, 1, message, True))
            text = expanded
    ends = text.endswith("\n")
    source = text if ends else text + "\n"
    future = future_of(text)
    try:
        tree = _parse(source, future, error or SyntaxError("invalid syntax"))
        tree.future_features = future
        found += _strings(tree, future)
        found += _keywords(tree)
        _empty_tuples(tree)
        _targets(tree)
        # The library caches nothing of a file in its fixers but what start_tree resets.
        originals = []
        tool = _tool()
        for fixer in {*tool.pre_order, *tool.post_order}:
            name = type(fixer).__module__.rpartition("fix_")[2]
            originals.append((fixer, fixer.transform))
            _Recorder(fixer, _FIXERS[name], found)
        try:
            tool.refactor_tree(tree, "<program>")
        finally:
            for fixer, transform in originals:
                fixer.transform = transform
        found += _lambdas(tree)
        new = str(tree)
    except RecursionError:
        raise NotPython2("is nested too deeply to be parsed") from None
    if not ends and new.endswith("\n"):
        new = new[:-1]
    return new, found, line_map(tree)
