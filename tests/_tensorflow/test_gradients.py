"""Gradients that changed between two releases.

The numbers are those of TensorFlow 0.12.1, 1.0.1, 1.1.0, 1.2.1, 1.3.0, 1.4.1, 1.5.1, 1.9.0, 1.10.1, 1.11.0, 1.12.3,
1.13.2, 1.14.0 and 1.15.5, each of which is that of the last release named at or before it.
"""

import numpy as np
import pytest
from tensorflow.python.framework import ops

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue._tensorflow import gradients

X = [[1.0, 2.0, -0.5], [0.0, 1.0, -2.0]]
ABOVE = [[1.0, 2.0, 0.5], [0.25, 1.0, 2.0]]
UP, DOWN = [[1.0, 2.0, 3.0]], [[1.0, -1.0, 2.0], [3.0, 1.0, -2.0]]
CLASSES = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


@pytest.fixture
def written_for():
    yield release.assume
    release.assume(None)


def twice(function, weights):
    """The gradient of a weighted sum of the gradient of another."""

    def gradient(x, _):
        (first,) = tf.gradients(function(x) * weights, x)
        return tf.gradients(first * DOWN, x)[0]

    return gradient


def of_squares(function):
    def gradient(x, _):
        (first,) = tf.gradients(tf.square(function(x)), x)
        return tf.gradients(tf.square(first), x)[0]

    return gradient


def entropy(x):
    return tf.nn.softmax_cross_entropy_with_logits(labels=tf.constant(CLASSES), logits=x)


def sparse_entropy(x):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 2], logits=x)


def of_some(x, _):
    rows = tf.gather_nd(x, [[1], [1]])
    return tf.gradients(rows * [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], x)[0]


def dense(x, _):
    filled = tf.sparse_to_dense([[0], [2]], [4], tf.reshape(x, [-1])[:2])
    return tf.gradients(filled * [1.0, 2.0, 3.0, 4.0], x)[0]


def from_here(function):
    def gradient(_, above):
        return tf.gradients(function(above), above)[0]

    return gradient


NO_SECOND = [[0.0] * 3] * 2
OF_THE_LOSS = [[0.34367, -0.42035, 0.07668], [3.54331, 9.6317, -13.17501]]
CASES = {
    "elu": (
        twice(tf.nn.elu, UP),
        {
            "0.12": [[0.0, 0.0, 1.21306], [0.0, 0.0, -0.27067]],
            "1.3": [[0.0, 0.0, 3.63918], [0.0, 0.0, -0.81201]],
        },
    ),
    "elu, both": (
        of_squares(tf.nn.elu),
        {
            "0.12": [[8.0, 16.0, -1.18428], [0.0, 8.0, -0.16039]],
            "1.3": [[8.0, 16.0, -0.14965], [0.0, 8.0, 0.01251]],
            "1.14": [[8.0, 16.0, -0.24672], [0.0, 8.0, 0.0924]],
        },
    ),
    "selu": (
        twice(tf.nn.selu, UP),
        {
            "1.4": [[0.0, 0.0, 2.13268], [0.0, 0.0, -0.47587]],
            "1.14": [[0.0, 0.0, 6.39805], [0.0, 0.0, -1.4276]],
        },
    ),
    "selu, both": (
        of_squares(tf.nn.selu),
        {
            "1.4": [[9.27956, 18.55912, -0.15543], [0.0, 9.27956, -0.53468]],
            "1.14": [[9.75004, 19.50009, -2.35714], [0.0, 9.75004, 0.88279]],
        },
    ),
    "igamma": (
        from_here(lambda above: tf.igamma(above, [2.0, 1.0, 1.0])),
        {
            "0.12": None,
            "1.10": [[-0.22083, -0.2762, -0.38984], [-0.09037, -0.43173, -0.2762]],
        },
    ),
    "igammac": (
        from_here(lambda above: tf.igammac(above, [2.0, 1.0, 1.0])),
        {"0.12": None, "1.10": [[0.22083, 0.2762, 0.38984], [0.09037, 0.43173, 0.2762]]},
    ),
    "igamma of x": (
        from_here(lambda above: tf.igamma([2.0, 1.0, 1.0], above)),
        {"0.12": [[0.36788, 0.13534, 0.60653], [0.1947, 0.36788, 0.13534]]},
    ),
    "rgb_to_hsv": (
        from_here(tf.image.rgb_to_hsv),
        {"0.12": None, "1.15": [[-0.11111, 1.16204, -0.42593], [-0.44558, -0.09524, 1.10332]]},
    ),
    "softmax": (
        twice(entropy, [1.0, 2.0]),
        {
            "0.12": NO_SECOND,
            "1.1": [[0.3356, -0.46709, 0.13149], [0.82331, -0.58354, -0.23977]],
        },
    ),
    "softmax, squared": (
        twice(lambda x: tf.square(entropy(x)), [1.0, 2.0]),
        {
            "0.12": OF_THE_LOSS,
            "1.1": [[0.59304, -0.76744, 0.17439], [9.05787, 5.72311, -14.78098]],
        },
    ),
    "sparse softmax": (twice(sparse_entropy, [1.0, 2.0]), {"0.12": NO_SECOND}),
    "sparse softmax, squared": (
        twice(lambda x: tf.square(sparse_entropy(x)), [1.0, 2.0]),
        {"0.12": OF_THE_LOSS},
    ),
    "sparse_to_dense": (dense, {"0.12": None, "1.14": [[1.0, 3.0, 0.0], [0.0, 0.0, 0.0]]}),
}
ORDER = "0.12 1.0 1.1 1.2 1.3 1.4 1.5 1.9 1.10 1.11 1.12 1.13 1.14 1.15".split()


def _rows():
    for name, (program, values) in CASES.items():
        expected = skipped = object()
        for known in ORDER:
            expected = values.get(known, expected)
            # 1.0 refused a second gradient of cross entropies, and of the sparse one all did until 1.15
            of_later = name.startswith("softmax") and known == "1.0"
            if expected is not skipped and not of_later:
                if not (name.startswith("sparse softmax") and known != "0.12"):
                    yield pytest.param(program, known, expected, id=f"{name} in {known}")


@pytest.mark.parametrize(("program", "known", "expected"), [*_rows()])
def test_a_gradient_is_that_of_the_release(written_for, program, known, expected):
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        found = program(tf.constant(X), tf.constant(ABOVE))
        if expected is None:
            assert found is None
        else:
            np.testing.assert_allclose(sess.run(found), expected, atol=2e-5)


@pytest.mark.parametrize(
    ("known", "expected"),
    [("1.4", [0.81, 0.9, 1.0]), ("1.5", [0.9, 0.9, 1.0])],
)
def test_a_gathered_row_goes_on_moving_up_to_1_4(written_for, known, expected):
    """The gradient of `gather_nd` was that of all rows: momentum moves those too that this step did not gather."""
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        weights, which = tf.Variable([1.0, 1.0, 1.0]), tf.placeholder(tf.int32, [1, 1])
        loss = tf.reduce_sum(tf.gather_nd(weights, which))
        step = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
        sess.run(tf.global_variables_initializer())
        for row in (0, 1):
            sess.run(step, {which: [[row]]})
        np.testing.assert_allclose(sess.run(weights), expected, rtol=1e-6)


@pytest.mark.parametrize("known", ["1.4", "1.5"])
def test_the_gradient_of_gather_nd_is_of_rows_since_1_5(written_for, known):
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        found = of_some(tf.constant(X), None)
        assert isinstance(found, tf.IndexedSlices) == (known == "1.5")
        shown = sess.run(tf.convert_to_tensor(found))
        assert shown.tolist() == [[0.0] * 3, [5.0, 7.0, 9.0]]


@pytest.mark.parametrize(("known", "has"), [("1.9", False), ("1.10", True)])
def test_what_is_drawn_of_a_gamma_distribution_has_a_gradient_since_1_10(written_for, known, has):
    written_for(known)
    with tf.Graph().as_default():
        shape = tf.constant([0.5, 2.0])
        for drawn in (
            tf.random_gamma([], shape),
            tf.distributions.Gamma(shape, 1.0).sample(),
            tf.distributions.Beta(shape, 1.0).sample(),
            tf.distributions.Dirichlet(shape).sample(),
        ):
            assert (tf.gradients(drawn, shape)[0] is not None) == has
        rate = tf.constant(2.0)
        assert tf.gradients(tf.distributions.Gamma(1.0, rate).sample(), rate)[0] is not None


def test_an_op_without_a_gradient_today_is_left(monkeypatch):
    monkeypatch.setattr(gradients, "OLDER", {"NoSuchOp": gradients.OLDER["GatherNd"]})
    gradients.install()
    assert "NoSuchOp" not in ops.gradient_registry._registry
