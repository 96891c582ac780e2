"""How large things are: in pixels for SVG and PNG, in characters for a terminal."""

from __future__ import annotations

import dataclasses
import unicodedata

# Widths in hundredths of the font's size, of a wide sans serif (DejaVu Sans, Verdana): what is
# drawn in a narrower one stays in its box.
_NARROW = dict.fromkeys("ijl|'., I", 36) | dict.fromkeys('ft()[]r-/\\":;!', 46)
_WIDE = dict.fromkeys("mwMW@%+<>=~#_&^", 100) | {"\N{HORIZONTAL ELLIPSIS}": 102}
_UPPER, _OTHER, _FOREIGN = 80, 65, 100
_BOLD = 1.1
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def cells(char: str) -> int:
    """How many columns of a terminal a character takes.

    >>> [cells(char) for char in ("a", "\\u961f", "\\u0301")]
    [1, 2, 0]
    """
    if char.isascii():
        return 1
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


@dataclasses.dataclass(frozen=True)
class Metrics:
    """Sizes, all in the renderer's unit; `along` is the way the elements flow."""

    down: bool
    """Whether elements flow downwards; else to the right."""
    sizes: dict[str, int]
    """Font size by style; empty where every character is one unit wide."""
    heights: dict[str, int]
    """Height of a line by style."""
    border: int
    """What a card's frame takes on each side."""
    divider: int
    """What stands between two sections."""
    pad_x: int
    pad_y: int
    strip: int
    """Height of a queue's row of places."""
    fold: int
    """Beside a title whose ops are folded."""
    narrowest: int
    widest: int
    """Widths of cards."""
    open_widest: int
    """Width of a card whose ops are listed."""
    gap: int
    """The shortest arrow."""
    track: int
    """Room for one bend of an arrow."""
    port: int
    """Between two arrows at one card."""
    lane: int
    """Between two cards side by side."""
    margin: int
    label_room: int
    """Beside a label on an arrow."""

    def width(self, text: str, style: str) -> float:
        """How much room `text` takes, never less than it will."""
        if not self.sizes:
            return sum(map(cells, text))
        units = 0
        for char in text:
            if char in _NARROW:
                units += _NARROW[char]
            elif char in _WIDE:
                units += _WIDE[char]
            elif char.isupper():
                units += _UPPER
            else:
                units += _OTHER if char.isascii() or char in "\N{MULTIPLICATION SIGN}" else _FOREIGN
        return units / 100 * self.sizes[style] * (_BOLD if style == "title" else 1)

    def fit(self, text: str, style: str, room: float) -> str:
        """`text`, with something left out where it would take more than `room`.

        A name loses its middle, since names that are alike differ at an end; a sentence loses its
        end.
        """
        if self.width(text, style) <= room:
            return text
        if " " in text:
            cut = text[:-1]
            while cut and self.width(cut + _ELLIPSIS, style) > room:
                cut = cut[:-1]
            return cut.rstrip(" ,._") + _ELLIPSIS
        kept = len(text) - 1
        while kept > 1 and self.width(_middle_cut(text, kept), style) > room:
            kept -= 1
        return _middle_cut(text, kept)

    def wrap(self, text: str, style: str, room: float) -> list[str]:
        """`text` in lines of at most `room`, broken between words where that is possible."""
        lines, current = [], ""
        for word in text.split():
            longer = f"{current} {word}".strip()
            if current and self.width(longer, style) > room:
                lines.append(current)
                longer = word
            while self.width(longer, style) > room and len(longer) > 1:
                at = len(longer)
                while at > 1 and self.width(longer[:at], style) > room:
                    at -= 1
                lines.append(longer[:at])
                longer = longer[at:]
            current = longer
        return [*lines, current] if current else lines


def _middle_cut(text: str, kept: int) -> str:
    """`text` with only `kept` of its characters, a little more of its end than of its beginning."""
    end = (kept + 1) // 2
    return text[: kept - end] + _ELLIPSIS + text[len(text) - end :]


PIXELS = Metrics(
    down=False,
    sizes={"title": 13, "line": 11, "label": 11},
    heights={"title": 19, "line": 16, "label": 14},
    border=0,
    divider=0,
    pad_x=11,
    pad_y=9,
    strip=15,
    fold=16,
    narrowest=108,
    widest=198,
    open_widest=420,
    gap=34,
    track=12,
    port=24,
    lane=26,
    margin=22,
    label_room=9,
)

CELLS = Metrics(
    down=True,
    sizes={},
    heights={"title": 1, "line": 1, "label": 1},
    border=1,
    divider=1,
    pad_x=2,
    pad_y=0,
    strip=1,
    fold=0,
    narrowest=16,
    widest=40,
    open_widest=76,
    gap=2,
    track=1,
    port=4,
    lane=3,
    margin=0,
    label_room=2,
)
