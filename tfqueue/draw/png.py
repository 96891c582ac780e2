"""The page as PNG: its SVG, drawn by resvg."""

from __future__ import annotations

import os
import tempfile

from tfqueue import errors
from tfqueue.draw import colours, svg
from tfqueue.draw.page import Page


def render(page: Page, scale: float = 2) -> bytes:
    """The page as the bytes of a PNG file.

    Args:
        page: A `page.Page` in pixels.
        scale: How many dots a pixel of the page gets each way.

    Raises:
        MissingExtraError: Without resvg-py, or without Pillow, whose font is drawn where the system
            has none.
    """
    try:
        import resvg_py
        from PIL import ImageFont
    except ImportError:
        raise errors.MissingExtraError(
            "a PNG picture needs resvg-py and Pillow: pip install 'tfqueue[images]' "
            "(SVG and text need nothing)"
        ) from None
    font = ImageFont.load_default(11)
    with tempfile.TemporaryDirectory() as folder:
        spare = os.path.join(folder, "spare.ttf")
        with open(spare, "wb") as file:
            file.write(font.font_bytes)
        data = resvg_py.svg_to_bytes(
            svg_string=svg.render(page),
            width=round(page.width * scale),
            height=round(page.height * scale),
            background=colours.LIGHT["page"],
            font_files=[spare],
            sans_serif_family=font.getname()[0],
        )
    return bytes(data)
