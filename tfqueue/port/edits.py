"""What a rule found, and how its edits are put into the text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable


@dataclasses.dataclass(frozen=True)
class Edit:
    """Replace ``text[start:end]`` by ``new``. Offsets count characters of the module's text."""

    start: int
    end: int
    new: str


@dataclasses.dataclass(frozen=True)
class Finding:
    """One place that a rule has something to say about.

    Attributes:
        rule: The rule's name, as reports show it.
        line: 1-based line in the user's file.
        col: 1-based column in the user's file.
        message: One sentence, without a full stop.
        edits: What repairs it; empty where nothing has to be changed, or nothing can.
        helpless: True where it can't be helped: the program will fail when it gets there.
        needs: Names of `tfqueue.port.runtime` that the edits lean on.
    """

    rule: str
    line: int
    col: int
    message: str
    edits: tuple[Edit, ...] = ()
    helpless: bool = False
    needs: tuple[str, ...] = ()

    @property
    def span(self) -> tuple[int, int]:
        """From the first to the last offset that the edits touch."""
        return min(e.start for e in self.edits), max(e.end for e in self.edits)


def apply(text: str, findings: Iterable[Finding]) -> tuple[str, list[Finding]]:
    """Applies as many findings as stand clear of each other.

    Two findings whose spans meet are not applied together: the second one waits for the next
    pass, when it is found again in the new text. A nested call is so repaired from the outside in.

    Returns:
        The new text, and the findings that are in it.

    >>> one = Finding("r", 1, 1, "", (Edit(0, 1, "b"),))
    >>> apply("a = 1", [one])[0]
    'b = 1'
    """
    taken: list[Finding] = []
    edits: list[Edit] = []
    reach = -1
    for finding in sorted((f for f in findings if f.edits), key=lambda f: (f.span[0], -f.span[1])):
        start, end = finding.span
        if start <= reach and taken:
            continue
        taken.append(finding)
        edits.extend(sorted(finding.edits, key=lambda e: (e.start, e.end)))
        reach = end
    pieces, at = [], 0
    for edit in edits:
        pieces += (text[at : edit.start], edit.new)
        at = edit.end
    return "".join([*pieces, text[at:]]), taken
