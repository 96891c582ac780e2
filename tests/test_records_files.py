"""tfqueue.records: whole files written, read, described, saved and drawn."""

import math
import os
import pathlib
import random
import threading
import zlib

import numpy as np
import pytest

from tests import damage
from tfqueue import records
from tfqueue.records import DamagedRecordError, ExampleError, SourceError

GOLDEN = pathlib.Path(__file__).parent / "golden"
FORMS = ("", "GZIP", "ZLIB")


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.tfrecord")


# --- writing and reading


@pytest.mark.parametrize("form", [None, *FORMS, 2])
def test_write_and_read(path, form):
    data = [b"", b"one", bytes(5000)]
    assert records.write(path, data, form) == [path]
    assert list(records.read(path)) == data
    assert list(records.read([path, path], form or "")) == data * 2
    assert records.count([path, path]) == 6
    assert records.verify(path).good
    assert os.listdir(os.path.dirname(path)) == ["some.tfrecord"]


def test_write_takes_all_forms(path):
    message = records.to_example({"n": 3})
    items = [{"n": 1}, ({"n": 2}, {"steps": [1, 2]}), records.encode({"n": 2}), message]
    records.write(path, items)
    one, two, three, four = records.head(path, 9)
    assert [one["n"].item(), three["n"].item(), four["n"].item()] == [1, 2, 3]
    assert two[0]["n"].item() == 2
    assert [step.item() for step in two[1]["steps"]] == [1, 2]
    assert len(records.head(path)) == 1


@pytest.mark.parametrize("shards", [1, 3])
def test_shards(tmp_path, shards):
    names = records.write(tmp_path / "a.tfrecord", ({"n": n} for n in range(7)), shards=shards)
    assert len(names) == shards
    assert os.path.basename(names[0]) == f"a-00000-of-{shards:05d}.tfrecord"
    assert records.expand(tmp_path / "a-*") == names
    found = [example["n"].item() for example in records.examples(tmp_path / "a-*")]
    assert found == [n for shard in range(shards) for n in range(shard, 7, shards)]


def test_a_failed_write_leaves_what_was_there(path):
    records.write(path, [b"old"])
    for shards in (None, 2):
        with pytest.raises(ExampleError, match="example 1: feature 'x': an Example holds no None"):
            records.write(path, [{"x": 1}, {"x": None}], shards=shards)
    assert list(records.read(path)) == [b"old"]
    assert os.listdir(os.path.dirname(path)) == ["some.tfrecord"]


def test_what_cannot_be_written(path):
    with pytest.raises(SourceError, match="not one dict"):
        records.write(path, {"a": 1})
    with pytest.raises(SourceError, match="shards"):
        records.write(path, [], shards=0)
    with pytest.raises(SourceError, match="lz4"):
        records.write(path, [], "lz4")
    with pytest.raises(ExampleError, match=r"example 0: a record is a dict.*not int"):
        records.write(path, [5])
    with pytest.raises(FileNotFoundError):
        records.write(path + "/no/folder", [b""])
    assert not os.path.exists(path)


def test_writes_to_a_pipe(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    found = []
    reader = threading.Thread(target=lambda: found.extend(records.read(path)))
    reader.start()
    records.write(path, [b"a", b"b"])
    reader.join()
    assert found == [b"a", b"b"]


def test_patterns(tmp_path):
    for name in ("b1", "a2", "a1", "[x]"):
        records.write(tmp_path / name, [name.encode()])
    (tmp_path / "a3").mkdir()
    assert list(records.read(tmp_path / "a*")) == [b"a1", b"a2"]
    assert list(records.read([tmp_path / "b?", str(tmp_path / "a[12]")])) == [b"b1", b"a1", b"a2"]
    assert list(records.read(tmp_path / "[x]")) == [b"[x]"]
    with pytest.raises(SourceError, match="no file matches"):
        records.expand(tmp_path / "c*")
    with pytest.raises(SourceError, match="no file was named"):
        records.expand([])
    with pytest.raises(FileNotFoundError):
        records.expand([tmp_path / "a1", tmp_path / "nope"])


def test_a_record_that_is_no_example_is_named(path):
    records.write(path, [{"a": 1}, b"\xff"])
    found = records.examples(path)
    next(found)
    with pytest.raises(ExampleError, match=r"some.tfrecord: record 1 at byte .* does not parse"):
        next(found)
    records.write(path, [({}, {"a": [1]})])
    with pytest.raises(ExampleError, match="sequences"):
        next(records.examples(path))
    assert next(records.sequences(path))[1]["a"][0].item() == 1


def test_damage_in_the_second_file_is_named(tmp_path):
    names = [str(tmp_path / name) for name in ("a", "b")]
    for name in names:
        records.write(name, [b"1", b"2"])
    os.truncate(names[1], os.path.getsize(names[1]) - 10)
    got = []
    with pytest.raises(DamagedRecordError) as caught:
        for data in records.read(names):
            got.append(data)
    assert got == [b"1", b"2", b"1"]
    assert (caught.value.path, caught.value.records) == (names[1], 1)
    with pytest.raises(DamagedRecordError) as caught:
        records.count(names)
    assert (caught.value.path, caught.value.records) == (names[1], 1)


def test_progress_is_told(path):
    told = []
    records.write(path, [b""] * 5000, progress=told.append)
    assert told == sorted(told)
    assert told[-1] > 4000
    for function in (records.count, records.schema, records.verify):
        told.clear()
        function(path, progress=told.append)
        assert told == sorted(told)
        assert told[-1] > 4000


# --- schema


def parse(code, data, function):
    """Parses records in a graph by the code that a schema gave, as a user would paste it."""
    import tensorflow as tf

    v1 = tf.compat.v1
    with tf.Graph().as_default(), v1.Session() as session:
        arguments = eval(f"dict({code})", {"tf": v1})
        outputs = [getattr(v1, function)(serialized, **arguments) for serialized in data]
        return session.run(outputs)


def test_schema_pasted_back_parses(path):
    examples = [
        {
            "label": number,
            "pixels": np.arange(4) / 4 + number,
            "name": f"n{number}",
            "words": ["w"] * number,
            "odd/key 'q'": [1, 2],
            **({"rare": 7} if number == 1 else {}),
        }
        for number in range(3)
    ]
    records.write(path, examples)
    schema = records.schema(path)
    assert (schema.records, schema.examples) == (3, 3)
    assert schema.share(schema.features["rare"]) == 1 / 3
    assert schema.features["words"].lengths == (0, 2)
    assert schema.features["name"].sizes == (2, 2)
    assert schema.features["name"].looks == {"text": 3}
    assert "tf.FixedLenFeature([4], tf.float32)" in schema.code()
    parsed = parse(schema.code(), list(records.read(path)), "parse_single_example")
    for number, found in enumerate(parsed):
        assert found["label"] == number
        assert found["pixels"].tolist() == examples[number]["pixels"].tolist()
        assert found["name"] == examples[number]["name"].encode()
        assert found["words"].values.tolist() == [b"w"] * number
        assert found["rare"].values.tolist() == [7] * (number == 1)
        assert found["odd/key 'q'"].tolist() == [1, 2]


def test_schema_of_sequences(path):
    data = [
        ({"length": n}, {"tokens": list(range(n)), "pairs": [[1.5, 2]] * n, "bag": [["x"] * n] * n})
        for n in range(1, 4)
    ]
    records.write(path, data)
    schema = records.schema(path)
    assert schema.sequences == 3
    assert schema.feature_lists["pairs"].steps == (1, 3)
    assert "'tokens': tf.FixedLenSequenceFeature([], tf.int64)" in schema.code()
    parsed = parse(schema.code(), list(records.read(path)), "parse_single_sequence_example")
    for n, (context, lists) in zip(range(1, 4), parsed, strict=True):
        assert context["length"] == n
        assert lists["tokens"].tolist() == list(range(n))
        assert lists["pairs"].tolist() == [[1.5, 2]] * n
        assert lists["bag"].values.tolist() == [b"x"] * n * n


def test_schema_as_objects(path):
    import tensorflow as tf

    records.write(path, [{"a": 1, "b": [b"x", b"y"], "c": []}, {"a": 2, "b": b"x", "c": 0.5}])
    found = records.schema(path).parsing()["features"]
    assert found == {
        "a": tf.io.FixedLenFeature([], tf.int64),
        "b": tf.io.VarLenFeature(tf.string),
        "c": tf.io.VarLenFeature(tf.float32),
    }
    records.write(path, [({"a": 1}, {"b": [1, 2]})])
    found = records.schema(path).parsing()
    assert found["sequence_features"] == {"b": tf.io.FixedLenSequenceFeature([], tf.int64)}


def test_schema_of_what_does_not_fit_together(path):
    records.write(path, [{"a": 1}, {"a": "x"}, b"text", {"b": []}, {}])
    schema = records.schema(path)
    assert (schema.records, schema.examples, schema.others) == (5, 4, 1)
    assert schema.features["a"].kind == "mixed"
    assert schema.features["b"].kind == "empty"
    assert "# 'a' cannot be parsed as one kind: bytes in 1, int64 in 1" in schema.code()
    assert eval(f"dict({schema.code()})") == {"features": {}}
    assert records.schema(path, limit=1).features["a"].kind == "int64"


# --- salvage


def test_salvage_of_each_kind_of_damage(tmp_path, path):
    data = [bytes([n]) * 50 for n in range(5)]
    framed = list(map(damage.record, data))
    good = b"".join(framed)
    size = len(framed[0])

    def saved(contents):
        pathlib.Path(path).write_bytes(contents)
        result = records.salvage(path, tmp_path / "saved")
        found = list(records.read(tmp_path / "saved"))
        assert result.records == len(found)
        assert result.path == path
        return found, result

    found, result = saved(good)
    assert found == data
    assert result.good

    flipped = bytearray(good)
    flipped[size + 30] ^= 1  # in the data: the record is lost
    found, result = saved(bytes(flipped))
    assert found == [data[0], *data[2:]]
    assert [(loss.start, loss.end) for loss in result.lost] == [(size, 2 * size)]
    assert result.lost_bytes == size

    for place in (0, 5, 9):  # in the length or its CRC: the data's own CRC saves it
        flipped = bytearray(good)
        for index in (1, 4):
            flipped[index * size + place] ^= 4
        found, result = saved(bytes(flipped))
        assert found == data
        assert (result.repaired, result.lost) == (2, ())
        assert not result.good

    found, result = saved(good[: size * 2] + b"garbage" * 9 + good[size * 2 :])
    assert found == data
    assert result.lost_bytes == 63

    found, result = saved(good[:-20])
    assert found == data[:4]
    assert result.lost[0].end == len(good) - 20

    found, result = saved(good[: size + 20] + good[size + 25 :])  # bytes gone
    assert found == [data[0], *data[2:]]

    found, result = saved(good[:size] + bytes(3_000_000) + good[size:])  # beyond one search
    assert found == data
    assert result.lost_bytes == 3_000_000

    found, result = saved(b"")
    assert found == []


@pytest.mark.parametrize("form", ["GZIP", "ZLIB"])
def test_salvage_of_compressed_files(tmp_path, path, form):
    data = [random.Random(n).randbytes(900) for n in range(100)]
    framed = b"".join(map(damage.record, data))
    flipped = bytearray(framed)
    flipped[916 * 3 + 40] ^= 1
    pathlib.Path(path).write_bytes(damage.compress(bytes(flipped), form))
    result = records.salvage(path, tmp_path / "saved")
    assert list(records.read(tmp_path / "saved", form)) == data[:3] + data[4:]
    assert result.reason is None

    packed = damage.compress(framed, form)
    pathlib.Path(path).write_bytes(packed[: len(packed) // 2])
    result = records.salvage(path, tmp_path / "saved", output_compression="")
    assert 40 < result.records < 60
    assert list(records.read(tmp_path / "saved", "")) == data[: result.records]
    assert "cut" in result.reason


@pytest.mark.parametrize("first", range(0, 1500, 100))
def test_salvage_of_damaged_files(tmp_path, path, first):
    for case in damage.cases(range(first, first + 100)):
        pathlib.Path(path).write_bytes(case.data)
        report = records.verify(path, case.compression)
        result = records.salvage(path, tmp_path / "saved", case.compression)
        saved = list(records.read(tmp_path / "saved", case.compression))
        assert result.records == len(saved) >= report.records, case
        assert saved[: case.front] == list(case.records[: case.front]), case
        assert result.good == report.good, case
        if case.delivered is not None and case.kind not in ("removed", "garbage"):
            assert set(saved) <= set(case.records), case
        if case.kind in ("none", "flip", "swapped", "garbage", "trailing", "length"):
            # Three flips or one insertion touch three records at most; the rest is there again.
            assert len(saved) >= len(case.records) - 3, case


def test_salvage_refuses_its_own_file(path):
    records.write(path, [b"x"])
    with pytest.raises(SourceError, match="must not be the damaged one"):
        records.salvage(path, path)
    assert list(records.read(path)) == [b"x"]
    with pytest.raises(FileNotFoundError):
        records.salvage(path + "x", path)
    assert list(records.read(path)) == [b"x"]


# --- sources


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
    with pytest.raises(SourceError, match="one character"):
        records.from_csv(table, delimiter="ab")


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
    (tmp_path / "text.npy").write_text("text")
    (tmp_path / "empty.npy").write_text("")
    (tmp_path / "broken.npz").write_bytes((tmp_path / "a.npz").read_bytes()[:300])
    for name, message in {
        "a.npz": "x 3, y 4",
        "object.npy": "object.npy",
        "scalar.npy": "without rows",
        "text.npy": "text.npy",
        "empty.npy": "empty.npy",
        "broken.npz": "broken.npz",
    }.items():
        with pytest.raises(SourceError, match=message):
            records.from_numpy(tmp_path / name)


# --- contact sheets


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


# --- files of the old releases

OLD = sorted(GOLDEN.glob("files_*/*.tfrecord*"))


@pytest.mark.parametrize("file", OLD, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_files_of_old_releases(file, tmp_path):
    report = records.verify(file)
    if file.name.startswith(("cut", "flipped")):
        assert not report.good
        result = records.salvage(file, tmp_path / "saved")
        assert result.records >= report.records
        return
    assert report.good
    assert report.compression == {".gz": "GZIP", ".zlib": "ZLIB"}.get(file.suffix, "")
    data = list(records.read(file))
    stem = file.name.partition(".")[0]
    if stem == "example":
        assert [example["id"].item() for example in records.examples(file)] == list(range(6))
        for number, record in enumerate(data):
            # An empty list of bytes comes out as [], which goes in as a list of no kind.
            if number % 4:
                assert records.encode(records.decode(record)) == record
        schema = records.schema(file)
        assert schema.features["maybe"].present == 3
        parse(schema.code(), data, "parse_single_example")
    elif stem == "sequence":
        assert [context["length"].item() for context, _ in records.sequences(file)] == [1, 2, 3, 4]
        for record in data:
            assert records.encode_sequence(*records.decode_sequence(record)) == record
        parse(records.schema(file).code(), data, "parse_single_sequence_example")
    # What we write, the old release would have written.
    records.write(tmp_path / "again", data, report.compression)
    plain = {"": bytes, "GZIP": lambda data: zlib.decompress(data, 31), "ZLIB": zlib.decompress}
    unpack = plain[report.compression]
    assert unpack((tmp_path / "again").read_bytes()) == unpack(file.read_bytes())
