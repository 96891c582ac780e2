"""Which ops show how a float was rounded, and which slices may take nothing."""

import pytest

import tfqueue.v1 as tf
from tfqueue.graph import exactness


def direct(value):
    return tf.exp(value)


def through_a_function(value):
    return tf.function(lambda x: tf.exp(x) * 2.0)(value)


def through_one_of_two_outputs(value):
    return tf.function(lambda x: (tf.cast(7, tf.float32) + 0.0 * x, tf.exp(x)))(value)[1]


def into_a_function(value):
    return tf.function(lambda x: x * 2.0)(tf.exp(value))


def exact(value):
    return value * 3.0 - 1.0


def exact_through_a_function(value):
    return tf.function(lambda x: x * 3.0 - 1.0)(value)


def beside_what_is_rounded_in_a_function(value):
    return tf.function(lambda x: (x * 3.0, tf.exp(x)))(value)[0]


def beside_what_is_rounded(value):
    tf.exp(value)
    return value * 3.0


ROUNDED = [direct, through_a_function, through_one_of_two_outputs, into_a_function]
EXACT = [
    exact,
    exact_through_a_function,
    beside_what_is_rounded_in_a_function,
    beside_what_is_rounded,
]


@pytest.mark.parametrize("build", [*ROUNDED, *EXACT])
def test_a_jump_of_a_rounded_float_is_refused_and_of_an_exact_one_is_not(build):
    value = tf.placeholder(tf.float32, [])
    tf.cast(build(value), tf.int32, name="jump")
    graph = tf.get_default_graph()
    ops = [op for op in graph.get_operations() if op is not value.op]
    found = exactness.refusal(graph, ops)
    if build in ROUNDED:
        assert found == "Cast 'jump' may jump where floats differ in their last digits"
    else:
        assert found is None


@pytest.mark.parametrize("build", [direct, into_a_function])
def test_a_jump_within_a_function_is_refused_too(build):
    value = tf.placeholder(tf.float32, [])
    tf.function(lambda x: tf.cast(x, tf.int32))(build(value))
    graph = tf.get_default_graph()
    found = exactness.refusal(graph, [op for op in graph.get_operations() if op is not value.op])
    assert "may jump where floats differ in their last digits" in found


@pytest.mark.parametrize("build", [tf.shape, tf.size, tf.rank])
def test_the_shape_of_a_rounded_float_is_no_jump(build):
    value = tf.placeholder(tf.float32, [3])
    build(tf.exp(value))
    graph = tf.get_default_graph()
    assert exactness.refusal(graph, graph.get_operations()) is None


@pytest.mark.parametrize(
    ("size", "in_a_branch", "refused"),
    [([2], True, False), ([0], True, True), (None, True, True), ([0], False, False)],
    ids=["some", "none", "unknown", "none, outside"],
)
def test_a_slice_in_a_branch_that_may_take_nothing_is_refused(size, in_a_branch, refused):
    value, given = tf.placeholder(tf.int32, [4]), tf.placeholder(tf.int32, [1])

    def some():
        return tf.slice(value, [1], given if size is None else size, name="some")

    if in_a_branch:
        tf.cond(value[0] < 3, some, lambda: value)
    else:
        some()
    graph = tf.get_default_graph()
    ops = [op for op in graph.get_operations() if op.type == "Slice"]
    found = exactness.refusal(graph, ops)
    assert (found is not None) == refused
    assert found is None or found.endswith("some' may take nothing, in a branch")


def test_an_op_stands_in_one_set():
    """`_NOT_FOR_PFOR` refuses before another set is asked."""
    assert not exactness._NOT_FOR_PFOR & (exactness._EXACT | exactness._EXACT_OF_COMPLEX)
