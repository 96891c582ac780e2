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
