"""Line charts as SVG elements, which get their colours from the style of the page."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Sequence

from tfqueue.pages import words

_WIDTH, _HEIGHT = 480, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 12, 20, 26
Points = Sequence[tuple[float, float]]


def chart(
    title: str,
    lines: Sequence[tuple[str, str, Points]],
    span: tuple[float, float],
    top: float | None = None,
    marks: Sequence[tuple[str, float]] = (),
    area: bool = False,
    bottom: float = 0.0,
    label: Callable[[float], str] | None = None,
    level: Callable[[float], str] = words.number,
) -> str:
    """A chart of values over time or steps.

    Args:
        title: What it shows, for readers that see no picture.
        lines: Each line's name, its style (a class of the page) and its points ``(x, value)``.
        span: The first and the last x.
        top: The highest value of the axis; that of the points when None.
        marks: Name and value of levels that are drawn as dashed lines.
        area: Whether the space below the first line is filled.
        bottom: The lowest value of the axis.
        label: What is written below a place of the x axis; seconds when None.
        level: What is written beside a level.

    Returns:
        An `<svg>` element.
    """
    values = [value for _, _, points in lines for _, value in points]
    highest = top if top is not None else max(values, default=0)
    highest = highest if highest > bottom else bottom + 1
    steps = _ticks(bottom, highest, 4)
    highest = max([highest, *steps[-1:]])
    first, last = span
    last = max(last, first + 1e-3)
    x = _scale(first, last, _LEFT, _WIDTH - _RIGHT)
    y = _scale(bottom, highest, _HEIGHT - _BOTTOM, _TOP)

    parts = [f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{html.escape(title)}">']
    for value in steps:
        parts.append(_line(_LEFT, y(value), _WIDTH - _RIGHT, y(value), "grid"))
        parts.append(_text(_LEFT - 6, y(value) + 4, level(value), "end"))
    for value in _ticks(first, last, 6):
        parts.append(_text(x(value), _HEIGHT - 8, (label or _seconds)(value), "middle"))
    for name, value in marks:
        parts.append(_line(_LEFT, y(value), _WIDTH - _RIGHT, y(value), "mark"))
        parts.append(_text(_WIDTH - _RIGHT - 4, y(value) - 4, name, "end"))
    for number, (name, style, points) in enumerate(lines):
        if not points:
            continue
        path = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in points)
        if area and number == 0:
            begin, end = x(points[0][0]), x(points[-1][0])
            base = f"{y(bottom):.1f}"
            parts.append(
                f'<polygon class="{style} area" points="{begin:.1f},{base} {path} {end:.1f},{base}"/>'
            )
        parts.append(
            f'<polyline class="{style}" points="{path}"><title>{html.escape(name)}</title></polyline>'
        )
    return "".join([*parts, "</svg>"])


def _scale(first: float, last: float, begin: float, end: float) -> Callable[[float], float]:
    """The function from a value to its place on an axis.

    Args:
        first: The lowest value.
        last: The highest value.
        begin: The place of `first`.
        end: The place of `last`.
    """
    return lambda value: begin + (value - first) / (last - first) * (end - begin)


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return f'<line class="{style}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{html.escape(text)}</text>'


def _seconds(value: float) -> str:
    return f"{value:g} s" if value < 60 else words.clock(value)


def _ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from `low` to `high`, `most` of them at the most.

    >>> _ticks(0, 2000, 4), _ticks(0, 7, 4), _ticks(3.2, 12.1, 6)
    ([0, 500, 1000, 1500, 2000], [0, 2, 4, 6], [4, 6, 8, 10, 12])
    """
    raw = (high - low) / most
    power = 10 ** math.floor(math.log10(raw)) if raw > 0 else 1
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    found = [number * step for number in range(first, last + 1)]
    return [int(value) if value == int(value) else round(value, 10) for value in found]
