"""Pillow as it was in 5.x: what its calls gave. Translated programs import `tfqueue.port.libraries.pil_methods`.

A picture that is resized without a word about the filter had the nearest pixels; today it is smoothed. The
classes are changed themselves, since a picture gets about: what asks is looked at, so that installed
libraries go on with what they were written for.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from tfqueue.port.differences import telling
from tfqueue.port.libraries import pil_shapes
from tfqueue.port.libraries.callers import by_library

_SPACING = 4
"""Pixels between the lines of a text."""


def _resizing(original: Callable[..., Any]) -> Callable[..., Any]:
    """`resize(size)`, or `fit(image, size)`: without a filter it takes the nearest pixels."""
    word = "resample" if original.__name__ == "resize" else "method"

    @functools.wraps(original)
    def resized(*args: Any, **words: Any) -> Any:
        given = len(args) + ("size" in words)
        if given < 3 and word not in words and not by_library():
            words[word] = 0  # the nearest pixels
        return original(*args, **words)

    return resized


def _shrinking(original: Callable[..., Any], bicubic: Any) -> Callable[..., Any]:
    """`thumbnail(size)`: it goes straight from the picture, and rounds down."""

    @functools.wraps(original)
    def thumbnail(self: Any, size: Any, resample: Any = bicubic, **words: Any) -> None:
        if words or by_library():
            original(self, size, resample, **words)
            return
        width, height = self.size
        if width > size[0]:
            width, height = int(size[0]), int(max(height * size[0] / width, 1))
        if height > size[1]:
            width, height = int(max(width * size[1] / height, 1)), int(size[1])
        if (width, height) != self.size:
            self.draft(None, (width, height))
            smaller = self.resize((width, height), resample)
            self.im, self._size, self._mode = smaller.im, smaller.size, smaller.mode
            self.readonly = 0

    return thumbnail


def convert(picture: Any, mode: Any = None, *args: Any, **words: Any) -> Any:
    """Stands for ``picture.convert(mode)``, whose gray of colours was rounded down up to Pillow 6.

    >>> from PIL import Image
    >>> convert(Image.new("RGB", (1, 1), (10, 20, 33)), "L").getpixel((0, 0))
    18
    """
    if mode not in ("L", "LA", "I") or args or words or picture.mode not in ("RGB", "RGBA", "RGBX"):
        return picture.convert(mode, *args, **words)
    import numpy as np

    weights = np.array([19595, 38470, 7471], np.uint32)
    gray = (np.asarray(picture)[..., :3].astype(np.uint32) * weights).sum(-1) >> 16
    found = picture.convert("L")
    found.frombytes(gray.astype(np.uint8).tobytes())
    if mode == "L":
        return found
    found = found.convert(mode)
    if picture.mode == "RGBA" and mode == "LA":
        found.putalpha(picture.getchannel("A"))
    return found


def _converting(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def converted(self: Any, *args: Any, **words: Any) -> Any:
        asking = sys._getframe(1).f_globals.get("__name__", "")
        if asking == __name__ or (by_library() and not asking.startswith("PIL.")):
            return original(self, *args, **words)
        mode = args[0] if args else words.get("mode")
        if (mode, self.mode) == ("P", "RGB") and len(args) + len(words) == 1:
            telling.tell_values(
                "PIL.Image.Image.convert",
                "convert('P') spreads the errors of its colors otherwise since Pillow 6",
            )
        return convert(self, *args, **words)

    return converted


def _plain_font(original: Callable[..., Any]) -> Callable[..., Any]:
    """`load_default()`: a font of pixels; since 10.1 it is an outline font."""

    @functools.wraps(original)
    def load_default(*args: Any, **words: Any) -> Any:
        from PIL import ImageFont

        if args or words or by_library("PIL.", "tfqueue.port.libraries."):
            return original(*args, **words)
        return ImageFont.load_default_imagefont()

    return load_default


def _pointwise(original: Callable[..., Any]) -> Callable[..., Any]:
    """`point(function)`: what the function gives for a byte is cut off, and not rounded."""

    @functools.wraps(original)
    def point(self: Any, lut: Any, *args: Any, **words: Any) -> Any:
        if callable(lut) and self.mode in ("1", "L", "P", "RGB", "RGBA") and not by_library():
            lut = [int(lut(value)) for value in range(256)] * len(self.getbands())
        return original(self, lut, *args, **words)

    return point


def _getsize(self: Any, text: Any, *args: Any, **words: Any) -> tuple[int, int]:
    """Stands for ``font.getsize(text)``, gone since Pillow 10: from the origin to the lower right."""
    box = self.getbbox(text, "", *args, **words)
    return int(box[2]), int(box[3])


def _textsize(
    self: Any, text: str, font: Any = None, spacing: float = _SPACING, *args: Any, **words: Any
) -> tuple[float, float]:
    """Stands for ``draw.textsize(text)``, gone since Pillow 10, of one line or several."""
    font = font or self.getfont()
    if "\n" not in text:
        found: tuple[int, int] = font.getsize(text, *args, **words)
        return found
    lines = text.split("\n")
    width = max(font.getsize(line, *args, **words)[0] for line in lines)
    return width, len(lines) * (font.getsize("A")[1] + spacing) - spacing


def install() -> None:
    """Gives Pillow its filters, and the sizes of texts, as they were.

    >>> from PIL import Image
    >>> install()
    >>> picture = Image.frombytes("L", (4, 1), bytes([0, 0, 200, 200]))
    >>> list(picture.resize((3, 1)).tobytes()), list(picture.resize((3, 1), Image.BOX).tobytes())
    ([0, 200, 200], [0, 100, 200])
    """
    import PIL
    from PIL import Image, ImageDraw, ImageFont, ImageOps

    if hasattr(PIL, "PILLOW_VERSION"):
        return
    library: Any = PIL
    library.PILLOW_VERSION = PIL.__version__
    kind: Any = Image.Image
    kind.resize = _resizing(kind.resize)
    kind.convert = _converting(kind.convert)
    kind.point = _pointwise(kind.point)
    kind.thumbnail = _shrinking(kind.thumbnail, Image.BICUBIC)
    operations: Any = ImageOps
    operations.fit = _resizing(operations.fit)
    for name in ("arc", "chord", "ellipse", "pieslice"):
        drawn = pil_shapes.drawing(name, getattr(ImageDraw.ImageDraw, name))
        setattr(ImageDraw.ImageDraw, name, drawn)
    if hasattr(ImageFont, "load_default_imagefont"):
        fonts: Any = ImageFont
        fonts.load_default = _plain_font(ImageFont.load_default)
    owner: Any
    for owner in (ImageFont.FreeTypeFont, ImageFont.ImageFont, ImageFont.TransposedFont):
        if not hasattr(owner, "getsize"):
            owner.getsize = _getsize
    owner = ImageDraw.ImageDraw
    for name in ("textsize", "multiline_textsize"):
        if not hasattr(owner, name):
            setattr(owner, name, _textsize)
