"""The seed of a random op is how many ops stand before it; what is counted otherwise than built counts as in TensorFlow 1."""

import pytest

import tfqueue.v1 as tf
from tfqueue import release


def _lstm(x, sizes):
    cells = [tf.nn.rnn_cell.BasicLSTMCell(size) for size in sizes]
    return tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, dtype=tf.float32)


_FLAG = "a bool that is fed"
_MADE = {
    "dense": (lambda x: tf.layers.dense(x, 3), (None, 5, 4), (54, 40, 40)),
    "dense of known size": (lambda x: tf.layers.dense(x, 3), (2, 5, 4), (26, 26, 26)),
    "conv2d": (lambda x: tf.layers.conv2d(x, 4, 3), (None, 8, 8, 3), (17, 17, 17)),
    "contrib.conv2d": (lambda x: tf.contrib.layers.conv2d(x, 4, 3), (None, 8, 8, 3), (18,) * 3),
    "conv2d_transpose": (
        lambda x: tf.layers.conv2d_transpose(x, 4, 3, strides=2),
        (None, 8, 8, 3),
        (39, 39, 43),
    ),
    "flatten": (lambda x: tf.layers.flatten(x), (None, 8, 8, 3), (8, 8, 8)),
    "flatten of known size": (lambda x: tf.layers.flatten(x), (2, 8, 8, 3), (8, 8, 2)),
    "split": (lambda x: tf.split(x, 3, 1), (None, 3), (3, 3, 3)),
    "tensordot": (lambda x: tf.tensordot(x, x, [[1], [1]]), (2, 4), (11, 11, 11)),
    "loss": (lambda x: tf.losses.mean_squared_error(x, x), (None, 4), (42, 42, 32)),
    "lstm": (lambda x: _lstm(x, (3,)), (None, 5, 4), (None, 159, 159)),
    "two lstms": (lambda x: _lstm(x, (3, 3)), (None, 5, 4), (None, 225, 225)),
    "dropout": (lambda x: tf.layers.dropout(x, 0.5, training=True), (None, 4), (12, 12, 16)),
}
_NORMALIZED = {  # training, with gamma
    (True, True): ((28, 30, 30), (40, 40, 40)),
    (False, True): ((18, 18, 18), (24, 24, 24)),
    (_FLAG, True): ((53, 52, 52), (68, 72, 72)),
    (True, False): ((25, 27, 27), (35, 35, 35)),
    (False, False): ((15, 15, 15), (19, 19, 19)),
    (_FLAG, False): ((50, 49, 49), (63, 67, 67)),
}


@pytest.fixture(params=["1.4", "1.12", "1.15"])
def known(request):
    """Which of the three releases the program is known to be from."""
    former = release.assume(request.param)
    yield ["1.4", "1.12", "1.15"].index(request.param)
    release.assume(former)


def _counted(function, *arguments):
    """How many ops a function counts as."""
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        given = [tf.placeholder(*argument) for argument in arguments]
        before = tf.get_seed(None)[1]
        function(*given)
        return tf.get_seed(None)[1] - before


@pytest.mark.parametrize("name", _MADE)
def test_what_is_made_counts_as_in_the_release(name, known):
    function, shape, expected = _MADE[name]
    if expected[known] is not None:
        assert _counted(function, (tf.float32, shape)) == expected[known]


@pytest.mark.parametrize(("training", "scale"), _NORMALIZED)
@pytest.mark.parametrize("shape", [(None, 8, 8, 3), (None, 3)])
def test_batch_normalization_counts_as_in_the_release(shape, training, scale, known):
    def normalized(x, flag):
        given = flag if training is _FLAG else training
        tf.layers.batch_normalization(x, training=given, scale=scale)

    expected = _NORMALIZED[training, scale][len(shape) == 2][known]
    assert _counted(normalized, (tf.float32, shape), (tf.bool, [])) == expected


def test_first_values_behind_layers_are_those_of_1_15_5():
    """Of `tf.layers` one behind the other, the last one's kernel."""
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        x = tf.ones([2, 8, 8, 3])
        x = tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu)
        x = tf.layers.batch_normalization(x, training=True)
        x = tf.layers.dropout(tf.layers.flatten(x), 0.5, training=True)
        tf.layers.dense(x, 2)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            kernel = sess.run(tf.trainable_variables()[-2])
    assert kernel[0].tolist() == pytest.approx([0.08141002058982849, -0.0343502014875412], abs=1e-6)
