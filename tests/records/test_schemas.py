"""tfqueue.records.schemas, and its code on the files of the old releases."""

import gc
import pathlib
import zlib

import numpy as np
import pytest

from tfqueue import records
from tfqueue.records import cli, schemas

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "some.tfrecord")


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
    records.write(path, [{"a": 1}, {"a": "x"}, b"text", b"H\1", {"b": []}, {}])
    schema = records.schema(path)
    # The second of those that are no Examples is a message of another kind.
    assert (schema.records, schema.examples, schema.others) == (6, 4, 2)
    assert schema.features["a"].kind == "mixed"
    assert schema.features["b"].kind == "empty"
    assert "# 'a' cannot be parsed as one kind: bytes in 1, int64 in 1" in schema.code()
    assert eval(f"dict({schema.code()})") == {"features": {}}
    assert records.schema(path, limit=1).features["a"].kind == "int64"


def parts_of(found):
    """What a schema says, without its counts."""
    return {key: (entry.kind, entry.lengths) for key, entry in found.features.items()}


def test_a_sample_sees_what_is_everywhere_and_what_stands_out(path):
    odd = {5001: {"n": 1}, 9999: {"n": 1, "words": ["w"] * 40}}  # the shortest and the longest
    examples = [
        odd.get(n, {"n": n, "words": ["w"] * (n % 3 + 1), **({"late": 1.5} if n > 8000 else {})})
        for n in range(20_000)
    ]
    records.write(path, examples)
    whole, sample = records.schema(path), records.schema(path, sample=True)
    assert whole.read == whole.records == sample.read == len(examples)
    assert sample.records < len(examples) / 3
    assert sample.share(sample.features["n"]) == 1
    assert sample.features["words"].present < sample.records
    assert parts_of(sample) == parts_of(whole)
    assert sample.code() == whole.code()


def test_a_sample_leaves_no_damage_out(path):
    records.write(path, ({"n": n} for n in range(10_000)))
    data = pathlib.Path(path).read_bytes()
    for n in range(9000, 9004):
        flipped = bytearray(data)
        flipped[len(data) // 10_000 * n] ^= 1
        pathlib.Path(path).write_bytes(flipped)
        with pytest.raises(records.DamagedRecordError):
            records.schema(path, sample=True)


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


@pytest.mark.parametrize("enabled", [True, False])
def test_the_garbage_collector_is_afterwards_as_it_was(enabled):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with cli._no_collections():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_the_first_4096_bytes_say_what_a_value_is():
    assert schemas.looks_like(b"a" * 4096 + bytes(1)) == "text"
    assert schemas.looks_like(b"a" * 4095 + bytes(2)) == "raw"
