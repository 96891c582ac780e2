"""What the syntax of Python 2 and the rules say about a place in a program."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Finding:
    """One place that a rule has something to say about.

    Attributes:
        rule: The rule's name, as reports show it.
        line: 1-based line in the user's file.
        col: 1-based column in the user's file.
        message: One sentence, without a full stop.
        changed: Whether the rule changes the program there.
        helpless: True where it can't be helped: the program will fail when it gets there.
        told: Whether a run and `port` say it, too, before the file runs: the program may give another number.
    """

    rule: str
    line: int
    col: int
    message: str
    changed: bool = False
    helpless: bool = False
    told: bool = False
