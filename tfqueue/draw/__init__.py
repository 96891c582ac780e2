"""The pipeline drawn, as TensorFlow 1's guide drew it: SVG, PNG, or text for a terminal.

`scene` says what there is to draw, of `cards`, with `folded_ops` and a `broken_place`; `layout` says where
it stands (`order`, `lanes`, `card_sizes`, `metrics`; the result is a `page`); `svg`, `png` and `text` draw
it, in `colours`. `pipeline` is what programs call, `notebook` what notebooks show. Files,
queues, what runs for each example, the program's step; on the arrows the runners with their
threads; in red what failed, in amber what waits. No `dot` is needed.
"""

from __future__ import annotations

import dataclasses
import os
from typing import Any

from tfqueue.draw import layout, metrics, order, png, scene, svg, text
from tfqueue.output import files

__all__ = ["Picture", "as_html", "as_png", "as_svg", "as_text", "draw"]

_COLUMNS = 80


@dataclasses.dataclass(frozen=True, repr=False)
class Picture:
    """A picture that a notebook shows when it is a cell's last value."""

    svg: str

    def __repr__(self) -> str:
        return "<Picture>"

    def _repr_svg_(self) -> str:
        return self.svg


def draw(
    pipeline: Any,
    path: str | os.PathLike[str],
    *,
    opened: bool = False,
    scale: float = 2,
    **about: Any,
) -> None:
    """Draws a pipeline into a file; the suffix says what it becomes.

    Args:
        pipeline: A `Pipeline`.
        path: Where to write: `.svg`, `.png`, `.html` or `.txt`.
        opened: Whether the ops that run for each example are listed.
        scale: For PNG, dots per pixel.
        **about: `step`, `error`, `notes` and `title`, see `as_svg`.

    Raises:
        ValueError: For another suffix.
        MissingExtraError: For `.png` without the extra `images`.
        OSError: If the file cannot be written.
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    if suffix == ".png":
        data = as_png(pipeline, opened=opened, scale=scale, **about)
    elif suffix == ".svg":
        data = as_svg(pipeline, opened=opened, **about).encode()
    elif suffix in (".html", ".htm"):
        data = _PAGE.format(as_html(pipeline, opened=opened, **about)).encode()
    elif suffix == ".txt":
        data = as_text(pipeline, opened=opened, **about).encode()
    else:
        raise ValueError(f"{path}: a picture is an .svg, .png, .html or .txt file")
    files.write_whole(path, data)


def as_svg(
    pipeline: Any,
    *,
    opened: bool = False,
    step: Any = None,
    error: BaseException | None = None,
    notes: dict[str, str] | None = None,
    title: str | None = None,
) -> str:
    """The picture as a `str` of SVG.

    Args:
        pipeline: A `Pipeline`.
        opened: Whether the ops that run for each example are listed.
        step: The program's step where it is known, a `tfqueue.graph.op_types.StepRequest`.
        error: What a step or a runner raised: the broken place is marked.
        notes: Dict of queue name to a line to put on the queue.
        title: What the picture shows; "Input pipeline" when None.
    """
    seen = scene.build(pipeline, step=step, error=error, notes=notes, title=title)
    return svg.render(layout.lay_out(seen, metrics.PIXELS, opened=opened))


def as_png(pipeline: Any, *, opened: bool = False, scale: float = 2, **about: Any) -> bytes:
    """The picture as the bytes of a PNG file.

    Args:
        pipeline: A `Pipeline`.
        opened: Whether the ops that run for each example are listed.
        scale: Dots per pixel.
        **about: As for `as_svg`.
    """
    seen = scene.build(pipeline, **about)
    return png.render(layout.lay_out(seen, metrics.PIXELS, opened=opened), scale)


def as_html(pipeline: Any, *, opened: bool = False, **about: Any) -> str:
    """Both pictures, the folded one and behind a click the open one; no script.

    Args:
        pipeline: A `Pipeline`.
        opened: Whether it starts open.
        **about: As for `as_svg`.
    """
    seen = scene.build(pipeline, **about)
    pictures = [
        svg.render(layout.lay_out(seen, metrics.PIXELS, opened=each)) for each in (False, True)
    ]
    if not any(section.rows for card in seen.cards.values() for section in card.sections):
        return f'<div class="tfq-picture">{pictures[0]}</div>'
    return _FOLD.format(*pictures, " open" if opened else "")


def as_text(
    pipeline: Any,
    *,
    opened: bool = False,
    columns: int = _COLUMNS,
    encoding: str = "utf-8",
    **about: Any,
) -> str:
    """The picture in characters, no line longer than `columns`.

    Args:
        pipeline: A `Pipeline`.
        opened: Whether the ops that run for each example are listed.
        columns: int, at least 40.
        encoding: What it will be written in; ASCII where that lacks box drawing.
        **about: As for `as_svg`.
    """
    seen = scene.build(pipeline, **about)
    pairs = [(edge.source, edge.target) for edge in seen.edges]
    pieces = []
    for part in order.components(seen.cards, pairs):
        pieces.append(
            dataclasses.replace(
                seen,
                cards={key: seen.cards[key] for key in part.keys},
                edges=[seen.edges[number] for number in part.edges],
                message="",
            )
        )
    if seen.message or not pieces:
        pieces.append(dataclasses.replace(seen, cards={}, edges=[]))
    pages = [_page_of(piece, opened, columns) for piece in pieces]
    drawn = [
        text.render(page, encoding) if page else text.outline(piece, columns, encoding)
        for page, piece in zip(pages, pieces, strict=True)
    ]
    return "\n".join(drawn)


def _page_of(piece: Any, opened: bool, columns: int) -> Any:
    """The piece laid out, its boxes as wide as there is room for; None if nothing fits."""
    for widest in (metrics.CELLS.widest, 28, 22, 18):
        cells = dataclasses.replace(
            metrics.CELLS, widest=widest, open_widest=max(widest, columns - 4) if opened else widest
        )
        page = layout.lay_out(piece, cells, opened=opened, widest=columns)
        if page is not None:
            return page
    return None


_FOLD = """<details class="tfq-picture"{2}>
<style>.tfq-picture svg{{max-width:100%;height:auto}}
.tfq-picture summary{{cursor:pointer;list-style:none}}
.tfq-picture[open]>summary>svg{{display:none}}
.tfq-picture>summary::after{{content:"show every op";display:block;margin-top:4px;
font:12px sans-serif;color:#4a80b5}}
.tfq-picture[open]>summary::after{{content:"fold"}}</style>
<summary>{0}</summary>
{1}</details>"""

_PAGE = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Input pipeline</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<body>
{}
</body></html>
"""
