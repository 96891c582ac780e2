"""`tf.layers`: variables, shapes and numbers of TensorFlow 1.15, and learning.

What is expected was printed by TensorFlow 1.15.5 (numpy 1.18.5) for the same
calls on the same numbers. For the recurrent cells see `test_layers_recurrent.py`.
"""

import inspect
import warnings

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf

pytestmark = pytest.mark.slow

SHAPES = {"flat": [2, 5], "seq": [2, 8, 3], "img": [2, 8, 8, 3], "vol": [2, 4, 4, 4, 3]}

# name of the function, input, its other arguments, output's shape, variables' shapes
LAYERS = [
    ("dense", "flat", {"units": 4}, [2, 4], {"kernel": [5, 4], "bias": [4]}),
    ("dense", "seq", {"units": 4, "use_bias": False}, [2, 8, 4], {"kernel": [3, 4]}),
    ("dropout", "flat", {"rate": 0.5, "training": True}, [2, 5], {}),
    ("flatten", "img", {}, [2, 192], {}),
    (
        "conv1d",
        "seq",
        {"filters": 4, "kernel_size": 3},
        [2, 6, 4],
        {"kernel": [3, 3, 4], "bias": [4]},
    ),
    (
        "conv2d",
        "img",
        {"filters": 4, "kernel_size": 3, "strides": 2, "padding": "same"},
        [2, 4, 4, 4],
        {"kernel": [3, 3, 3, 4], "bias": [4]},
    ),
    (
        "conv3d",
        "vol",
        {"filters": 4, "kernel_size": 3},
        [2, 2, 2, 2, 4],
        {"kernel": [3, 3, 3, 3, 4], "bias": [4]},
    ),
    (
        "separable_conv1d",
        "seq",
        {"filters": 4, "kernel_size": 3},
        [2, 6, 4],
        {"depthwise_kernel": [3, 3, 1], "pointwise_kernel": [1, 3, 4], "bias": [4]},
    ),
    (
        "separable_conv2d",
        "img",
        {"filters": 4, "kernel_size": [3, 3], "depth_multiplier": 2},
        [2, 6, 6, 4],
        {"depthwise_kernel": [3, 3, 3, 2], "pointwise_kernel": [1, 1, 6, 4], "bias": [4]},
    ),
    (
        "conv2d_transpose",
        "img",
        {"filters": 4, "kernel_size": 3, "strides": 2},
        [2, 17, 17, 4],
        {"kernel": [3, 3, 4, 3], "bias": [4]},
    ),
    (
        "conv3d_transpose",
        "vol",
        {"filters": 4, "kernel_size": 3},
        [2, 6, 6, 6, 4],
        {"kernel": [3, 3, 3, 4, 3], "bias": [4]},
    ),
    ("average_pooling1d", "seq", {"pool_size": 2, "strides": 2}, [2, 4, 3], {}),
    ("average_pooling2d", "img", {"pool_size": 2, "strides": 2}, [2, 4, 4, 3], {}),
    ("average_pooling3d", "vol", {"pool_size": 2, "strides": 2}, [2, 2, 2, 2, 3], {}),
    ("max_pooling1d", "seq", {"pool_size": 2, "strides": 2}, [2, 4, 3], {}),
    (
        "max_pooling2d",
        "img",
        {"pool_size": 3, "strides": 2, "padding": "same"},
        [2, 4, 4, 3],
        {},
    ),
    ("max_pooling3d", "vol", {"pool_size": 2, "strides": 2}, [2, 2, 2, 2, 3], {}),
    (
        "batch_normalization",
        "img",
        {},
        [2, 8, 8, 3],
        {"gamma": [3], "beta": [3], "moving_mean": [3], "moving_variance": [3]},
    ),
]


def variables():
    return {v.name: v.shape.as_list() for v in tf.global_variables()}


@pytest.mark.parametrize(
    ("name", "source", "arguments", "shape", "weights"),
    LAYERS,
    ids=[f"{row[0]}-{row[1]}" for row in LAYERS],
)
def test_a_layer_has_the_shapes_and_variables_of_tensorflow_1(
    name, source, arguments, shape, weights
):
    function = getattr(tf.layers, name)
    for scope in (name, f"{name}_1"):
        out = function(tf.zeros(SHAPES[source]), **arguments)
        assert out.shape.as_list() == shape
        assert out.op.name.startswith(f"{scope}/")
        expected = {f"{scope}/{weight}:0": size for weight, size in weights.items()}
        assert {k: v for k, v in variables().items() if k.startswith(f"{scope}/")} == expected
    assert inspect.signature(function).parameters.keys() >= {"inputs", *arguments}


def test_every_function_and_class_of_tf_layers_has_a_row():
    functions = {name for name in tf.layers.__all__ if name.islower()} - {"experimental"}
    assert functions == {row[0] for row in LAYERS}
    classes = {name for name in tf.layers.__all__ if not name.islower()} - {"Layer", "InputSpec"}
    assert {name.lower() for name in classes} == {name.replace("_", "") for name in functions}


def test_reuse_and_variable_scopes():
    flat, image = tf.zeros([2, 5]), tf.zeros([2, 8, 8, 3])
    with tf.variable_scope("net"):
        one = tf.layers.dense(flat, 4, name="fc")
        two = tf.layers.dense(flat, 4, name="fc", reuse=True)
    with tf.variable_scope("net", reuse=True):
        tf.layers.dense(flat, 4, name="fc")
    with tf.variable_scope("other", reuse=tf.AUTO_REUSE):
        for _ in range(2):
            tf.layers.conv2d(image, 2, 3, name="c", kernel_regularizer=tf.reduce_sum)
    layer = tf.layers.Dense(3)
    assert layer(flat) is not layer(flat)
    assert [v.name for v in layer.variables] == ["dense/kernel:0", "dense/bias:0"]
    with pytest.raises(ValueError, match="already exists"):
        [tf.layers.dense(flat, 4, name="twice") for _ in range(2)]
    assert sorted(variables()) == [
        "dense/bias:0",
        "dense/kernel:0",
        "net/fc/bias:0",
        "net/fc/kernel:0",
        "other/c/bias:0",
        "other/c/kernel:0",
        "twice/bias:0",
        "twice/kernel:0",
    ]
    assert (one.op.name, two.op.name) == ("net/fc/BiasAdd", "net/fc_1/BiasAdd")
    assert len(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)) == 1


def test_apply_and_a_layer_of_ones_own_give_no_warning():
    class Scale(tf.layers.Layer):
        def build(self, shape):
            self.by = self.add_variable("by", [int(shape[-1])])
            self.built = True

        def call(self, inputs):
            return inputs * self.by

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tf.layers.Dense(3).apply(tf.zeros([2, 5]))
        Scale().apply(tf.zeros([2, 5]))
    assert "scale/by:0" in variables()
    assert isinstance(tf.layers.Dense(3), tf.layers.Layer)
    assert isinstance(tf.layers.BatchNormalization(), tf.layers.Layer)


# shape, arguments, y, moving mean, moving variance; first entries of each
BATCH_NORM = [
    (
        [4, 3],
        {},
        [-0.27408, 1.1204, 0.95791],
        [0.12054, 0.11482, 0.09548],
        [0.95604, 1.3497, 1.73796],
    ),
    (
        [2, 3, 3, 2],
        {},
        [-0.06937, 1.14327, 1.25398],
        [0.1143, 0.11117],
        [1.34981, 1.37145],
    ),
    (
        [2, 3, 3, 2],
        {"fused": False},
        [-0.06937, 1.14327, 1.25398],
        [0.1143, 0.11117],
        [1.32482, 1.34526],
    ),
    (
        [2, 3, 4],
        {"axis": 1},
        [-0.86159, 0.83612, 0.97296],
        [0.22811, -0.01957, 0.1282],
        [1.121, 1.16153, 1.42015],
    ),
    (
        [2, 3, 4],
        {"axis": [1, 2]},
        [0.99923, 0.99875, -0.96799],
        [0.01951, 0.28925, 0.38499],
        [0.96478, 0.93994, 0.90149],
    ),
]


def wave(shape):
    return np.sin(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


@pytest.mark.parametrize("how", ["constant", "placeholder"])
@pytest.mark.parametrize(("shape", "arguments", "out", "mean", "variance"), BATCH_NORM)
def test_batch_normalization_has_the_numbers_of_tensorflow_1(
    shape, arguments, out, mean, variance, how
):
    training = tf.placeholder(tf.bool, []) if how == "placeholder" else True
    feed = {training: True} if how == "placeholder" else {}
    x = tf.constant(wave(shape) * 3 + 1)
    y = tf.layers.batch_normalization(x, momentum=0.9, training=training, **arguments)
    updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
    assert len(updates) == 2
    averages = tf.global_variables()[-2:]
    assert [v.op.name.split("/")[1] for v in averages] == ["moving_mean", "moving_variance"]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(sess.run(y, feed).ravel()[:3], out, atol=2e-5)
        sess.run(updates, feed)
        after = sess.run(averages)
        for value, expected in zip(after, (mean, variance), strict=True):
            np.testing.assert_allclose(value.ravel()[: len(expected)], expected, atol=2e-5)
        if feed:
            sess.run(updates, {training: False})
            np.testing.assert_array_equal(sess.run(averages[0]), after[0])


@pytest.mark.parametrize(
    ("axis", "training", "output", "mean", "variance"),
    [
        ([1], True, [-1.06798, -0.59332, -0.11866], [0.0225, 0.03625, 0.02375], 1.03437),
        ([2], True, [-1.38858, -0.86682, -0.33802], [0.03, 0.02833, 0.02667, 0.025], 1.03667),
        ([1, 2], True, [-0.99992, -0.99992, 0.9995], [0.025, 0.035, 0.01, 0.02], 1.0525),
        ([1, 2], False, [0.0, 0.9995, 1.999], [0.0, 0.0, 0.0, 0.0], 1.0),
        ([-1], False, [0.0, 0.9995, 1.999], [0.0, 0.0, 0.0, 0.0], 1.0),
    ],
)
def test_batch_normalization_over_one_axis_or_two(axis, training, output, mean, variance):
    x = np.arange(24).reshape(2, 3, 4).astype(np.float32) % 7
    layer = tf.layers.BatchNormalization(axis=axis, fused=False)
    y = layer(tf.constant(x), training=training)
    shape = [1, 3, 4] if len(axis) == 2 else [len(mean)]
    assert layer.moving_mean.shape.as_list() == layer.gamma.shape.as_list() == shape
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run([y, *tf.get_collection(tf.GraphKeys.UPDATE_OPS)])[0]
        averages = sess.run([layer.moving_mean, layer.moving_variance])
    np.testing.assert_allclose(found.ravel()[:3], output, atol=1e-5)
    np.testing.assert_allclose(averages[0].ravel()[:4], mean, atol=1e-5)
    np.testing.assert_allclose(averages[1].ravel()[0], variance, atol=1e-5)


def test_batch_normalization_outside_training_uses_the_averages():
    x = tf.constant(wave([2, 3, 3, 2]) * 3 + 1)
    y = tf.layers.batch_normalization(x, center=False)
    assert tf.get_collection(tf.GraphKeys.UPDATE_OPS) == []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(
            sess.run(y).ravel()[:3], [0.9995, 3.52265, 3.72603], atol=2e-5
        )  # 1.15.5


@pytest.mark.parametrize("what", ["virtual_batch_size", "adjustment"])
def test_batch_normalization_says_what_it_does_not_do(what):
    with pytest.raises(NotImplementedError, match=f"{what}=...\\) is gone since TensorFlow 2.16"):
        tf.layers.batch_normalization(tf.zeros([2, 3]), **{what: 1})
    with pytest.raises(ValueError, match="Invalid axis: 5"):
        tf.layers.batch_normalization(tf.zeros([2, 3]), axis=5)


def image_classes():
    """Batches of noisy images whose class is where they are bright, from a queue."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 120)
    images = rng.normal(0, 0.3, (120, 9, 9, 1)).astype(np.float32)
    for image, label in zip(images, labels, strict=True):
        image[:, 3 * label : 3 * label + 3] += 1
    image, label = tf.train.slice_input_producer([images, labels], seed=2)
    return tf.train.batch([image, label], 30)


def pooled(x):
    x = tf.layers.conv2d(x, 6, 3, activation=tf.nn.relu)
    x = tf.layers.max_pooling2d(x, 2, 2)
    return tf.layers.flatten(x)


def normalized(x):
    x = tf.layers.conv2d(x, 6, 3, use_bias=False)
    return tf.layers.flatten(tf.nn.relu(tf.layers.batch_normalization(x, training=True)))


def recurrent(x):
    rows = tf.transpose(tf.squeeze(x, 3), [0, 2, 1])
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(12) for _ in range(2)])
    return tf.nn.dynamic_rnn(cell, rows, dtype=tf.float32)[1][-1].h


MODELS = {
    "pooled": pooled,
    "normalized": normalized,
    "recurrent": recurrent,
    "separable": lambda x: tf.layers.flatten(
        tf.layers.average_pooling2d(
            tf.layers.separable_conv2d(x, 6, 3, activation=tf.nn.relu), 2, 2
        )
    ),
    "transposed": lambda x: tf.layers.flatten(
        tf.layers.conv2d_transpose(tf.layers.conv2d(x, 4, 3, strides=3), 2, 3, strides=3)
    ),
    "lines": lambda x: tf.layers.flatten(
        tf.layers.max_pooling1d(tf.layers.conv1d(tf.squeeze(x, 3), 6, 3), 2, 2)
    ),
    "dropped": lambda x: tf.layers.dropout(
        tf.layers.dense(tf.layers.flatten(x), 32, tf.nn.relu), 0.3, training=True
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_little_model_learns_from_a_queue(name):
    tf.set_random_seed(3)
    images, labels = image_classes()
    logits = tf.layers.dense(MODELS[name](images), 3)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        step = tf.train.AdamOptimizer(0.02).minimize(loss)
    with tfqueue.managed_session() as sess:
        before = np.mean([sess.run(loss) for _ in range(4)])
        for _ in sess.batches(step, steps=40):
            pass
        after = np.mean([sess.run(loss) for _ in range(4)])
        assert after < before / 3
        if name == "normalized":
            [mean] = [v for v in tf.global_variables() if v.op.name.endswith("/moving_mean")]
            assert np.abs(sess.run(mean)).max() > 0
