"""Old text in, new text out: the two phases put together.

`tfqueue run`, `check` and `port` all go through `translate`; what it returns keeps the text, the
findings, and from which line of the user's file each line comes.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import os
import re
import warnings
from collections.abc import Iterable

from tfqueue.port import company, edits, era, pipelines, python2, rules
from tfqueue.port.module import Module
from tfqueue.port.source import Unreadable, lines_of, read

_PASSES = 60
RUNTIME = "from tfqueue.port import runtime as tfq_runtime"


@dataclasses.dataclass
class Translation:
    """A program after the rules.

    Attributes:
        text: The Python 3 source. It has the user's lines, one for one, unless a Python 2 rule
            had to add one; ``lines`` tells.
        findings: What was found, in the order of the user's file.
        era: Which TensorFlow the program is from.
        python2: Whether it was written for Python 2.
        lines: For each line of ``text`` (from 0) the number of the user's line.
        needs: Names of `tfqueue.port.runtime` that the text calls as ``tfq_runtime.name``.
        pipelines: What input pipelines it holds.
        original: The text as it was.
    """

    text: str
    findings: list[edits.Finding]
    era: era.Era
    python2: bool
    lines: list[int]
    needs: tuple[str, ...]
    pipelines: list[pipelines.Found]
    original: str

    @property
    def changed(self) -> bool:
        """Whether any rule changed the text."""
        return self.text != self.original

    @property
    def code(self) -> int:
        """0: runs as it is. 1: runs with changes. 2: something can't be helped."""
        if any(finding.helpless for finding in self.findings):
            return 2
        return 1 if self.changed else 0

    def with_imports(self) -> str:
        """The text with an import line for the runtime helpers it calls, to be written out."""
        if not self.needs or RUNTIME in self.text:
            return self.text
        lines = lines_of(self.text)
        at = _behind_imports(ast.parse(self.text))
        return "".join([*lines[:at], RUNTIME + "\n", *lines[at:]])


def _behind_imports(tree: ast.Module) -> int:
    """The number of lines up to the end of the first block of imports."""
    at = 0
    for node in tree.body:
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import | ast.ImportFrom) or (docstring and at == 0):
            at = node.end_lineno
        elif not docstring:
            break
    return at


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
            raise SyntaxError(str(error)) from None


@functools.lru_cache(maxsize=512)
def _evidence_of_file(path: str) -> tuple:
    """What one file says of its era; of files beside the program, so a broken one says nothing."""
    try:
        text = read(path).text
        if "tensorflow" not in text:
            return ()
        try:
            module = Module(text, path, tree=parse(text))
        except SyntaxError as error:
            new, _, _ = python2.convert(text, path, rules.python2_rules(), error)
            module = Module(new, path, tree=parse(new))
    except (Unreadable, SyntaxError):
        return ()
    return tuple(era.evidence(module))


def _era(module: Module, given: era.Era | None) -> era.Era:
    if era.is_two(module):
        return era.Era(two=True)
    if given is not None:
        return given
    own = era.tell(era.evidence(module))
    if own.old or own.new:
        return own
    beside = []
    for path in era.beside(module):
        name = os.path.basename(path)
        beside += [
            (f"{said} in {name}", line, *row) for said, line, *row in _evidence_of_file(path)
        ]
    return era.tell([*era.evidence(module), *beside]) if beside else own


@functools.cache
def _any_word() -> re.Pattern:
    words = {word for rule in rules.rules() for word in rule.WORDS}
    return re.compile("|".join(re.escape(word) for word in sorted(words)))


def _nothing(text: str) -> Translation:
    lines = list(range(1, text.count("\n") + 2))
    return Translation(text, [], era.UNKNOWN, False, lines, (), [], text)


def translate(
    text: str,
    path: str = "<string>",
    *,
    given_era: era.Era | None = None,
    package: str | None = None,
    part_of_python2: bool = False,
    look_only: bool = False,
    leave_out: Iterable[str] = (),
) -> Translation:
    """Applies the rules to one program.

    Args:
        text: The source, Python 2 or 3, with ``\\n`` line ends.
        path: Its file; rules look at what stands beside it.
        given_era: The era, where the user set one.
        package: See `Module`.
        part_of_python2: Whether the program that it is a module of is Python 2.
        look_only: Stop at what was found: the text that is returned is then only known to differ
            from the old one where something has to be changed.
        leave_out: Names of rules not to apply.

    Raises:
        Unreadable: It is neither Python 2 nor Python 3.

    >>> print(translate("import tensorflow as tf\\nx = tf.concat(1, [a, b])\\n").text, end="")
    import tfqueue.v1 as tf
    x = tf.concat(axis=1, values=[a, b])
    """
    leave_out = frozenset(leave_out)
    error, tree, is_python2 = None, None, False
    signs: set[str] = set()
    try:
        tree = parse(text)
    except SyntaxError as failure:
        error, is_python2 = failure, True
    quiet = not (part_of_python2 or python2.looks_python2(text))
    if tree is not None and quiet and not _any_word().search(text):
        return _nothing(text)
    module = Module(text, path, package=package, tree=tree) if tree is not None else None
    if module is not None and not module.ported:
        signs = {name for name, _ in python2.signs(module)} if not quiet else set()
        is_python2 = bool(signs) or (part_of_python2 and not company.knows_both(module))
        is_python2 = is_python2 or company.is_python2(module)
    findings: list[edits.Finding] = []
    new, lines = text, list(range(1, text.count("\n") + 2))
    if is_python2:
        chosen = [rule for rule in rules.python2_rules() if rule.NAME not in leave_out]
        new, findings, lines = python2.convert(
            text, path, chosen, error, statement="print" in signs
        )
        try:
            try:
                tree = parse(new)
            except TabError as mixed:
                # hidden up to now behind what else Python 3 can't read
                new, findings, lines = python2.convert(text, path, chosen, mixed)
                tree = parse(new)
        except SyntaxError as failure:
            reason = f"can't be parsed, neither as Python 3 nor as Python 2: {failure.msg}"
            line = lines[min((failure.lineno or 1), len(lines)) - 1]
            raise Unreadable(path, reason, line) from None
        module = Module(new, path, python2=True, package=package, tree=tree)
    module.era = decided = _era(module, given_era)
    if decided.two:
        return Translation(text, [], decided, False, lines, (), [], text)
    held = pipelines.find(module, lines)
    new, more, needs = _rewrite(
        module, lines, text.split("\n"), leave_out, 1 if look_only else _PASSES
    )
    findings = sorted({*findings, *more}, key=lambda f: (f.line, f.col, f.rule))
    return Translation(new, findings, decided, is_python2, lines, needs, held, text)


def _ask(module: Module, leave_out: frozenset[str]) -> list[edits.Finding]:
    found = []
    for rule in rules.rules():
        if rule.NAME in leave_out or (getattr(rule, "PYTHON2", False) and not module.python2):
            continue
        if any(word in module.text for word in rule.WORDS):
            found += (dataclasses.replace(f, rule=rule.NAME) for f in rule.find(module))
    return found


def _rewrite(
    module: Module,
    lines: list[int],
    original: list[str],
    leave_out: frozenset[str],
    passes: int,
) -> tuple[str, list[edits.Finding], tuple[str, ...]]:
    said: list[edits.Finding] = []
    needs: set[str] = set()
    for number in range(passes):
        found = _ask(module, leave_out)
        if number == 0:
            # the first pass sees every place; later ones see the same again, half repaired
            said = [_placed(finding, lines, module.lines, original) for finding in found]
        text, taken = edits.apply(module.text, found)
        needs.update(name for finding in taken for name in finding.needs)
        if text == module.text or passes == 1:
            return text, said, tuple(sorted(needs))
        if text.count("\n") != module.text.count("\n"):
            names = sorted({finding.rule for finding in taken})
            raise AssertionError(f"{module.path}: a rule among {names} changed the number of lines")
        module = Module(
            text,
            module.path,
            era=module.era,
            python2=module.python2,
            package=module.package,
            tree=parse(text),
            ported=module.ported,
        )
    return module.text, said, tuple(sorted(needs))


def _placed(
    finding: edits.Finding, lines: list[int], now: list[str], original: list[str]
) -> edits.Finding:
    """The finding with its place in the user's file instead of in the converted text."""
    line = lines[min(finding.line, len(lines)) - 1]
    col = finding.col
    before = original[line - 1] if line <= len(original) else ""
    if before != now[finding.line - 1]:
        # Python 2 rules moved things about in the line: look for the same word
        word = re.match(r"\w+|\W", now[finding.line - 1][col - 1 :])
        at = before.find(word.group()) if word else -1
        col = (at if at >= 0 else len(before) - len(before.lstrip())) + 1
    return dataclasses.replace(finding, line=line, col=col, edits=())
