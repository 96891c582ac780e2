"""Values as Python text: read again, they are what they were."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.dataset import literals

TEXTS = [
    (1, "1"),
    (-2, "-2"),
    (True, "True"),
    (np.float32(0.1), "0.1"),
    (np.float64(0.1), "0.1"),
    (np.float32(1 / 3), "0.33333334"),
    (np.float16(0.1), "0.1"),
    (np.float32("inf"), "float('inf')"),
    (np.float32("-inf"), "float('-inf')"),
    (np.float32("nan"), "float('nan')"),
    (b"a'b", '"a\'b"'),
    (b"a\0", "b'a\\x00'"),
    (b"\xff", "b'\\xff'"),
    ("größe".encode(), "'größe'"),
    (b"a\nb", "b'a\\nb'"),
    (np.array([[1, 2], [3, 4]]), "[[1, 2], [3, 4]]"),
    (np.array([b"a", b"\xff"], object), "['a', b'\\xff']"),
    (np.zeros([0]), "[]"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS, ids=[text for _, text in TEXTS])
def test_a_value(value, text):
    assert literals.value(value) == text
    read = eval(text)
    if isinstance(value, bytes):
        assert value in (read, str(read).encode())
    elif np.asarray(value).dtype.kind == "f":
        kind = np.asarray(value).dtype
        assert np.array_equal(np.array(read, kind), value, equal_nan=True)


@pytest.mark.parametrize(
    ("value", "dtype", "text", "atomic"),
    [
        (3, tf.int32, "3", True),
        (-3, tf.int32, "-3", False),
        (3, tf.int64, "tf.constant(3, tf.int64)", True),
        (-3, tf.int64, "tf.constant(-3, tf.int64)", True),
        (1.5, tf.float32, "1.5", True),
        (1.5, tf.float64, "tf.constant(1.5, tf.float64)", True),
        (b"a", tf.string, "'a'", True),
        (b"a\0", tf.string, "b'a\\x00'", True),
        (False, tf.bool, "False", True),
        ([1, 2], tf.uint8, "tf.constant([1, 2], tf.uint8)", True),
        (np.zeros([0]), tf.float32, "tf.constant([], tf.float32)", True),
        (np.zeros([2, 0]), tf.float32, "tf.zeros([2, 0], tf.float32)", True),
        (np.zeros([0, 3]), tf.int64, "tf.zeros([0, 3], tf.int64)", True),
    ],
)
def test_a_constant(value, dtype, text, atomic):
    found = literals.known(value, dtype)
    assert (found, found.atomic, found.dtype) == (text, atomic, dtype)
    assert np.array_equal(found.array, literals.as_array(value))
    if isinstance(value, bytes):
        assert found.array.dtype == object
        assert found.array.item() == value, "with the zeros at its end"
    with tf.Session() as sess:
        again = eval(found, {"tf": tf})
        made = tf.convert_to_tensor(again, dtype)
        assert made.dtype == dtype
        assert np.array_equal(sess.run(made), value)


ATTRIBUTES = [
    ({"s": b"VALID"}, "'VALID'"),
    ({"s": b"\xff"}, "b'\\xff'"),
    ({"i": -7}, "-7"),
    ({"f": 0.1}, "0.1"),
    ({"b": True}, "True"),
    ({"b": False}, "False"),
    ({"type": tf.float32.as_datatype_enum}, "tf.float32"),
    ({"type": tf.float32._as_ref.as_datatype_enum}, "tf.float32"),
    ({"shape": tf.TensorShape([2, None]).as_proto()}, "[2, None]"),
    ({"shape": tf.TensorShape(None).as_proto()}, "None"),
    ({"shape": tf.TensorShape([]).as_proto()}, "[]"),
    ({"list": {"s": [b"a", b"\xff"]}}, "['a', b'\\xff']"),
    ({"list": {"i": [1, -2]}}, "[1, -2]"),
    ({"list": {"f": [0.1, float("inf")]}}, "[0.1, float('inf')]"),
    ({"list": {"b": [True, False]}}, "[True, False]"),
    ({"list": {"type": [tf.int32.as_datatype_enum] * 2}}, "[tf.int32, tf.int32]"),
    ({"list": {"shape": [tf.TensorShape([1]).as_proto()]}}, "[[1]]"),
    ({"list": {}}, "[]"),
    ({"func": {"name": "f"}}, None),
    ({"tensor": tf.make_tensor_proto(1)}, None),
    ({}, None),
]


@pytest.mark.parametrize(("given", "text"), ATTRIBUTES, ids=[str(text) for _, text in ATTRIBUTES])
def test_an_attribute_of_an_op(given, text):
    assert literals.attribute(tf.AttrValue(**given)) == text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a/b/DecodeRaw_1", "decode_raw_1"),
        ("scope/", "scope"),
        ("ReaderReadV2", "reader_read_v2"),
        ("parse.one-two", "parse_one_two"),
        ("_x_", "x"),
        ("1", "fallback"),
        ("class", "fallback"),
        ("tf", "fallback"),
        ("", "fallback"),
    ],
)
def test_a_name(name, expected):
    assert literals.identifier(name, "fallback") == expected


def test_names_that_are_taken_get_numbers():
    taken = {"x", "x_3"}
    assert [literals.free("x", taken) for _ in range(3)] == ["x_2", "x_4", "x_5"]
    assert literals.free("y", taken) == "y"
    assert taken == {"x", "x_2", "x_3", "x_4", "x_5", "y"}
