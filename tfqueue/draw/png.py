"""The page as PNG, drawn by Pillow in Pillow's own font."""

import functools
import io

from tfqueue import errors
from tfqueue.draw import colours, svg

_FINE = 3
"""Lines are drawn this much larger and shrunk, which smooths them."""
_SIZES = {"title": 13, "line": 11, "gives": 11, "label": 11}
# What Pillow's font has no glyph for.
_PLAIN = str.maketrans({"\N{MULTIPLICATION SIGN}": "x"})


def _pillow():
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise errors.MissingExtraError(
            "a PNG picture needs Pillow: pip install 'tfqueue[images]' (SVG and text need nothing)"
        ) from None
    return Image, ImageDraw, ImageFont


def render(page, scale=2):
    """The page as the bytes of a PNG file.

    Args:
      page: A `page.Page` in pixels.
      scale: How many dots a pixel of the page gets each way.

    Raises:
      MissingExtraError: Without Pillow.
    """
    image_module, draw_module, font_module = _pillow()
    # Letters of a single dot a pixel would stand on whole dots, and a blank be next to nothing.
    drawn = max(scale, 2)
    width, height = round(page.width * drawn), round(page.height * drawn)
    large = image_module.new("RGB", (width * _FINE, height * _FINE), colours.LIGHT["page"])
    _Shapes(draw_module.Draw(large), drawn * _FINE).page(page)
    image = large.resize((width, height), image_module.Resampling.LANCZOS)
    _Texts(draw_module.Draw(image), font_module, drawn).page(page)
    if drawn != scale:
        size = round(page.width * scale), round(page.height * scale)
        image = image.resize(size, image_module.Resampling.LANCZOS)
    held = io.BytesIO()
    image.quantize(128, dither=image_module.Dither.NONE).save(held, "PNG", optimize=True)
    return held.getvalue()


class _Shapes:
    """Boxes and arrows, on a canvas some times as large as the page."""

    def __init__(self, draw, scale):
        self.draw, self.scale = draw, scale

    def page(self, page):
        for box in page.boxes:
            for number in range(min(box.copies, 4) - 1, 0, -1):
                inset = 3 * number
                self.rectangle(
                    box.x + inset, box.y + inset, box.width - 2 * inset, box.height, box.kind
                )
        for arrow in page.arrows:
            self.arrow(arrow)
        for box in page.boxes:
            self.box(box)
        if page.frame:
            self.rectangle(*page.frame, page.bad)

    def rectangle(self, x, y, width, height, kind, line=1.0):
        s = self.scale
        self.draw.rounded_rectangle(
            (x * s, y * s, (x + width) * s, (y + height) * s),
            7 * s,
            fill=colours.LIGHT[kind],
            outline=colours.LIGHT[f"{kind}-edge"],
            width=round(line * s),
        )

    def line(self, points, colour, width=1.5):
        s = self.scale
        self.draw.line([(x * s, y * s) for x, y in points], colour, round(width * s), joint="curve")

    def polygon(self, points, colour):
        s = self.scale
        self.draw.polygon([(x * s, y * s) for x, y in points], fill=colour)

    def disc(self, x, y, radius, fill):
        s = self.scale
        self.draw.ellipse(
            ((x - radius) * s, (y - radius) * s, (x + radius) * s, (y + radius) * s), fill=fill
        )

    def box(self, box):
        light = colours.LIGHT
        self.rectangle(box.x, box.y, box.width, box.height, box.kind)
        for number, part in enumerate(box.parts):
            if part.bad:
                self.rectangle(part.x, part.y, part.width, part.height, part.bad, 1.6)
            elif number and not box.parts[number - 1].bad:
                ends = [(part.x + 1, part.y), (part.x + part.width - 1, part.y)]
                self.line(ends, light["edge"], 1)
            if part.strip:
                for x, y, width, height, kept in svg.slots(*part.strip):
                    s = self.scale
                    self.draw.rounded_rectangle(
                        (x * s, y * s, (x + width) * s, (y + height) * s),
                        1.5 * s,
                        fill=light["kept" if kept else "slot"],
                    )
            if part.folded:
                x, y = part.x + part.width - 17, part.y + 14
                self.polygon([(x, y), (x + 8, y), (x + 4, y + 5)], light["line"])
        for part in box.parts:
            if part.bad:
                self.badge(part)

    def badge(self, part):
        x, y = part.x + part.width, part.y
        self.disc(x, y, 9, colours.LIGHT["page"])
        self.disc(x, y, 8.2, colours.LIGHT[f"{part.bad}-edge"])
        white = colours.LIGHT["page"]
        if part.bad == "waits":
            self.line([(x, y - 4), (x, y + 0.5), (x + 3, y + 2.5)], white, 1.8)
        else:
            self.line([(x - 3, y - 3), (x + 3, y + 3)], white, 1.8)
            self.line([(x - 3, y + 3), (x + 3, y - 3)], white, 1.8)

    def arrow(self, arrow):
        colour = colours.LIGHT[f"{arrow.bad}-edge" if arrow.bad else "line"]
        points = svg.rounded_points(arrow.points)
        # The line ends within its head, not at its tip.
        (x, y), corners = points[-1], svg.head(*arrow.points[-2:])
        middle = [sum(values) / 2 for values in zip(*corners[1:], strict=True)]
        points[-1] = ((x + middle[0]) / 2, (y + middle[1]) / 2)
        for dash in svg.dashes(points) if arrow.dashed else [points]:
            self.line(dash, colour)
        self.polygon(corners, colour)
        if arrow.loop and arrow.threads:
            x, y = arrow.loop
            s = self.scale
            self.disc(x, y, 9, colours.LIGHT["page"])
            self.draw.arc(
                ((x - 6.8) * s, (y - 6.8) * s, (x + 6.8) * s, (y + 6.8) * s),
                5,
                310,
                fill=colour,
                width=round(1.6 * s),
            )
            self.polygon([(x + 6.6, y - 6.8), (x + 6.2, y - 1.2), (x + 1.2, y - 3.6)], colour)


class _Texts:
    """All text, in the size of the picture."""

    def __init__(self, draw, font_module, scale):
        self.draw, self.scale = draw, scale
        self.font = functools.cache(lambda size: font_module.load_default(size * scale))

    def page(self, page):
        for box in page.boxes:
            for part in box.parts:
                for text in part.texts:
                    self.text(text)
        for arrow in page.arrows:
            for text in arrow.texts:
                self.text(text)
        for text in page.message:
            self.text(text)

    def text(self, text):
        font = self.font(_SIZES[text.style])
        shown = text.text.translate(_PLAIN)
        ink = colours.LIGHT["ink" if text.style == "title" else "soft"]
        if text.bad:
            ink = colours.LIGHT[f"{text.bad}-ink"]
        x, anchor = text.x, "ls"
        if text.style == "label":
            x, anchor = text.x + text.width / 2, "ms"
        elif text.style == "gives":
            x, anchor = text.x + text.width, "rs"
        y = text.y + text.height * svg.BASELINE[text.style]
        place = round(x * self.scale), round(y * self.scale)
        self.draw.text(place, shown, ink, font, anchor)
        if text.style == "title":
            # Pillow's font has no bold: twice, a little apart.
            beside = place[0] + max(1, round(0.4 * self.scale)), place[1]
            self.draw.text(beside, shown, ink, font, anchor)
