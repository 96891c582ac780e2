"""`tf.contrib.distributions.percentile`: the elements that TensorFlow 1.15.5 and 1.4.1 took."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

percentile = tf.contrib.distributions.percentile
# "lower" at 90 of the numbers from 0 to n - 1, in 1.15.5 and 1.4.1, which counts in float32
APART = [(11, 9, 8), (21, 18, 17), (41, 36, 35)]
VALUES = np.float32([[3, -1, 8, 4], [0, 9, 2, 7], [5, 6, -3, 1]])
OF_VALUES = [
    ({"q": 50.0}, 3.0),
    ({"q": 30, "axis": 0}, [3.0, 6.0, 2.0, 4.0]),
    ({"q": 95.0, "axis": [0]}, [5.0, 9.0, 8.0, 7.0]),
    ({"q": 50, "axis": -1, "interpolation": "higher"}, [4.0, 7.0, 5.0]),
    ({"q": 50, "axis": 1, "interpolation": "lower", "keep_dims": True}, [[3.0], [2.0], [1.0]]),
    ({"q": 75, "axis": [1, 0], "keep_dims": True}, [[6.0]]),
    ({"q": 100, "keep_dims": True}, [[9.0]]),
    ({"q": 0}, -3.0),
]


def found(tensor, feed=None):
    with tf.Session() as sess:
        return np.asarray(sess.run(tensor, feed)).tolist()


@pytest.mark.parametrize(("n", "at_115", "at_14"), APART)
def test_the_place_is_that_of_the_release(n, at_115, at_14):
    sample = np.arange(n, dtype=np.float64)
    assert found(percentile(sample, 90.0, interpolation="lower")) == at_115
    former = release.assume("1.7")
    try:
        assert found(percentile(sample, 90.0, interpolation="lower")) == at_14
    finally:
        release.assume(former)


@pytest.mark.parametrize(("given", "expected"), OF_VALUES)
def test_samples_along_axes(given, expected):
    assert found(percentile(VALUES, **given)) == expected
    fed = tf.placeholder(tf.float32, [None, 4])
    assert found(percentile(fed, **given), {fed: VALUES}) == expected


def test_names_shapes_and_gradients():
    fed = tf.placeholder(tf.float32, [None, 4])
    made = percentile(fed, 50.0, axis=0, name="half")
    assert (made.name, made.shape.as_list()) == ("half/strided_slice_4:0", [4])
    (slope,) = tf.gradients(made, fed)
    assert found(slope, {fed: VALUES}) == [[1, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0]]
    unknown = tf.placeholder(tf.float32)
    assert found(percentile(unknown, 50.0, keep_dims=True), {unknown: VALUES}) == [[3.0]]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"q": 5.0, "axis": 2}, ValueError),
        ({"q": 5.0, "axis": -3}, ValueError),
        ({"q": 5.0, "axis": [[0]]}, ValueError),
        ({"q": 5.0, "axis": 0.0}, TypeError),
        ({"q": [5.0, 6.0]}, ValueError),
        ({"q": 5.0, "interpolation": "linear"}, ValueError),
    ],
)
def test_what_it_does_not_take(given, error):
    with pytest.raises(error):
        percentile(VALUES, **given)


@pytest.mark.parametrize("q", [-1.0, 101.0])
def test_a_place_outside_is_checked_where_that_is_asked(q):
    with pytest.raises(tf.errors.InvalidArgumentError):
        found(percentile(VALUES, q, validate_args=True))
