"""What a layer of a program's own counts as its own. Expected values are those of each release from 1.4.1 to 1.15.5."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

ALONE = """
import numpy as np
import tensorflow as tf

K, layers = tf.keras.backend, tf.keras.layers


class Own(layers.Layer):
    def build(self, input_shape):
        self.scale = K.variable(np.ones(()))
        self.listed = [K.variable(np.ones(()))]
        self.inner = layers.Dense(2, kernel_regularizer="l2")
        self.inner.build(input_shape)
        self.several = [layers.Dense(2)]
        self.several[0].build(input_shape)
        self.built = True

    def call(self, x):
        return self.several[0](self.inner(x)) * self.scale * self.listed[0]

    def compute_output_shape(self, input_shape):
        return input_shape


model = tf.keras.models.Sequential([layers.Dense(2, input_shape=(3,)), Own()])
print(len(model.layers[-1].trainable_weights), len(model.losses))
"""


@pytest.mark.parametrize(
    ("era", "counts"),
    [("1.4", "0 0"), ("1.12", "0 0"), ("1.13", "3 1"), ("1.14", "6 1"), ("1.15", "6 1")],
)
def test_what_a_layer_is_given_as_an_attribute_is_its_own_since_then(tmp_path, era, counts):
    (tmp_path / "old.py").write_text(ALONE)
    done = children.run(["-m", "tfqueue", "run", "--era", era, "old.py"], cwd=tmp_path)
    assert done.stdout == f"{counts}\n", done.stderr
