"""The page in characters, for a terminal: box drawing, or plain ASCII where that cannot be shown."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tfqueue.draw.cards import Scene
from tfqueue.draw.metrics import cells
from tfqueue.draw.page import LOOP, Arrow, Box, Page

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_LINES = {
    _UP: "│",
    _DOWN: "│",
    _UP | _DOWN: "│",
    _LEFT: "─",
    _RIGHT: "─",
    _LEFT | _RIGHT: "─",
    _DOWN | _RIGHT: "┌",
    _DOWN | _LEFT: "┐",
    _UP | _RIGHT: "└",
    _UP | _LEFT: "┘",
    _UP | _DOWN | _RIGHT: "├",
    _UP | _DOWN | _LEFT: "┤",
    _LEFT | _RIGHT | _DOWN: "┬",
    _LEFT | _RIGHT | _UP: "┴",
    _UP | _DOWN | _LEFT | _RIGHT: "┼",
}
# corner, corner, corner, corner, across, down, divider left, divider right, divider
_LIGHT = "┌┐└┘─│├┤─"
_DOUBLE = "╔╗╚╝═║╟╢─"
_KEPT, _SLOT = "█", "░"
_HEADS = {(0, 1): "▼", (0, -1): "▲", (1, 0): "▶", (-1, 0): "◀"}
_FOLD, _FAILED, _WAITS = "▸", "✗", "…"
# The wish, and what stands for it where the terminal's encoding lacks it.
_ASCII = str.maketrans(
    {
        **dict.fromkeys("┌┐└┘├┤┬┴┼╔╗╚╝╟╢", "+"),
        **dict.fromkeys("─═", "-"),
        **dict.fromkeys("│║", "|"),
        _KEPT: "#",
        _SLOT: ".",
        LOOP: "@",
        "▼": "v",
        "▲": "^",
        "▶": ">",
        "◀": "<",
        _FOLD: ">",
        _FAILED: "X",
        "…": "~",
        "\N{MULTIPLICATION SIGN}": "x",
    }
)


def render(page: Page, encoding: str = "utf-8") -> str:
    """The page as lines of text, with a line break at the end.

    Args:
        page: A `page.Page` in characters.
        encoding: What it will be written in; decides between box drawing and ASCII.
    """
    canvas = _Canvas(int(page.width), int(page.height))
    bottoms = [(int(box.x), int(box.width), int(box.y + box.height)) for box in page.boxes]
    for arrow in page.arrows:
        canvas.arrow(arrow, bottoms)
    for box in page.boxes:
        canvas.box(box)
    for arrow in page.arrows:
        for text in arrow.texts:
            canvas.put(text.x, text.y, text.text)
    if page.frame:
        x, y, width, height = map(int, page.frame)
        canvas.frame(x, y, width, height, _DOUBLE)
        for text in page.message:
            canvas.put(text.x, text.y, text.text)
    lines = canvas.lines()
    try:
        lines.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        lines = lines.translate(_ASCII).encode("ascii", "replace").decode()
    return lines


class _Canvas:
    def __init__(self, width: int, height: int) -> None:
        self.chars = [[" "] * width for _ in range(height)]
        self.wires: dict[tuple[int, int], int] = {}
        self.width, self.height = width, height

    def put(self, x: float, y: float, text: str) -> None:
        row, at = self.chars[int(y)], int(x)
        for char in text:
            wide = cells(char)
            if wide and 0 <= at <= self.width - wide:
                # What takes two columns leaves nothing of the second one.
                row[at : at + wide] = [char] + [""] * (wide - 1)
            elif 0 < at <= self.width:
                row[at - 1] += char if not wide else ""
            at += wide

    def frame(self, x: int, y: int, width: int, height: int, pieces: str) -> None:
        a, b, c, d, across, down = tuple(pieces[:6])
        self.put(x, y, a + across * (width - 2) + b)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, down + " " * (width - 2) + down)
        self.put(x, y + height - 1, c + across * (width - 2) + d)

    def box(self, box: Box) -> None:
        x, y, width, height = int(box.x), int(box.y), int(box.width), int(box.height)
        pieces = _DOUBLE if box.kind == "queue" else _LIGHT
        self.frame(x, y, width, height, pieces)
        for number, part in enumerate(box.parts):
            top = int(part.y)
            if number:
                self.put(x, top - 1, pieces[6] + pieces[8] * (width - 2) + pieces[7])
            for text in part.texts:
                self.put(text.x, text.y, text.text)
            if part.folded:
                self.put(x + 1, top, _FOLD)
            if part.bad:
                self.put(x + 1, top, _WAITS if part.bad == "waits" else _FAILED)
            if part.strip:
                left, at, room, _, share = part.strip
                kept = round(share * room)
                self.put(left, at, _KEPT * kept + _SLOT * (int(room) - kept))

    def wire(self, x: float, y: float, directions: int) -> None:
        place = int(x), int(y)
        self.wires[place] = self.wires.get(place, 0) | directions
        char = _LINES[self.wires[place]]
        if self.chars[place[1]][place[0]] not in _HEADS.values():
            self.put(*place, char)

    def arrow(self, arrow: Arrow, bottoms: Sequence[tuple[int, int, int]]) -> None:
        points = [(int(x), int(y)) for x, y in arrow.points]
        (x, y), (a, _) = points[:2]
        if x != a and any(left <= x < left + width and y == end for left, width, end in bottoms):
            # It turns right below the box that it comes from.
            self.wire(x, y, _UP)
        (x, y), (a, b) = points[-1], points[-2]
        # The last point lies on the box: the head stands right before it.
        step = ((x > a) - (x < a), (y > b) - (y < b))
        points[-1] = end = (x - step[0], y - step[1])
        for (ax, ay), (bx, by) in itertools.pairwise(points):
            dx, dy = (bx > ax) - (bx < ax), (by > ay) - (by < ay)
            towards = {(0, 1): _DOWN, (0, -1): _UP, (1, 0): _RIGHT, (-1, 0): _LEFT}.get((dx, dy))
            if towards is None:
                continue
            away = {_DOWN: _UP, _UP: _DOWN, _LEFT: _RIGHT, _RIGHT: _LEFT}[towards]
            while (ax, ay) != (bx, by):
                self.wire(ax, ay, towards)
                ax, ay = ax + dx, ay + dy
                self.wire(ax, ay, away)
        self.put(*end, _HEADS[step])

    def lines(self) -> str:
        return "".join("".join(row).rstrip() + "\n" for row in self.chars)


def outline(scene: Scene, columns: int, encoding: str = "utf-8") -> str:
    """A scene that is too wide for boxes side by side, as a list: each card and where it leads.

    Args:
        columns: How long a line may be.
        encoding: As for `render`.
    """
    lines = []
    for card in scene.cards.values():
        said = [", ".join([section.title, *section.lines]) for section in card.sections]
        lines.append(f"- {'; '.join(said)}")
        for edge in scene.edges:
            if edge.source == card.key:
                target = scene.cards[edge.target].sections[0]
                how = ", ".join(filter(None, [edge.label, edge.strategy]))
                name = " ".join([target.title, *target.lines[:1]])
                lines.append(f"    {'> ' + how + ' > ' if how else '> '}{name}")
    cut = [line if len(line) <= columns else line[: columns - 1] + "…" for line in lines]
    joined = "\n".join(cut) + "\n"
    try:
        joined.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        joined = joined.translate(_ASCII).encode("ascii", "replace").decode()
    return joined
