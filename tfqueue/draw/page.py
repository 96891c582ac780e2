"""What a page consists of: boxes, arrows and texts with their places, in the renderer's unit."""

from __future__ import annotations

import dataclasses
from typing import TypeAlias

LOOP = "\N{CLOCKWISE OPEN CIRCLE ARROW}"


Point: TypeAlias = tuple[float, float]


@dataclasses.dataclass
class Text:
    """One line of text in its rectangle."""

    x: float
    y: float
    width: float
    height: float
    text: str
    style: str
    """`title`, `line`, `gives` (to the right of a row) or `label` (on an arrow)."""
    full: str
    """The text before it was shortened."""
    bad: str = ""


@dataclasses.dataclass
class Part:
    """One section of a box."""

    x: float
    y: float
    width: float
    height: float
    texts: list[Text]
    hint: str
    bad: str
    strip: tuple[float, float, float, float, float] | None
    """`(x, y, width, height, share)` of a queue's row of places."""
    folded: bool
    """Whether it stands for ops that are listed when it is open."""


@dataclasses.dataclass
class Box:
    """A card on the page."""

    key: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    copies: int
    parts: list[Part]


@dataclasses.dataclass
class Arrow:
    """An arrow from box to box."""

    source: str
    target: str
    points: list[Point]
    texts: list[Text]
    loop: Point | None
    """Where the mark of a runner stands, or None."""
    threads: int
    dashed: bool
    hint: str
    bad: str


@dataclasses.dataclass
class Page:
    """All of it."""

    width: float
    height: float
    boxes: list[Box]
    arrows: list[Arrow]
    message: list[Text]
    """`Text`s below everything: what went wrong."""
    frame: tuple[float, float, float, float] | None
    """`(x, y, width, height)` of what is around them."""
    title: str
    description: str
    bad: str
    legend: list[tuple[str, float, float, Text]] = dataclasses.field(default_factory=list)
    """`(kind, x, y, Text)` of each mark that is explained; y is the mark's middle."""
