"""From a scene to a page: every box, label and arrow with its place (across the flow: `lanes`).

One layout for all renderers; what differs between a picture and a terminal stands in `Metrics`.
Inside, things are placed *along* the flow of elements and *across* it; only at the end these become
x and y.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import overload

from tfqueue.draw import card_sizes, order
from tfqueue.draw import lanes as lanes_of
from tfqueue.draw import page as page_of
from tfqueue.draw.card_sizes import MeasuredCard
from tfqueue.draw.cards import Edge, Scene
from tfqueue.draw.lanes import Lane
from tfqueue.draw.metrics import Metrics
from tfqueue.draw.page import Arrow, Box, Page, Point, Text

WIDE = 830
"""The width in pixels above which a picture is wrapped: a column of text, in which it keeps its size."""


@overload
def lay_out(scene: Scene, metrics: Metrics, *, opened: bool = False) -> Page: ...


@overload
def lay_out(
    scene: Scene, metrics: Metrics, *, opened: bool = False, widest: float | None
) -> Page | None: ...


def lay_out(
    scene: Scene, metrics: Metrics, *, opened: bool = False, widest: float | None = None
) -> Page | None:
    """Places everything.

    Args:
        metrics: `metrics.PIXELS` or `metrics.CELLS`.
        opened: Whether the folded ops are listed.
        widest: How wide the page may be; None for no limit.

    Returns:
        A `Page`, or None where it would be wider than that.
    """
    m = metrics
    nodes = {key: card_sizes.MeasuredCard(card, m, opened) for key, card in scene.cards.items()}
    pairs = [(edge.source, edge.target) for edge in scene.edges]
    parts = order.components(scene.cards, pairs)
    lanes = [lanes_of.Lane(number, part, scene, nodes, m) for number, part in enumerate(parts)]
    page = page_of.Page(0, m.margin, [], [], [], None, scene.title, scene.description, scene.bad)
    # Lanes share their columns, unless one of them has to be wrapped.
    together = _Columns(lanes, scene, m)
    wrapped = not m.down and together.end > WIDE
    for columns in [_Columns([lane], scene, m) for lane in lanes] if wrapped else [together]:
        if wrapped and not columns.lanes[0].back:
            columns.wrap(WIDE)
        _place(columns, page)
    page.height += m.margin - 1.5 * m.lane if lanes else m.margin
    if m.down:
        page.width, page.height = page.height, page.width
    for arrow in page.arrows:
        for text in arrow.texts:
            page.width = max(page.width, text.x + text.width + m.margin)
    if m.down:
        page.width = int(-(-page.width // 1))
    _message(page, scene, m, widest)
    if not m.down:
        _legend(page, m)
    return None if widest is not None and page.width > widest else page


class _Columns:
    """The columns that some lanes share: where each begins, and in which row of the page.

    Until `wrap` is called there is one row.
    """

    def __init__(self, lanes: Sequence[Lane], scene: Scene, m: Metrics) -> None:
        self.lanes, self.scene, self.m = lanes, scene, m
        self.count = max((len(lane.rows) for lane in lanes), default=0)
        self.sizes = [
            max((lane.nodes[k].along for lane in lanes for k in _row(lane, column)), default=0)
            for column in range(self.count)
        ]
        self.gaps = [_Gap(column, lanes, scene, m) for column in range(self.count)]
        self.turns: dict[int, list[tuple[str, str]]] = {}
        """By the last column of a row: the arrows that go on in the next, from bottom to top."""
        self.lefts: list[float] = []
        self.starts: list[float] = []
        self.row_of = [0] * self.count
        at: float = m.margin
        for column in range(self.count):
            self.starts.append(at)
            at += self.sizes[column]
            at += self.gaps[column].size if column + 1 < self.count else 0
        self.end = at + m.margin

    def wrap(self, widest: float) -> None:
        """Breaks the columns into rows of at most `widest`, of about the same width."""
        rows = self._rows(widest)
        for narrower in range(round(widest) - 10, 200, -10):
            tried = self._rows(narrower)
            if len(tried) > len(rows):
                break
            rows = tried
        [lane] = self.lanes
        for number, columns in enumerate(rows):
            if number:
                ends = columns[0] - 1
                crossing = [
                    (lane.nodes[source].centre, lane.nodes[target].centre, source, target)
                    for source, target in lane.links
                    if lane.place[source] == ends
                ]
                self.turns[ends] = [(s, t) for _, _, s, t in sorted(crossing, reverse=True)]
            at = self._left(columns[0])
            for column in columns:
                self.starts[column], self.row_of[column] = at, number
                at += self.sizes[column] + self.gaps[column].size
        self.end = max(self._right(columns) for columns in rows) + self.m.margin

    def _left(self, column: int) -> float:
        """Where a row that begins with `column` has its first card."""
        turns = self._crossing(column - 1) if column else 0
        return self.m.margin + (turns * self.m.track + self.m.gap / 2 if turns else 0)

    def _crossing(self, column: int) -> int:
        [lane] = self.lanes
        return sum(1 for source, _ in lane.links if lane.place[source] == column)

    def _right(self, columns: Sequence[int]) -> float:
        """Where a row ends, without the margin."""
        at = self._left(columns[0])
        for column in columns[:-1]:
            at += self.sizes[column] + self.gaps[column].size
        at += self.sizes[columns[-1]]
        if columns[-1] + 1 < self.count:
            at += self.gaps[columns[-1]].zone + (self._crossing(columns[-1]) + 1) * self.m.track
        return at

    def _rows(self, widest: float) -> list[list[int]]:
        rows = [[0]]
        for column in range(1, self.count):
            longer = [*rows[-1], column]
            if self._right(longer) + self.m.margin <= widest:
                rows[-1] = longer
            else:
                rows.append([column])
        return rows

    def drops(self, top: float) -> tuple[list[float], float]:
        """How far the cards of each column are moved down, and where the last row ends.

        Args:
            top: Where the first row begins.
        """
        if not self.turns:
            return [top] * self.count, top
        [lane] = self.lanes
        found, ends = [0.0] * self.count, top
        for number in range(self.row_of[-1] + 1):
            columns = [c for c in range(self.count) if self.row_of[c] == number]
            reach = [
                (
                    node.centre - max(node.across, node.room) / 2,
                    node.centre + max(node.across, node.room) / 2,
                )
                for key, node in lane.nodes.items()
                if lane.place[key] in columns
            ]
            low, high = min(a for a, _ in reach), max(b for _, b in reach)
            for column in columns:
                found[column] = ends - low
            ends += high - low
            self.lefts.append(ends)
            if columns[-1] in self.turns:
                ends += (len(self.turns[columns[-1]]) + 1) * self.m.track + self.m.lane / 2
        return found, ends


def _place(columns: _Columns, page: Page) -> None:
    """Puts the boxes and arrows of some lanes on the page, below what is there."""
    m = columns.m
    base = page.height
    for lane in columns.lanes:
        drops, end = columns.drops(base)
        if not columns.turns:
            shift = round(base - lane.low) if m.down else base - lane.low
            drops, end = [shift] * columns.count, lane.high + shift
        for row in lane.rows:
            for key in row:
                node = lane.nodes[key]
                node.centre += drops[lane.place[key]]
                if m.down:
                    node.centre = round(node.centre)
                if node.card is not None:
                    column = lane.place[key]
                    page.boxes.append(
                        _placed(node, columns.starts[column], columns.sizes[column], m)
                    )
        base = end + 1.5 * m.lane
        if lane.back:
            base += m.port * len(lane.back)
        far = lane.high + (drops[0] if drops else 0)
        page.arrows += [_arrow(number, lane, columns, far) for number in lane.edges]
    page.height = base
    page.width = max(page.width, columns.end)


def _row(lane: Lane, column: int) -> list[str]:
    return lane.rows[column] if column < len(lane.rows) else []


def _placed(node: MeasuredCard, start: float, size: float, m: Metrics) -> Box:
    if m.down:
        return node.box(node.centre - node.width // 2, start, node.width)
    # All boxes of a column are as wide as the widest.
    return node.box(start, node.centre - node.height / 2, size)


class _Gap:
    """What stands between two columns: labels, bends, arrowheads."""

    def __init__(self, column: int, lanes: Sequence[Lane], scene: Scene, m: Metrics) -> None:
        self.tracks: dict[tuple[int, str], int] = {}
        self.zone = 0.0
        for lane in lanes:
            entering: dict[str, list[str]] = {}
            for source, target in lane.links:
                entering.setdefault(target, []).append(source)
            for number, chain in lane.chains.items():
                edge = scene.edges[number]
                for source, target in itertools.pairwise(chain):
                    if lane.place[source] != column:
                        continue
                    if edge.label and source == edge.source:
                        self.zone = max(self.zone, _zone(edge, m))
                    if self._bends(lane, source, target):
                        # Arrows that meet share their bend, and so do those that part.
                        one = target if len(entering[target]) > 1 else source
                        self.tracks.setdefault((lane.number, one), len(self.tracks))
        bends = (len(self.tracks) + 1) * m.track if self.tracks else 0
        head = 0 if m.down else m.gap / 2
        self.size = max(m.gap, self.zone + bends + (head if self.tracks else 0))

    @staticmethod
    def _bends(lane: Lane, source: str, target: str) -> bool:
        leaving = sum(1 for a, _ in lane.links if a == source)
        entering = sum(1 for _, b in lane.links if b == target)
        apart = abs(lane.nodes[source].centre - lane.nodes[target].centre) > 0.5
        return apart or leaving > 1 or entering > 1

    def track(self, lane_number: int, source: str, target: str, m: Metrics) -> float:
        for one in (target, source):
            if (lane_number, one) in self.tracks:
                return self.zone + (self.tracks[lane_number, one] + (not m.down)) * m.track
        return self.zone


def _zone(edge: Edge, m: Metrics) -> float:
    if m.down:
        return 1
    return max(m.width(text, "label") for text in (edge.label, edge.strategy)) + 2 * m.label_room


def _port(
    key: str, other_ends: Iterable[tuple[float, int]], number: int, lane: Lane, m: Metrics
) -> float:
    """Where an arrow touches a card: the arrows side by side, in the order of their other ends."""
    node = lane.nodes[key]
    ends = sorted(other_ends)
    count = len(ends)
    if count < 2:
        return node.centre
    index = next(at for at, (_, n) in enumerate(ends) if n == number)
    usable = max(0, (node.across if node.card is not None else 0) - m.port)
    step = min(m.port, usable / (count - 1))
    at = node.centre + (index - (count - 1) / 2) * step
    return round(at) if m.down else at


def _arrow(number: int, lane: Lane, columns: _Columns, far: float) -> Arrow:
    scene, m = columns.scene, columns.m
    starts, sizes, gaps = columns.starts, columns.sizes, columns.gaps
    edge = scene.edges[number]
    if number in lane.back:
        return _backwards(number, lane, scene, starts, sizes, m, far)
    chain = lane.chains[number]

    def ends(which: int, key: str, near: int) -> list[tuple[float, int]]:
        return [(lane.nodes[c[near]].centre, n) for n, c in lane.chains.items() if c[which] == key]

    points = []
    leaving = ends(0, chain[0], 1)
    trunk = min((n for _, n in leaving if scene.edges[n].conditional), default=None)
    first = trunk if edge.conditional and trunk is not None else number
    leaving = [end for end in leaving if end[1] == trunk or not scene.edges[end[1]].conditional]
    across = _port(chain[0], leaving, first, lane, m)
    along = starts[lane.place[chain[0]]] + _size(lane, chain[0], sizes, m)
    points.append((along, across))
    for source, target in itertools.pairwise(chain):
        column = lane.place[source]
        last = target == chain[-1]
        to = lane.nodes[target].centre
        if last:
            to = _port(target, ends(-1, target, -2), number, lane, m)
        if column in columns.turns:
            points += _turn(columns, column, (source, target), across, to)
        elif abs(to - across) > 0.5:
            bend = (
                starts[column] + sizes[column] + gaps[column].track(lane.number, source, target, m)
            )
            points += [(bend, across), (bend, to)]
        across = to
        points.append((starts[column + 1] if column + 1 < len(starts) else along, across))
    points = _straightened(points)
    texts: list[Text] = []
    loop: Point | None = None
    if edge.label:
        texts, loop = _labels(edge, points, gaps[lane.place[chain[0]]], m)
    flipped = [(b, a) if m.down else (a, b) for a, b in points]
    dashed = edge.label.startswith("by hand") or edge.bad == "waits"
    return page_of.Arrow(
        edge.source, edge.target, flipped, texts, loop, edge.threads, dashed, edge.hint, edge.bad
    )


def _turn(
    columns: _Columns, column: int, link: tuple[str, str], across: float, to: float
) -> list[Point]:
    """The bends of an arrow from the end of one row to the beginning of the next.

    The lowest turns first: what comes from above goes around it, and none cross.
    """
    m = columns.m
    turns = columns.turns[column]
    nth = turns.index(link) + 1
    right = columns.starts[column] + columns.sizes[column] + columns.gaps[column].zone
    right += nth * m.track
    lower = columns.lefts[columns.row_of[column]] + nth * m.track
    left = m.margin + (nth - 1) * m.track
    return [(right, across), (right, lower), (left, lower), (left, to)]


def _size(lane: Lane, key: str, sizes: Sequence[float], m: Metrics) -> float:
    # In a terminal a box is as high as it needs to be, and the arrow begins right below it.
    return lane.nodes[key].along if m.down else sizes[lane.place[key]]


def _labels(edge: Edge, points: Sequence[Point], gap: _Gap, m: Metrics) -> tuple[list[Text], Point]:
    along, across = points[0]
    bad = edge.bad
    if m.down:
        text = lanes_of.label(edge)
        x = across + m.label_room
        width = m.width(text, "label")
        return [page_of.Text(x, along, width, 1, text, "label", text, bad)], (across, along)
    # The marks of one gap stand in line: in its middle, or before the first bend.
    middle = along + gap.zone / 2 if gap.tracks else along + gap.size / 2 - 2
    height, texts = m.heights["label"], []
    for text, y in ((edge.label, across - 12 - height), (edge.strategy, across + 12)):
        if text:
            width = m.width(text, "label")
            texts.append(
                page_of.Text(middle - width / 2, y, width, height, text, "label", text, bad)
            )
    return texts, (middle, across)


def _straightened(points: Sequence[Point]) -> list[Point]:
    """The points without those in the middle of a straight line."""
    kept = [points[0]]
    for at in range(1, len(points)):
        here = points[at]
        if here == kept[-1]:
            continue
        if len(kept) > 1:
            (a, b), (c, d) = kept[-2], kept[-1]
            if (abs(b - d) < 0.01 and abs(d - here[1]) < 0.01) or (a == c == here[0]):
                kept[-1] = here
                continue
        kept.append(here)
    return kept


def _backwards(
    number: int,
    lane: Lane,
    scene: Scene,
    starts: Sequence[float],
    sizes: Sequence[float],
    m: Metrics,
    far: float,
) -> Arrow:
    """An arrow that closes a circle: around everything."""
    edge = scene.edges[number]
    lower = far + m.port * (lane.back.index(number) + 1) / 2 + m.port / 4
    points = []
    for key, part in ((edge.source, 0.6), (edge.target, 0.4)):
        node = lane.nodes[key]
        along = starts[lane.place[key]] + (node.along if m.down else sizes[lane.place[key]]) * part
        side = node.centre + node.across / 2
        points.append((along, side))
    (a, b), (c, d) = points
    if m.down:
        lower, a, c = round(lower), int(a), int(c)
        b, d = (
            lane.nodes[k].centre - lane.nodes[k].width // 2 + lane.nodes[k].width
            for k in (edge.source, edge.target)
        )
    points = [(a, b), (a, lower), (c, lower), (c, d)]
    flipped = [(y, x) if m.down else (x, y) for x, y in points]
    return page_of.Arrow(
        edge.source, edge.target, flipped, [], None, edge.threads, True, edge.hint, edge.bad
    )


def _message(page: Page, scene: Scene, m: Metrics, widest: float | None) -> None:
    if not scene.message:
        return
    page.width = max(page.width, min(widest or 1e9, 78 if m.down else 460))
    inset = 2 if m.down else m.pad_x
    room = page.width - 2 * (m.margin + inset)
    lines = m.wrap(scene.message, "line", room)[:6]
    top = page.height + (0 if m.down else -m.margin / 2)
    frame_top = top
    top += 1 if m.down else m.pad_y
    for line in lines:
        width, height = m.width(line, "line"), m.heights["line"]
        page.message.append(
            page_of.Text(
                m.margin + inset, top, width, height, line, "line", scene.message, scene.bad
            )
        )
        top += height
    end = top + (1 if m.down else m.pad_y)
    page.frame = (m.margin, frame_top, page.width - 2 * m.margin, end - frame_top)
    page.height = end + m.margin


_SYMBOL = 26
_BETWEEN = 20


def _legend(page: Page, m: Metrics) -> None:
    """What the marks on this page mean, in a line or two below everything."""
    found = []
    if any(arrow.threads and arrow.loop for arrow in page.arrows):
        found.append(("runner", "a QueueRunner's threads"))
    if any(arrow.dashed and not arrow.bad for arrow in page.arrows):
        found.append(("dashed", "run by the program itself"))
    if any(part.strip and part.strip[4] for box in page.boxes for part in box.parts):
        found.append(("kept", "kept for shuffling: min_after_dequeue"))
    if any(box.copies > 1 for box in page.boxes):
        found.append(("copies", "several that are alike"))
    x: float = m.margin
    y, height = page.height - m.margin / 2, m.heights["label"]
    for kind, text in found:
        width = m.width(text, "label")
        if x > m.margin and x + _SYMBOL + width > page.width - m.margin:
            x, y = m.margin, y + height + 4
        place = page_of.Text(x + _SYMBOL, y, width, height, text, "line", text)
        page.legend.append((kind, x, y + height / 2, place))
        page.width = max(page.width, x + _SYMBOL + width + m.margin)
        x += _SYMBOL + width + _BETWEEN
    if found:
        page.height = y + height + m.margin / 2
