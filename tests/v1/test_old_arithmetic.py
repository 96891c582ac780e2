"""Division and remainder of before 1.0: values, types and names of ops, as TensorFlow 0.12.1 gave them."""

import operator

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.v1 import _old_arithmetic

WHOLE = {
    ("div", "function"): ("Div", [-2, 2]),
    ("floordiv", "function"): ("floordiv", [-2, 2]),
    ("mod", "function"): ("Mod", [-1, 1]),
    ("floordiv", "operator"): ("floordiv", [-2, 2]),
    ("floordiv", "reversed"): ("floordiv", [-3, -2]),
    ("mod", "operator"): ("mod", [-1, 1]),
    ("mod", "reversed"): ("mod", [-1, -1]),
}
FLOATS = {
    ("div", "function"): ("Div", [-2.3333332538604736, 2.3333332538604736]),
    ("floordiv", "function"): ("floordiv", [-3.0, 2.0]),
    ("mod", "function"): ("Mod", [-1.0, 1.0]),
    ("floordiv", "operator"): ("floordiv", [-3.0, 2.0]),
    ("floordiv", "reversed"): ("floordiv", [-4.0, -3.0]),
    ("mod", "operator"): ("mod", [-1.0, 1.0]),
    ("mod", "reversed"): ("mod", [-1.0, -1.0]),
}
SMALL = {
    ("div", "function"): ("Div", [2, 1]),
    ("floordiv", "function"): ("floordiv", [2, 1]),
    ("floordiv", "operator"): ("floordiv", [2, 1]),
    ("floordiv", "reversed"): ("floordiv", [3, 2]),
}
SINCE = {
    ("mod", "function"): [2, 1],
    ("floordiv", "function"): [-3, 2],
    ("mod", "operator"): [2, 1],
    ("mod", "reversed"): [1, 2],
    ("floordiv", "operator"): [-3, 2],
    ("floordiv", "reversed"): [-4, -3],
}


@pytest.fixture
def operators(monkeypatch):
    """The operators of tensors and variables do the same, within the test."""
    classes = {cls for kind in (tf.Tensor, tf.Variable) for cls in kind.__mro__}
    for cls in classes - {object}:
        for name in ("div", "floordiv", "mod"):
            for whole in (f"__{name}__", f"__r{name}__"):
                if whole in vars(cls):
                    monkeypatch.setattr(cls, whole, vars(cls)[whole])
    _old_arithmetic.install()
    _old_arithmetic.install()  # a second time does nothing


def computed(how, name, dtype, variable=False):
    values = [7, 5] if dtype == "uint8" else [-7, 7]
    if how == "reversed":
        number = 7 if dtype == "uint8" else -7
        return getattr(operator, name)(number, given([2, 3], dtype, variable))
    tensor = given(values, dtype, variable)
    if how == "function":
        return getattr(_old_arithmetic, name)(tensor, tf.constant(3, dtype))
    return getattr(operator, name)(tensor, 3)


def given(values, dtype, variable):
    return tf.Variable(values, dtype=dtype) if variable else tf.constant(values, dtype)


@pytest.mark.parametrize("variable", [False, True])
@pytest.mark.parametrize(
    ("dtype", "expected"),
    [("int32", WHOLE), ("int64", WHOLE), ("float32", FLOATS), ("uint8", SMALL)],
)
def test_up_to_0_12(operators, dtype, expected, variable):
    former = release.assume("0.12")
    try:
        found = {key: computed(key[1], key[0], dtype, variable) for key in expected}
    finally:
        release.assume(former)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = {key: sess.run(tensor).tolist() for key, tensor in found.items()}
    assert values == {key: pytest.approx(value) for key, (_, value) in expected.items()}
    assert {tensor.dtype for tensor in found.values()} == {tf.as_dtype(dtype)}
    if not variable and dtype != "uint8":
        names = {key: tensor.op.name.split("_")[0] for key, tensor in found.items()}
        told = {
            key: name
            for key, (name, _) in expected.items()
            if dtype != "float32" or key[0] == "mod"
        }
        assert {key: names[key] for key in told} == told


def test_since_1_0(operators):
    former = release.assume("1.0")
    try:
        found = {key: computed(key[1], key[0], "int32") for key in SINCE}
    finally:
        release.assume(former)
    with tf.Session() as sess:
        assert {key: sess.run(tensor).tolist() for key, tensor in found.items()} == SINCE


@pytest.mark.parametrize(
    ("module", "later"),
    [
        ("keras.layers", True),
        ("keras", True),
        ("tensorflow.python.ops", True),
        ("tf_slim", True),
        ("tf_keras.a", True),
        ("tfqueue.contrib.rnn", True),
        ("tfqueue.estimator", True),
        ("tfqueue.v1.layers", True),
        ("kerasique", False),
        ("mine.keras", False),
        ("tfqueue.port", False),
        ("__main__", False),
    ],
)
def test_the_operators_of_later_packages_stay(operators, module, later):
    former = release.assume("0.12")
    try:
        scope = {"__name__": module}
        exec("def quotient(x): return x // 3", scope)
        found = scope["quotient"](tf.constant([-7]))
    finally:
        release.assume(former)
    with tf.Session() as sess:
        assert sess.run(found).tolist() == ([-3] if later else [-2])


def test_numbers_that_are_no_tensors():
    former = release.assume("0.12")
    try:
        found = [
            _old_arithmetic.div([-7], 2),
            _old_arithmetic.mod(-7.5, [2.0], name="own"),
            _old_arithmetic.floordiv([-7], [2], name="mine"),
            _old_arithmetic.div([-7], 2, name="named"),
        ]
    finally:
        release.assume(former)
    assert [tensor.op.name for tensor in found[1:]] == ["own", "mine", "named"]
    with tf.Session() as sess:
        assert [each.tolist() for each in sess.run(found)] == [[-3], [-1.5], [-3], [-3]]


def test_quotients_and_angles_of_floats_as_in_1_15():
    assert tf.math.angle is tf.angle
    floats = tf.constant([1.0, -2.0, 3.5])
    found = {
        "TruncateDiv": (tf.truncatediv(floats, 2), [0.5, -1.0, 1.75]),
        "TruncateDiv_1": (tf.truncatediv(7.0, [2.0]), [3.5]),
        "TruncateDiv_2": (tf.truncatediv([7, -7], 2), [3, -3]),
        "Angle/zeros_like": (tf.angle(floats), [0.0, 0.0, 0.0]),
        "Angle_1/zeros_like": (tf.angle([1, -2]), [0, 0]),
        "Angle_2": (tf.angle(tf.constant([-1.0 + 0.0j], tf.complex64)), [np.float32(np.pi)]),
        "own": (tf.truncatediv(floats, 0.5, name="own"), [2.0, -4.0, 7.0]),
    }
    assert [tensor.op.name for tensor, _ in found.values()] == [*found]
    with tf.Session() as sess:
        for tensor, expected in found.values():
            assert sess.run(tensor).tolist() == expected
