"""What a picture is of: cards, their sections, and the arrows between them."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass
class Section:
    """One part of a card, from a line to the next."""

    title: str
    lines: list[str] = dataclasses.field(default_factory=list)
    hint: str = ""
    """All there is to say, for a tooltip."""
    rows: list[tuple[str, str]] = dataclasses.field(default_factory=list)
    """`(name, what it gives)` of everything that is folded here."""
    strip: float | None = None
    """For a queue: the share of its places that stay filled for the sake of mixing."""
    bad: str = ""
    """`failed` or `waits`, where it is the broken place."""


@dataclasses.dataclass
class Card:
    """A box of the picture."""

    key: str
    kind: str
    """`source`, `queue`, `work` or `step`."""
    sections: list[Section]
    copies: int = 1
    """How many there are alike: four readers of four threads, not one reader of four."""


@dataclasses.dataclass
class Edge:
    """An arrow."""

    source: str
    target: str
    threads: int = 0
    """The threads of the runner that moves elements here; 0 where the program's step does."""
    label: str = ""
    strategy: str = ""
    """By which of `accelerate.Strategy` they are moved, in words."""
    hint: str = ""
    bad: str = ""
    conditional: bool = False
    """Whether only some elements go here: all such arrows of a card leave it as one."""


@dataclasses.dataclass
class Scene:
    """Everything on one picture."""

    cards: dict[str, Card]
    """`Card` by key, in the order they were built."""
    edges: list[Edge]
    title: str
    description: str
    message: str = ""
    """What went wrong, in a line or two."""
    bad: str = ""
    """`failed` or `waits`."""
