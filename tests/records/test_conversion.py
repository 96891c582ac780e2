"""tfqueue.records.conversion: every kind of value into an Example and back."""

import math
import pathlib

import ml_dtypes
import numpy as np
import pytest

from tfqueue.records import (
    ExampleError,
    decode,
    encode,
    encode_sequence,
)


def same(one, other):
    if isinstance(one, np.ndarray):
        return (
            isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and one.tobytes() == other.tobytes()
        )
    return type(one) is type(other) and one == other


def back(value):
    return decode(encode({"key": value}))["key"]


# --- every dtype

INTEGERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ">f4", ">f8"]


@pytest.mark.parametrize("dtype", [*INTEGERS, ">i4", ">u8", ml_dtypes.int4, ml_dtypes.uint4])
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (0,), (2, 0)])
def test_integer_arrays(dtype, shape):
    array = (np.arange(math.prod(shape)) % 2 * 3).reshape(shape).astype(dtype)
    got = back(array)
    assert got.dtype == np.int64
    assert got.tolist() == np.ravel(array).astype(np.int64).tolist()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (0,), (7, 300)])
def test_float_arrays(dtype, shape):
    array = (np.arange(math.prod(shape)) * 0.5).reshape(shape).astype(dtype)
    got = back(array)
    assert got.dtype == np.float32
    assert got.tolist() == np.ravel(array).astype(np.float32).tolist()


@pytest.mark.parametrize("dtype", ["int64", "float64", "bool", "S3", "U3", "O"])
def test_orders_of_memory_are_no_matter(dtype):
    array = np.arange(12).reshape(3, 4).astype(dtype)
    expected = back(np.ascontiguousarray(array.T))
    for view in (array.T, np.asfortranarray(array.T), array.T[::1, :]):
        assert same(back(view), expected)


# numpy has it from version 2 on; TensorFlow up to 2.17 wants an older one
STRING_DTYPE = (
    [(np.array(["é"], np.dtypes.StringDType()), ["é".encode()])]
    if hasattr(np.dtypes, "StringDType")
    else []
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Ærø", ["Ærø".encode()]),
        (b"\0\xff", [b"\0\xff"]),
        (bytearray(b"ab"), [b"ab"]),
        (memoryview(b"ab"), [b"ab"]),
        ([], []),
        ((), []),
        ([[], []], []),
        (["a", b"b", bytearray(b"c")], [b"a", b"b", b"c"]),
        ([["a", "b"], ["c", "d"]], [b"a", b"b", b"c", b"d"]),
        (np.array(["a", "bc"]), [b"a", b"bc"]),
        (np.array([b"a", b"bc"]), [b"a", b"bc"]),
        (np.array(["a", b"bc"], object), [b"a", b"bc"]),
        *STRING_DTYPE,
        (np.str_("x"), [b"x"]),
        (np.bytes_(b"x"), [b"x"]),
        ("", [b""]),
    ],
)
def test_text(value, expected):
    assert back(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, [1]),
        (7, [7]),
        (-(2**63), [-(2**63)]),
        (2**63 - 1, [2**63 - 1]),
        ([1, True, np.int8(-3)], [1, 1, -3]),
        (range(3), [0, 1, 2]),
        (np.uint64(2**63 - 1), [2**63 - 1]),
        ([[1, 2], [3, 4]], [1, 2, 3, 4]),
        ([np.array([1, 2]), np.array([3, 4])], [1, 2, 3, 4]),
        (np.array([1, 2], object), [1, 2]),
    ],
)
def test_integers(value, expected):
    got = back(value)
    assert got.dtype == np.int64
    assert got.tolist() == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.5, [0.5]),
        ([1, 0.5], [1, 0.5]),
        ([[1, 2], [0.5, 3]], [1, 2, 0.5, 3]),
        ([np.float16(0.5), 2], [0.5, 2]),
        ([math.inf, -math.inf], [math.inf, -math.inf]),
        (np.array([0.5, 2], object), [0.5, 2]),
        (1e-300, [0]),
    ],
)
def test_floats(value, expected):
    got = back(value)
    assert got.dtype == np.float32
    assert got.tolist() == expected


def test_nan_survives():
    assert math.isnan(back(math.nan)[0])


def test_what_turns_into_an_array():
    class Tensor:  # as eager tensors, pandas' columns and many others do
        def __init__(self, value):
            self.value = value

        def __array__(self, dtype=None, copy=None):
            return np.array(self.value, dtype)

    assert back(Tensor([[1, 2]])).tolist() == [1, 2]
    assert back(Tensor(0.5)).tolist() == [0.5]
    assert back(Tensor(np.array([b"a", b"b"], object))) == [b"a", b"b"]
    assert back(Tensor(np.array(b"a", object))) == [b"a"]
    assert back([Tensor(np.array(b"a", object)), "b"]) == [b"a", b"b"]


def test_a_symbolic_tensor_is_no_value():
    import tensorflow as tf

    with tf.Graph().as_default(), pytest.raises(ExampleError, match="feature 'key': no array"):
        back(tf.constant(1))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "no None; leave the key out"),
        (1j, "no complex128; store its real"),
        (np.zeros(2, np.complex64), "no complex64; store its real"),
        (np.array(["2020-01-01"], "M8[D]"), r"no datetime64\[D\]; store it as integers"),
        (np.array([1], "m8[s]"), r"no timedelta64\[s\]; store it as integers"),
        (np.zeros(1, [("a", "i4")]), "store each field"),
        ({"a": 1}, "no dict"),
        ({1, 2}, "no set"),
        (object(), "no object"),
        (pathlib.Path("x"), "no .*Path"),
        (2**63, "9223372036854775808 does not fit int64"),
        (-(2**63) - 1, "does not fit int64"),
        (2**200, "does not fit int64"),
        ([2**63], "does not fit int64"),
        (np.array([2**64 - 1], np.uint64), "18446744073709551615 does not fit int64"),
        (1e39, "1e[+]39 does not fit float32"),
        ([1.0, 10**400], "does not fit float32"),
        (np.array([1e39, 1]), "1e[+]39 does not fit float32"),
        (["a", 1], "text and numbers"),
        ([b"a", None], "no None"),
        (np.array(["a", 1.5], object), "text and numbers"),
        ([[1, 2], [3]], "differ in length"),
        ([1, [2]], "differ in length"),
        ([np.zeros(2), np.zeros(3)], "differ in length"),
        ("\ud800", "no UTF-8"),
    ],
)
def test_errors_name_the_key(value, message):
    with pytest.raises(ExampleError, match=f"feature 'my key': .*{message}") as caught:
        encode({"good": 1, "my key": value})
    assert caught.value.key == "my key"
    with pytest.raises(ExampleError, match="'my key'"):
        encode_sequence({}, {"my key": [1, value]})


@pytest.mark.parametrize("values", [None, [("a", 1)], {1: 2}, {b"a": 1}, "ab", {"\ud800": 1}])
def test_what_is_no_dict_of_str(values):
    with pytest.raises(ExampleError):
        encode(values)


def test_feature_lists_are_lists():
    for wrong in ("ab", 5, b"ab"):
        with pytest.raises(ExampleError, match=r"'steps'.*one value per step"):
            encode_sequence({}, {"steps": wrong})
    with pytest.raises(ExampleError, match="key is a str"):
        encode_sequence({}, {5: []})


def test_equal_dicts_are_equal_bytes():
    assert encode({"b": 1, "a": "x"}) == encode({"a": ["x"], "b": [1]})
    names = [f"key {number:02}" for number in range(20)]
    data = encode(dict.fromkeys(names, 1))
    assert data == encode(dict.fromkeys(reversed(names), 1))
    # By name, and not by hashes, which another process has others of.
    assert sorted(names, key=lambda name: data.index(name.encode())) == names


def test_decoded_arrays_can_be_written_to():
    got = decode(encode({"f": [0.5, 1], "i": range(100), "j": 1}))
    for array in got.values():
        array += 1
