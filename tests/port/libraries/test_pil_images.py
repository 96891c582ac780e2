"""Pillow of its day. Expected values are of Pillow 5.4.1 under Python 3.7."""

import zlib

import numpy as np
import PIL
import pytest
from PIL import Image, ImageDraw, ImageEnhance, ImageFont, ImageOps

from tfqueue.port.differences import telling
from tfqueue.port.libraries import callers, pil_images
from tfqueue.records import sheet

COLOUR = (np.arange(12 * 15 * 3) * 37 % 251).reshape(12, 15, 3).astype(np.uint8)


@pytest.fixture(autouse=True)
def old_pillow(monkeypatch):
    """Pillow is put back afterwards."""
    for owner, names in {
        Image.Image: ("convert", "point", "resize", "thumbnail"),
        ImageOps: ("fit",),
        ImageDraw.ImageDraw: ("arc", "chord", "ellipse", "pieslice"),
        ImageFont: ("load_default",),
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


BOX = (3, 4, 20, 30)


@pytest.mark.parametrize(
    ("kind", "box", "words", "expected"),
    [
        ("ellipse", BOX, {"fill": 255}, (383, 2575593499)),
        ("ellipse", BOX, {"outline": 255}, (80, 2480676824)),
        ("ellipse", ((10, 10), (90, 33)), {"fill": 9, "outline": 200}, (1531, 1056483491)),
        ("ellipse", BOX, {}, (0, 3869852793)),
        ("ellipse", (20, 4, 3, 30), {"fill": 9}, (0, 3869852793)),
        ("arc", BOX, {"start": 0, "end": 90, "fill": 255}, (20, 3172032370)),
        ("arc", (1, 2, 190, 180), {"start": -20, "end": 45.5, "fill": 255}, (94, 3261311962)),
        ("chord", BOX, {"start": 0, "end": 90, "fill": 255}, (51, 3978880562)),
        ("chord", BOX, {"start": 30, "end": 400, "outline": 7}, (80, 2810457849)),
        ("pieslice", BOX, {"start": 0, "end": 90, "fill": 255}, (107, 4181011870)),
        ("pieslice", BOX, {"start": 90, "end": 300, "fill": 4, "outline": 7}, (235, 2669168650)),
        ("pieslice", (30, 40, 30, 40), {"start": 90, "end": 300, "fill": 4}, (1, 3879471325)),
    ],
)
def test_round_shapes(kind, box, words, expected):
    """How many pixels are not black, and a checksum of them all."""
    picture = Image.new("L", (200, 200))
    getattr(ImageDraw.Draw(picture), kind)(box, **words)
    assert (np.count_nonzero(np.asarray(picture)), zlib.crc32(picture.tobytes())) == expected


def test_angles_and_inks_by_position():
    pictures = [Image.new("L", (40, 40)) for _ in range(2)]
    ImageDraw.Draw(pictures[0]).pieslice(BOX, 90, 300, 4, 7)
    ImageDraw.Draw(pictures[1]).pieslice(BOX, start=90, end=300, fill=4, outline=7)
    assert pictures[0] == pictures[1]
    ImageDraw.Draw(pictures[0]).arc(BOX, 90, 300, 9)
    ImageDraw.Draw(pictures[1]).arc(BOX, 90, 300, fill=9)
    assert pictures[0] == pictures[1]
    assert 9 in pictures[0].tobytes()


def test_wide_outlines_are_todays_which_is_told(capsys):
    telling.forget()
    picture, today = Image.new("L", (40, 40)), Image.new("L", (40, 40))
    ImageDraw.Draw(picture).ellipse(BOX, outline=9, width=3)
    ImageDraw.ImageDraw.ellipse.__wrapped__(ImageDraw.Draw(today), BOX, outline=9, width=3)
    assert picture == today
    assert "ellipse draws wide outlines otherwise" in capsys.readouterr().err


def test_colors_of_a_palette_are_told(capsys):
    telling.forget()
    gray = colour().convert("L")
    assert gray.convert("P").mode == colour().convert("P", palette=Image.ADAPTIVE).mode == "P"
    assert capsys.readouterr().err == ""
    assert colour().convert("P").mode == "P"
    assert "convert('P') spreads the errors" in capsys.readouterr().err


def test_the_font_that_nobody_chose():
    picture = Image.new("L", (40, 20))
    ImageDraw.Draw(picture).text((3, 4), "Abc", fill=255)
    assert zlib.crc32(picture.tobytes()) == 4113295762
    assert ImageFont.load_default().getsize("Abc") == (18, 11)


def test_our_own_pictures_keep_todays_font():
    """That of pixels has no letters but those of latin-1."""
    tile = Image.new("RGB", (40, 40))
    assert sheet._sheet([(tile, "狗…")], None, 40).size[0] >= 40


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
