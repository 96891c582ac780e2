"""Models that are pickled, copied and saved. What is expected was printed by Keras 2.2.4 on TensorFlow 1.12.3."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """
import copy
import pickle
import numpy as np
import tensorflow as tf
from keras import layers, models

class Times(layers.Layer):
    def __init__(self, factor, **kw):
        super(Times, self).__init__(**kw)
        self.factor = factor
    def call(self, x):
        return x * self.factor

row = models.Sequential([layers.Dense(1, input_dim=2, kernel_initializer='ones')])
row.compile('sgd', 'mse', metrics=['mae'])
x, y = np.eye(2), np.ones((2, 1)) * 3
history = row.fit(x, y, epochs=1, verbose=0)
for model in (row, copy.deepcopy(row), copy.copy(row), pickle.loads(pickle.dumps(row)), pickle.loads(pickle.dumps(history)).model):
    print(type(model).__name__, ['%.4f' % v for v in model.train_on_batch(x, y)])
given = layers.Input((2,))
own = models.Model(given, layers.TimeDistributed(Times(2))(layers.Reshape((2, 1))(Times(3, name='own')(given))))
print(sorted(set(own.layers[1].get_config()) - {'batch_input_shape', 'dtype'}))
own.save('own.h5')
try:
    models.load_model('own.h5', custom_objects={'Times': Times})
except TypeError as error:
    print(str(error)[:51])
"""
SHOWN = """\
Sequential ['3.7636', '1.9400']
Sequential ['3.7636', '1.9400']
Sequential ['3.7636', '1.9400']
Sequential ['3.7636', '1.9400']
Sequential ['3.7636', '1.9400']
['name', 'trainable']
"""


def test_they_go_with_their_weights(tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    *shown, refused = done.stdout.splitlines(keepends=True)
    assert "".join(shown) == SHOWN, done.stderr
    assert "__init__" in refused


CONFIG = """
import tensorflow as tf
class Times(tf.keras.layers.Layer):
    def __init__(self, factor):
        super(Times, self).__init__()
try:
    print(Times(2).get_config()['name'])
except NotImplementedError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("era", "shown"),
    [
        ("1.14", "times"),
        ("1.15", "Layers with arguments in `__init__` must override `get_config`."),
    ],
)
def test_a_layer_with_arguments_needs_a_config_of_its_own_since_1_15(tmp_path, era, shown):
    (tmp_path / "old.py").write_text(CONFIG)
    done = children.run(["-m", "tfqueue", "run", "--era", era, "old.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [shown], done.stderr
