"""`keras.initializations` of Keras 1."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.port.libraries import keras_initializations as initializations
from tfqueue.port.libraries import keras_parts
from tfqueue.port.rules import engine

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")


def values(*variables):
    with tf.Session() as session:
        return session.run([variable.initial_value for variable in variables])


@pytest.fixture(autouse=True)
def a_graph():
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("uniform", 0.05),
        ("lecun_uniform", (3 / 40) ** 0.5),
        ("glorot_uniform", (6 / 100) ** 0.5),
        ("he_uniform", (6 / 40) ** 0.5),
    ],
)
def test_uniform_ones_stay_in_their_limits(name, limit):
    (drawn,) = values(initializations.get(name)((40, 60), name="W"))
    assert drawn.shape == (40, 60)
    assert 0.9 * limit < np.abs(drawn).max() <= limit


@pytest.mark.parametrize(
    ("name", "deviation"),
    [("normal", 0.05), ("glorot_normal", (2 / 100) ** 0.5), ("he_normal", (2 / 40) ** 0.5)],
)
def test_normal_ones_have_their_deviation(name, deviation):
    (drawn,) = values(getattr(initializations, name)((40, 60)))
    assert abs(drawn.std() / deviation - 1) < 0.1


def test_the_others():
    zero, one, eye, turned, wide = values(
        initializations.zero((2,)),
        initializations.one((2, 1)),
        initializations.identity((2, 2), scale=3),
        initializations.orthogonal((3, 3)),
        initializations.orthogonal((2, 4)),
    )
    assert zero.tolist() == [0, 0]
    assert one.tolist() == [[1], [1]]
    assert eye.tolist() == [[3, 0], [0, 3]]
    assert np.allclose(turned @ turned.T, 1.1**2 * np.eye(3), atol=1e-5)
    assert np.allclose(wide @ wide.T, 1.1**2 * np.eye(2), atol=1e-5)
    with pytest.raises(ValueError, match="square"):
        initializations.identity((2, 3))


def test_a_layer_begins_with_the_value_of_the_variable():
    def own(shape, name):
        return initializations.identity(shape, scale=2, name=name)

    layer = tf.keras.layers.Dense(3, kernel_initializer=initializations.initializer(own))
    layer.build((None, 3))
    assert values(layer.kernel)[0].tolist() == (2 * np.eye(3)).tolist()
    assert keras_parts.collect_trainable_weights(layer) == [layer.kernel, layer.bias]
    for other in ("uniform", tf.keras.initializers.Ones(), None, len):
        assert initializations.initializer(other) is other


def test_a_program_imports_it():
    text = (
        "import tensorflow as tf\nfrom keras.initializations import normal\nfrom keras import initializations\n"
        "from keras.layers import Dense\nx = Dense(1, init=own), Dense(1, init='one'), initializations.get(y)\n"
    )
    found = engine.translate(text, "old.py").text.splitlines()
    home = "tfqueue.port.libraries"
    assert f"from {home}.keras_initializations import initializer" in found
    assert f"import {home}.keras_1_methods" in found
    assert f"from {home}.keras_initializations import normal" in found
    assert f"from {home} import keras_initializations as initializations" in found
    assert found[-1] == (
        "x = Dense(1, kernel_initializer=initializer(own)), Dense(1, kernel_initializer='one'), "
        "initializations.get(y)"
    )
