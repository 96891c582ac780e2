"""Averages of several batches of Keras 2, as the package keras 2.2.4 on TensorFlow 1.8 gave them."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

_PROGRAM = """
import numpy as np
{imports}
x = np.linspace(-1, 1, 30).reshape(10, 3); y = x[:, :1] ** 2; z = x[:, 1:] * 2
def made(several):
    i = Input((3,)); h = Dense(1, name="a")(i)
    m = Model(i, [h, Dense(2, name="b")(i)] if several else h)
    m.set_weights([np.linspace(-.5, .5, w.size).reshape(w.shape) for w in m.get_weights()])
    m.compile(optimizer="sgd", loss="mse")
    return m
def batches():
    while True:
        yield x[:4], y[:4]
        yield x[4:], y[4:]
from {backend} import backend as K
def r2(y_true, y_pred):
    return 1 - K.sum(K.square(y_true - y_pred)) / K.sum(K.square(y_true - K.mean(y_true)))
m = made(False); m.compile(optimizer="sgd", loss="mse", metrics=[r2, "mae"])
print(["%.4f" % v for v in m.evaluate(x, y, batch_size=4, verbose=0)])
m = made(True); m.compile(optimizer="sgd", loss="mse", metrics={{"b": r2}})
print(["%.4f" % v for v in m.evaluate(x, [y, z], batch_size=4, verbose=0)])
m = made(True)
print(np.round(m.evaluate(x, [y, z], batch_size=4, verbose=0), 4).tolist())
h = m.fit(x, [y, z], epochs=1, batch_size=4, verbose=0, shuffle=False).history
print(round(h["a_loss"][0], 4), round(h["b_loss"][0], 4))
m = made(False); m.compile(optimizer="sgd", loss="mse", metrics=["mae"])
m.fit(x, 5 * y, epochs=1, verbose=0)
print([m.test_on_batch(x, y)[1] == m.test_on_batch(x, y)[1] for _ in "ab" if m.evaluate(x, 9 * y, verbose=0)])
m = made(False)
print(round(m.evaluate_generator(batches(), 2), 4))
h = m.fit_generator(batches(), 2, epochs=1, verbose=0, validation_data=batches(), validation_steps=2).history
print(round(h["val_loss"][0], 4))
h = m.fit_generator(batches(), 2, epochs=1, verbose=0, validation_data=(x, y), validation_steps=1).history
print(round(h["val_loss"][0], 4))
np.random.seed(3)
m.fit(x, y, epochs=2, batch_size=4, verbose=0, shuffle=False, validation_data=(x, y))
print(round(np.random.rand(), 4))
h = m.fit(x, y, epochs=3, batch_size=4, verbose=0, validation_split=0.3).history
print(np.round(h["loss"], 4).tolist(), [round(float(w), 4) for w in m.get_weights()[0].ravel()])
"""
_OLD = """
['0.7259', '-29.1386', '0.7889']
['2.3563', '0.7259', '1.6304', '-17.2810']
[2.3563, 0.7259, 1.6304]
0.7214 1.6156
[True, True]
0.7259
0.6733
0.6253
0.5508
[0.4643, 0.4125, 0.3713] [-0.5493, -0.0342, 0.4808]
""".split("\n")[1:-1]
_KERAS = "from keras.models import Model\nfrom keras.layers import Input, Dense"
_TF = "import tensorflow as tf\nModel, Input, Dense = tf.keras.Model, tf.keras.Input, tf.keras.layers.Dense"


@pytest.mark.parametrize(
    ("imports", "backend", "options"),
    [(_KERAS, "keras", []), (_TF, "tensorflow.python.keras", ["--era", "1.8"])],
)
def test_a_batch_counts_as_often_as_it_has_examples(tmp_path, imports, backend, options):
    (tmp_path / "old.py").write_text(_PROGRAM.format(imports=imports, backend=backend))
    done = children.run(["-m", "tfqueue", "run", *options, "old.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == _OLD, done.stderr
