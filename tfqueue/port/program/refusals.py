"""What of a program can't be helped: it stops where it gets there. The words, and the exit code.

Who decides it: a rule says it of a place with `Finding.helpless`; the names that there are not and the calls that fit no
form are added here, for `tfqueue check`. `tfqueue run` asks here whether an exception is what a finding foretold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tfqueue.port.program import tensorflow_names
from tfqueue.port.program.tensorflow_names import Asked, Called
from tfqueue.port.source.finding import Finding

CANNOT_BE_HELPED = "can't be helped"
Row = tuple[str, int, int, str, str, bool]
"""A finding in plain values: (path, line, column, rule, message, whether it can't be helped)."""


def code(findings: Iterable[Finding], changed: bool) -> int:
    """0: the program runs as it is. 1: it runs with changes. 2: something can't be helped."""
    if any(finding.helpless for finding in findings):
        return 2
    return 1 if changed else 0


def sign(helpless: bool, reached: bool) -> str:
    """What stands behind the message of a finding.

    Args:
        helpless: Whether it can't be helped.
        reached: Whether something of its line runs whenever the program does.

    >>> sign(True, False), sign(False, False)
    (" (can't be helped: it stops if it gets to this line)", '')
    """
    if not helpless:
        return ""
    return (
        f" ({CANNOT_BE_HELPED})"
        if reached
        else f" ({CANNOT_BE_HELPED}: it stops if it gets to this line)"
    )


def foretold(finding: Finding, error: BaseException) -> bool:
    """Whether an exception is what a finding said can't be helped."""
    name = _subject(finding.message).rpartition(".")[2]
    old = isinstance(error, ImportError | AttributeError | TypeError)
    return finding.helpless and old and bool(re.search(rf"\b{re.escape(name)}\b", str(error)))


def of_names(
    files: list[tuple[list[Asked], list[Called], list[Row]]],
) -> list[list[Row]]:
    """The names below `tf` that do not exist, and the calls that fit no form.

    Args:
        files: For each file the names that it reads, the calls that may fit no form, and what was found.

    Returns:
        For each file what is to be added to what was found.
    """
    names = {name for asked, _, _ in files for *_, name in asked}
    missing, refused = tensorflow_names.missing(
        names, [call for _, called, _ in files for call in called]
    )
    return [
        [*_absent(asked, missing, found), *_misfits(called, refused)]
        for asked, called, found in files
    ]


def _absent(asked: list[Asked], missing: dict[str, str], found: list[Row]) -> list[Row]:
    """The names that do not exist, but for those that a rule has named, with what is below them."""
    said = {(line, _subject(message)) for _, line, _, _, message, helpless in found if helpless}
    rows = []
    for path, line, col, name in asked:
        short = _short(name)
        known = any(at == line and f"{short}.".startswith(f"{about}.") for at, about in said)
        if name in missing and not known:
            message = f"{short} does not exist: {missing[name]}"
            rows.append((path, line, col, "tf-names", message, True))
    return rows


def _misfits(called: list[Called], refused: dict[Called, str]) -> list[Row]:
    """The calls that fit no form of their function."""
    return [
        (*call[:3], "tf-forms", f"{_short(call[3])} takes no such call: {refused[call]}", True)
        for call in called
        if call in refused
    ]


def _subject(message: str) -> str:
    """What the message of a finding is about: it begins with that name."""
    return message.partition(" ")[0]


def _short(name: str) -> str:
    inside = name.startswith("tensorflow.python.")
    return name if inside else name.replace("tensorflow.", "tf.", 1)
