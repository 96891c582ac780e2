"""What arguments are when they are left out; the expected ones are TensorFlow 1.15.5's."""

import inspect

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.ledger.defaults import differing

DEFAULTS = {
    "read_keyed_batch_features": {
        "randomize_input": True,
        "num_epochs": None,
        "queue_capacity": 10000,
        "reader_num_threads": 1,
        "feature_queue_capacity": 100,
        "num_enqueue_threads": 2,
        "parse_fn": None,
        "name": None,
        "read_batch_size": None,
    },
    "read_batch_features": {
        "randomize_input": True,
        "num_epochs": None,
        "queue_capacity": 10000,
        "feature_queue_capacity": 100,
        "reader_num_threads": 1,
        "num_enqueue_threads": 2,
        "parse_fn": None,
        "name": None,
        "read_batch_size": None,
    },
}


def defaults(function):
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


@pytest.mark.parametrize("name", DEFAULTS)
def test_of_the_readers_of_features(name):
    assert defaults(getattr(tf.contrib.learn, name)) == DEFAULTS[name]


def test_of_all_functions_and_classes():
    assert differing("", but=("contrib.", "estimator.")) == []


def test_of_the_reader_of_examples():
    function = tf.contrib.learn.read_batch_examples
    assert [*inspect.signature(function).parameters] == [
        *("file_pattern", "batch_size", "reader", "randomize_input", "num_epochs"),
        *("queue_capacity", "num_threads", "read_batch_size", "parse_fn", "name", "seed"),
    ]


def test_of_the_data_sets_of_digits():
    found = defaults(tf.contrib.learn.datasets.mnist.DataSet.__init__)
    assert found == {
        "fake_data": False,
        "one_hot": False,
        "dtype": tf.float32,
        "reshape": True,
        "seed": None,
    }


def test_images_of_a_data_set_are_rows_of_floats():
    images = np.full([3, 2, 2, 1], 255, np.uint8)
    data = tf.contrib.learn.datasets.mnist.DataSet(images, np.arange(3))
    assert data.images.tolist() == [[1.0] * 4] * 3
    rows, labels = data.next_batch(2, fake_data=True)
    assert (np.shape(rows), labels) == ((2, 784), [0, 0])
    rows, labels = data.next_batch(2, shuffle=False)
    assert (rows.tolist(), labels.tolist()) == ([[1.0] * 4] * 2, [0, 1])


def test_a_renormalization_s_mean_follows_the_batches():
    layer = tf.layers.BatchNormalization(renorm=True, momentum=0.5)
    layer(tf.constant([[2.0], [4.0]]), training=True)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(40):
            sess.run(layer.updates)
        assert sess.run(layer.moving_mean) == pytest.approx([3.0], abs=0.3)


def test_limits_of_a_batch_renormalization_are_asked_for_where_there_is_one():
    tf.layers.BatchNormalization(renorm=False, renorm_clipping={"nope": 1})
    tf.layers.BatchNormalization(renorm=True, renorm_clipping={"rmax": 2})
    with pytest.raises(ValueError, match="contains keys not in"):
        tf.layers.BatchNormalization(renorm=True, renorm_clipping={"nope": 1})
