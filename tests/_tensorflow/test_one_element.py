"""Arrays of one element among numbers: what numpy 1.18 made of the same lists."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue._tensorflow.one_element import as_numbers

INF = float("inf")


@pytest.mark.parametrize(
    ("value", "dtype", "made"),
    [
        ([1, np.array([2.0])], np.float32, [1.0, 2.0]),
        ([np.float32(1), np.array([[2.0]])], np.float64, [1.0, 2.0]),
        ([1.5, np.array([2.7])], np.int32, [1, 2]),
        ([[1, 2], [np.array([3]), 4]], np.int64, [[1, 2], [3, 4]]),
        ([1, np.array([INF])], np.int32, None),
        ([np.float32(INF), np.array([1])], np.int32, None),
        ([1, np.array([np.float64(INF)], object)], np.int64, None),
        ([1, np.array([1j])], np.int32, None),
        ([1, np.array([None])], np.float64, None),
        ([1, np.array([2, 3])], np.float64, None),
        ([1, ["2", "a"]], np.float64, None),
    ],
)
def test_they_are_numbers_or_are_refused(value, dtype, made):
    found = as_numbers(value, dtype)
    if made is None:
        assert found is None
    else:
        assert (found.dtype, found.tolist()) == (dtype, made)


def test_what_is_fed_in_front_of_them_may_be_anything_else():
    text, rate = tf.placeholder(tf.string, [1]), tf.placeholder(tf.float32, [])
    rewards = tf.placeholder(tf.float32, [2])
    feeds = {text: ["a"], rate: 0.5, rewards: [1.0, np.array([2.0])]}
    with tf.Session() as sess:
        found = sess.run([text[0], rate * rewards], feeds)
    assert (found[0], found[1].tolist()) == (b"a", [0.5, 1.0])
