"""Pillow of its day. Expected values are of Pillow 5.4.1 under Python 3.7."""

import numpy as np
import PIL
import pytest
from PIL import Image, ImageDraw, ImageEnhance, ImageFont, ImageOps

from tfqueue.port.libraries import callers, pil_images

COLOUR = (np.arange(12 * 15 * 3) * 37 % 251).reshape(12, 15, 3).astype(np.uint8)


@pytest.fixture(autouse=True)
def old_pillow(monkeypatch):
    """Pillow is put back afterwards."""
    for owner, names in {
        Image.Image: ("convert", "point", "resize", "thumbnail"),
        ImageOps: ("fit",),
    }.items():
        for name in names:
            method = vars(owner)[name]
            monkeypatch.setattr(owner, name, getattr(method, "__wrapped__", method))
    monkeypatch.setattr(PIL, "PILLOW_VERSION", "", raising=False)
    del PIL.PILLOW_VERSION
    pil_images.install()


def shown(picture):
    return picture.size, picture.mode, np.asarray(picture).astype(int).ravel()[::7].tolist()


def colour():
    return Image.fromarray(COLOUR)


def test_the_nearest_pixels_where_nothing_is_said():
    nearest = ((4, 3), "RGB", [178, 99, 135, 138, 174, 95])
    assert shown(colour().resize((4, 3))) == nearest
    assert shown(colour().resize(size=(4, 3))) == nearest
    four = colour().convert("RGBA").resize((4, 3))
    assert shown(four) == ((4, 3), "RGBA", [178, 255, 78, 40, 138, 255, 153])
    assert shown(ImageOps.fit(colour(), (4, 4)))[2] == [241, 191, 39, 211, 59, 9, 79]


def test_a_filter_that_is_said():
    smooth = [124, 122, 130, 128, 124, 121]
    assert shown(colour().resize((4, 3), Image.BILINEAR))[2] == smooth
    assert shown(colour().resize((4, 3), resample=Image.BILINEAR))[2] == smooth
    assert shown(colour().resize(resample=Image.BILINEAR, size=(4, 3)))[2] == smooth
    fitted = [128, 126, 127, 122, 131, 124, 133]
    assert shown(ImageOps.fit(colour(), (4, 4), Image.BICUBIC))[2] == fitted
    assert shown(ImageOps.fit(colour(), (4, 4), method=Image.BICUBIC))[2] == fitted


def test_thumbnails():
    """Their size is cut off, and they are made of the picture itself."""
    small = colour()
    assert small.thumbnail((7, 7)) is None
    values = [90, 154, 147, 149, 127, 127, 127, 126, 107, 119, 138, 143, 143, 121, 117]
    assert shown(small) == ((7, 5), "RGB", values)
    small = colour()
    small.thumbnail((20, 5), Image.NEAREST)
    values = [19, 109, 199, 57, 147, 237, 114, 204, 202, 152, 242, 240, 50]
    assert shown(small) == ((6, 5), "RGB", values)
    small.thumbnail((20, 20))
    assert small.size == (6, 5)
    small.putpixel((0, 0), (1, 2, 3))
    assert small.getpixel((0, 0)) == (1, 2, 3)


def test_gray_is_rounded_down():
    small = colour().resize((4, 2))
    assert shown(small.convert("L")) == ((4, 2), "L", [116, 143])
    assert shown(small.convert("RGBA").convert(mode="L"))[2] == [116, 143]
    assert shown(ImageOps.grayscale(small))[2] == [116, 143]
    assert shown(ImageEnhance.Color(small).enhance(0.5))[2] == [101, 41, 88, 128]
    assert shown(small.convert("RGB"))[2] == [86, 7, 110, 113]
    assert small.convert("L").convert("L").mode == "L"
    assert shown(small.convert("I"))[2] == [116, 143]
    assert [small.convert("LA").getpixel(at) for at in ((0, 0), (3, 1))] == [(116, 255), (143, 255)]
    clear = small.convert("RGBA")
    clear.putalpha(7)
    assert [clear.convert("LA").getpixel(at) for at in ((0, 0), (3, 1))] == [(116, 7), (143, 7)]


def test_what_a_function_gives_for_a_byte_is_cut_off():
    small = colour().resize((4, 2))
    assert shown(small.point(lambda value: value * 0.7))[2] == [60, 4, 77, 79]
    assert small.point([0] * 768).getextrema() == ((0, 0),) * 3


def test_a_library_has_the_pillow_of_today(monkeypatch):
    today = Image.Image.resize.__wrapped__(colour(), (4, 3))
    monkeypatch.setattr(callers, "_is_library", lambda path: path == __file__)
    assert colour().resize((4, 3)) == today
    assert colour().resize((4, 3)) != colour().resize((4, 3), Image.NEAREST)
    small = colour()
    small.thumbnail((7, 7))
    assert small.size == (7, 6)


def test_sizes_of_texts():
    """From the origin to the lower right; of lines, the widest one and the step between them."""
    font = ImageFont.load_default()
    box = font.getbbox("ab")
    assert font.getsize("ab") == (int(box[2]), int(box[3]))
    draw = ImageDraw.Draw(colour())
    assert draw.textsize("ab", font) == draw.textsize("ab") == font.getsize("ab")
    height = font.getsize("A")[1]
    assert draw.textsize("ab\nabc", font=font) == (font.getsize("abc")[0], 2 * height + 4)
    assert draw.multiline_textsize("a\nb\na", font, 10)[1] == 3 * height + 20


def test_the_version():
    assert PIL.__version__ == PIL.PILLOW_VERSION
    before = Image.Image.resize
    pil_images.install()
    assert Image.Image.resize is before
