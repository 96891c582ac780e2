"""The helpers that translated programs call, one value each; numbers of numpy 1 as 1.16.6 gave them."""

import asyncio
import sys

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.port import runtime


class Old:
    """An object whose methods have their old names."""

    def tostring(self, *args, **words):
        return "tostring", args, words


class New(Old):
    """An object that has both, or what stands for them today."""

    def tobytes(self, *args, **words):
        return "tobytes", args, words


@pytest.mark.parametrize(
    ("call", "gives"),
    [
        (lambda: runtime.tobytes(Old(), 1, a=2), ("tostring", (1,), {"a": 2})),
        (lambda: runtime.tobytes(New(), 1, a=2), ("tobytes", (1,), {"a": 2})),
        (lambda: runtime.no_distribution("a", b=1), ("", "", "")),
        (lambda: sorted(runtime.sample({3, 1, 2}, 2)) in ([1, 2], [1, 3], [2, 3]), True),
        (lambda: sorted(runtime.sample([4, 5], k=2)), [4, 5]),
        (lambda: runtime.class_name(Old()), "Old"),
        (lambda: runtime.class_name(type("SymbolicTensor", (), {})()), "Tensor"),
        (lambda: runtime.class_name(type("RefVariable", (), {})()), "Variable"),
        (lambda: runtime.class_of(Old()), Old),
        (lambda: runtime.scalar(np.array([[2]])), 2),
        (lambda: runtime.scalar(np.array(2)).shape, ()),
        (lambda: runtime.scalar(np.array([2, 3])).tolist(), [2, 3]),
        (lambda: runtime.scalar([2]), [2]),
        (lambda: runtime.truth(np.zeros((0, 2))), False),
        (lambda: runtime.truth(np.zeros(1)).tolist(), [0.0]),
        (lambda: runtime.truth([]), []),
        (lambda: runtime.issubdtype(np.float64, float), True),
        (lambda: runtime.issubdtype(np.float16, "float"), True),
        (lambda: runtime.issubdtype(np.int8, int), True),
        (lambda: runtime.issubdtype(np.int8, float), False),
        (lambda: runtime.issubdtype(np.int8, np.dtype("int64")), False),
        (lambda: runtime.issubdtype(np.int8, np.integer), True),
        (lambda: runtime.issubdtype(np.complex64, complex), True),
        (lambda: runtime.np_asarray([[1], [2, 3]]).shape, (2,)),
        (lambda: runtime.np_asarray([[1], [2]]).shape, (2, 1)),
        (lambda: runtime.np_array([[1], [2, 3]]).dtype, np.dtype(object)),
        (
            lambda: np.resize(runtime.np_rows([1.0, np.array([2.0])]), [2, 1]).tolist(),
            [[1.0], [[2.0]]],
        ),
        (lambda: runtime.np_rows("ab"), "ab"),
        *(
            (lambda value=value: runtime.np_array(value, np.int32).tolist(), gives)
            for value, gives in (
                ([1, np.array([2])], [1, 2]),
                ([[1, np.array([2])], [np.array([3]), 4]], [[1, 2], [3, 4]]),
                ([np.array([[1]]), np.array([2])], [[1], [2]]),
                ([np.array([1]), 2.9, np.array([[3.5]])], [1, 2, 3]),
            )
        ),
        (lambda: runtime.np_sum([]), 0),
        (lambda: runtime.np_sum([1, 2.5]), 3.5),
    ],
)
def test_a_value(call, gives):
    assert call() == gives


@pytest.mark.parametrize("value", [[[1.0], [2.0, 3.0]], [np.ones(1), np.ones(2)], [1.0, [2.0]]])
def test_rows_that_are_no_numbers_are_refused(value):
    with pytest.raises(ValueError, match="inhomogeneous"):
        runtime.np_asarray(value, dtype=float)
    with pytest.raises(ValueError, match="inhomogeneous"):
        runtime.np_array(value, "U1")


def test_a_class_of_tensorflow_stands_for_its_base():
    class VariableV1:
        pass

    class RefVariable(VariableV1):
        pass

    alone = type("RefVariable", (), {})
    assert runtime.class_of(RefVariable()) is VariableV1
    assert runtime.class_of(alone()) is alone


def test_a_class_that_is_no_array_says_its_own_error():
    class Wrong:
        def __array__(self, *args, **words):
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        runtime.np_array(Wrong())


def test_one_whole_number_is_an_index():
    count = runtime.np_count(np.array([3], "uint32"))
    assert [*range(count)] == [0, 1, 2]
    assert (count + 1).tolist() == [4]
    assert repr(count) == repr(np.array([3], "uint32"))
    assert type(count).__name__ == "ndarray"
    with pytest.raises(TypeError, match="only an array of one whole number can be an index"):
        range(np.concatenate([count, count]).view(type(count)))
    for other in (np.array([1.5]), np.array([1, 2]), np.array(3)):
        assert runtime.np_count(other) is other


VALUES = [3, 1, 3, 2]


@pytest.mark.parametrize(
    ("args", "words", "shapes"),
    [
        ((), {}, [(3,)]),
        ((True,), {}, [(3,), (3,)]),
        ((False, True), {}, [(3,), (4,)]),
        ((True, True), {}, [(3,), (3,), (4,)]),
        ((), {"return_inverse": True}, [(3,), (4,)]),
        ((), {"return_index": True}, [(3,), (3,)]),
        ((), {"return_index": True, "return_inverse": True}, [(3,), (3,), (4,)]),
        ((), {"return_inverse": True, "return_counts": True}, [(3,), (4,), (3,)]),
        ((True,), {"return_inverse": True, "return_counts": True}, [(3,), (3,), (4,), (3,)]),
        ((), {"return_counts": True}, [(3,), (3,)]),
    ],
)
def test_the_inverse_is_flat(args, words, shapes):
    for values in (VALUES, [VALUES], np.reshape(VALUES, (2, 2))):
        found = runtime.unique(values, *args, **words)
        parts = found if isinstance(found, tuple) else (found,)
        assert [part.shape for part in parts] == shapes
        assert parts[0].tolist() == [1, 2, 3]
        if words.get("return_inverse") or args[1:]:
            inverse = parts[2 if args[:1] == (True,) or words.get("return_index") else 1]
            assert inverse.tolist() == [2, 0, 2, 1]


@pytest.mark.parametrize(
    ("axis", "shape"),
    [(4, (2, 3, 1)), (2, (2, 3, 1)), (-3, (1, 2, 3)), (-4, (2, 1, 3)), (-5, (1, 2, 3))],
)
def test_an_axis_that_is_too_large_is_the_last_one(axis, shape):
    """The shapes are numpy 1.16's."""
    assert runtime.expand_dims(np.zeros((2, 3)), axis).shape == shape


def test_the_scalar_types_by_kind():
    assert {kind: [one.__name__ for one in row] for kind, row in runtime.sctypes().items()} == {
        "int": ["int8", "int16", "int32", "int64"],
        "uint": ["uint8", "uint16", "uint32", "uint64"],
        "float": ["float16", "float32", "float64", "longdouble"],
        "complex": ["complex64", "complex128", "clongdouble"],
        "others": ["bool", "object", "bytes", "str", "void"],
    }


@pytest.mark.parametrize(
    ("dtype", "number", "found"),
    [
        ("int8", 127, "int8"),
        ("int8", 128, "int16"),
        ("int8", -128, "int8"),
        ("int8", -129, "int16"),
        ("int16", 32767, "int16"),
        ("int16", 32768, "int32"),
        ("int32", 2**31 - 1, "int32"),
        ("int32", 2**31, "int64"),
        ("uint8", 255, "uint8"),
        ("uint8", 256, "uint16"),
        ("uint8", -1, "int16"),
        ("uint16", 65535, "uint16"),
        ("float16", 2**40, "float64"),
        ("float32", 2**40, "float64"),
    ],
)
def test_a_whole_number_beside_an_array_is_as_wide_as_its_value(dtype, number, found):
    array = np.zeros(2, dtype)
    assert runtime.np_add(array, np.int64(number)).dtype.name == found
    assert runtime.np_add(np.int64(number), array).dtype.name == found


@pytest.mark.parametrize(
    ("one", "other", "order"),
    [
        ("1.0", "1.0", 0),
        ("1.10", "1.9", 1),
        ("0.12.1", "0.12", 1),
        ("1.0rc1", "1.0.1", 1),
        ("1.0rc1", "1.0rc2", -1),
        ("1.0", "1.0rc1", -1),
        ("2", "10", -1),
    ],
)
def test_versions_in_order(one, other, order):
    """As distutils of Python 2.7.18 had them."""
    left = runtime.LooseVersion(one)
    for right in (other, runtime.LooseVersion(other)):
        found = (left == right, left < right, left <= right, left > right, left >= right)
        assert found == (order == 0, order < 0, order <= 0, order > 0, order >= 0)
    assert (str(left), repr(left)) == (one, one)
    assert (hash(left) == hash(runtime.LooseVersion(other))) == (order == 0)


def test_a_module_from_a_file(tmp_path):
    path = tmp_path / "a_setting.py"
    path.write_text("SIZE = 7 / 2\nNAME = __name__\n")
    try:
        found = runtime.load_source("a_setting", str(path))
        assert (found.SIZE, found.NAME) == (3.5, "a_setting")
        assert sys.modules["a_setting"] is found
    finally:
        del sys.modules["a_setting"]


def test_what_imp_found(tmp_path):
    """As `imp` of Python 3.11, but for the names of its files' modules."""
    (tmp_path / "a_setting.py").write_text("SIZE = 7\n")
    (tmp_path / "empty").mkdir()
    file, path, kind = runtime.find_module("a_setting", [str(tmp_path)])
    try:
        with file:
            assert (file.read(), path) == ("SIZE = 7\n", str(tmp_path / "a_setting.py"))
            assert kind == (".py", "r", 1)
            assert runtime.load_module("a_setting", file, path, kind).SIZE == 7
    finally:
        del sys.modules["a_setting"]
    assert runtime.find_module("sys") == (None, None, ("", "", 6))
    assert runtime.load_module("sys", *runtime.find_module("sys")) is sys
    for missing in ("empty", "sys"):
        with pytest.raises(ImportError, match=missing):
            runtime.find_module(missing, [str(tmp_path)])


def test_a_module_that_is_there_is_run_again_from_another_file(tmp_path):
    """As `imp.load_source` of Python 2.7.18 and 3.11 does."""
    first, second = tmp_path / "first.py", tmp_path / "second.py"
    first.write_text("SIZE, NAME = 1, 'first'\n")
    second.write_text("SIZE = 2\n")
    try:
        found = runtime.load_source("a_setting", str(first))
        found.own = 3
        again = runtime.load_source("a_setting", str(second))
        assert again is found is sys.modules["a_setting"]
        assert (found.SIZE, found.NAME, found.own) == (2, "first", 3)
        assert found.__file__ == str(second)
    finally:
        del sys.modules["a_setting"]


def test_the_arguments_of_a_function():
    spec = runtime.argspec(lambda a, b=1, *c, **d: 0)
    assert spec == (["a", "b"], "c", "d", (1,))
    assert (spec.args, spec.varargs, spec.keywords, spec.defaults) == spec


def test_a_lock_of_asyncio_is_held_with_with():
    async def used(lock):
        with await runtime.held(lock):
            assert lock.locked()
        assert not lock.locked()
        future = asyncio.get_running_loop().create_future()
        future.set_result(7)
        return await runtime.held(future)

    assert asyncio.run(used(asyncio.Lock())) == 7


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("np.float(3)", 3.0),
        (" numbers.int(2.5)\n", 2),
        ("[np.bool(0),\n np.sum([1, 2])]", [False, 3]),
        ("tf.nn.rnn.__name__", "static_rnn"),
        ("(7 / 2, 'np.float')", (3.5, "np.float")),
    ],
)
def test_an_expression_as_text_has_old_names_of_the_modules_that_it_speaks_of(text, value):
    names = {"np": np, "numbers": np, "tf": tf, "nothing": None}
    found = eval(runtime.old_expression(text, names), names)
    assert found == value
    assert type(found) is type(value)


def test_an_expression_that_speaks_of_no_module_is_left_alone():
    names = {"np": np, "x": 3.5}
    text = "x.real + 1"
    assert runtime.old_expression(text, names) is text
    code = compile("1", "", "eval")
    assert runtime.old_expression(code, names) is code
    with pytest.raises(SyntaxError):
        eval(runtime.old_expression("np.float(", names), names)


@pytest.mark.parametrize("limit", [50, np.array([50]), np.array([[50]])])
def test_a_limit_of_one_element_draws_a_number(limit):
    draw = np.random.RandomState(0).randint
    drawn = [runtime.one_drawn(draw, 0, limit) for _ in range(2)]
    assert drawn == [44, 47]
    assert {type(each) for each in drawn} == {int}
    assert runtime.one_drawn(draw, np.array([5, 9])).shape == (2,)
