"""Ellipses, arcs, chords and pie slices with the pixels that Pillow gave them up to 7.x.

`pil_images.install` puts them into `ImageDraw`. The outline is a line through one point a degree. Where it is
wider than a pixel, which Pillow 5.3 began with, it is today's, and the run says so. Left of or above the picture's
edge a pixel may be another one.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue.port.differences import telling
from tfqueue.port.libraries.callers import by_library

Point = tuple[int, int]

_ARGUMENTS = {
    "arc": "start end fill width",
    "chord": "start end fill outline width",
    "ellipse": "fill outline width",
    "pieslice": "start end fill outline width",
}
"""What stands behind the box of a shape, in its order."""


def _round(value: float) -> int:
    """The nearest whole number, of two the one nearer to zero."""
    single = float(np.float32(value))
    return int(math.copysign(math.ceil(abs(single) - 0.5), single))


def points_of(box: Any, start: float, end: float) -> list[Point]:
    """The points of an arc, one a degree, and its center behind them.

    Args:
        box: `(left, top, right, bottom)`, or the two corners.
        start: Degrees, clockwise from the right.
        end: Where it ends, in degrees.

    Returns:
        None of them if the box is turned over.

    >>> points_of((0, 0, 4, 4), 0, 90)[::45]
    [(4, 2), (3, 3), (2, 4)]
    """
    left, top, right, bottom = (int(value) for value in np.ravel(box))
    width, height = right - left, bottom - top
    if width < 0 or height < 0:
        return []
    end += 360 * math.ceil(max(start - end, 0) / 360)
    end = min(end, start + 360)
    center = int((left + right) / 2), int((top + bottom) / 2)
    found = []
    for step in range(math.ceil(end - start) + 1):
        angle = math.radians(min(start + step, end))
        x, y = math.cos(angle) * width / 2, math.sin(angle) * height / 2
        found.append((center[0] + _round(x), center[1] + _round(y)))
    return [*found, center]


def _draw_line(draw: Any, points: list[Point], ink: Any) -> None:
    """Draws lines from point to point; the last point stays as it is if nothing else meets it."""
    line = [
        point for point, before in zip(points, [None, *points], strict=False) if point != before
    ]
    if len(line) < 2:
        return
    x, y = line[-1]
    is_end = line[-1] not in line[:-1] and 0 <= x < draw.im.size[0] and 0 <= y < draw.im.size[1]
    kept = draw.im.getpixel((x, y)) if is_end else None
    draw.draw.draw_lines(line, ink, 1)
    if is_end:
        draw.im.putpixel((x, y), kept)


def _draw(draw: Any, kind: str, arc: list[Point], center: Point, inks: tuple[Any, Any]) -> None:
    """Draws a shape whose arc has these points, with the inks of its outline and its inside."""
    ink, inside = inks
    corner = [center] if kind == "pieslice" and arc[-1] != center else []
    if inside is not None and len(arc) > 1:
        draw.draw.draw_polygon([*arc, *corner], inside, 1)
    if ink is not None and ink != inside:
        is_closed = kind != "arc" and (corner or arc[-1] != arc[0])
        _draw_line(draw, [*arc, *corner, arc[0]] if is_closed else arc, ink)


def drawing(kind: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """A method of `ImageDraw` that draws `kind` as it was; a library's call is `original`'s."""
    names = _ARGUMENTS[kind].split()

    @functools.wraps(original)
    def drawn(self: Any, xy: Any, *args: Any, **words: Any) -> Any:
        given = dict(zip(names, args, strict=False)) | words
        if by_library():
            return original(self, xy, *args, **words)
        if (given.get("width") or 0) > 1 or given.keys() - {*names}:
            telling.tell_values(
                f"PIL.ImageDraw.{kind}", f"{kind} draws wide outlines otherwise since Pillow 8"
            )
            return original(self, xy, *args, **words)
        fill, outline = given.get("fill"), given.get("outline")
        inks = self._getink(*((fill, None) if kind == "arc" else (outline, fill)))
        points = points_of(xy, given.get("start", 0), given.get("end", 360))
        if points:
            _draw(self, kind, points[:-1], points[-1], inks)

    return drawn
