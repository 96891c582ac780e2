"""A program's tree through the rules: what `tfqueue run`, `check` and `port` all do.

What `translate` returns holds the changed tree, which `run` compiles, the findings, which `check`
prints, and on demand the text, which `port` writes.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
import warnings
from collections.abc import Iterable

from tfqueue.port import rules
from tfqueue.port.program import pipelines
from tfqueue.port.program import verdict as program
from tfqueue.port.program.module import HELPERS, Finding, Module
from tfqueue.port.rules import writer
from tfqueue.port.source import python2_syntax
from tfqueue.port.source.files import Unreadable


@dataclasses.dataclass
class Translation:
    """A program after the rules.

    Attributes:
        module: The module with its changed tree; its ``text`` is Python 3 already.
        findings: What was found, in the order of the user's file.
        verdict: Which Python and which TensorFlow the program is from.
        lines: For each line of the module's text (from 0) the number of the user's line.
        pipelines: What input pipelines it holds.
        original: The text as it was.
    """

    module: Module
    findings: list[Finding]
    verdict: program.Verdict
    lines: list[int]
    pipelines: list[pipelines.Found]
    original: str

    @functools.cached_property
    def text(self) -> str:
        """The new text."""
        return writer.write(self.module)

    @property
    def tree(self) -> ast.Module:
        """The changed tree; places are those of the module's text."""
        return self.module.tree

    @property
    def changed(self) -> bool:
        """Whether any rule changed anything."""
        return bool(self.module.changes) or self.module.text != self.original

    @property
    def code(self) -> int:
        """0: runs as it is. 1: runs with changes. 2: something can't be helped."""
        if any(finding.helpless for finding in self.findings):
            return 2
        return 1 if self.changed else 0


def parse(text: str) -> ast.Module:
    """Parses Python 3 and keeps the parser's remarks on old literals to itself.

    Raises:
        SyntaxError: It is no Python 3.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or "too deeply nested") from None


@functools.cache
def _any_word() -> re.Pattern:
    words = {word for rule in rules.all_rules() if not _of_python2(rule) for word in rule.WORDS}
    return re.compile("|".join(re.escape(word) for word in sorted(words)))


def _of_python2(rule) -> bool:
    return getattr(rule, "PYTHON2", False)


def read(text: str, path: str, python2: bool) -> tuple[str, list[Finding], list[int], ast.Module]:
    """Reads a program's text as Python 3, or as Python 2 made into Python 3.

    Args:
        text: The source.
        path: Its file.
        python2: Whether it is read as Python 2 although Python 3 can parse it.

    Returns:
        The Python 3 text, what was found, the user's line of each line of it, and its tree.

    Raises:
        Unreadable: It is neither.
    """
    lines = list(range(1, text.count("\n") + 2))
    tree, error = None, None
    try:
        tree = parse(text)
    except SyntaxError as failure:
        error = failure
    if tree is not None and not python2:
        return text, [], lines, tree
    new, findings, lines = python2_syntax.convert(text, path, error)
    try:
        try:
            tree = parse(new)
        except TabError as mixed:
            # hidden up to now behind what else Python 3 can't read
            new, findings, lines = python2_syntax.convert(text, path, mixed)
            tree = parse(new)
    except SyntaxError as failure:
        reason = f"can't be parsed, neither as Python 3 nor as Python 2: {failure.msg}"
        line = lines[min((failure.lineno or 1), len(lines)) - 1]
        raise Unreadable(path, reason, line) from None
    return new, findings, lines, tree


def ported(tree: ast.Module) -> bool:
    """Whether a module was ported by us: then it is Python 3, whatever its program is."""
    return any(isinstance(node, ast.ImportFrom) and node.module in HELPERS for node in tree.body)


def translate(
    text: str,
    path: str = "<string>",
    *,
    verdict: program.Verdict | None = None,
    package: str | None = None,
    leave_out: Iterable[str] = (),
) -> Translation:
    """Applies the rules to one program.

    Args:
        text: The source, Python 2 or 3, with ``\\n`` line ends.
        path: Its file; rules look at what stands beside it.
        verdict: What is known of the program that it is a part of; found out when None.
        package: See `Module`.
        leave_out: Names of rules not to apply.

    Raises:
        Unreadable: It is neither Python 2 nor Python 3.

    >>> print(translate("import tensorflow as tf\\nx = tf.concat(1, [a, b])\\n").text, end="")
    import tfqueue.v1 as tf
    x = tf.concat(axis=1, values=[a, b])
    """
    if verdict is None:
        verdict = program.of_text(text, path)
    is_python2 = verdict.python2 and not _says_ported(text)
    new, findings, lines, tree = read(text, path, is_python2)
    if ported(tree):
        is_python2 = False
    is_python2 = is_python2 or new != text or bool(findings)
    module = Module(new, path, era=verdict.era, python2=is_python2, package=package, tree=tree)
    if verdict.era.two and not is_python2:
        return Translation(module, [], verdict, lines, [], text)
    held = pipelines.find(module, lines)
    findings += _apply(module, lines, text.split("\n"), frozenset(leave_out))
    findings = sorted(dict.fromkeys(findings), key=lambda f: (f.line, f.col, f.rule))
    return Translation(module, findings, verdict, lines, held, text)


def _says_ported(text: str) -> bool:
    return "from tfqueue.port.py2 import" in text


def _apply(
    module: Module, lines: list[int], original: list[str], leave_out: frozenset[str]
) -> list[Finding]:
    said = []
    if not module.python2 and not _any_word().search(module.text):
        return said
    for rule in rules.all_rules():
        if rule.NAME in leave_out or (_of_python2(rule) and not module.python2):
            continue
        if rule.WORDS and not any(word in module.text for word in rule.WORDS):
            continue
        before = module.changes
        for found in list(rule.find(module)):
            found = dataclasses.replace(found, rule=rule.NAME)
            said.append(_placed(found, lines, module.lines, original))
        if module.changes != before:
            module.index()
    if module.added:
        module.add_imports()
    return said


def _placed(found: Finding, lines: list[int], now: list[str], original: list[str]) -> Finding:
    """The finding with its place in the user's file instead of in the converted text."""
    line = lines[min(found.line, len(lines)) - 1]
    col = found.col
    before = original[line - 1] if line <= len(original) else ""
    if before != now[found.line - 1]:
        # Python 2's syntax moved things about in the line: look for the same word
        word = re.match(r"\w+|\W", now[found.line - 1][col - 1 :])
        at = before.find(word.group()) if word else -1
        col = (at if at >= 0 else len(before) - len(before.lstrip())) + 1
    return dataclasses.replace(found, line=line, col=col)
