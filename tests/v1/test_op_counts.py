"""The seed of a random op is how many ops stand before it; what is counted otherwise than built counts as in TensorFlow 1."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import release


def _lstm(x, sizes):
    cells = [tf.nn.rnn_cell.BasicLSTMCell(size) for size in sizes]
    return tf.nn.dynamic_rnn(tf.nn.rnn_cell.MultiRNNCell(cells), x, dtype=tf.float32)


def _next(dataset):
    return dataset.make_one_shot_iterator().get_next()


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
_DATA = tf.data.Dataset
_FED = (tf.int32, [])
_BUILT = {  # what comes in, what is made of it, and how many ops that is
    "rows": ([_FED], lambda i: tf.nn.embedding_lookup(tf.ones([3, 2]), i), (2, 4, 4)),
    "gather": ([_FED], lambda i: tf.gather([1, 2], i), (2, 3, 3)),
    "zeros": ([_FED], lambda n: tf.zeros([n, 5]), (4, 8, 8)),
    "ones of one size": ([_FED], lambda n: tf.ones([n]), (3, 5, 5)),
    "zeros of three sizes": ([_FED], lambda n: tf.zeros((n, 5, 6)), (5, 11, 11)),
    "zeros of two that are fed": ([_FED], lambda n: tf.zeros([5, n, n, 3]), (5, 12, 12)),
    "zeros, more than a thousand": ([], lambda: tf.zeros([40, 50]), (1, 3, 3)),
    "zeros, few": ([], lambda: tf.zeros([2, 3]), (1, 1, 1)),
    "mean of a number": ([(tf.float32, [])], lambda x: tf.reduce_mean(x), (2, 2, 2)),
    "mean of a list": ([(tf.float32, [None])], lambda x: tf.reduce_mean(x), (2, 2, 2)),
    "leaky_relu": ([(tf.float32, [None])], lambda x: tf.nn.leaky_relu(x), (3, 3, 1)),
    "transpose": ([(tf.float32, [None, 4])], lambda x: tf.transpose(x), (8, 8, 2)),
    "transpose as told": ([(tf.float32, [None, 4])], lambda x: tf.transpose(x, [1, 0]), (2, 2, 2)),
    "eye": ([], lambda: tf.eye(3), (2, 2, 2)),
    "eye of three and four": ([], lambda: tf.eye(3, 4), (3, 3, 3)),
    "linspace": ([], lambda: tf.linspace(0.0, 1.0, 3), (4, 4, 4)),
    "mean of segments": (
        [(tf.float32, [6]), (tf.int32, [6])],
        lambda x, i: tf.unsorted_segment_mean(x, i, 3),
        (None, 12, 12),
    ),
    "segments by the root": (
        [(tf.float32, [None, 4]), (tf.int32, [None])],
        lambda x, i: tf.unsorted_segment_sqrt_n(x, i, 3),
        (None, 13, 13),
    ),
    "weighted_moments": (
        [(tf.float32, [None, 4])],
        lambda x: tf.nn.weighted_moments(x, [0, 1], 2.0),
        (17, 17, 17),
    ),
    "random_gamma": ([], lambda: tf.random_gamma([2], 1.0), (9, 9, 9)),
    "slices": (
        [],
        lambda: _next(_DATA.from_tensor_slices([1, 2]).map(lambda x: x + 1).batch(2)),
        (3, 6, 9),
    ),
    "shuffled": (
        [],
        lambda: _next(_DATA.from_tensor_slices([1, 2]).shuffle(4, seed=1).batch(2).repeat()),
        (7, 17, 21),
    ),
    "range": ([], lambda: _next(_DATA.range(5).filter(lambda x: x > 2)), (4, 6, 8)),
    "padded": ([], lambda: _next(_DATA.range(5).padded_batch(2, [])), (6, 10, 12)),
    "range, used many times": (
        [],
        lambda: _DATA.range(5).batch(2).make_initializable_iterator().get_next(),
        (None, 11, 14),
    ),
    "files, used many times": (
        [],
        lambda: tf.data.TextLineDataset(["a"]).batch(2).make_initializable_iterator().get_next(),
        (9, 11, 15),
    ),
    "records, used many times": (
        [],
        lambda: tf.data.TFRecordDataset(["a"]).batch(2).make_initializable_iterator().get_next(),
        (9, 12, 15),
    ),
    "arrays": (
        [],
        lambda: tf.estimator.inputs.numpy_input_fn({"x": np.ones(8)}, np.ones(8), shuffle=True)(),
        (19, 19, 19),
    ),
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


@pytest.mark.parametrize("name", _BUILT)
def test_what_is_built_counts_as_in_the_release(name, known):
    given, function, expected = _BUILT[name]
    if expected[known] is not None:
        assert _counted(function, *given) == expected[known]


@pytest.mark.parametrize(
    ("of", "few", "many"), [("1.5", 1, 1), ("1.6", 3, 3), ("1.7", 3, 3), ("1.8", 1, 3)]
)
@pytest.mark.parametrize("function", [tf.zeros, tf.ones])
def test_zeros_were_always_filled_in_1_6_and_1_7(function, of, few, many):
    former = release.assume(of)
    try:
        assert _counted(lambda: function([2, 3])) == few
        assert _counted(lambda: function([40, 50])) == many
    finally:
        release.assume(former)


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


EAGER = """
import tensorflow as tf
import numpy as np

tf.enable_eager_execution()
print([x.numpy().tolist() for x in tf.data.Dataset.range(5).map(lambda x: x * 2).repeat(1).batch(2)])
print(tf.data.Dataset.from_tensor_slices(np.arange(4)).shuffle(4).make_one_shot_iterator().get_next().shape)
x, ones = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.ones([1, 4, 4, 1])
print(tf.gather(x, [1]).numpy(), tf.nn.embedding_lookup(x, [0]).numpy(), tf.transpose(x).numpy()[0])
print(tf.eye(2).numpy().sum(), tf.zeros([tf.constant(2), 3]).shape, tf.reduce_sum(x[0, 0]).numpy())
print(tf.nn.leaky_relu(-x[0]).numpy(), tf.linspace(0.0, 1.0, 3).numpy(), tf.random_gamma([2], 1.0).shape)
print(tf.split(x, 2)[0].shape, tf.tensordot(x, x, 1).numpy()[1], tf.losses.mean_squared_error([1.0], [3.0]).numpy())
print(tf.layers.flatten(ones).shape, tf.layers.conv2d(ones, 2, 3).shape, tf.nn.dropout(ones, 0.5).shape)
print(tf.layers.conv2d_transpose(ones, 2, 3).shape, tf.layers.batch_normalization(ones, training=True).shape)
print(tf.layers.dense(x, 3).shape, tf.random_uniform([2]).shape, tf.matmul(x, x).numpy()[0])


@tf.contrib.eager.defun
def inside(x):
    return tf.gather(x, [0]) + tf.reduce_sum(x) + tf.zeros([tf.shape(x)[0]])[0]


print(inside(x[0]).numpy())
"""

BY_1_15 = [
    "[[0, 2], [4, 6], [8]]",
    "()",
    "[[3. 4.]] [[1. 2.]] [1. 3.]",
    "2.0 (2, 3) 1.0",
    "[-0.2 -0.4] [0.  0.5 1. ] (2,)",
    "(1, 2) [15. 22.] 4.0",
    "(1, 16) (1, 2, 2, 2) (1, 4, 4, 1)",
    "(1, 6, 6, 2) (1, 4, 4, 1)",
    "(2, 3) (2,) [ 7. 10.]",
    "[4.]",
]


@pytest.mark.parametrize("era", ["1.5", "1.12", "1.15"])
def test_in_eager_mode_nothing_is_counted(tmp_path, era):
    """What is expected was printed by 1.15.5."""
    (tmp_path / "old.py").write_text(EAGER)
    done = children.run(["-m", "tfqueue", "run", "--era", era, "old.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == BY_1_15
