"""`tf.contrib.periodic_resample`; the values are those of TensorFlow 1.15.5."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf

resample = tf.contrib.periodic_resample.periodic_resample
# sizes of the values, the shape, and the values' places, counted through all dimensions
CASES = [
    ((3, 4), [6, None], np.arange(12).reshape(6, 2)),
    ((3, 4), np.array([5, None]), np.arange(10).reshape(5, 2)),
    ((3, 4), [4, None], [[0, 1, 2], [3, 4, 5], [4, 5, 6], [7, 8, 9]]),
    ((4, 3), [None, 3], np.arange(12).reshape(4, 3)),
    (
        (2, 2, 4),
        tf.TensorShape([4, 4, None]),
        [[0, 2, 4, 6], [1, 3, 5, 7], [8, 10, 12, 14], [9, 11, 13, 15]],
    ),
    (
        (2, 6, 2),
        [3, None, 4],
        [
            [[0, 8, 1, 9], [2, 10, 3, 11]],
            [[4, 12, 5, 13], [6, 14, 7, 15]],
            [[12, 20, 13, 21], [14, 22, 15, 23]],
        ],
    ),
]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(("sizes", "shape", "places"), CASES)
def test_values_go_into_other_dimensions(sizes, shape, places, known):
    values = np.arange(np.prod(sizes)).reshape(sizes)
    fed = tf.placeholder(tf.int64, sizes if known else None)
    found = resample(fed, shape)
    with tf.Session() as sess:
        made = sess.run(found, {fed: values})
    assert made.ravel().tolist() == np.ravel(places).tolist()
    wanted = [made.shape[dim] if known or size else None for dim, size in enumerate(list(shape))]
    assert found.shape.as_list() == wanted
    assert found.op.name == "PeriodicResample"


def test_its_gradient():
    x = tf.constant(np.arange(16.0).reshape(2, 2, 4))
    slope = tf.gradients(tf.reduce_sum(resample(x, [4, 4, None]) ** 2), x)[0]
    with tf.Session() as sess:
        assert sess.run(slope).ravel().tolist() == [2 * value for value in range(16)]


@pytest.mark.parametrize(
    ("sizes", "shape", "says"),
    [
        ((2, 2), [None, None], "one index"),
        ((2, 2), [2, 2], "one index"),
        ((1, 2, 2, 4), [None, 4, 4], "expects the rank"),
        ((1, 2, 2, 4), [None, 4, 4, 1], "smaller than that of the values"),
        ((2, 2), [5, None], "greater than zero"),
        ((4, 3), [None, 4], "behind the values"),  # 1.15 gave what lay there in memory
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_what_is_refused(sizes, shape, says, known):
    fed = tf.placeholder(tf.float32, sizes if known else None)
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError, match=says):
        sess.run(resample(fed, shape), {fed: np.zeros(sizes)})


def test_its_modules():
    name = "tfqueue.v1.contrib.periodic_resample.python.ops.periodic_resample_op"
    assert importlib.import_module(name).periodic_resample is resample
