"""`tf.contrib.ndlstm` of 1.4: what needs no weights, and its modules. Its LSTMs: `test_numeric_packages`."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

ndlstm = tf.contrib.ndlstm


def run(value):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return sess.run(value)


def test_images_and_sequences():
    images = np.arange(60).reshape(2, 3, 5, 2)
    sequence = ndlstm.images_to_sequence(tf.constant(images))
    back = ndlstm.sequence_to_images(sequence, 2)
    found, again = run([sequence, back])
    assert found.tolist() == images.transpose(2, 0, 1, 3).reshape(5, 6, 2).tolist()
    assert again.tolist() == images.tolist()


def test_labels_as_ones():
    planes = run(ndlstm.one_hot_planes(tf.constant([0, 3]), 4))
    assert planes.tolist() == [[[[1, 0, 0, 0]]], [[[0, 0, 0, 1]]]]
    mask = run(ndlstm.one_hot_mask(tf.constant([[[0], [2]]]), 3))
    assert mask.tolist() == [[[1, 0, 0], [0, 0, 1]]]
    assert mask.dtype == planes.dtype == np.float32
    with pytest.raises(tf.errors.InvalidArgumentError):
        run(ndlstm.one_hot_mask(tf.constant([[[3]]]), 3))


def test_the_weights_of_a_softmax_are_a_models_variables():
    ndlstm.sequence_softmax(tf.ones([2, 1, 3]), 2)
    names = [v.op.name for v in tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)]
    assert names == ["SequenceSoftmax/weights", "SequenceSoftmax/biases"]
    assert tf.trainable_variables() == tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)


@pytest.mark.parametrize(("of", "depth"), [("1.2", 4), (None, 3)])
def test_the_depth_between_by_position_up_to_1_2(of, depth):
    images = tf.ones([1, 2, 2, 1])
    release.assume(of)
    try:
        ndlstm.separable_lstm(images, 3, *([4] if of else []))
    finally:
        release.assume(None)
    shapes = {v.op.name: v.shape.as_list() for v in tf.trainable_variables()}
    [kernel] = [name for name in shapes if "vertical/HorizontalLstm/rl" in name and name[-1] == "l"]
    assert shapes[kernel] == [depth + 2, 8]


def test_its_modules():
    inside = importlib.import_module("tfqueue.v1.contrib.ndlstm.python.lstm2d")
    assert inside.separable_lstm is ndlstm.separable_lstm
    python = importlib.import_module("tfqueue.v1.contrib.ndlstm.python")
    assert python.lstm1d.ndlstm_base is python.ndlstm_base is ndlstm.lstm1d.ndlstm_base
