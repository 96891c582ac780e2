"""Arithmetic with one number of numpy's, as numpy 1 did it (recorded with numpy 1.18.5)."""

import numpy as np
import pytest

from tfqueue.port import py2, runtime

# (operator, left, right, the result's type, its value)
RECORDED = [
    (
        "mul",
        "np.sqrt(2.0)",
        "np.ones(2, 'float32')",
        "float32",
        [1.4142135381698608, 1.4142135381698608],
    ),
    (
        "div",
        "np.ones(2, 'float32')",
        "np.int64(3)",
        "float32",
        [0.3333333432674408, 0.3333333432674408],
    ),
    ("sub", "np.ones(2, 'float32')", "np.int64(70000)", "float64", [-69999.0, -69999.0]),
    ("add", "np.float64(1e300)", "np.ones(2, 'float32')", "float64", [1e300, 1e300]),
    ("mul", "np.ones(2, 'float16')", "np.float32(7e4)", "float32", [70000.0, 70000.0]),
    ("add", "np.array([1, 100], 'int8')", "np.int64(100)", "int8", [101, -56]),
    ("add", "np.array([1, 100], 'int8')", "np.int64(300)", "int16", [301, 400]),
    ("add", "np.array([1, 100], 'int8')", "np.int64(200)", "int16", [201, 300]),
    ("sub", "np.array([1, 100], 'uint8')", "np.int64(-3)", "int16", [4, 103]),
    ("mul", "np.array([1, 100], 'uint8')", "np.int64(300)", "uint16", [300, 30000]),
    ("mul", "np.array([1, 2])", "np.float32(0.5)", "float64", [0.5, 1.0]),
    ("add", "np.array([1, 2], 'int32')", "np.float64(0.5)", "float64", [1.5, 2.5]),
    ("add", "np.array([1, 2], 'int8')", "np.float64(0.5)", "float64", [1.5, 2.5]),
    ("sub", "np.ones(2, 'float32')", "np.complex128(2)", "complex64", [-1 + 0j, -1 + 0j]),
    ("mul", "np.array([True, False])", "np.int8(3)", "int8", [3, 0]),
    ("div", "np.array([1, 2], 'int8')", "np.int64(2)", "float64", [0.5, 1.0]),
    ("add", "np.float32(0.1)", "0.2", "float64", 0.30000000149011613),
    ("mul", "100", "np.float32(0.97)", "float64", 97.00000286102295),
    ("add", "0", "np.uint8(200)", "int64", 200),
    ("mul", "np.uint8(200)", "2", "int64", 400),
    ("sub", "np.int16(-30000)", "30000", "int64", -60000),
    ("div", "np.float32(1)", "3", "float64", 0.3333333333333333),
    ("mul", "np.complex64(2)", "0.5", "complex128", (1 + 0j)),
    ("add", "np.float32(0.1)", "np.float64(0.2)", "float64", 0.30000000149011613),
    ("mul", "np.ones((), 'float32')", "np.float64(3)", "float64", 3.0),
    ("add", "1.5", "2", "float64", 3.5),
    (
        "iadd",
        "np.ones(2, 'float32')",
        "np.float64(0.1)",
        "float32",
        [1.100000023841858, 1.100000023841858],
    ),
    ("imul", "np.ones(2, 'float16')", "np.float64(3.3)", "float16", [3.30078125, 3.30078125]),
    ("iadd", "np.array([1, 2], 'int32')", "np.int64(3)", "int32", [4, 5]),
    (
        "idiv",
        "np.ones(2, 'float32')",
        "np.int64(3)",
        "float32",
        [0.3333333432674408, 0.3333333432674408],
    ),
    ("iadd", "0.0", "np.float32(0.1)", "float64", 0.10000000149011612),
    ("isub", "np.float32(0.1)", "1", "float64", -0.8999999985098839),
    ("add", "np.array([250], 'uint8').max()", "10", "int64", 260),
    ("pow", "np.uint8(200)", "2", "int64", 40000),
    ("pow", "2", "np.int8(20)", "int64", 1048576),
    ("pow", "np.ones(2, 'float32') * 3", "2", "float32", [9.0, 9.0]),
    ("ipow", "np.uint8(200)", "2", "int64", 40000),
    ("lshift", "np.uint8(200)", "8", "int64", 51200),
    ("or", "51200", "np.uint8(100)", "int64", 51300),
    ("and", "np.uint8(200)", "65280", "int64", 0),
    ("xor", "np.uint8(200)", "511", "int64", 311),
    ("rshift", "np.int16(-300)", "2", "int64", -75),
    ("mod", "np.uint8(200)", "300", "int64", 200),
    ("floordiv", "np.int32(-7)", "2", "int64", -4),
    ("ilshift", "np.uint8(200)", "8", "int64", 51200),
    ("ior", "512", "np.uint8(3)", "int64", 515),
    ("iand", "np.uint16(40000)", "7", "int64", 0),
    ("ixor", "0", "np.int8(5)", "int64", 5),
    ("irshift", "np.uint8(200)", "3", "int64", 25),
    ("imod", "70000", "np.uint8(200)", "int64", 0),
    ("ifloordiv", "70000", "np.uint8(200)", "int64", 350),
    ("lshift", "np.array([200], 'uint8')", "1", "uint8", [144]),
    ("ilshift", "np.array([200], 'uint8')", "1", "uint8", [144]),
    ("mod", "np.float32(5.5)", "0.3", "float64", 0.1000000000000002),
    ("gt", "np.float32(0.1)", "0.1", "bool", True),
    ("ge", "np.float32(0.9)", "0.9", "bool", False),
    ("lt", "0.1", "np.float32(0.1)", "bool", True),
    ("le", "np.float16(0.1)", "0.1", "bool", True),
    ("eq", "np.float32(0.1)", "0.1", "bool", False),
    ("ne", "np.float32(0.1)", "0.1", "bool", True),
    ("eq", "np.float64(0.1)", "0.1", "bool", True),
    ("gt", "np.array([0.1], 'float32')", "0.1", "bool", [False]),
]


@pytest.mark.parametrize(("name", "left", "right", "dtype", "value"), RECORDED)
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_recorded(name, left, right, dtype, value):
    left, right = (eval(text, {"np": np}) for text in (left, right))
    result = getattr(runtime, f"np_{name}")(left, right)
    assert (np.asarray(result).dtype.name, np.asarray(result).tolist()) == (dtype, value)
    if name.startswith("i") and isinstance(left, np.ndarray):
        assert result is left


@pytest.mark.parametrize(
    ("name", "left", "right", "dtype", "value"),
    [row for row in RECORDED if row[0] in ("div", "idiv") and "float" in row[1]],
)
def test_division_of_python_2(name, left, right, dtype, value):
    left, right = (eval(text, {"np": np}) for text in (left, right))
    result = getattr(py2, name)(left, right)
    assert (np.asarray(result).dtype.name, np.asarray(result).tolist()) == (dtype, value)


@pytest.mark.parametrize(("left", "right", "sum_"), [("a", "b", "ab"), ([1], [2], [1, 2])])
def test_what_is_no_number_stays(left, right, sum_):
    assert runtime.np_add(left, right) == sum_
    assert runtime.np_mul(left, 2) == left + left


def test_sum_of_single_floats_is_added_in_float64():
    values = [np.float32(0.1)] * 1000
    assert repr(runtime.np_sum(values).item()) == "100.00000149011612"


def test_sum_of_bytes_is_added_in_64_bits():
    """Recorded with numpy 1.18.5, as what follows."""
    pixels = np.array([[200, 100], [250, 1]], np.uint8)
    found = [runtime.np_sum(pixels[0]), runtime.np_sum(list(pixels.ravel())), runtime.np_sum([])]
    assert found == [300, 551, 0]
    assert runtime.np_sum(pixels).tolist() == [194, 101]


def test_a_pixel_and_a_number():
    """numpy 1.16.6 computed with 64 bits where one is Python's, and with eight where none is."""
    pixel, other = np.array([100, 200], np.uint8)
    found = [
        runtime.np_sub(pixel, 128),
        runtime.np_add(100, other),
        runtime.np_mul(pixel, 256),
        runtime.np_mul(-1, other),
        runtime.np_iadd(runtime.np_iadd(0, other), other),
        runtime.np_pow(pixel, 2),
    ]
    assert [int(one) for one in found] == [-28, 300, 25600, -200, 400, 10000]
    assert {one.dtype.name for one in found} == {"int64"}
    row = np.array([100, 200], np.uint8)
    assert runtime.np_iadd(0, row).tolist() == [100, 200]
    assert runtime.np_sub(row, 150).tolist() == [206, 50]
