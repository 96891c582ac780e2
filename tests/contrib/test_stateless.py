"""`tf.contrib.stateless`: the numbers are those of TensorFlow 1.15.5, which a seed alone decides."""

import numpy as np
import pytest

import tfqueue.v1 as tf

DRAWN = {
    "uniform": (
        lambda of: of.stateless_random_uniform([3], [1, 2]),
        [0.8440604, 0.19204533, 0.9962232],
    ),
    "uniform of 1.10": (
        lambda of: of.stateless_random_uniform([3], [1, 2], tf.float64, "drawn"),
        [0.75248375, 0.96978577, 0.17592234],
    ),
    "whole numbers": (
        lambda of: of.stateless_random_uniform([3], [1, 2], minval=0, maxval=10, dtype=tf.int32),
        [0, 9, 4],
    ),
    "normal": (
        lambda of: of.stateless_random_normal([3], [1, 2]),
        [0.5441101, 0.20738031, 0.07356432],
    ),
    "truncated": (
        lambda of: of.stateless_truncated_normal([3], [5, 2]),
        [-0.77272797, -1.7053593, -1.454681],
    ),
    "classes": (
        lambda of: of.stateless_multinomial([[0.0, 1.0, 2.0]], 5, [1, 2]),
        [[2, 2, 1, 2, 2]],
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_what_a_seed_gives(name):
    make, expected = DRAWN[name]
    with tf.Session() as sess:
        np.testing.assert_allclose(sess.run(make(tf.contrib.stateless)), expected, rtol=1e-6)
