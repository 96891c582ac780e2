"""A program's tree through the rules: what `tfqueue run`, `check` and `port` all do.

What `translate` returns holds the changed tree, which `run` compiles, the findings, which `check`
prints, and on demand the text, which `port` writes.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Callable, Iterable

from tfqueue.port import rules
from tfqueue.port.program import pipelines, refusals
from tfqueue.port.program.module import Module, was_ported
from tfqueue.port.program.project import Project
from tfqueue.port.program.written_for import WrittenFor, of_parsed
from tfqueue.port.rules import writer
from tfqueue.port.rules.tensorflow import python_keras
from tfqueue.port.source import parsing
from tfqueue.port.source.finding import Finding
from tfqueue.port.source.parsing import Parsed


@dataclasses.dataclass
class Translation:
    """A program after the rules.

    Attributes:
        module: The module with its changed tree; its ``text`` is Python 3 already.
        findings: What was found, in the order of the user's file.
        written_for: Which Python and which TensorFlow the program is from.
        lines: For each line of the module's text (from 0) the number of the user's line.
        pipelines: What input pipelines it holds.
        original: The text as it was.
    """

    module: Module
    findings: list[Finding]
    written_for: WrittenFor
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
        return refusals.code(self.findings, self.changed)


@functools.cache
def _any_word() -> re.Pattern[str]:
    return _pattern(
        frozenset(word for rule in rules.all_rules() if not rule.python2 for word in rule.words)
    )


@functools.cache
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(words)))


def translate(
    text: str,
    path: str = "<string>",
    *,
    written_for: WrittenFor | None = None,
    package: str | None = None,
    leave_out: Iterable[str] = (),
) -> Translation:
    """Applies the rules to one program.

    Args:
        text: The source, Python 2 or 3, with ``\\n`` line ends.
        path: Its file; rules look at what stands beside it.
        written_for: What is known of the program that it is a part of; found out when None.
        package: See `Module`.
        leave_out: Names of rules not to apply.

    Raises:
        Unreadable: It is neither Python 2 nor Python 3.

    >>> print(translate("import tensorflow as tf\\nx = tf.concat(1, [a, b])\\n").text, end="")
    from tfqueue.release import assume
    import tfqueue.v1 as tf
    assume('0.12')
    x = tf.concat(axis=1, values=[a, b])
    """
    parsed = parsing.parse(text, path)
    if written_for is None:
        written_for = of_parsed(parsed)
    return apply(parsed, written_for, Project(path).owns, package, leave_out)


def apply(
    parsed: Parsed,
    written_for: WrittenFor,
    owns: Callable[[str], bool],
    package: str | None = None,
    leave_out: Iterable[str] = (),
) -> Translation:
    """Applies the rules to one program that was parsed. They change its tree.

    Args:
        written_for: What is known of the program that it is a part of.
        owns: See `Module`.
        package: See `Module`.
        leave_out: Names of rules not to apply.

    Raises:
        Unreadable: The program is Python 2, and this file of it is not.
    """
    python2 = written_for.python2 and "from tfqueue.port.py2 import" not in parsed.original
    if python2:
        parsed = parsed.as_python2()
        python2 = not was_ported(parsed.tree)
    module = Module(
        parsed.text,
        parsed.path,
        era=written_for.era,
        python2=python2 or parsed.converted,
        package=package,
        tree=parsed.tree,
        owns=owns,
    )
    original, lines = parsed.original, parsed.lines
    if written_for.era.two and not module.python2:
        return Translation(
            module, list(python_keras.lacking(module)), written_for, lines, [], original
        )
    held = pipelines.find(module, lines)
    found = _found(module, frozenset(leave_out))
    before = original.split("\n")
    findings = [*parsed.findings, *(_placed(each, lines, module.lines, before) for each in found)]
    findings = sorted(dict.fromkeys(findings), key=lambda f: (f.line, f.col, f.rule))
    return Translation(module, findings, written_for, lines, held, original)


def _found(module: Module, leave_out: frozenset[str]) -> list[Finding]:
    said: list[Finding] = []
    if not module.python2 and not module.mentions(_any_word()):
        return said
    for rule in rules.all_rules():
        if rule.name in leave_out or (rule.python2 and not module.python2):
            continue
        if rule.words and not module.mentions(_pattern(frozenset(rule.words))):
            continue
        before = module.changes
        said += [dataclasses.replace(found, rule=rule.name) for found in rule.find(module)]
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
