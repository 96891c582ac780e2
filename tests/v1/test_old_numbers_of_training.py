"""Optimizers, means, clipping and modes whose numbers changed: values of TensorFlow 0.12.1 to 1.15.5, run for each release."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

VALUES, GRADIENT = [[1.0, -2.0], [3.0, -4.0]], [[0.1, 0.2], [0.05, -0.6]]
INF = float("inf")


@pytest.fixture
def written_for():
    yield release.assume
    release.assume(None)


PENALTY = {"l1_regularization_strength": 0.2, "l2_regularization_strength": 0.5}
STEPPED = {
    "ProximalGradientDescentOptimizer": {
        "1.0": [[0.424, 1.12], [1.74, 2.464]],
        "1.1": [[0.424, -1.28], [1.74, -1.984]],
    },
    "ProximalAdagradOptimizer": {
        "1.0": [[0.0, 0.45778], [0.60941, 2.12575]],
        "1.1": [[0.0, -0.7544], [0.60941, -1.60651]],
    },
}


@pytest.mark.parametrize("known", ["1.0", "1.1"])
@pytest.mark.parametrize("kind", STEPPED)
@pytest.mark.parametrize("gathered", [False, True])
@pytest.mark.parametrize("of_the_graph", [False, True])
def test_a_proximal_optimizer_lost_the_sign_up_to_1_0(
    written_for, known, kind, gathered, of_the_graph
):
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        rows = [*VALUES[:1], [5.0, -5.0], *VALUES[1:]] if gathered else VALUES
        weights, gradient = tf.Variable(rows), tf.constant(GRADIENT)
        if gathered:
            gradient = tf.IndexedSlices(gradient, tf.constant([0, 2]), tf.constant([3, 2]))
        penalty = {key: tf.constant(one) if of_the_graph else one for key, one in PENALTY.items()}
        step = getattr(tf.train, kind)(0.5, **penalty).apply_gradients([(gradient, weights)])
        sess.run(tf.global_variables_initializer())
        sess.run(step)
        sess.run(step)
        found = sess.run(weights).tolist()
    if gathered:
        assert found.pop(1) == [5.0, -5.0]
    np.testing.assert_allclose(found, STEPPED[kind][known], atol=1e-5)


@pytest.mark.parametrize("kind", STEPPED)
def test_the_sign_was_kept_without_a_penalty_and_in_rows_of_one_element(written_for, kind):
    written_for("1.0")
    with tf.Graph().as_default(), tf.Session() as sess:
        one, other = tf.Variable([[-2.0]]), tf.Variable([[-2.0, -2.0]])
        row = tf.IndexedSlices(tf.constant([[0.2]]), tf.constant([0]), tf.constant([1, 1]))
        make = getattr(tf.train, kind)
        steps = [
            make(0.5, l1_regularization_strength=0.2).apply_gradients([(row, one)]),
            make(0.5).apply_gradients([(tf.constant([[0.2, 0.2]]), other)]),
        ]
        sess.run(tf.global_variables_initializer())
        sess.run(steps)
        assert all(each.max() < -1 for each in sess.run([one, other]))


PIXELS = [[100, 100], [100, 50], [120, 120]]


@pytest.mark.parametrize(
    ("dtype", "numbers", "axis", "expected"),
    [
        ("uint8", PIXELS, None, 13),
        ("uint8", PIXELS, 0, [21, 4]),
        ("uint8", [[3, 9], [5, 7]], 0, [4, 8]),
        ("uint8", [200] * 100, None, 0),
        ("int8", PIXELS, 0, [21, 4]),
        ("int8", [-100] * 6 + [-101], None, 9),
        ("int16", [20000] * 4, None, 3616),
        ("int16", [-100] * 6 + [-101], None, -100),
        ("uint16", [20000] * 4, None, 3616),
        ("int32", [2**31 - 1] * 3, None, 715827881),
        ("int32", [-7, 2], None, -2),
        ("int64", [2**63 - 1] * 3, None, 3074457345618258601),
        ("float32", [1.0, 2.0], None, 1.5),
    ],
)
def test_the_sum_of_a_mean_of_whole_numbers_is_of_their_dtype(dtype, numbers, axis, expected):
    with tf.Graph().as_default(), tf.Session() as sess:
        mean = tf.reduce_mean(tf.constant(np.array(numbers, dtype)), axis)
        kept = tf.math.reduce_mean(np.array(numbers, dtype), axis, keep_dims=True, name="kept")
        assert (mean.op.name, kept.op.name, mean.dtype.name) == ("Mean", "kept", dtype)
        assert sess.run(mean).tolist() == expected
        assert np.ravel(sess.run(kept)).tolist() == np.ravel(expected).tolist()
        assert kept.shape.ndims == np.ndim(numbers)


def test_a_mean_of_plain_numbers_of_lists_and_of_ragged_ones():
    with tf.Graph().as_default(), tf.Session() as sess:
        found = [
            tf.reduce_mean([2**30, 2**30, 2**30]),
            tf.reduce_mean([tf.constant(2**30), 2**30, 2**30], reduction_indices=[0]),
            tf.reduce_mean([1, 2.5]),
            tf.reduce_mean(tf.ragged.constant([[1, 2], [3]]), axis=1),
        ]
        overflowed = -(2**30) // 3 + 1  # the sum is that of 32 bits
        first, second, third, fourth = sess.run(found)
    assert (first, second, third) == (overflowed, overflowed, 1.75)
    assert fourth.tolist() == [1.5, 3.0]


def test_a_mean_of_as_many_as_the_dtype_has_values_is_an_error():
    """TensorFlow 1 ended the process with a floating point exception."""
    with tf.Graph().as_default(), tf.Session() as sess:
        mean = tf.reduce_mean(tf.zeros([256], tf.uint8))
        with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
            sess.run(mean)


@pytest.mark.parametrize(
    ("known", "parts", "expected"),
    [
        ("1.10", [[1.0, INF], [2.0, 3.0]], [[0.0, np.nan], [0.0, 0.0]]),
        ("1.10", [[1e30, 1e30]], [[0.0, 0.0]]),
        ("1.10", [[1.0, np.nan], [2.0]], [[np.nan, np.nan], [np.nan]]),
        ("1.10", [[0.0, 0.0]], [[0.0, 0.0]]),
        ("1.10", [[3.0, 4.0]], [[0.6, 0.8]]),
        ("1.11", [[1.0, INF]], None),
        ("1.13", [[1.0, np.nan]], None),
        ("1.13", [[3.0, 4.0]], [[0.6, 0.8]]),
        ("1.14", [[1.0, INF], [2.0, 3.0]], [[np.nan] * 2] * 2),
    ],
)
def test_what_is_clipped_by_an_infinite_norm(written_for, known, parts, expected):
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        given = [None, *map(tf.constant, parts)]
        (none, *clipped), norm = tf.clip_by_global_norm(given, 1.0)
        assert none is None
        if expected is None:
            with pytest.raises(tf.errors.InvalidArgumentError, match="Inf or NaN global norm"):
                sess.run(clipped)
            return
        for one, other in zip(sess.run(clipped), expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-6)
        np.testing.assert_allclose(sess.run(norm), sess.run(tf.linalg.global_norm(given)))


@pytest.mark.parametrize("known", ["1.10", "1.14"])
def test_rows_and_a_norm_that_is_known_are_clipped(written_for, known):
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        rows = tf.IndexedSlices(tf.constant([[3.0]]), tf.constant([1]), tf.constant([2, 1]))
        (found,), norm = tf.clip_by_global_norm([rows], 1.0, use_norm=tf.constant(2.0), name="near")
        assert isinstance(found, tf.IndexedSlices)
        assert found.dense_shape is rows.dense_shape
        assert found.values.op.name.startswith("near/")
        assert sess.run([found.values, norm]) == [[[1.5]], 2.0]


NAN = np.nan
MODES = [
    ([1.0, 3.0], {"1.0": [NAN, 1.0], "1.1": [NAN, NAN], "1.15": [NAN, NAN]}),
    ([0.5, 3.0], {"1.0": [NAN, 1.33333], "1.1": [NAN, NAN]}),
    (
        [[2.0, 3.0, 4.0], [1.0, 1.5, 2.0]],
        {
            "1.0": [[0.16667, 0.33333, 0.5], [NAN, 0.33333, 0.66667]],
            "1.14": [[0.16667, 0.33333, 0.5], [NAN] * 3],
        },
    ),
    ([[2.0, 3.0], [0.5, 3.0]], {"1.14": [[0.33333, 0.66667], [NAN, NAN]]}),
]


@pytest.mark.parametrize(
    ("concentration", "known", "expected"),
    [(given, known, values[known]) for given, values in MODES for known in values],
)
def test_the_mode_of_a_dirichlet_distribution(written_for, concentration, known, expected):
    written_for(known)
    with tf.Graph().as_default(), tf.Session() as sess:
        for kind in (tf.distributions.Dirichlet, tf.contrib.distributions.Dirichlet):
            np.testing.assert_allclose(sess.run(kind(concentration).mode()), expected, atol=1e-5)
            with pytest.raises(tf.errors.InvalidArgumentError, match="Mode undefined"):
                sess.run(kind([1.0, 3.0], allow_nan_stats=False).mode())


@pytest.mark.parametrize(("known", "whole"), [("1.9", False), ("1.10", True)])
def test_whether_a_sample_has_a_gradient_is_said_as_then(written_for, known, whole):
    written_for(known)
    with tf.Graph().as_default():
        for of in (tf.distributions, tf.contrib.distributions):
            for made in (of.Gamma(2.0, 1.0), of.Beta(2.0, 1.0), of.Dirichlet([2.0, 1.0])):
                kind = made.reparameterization_type
                assert (kind == tf.distributions.FULLY_REPARAMETERIZED) == whole
            assert (
                of.StudentT(3.0, 0.0, 1.0).reparameterization_type
                == of.Gamma(2.0, 1.0).reparameterization_type
            )
            for made in (of.Normal(0.0, 1.0), of.Exponential(1.0)):
                assert made.reparameterization_type == tf.distributions.FULLY_REPARAMETERIZED
            kind = of.Bernoulli(0.3).reparameterization_type
            assert kind == tf.distributions.NOT_REPARAMETERIZED


@pytest.mark.parametrize(("known", "seed"), [("1.8", 21), ("1.12", 23), ("1.14", 24), (None, 24)])
def test_what_is_clipped_counts_for_the_seeds_behind_it(written_for, known, seed):
    if known:
        written_for(known)
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        (clipped,), _ = tf.clip_by_global_norm([tf.constant([3.0, 4.0])], 1.0)
        tf.random_uniform([])
    assert clipped.op.name == "clip_by_global_norm/clip_by_global_norm/_0"
    (drawn,) = (op for op in graph.get_operations() if op.type == "RandomUniform")
    assert drawn.get_attr("seed2") == seed


def test_a_mean_of_whole_numbers_counts_as_one_op_and_is_0_of_none():
    """As in 1.15.5 and 1.4.1."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.set_random_seed(1)
        means = [
            tf.reduce_mean(tf.constant([1, 2])),
            tf.reduce_mean([3, 4]),
            tf.reduce_mean(tf.constant([[1, 2]]), [1], name="q"),
            tf.reduce_mean(tf.placeholder(tf.int32)),
        ]
        tf.random_uniform([])
        (drawn,) = (op for op in graph.get_operations() if op.type == "RandomUniform")
        assert [mean.op.name for mean in means] == ["Mean", "Mean_1", "q", "Mean_2"]
        assert drawn.get_attr("seed2") == 22
        none = tf.reduce_mean(tf.zeros([0, 3], tf.uint8), 0)
        assert sess.run(none).tolist() == [0, 0, 0]


ROWS, FACTORS = [1, 1, 3, 1], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]
OF_ROWS = {
    "identity": (lambda grad: tf.identity(input=grad), None),
    "stop_gradient": (tf.stop_gradient, None),
    "clip_by_norm": (lambda grad: tf.clip_by_norm(grad, 4.0), "1.12"),
    "clip_by_value": (lambda grad: tf.clip_by_value(t=grad, clip_value_min=-4.0, clip_value_max=4.0), "1.12"),
    "cast": (lambda grad: tf.cast(grad, tf.float64), "1.10"),
    "to_float": (tf.to_float, "1.10"),
}  # fmt: skip
DENSE = {
    "clip_by_norm": [[0, 0], [2.26312, 2.88033], [0, 0], [1.02869, 1.23443]],
    "clip_by_value": [[0, 0], [4, 4], [0, 0], [4, 4]],
}


@pytest.mark.parametrize("known", ["1.0", "1.8", "1.10", "1.11", "1.12", "1.13", None])
@pytest.mark.parametrize("name", OF_ROWS)
def test_the_gradient_of_rows_is_a_tensor_as_long_as_it_was(written_for, name, known):
    """Values of 1.0.1, 1.4.1, 1.8.0, 1.12.3, 1.14.0 and 1.15.5; which release changed it, the wheels of 1.10, 1.11 and 1.13 say."""
    written_for(known)
    function, last = OF_ROWS[name]
    with tf.Graph().as_default(), tf.Session() as sess:
        rows = tf.Variable(tf.zeros([4, 2]))
        (grad,) = tf.gradients(tf.reduce_sum(tf.gather(rows, ROWS) * FACTORS), rows)
        assert isinstance(grad, tf.IndexedSlices)
        made = function(grad)
        dense = last is None or release.before({"1.10": "1.11", "1.12": "1.13"}[last])
        assert isinstance(made, tf.IndexedSlices) != dense
        if dense:
            expected = DENSE.get(name, [[0, 0], [11, 14], [0, 0], [5, 6]])
            assert sess.run(made) == pytest.approx(np.float32(expected), abs=1e-5)
        elif name == "clip_by_norm":
            assert np.sum(sess.run(made).values) == pytest.approx(10.082018)


@pytest.mark.parametrize(
    ("boundaries", "values", "given"),
    [
        ([2, 5], [1, 2, 3, 4], [1, 1, 1, 2, 2, 2, 4, 4, 4]),
        ([2, 5], [1, 2], [1, 1, 1, 1, 1, 1, 2, 2, 2]),
        ([0], [1, 2, 3], [1, 3, 3, 3, 3, 3, 3, 3, 3]),
        ([2, 5], [1], [1] * 9),
        ([2, 5, 7], [1, 2, 3], [1, 1, 1, 2, 2, 2, 1, 1, 3]),
        ([2, 5, 7], [1, 2, 3, 4, 5, 6], [1, 1, 1, 2, 2, 2, 3, 3, 6]),
    ],
)
def test_a_rate_by_intervals_has_any_number_of_values_up_to_1_4(written_for, boundaries, values, given):  # fmt: skip
    """As in 0.12.1, 1.0.1 and 1.4.1; 1.5.0 has the check."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.placeholder(tf.int32, [])
        for known in ("1.5", None):
            written_for(known)
            with pytest.raises(ValueError, match=r"as with --era 1\.4"):
                tf.train.piecewise_constant(step, boundaries, values)
        written_for("1.4")
        rate = tf.train.piecewise_constant(step, boundaries, values)
        assert [sess.run(rate, {step: at}) for at in range(9)] == given
