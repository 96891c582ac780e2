"""Which layers `model.trainable = False` reaches; printed by TensorFlow 1.8.0, 1.13.2 and 1.15.5 and by the package keras 2.2.4."""

import pytest

import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
L = tf.keras.layers


@pytest.fixture(autouse=True)
def of_no_keras():
    yield
    release.assume_keras(False)


@pytest.mark.parametrize(("when", "alone"), [("keras", True), ("1.13", True), ("1.15", False)])
def test_which_layers_are_frozen(when, alone):
    release.assume_keras(when == "keras")
    release.assume(None if when == "keras" else when)
    model = tf.keras.Sequential([L.Dense(2, input_shape=(3,)), L.BatchNormalization(), L.Dense(2)])
    whole = tf.keras.Sequential([model])
    model.layers[0].trainable = False
    model.trainable = False
    assert [one.trainable for one in model.layers] == [False, alone, alone]
    assert (len(model.trainable_weights), len(model.updates), len(whole.updates)) == (0, 0, 0)
    model.trainable = True
    assert [one.trainable for one in model.layers] == [not alone, True, True]
    assert len(model.trainable_weights) == (4 if alone else 6)
    for wrapped in (L.TimeDistributed(L.Dense(2)), L.Bidirectional(L.LSTM(2))):
        wrapped.trainable = False
        assert not getattr(wrapped, "forward_layer", wrapped.layer).trainable


PROGRAM = """
import numpy as np
{imports}
K.get_session()
D = Sequential([Dense(1, input_shape=(2,)), BatchNormalization(momentum=.5)])
D.compile("sgd", "mse")
D.trainable = False
D.set_weights([w * 0 + 1 for w in D.get_weights()])
D.train_on_batch(np.array([[0., 1], [3, 4]]), np.ones((2, 1)))
print(["%.2f" % v[0] for v in D.get_weights()[-2:]])
"""
KERAS = "from keras import backend as K; from keras.layers import *; from keras.models import *"


@pytest.mark.parametrize(
    ("imports", "era", "expected"),
    [
        (KERAS, "1.12", "['1.00', '1.00']\n"),
        (KERAS.replace("keras", "tensorflow.keras", 3), "1.13", "['1.00', '1.00']\n"),
        (KERAS.replace("keras", "tensorflow.keras", 3), "1.15", "['3.00', '5.00']\n"),
    ],
)
def test_the_averages_of_a_model_that_was_frozen_behind_compile(tmp_path, imports, era, expected):
    (tmp_path / "old.py").write_text(PROGRAM.format(imports=imports))
    done = children.run(["-m", "tfqueue", "run", "--era", era, "old.py"], cwd=tmp_path)
    assert done.stdout == expected, done.stderr
