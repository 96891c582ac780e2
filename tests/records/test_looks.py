"""What bytes and records look like: tfqueue.records.schemas and suggestions, part by part."""

import pytest

from tfqueue import records
from tfqueue.records import encode, encode_sequence, framing, schemas, suggestions
from tfqueue.records.schemas import Schema, looks_like

LONG = b"a" * 4096


@pytest.mark.parametrize(
    ("data", "look"),
    [
        (b"\xff\xd8\xff\xe0", "JPEG"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"GIF87a", "GIF"),
        (b"GIF89a", "GIF"),
        (b"RIFFx", "RIFF"),
        (b"BM\x08\0\0\0xx", "BMP"),
        (b"BM\x07\0\0\0xx", "raw"),
        (b"BM, a car", "text"),
        (b"", "text"),
        (b"a\tb\r\n", "text"),
        (b"a\x0b", "raw"),
        (b"a" * 4095 + "ä".encode(), "text"),
        (b"a" * 4093 + "\N{GRINNING FACE}".encode() + b"a", "text"),
        (b"a" * 4089 + b"\xff" + b"a" * 9, "raw"),
        (b"a" * 4091 + b"\xff" + b"a" * 9, "text"),
        (b"a" * 4095 + b"\xc3", "raw"),
        (LONG + b"\xff", "text"),
        (b"\0" + LONG, "raw"),
    ],
)
def test_what_bytes_look_like(data, look):
    assert looks_like(data) == look


def schema_of(*rows):
    found = Schema()
    for row in rows:
        found.add(row if isinstance(row, bytes) else encode(row))
    return found


def test_what_is_counted():
    found = schema_of(
        {"a": 1, "b": [b"xy", b"z"]},
        {"a": [1.0, 2.0], "b": [b"abcd"]},
        {"a": [], "e": []},
        encode_sequence({"a": 1}, {"l": [[1, 2], [3]]}),
        encode_sequence({}, {"l": [[7]] * 3}),
        b"",
        b"\n\0",
        b"\xff",
        b"\x1a\x02hi",
    )
    counts = [found.read, found.records, found.examples, found.sequences, found.others]
    assert counts == [9, 9, 5, 2, 2]
    a, b, e = (found.features[key] for key in "abe")
    assert (a.kind, a.kinds) == ("mixed", {"int64": 2, "float": 1, "empty": 1})
    assert (a.present, a.lengths, a.sizes, a.steps) == (4, (0, 2), None, None)
    assert (b.kind, b.lengths, b.sizes, b.looks) == ("bytes", (1, 2), (1, 4), {"text": 3})
    assert e.kind == "empty"
    steps = found.feature_lists["l"]
    assert (steps.present, steps.steps, steps.lengths) == (2, (2, 3), (1, 2))
    assert [found.share(each) for each in (a, steps)] == [4 / 7, 1.0]


def test_few_values_are_looked_at():
    found = schema_of({"a": [b"x"] * 200}, {"a": [b"x"] * 100})
    assert found.features["a"].looks == {"text": 256}
    assert found.features["a"].lengths == (100, 200)


def test_how_each_key_is_parsed():
    found = schema_of(
        {"one": 1, "two": [0.5, 1.0], "more": [1], "rare": b"x", "mixed": 1, "none": []},
        {"one": 2, "two": [0.5, 1.0], "more": [1, 2], "mixed": 1.0, "none": []},
    )
    assert found.code(indent=" ").splitlines() == [
        "features={",
        " # 'mixed' cannot be parsed as one kind: float in 1, int64 in 1",
        " 'more': tf.VarLenFeature(tf.int64),",
        " # 'none' cannot be parsed as one kind: empty in 2",
        " 'one': tf.FixedLenFeature([], tf.int64),",
        " 'rare': tf.VarLenFeature(tf.string),",
        " 'two': tf.FixedLenFeature([2], tf.float32),",
        "}",
    ]
    assert found.code(most=1).splitlines()[-2] == "    # and 5 more keys"
    assert "more keys" not in found.code(most=6)
    assert str(found) == found.code()
    parsing = found.parsing()
    assert list(parsing) == ["features"]
    kinds = {key: type(spec).__name__ for key, spec in parsing["features"].items()}
    fixed, free = "FixedLenFeature", "VarLenFeature"
    assert kinds == {"more": free, "one": fixed, "rare": free, "two": fixed}
    assert parsing["features"]["two"].shape == [2]
    assert parsing["features"]["rare"].dtype.name == "string"


def test_how_sequences_are_parsed():
    found = schema_of(encode_sequence({"id": 1}, {"words": [[1, 2], [3, 4]], "odd": [[1], [1, 2]]}))
    assert found.code() == (
        "context_features={\n    'id': tf.FixedLenFeature([], tf.int64),\n},\n"
        "sequence_features={\n    'odd': tf.VarLenFeature(tf.int64),\n"
        "    'words': tf.FixedLenSequenceFeature([2], tf.int64),\n}"
    )
    parsing = found.parsing()
    assert list(parsing) == ["context_features", "sequence_features"]
    assert type(parsing["sequence_features"]["words"]).__name__ == "FixedLenSequenceFeature"
    told = found.as_dict()
    counts = {"read": 1, "records": 1, "examples": 0, "sequences": 1, "others": 0}
    assert {key: told[key] for key in counts} == counts
    assert told["feature_lists"]["words"]["steps"] == (2, 2)
    assert (told["features"]["id"]["kind"], told["features"]["id"]["share"]) == ("int64", 1.0)


def test_a_sample_has_the_first_and_whatever_is_of_a_new_length(tmp_path):
    path = str(tmp_path / "a.tfrecord")
    rows = [{"a": b"x" * (10 if number != 2501 else 11)} for number in range(4002)]
    records.write(path, rows)
    seen = []
    found = schemas.schema(path, sample=True, progress=seen.append)
    assert seen == list(range(0, 4002, 256))
    assert found.read == 4002
    assert found.records == 2000 + 500 + 334 + 1
    assert found.features["a"].sizes == (10, 11)
    assert schemas.schema(path, sample=True, limit=7).read == 7
    assert schemas.schema(path).records == 4002


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (b"PK\x03\x04", "a ZIP archive, or an .npz file"),
        (b"\x00\x00\x08\x03", "MNIST's images in IDX format"),
        (b"1234567", None),
        (b"12345678", "text"),
        (b"1234567\x01", None),
        (b"a" * 511 + b"\xc3", "text"),
        (b"a" * 510 + b"\xc3", None),
        (b"a" * 510 + b"\x01\xc3", None),
        (b"a\tb\r\n1234", "text"),
        (framing.frame(b"text"), None),
    ],
)
def test_what_a_file_is_by_its_beginning(start, kind, tmp_path):
    assert suggestions.other_kind(start) == kind
    (tmp_path / "file").write_bytes(start)
    assert suggestions.kind_of_file(tmp_path / "file") == kind


def test_a_name_that_was_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.csv").touch()
    assert suggestions.did_you_mean("trian.csv") == " (did you mean 'train.csv'?)"
    assert suggestions.did_you_mean("test.csv") == ""
    assert suggestions.similar_file("gone/train.csv") is None
    assert suggestions.similar_file(str(tmp_path / "tran.csv")) == str(tmp_path / "train.csv")
