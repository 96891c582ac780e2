"""How large a card becomes, and what stands where on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tfqueue.draw import page
from tfqueue.draw.cards import Card, Section
from tfqueue.draw.metrics import Metrics
from tfqueue.draw.page import Box


class Line(NamedTuple):
    """A line of text on a card."""

    shown: str
    style: str
    full: str
    """The text before it was shortened."""
    gives: str
    """What stands at the right of it; may be empty."""


class MeasuredCard:
    """A card, or a place that a long arrow passes through, before it has its place."""

    def __init__(self, card: Card | None, metrics: Metrics, opened: bool) -> None:
        self.card = card
        self.m = metrics
        self.sections: list[tuple[Section, list[Line], list[tuple[str, str]] | None]] = []
        self.across = self.along = 0.0
        self.centre = 0.0
        self.room = 0.0
        """What the card and the arrows at it take across the flow."""
        if card is None:
            return
        width: float = metrics.narrowest
        for section in card.sections:
            rows = section.rows if opened and section.rows else None
            most = metrics.open_widest if rows else metrics.widest
            room = most - 2 * (metrics.pad_x + metrics.border)
            lines = [Line(metrics.fit(section.title, "title", room), "title", section.title, "")]
            mark = metrics.fold if section.rows and not rows else 0
            wanted = [metrics.width(lines[0][0], "title") + mark]
            for name, gives in rows or [(line, "") for line in section.lines]:
                shown = metrics.fit(name, "line", room)
                left = room - metrics.width(shown, "line") - 2 * metrics.pad_x
                told = metrics.fit(gives, "line", left) if gives and left > 0 else ""
                lines.append(Line(shown, "line", name, told))
                wanted.append(metrics.width(shown, "line"))
                if told:
                    wanted[-1] += metrics.width(told, "line") + 2 * metrics.pad_x
            width = max(width, max(wanted) + 2 * (metrics.pad_x + metrics.border))
            self.sections.append((section, lines, rows))
        height: float = 2 * metrics.border + metrics.divider * (len(self.sections) - 1)
        for section, lines, _ in self.sections:
            height += self._height(section, lines)
        self.width, self.height = width, height
        self.along, self.across = (height, width) if metrics.down else (width, height)

    def _height(self, section: Section, lines: Sequence[Line]) -> float:
        strip = self.m.strip if section.strip is not None else 0
        return 2 * self.m.pad_y + sum(self.m.heights[style] for _, style, _, _ in lines) + strip

    def box(self, x: float, y: float, width: float) -> Box:
        """The `Box`, once its corner is known."""
        m, parts = self.m, []
        top = y + m.border
        left, inner = x + m.border + m.pad_x, width - 2 * (m.border + m.pad_x)
        for section, lines, rows in self.sections:
            height = self._height(section, lines)
            at, texts = top + m.pad_y, []
            for shown, style, full, gives in lines:
                line = m.heights[style]
                taken = m.width(shown, style)
                texts.append(page.Text(left, at, taken, line, shown, style, full, section.bad))
                if gives:
                    taken = m.width(gives, "line")
                    texts.append(
                        page.Text(left + inner - taken, at, taken, line, gives, "gives", gives)
                    )
                at += line
            strip = (left, at, inner, m.strip, section.strip) if section.strip is not None else None
            parts.append(
                page.Part(
                    x=x + m.border,
                    y=top,
                    width=width - 2 * m.border,
                    height=height,
                    texts=texts,
                    hint=section.hint or section.title,
                    bad=section.bad,
                    strip=strip,
                    folded=bool(section.rows) and not rows,
                )
            )
            top += height + m.divider
        card = self.card
        assert card is not None, "only a card has a box"
        return page.Box(card.key, card.kind, x, y, width, self.height, card.copies, parts)
