"""Gradients count as in the release, for the seeds of what is random behind them.

The numbers are those of TensorFlow 1.4.1, 1.5.0, 1.6.0, 1.8.0, 1.9.0, 1.11.0, 1.12.3, 1.13.2, 1.14.0 and 1.15.5.
"""

from types import SimpleNamespace

import pytest

import tfqueue.v1 as tf
from tfqueue import release

RELEASES = ("1.4", "1.5", "1.6", "1.8", "1.9", "1.11", "1.12", "1.13", "1.14", "1.15")
_FED = {
    "x": (tf.float32, [None, 4]),
    "y": (tf.float32, [None, 4]),
    "k": (tf.float32, [3, 4]),
    "s": (tf.float32, []),
    "v": (tf.float32, [None]),
    "v4": (tf.float32, [4]),
    "x4": (tf.float32, [None, 8, 8, 3]),
    "bm": (tf.float32, [None, 4, 4]),
    "i": (tf.int32, [None]),
}
ROWS = [  # what is differentiated by what, and how many ops that is in each release; in all the same where it is one number
    (lambda g: (g.x + 1.0, g.x), 10),
    (lambda g: (g.x + g.y, [g.x, g.y]), 10),
    (lambda g: (g.k + g.k, g.k), (11, 4, 4, 4, 4, 4, 4, 4, 4, 4)),
    (lambda g: (g.k + g.v4, [g.k, g.v4]), 10),
    (lambda g: (g.x - g.v4, g.x), 11),
    (lambda g: (g.k - g.s, g.k), 11),
    (lambda g: (g.k - g.k, g.k), (12, 12, 5, 5, 5, 5, 5, 5, 5, 5)),
    (lambda g: (g.x * 2.0, g.x), 12),
    (lambda g: (g.k * g.v4, g.k), (12, 12, 12, 12, 12, 12, 12, 12, 12, 9)),
    (lambda g: (g.k * g.s, [g.k, g.s]), (12, 12, 12, 12, 12, 12, 12, 12, 12, 9)),
    (lambda g: (g.x / 2.0, g.x), 15),
    (lambda g: (g.k / g.k, g.k), 16),
    (lambda g: (g.x**2, g.x), (22, 22, 22, 22, 22, 22, 22, 26, 26, 26)),
    (lambda g: (tf.maximum(g.x, 0.0), g.x), 16),
    (lambda g: (tf.minimum(g.k, g.v4), g.k), 16),
    (lambda g: (tf.squared_difference(g.x, g.y), g.x), 15),
    (lambda g: (tf.squared_difference(g.k, g.k), g.k), (16, 16, 16, 16, 16, 16, 16, 16, 16, 9)),
    (lambda g: (tf.squared_difference(g.k, g.v4), g.k), (15, 15, 15, 15, 15, 15, 15, 15, 15, 12)),
    (lambda g: (tf.reduce_sum(g.x), g.x), 7),
    (lambda g: (tf.reduce_sum(g.x, 1), g.x), 19),
    (lambda g: (tf.reduce_sum(g.k, 1), g.k), (19, 19, 19, 19, 19, 19, 19, 19, 19, 24)),
    (lambda g: (tf.reduce_sum(g.k + 1.0, 1), g.k), (26, 26, 26, 26, 26, 26, 26, 26, 26, 11)),
    (lambda g: (tf.reduce_sum(g.x, 1, keep_dims=True), g.x), 19),
    (lambda g: (tf.reduce_sum(g.v, 0), g.v), 19),
    (lambda g: (tf.reduce_sum(g.s), g.s), 7),
    (lambda g: (tf.reduce_mean(g.x), g.x), 18),
    (lambda g: (tf.reduce_mean(g.k), g.k), (18, 9, 9, 9, 9, 9, 9, 9, 9, 9)),
    (lambda g: (tf.reduce_mean(g.x, 1), g.x), 30),
    (lambda g: (tf.reduce_mean(g.k, 0), g.k), (30, 21, 21, 21, 21, 21, 21, 21, 21, 26)),
    (lambda g: (tf.reduce_max(g.k, 1), g.k), 22),
    (lambda g: (tf.reduce_prod(g.x, 1), g.x), (50, 50, 50, 52, 52, 52, 52, 52, 52, 52)),
    (lambda g: (g.x[:, 1], g.x), 5),
    (lambda g: (g.k[1:], g.k), 5),
    (lambda g: (tf.gather(g.x, g.i), g.x), 16),
    (lambda g: (tf.gather(g.W, g.i), g.W), 16),
    (lambda g: (tf.nn.softmax(g.x), g.x), (10, 10, 10, 10, 10, 8, 8, 8, 8, 8)),
    (lambda g: (tf.nn.leaky_relu(g.x), g.x), (26, 26, 26, 26, 26, 26, 26, 4, 4, 4)),
    (lambda g: (tf.nn.softplus(g.x), g.x), (4, 4, 4, 4, 4, 4, 4, 4, 5, 5)),
    (lambda g: (tf.matmul(g.bm, g.bm), g.bm), (6, 6, 6, 6, 6, 6, 6, 6, 21, 21)),
    (lambda g: (tf.nn.sparse_softmax_cross_entropy_with_logits(logits=g.x, labels=g.i), g.x), 8),
    (
        lambda g: (tf.nn.softmax_cross_entropy_with_logits(logits=g.x, labels=g.y), g.x),
        (11, 16, 16, 16, 16, 16, 16, 16, 16, 16),
    ),
    (lambda g: (tf.layers.conv2d(g.x4, 4, 3), g.x4), (7, 8, 8, 8, 7, 7, 7, 7, 7, 7)),
    (
        lambda g: (tf.layers.batch_normalization(g.x4, training=True), g.x4),
        (8, 8, 8, 8, 8, 8, 8, 8, 8, 9),
    ),
    (
        lambda g: (tf.losses.mean_squared_error(g.x, g.y), g.x),
        (65, 65, 69, 65, 47, 47, 47, 44, 44, 44),
    ),
    (
        lambda g: (tf.div_no_nan(g.x, g.y, name="value"), g.x),
        (None, None, None, None, None, 15, 15, 15, 15, 15),
    ),
    (lambda g: (tf.unsorted_segment_sum(g.x, g.i, 3), g.x), (4, 4, 4, 17, 17, 17, 17, 17, 17, 17)),
    (lambda g: (tf.nn.l2_normalize(g.x, 1), g.x), 46),
    (lambda g: (tf.reduce_mean(-tf.reduce_sum(g.y * tf.log(g.x + 1e-8), 1)), g.x), 53),
]


@pytest.mark.parametrize("number", range(len(RELEASES)), ids=RELEASES)
def test_gradients_count_as_in_the_release(number):
    former = release.assume(RELEASES[number])
    found, expected = {}, {}
    try:
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            given = {name: tf.placeholder(dtype, shape) for name, (dtype, shape) in _FED.items()}
            given = SimpleNamespace(**given, W=tf.get_variable("W", [4, 3]))
            for row, (function, counts) in enumerate(ROWS):
                with tf.variable_scope(f"row_{row}"):
                    result, by = function(given)
                before = tf.get_seed(None)[1]
                tf.gradients(result, by)
                count = counts[number] if isinstance(counts, tuple) else counts
                if count is not None:
                    found[row], expected[row] = tf.get_seed(None)[1] - before, count
    finally:
        release.assume(former)
    assert found == expected


GATED = (  # by release: the loss without and with the wait, and leaky_relu
    *[(67, 88, 28, 37)] * 2,
    (71, 92, 28, 37),
    (67, 88, 28, 37),
    *[(49, 64, 28, 37)] * 3,
    *[(46, 58, 6, 9)] * 3,
)


@pytest.mark.parametrize("number", range(len(RELEASES)), ids=RELEASES)
def test_gradients_that_wait_count_what_was_several_ops(number):
    """An optimizer has gradients with several inputs wait for all of them; `tf.gradients` has not."""
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    former = release.assume(RELEASES[number])
    found = []
    try:
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            x, y = (tf.placeholder(tf.float32, [None, 4]) for _ in range(2))
            kernel = tf.get_variable("w", [4, 4])
            predictions = tf.matmul(x, kernel)
            for loss in (
                tf.losses.mean_squared_error(y, predictions),
                tf.nn.leaky_relu(predictions),
            ):
                for gate in (optimizer.GATE_NONE, optimizer.GATE_OP):
                    before = tf.get_seed(None)[1]
                    optimizer.compute_gradients(loss, [kernel], gate_gradients=gate)
                    found.append(tf.get_seed(None)[1] - before)
    finally:
        release.assume(former)
    assert tuple(found) == GATED[number]


def _network(scope, states, actions):
    with tf.variable_scope(scope):
        kernel = tf.get_variable("w", [6, 8], initializer=tf.random_normal_initializer(0.0, 0.3))
        bias = tf.get_variable("b", [1, 8], initializer=tf.constant_initializer(0.1))
        return tf.layers.dense(tf.nn.relu(tf.matmul(states, kernel) + bias), actions)


def test_a_second_network_behind_an_optimizer_begins_as_in_1_15_5():
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        states, values = (
            tf.placeholder(tf.float32, [None, 6]),
            tf.placeholder(tf.float32, [None, 3]),
        )
        loss = tf.reduce_mean(tf.squared_difference(values, _network("eval", states, 3)))
        tf.train.RMSPropOptimizer(0.01).minimize(loss)
        _network("target", states, 3)
        first = [
            op for op in tf.get_default_graph().get_operations() if op.type.startswith("Random")
        ]
        assert [op.get_attr("seed2") for op in first] == [5, 21, 139, 155]
