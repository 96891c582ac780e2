"""tfqueue.records.messages, held to TensorFlow's own message classes on good and on broken bytes."""

import random
import subprocess
import sys

import numpy as np
import pytest

from tests.suite import children
from tfqueue.records import (
    ExampleError,
    decode,
    decode_any,
    decode_sequence,
    encode,
    encode_sequence,
    from_example,
    from_sequence_example,
    messages,
    to_example,
    to_sequence_example,
)


def same(one, other):
    if isinstance(one, np.ndarray):
        return (
            isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and _without_nans(one) == _without_nans(other)
        )
    return type(one) is type(other) and one == other


def _without_nans(array):
    """The bytes of an array, all its NaNs alike: protobuf before 5 hands a signalling one on quiet."""
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), array.dtype.type(np.nan), array)
    return array.tobytes()


@pytest.fixture(scope="module")
def classes():
    from google.protobuf.message import DecodeError
    from tensorflow.core.example import example_pb2

    return example_pb2.Example, example_pb2.SequenceExample, DecodeError


def feature_of(feature):
    kind = feature.WhichOneof("kind")
    if kind is None:
        return "empty", []
    values = getattr(feature, kind).value
    if kind == "bytes_list":
        return "bytes", list(values)
    if kind == "int64_list":
        return "int64", np.array(values, np.int64)
    return "float", np.array(values, np.float32)


@pytest.mark.parametrize("count", [0, 1, 32, 33, 3072])
def test_floats_are_encoded_as_tensorflow_encodes_them(classes, count):
    values = np.linspace(-1e38, 1e38, count, dtype=np.float32)
    values[::7] = np.nan
    expected = classes[0]()
    expected.features.feature["x"].float_list.value.extend(values.tolist())
    if not count:
        expected.features.feature["x"].float_list.SetInParent()
    assert encode({"x": values}) == expected.SerializeToString(deterministic=True)


def value_of(rng):
    count = rng.choice((0, 1, 1, 2, 30, 400))
    kind = rng.randrange(4)
    if kind == 0:
        return [rng.randbytes(rng.choice((0, 3, 200))) for _ in range(count)]
    if kind == 1:
        numbers = (0, 1, 127, 128, -1, 2**63 - 1, -(2**63), rng.getrandbits(40))
        return np.array([rng.choice(numbers) for _ in range(count)], np.int64)
    if kind == 2:
        return np.array([rng.uniform(-9, 9) for _ in range(count)], np.float32)
    return np.arange(count) % 128


def dict_of(rng):
    return {
        rng.choice(("a", "b", "label", "ü", "")): value_of(rng) for _ in range(rng.randrange(4))
    }


@pytest.mark.parametrize("first", range(0, 400, 200))
def test_examples_round_trip_through_protobuf(classes, first):
    Example, SequenceExample, _ = classes
    for seed in range(first, first + 200):
        rng = random.Random(seed)
        values = dict_of(rng)
        data = encode(values)
        message = Example.FromString(data)
        # upb sorts a key before its own beginning, "" last; other protobufs, and we, do not.
        if "" not in values:
            assert message.SerializeToString(deterministic=True) == data, seed
        assert to_example(values) == message
        got = from_example(message)
        assert got.keys() == values.keys()
        assert all(same(got[key], values[key]) or not len(values[key]) for key in values), seed
        assert decode_any(data).keys() == got.keys()

        lists = {key: [value_of(rng) for _ in range(rng.randrange(4))] for key in values}
        data = encode_sequence(values, lists)
        message = SequenceExample.FromString(data)
        if values and "" not in values:
            assert message.SerializeToString(deterministic=True) == data, seed
        assert to_sequence_example(values, lists) == message
        context, steps = from_sequence_example(message)
        assert context.keys() == values.keys()
        assert steps.keys() == lists.keys()
        for key, expected in lists.items():
            assert len(steps[key]) == len(expected)
            for one, other in zip(steps[key], expected, strict=True):
                assert same(one, other) or not len(other), seed


def mutate(rng, data):
    data = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        if not data:
            break
        place = rng.randrange(min(len(data), rng.choice((20, 10**6))))
        kind = rng.randrange(4)
        if kind == 0:
            data[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[place]
        elif kind == 2:
            data.insert(place, rng.randrange(256))
        else:
            start = rng.randrange(len(data))
            data[place:place] = data[start : start + 9]
    return bytes(data)


def features_of(mapping):
    return {key: feature_of(value) for key, value in mapping.items()}


@pytest.mark.parametrize("first", range(0, 2000, 1000))
def test_reads_broken_bytes_as_protobuf_does(classes, first):
    _, SequenceExample, DecodeError = classes
    for seed in range(first, first + 1000):
        rng = random.Random(seed)
        values = dict_of(rng)
        lists = {key: [value_of(rng) for _ in range(rng.randrange(3))] for key in values}
        data = mutate(rng, encode_sequence(values, lists) if seed % 2 else encode(values))
        try:
            # An Example is read by it too: the features have the context's number.
            message = SequenceExample.FromString(data)
        except DecodeError:
            with pytest.raises(ExampleError):
                messages.parse(data)
            continue
        features, steps = messages.parse(data)
        expected = features_of(message.context.feature)
        assert features.keys() == expected.keys(), seed
        for key, (kind, found) in features.items():
            assert kind == expected[key][0], seed
            assert same(found, expected[key][1]), seed
        expected = message.feature_lists.feature_list
        assert set(steps or ()) == set(expected), seed
        for key, found in (steps or {}).items():
            wanted = [feature_of(feature) for feature in expected[key].feature]
            assert [kind for kind, _ in found] == [kind for kind, _ in wanted], seed
            assert all(same(a[1], b[1]) for a, b in zip(found, wanted, strict=True)), seed


def chunk(number, *parts):
    """A length-delimited field of at most 127 bytes."""
    data = b"".join(parts)
    return bytes([number << 3 | 2, len(data)]) + data


def test_unpacked_lists_and_merged_fields(classes):
    Example, _, _ = classes
    ints = chunk(3, b"\x08\x05\x08\x7f", chunk(1, b"\x01\x02"))
    more = chunk(3, b"\x08\x03")
    floats = chunk(2, b"\x0d\0\0\x80\x3f")
    unknown = b"\x48\x01\x51" + bytes(8) + b"\x5b\x08\x01\x5c\x65" + bytes(4)
    for feature in (ints, ints + more, ints + floats, floats + floats, unknown + ints + unknown):
        data = chunk(1, chunk(1, chunk(1, b"x"), chunk(2, feature))) + unknown
        message = Example.FromString(data)
        kind, values = feature_of(message.features.feature["x"])
        assert messages.parse(data)[0]["x"][0] == kind
        assert same(messages.parse(data)[0]["x"][1], values)


def test_a_list_of_no_values_has_a_kind():
    data = encode({"a": np.array([], np.int64), "b": np.array([], np.float32), "c": []})
    kinds = {key: kind for key, (kind, _) in messages.parse(data)[0].items()}
    assert kinds == {"a": "int64", "b": "float", "c": "empty"}


def test_keys_come_in_order():
    keys = [f"{n:03}" for n in range(100)]
    assert list(decode(encode(dict.fromkeys(reversed(keys), 1)))) == keys
    assert list(decode_sequence(encode_sequence({}, {key: [1] for key in keys[::-1]}))[1]) == keys


def test_values_are_the_callers_own():
    values = decode(encode({"x": [0.5] * 1000, "y": range(1000)}))
    for array in values.values():
        array += 1  # writable, and no view of the message
        assert array.base is None


BESIDE = """
data = records.encode({"x": [1, 2]})
assert tf.train.Example.FromString(data).features.feature["x"].int64_list.value[:] == [1, 2]
from google.protobuf import descriptor_pool
default = descriptor_pool.Default()
assert default.FindMessageTypeByName("tensorflow.Example") is tf.train.Example.DESCRIPTOR
try:
    default.FindMessageTypeByName("tfqueue.records.Example")
except KeyError:
    pass
else:
    raise AssertionError("registered in the pool that all share")
"""


@pytest.mark.xdist_group("children")
def test_lives_beside_the_messages_of_tensorflow():
    done = children.run(["-c", f"import tensorflow as tf; from tfqueue import records{BESIDE}"])
    assert done.returncode == 0, done.stderr


def test_tensorflow_may_come_behind_the_messages():
    first = "from tfqueue import records; records.encode({}); import tensorflow as tf"
    subprocess.run([sys.executable, "-c", first + BESIDE], check=True, timeout=150)


def test_a_sequence_example_is_no_example():
    data = encode_sequence({"a": 1}, {"b": [1, 2]})
    with pytest.raises(ExampleError, match="SequenceExample"):
        decode(data)
    assert decode_any(data) == decode_sequence(data)
    assert decode_any(encode_sequence({"a": 1}, {})) == ({"a": [1]}, {})  # no list, all the same


@pytest.mark.parametrize("data", [b"text", b"0", bytes(784), b"\xff" * 50, b"\x12", b"H\1"])
def test_other_bytes_are_left_as_they_are(data):
    assert decode_any(data) == data


def test_nesting_has_an_end():
    with pytest.raises(ExampleError, match="neither an Example nor"):
        decode(b"\x5b" * 5000)


def test_an_example_has_no_lists_and_a_sequence_has_some_or_none():
    features, lists = messages.parse(encode({"a": [1]}))
    assert (list(features), lists) == (["a"], None)
    features, lists = messages.parse(encode_sequence({"a": [1]}, {"b": [[1], [2, 3]]}))
    assert (list(features), {key: len(steps) for key, steps in lists.items()}) == (["a"], {"b": 2})
