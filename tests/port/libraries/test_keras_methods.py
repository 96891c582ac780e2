"""Attributes of models in programs that import keras. What is expected was printed by Keras 2.2.4 and 2.1.6 on TensorFlow 1.8.0."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

LAYERS = """
import copy
import pickle
import numpy as np
import tensorflow as tf
from keras.layers import Dense, Input
from keras.models import Model, Sequential

ones = dict(kernel_initializer='ones')
row = Sequential([Dense(n, input_shape=(3,), name='e%d' % n, **ones) for n in (4, 5, 6)])
row.layers.pop()
print([layer.name for layer in row.layers], row.output_shape)
row.outputs = [row.layers[-1].output]
row.layers[-1].outbound_nodes = []
row.add(Dense(2, name='last', **ones))
row.compile('sgd', 'mse')
print([layer.name for layer in row.layers], row.test_on_batch(np.ones((1, 3)), np.zeros((1, 2))), len(row.weights))

a = Input((3,))
model = Model(a, Dense(2, name='second', **ones)(Dense(4, **ones)(a)))
model.layers.pop()
for layer in model.layers:
    layer.trainable = False
print(len(model.layers), len(model.trainable_weights), len(model.weights), model.output_shape)
other = Model(model.input, Dense(3, name='new', **ones)(model.layers[-1].output))
print(other.layers[-1].name, len(other.layers), other.predict(np.ones((1, 3))).tolist())
del other.layers[1]
other.layers.append(model.layers[1])
print(len(other.layers))
other.compile('sgd', 'mse')
for own in (copy.copy(other.layers), other.layers[:], list(other.layers), pickle.loads(pickle.dumps(other.metrics_names))):
    own.pop()
    print(len(own), len(other.layers))
"""
WHOLE = """\
2 0 2 (None, 2)
new 3 [[12.0, 12.0, 12.0]]
3
2 3
2 3
2 3
0 3
"""
IN_A_ROW = {
    "1.8": "['e4', 'e5'] (None, 6)\n['e4', 'e5', 'last'] 3600.0 6\n",
    "1.15": "['e4', 'e5', 'e6'] (None, 6)\n['e4', 'e5', 'e6', 'last'] 129600.0 8\n",
}
METRICS = """
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import BatchNormalization, Dense, Dropout, Input
from keras.models import Model

a = Input((3,))
outputs = [Dense(4, kernel_initializer='ones', name='p')(a), Dense(2, kernel_initializer='ones', name='q')(a)]
model = Model(a, outputs)
print([Model(a, one).uses_learning_phase for one in (outputs[0], Dropout(.5)(outputs[0]), BatchNormalization()(a))])
model.compile('sgd', {'p': 'mse', 'q': 'mae'}, metrics={'q': 'mae'}, loss_weights=[1., .5])
print(len(model.metrics_tensors), len(model.targets), model.optimizer.initial_decay)
model.metrics_names.append('mean')
model.metrics_tensors.append(K.mean(model.outputs[0]) * 2.)
model.metrics_names.extend(['sum'])
model.metrics_tensors += [K.sum(model.targets[1])]
x, y = np.ones((3, 3)), [np.zeros((3, 4)), np.ones((3, 2))]
print(model.metrics_names, len(model.layers))
print(['%.4f' % each for each in model.test_on_batch(x, y)])
print(['%.4f' % each for each in model.evaluate(x, y, batch_size=2, verbose=0)])
model.compile('sgd', 'mse')
print(model.metrics_names, ['%.4f' % each for each in model.test_on_batch(x, y)])
"""
MEASURED = """\
[False, True, True]
3 2 0.0
['loss', 'p_loss', 'q_loss', 'q_mean_absolute_error', 'mean', 'sum'] 3
['10.0000', '9.0000', '2.0000', '2.0000', '6.0000', '6.0000']
['10.0000', '9.0000', '2.0000', '2.0000', '6.0000', '3.3333']
['loss', 'p_loss', 'q_loss'] ['13.0000', '9.0000', '4.0000']
"""

VARIABLES = """
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import Input, Lambda
from keras.models import Model

w = tf.Variable(2.0)
with tf.variable_scope('a'):
    g = tf.get_variable('g', (3,), initializer=tf.ones_initializer())
print(float(K.eval(w * 3.)))
a = Input((3,))
model = Model(a, Lambda(lambda t: t * w)(a))
print(model.predict(np.ones((1, 3))).tolist(), float(K.get_value(w)))
K.get_session().run(w.assign(5.))
v = tf.Variable(4.0)
print([float(np.sum(one)) for one in K.get_session().run([g, w, v])])
moved = K.moving_average_update(K.variable([1.]), K.constant([2.]), .9)
print('%.3f' % K.eval(moved)[0])
"""
BEGUN = """\
6.0
[[2.0, 2.0, 2.0]] 2.0
[3.0, 5.0, 4.0]
2.000
"""


def run(tmp_path, text, *options):
    (tmp_path / "old.py").write_text(text)
    return children.run(["-m", "tfqueue", "run", *options, "old.py"], cwd=tmp_path)


@pytest.mark.parametrize("era", IN_A_ROW)
def test_what_is_taken_out_of_layers_is_out_of_the_model(tmp_path, era):
    done = run(tmp_path, LAYERS, "--era", era)
    assert done.stdout == IN_A_ROW[era] + WHOLE, done.stderr
    assert done.stderr.count("Sequential.layers is a copy") == (era == "1.15")


def test_metrics_are_appended(tmp_path):
    done = run(tmp_path, METRICS)
    assert done.stdout == MEASURED, done.stderr


def test_the_session_begins_with_all_variables(tmp_path):
    done = run(tmp_path, VARIABLES)
    assert done.stdout == BEGUN, done.stderr


def test_the_import_says_so():
    import importlib

    from tfqueue import release
    from tfqueue.port.libraries import keras_methods

    release.assume_keras(False)
    importlib.reload(keras_methods)
    assert release.imports_keras()
    release.assume_keras(False)
