"""Layers derived from `Recurrent`, and what a mask hides. What is expected was printed by Keras 2.2.4 on TensorFlow 1.13.2."""

import numpy as np
import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import Input, Masking, Recurrent
from keras.legacy.layers import Recurrent as Same
from keras.engine import InputSpec
from keras.models import Model

class Leaky(Recurrent):
    def __init__(self, units, **kwargs):
        self.units = units
        super(Leaky, self).__init__(**kwargs)
        self.state_spec = [InputSpec(shape=(None, units))] * 2

    def build(self, input_shape):
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        self.input_spec[0] = InputSpec(shape=(input_shape[0] if self.stateful else None, None, input_shape[2]))
        self.kernel = self.add_weight(shape=(input_shape[2], self.units), name='kernel', initializer='ones')
        self.states = [None, None]
        if self.stateful:
            self.reset_states()
        self.built = True

    def get_constants(self, inputs, training=None):
        return [K.sum(inputs, axis=(1, 2))]

    def preprocess_input(self, inputs, training=None):
        return inputs * 2.

    def step(self, inputs, states):
        h, n, whole = states
        h = .5 * h + K.dot(inputs, self.kernel) + K.expand_dims(whole) * .01
        return h + n, [h, n + 1.]

x = np.arange(24).reshape(2, 4, 3) / 10.
x[1, 2:] = 0
for words in ({}, {'return_sequences': True}, {'go_backwards': True, 'unroll': True}, {'return_state': True}):
    a = Input((4, 3))
    model = Model(a, Leaky(2, **words)(Masking()(a)))
    found = model.predict(x)
    print(model.output_shape, [["%.4f" % each for each in one.ravel()] for one in (found if isinstance(found, list) else [found])])
    model.compile('sgd', 'mse')
    print('%.4f' % np.ravel(model.train_on_batch(x, [np.zeros(one.shape) for one in (found if isinstance(found, list) else [found])]))[0], len(model.trainable_weights), sorted(set(model.layers[-1].get_config()) - {'dtype'}))
a, b, c = Input((4, 3)), Input((2,)), Input((2,))
model = Model([a, b, c], Leaky(2)([a, b, c]))
print(np.round(model.predict([x, np.ones((2, 2)), np.zeros((2, 2))]), 4).tolist())
a = Input(batch_shape=(2, 4, 3))
model = Model(a, Leaky(2, stateful=True)(a))
print([np.round(model.predict(x, batch_size=2)[0, 0], 4) for _ in range(2)])
model.reset_states()
print(np.round(model.predict(x, batch_size=2)[0, 0], 4), Same is Recurrent)
"""
PRINTED = """\
(None, 2) [['11.8988', '11.8988', '13.6305', '13.6305']]
163.6854 1 ['go_backwards', 'implementation', 'name', 'return_sequences', 'return_state', 'stateful', 'trainable', 'unroll']
(None, 4, 2) [['0.6660', '0.6660', '3.7990', '3.7990', '7.6655', '7.6655', '11.8988', '11.8988', '7.8870', '7.8870', '14.6305', '14.6305', '13.6305', '13.6305', '13.6305', '13.6305']]
81.9121 1 ['go_backwards', 'implementation', 'name', 'return_sequences', 'return_state', 'stateful', 'trainable', 'unroll']
(None, 2) [['6.7238', '6.7238', '13.7305', '13.7305']]
116.8677 1 ['go_backwards', 'implementation', 'name', 'return_sequences', 'return_state', 'stateful', 'trainable', 'unroll']
[(None, 2), (None, 2), (None, 2)] [['11.8988', '11.8988', '13.6305', '13.6305'], ['8.8988', '8.8988', '13.6305', '13.6305'], ['4.0000', '4.0000', '2.0000', '2.0000']]
306.1746 1 ['go_backwards', 'implementation', 'name', 'return_sequences', 'return_state', 'stateful', 'trainable', 'unroll']
[[11.961199760437012, 11.961199760437012], [6.600599765777588, 6.600599765777588]]
[11.8988, 16.4549]
11.8988 True
"""


def test_a_layer_steps_as_it_did(tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", str(tmp_path / "old.py")], cwd=tmp_path)
    assert done.stdout == PRINTED, done.stderr


MASKED = """
import numpy as np
from keras import backend as K
from keras.engine import Layer
from keras.layers import GRU, Input, Masking, RNN

class Negative(Layer):
    state_size = 1

    def call(self, inputs, states):
        return -inputs[:, :1] - states[0], [inputs[:, :1] + states[0]]

x, state = Input((4, 2)), Input((1,))
shown = Masking()(x)
ones = dict(kernel_initializer='ones', recurrent_initializer='ones', return_sequences=True)
loops = [GRU(1, **ones)(shown, initial_state=[state]), RNN(Negative(), return_sequences=True)(shown)]
given = np.array([[[0, 0], [1, 1], [0, 0], [.1, .2]]])
print([np.round(one[0, :, 0], 4).tolist() for one in K.function([x, state], loops)([given, [[.5]]])])
"""
PUT_OUT = "[[0.5, 0.5, 0.5, 0.5196999907493591], [0.0, -1.0, 1.0, -1.100000023841858]]\n"


def test_what_a_mask_hides_is_the_first_state(tmp_path):
    (tmp_path / "old.py").write_text(MASKED)
    done = children.run(["-m", "tfqueue", "run", str(tmp_path / "old.py")], cwd=tmp_path)
    assert done.stdout == PUT_OUT, done.stderr


def test_a_matrix_times_the_vector_of_each_time():
    import tfqueue.v1 as tf
    from tfqueue.port.libraries import keras_parts

    K = tf.keras.backend
    x, w = np.arange(12.0).reshape(1, 3, 4), np.ones((4, 2))
    given = K.constant(x), K.constant(w), K.constant([0.0, 1.0])
    plain = keras_parts._time_distributed_dense(*given)
    dropped = keras_parts._time_distributed_dense(
        K.ones_like(given[0]), given[1], None, 0.5, training=True
    )
    session = K.get_session()
    assert session.run(plain).tolist() == (x @ w + [0, 1]).tolist()
    sums = session.run(dropped)[0]
    assert (sums == sums[0]).all()  # one mask for all times
    assert sums[0, 0] in (0, 2, 4, 6, 8)
    K.set_session(None)
