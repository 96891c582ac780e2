"""`tf.contrib.kernel_methods`: what it refuses, and its modules. Its numbers: `test_numeric_packages`."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError

kernel = tf.contrib.kernel_methods
LOGITS = np.zeros([2, 3], np.float32)


def test_a_mapper():
    inside = importlib.import_module(
        "tfqueue.v1.contrib.kernel_methods.python.mappers.random_fourier_features"
    )
    assert inside.RandomFourierFeatureMapper is kernel.RandomFourierFeatureMapper
    mapper = inside.RandomFourierFeatureMapper(3, 5)
    assert (mapper.input_dim, mapper.output_dim, mapper.name) == (3, 5, str(id(mapper)))
    assert kernel.RandomFourierFeatureMapper(3, 5, name="mine").name == "mine"
    dense = importlib.import_module(
        "tfqueue.v1.contrib.kernel_methods.python.mappers.dense_kernel_mapper"
    )
    assert isinstance(mapper, dense.DenseKernelMapper)
    for shape in ([2, 4], [3]):
        with pytest.raises(dense.InvalidShapeError, match="instead"):
            mapper.map(tf.zeros(shape))


@pytest.mark.parametrize(
    ("labels", "logits", "weights", "says"),
    [
        ([0, 1], LOGITS[0], 1.0, "logits should have rank 2"),
        ([0.0, 1.0], LOGITS, 1.0, "labels should be int32"),
        ([[[0, 1]]], LOGITS, 1.0, "labels should have rank"),
        ([0, 1], LOGITS, [[[1.0]]], "weights should have rank"),
        ([0, 1], LOGITS, [1.0, 1.0, 1.0], "incompatible"),
    ],
)
def test_what_is_refused(labels, logits, weights, says):
    with pytest.raises(ValueError, match=says):
        kernel.sparse_multiclass_hinge_loss(tf.constant(labels), tf.constant(logits), weights)


def test_a_loss_is_among_the_losses_and_its_labels_are_classes():
    labels = tf.placeholder(tf.int64, [None])
    loss = kernel.sparse_multiclass_hinge_loss(labels, tf.constant(LOGITS))
    assert tf.losses.get_losses() == [loss]
    with tf.Session() as sess:
        assert sess.run(loss, {labels: [2, 0]}) == 1
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(loss, {labels: [3, 0]})


def test_the_classifier_is_refused_by_name():
    with pytest.raises(GoneError, match=r"tf\.contrib\.learn\.LinearClassifier"):
        _ = kernel.KernelLinearClassifier
