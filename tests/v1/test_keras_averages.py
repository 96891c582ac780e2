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


_MASKED = """
import numpy as np
{imports}
r = np.random.RandomState(5)
def setw(m):
    m.set_weights([(np.sin(np.arange(w.size) * .7 + i) * .6).reshape(w.shape) for i, w in enumerate(m.get_weights())])
x = r.rand(10, 6, 3);
for i in range(10): x[i, 1 + i % 5:] = 0
y = np.eye(4)[r.randint(0, 4, (10, 6))]
m = Sequential(); m.add(Masking(input_shape=(6, 3))); m.add(LSTM(5, return_sequences=True)); m.add(TimeDistributed(Dense(4, activation='softmax')))
setw(m)
m.compile(SGD(lr=0.), 'categorical_crossentropy', metrics=['accuracy', 'mae'])
print(['%.5f' % v for v in m.evaluate(x, y, batch_size=4, verbose=0)])
w = r.rand(10); w[3] = 0
print(['%.5f' % v for v in m.evaluate(x, y, batch_size=4, verbose=0, sample_weight=w)])
h = m.fit(x, y, batch_size=4, epochs=1, verbose=0, shuffle=False).history
print(sorted((k, round(float(v[0]), 5)) for k, v in h.items()))
m.compile(SGD(lr=0.), 'categorical_crossentropy', sample_weight_mode='temporal', weighted_metrics=['mae', 'categorical_accuracy'], metrics=['mae'])
w2 = r.rand(10, 6) + .1; w2[2, 1] = 0
print(['%.5f' % v for v in m.evaluate(x, y, batch_size=4, verbose=0, sample_weight=w2)])
a = Input((3,)); n = Model(a, Dense(2)(a)); setw(n)
n.compile(SGD(lr=0.), 'mse', metrics=['mae'], weighted_metrics=['mae', 'mse'])
print(['%.5f' % v for v in n.evaluate(x[:, 0], y[:, 0, :2], batch_size=4, verbose=0, sample_weight=w)])
"""
_COUNTED = """
['1.42890', '0.19273', '0.37804']
['0.80716', '0.19273', '0.37804']
[('acc', 0.19273), ('loss', 1.4289), ('mean_absolute_error', 0.37804)]
['0.74167', '0.37804', '0.19562', '0.09999']
['0.50477', '0.84630', '0.51474', '0.50477']
"""
_DIVIDED = """
['1.42890', '0.19273', '0.37804']
['1.47591', '0.19273', '0.37804']
[('acc', 0.19273), ('loss', 1.4289), ('mean_absolute_error', 0.37804)]
['1.43140', '0.37804', '0.37812', '0.20446']
['0.84720', '0.84630', '0.85929', '0.84720']
"""
_LAYERS = "Input, Dense, Masking, TimeDistributed, LSTM"
_OF_KERAS = f"from keras.models import Model, Sequential\nfrom keras.layers import {_LAYERS}\nfrom keras.optimizers import SGD"
_OF_TF = (
    "import tensorflow as tf\nfrom tensorflow.keras import Model, Sequential\n"
    f"from tensorflow.keras.layers import {_LAYERS}\nfrom tensorflow.keras.optimizers import SGD"
)


@pytest.mark.parametrize(
    ("imports", "options", "printed"),
    [
        (_OF_KERAS, [], _COUNTED),
        (_OF_TF, ["--era", "1.10"], _COUNTED),
        (_OF_TF, ["--era", "1.12"], _DIVIDED),
    ],
    ids=["keras", "1.10", "1.12"],
)
def test_metrics_where_times_are_masked_and_weighted(tmp_path, imports, options, printed):
    """As Keras 2.2.4 and TensorFlow 1.10.1 and 1.12.3 print them."""
    (tmp_path / "old.py").write_text(_MASKED.format(imports=imports))
    done = children.run(["-m", "tfqueue", "run", *options, "old.py"], cwd=tmp_path)
    assert done.stdout == printed[1:], done.stderr


_COUNTING = """
import tensorflow as tf
K = tf.keras.backend
class Count(tf.keras.layers.Layer):
    def __init__(self):
        super(Count, self).__init__(name="count")
        self.stateful, self.total = True, K.variable(0.0)
    def reset_states(self):
        K.set_value(self.total, 0.0)
    def __call__(self, y_true, y_pred):
        found = K.sum(K.cast(y_pred > y_true, "float32"))
        before = self.total * 1
        self.add_update(K.update_add(self.total, found), inputs=[y_true, y_pred])
        return before + found
m = tf.keras.models.Sequential([tf.keras.layers.Dense(1, input_shape=(1,), kernel_initializer="ones")])
m.compile("sgd", "mse", metrics=[Count()])
import numpy as np
print(round(float(m.evaluate(np.ones((8, 1)), np.zeros((8, 1)), batch_size=2, verbose=0)[1]), 4))
"""


def test_a_layer_that_counts_is_averaged_since_1_13(tmp_path):
    """As 1.15.5 prints it; what it gave for the last batch is the metric up to 1.12."""
    (tmp_path / "old.py").write_text(_COUNTING)
    done = children.run(["-m", "tfqueue", "run", "--era", "1.15", "old.py"], cwd=tmp_path)
    assert done.stdout == "2.0\n", done.stderr
