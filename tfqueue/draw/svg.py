"""The page as SVG: text stays text, all there is to say stands in tooltips, no script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from tfqueue.draw import colours
from tfqueue.draw.page import Arrow, Box, Page, Part, Point, Text

_FONT = "'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', Verdana, sans-serif"
_ROUND = 7
_HEAD = 7
_SLOTS = 10
BASELINE = {"title": 0.72, "line": 0.75, "gives": 0.75, "label": 0.78}


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def render(page: Page) -> str:
    """The page as a `str` of SVG.

    Args:
        page: A `page.Page` in pixels.
    """
    size = f"{_n(page.width)} {_n(page.height)}"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tfq" role="img" '
        f'style="max-width:100%;height:auto" '
        f'width="{_n(page.width)}" height="{_n(page.height)}" viewBox="0 0 {size}">',
        f"<title>{escape(page.title)}</title>",
        f"<desc>{escape(page.description)}</desc>",
        f"<style>{_style()}</style>",
        f'<rect class="tfq-page" x="0.5" y="0.5" width="{_n(page.width - 1)}" '
        f'height="{_n(page.height - 1)}" rx="10"/>',
    ]
    for box in page.boxes:
        out += _sheets(box)
    # Runners last: their marks lie on the lines, and lines of one runner on each other.
    for arrow in sorted(page.arrows, key=lambda arrow: arrow.loop is not None):
        out += _arrow(arrow)
    for box in page.boxes:
        out += _box(box)
    if page.frame:
        x, y, width, height = page.frame
        out.append(
            f'<g class="tfq-message"><rect class="tfq-{page.bad}" x="{_n(x)}" y="{_n(y)}" '
            f'width="{_n(width)}" height="{_n(height)}" rx="{_ROUND}"/>'
        )
        out += [_text(text) for text in page.message]
        out.append("</g>")
    for entry in page.legend:
        out += _explained(*entry)
    out.append("</svg>")
    return "\n".join(out) + "\n"


def _style() -> str:
    """Classes for everything; the colours of a dark page where the reader's is dark."""
    rules = [
        f".tfq text{{font-family:{_FONT};font-size:11px}}",
        ".tfq .tfq-title{font-size:13px;font-weight:600}",
        ".tfq .tfq-sheet,.tfq .tfq-box,.tfq .tfq-part,.tfq .tfq-arrow,.tfq .tfq-loop{fill:none}",
        ".tfq .tfq-arrow{stroke-width:1.5}",
        ".tfq .tfq-loop{stroke-width:1.6}",
        ".tfq .tfq-dashed{stroke-dasharray:5 4}",
    ]
    rules += _colouring(colours.LIGHT)
    rules.append("@media (prefers-color-scheme:dark){" + "".join(_colouring(colours.DARK)) + "}")
    return "".join(rules)


def _colouring(of: Mapping[str, str]) -> list[str]:
    rules = [
        f".tfq .tfq-page{{fill:{of['page']};stroke:{of['edge']}}}",
        f".tfq text{{fill:{of['soft']}}}",
        f".tfq .tfq-title{{fill:{of['ink']}}}",
        f".tfq .tfq-arrow,.tfq .tfq-loop,.tfq .tfq-divider{{stroke:{of['line']}}}",
        f".tfq .tfq-head,.tfq .tfq-fold{{fill:{of['line']}}}",
        f".tfq .tfq-disc{{fill:{of['page']}}}",
        f".tfq .tfq-divider{{stroke:{of['edge']}}}",
        f".tfq .tfq-slot{{fill:{of['slot']}}}.tfq .tfq-kept{{fill:{of['kept']}}}",
    ]
    for kind in ("source", "queue", "work", "step"):
        rules.append(f".tfq .tfq-{kind}{{fill:{of[kind]};stroke:{of[kind + '-edge']}}}")
    for kind in ("failed", "waits"):
        edge = of[kind + "-edge"]
        rules += [
            f".tfq .tfq-{kind}{{fill:{of[kind]};stroke:{edge};stroke-width:1.6}}",
            f".tfq text.tfq-{kind}{{fill:{of[kind + '-ink']};stroke:none}}",
            f".tfq .tfq-arrow.tfq-{kind},.tfq .tfq-loop.tfq-{kind}{{fill:none;stroke:{edge}}}",
            f".tfq .tfq-head.tfq-{kind}{{fill:{edge};stroke:none}}",
            f".tfq .tfq-badge.tfq-{kind}{{fill:{edge};stroke:{of['page']}}}",
            f".tfq .tfq-sign{{fill:none;stroke:{of['page']};stroke-width:1.8}}",
        ]
    return rules


def _text(text: Text) -> str:
    classes = f"tfq-{text.style}" + (f" tfq-{text.bad}" if text.bad else "")
    y = text.y + text.height * BASELINE[text.style]
    tip = f"<title>{escape(text.full)}</title>" if text.full != text.text else ""
    if text.style in ("label", "gives"):
        # Centred, or flush right: narrower fonts than the one measured stand well in it too.
        anchor = "middle" if text.style == "label" else "end"
        x = text.x + text.width * (0.5 if text.style == "label" else 1)
    else:
        anchor, x = "start", text.x
    return (
        f'<text class="{classes}" x="{_n(x)}" y="{_n(y)}" text-anchor="{anchor}">'
        f"{tip}{escape(text.text)}</text>"
    )


def _sheets(box: Box) -> Iterator[str]:
    """The sheets that lie under a box: a thread each, three at the most."""
    for number in range(min(box.copies, 4) - 1, 0, -1):
        yield (
            f'<rect class="tfq-sheet tfq-{box.kind}" x="{_n(box.x + 3 * number)}" '
            f'y="{_n(box.y + 3 * number)}" width="{_n(box.width - 6 * number)}" '
            f'height="{_n(box.height)}" rx="{_ROUND}"/>'
        )


def _box(box: Box) -> Iterator[str]:
    yield f'<g class="tfq-card" data-key={quoteattr(box.key)}>'
    yield _rect(box, f"tfq-box tfq-{box.kind}")
    for number, part in enumerate(box.parts):
        yield f"<g><title>{escape(part.hint)}</title>"
        if part.bad:
            yield (
                f'<rect class="tfq-part tfq-{part.bad}" x="{_n(part.x)}" y="{_n(part.y)}" '
                f'width="{_n(part.width)}" height="{_n(part.height)}" rx="{_ROUND}"/>'
            )
        elif number and not box.parts[number - 1].bad:
            right = part.x + part.width
            yield (
                f'<line class="tfq-divider" x1="{_n(part.x + 1)}" y1="{_n(part.y)}" '
                f'x2="{_n(right - 1)}" y2="{_n(part.y)}"/>'
            )
        yield from map(_text, part.texts)
        if part.strip:
            for x, y, width, height, kept in slots(*part.strip):
                yield (
                    f'<rect class="tfq-{"kept" if kept else "slot"}" x="{_n(x)}" y="{_n(y)}" '
                    f'width="{_n(width)}" height="{_n(height)}" rx="1.5"/>'
                )
        if part.folded:
            x, y = part.x + part.width - 17, part.y + 14
            yield (f'<path class="tfq-fold" d="M{_n(x)} {_n(y)}l8 0l-4 5z"/>')
        yield "</g>"
    for part in box.parts:
        if part.bad:
            yield from _badge(part)
    yield "</g>"


def _rect(box: Box, classes: str) -> str:
    return (
        f'<rect class="{classes}" x="{_n(box.x)}" y="{_n(box.y)}" width="{_n(box.width)}" '
        f'height="{_n(box.height)}" rx="{_ROUND}"/>'
    )


def slots(
    x: float, y: float, width: float, height: float, share: float
) -> Iterator[tuple[float, float, float, float, bool]]:
    """The places of a queue: `(x, y, width, height, kept)`, the ones that stay filled first."""
    step = width / _SLOTS
    for number in range(_SLOTS):
        yield x + number * step, y + height - 9, step - 2, 9, number < round(share * _SLOTS)


def _badge(part: Part) -> Iterator[str]:
    x, y = part.x + part.width, part.y
    sign = f"M{_n(x - 3)} {_n(y - 3)}l6 6m0 -6l-6 6"
    if part.bad == "waits":
        sign = f"M{_n(x)} {_n(y - 4)}l0 4.5l3 2"
    yield f'<circle class="tfq-badge tfq-{part.bad}" cx="{_n(x)}" cy="{_n(y)}" r="8.5"/>'
    yield f'<path class="tfq-sign" d="{sign}"/>'


def _arrow(arrow: Arrow) -> Iterator[str]:
    bad = f" tfq-{arrow.bad}" if arrow.bad else ""
    dashed = " tfq-dashed" if arrow.dashed else ""
    yield (
        f'<g class="tfq-edge" data-source={quoteattr(arrow.source)} '
        f"data-target={quoteattr(arrow.target)}>"
    )
    if arrow.hint:
        yield f"<title>{escape(arrow.hint)}</title>"
    yield f'<path class="tfq-arrow{dashed}{bad}" d="{_rounded(arrow.points)}"/>'
    yield f'<path class="tfq-head{bad}" d="{_head(*arrow.points[-2:])}"/>'
    if arrow.loop and arrow.threads:
        yield from _runner(*arrow.loop, bad)
    yield from map(_text, arrow.texts)
    yield "</g>"


def _explained(kind: str, x: float, y: float, text: Text) -> Iterator[str]:
    """One mark of the legend and its words."""
    yield '<g class="tfq-legend">'
    if kind == "runner":
        yield from _runner(x + 10, y, "")
    elif kind == "dashed":
        yield f'<path class="tfq-arrow tfq-dashed" d="M{_n(x)} {_n(y)}l20 0"/>'
    elif kind == "kept":
        for number, place in enumerate(("kept", "kept", "slot")):
            at = x + 7 * number
            yield (
                f'<rect class="tfq-{place}" x="{_n(at)}" y="{_n(y - 4.5)}" width="5" height="9" '
                'rx="1.5"/>'
            )
    else:
        for shift in (3, 0):
            yield (
                f'<rect class="tfq-box tfq-work" x="{_n(x + 2 + shift)}" y="{_n(y - 6 + shift)}" '
                'width="14" height="9" rx="2"/>'
            )
    yield _text(text)
    yield "</g>"


def _runner(x: float, y: float, bad: str) -> Iterator[str]:
    """The mark of a runner: most of a circle, and the head of an arrow at its end."""
    yield f'<circle class="tfq-disc" cx="{_n(x)}" cy="{_n(y)}" r="9"/>'
    yield (
        f'<path class="tfq-loop{bad}" d="M{_n(x + 3.9)} {_n(y - 4.6)}'
        f'A6 6 0 1 0 {_n(x + 6)} {_n(y + 0.5)}"/>'
    )
    yield f'<path class="tfq-head{bad}" d="M{_n(x + 6.6)} {_n(y - 6.8)}l-0.4 5.6l-5 -2.4z"/>'


def _rounded(points: Sequence[Point]) -> str:
    """A path along the points, its corners round."""
    path = f"M{_n(points[0][0])} {_n(points[0][1])}"
    for before, here, after in zip(points, points[1:], points[2:], strict=False):
        first, second = _towards(here, before), _towards(here, after)
        path += f"L{_n(first[0])} {_n(first[1])}Q{_n(here[0])} {_n(here[1])} "
        path += f"{_n(second[0])} {_n(second[1])}"
    return f"{path}L{_n(points[-1][0])} {_n(points[-1][1])}"


def _towards(here: Point, there: Point) -> Point:
    dx, dy = there[0] - here[0], there[1] - here[1]
    length = (dx * dx + dy * dy) ** 0.5
    part = min(8, length / 2) / length if length else 0
    return here[0] + dx * part, here[1] + dy * part


def head(before: Point, end: Point) -> tuple[Point, Point, Point]:
    """The three corners of an arrow's head."""
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1
    dx, dy = dx / length * _HEAD, dy / length * _HEAD
    return (
        end,
        (end[0] - dx - dy * 0.6, end[1] - dy + dx * 0.6),
        (end[0] - dx + dy * 0.6, end[1] - dy - dx * 0.6),
    )


def _head(before: Point, end: Point) -> str:
    corners = [f"{_n(x)} {_n(y)}" for x, y in head(before, end)]
    return f"M{corners[0]}L{corners[1]}L{corners[2]}z"
