"""tfqueue.records.sources and .sheet: where items come from, and how images look."""

import math
import os

import numpy as np
import pytest

from tfqueue import records
from tfqueue.records import SourceError


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.tfrecord")


@pytest.fixture
def photos(tmp_path):
    from PIL import Image

    for number, name in enumerate(["cat/2.png", "cat/1.jpg", "dog/a.gif", "dog/notes.txt"]):
        file = tmp_path / "photos" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("txt"):
            file.write_text("no image")
        else:
            Image.new("RGB", (40, 20 + number), (200, 10, 10)).save(file)
    return tmp_path / "photos"


def test_from_folder(photos, path):
    (photos / "round").symlink_to("round")
    items = records.from_folder(photos)
    assert items.classes == ["cat", "dog"]
    assert len(items) == 3
    records.write(path, items)
    found = list(records.examples(path))
    assert [example["file"] for example in found] == [
        [b"cat/1.jpg"],
        [b"cat/2.png"],
        [b"dog/a.gif"],
    ]
    assert [example["label"].item() for example in found] == [0, 0, 1]
    assert found[0]["image"] == [(photos / "cat/1.jpg").read_bytes()]
    orders = {
        tuple(item["file"] for item in records.from_folder(photos, seed)) for seed in range(9)
    }
    assert len(orders) > 1
    assert len(orders) <= math.factorial(3)
    with pytest.raises(SourceError, match="no subfolder"):
        records.from_folder(photos / "cat")
    os.remove(photos / "dog/a.gif")
    (photos / "cat").rename(photos / ".hidden")
    with pytest.raises(SourceError, match="file in its subfolders"):
        records.from_folder(photos)


def test_from_csv(tmp_path, path):
    table = tmp_path / "t.csv"
    table.write_text('\ufeffname,age,size,code\n"Ada, L",36,1.5,007\nAlan,,2,x\n\n', "utf-8")
    items = records.from_csv(table)
    assert len(items) == 2
    assert list(items) == [
        {"name": "Ada, L", "age": 36, "size": 1.5, "code": "007"},
        {"name": "Alan", "size": 2.0, "code": "x"},
    ]
    assert list(items) == list(items)
    table.write_text("1;2\n3;4\n")
    assert list(records.from_csv(table, header=False, delimiter=";")) == [
        {"column_0": 1, "column_1": 2},
        {"column_0": 3, "column_1": 4},
    ]
    table.write_text(f"a,b,c\n{2**63},1_0,nan\n")
    assert next(iter(records.from_csv(table)))["a"] == 2.0**63
    assert next(iter(records.from_csv(table)))["b"] == "1_0"


@pytest.mark.parametrize(
    ("contents", "message"),
    [
        (b"a,b\n1\n", "t.csv:2: 1 columns where 2"),
        (b"a,b\n", "no row"),
        (b"", "no row"),
        (b"a,a\n1,2\n", "t.csv:1: .*twice"),
        (b"a\n\xff\n", "t.csv:.*utf-8"),
        (b'a\n"x', "t.csv:"),
    ],
)
def test_csv_errors_name_the_line(tmp_path, contents, message):
    table = tmp_path / "t.csv"
    table.write_bytes(contents)
    with pytest.raises(SourceError, match=message):
        records.from_csv(table)
    for delimiter in ("ab", "", '"', "\n"):
        with pytest.raises(SourceError, match="one character"):
            records.from_csv(table, delimiter=delimiter)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", ">f8", "bool", "U2"])
def test_from_numpy(tmp_path, dtype):
    array = (np.arange(24) % 5).reshape(4, 2, 3).astype(dtype)
    np.save(tmp_path / "a.npy", array)
    found = [
        records.decode(records.encode(item)) for item in records.from_numpy(tmp_path / "a.npy")
    ]
    for example, row in zip(found, array, strict=True):
        expected = (
            [text.encode() for text in row.ravel()] if dtype == "U2" else row.ravel().tolist()
        )
        assert list(example["data"]) == expected
    np.savez(tmp_path / "a.npz", x=array, y=np.arange(4))
    items = records.from_numpy(tmp_path / "a.npz", raw=True)
    assert len(items) == 4
    for number, item in enumerate(items):
        assert item["y"] == number
        if dtype != "U2":
            little = np.dtype(dtype).newbyteorder("<")
            assert np.array_equal(np.frombuffer(item["x"], little), array[number].ravel())


def test_numpy_errors(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.zeros(3), y=np.zeros(4))
    np.save(tmp_path / "object.npy", np.array([None]), allow_pickle=True)
    np.save(tmp_path / "scalar.npy", np.zeros(()))
    np.save(tmp_path / "none.npy", np.zeros((0, 3)))
    (tmp_path / "text.npy").write_text("text")
    (tmp_path / "empty.npy").write_text("")
    (tmp_path / "broken.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:300])
    for name, message in {
        "a.npz": "x 3, y 4",
        "object.npy": "object.npy",
        "scalar.npy": "without rows",
        "none.npy": "no rows",
        "text.npy": "text.npy",
        "empty.npy": "empty.npy",
        "broken.npz": "broken.npz",
    }.items():
        with pytest.raises(SourceError, match=message):
            records.from_numpy(tmp_path / name)


def test_images_of_encoded_pictures(photos, path, tmp_path):
    from PIL import Image

    records.write(path, records.from_folder(photos))
    assert records.images(path, tmp_path / "s.png", size=50) == 3
    with Image.open(tmp_path / "s.png") as sheet:
        assert sheet.format == "PNG"
        assert sheet.size == (2 * 58, 2 * 72)
        # Each picture where it belongs, paper where there is none.
        assert np.allclose(sheet.getpixel((29, 29)), (200, 10, 10), atol=6)
        assert np.allclose(sheet.getpixel((29, 72 + 29)), (200, 10, 10), atol=6)
        assert sheet.getpixel((58 + 29, 72 + 29)) == (255, 255, 255)
    assert records.images(path, tmp_path / "s.png", limit=1, key="image") == 1


@pytest.mark.parametrize(
    ("feature", "options"),
    [
        (lambda a: a.tobytes(), {}),
        (lambda a: a.astype("int64"), {}),
        (lambda a: (a / 255).astype("float32"), {}),
        (lambda a: a.astype("<i4").tobytes(), {"dtype": "int32"}),
        (lambda a: a.tobytes(), {"shape": (4, 4)}),
        (lambda a: a.tobytes(), {"shape": (4, 4, 1), "key": "x/image"}),
    ],
)
def test_images_of_raw_pictures(path, tmp_path, feature, options):
    from PIL import Image

    array = np.arange(16, dtype=np.uint8).reshape(4, 4) * 16
    records.write(path, [{"x/image": feature(array), "label": 3}])
    assert records.images(path, tmp_path / "s.png", size=40, **options) == 1
    with Image.open(tmp_path / "s.png") as sheet:
        picture = np.asarray(sheet)[9:44:10, 9:44:10, 0]
    assert abs(picture.astype(int) - array).max() <= 1


def test_images_take_height_and_width_from_the_record(path, tmp_path):
    from PIL import Image

    array = np.zeros((2, 8, 3), np.uint8)
    records.write(path, [{"image_raw": array.tobytes(), "height": 2, "width": 8, "depth": 3}])
    records.images(path, tmp_path / "s.png", size=80)
    with Image.open(tmp_path / "s.png") as sheet:
        dark = np.asarray(sheet)[:88, :, 0] == 0
    assert (dark.any(axis=1).sum(), dark.any(axis=0).sum()) == (20, 80)


def test_odd_words_beside_an_image(path, tmp_path):
    image = {"image": bytes(range(64)), "height": 0, "depth": -3}
    for label in ("two\nlines", "\0", "", "x" * 300, "狗" * 99, np.nan):
        records.write(path, [{**image, "label": label}])
        assert records.images(path, tmp_path / "s.png") == 1


def test_image_errors(path, tmp_path):
    out = tmp_path / "s.png"
    records.write(path, [{"a": "text", "b": 1}])
    for options, message in (
        ({}, r"no image among the features \['a', 'b'\]"),
        ({"key": "c"}, "record 0 has no feature 'c'"),
        ({"key": "a", "shape": (9, 9)}, "record 0: 'a' is no image: 4 values do not make"),
        ({"key": "a", "dtype": "float128x"}, "no dtype"),
        ({"key": "a", "dtype": "int64"}, "no whole number of int64"),
    ):
        with pytest.raises(SourceError, match=message):
            records.images(path, out, **options)
    records.write(path, [{"a": b"\x89PNG\r\n\x1a\n" + bytes(30)}])
    with pytest.raises(SourceError, match="record 0: 'a' is no image"):
        records.images(path, out)
    records.write(path, [])
    with pytest.raises(SourceError, match="no record"):
        records.images(path, out)
    assert not out.exists()
