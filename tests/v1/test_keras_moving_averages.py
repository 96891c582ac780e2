"""The averages of `BatchNormalization` after two batches.

The numbers were printed by the package keras 2.2.4, 2.1.6 (equal), 2.0.8 and 1.2.2 (equal) on TensorFlow 1.12.3.
"""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
pytestmark = [
    pytest.mark.usefixtures("no_session_of_keras"),
    pytest.mark.filterwarnings("ignore:the graph grew"),
]
AVERAGES = {
    ((2,), -1): (
        [[0.2252, -0.2353], [0.5934, 0.5817]],
        [[0.0428, -0.0447], [0.8663, 0.8652]],
    ),
    ((2, 2, 2), -1): (
        [[-0.0706, -0.1063], [0.649, 0.596]],
        [[-0.0134, -0.0202], [0.9044, 0.8967]],
    ),
    ((2, 2, 2), 1): (
        [[0.1946, -0.3715], [0.3982, 0.3364]],
        [[0.037, -0.0706], [0.8762, 0.8659]],
    ),
    ((2, 2, 2, 2), -1): (
        [[-0.0028, -0.0558], [0.5384, 0.5293]],
        [[-0.0005, -0.0106], [0.9059, 0.9043]],
    ),
}


@pytest.fixture
def keras():
    release.assume_keras()
    yield tf.keras
    release.assume_keras(False)
    release.assume_keras_1(False)


def after_two_batches(keras, shape, axis):
    x = keras.layers.Input(shape)
    layer = keras.layers.BatchNormalization(axis=axis, momentum=0.9)
    y = layer(x)
    step = keras.backend.function([x, keras.backend.learning_phase()], [y], updates=layer.updates)
    numbers = np.arange(2 * np.prod(shape)) * 0.7
    for k in range(2):
        step([np.cos(numbers + k).reshape(2, *shape), 1])
    kept = [keras.backend.get_value(one) for one in layer.weights[2:]]
    step([np.ones((2, *shape)), 0])  # changes nothing
    assert len(layer.weights) == 4
    for one, before in zip(layer.weights[2:], kept, strict=True):
        np.testing.assert_array_equal(keras.backend.get_value(one), before)
    return kept


@pytest.mark.parametrize("keras_1", [False, True])
@pytest.mark.parametrize(("shape", "axis"), AVERAGES)
def test_averages_follow_batches_as_in_the_package_keras(keras, shape, axis, keras_1):
    release.assume_keras_1(keras_1)
    found = after_two_batches(keras, shape, axis)
    np.testing.assert_allclose(found, AVERAGES[shape, axis][keras_1], rtol=0, atol=6e-5)


def test_those_of_tf_keras_begin_with_0_and_1():
    found = after_two_batches(tf.keras, (2,), -1)
    np.testing.assert_allclose(found, AVERAGES[(2,), -1][1], rtol=0, atol=6e-5)


def test_the_correction_is_no_weight_and_has_the_names_that_it_had(keras):
    with tf.Graph().as_default():
        x = keras.layers.Input((2,))
        keras.layers.BatchNormalization(name="bn")(x)
        names = [one.name for one in tf.global_variables()][4:]
        assert names == [
            *("bn/moving_mean/biased:0", "bn/moving_mean/local_step:0"),
            *("bn/moving_variance/biased:0", "bn/moving_variance/local_step:0"),
        ]
        assert [one.name for one in tf.trainable_variables()] == ["bn/gamma:0", "bn/beta:0"]
