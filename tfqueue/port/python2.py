"""Python 2 source to Python 3, through lib2to3 (up to Python 3.12) or its heir fissix.

Neither `ast` nor libcst can read Python 2. This is the first of two phases: it turns Python 2
into Python 3 of the same meaning; the rules for TensorFlow, numpy and the like come after it and
need nothing but `ast`. Files that are Python 3 already never get here.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import importlib
import re
import types
import warnings
from collections.abc import Iterable

from tfqueue.port.edits import Finding
from tfqueue.port.source import Unreadable, lines_of

# Names that only Python 2 has. One of them, unguarded, makes a file that Python 3 can parse a
# Python 2 file all the same.
_NAMES = frozenset(
    [
        *("xrange", "unicode", "raw_input", "basestring", "unichr", "reload", "execfile", "long"),
        "StandardError",
    ]
)
_METHODS = frozenset(["iteritems", "itervalues", "iterkeys", "has_key"])
_MODULES = frozenset(
    [
        "cPickle",
        "cStringIO",
        "StringIO",
        "urllib2",
        "urlparse",
        "ConfigParser",
        "Queue",
        "commands",
        "Tkinter",
        "httplib",
        "HTMLParser",
        "cookielib",
        "xmlrpclib",
        "__builtin__",
        "copy_reg",
        "exceptions",
        "thread",
        "SocketServer",
        "BaseHTTPServer",
        "SimpleHTTPServer",
        "anydbm",
    ]
)
_SYS = frozenset(["maxint", "setdefaultencoding"])
_STRING = frozenset(["letters", "lowercase", "uppercase", "maketrans"])
_ITERTOOLS = frozenset(["izip", "imap", "ifilter", "izip_longest", "ifilterfalse"])
_URLLIB = frozenset(
    ["urlopen", "urlretrieve", "urlencode", "quote", "unquote", "quote_plus", "unquote_plus"]
)


# An import from __future__, which can go over several lines.
_FUTURE = re.compile(
    r"^from[ \t]+__future__[ \t]+import\b(?:\\\n|\([^)]*\)|[^\n\\(])*", re.MULTILINE
)


class Absent(Exception):
    """Neither lib2to3 nor fissix is there."""


@functools.cache
def _library() -> str:
    for name in ("lib2to3", "fissix"):
        try:
            with warnings.catch_warnings():
                # lib2to3 announces its own end, which is taken care of above
                warnings.simplefilter("ignore")
                importlib.import_module(f"{name}.refactor")
        except ImportError:
            continue
        return name
    raise Absent(
        "is Python 2, and this Python has no lib2to3: pip install 'tfqueue[port]' (fissix)"
    )


def _part(name: str) -> types.ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(f"{_library()}.{name}")


def signs(module) -> list[tuple[str, int]]:
    """Returns what in a module that parses as Python 3 can only be Python 2: (name, line).

    >>> from tfqueue.port.module import Module
    >>> signs(Module("for i in xrange(3):\\n  pass\\n"))
    [('xrange', 1)]
    """
    found = []
    for node in module.nodes[ast.Name]:
        if node.id in _NAMES and module.is_builtin(node, node.id) and not module.guarded(node):
            found.append((node.id, node.lineno))
    for node in module.nodes[ast.Attribute]:
        if node.attr in _METHODS and not module.guarded(node):
            found.append((node.attr, node.lineno))
    for node, dotted in module.references:
        head, _, name = dotted.partition(".")
        only = {"sys": _SYS, "string": _STRING, "itertools": _ITERTOOLS, "urllib": _URLLIB}
        if name in only.get(head, ()) and not module.guarded(node):
            found.append((dotted, node.lineno))
    for node in module.nodes[ast.Import]:
        for alias in node.names:
            if alias.name in _MODULES and not _left(module, node, alias.name):
                found.append((f"import {alias.name}", node.lineno))
    for node in module.nodes[ast.ImportFrom]:
        if node.module in _MODULES and not node.level and not _left(module, node, node.module):
            found.append((f"from {node.module}", node.lineno))
        only = {"itertools": _ITERTOOLS, "urllib": _URLLIB, "string": _STRING}
        for alias in node.names:
            if alias.name in only.get(node.module, ()) and not module.guarded(node):
                found.append((f"{node.module}.{alias.name}", node.lineno))
    found += (("print", node.lineno) for node in module.nodes[ast.Expr] if _print_statement(node))
    if found and ("six" in module.imported or any("version" in w for w in module.words)):
        # it knows of both Pythons: what is left over is in branches that it takes care of
        found = [sign for sign in found if sign[0] in ("reload", "print")]
    return sorted(found, key=lambda sign: sign[1])


def _left(module, node: ast.AST, name: str) -> bool:
    """Whether an import is taken care of by the program, or means a module of its own."""
    return module.guarded(node) or module.has_beside(name)


def _print_statement(statement: ast.Expr) -> bool:
    """Whether a statement is Python 2's print, though Python 3 takes it for something else.

    `print`, `print >>file, x`, `print ("%d") % x`.
    """
    value = statement.value
    if isinstance(value, ast.Tuple) and value.elts:
        value = value.elts[0]
    while isinstance(value, ast.BinOp):
        value = value.left
    if isinstance(value, ast.Call):
        return statement.value is not value and _is_print(value.func)
    return _is_print(value)


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "print"


def looks_python2(text: str) -> bool:
    """A quick look, to spare most files the slow one: can `signs` find anything in it?

    >>> looks_python2("for i in xrange(2): pass"), looks_python2("x = 1")
    (True, False)
    """
    return _QUICK.search(text) is not None


_QUICK = re.compile(
    r"\b(?:"
    + "|".join(sorted(_NAMES | _METHODS | _MODULES | _SYS | _STRING | _ITERTOOLS | {"urllib"}))
    + r")\b"
    # print as a statement that Python 3 can parse all the same
    + r"|\bprint[ \t]*(?:>>|$|#|;|\([^\n]*\)[ \t]*[%,])",
    re.MULTILINE,
)


def detab(text: str) -> str:
    """Expands the tabs that indent a line to Python 2's eight columns.

    Python 3 refuses indentation that mixes tabs and spaces in a way that depends on the width.

    >>> detab("if a:\\n\\tb\\n        c\\n")
    'if a:\\n        b\\n        c\\n'
    """
    tokenize = _part("pgen2.tokenize")
    inside: set[int] = set()
    lines = lines_of(text)
    for kind, _, (start, _), (end, _), _ in tokenize.generate_tokens(iter([*lines, ""]).__next__):
        if kind == _part("pgen2.token").STRING:
            inside.update(range(start + 1, end + 1))
    for number, line in enumerate(lines, 1):
        if number not in inside:
            body = line.lstrip(" \t")
            lines[number - 1] = line[: len(line) - len(body)].expandtabs(8) + body
    return "".join(lines)


def _parse(text: str, path: str, future: Iterable[str], error: SyntaxError):
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
    raise Unreadable(path, reason, error.lineno or 0) from None


def _first_leaf(node):
    while node.children:
        node = node.children[0]
    return node


class _Recorder:
    """A fixer of the library, with a note of what it changed."""

    def __init__(self, fixer, rule, found: list[Finding]):
        self._transform, self._rule, self._found = fixer.transform, rule, found
        fixer.transform = self

    def __call__(self, node, results):
        leaf, before = _first_leaf(node), str(node)
        line, column = leaf.lineno, leaf.column
        parent = node.parent
        new = self._transform(node, results)
        changed = str(new) != before if new is not None else str(node) != before
        changed = changed or (new is None and node.parent is not parent)
        if changed and line:
            # the first word is enough to know the place by
            finding = Finding(self._rule.NAME, line, column + 1, self._rule.MESSAGE)
            self._found.append(finding)
        return new


def line_map(tree) -> list[int]:
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
def _tool(names: tuple[str, ...]):
    refactor = _part("refactor")
    return refactor.RefactoringTool(
        [f"{_library()}.fixes.fix_{name}" for name in names],
        # without this each fixer that may run only when asked for would be left out
        explicit=[f"{_library()}.fixes.fix_{name}" for name in names],
    )


def convert(
    text: str,
    path: str,
    rules: Iterable,
    error: SyntaxError | None,
    *,
    statement: bool = True,
) -> tuple[str, list[Finding], list[int]]:
    """Turns Python 2 into Python 3.

    Args:
        text: The source.
        path: Its file.
        rules: Rule modules with ``FIXERS`` (the library's fixers) or ``visit(tree, found)``.
        error: Why the text does not parse as Python 3; None where it does.
        statement: Whether print can be a statement in a text that does.

    Returns:
        The new text, what was found, and for each new line (from 1) the number of the old one.

    Raises:
        Unreadable: It is not Python 2 either, or there is no library to read it.
    """
    try:
        _library()
    except Absent as absent:
        raise Unreadable(path, str(absent)) from None
    rules = list(rules)
    found: list[Finding] = []
    if isinstance(error, TabError):
        expanded = detab(text)
        if expanded != text:
            message = "tabs and spaces mixed: Python 2 took a tab for eight columns"
            found.append(Finding("py2-tabs", error.lineno or 1, 1, message))
            text = expanded
    ends = text.endswith("\n")
    source = text if ends else text + "\n"
    imports = "".join(_FUTURE.findall(text))
    future = {"print_function"} if re.search(r"\bprint_function\b", imports) else set()
    if error is None and not statement:
        future.add("print_function")
    tree = _parse(source, path, future, error or SyntaxError("invalid syntax"))
    tree.future_features = frozenset(future)
    for rule in rules:
        if hasattr(rule, "visit") and any(word in text for word in rule.WORDS):
            found.extend(dataclasses.replace(f, rule=rule.NAME) for f in rule.visit(tree))
    # The library caches nothing of a file in its fixers but what start_tree resets.
    rule_of = {}
    for rule in rules:
        rule_of.update(dict.fromkeys(getattr(rule, "FIXERS", ()), rule))
    tool = _tool(tuple(rule_of))
    originals = []
    for fixer in {*tool.pre_order, *tool.post_order}:
        name = type(fixer).__module__.rpartition("fix_")[2]
        originals.append((fixer, fixer.transform))
        _Recorder(fixer, rule_of[name], found)
    try:
        tool.refactor_tree(tree, path)
    finally:
        for fixer, transform in originals:
            fixer.transform = transform
    new = str(tree)
    if not ends and new.endswith("\n"):
        new = new[:-1]
    return new, found, line_map(tree)
