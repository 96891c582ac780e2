"""Optimizers of a program's own on those of keras. What is expected was printed by Keras 2.2.4 on TensorFlow 1.12.3; 2.0.8 printed the same."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """
import numpy as np
import tensorflow as tf
from keras import backend as K, optimizers
from keras.optimizers import Adam, Optimizer, SGD
from keras.models import Model
from keras.layers import Dense, Input

class Scaled(SGD):
    def __init__(self, scale=1., **kw):
        super(Scaled, self).__init__(**kw)
        self.scale = scale
    def get_gradients(self, loss, params):
        grads = [tf.convert_to_tensor(g) for g in K.gradients(loss, params)]
        if hasattr(self, 'clipnorm') and self.clipnorm > 0:
            norm = K.sqrt(sum([K.sum(K.square(g)) for g in grads]))
            grads = [K.switch(norm >= self.clipnorm, g * self.clipnorm / norm, g) for g in grads]
        if hasattr(self, 'clipvalue') and self.clipvalue > 0:
            grads = [K.clip(g, -self.clipvalue, self.clipvalue) for g in grads]
        return [g * self.scale for g in grads]

class Signed(Adam):
    def get_updates(self, loss, params):
        self.updates, self.weights = [K.update_add(self.iterations, 1)], [self.iterations]
        for p, g in zip(params, self.get_gradients(loss, params)):
            self.updates.append(K.update(p, p - self.lr * self.beta_1 * K.sign(g)))
        return self.updates

class Plain(Optimizer):
    def __init__(self, lr=0.1, **kw):
        super(Plain, self).__init__(**kw)
        self.lr = K.variable(lr)
    def get_updates(self, loss, params):
        pairs = zip(params, self.get_gradients(loss, params))
        self.updates = [K.update(p, p - self.lr * tf.convert_to_tensor(g)) for p, g in pairs]
        return self.updates

class Same(optimizers.RMSprop):
    pass

drawn = np.random.RandomState(0)
x, y = drawn.randn(12, 3), drawn.randn(12, 2) * 3
given = Input((3,))
model = Model(given, Dense(2)(given))  # one layer: no gradient is computed from a variable that has changed
for optimizer in (
    Scaled(lr=.1, clipnorm=.5, scale=3.), Scaled(lr=.1), Signed(lr=.01, clipvalue=.1), Plain(clipnorm=.3),
    Plain(clipnorm=0, clipvalue=.3), Same(lr=.01, clipnorm=.3, decay=.01), Adam(clipnorm=.3),
):
    again = np.random.RandomState(1)
    model.set_weights([again.randn(*w.shape) * .3 for w in model.get_weights()])
    model.compile(optimizer, "mse")
    loss = model.fit(x, y, batch_size=4, epochs=3, verbose=0, shuffle=False).history["loss"]
    print(type(optimizer).__name__, isinstance(optimizer, Optimizer), hasattr(optimizer, "clipvalue"), ["%.3f" % v for v in loss])
try:
    model.compile(Plain(), lambda y_true, y_pred: K.mean(K.stop_gradient(y_pred)))
    model.train_on_batch(x, y)
except ValueError as error:
    print(str(error).split(":")[0])
"""
SHOWN = """\
Scaled True False ['10.942', '9.683', '8.647']
Scaled True False ['10.345', '7.584', '6.510']
Signed True True ['11.173', '10.960', '10.753']
Plain True False ['11.155', '10.872', '10.598']
Plain True True ['11.080', '10.406', '9.789']
Same True False ['11.078', '10.592', '10.291']
"""


def test_they_compute_as_in_keras_2_2(tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    shown, stock, refused = done.stdout.rsplit("\n", 3)[:3]
    assert f"{shown}\n" == SHOWN, done.stderr
    assert stock.startswith("Adam True")
    assert stock.endswith("['11.207', '11.180', '11.156']")
    assert refused == "An operation has `None` for gradient"
