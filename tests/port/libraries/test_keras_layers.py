"""What the package keras read of a layer of the program's own. Expected values are those of Keras 1.2.2, 2.0.8 and 2.2.4."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

UPDATES = r"""
import numpy as np
from keras import backend as K
from keras.engine.topology import Layer
from keras.models import Sequential


class Counts(Layer):
    def __init__(self, how, **words):
        self.how = how
        super(Counts, self).__init__(**words)

    def build(self, input_shape):
        self.count = K.variable(np.zeros(()))
        if self.how == "updates":
            self.updates = [(self.count, self.count + 1)]
        super(Counts, self).build(input_shape)

    def call(self, x, mask=None):
        if self.how == "pairs":
            self.add_update([(self.count, self.count + 1)], x)
        if self.how == "pair":
            self.add_update((self.count, self.count + 3), x)
        if self.how == "op":
            self.add_update(K.update_add(self.count, 2), x)
        return x * 2


for how in ("pairs", "pair", "op"):
    model = Sequential([Counts(how, input_shape=(3,))])
    model.compile("sgd", "mse")
    for _ in range(2):
        model.train_on_batch(np.ones((4, 3)), np.ones((4, 3)))
    print(how, K.get_value(model.layers[0].count))
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (UPDATES, "pairs 2.0\npair 6.0\nop 4.0\n"),
        (
            UPDATES.replace('("pairs"', '("updates", "pairs"'),
            "updates 2.0\npairs 2.0\npair 6.0\nop 4.0\n",
        ),
    ],
    ids=["2", "1"],
)
def test_a_pair_of_a_variable_and_its_new_value_is_an_update(tmp_path, text, expected):
    (tmp_path / "old.py").write_text(text)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected


FIRST_VALUES = """
import numpy as np
from keras import backend as K, initializations
from keras.engine import Layer
from keras.layers import Input
from keras.models import Model


def own(shape, name=None):
    return initializations.identity(shape, scale=3, name=name)


class Scaled(Layer):
    def build(self, input_shape):
        size = input_shape[1]
        self.a = self.add_weight((size,), initializer=initializations.get('one'), name='a')
        self.b = self.add_weight((size, size), initializer=own, name='b')
        self.c = self.add_weight((size,), initializer='zero', name='c', trainable=False)
        super(Scaled, self).build(input_shape)

    def call(self, x, mask=None):
        return K.dot(x * self.a, self.b) + self.c

    def get_output_shape_for(self, input_shape):
        return input_shape


given, layer = Input((2,)), Scaled()
model = Model(given, layer(given))
model.compile("sgd", "mse")
print(model.predict_on_batch(np.array([[1.0, 2.0]])).tolist(), len(layer.trainable_weights))
print([weight.tolist() for weight in model.get_weights()])
"""


def test_a_function_of_keras_1_makes_the_first_value_of_a_weight(tmp_path):
    """Keras 1.2.2 printed this."""
    (tmp_path / "old.py").write_text(FIRST_VALUES)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "[[3.0, 6.0]] 2",
        "[[1.0, 1.0], [[3.0, 0.0], [0.0, 3.0]], [0.0, 0.0]]",
    ]
