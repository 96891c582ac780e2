"""tfqueue.records.sheet: what is drawn of images where nothing is given."""

import inspect
import io
import sys

import numpy as np
import pytest

from tfqueue import records
from tfqueue.errors import MissingExtraError
from tfqueue.records import SourceError, sheet


def test_what_arguments_are_when_they_are_left_out():
    parameters = inspect.signature(sheet.images).parameters
    plain = {name: parameters[name].default for name in ("limit", "columns", "size", "dtype")}
    assert plain == {"limit": 64, "columns": None, "size": 96, "dtype": "uint8"}


@pytest.mark.parametrize(
    ("count", "example", "expected"),
    [
        (36, {}, (6, 6, 1)),
        (3 * 36, {}, (6, 6, 3)),
        (4 * 49, {}, (14, 14, 1)),
        (3 * 35, {}, None),
        (24, {"height": np.array([4]), "width": np.array([6])}, (4, 6, 1)),
        (72, {"height": np.array([4]), "width": np.array([6])}, (4, 6, 3)),
    ],
)
def test_sides_of_an_image_that_is_plain_bytes(count, example, expected):
    assert sheet._guess(count, example) == expected


def test_sides_by_the_names_of_features():
    example = {"image/Height": np.array([3]), "cols": np.array([2]), "depth": np.array([4])}
    assert sheet._guess(24, example) == (3, 2, 4)
    assert sheet._guess(24, {"height": np.array([3])}) is None
    assert sheet._guess(0, {}) is None
    assert sheet._guess(27, {"depth": np.array([1])}) is None
    assert sheet._guess(36, {"image_depth": np.array([0])}) == (6, 6, 1)
    assert sheet._guess(4, {"depth": np.array([1, 1]), "channels": [b"4"]}) == (2, 2, 1)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([0.0, 0.5, 1.0, np.nan]), [0, 128, 255, 0]),
        (np.array([2.0, 3.0, 200.4, 255.0]), [2, 3, 200, 255]),
        (np.array([-1.0, 0.0, 1.0, 1.0]), [0, 128, 255, 255]),
        (np.array([0.0, 0.0, 128.0, 256.0]), [0, 0, 128, 255]),
        (np.array([0, 1, 1, 0]), [0, 1, 1, 0]),
        (bytes([0, 1, 254, 255]), [0, 1, 254, 255]),
    ],
)
def test_numbers_as_pixels(values, expected):
    image = sheet._array(values, {}, None, np.dtype("uint8"))
    assert (image.dtype, image.shape) == (np.uint8, (2, 2, 1))
    assert image.ravel().tolist() == expected


def test_bytes_of_another_dtype_and_of_a_given_shape():
    data = np.array([1, 2, 3, 300, 5, 6], "<u2").tobytes()
    image = sheet._array(data, {}, (1, 2, 3), np.dtype("<u2"))
    assert image.shape == (1, 2, 3)
    assert image.ravel().tolist() == [0, 1, 2, 255, 3, 4]
    with pytest.raises(ValueError, match="3 bytes are no whole number of uint16"):
        sheet._array(b"abc", {}, None, np.dtype("uint16"))
    with pytest.raises(ValueError, match=r"6 values do not make the shape \[2, 2\]"):
        sheet._array(data, {}, (2, 2), np.dtype("<u2"))
    with pytest.raises(ValueError, match="6 values of uint16 are not square"):
        sheet._array(data, {}, None, np.dtype("<u2"))
    with pytest.raises(ValueError, match="1, 3 or 4 channels, not 2"):
        sheet._picture(bytes(8), {}, (2, 2, 2), np.dtype("uint8"))


def test_channels_of_a_picture():
    grey = sheet._picture(bytes([7]), {}, (1, 1), np.dtype("uint8"))
    assert (grey.mode, grey.getpixel((0, 0))) == ("RGB", (7, 7, 7))
    colour = sheet._picture(bytes([1, 2, 3, 255]), {}, (1, 1, 4), np.dtype("uint8"))
    assert colour.getpixel((0, 0)) == (1, 2, 3)
    encoded = io.BytesIO()
    grey.convert("L").save(encoded, "PNG")
    decoded = sheet._picture(encoded.getvalue(), {}, None, np.dtype("uint8"))
    assert (decoded.mode, decoded.getpixel((0, 0))) == ("RGB", (7, 7, 7))


def test_which_features_are_images():
    jpeg, raw = b"\xff\xd8\xff\xe0", b"\xff\x00"
    example = {
        "numbers": np.zeros(16),
        "few": np.zeros(9),
        "odd": np.zeros(17),
        "raw": [raw],
        "text": [b"words"],
        "image/raw": [raw],
        "Image/text": [b"words"],
        "two": [jpeg, jpeg],
        "encoded": [jpeg],
    }
    assert sheet._candidates(example) == ["encoded", "image/raw", "Image/text", "raw", "numbers"]


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        ({"image/class/Label": [b"7\n\xff"]}, "7 �"),
        ({"text": [b"words"], "label": np.array([0.25])}, "0.25"),
        ({"label": np.array([1, 2]), "image": [b"x"]}, ""),
        ({"image/label": np.array([3])}, ""),
    ],
)
def test_captions(example, expected):
    assert sheet._caption(example, "image/label") == expected


def test_of_many_features_an_error_lists_some():
    keys = [f"k{number:02}" for number in range(51)]
    assert sheet._keys(dict.fromkeys(keys[:50])) == f"{keys[:50]}"
    assert sheet._keys(dict.fromkeys(reversed(keys))) == f"{keys[:50]}, ... (51 in all)"


def test_a_picture_is_scaled_by_its_longer_side():
    Image, _ = sheet._pillow()
    small = Image.new("RGB", (2, 1))
    small.putpixel((1, 0), (200, 0, 0))
    large = sheet._scaled(small, 8)
    assert large.size == (8, 4)
    assert [large.getpixel((x, 0)) for x in (3, 4)] == [(0, 0, 0), (200, 0, 0)]
    doubled = sheet._scaled(small, 4)
    assert [doubled.getpixel((x, 0)) for x in (1, 2)] == [(0, 0, 0), (200, 0, 0)]
    fine = Image.new("RGB", (200, 1))
    fine.putpixel((0, 0), (255, 0, 0))
    smoothed = sheet._scaled(fine, 20)
    assert smoothed.size == (20, 1)
    assert 0 < smoothed.getpixel((0, 0))[0] < 255
    assert sheet._scaled(small, 2).size == (2, 1)


@pytest.mark.parametrize(
    ("count", "columns", "grid"),
    [(1, None, (1, 1)), (5, None, (3, 2)), (4, None, (2, 2)), (3, 7, (3, 1)), (5, 2, (2, 3))],
)
def test_the_grid_of_a_sheet(count, columns, grid):
    Image, _ = sheet._pillow()
    tiles = [(Image.new("RGB", (6, 10), (255, 0, 0)), "")] * count
    drawn = sheet._sheet(tiles, columns, 10)
    assert drawn.size == (grid[0] * 18, grid[1] * 32)
    last = (count - 1) % grid[0] * 18, (count - 1) // grid[0] * 32
    corner = last[0] + 6, last[1] + 4  # a margin of 4, and 2 more beside a narrow image
    inside, outside = (255, 0, 0), (255, 255, 255)
    assert drawn.getpixel(corner) == inside
    assert drawn.getpixel((corner[0] + 5, corner[1] + 9)) == inside
    assert drawn.getpixel((corner[0] - 1, corner[1])) == outside
    assert drawn.getpixel((corner[0], corner[1] - 1)) == outside
    assert drawn.getpixel((corner[0] + 6, corner[1] + 9)) == outside
    assert drawn.getpixel((corner[0] + 5, corner[1] + 10)) == outside


def ink(drawn):
    """The first and the last column and row in which a sheet is not white."""
    dark = np.argwhere(np.asarray(drawn).min(axis=2) < 255)
    return dark.min(axis=0)[::-1].tolist(), dark.max(axis=0)[::-1].tolist()


def test_a_caption_is_below_its_image_and_cut_to_its_width():
    Image, _ = sheet._pillow()
    tile = Image.new("RGB", (40, 40), (255, 255, 255))
    (left, top), (right, bottom) = ink(sheet._sheet([(tile, "ab")], None, 40))
    assert 44 < top <= bottom < 62
    assert abs(left + right - 47) <= 2  # in the middle
    (left, _), (right, _) = ink(sheet._sheet([(tile, "w" * 40)], None, 40))
    assert 0 <= left < 10
    assert 38 < right < 48
    narrow = Image.new("RGB", (1, 1), (255, 255, 255))
    assert np.asarray(sheet._sheet([(narrow, "w" * 9)], None, 1)).size


def test_images_are_those_of_the_first_records(tmp_path):
    path, output = tmp_path / "a.tfrecord", tmp_path / "sheet.png"
    rows = [{"image": bytes([shade]) * 16, "label": shade} for shade in (10, 20, 30)]
    records.write(path, rows)
    Image, _ = sheet._pillow()
    assert sheet.images(path, output, limit=2, size=4) == 2
    with Image.open(output) as drawn:
        assert (drawn.format, drawn.size) == ("PNG", (24, 26))
        assert [drawn.getpixel((x, 4))[0] for x in (4, 16)] == [10, 20]
    records.write(path, [{"pixels": [0.0] * 8 + [1.0] * 8}])
    assert sheet.images(path, output, size=4) == 1
    with Image.open(output) as drawn:
        assert [drawn.getpixel((4, y))[0] for y in (5, 6)] == [0, 255]
    records.write(path, rows)
    with pytest.raises(SourceError, match="numpy knows no dtype 'uint7'"):
        sheet.images(path, output, dtype="uint7")
    with pytest.raises(SourceError, match="record 0 has no feature 'picture', only"):
        sheet.images(path, output, key="picture")
    with pytest.raises(SourceError, match="record 0: 'label' is no image: 1 values do not make"):
        sheet.images(path, output, key="label", shape=(2, 2))


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([], "no record in these files"),
        ([{"label": 1}], r"no image among the features \['label'\]; give the key"),
        ([{"image": bytes(16)}, {"image": [bytes(16)] * 2}], "record 1: 'image' holds 2 values"),
        (
            [{"image": bytes(16)}, {"label": 1}],
            r"record 1 has no feature 'image', only \['label'\]",
        ),
        ([{"image": b"\xff\xd8\xff\xe0"}], "record 0: 'image' is no image: cannot identify"),
    ],
)
def test_what_is_wrong_with_an_image(rows, says, tmp_path):
    path = tmp_path / "a.tfrecord"
    records.write(path, rows)
    with pytest.raises(SourceError, match=says):
        sheet.images(path, tmp_path / "sheet.png")
    assert not (tmp_path / "sheet.png").exists()


def test_without_pillow(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r"tfqueue\[images\]"):
        sheet.images(tmp_path, tmp_path / "sheet.png")
