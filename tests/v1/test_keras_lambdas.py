"""A `Lambda` that computes a loss, which is one number, and one whose function makes variables.

The expected numbers were printed by Keras 2.0.8 and 2.2.4 on TensorFlow 1.12.3, and for `tf.keras` by TensorFlow 1.14.0 and 1.15.5.
"""

import json

import numpy as np
import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

HEAD = """\
import json
import numpy as np
import tensorflow as tf
KERAS
K = keras.backend
L = keras.layers
x = np.arange(30.).reshape(10, 3) % 5
"""
ONE_NUMBER = """\
a, b = L.Input((3,)), L.Input((1,))
d = L.Dense(1, kernel_initializer='ones')(a)
loss = L.Lambda(lambda v: K.sum(K.square(v[0] - v[1])) / 4, output_shape=(1,), name='l')([d, b])
size = L.Lambda(lambda v: K.sum(K.abs(v)), output_shape=(1,), name='k')(d)
model = keras.models.Model([a, b], [loss, size, d])
losses = [lambda t, p: p, lambda t, p: p, lambda t, p: K.variable(np.zeros(1))]
model.compile(keras.optimizers.SGD(lr=.001), loss=losses, loss_weights=[1, .5, 0])
xs, ys = [x, x.sum(1, keepdims=True) * 1.3], [np.zeros(10)] * 3
steps = [float(v) for _ in range(2) for v in model.train_on_batch(xs, ys)]
held = model.fit(xs, ys, batch_size=4, epochs=2, verbose=0, shuffle=False).history
steps += held['loss'] + held['l_loss'] + held['k_loss']
steps += model.evaluate(xs, ys, batch_size=4, verbose=0)
given = [model.predict(xs), model.predict(xs, batch_size=4)]
print(json.dumps([steps, [[np.ravel(v).tolist() for v in part[:2]] for part in given]]))
one = keras.models.Model([a, b], loss)
one.compile(keras.optimizers.SGD(lr=.01), loss={'l': lambda t, p: p})
print(json.dumps([float(one.train_on_batch(xs, ys[0])), one.evaluate(xs, ys[0], verbose=0)]))
"""
OF_ONE_NUMBER = [
    *(39.0, 9.000001, 60.0, 0.0, 38.693794, 8.373795, 60.640003, 0.0),
    *(13.508848190307617, 13.435536575317382, 2.6707695007324217, 2.503154754638672),
    *(21.67615661621094, 21.864763259887695),
    *(13.386736488342285, 2.3828134536743164, 22.007846450805665, 0.0),
]
VARIABLES = """\
a = L.Input((3,))
w = K.variable(2.)
def f(x):
    k, h = K.variable(np.array([3., .5])), K.variable(0.)
    return x * k + (h + 1.) * w
model = keras.models.Model(a, L.Lambda(f, output_shape=(2,))(L.Dense(2, kernel_initializer='ones')(a)))
model.compile(keras.optimizers.SGD(lr=.01), loss='mse')
y = np.stack([x.sum(1), x.sum(1) * 2], 1)
steps = [float(model.train_on_batch(x, y)) for _ in range(2)]
print(json.dumps([len(model.trainable_weights), steps, model.predict(x[:2]).tolist()]))
"""


def printed(tmp_path, text, keras, *options):
    (tmp_path / "old.py").write_text(HEAD.replace("KERAS", keras) + text)
    done = children.run(["-m", "tfqueue", "run", *options, "old.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("keras", "options"),
    [("import keras", ()), ("from tensorflow import keras", ("--era", "1.11"))],
)
def test_an_output_that_is_one_number(tmp_path, keras, options):
    (steps, given), one = printed(tmp_path, ONE_NUMBER, keras, *options)
    np.testing.assert_allclose(steps, OF_ONE_NUMBER, rtol=1e-5)
    np.testing.assert_allclose(given[0], [[6.873239] * 10, [62.278366] * 10], rtol=1e-5)
    for whole, parts in zip(given[0], given[1], strict=True):
        assert parts == [parts[0]] * 4 + [parts[4]] * 4 + [parts[8]] * 2
        assert parts[0] + parts[4] + parts[8] == pytest.approx(whole[0])
    assert one[0] == pytest.approx(given[0][0][0])
    assert one[1] < one[0]


@pytest.mark.parametrize(
    ("keras", "options"),
    [("import keras", ()), ("from tensorflow import keras", ("--era", "1.14"))],
)
def test_variables_of_a_function_are_not_trained(tmp_path, keras, options):
    ((count, steps, given),) = printed(tmp_path, VARIABLES, keras, *options)
    assert (count, steps) == (2, pytest.approx([135.0, 35.55081]))
    np.testing.assert_allclose(given, [[4.1509995, 3.7700875], [8.0996, 6.096703]], rtol=1e-5)


def test_1_15_trained_them_and_made_one_of_those_with_one_name(tmp_path):
    keras = "from tensorflow import keras"
    ((count, steps, given),) = printed(tmp_path, VARIABLES, keras, "--era", "1.15")
    assert (count, steps) == (3, pytest.approx([230.5, 15.67825]))
    np.testing.assert_allclose(given, [[3.339163, 8.33281], [2.5277498, 13.594481]], rtol=1e-5)
