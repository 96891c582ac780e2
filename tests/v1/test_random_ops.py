"""Random ops are made of the ops that TensorFlow 1 built, whose number is the seed of each that has none."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

_UNIFORM = [
    f"random_uniform{part}" for part in ("/min", "/max", "/RandomUniform", "/sub", "/mul", "")
]
_DROPOUT = {  # of each of these releases
    "1.8": ("keep_prob", "Shape", *_UNIFORM, "add", "Floor", "div", "mul"),
    "1.13": ("rate", "Shape", "sub/x", "sub", *_UNIFORM, "add", "Floor", "truediv", "mul"),
    "1.15": (
        *("rate", "Shape", *_UNIFORM, "sub/x", "sub", "truediv/x", "truediv"),
        *("GreaterEqual", "mul", "Cast", "mul_1"),
    ),
}


@pytest.fixture(params=_DROPOUT)
def known(request):
    """The release that the program is known to be from."""
    former = release.assume(request.param)
    yield request.param
    release.assume(former)


def _names(function, *shape):
    """The names of the ops that a function makes of a tensor."""
    with tf.Graph().as_default() as graph:
        function(tf.placeholder(tf.float32, shape))
        return [op.name for op in graph.get_operations()[1:]]


def test_dropout_has_the_ops_of_its_release(known):
    expected = [f"dropout/{name}" for name in _DROPOUT[known]]
    assert _names(lambda x: tf.nn.dropout(x, 0.3), None, 4) == expected
    inner = [f"dropout/{name}" for name in expected]
    assert _names(lambda x: tf.layers.dropout(x, 0.7, training=True), None, 4) == inner


def test_a_share_that_is_fed_goes_into_the_ops_of_its_release(known):
    with tf.Graph().as_default() as graph:
        keep = tf.placeholder(tf.float32, [])
        tf.nn.dropout(tf.ones([2, 4]), keep)
        names = [op.name for op in graph.get_operations()]
    count = {"1.8": 11, "1.13": 15, "1.15": 17}[known]
    assert len(names) - 2 == count
    assert ("sub" in names) is (known != "1.8")


def test_all_that_is_kept_makes_a_constant_up_to_1_8(known):
    made = _names(lambda x: tf.nn.dropout(x, 1.0), 4)
    assert made == (["dropout/keep_prob"] if known == "1.8" else [])


def test_what_is_dropped_is_multiplied_by_0(known):
    """The numbers of 1.4.1, 1.11.0, 1.13.2 and 1.15.5, which are the same."""
    with tf.Graph().as_default():
        x = tf.constant([1.0, np.nan, np.inf, 3.0] * 3)
        kept = tf.nn.dropout(x, 0.5, seed=3)
        slopes = tf.gradients(kept, x)[0]
        with tf.Session() as sess:
            values, gradient = sess.run([kept, slopes])
    nan, inf = np.nan, np.inf
    np.testing.assert_array_equal(values, [0, nan, inf, 0, 2, nan, nan, 0, 0, nan, nan, 0])
    np.testing.assert_array_equal(gradient, [0, 0, 2, 0, 2, 0, 0, 0, 0, 2, 0, 0])


def test_dropout_refuses_what_it_refused(known):
    for wrong in (0.0, 1.5):
        with pytest.raises(ValueError, match="rate"):
            tf.nn.dropout(tf.ones([2]), wrong)
    with pytest.raises(ValueError, match="floating point"):
        tf.nn.dropout(tf.constant([1]), 0.5)


@pytest.mark.parametrize("bounds", [(), (0, 1), (0, 5.0), (-1.0, 1.0)])
def test_a_uniform_distribution_has_its_bounds(bounds):
    made = _names(lambda x: tf.random_uniform([2], *bounds))
    assert made == ["random_uniform/shape", *_UNIFORM]
    assert made == _names(lambda x: tf.random.uniform([2], *bounds))


def test_whole_numbers_are_drawn_as_before():
    made = _names(lambda x: tf.random_uniform([2], maxval=5, dtype=tf.int32))
    assert made == [f"random_uniform{part}" for part in ("/shape", "/min", "/max", "")]
