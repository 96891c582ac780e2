"""`tf.layers.batch_normalization` has the numbers of TensorFlow 1.15.5.

That one printed the rows of `batch_norm.json`: the arguments, `training` ("fed" is a placeholder that
is true, true, false), the number of updates, and what `numbers` gives.
"""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

ROWS = json.loads(pathlib.Path(__file__).with_name("batch_norm.json").read_text("utf-8"))
X = np.float32([[1, 2, 4], [3, 1, -2], [0, 5, 1], [2, 2, 2]])


def numbers(arguments, training, shape):
    """How many updates there are, a number of each output, and the first two of each variable."""
    x = tf.constant(X if shape is None else np.resize(X, shape))
    flag = tf.placeholder(tf.bool, []) if training == "fed" else training
    beta, gamma = tf.constant_initializer(0.5), tf.constant_initializer(2.0)
    given = {"beta_initializer": beta, "gamma_initializer": gamma, **arguments}
    y = tf.layers.batch_normalization(x, training=flag, **given)
    updates, found = tf.get_collection(tf.GraphKeys.UPDATE_OPS), []
    assert y.shape.as_list() == x.shape.as_list()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for now in (True, True, False) if training == "fed" else (None, None):
            feeds = {} if now is None else {flag: now}
            found.append(np.sum(sess.run(y, feeds) * np.resize([1, 2, 3, 5, 7], y.shape.as_list())))
            sess.run(updates, feeds)
        for variable in sorted(tf.global_variables(), key=lambda each: each.name):
            found.append(np.ravel(sess.run(variable))[:2].tolist())
    return len(updates), found


@pytest.mark.parametrize(
    ("arguments", "training", "updates", "expected", "shape"), ROWS, ids=[str(r[:2]) for r in ROWS]
)
def test_the_numbers(arguments, training, updates, expected, shape):
    found = numbers(arguments, training, shape)
    assert found[0] == updates
    for one, other in zip(found[1], expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("shape", "arguments", "fused"),
    [
        ([2, 2, 2, 3], {}, True),
        ([2, 2, 2, 3], {"axis": 1}, True),
        ([2, 2, 2, 3], {"axis": 2}, False),
        ([2, 2, 2, 3], {"fused": False}, False),
        ([2, 2, 2, 3], {"fused": True, "renorm": True}, False),
        ([2, 2, 3], {"fused": True}, False),
    ],
)
def test_images_are_normalized_by_the_fused_op(shape, arguments, fused):
    before = set(tf.get_default_graph().get_operations())
    tf.layers.batch_normalization(tf.zeros(shape), training=True, **arguments)
    made = [op.type for op in tf.get_default_graph().get_operations() if op not in before]
    assert ("FusedBatchNormV3" in made) is fused


@pytest.mark.parametrize("fused", [None, True, False])
def test_a_layer_that_renormalizes_says_that_it_is_not_fused(fused):
    layer = tf.layers.BatchNormalization(renorm=True, fused=fused)
    layer(tf.zeros([2, 2, 2, 3]), training=True)
    assert layer.fused is False  # so it was in 1.15.5


@pytest.mark.parametrize("axis", [2, -3, [0, 0], [1, 2]])
def test_what_is_no_axis_is_refused(axis):
    with pytest.raises(ValueError, match="Invalid axis"):
        tf.layers.batch_normalization(tf.zeros([2, 3]), axis=axis)


@pytest.mark.parametrize(
    ("shape", "says"), [(None, "undefined rank"), ([2, None], "undefined `axis` dimension")]
)
def test_the_channels_have_to_be_known(shape, says):
    with pytest.raises(ValueError, match=says):
        tf.layers.batch_normalization(tf.placeholder(tf.float32, shape))


@pytest.mark.parametrize(("training", "updates"), [(0, 0), (1, 2), (False, 0), (True, 2)])
def test_how_training_may_be_said(training, updates):
    for say in (lambda value: value, tf.constant):
        before = len(tf.get_collection(tf.GraphKeys.UPDATE_OPS))
        tf.layers.batch_normalization(tf.zeros([2, 3]), training=say(training))
        assert len(tf.get_collection(tf.GraphKeys.UPDATE_OPS)) - before == updates


def test_a_layer_to_which_nothing_is_said_uses_the_averages():
    layer = tf.layers.BatchNormalization(epsilon=0.0)
    y = layer(tf.constant(X))
    assert layer.updates == []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_array_equal(sess.run(y), X)  # of mean 0 and variance 1


def test_where_nothing_is_said_the_averages_are_used():
    """There it was Keras' learning phase that decided, which is false unless it is fed."""
    expected = numbers({}, False, None)
    with tf.Graph().as_default():
        assert numbers({}, None, None)[1] == expected[1]


def test_what_is_trained_and_what_is_regularized():
    def loss(weight):
        return tf.reduce_sum(weight, name="loss")

    tf.layers.batch_normalization(
        tf.zeros([2, 3]), beta_regularizer=loss, gamma_regularizer=loss, name="a"
    )
    tf.layers.batch_normalization(tf.zeros([2, 3]), trainable=False, name="b", renorm=True)
    assert [v.op.name for v in tf.trainable_variables()] == ["a/gamma", "a/beta"]
    assert len(tf.losses.get_regularization_losses()) == 2
    names = ["moving_stddev", "renorm_mean", "renorm_stddev"]
    assert [v.op.name for v in tf.global_variables()][-3:] == [f"b/{name}" for name in names]


def test_half_floats_are_normalized_by_variables_of_whole_ones():
    y = tf.layers.batch_normalization(tf.zeros([2, 3], tf.float16), training=True)
    assert y.dtype == tf.float16
    assert {v.dtype.base_dtype for v in tf.global_variables()} == {tf.float32}


@pytest.mark.parametrize("renorm", [False, True])
def test_what_follows_the_batches_stays_whole_under_a_partitioner(renorm):
    # 1.15.5 and 1.4.1 name them so: a checkpoint has them in one piece
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(2)):
        tf.layers.batch_normalization(tf.zeros([4, 3]), training=True, renorm=renorm)
        tf.layers.dense(tf.zeros([4, 3]), 2)
    shapes = {v.op.name.split("/", 2)[2]: v.shape.as_list() for v in tf.global_variables()}
    assert (shapes["gamma/part_0"], shapes["gamma/part_1"]) == ([2], [1])
    assert shapes["moving_mean"] == shapes["moving_variance"] == [3]
    assert ("renorm_mean" in shapes) is renorm
    assert shapes["kernel/part_1"] == [1, 2]  # the scope has its partitioner again


AVERAGES = (
    "moving_mean moving_variance renorm_mean renorm_mean_weight renorm_stddev renorm_stddev_weight"
)
CLIPPED = {"rmin": 0.5, "rmax": 2.0, "dmax": 1.0}
RENORMALIZED = [  # TensorFlow 1.2.1 to 1.14.0, all the same: the first and the last outputs, the averages
    (
        True,
        {"momentum": 0.9, "renorm_momentum": 0.8, "renorm_clipping": CLIPPED},
        [-0.44703, 0.14001, -0.07213, 0.49234],
        [0.81839, 1.679, 2.132, 0.488, 1.17182, 0.488],
    ),
    (
        True,
        {"moving_mean_initializer": tf.constant_initializer(2.0)},
        [-0.44703, 0.14001, -0.42925, 0.15688],
        [2.02275, 1.06083, 0.1193, 0.0297, 0.06664, 0.0297],
    ),
    (
        "fed",
        {"momentum": 0.9, "renorm_momentum": 0.8},
        [-0.44703, 0.14001, 4.78815, 7.08515],
        [0.15, 1.025, 0.3, 0.2, 0.2237, 0.2],
    ),
    (False, {}, [0.9995, 1.999, 4.9975, 7.996], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
]


@pytest.mark.parametrize(("training", "arguments", "outputs", "averages"), RENORMALIZED)
def test_renormalization_began_with_the_first_batch_up_to_1_14(
    training, arguments, outputs, averages
):
    first = np.float32([[1, 2], [3, -1], [0, 4], [2, 2]])
    former, found = release.assume("1.14"), []
    try:
        with tf.Graph().as_default(), tf.Session() as sess:
            x, flag = tf.placeholder(tf.float32, [None, 2]), tf.placeholder(tf.bool, [])
            y = tf.layers.batch_normalization(
                x, training=flag if training == "fed" else training, renorm=True, **arguments
            )
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
            assert len(updates) == (2 if training else 0)
            sess.run(tf.global_variables_initializer())
            for turn in range(3):
                feeds = {x: first * (turn + 1) + turn, flag: turn == 0}
                found.append(sess.run([y, updates], feeds)[0][0])
            known = {v.op.name.rpartition("/")[2]: v for v in tf.global_variables()}
            assert [*known][-6:] == AVERAGES.split()
            after = [np.ravel(sess.run(known[name]))[0] for name in AVERAGES.split()]
    finally:
        release.assume(former)
    np.testing.assert_allclose([*found[0], *found[2]], outputs, atol=2e-5)
    np.testing.assert_allclose(after, averages, atol=2e-5)
