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


STEPS_2 = """
import numpy as np
from keras import backend as K
from keras.layers import GRU, LSTM, Bidirectional, Input, Masking, SimpleRNN
from keras.layers.recurrent import LSTM as Same
from keras.models import Model, Sequential
x = np.arange(24).reshape(2, 4, 3) / 20.
x[1, 3:] = 0
def filled(model):
    model.set_weights([np.sin(np.arange(w.size)).reshape(w.shape) * .5 for w in model.get_weights()])
class Twice(LSTM):
    def step(self, inputs, states):
        h, after = super(Twice, self).step(inputs, states)
        return h * 2, [h * 2] + after[1:]
class Gated(GRU):
    def build(self, input_shape):
        super(Gated, self).build(input_shape)
        self.gate = self.add_weight(shape=(self.units, self.units), name='gate', initializer='ones')
    def step(self, inputs, states):
        h, _ = super(Gated, self).step(inputs, states)
        h = K.tanh(K.dot(h, self.gate)) + states[0]
        return h, [h]
class Plain(SimpleRNN):
    def step(self, inputs, states):
        h = self.activation(K.dot(inputs, self.kernel) + self.bias + K.dot(states[0], self.recurrent_kernel))
        return h, [h]
class Coupled(Same):
    def __init__(self, units, **words):
        super(Coupled, self).__init__(units, implementation=1, **words)
    def step(self, inputs, states):
        h, c, of_inputs, of_states = states[:4]
        i = K.dot(inputs * of_inputs[0], self.kernel_i) + K.dot(h * of_states[0], self.recurrent_kernel_i)
        i = self.recurrent_activation(i + self.bias_i)
        c = i * self.activation(K.dot(inputs, self.kernel_c) + K.dot(h, self.recurrent_kernel_c)) + (1 - i) * c
        return self.activation(c), [self.activation(c), c]
for layer in (
    Twice(2), Twice(2, return_sequences=True, dropout=.2, recurrent_dropout=.3), Gated(2, implementation=1),
    Plain(2, implementation=1), Coupled(2, kernel_regularizer='l2', return_state=True),
):
    a = Input((4, 3))
    model = Model(a, layer(Masking()(a)))
    filled(model)
    found = model.predict(x)
    found = found if isinstance(found, list) else [found]
    print(type(layer).__name__, [np.round(one, 4).ravel().tolist() for one in found], [w.shape for w in model.get_weights()])
    model.compile('sgd', 'mse')
    loss = model.train_on_batch(x, [np.zeros(one.shape) for one in found])
    print('-' if layer.dropout else '%.4f' % np.ravel(loss)[0])
both = Sequential([Bidirectional(Twice(2, implementation=1), input_shape=(4, 3))])
filled(both)
print(both.predict(x).round(4).tolist())
kept = Sequential([Twice(2, stateful=True, implementation=1, batch_input_shape=(2, 4, 3))])
filled(kept)
print([kept.predict(x)[0].round(4).tolist() for _ in range(2)])
"""
OWN_1 = """
import numpy as np
from keras import backend as K
from keras.layers import LSTM, Dense, Input
from keras.models import Model, Sequential
from keras.regularizers import l2
x = np.arange(24).reshape(2, 4, 3) / 20.
class Att(LSTM):
    def __init__(self, output_dim, **words):
        self.extra = 3
        super(Att, self).__init__(output_dim, **words)
    def build(self, input_shape):
        self.input_dim = input_shape[2]
        self.states = [None, None]
        shape = (self.input_dim, self.output_dim)
        self.W = self.init(shape, name='{}_W'.format(self.name))
        self.U = self.inner_init((self.output_dim, self.output_dim))
        self.b = K.zeros((self.output_dim,))
        self.trainable_weights = [self.W, self.U, self.b]
    def preprocess_input(self, x):
        return x
    def get_constants(self, x):
        return [K.sum(x, axis=1)]
    def step(self, x, states):
        h, c, whole = states
        g = self.inner_activation(K.dot(x, self.W) + K.dot(h, self.U) + self.b)
        c = g * c + (1 - g) * self.activation(K.dot(whole, self.W))
        return self.activation(c), [self.activation(c), c]
layer = Att(3, init='one', inner_init='identity', inner_activation='sigmoid', W_regularizer=l2(.1), dropout_W=.2, return_sequences=True)
a = Input((4, 3)); model = Model(input=a, output=layer(a))
print(model.predict(x).round(4).ravel().tolist(), layer.dropout_W, layer.output_dim, len(model.trainable_weights), K.int_shape(layer.W))
class Net(object):
    def __init__(self, model): self.model = model
    def fit_generator(self, source, count): return self.model.fit_generator(source, count, 2, 0).epoch
    def predict_generator(self, source, count): return self.model.predict_generator(source, count, 2).shape
def batches():
    while True:
        yield x, np.zeros((2, 4, 3))
model.compile('sgd', 'mse')
print(Net(model).fit_generator(batches(), 4), Net(model).predict_generator(batches(), 6))
class Trainer(object):
    def __init__(self):
        self.model = Sequential([Dense(1, input_dim=2)])
        self.model.compile('sgd', 'mse')
    def train(self, x, nb_epoch=1):
        return len(self.model.fit(x, x[:, :1], nb_epoch=nb_epoch, verbose=0).epoch)
print(Trainer().train(np.ones((4, 2)), nb_epoch=3))
"""
STEPS_1 = """
import numpy as np
from keras import backend as K
from keras.layers import GRU, LSTM, Input, Masking
from keras.models import Model
x = np.arange(24).reshape(2, 4, 3) / 20.
x[1, 3:] = 0
class Half(LSTM):
    def build(self, input_shape):
        super(Half, self).build(input_shape)
        self.extra = K.ones((self.output_dim,)) * .5
    def step(self, x, states):
        h, (_, c) = super(Half, self).step(x, states)
        return h * self.extra, [h * self.extra, c]
class Own(LSTM):
    def step(self, x, states):
        h, c, B_U, B_W = states
        i = self.inner_activation(K.dot(x * B_W[0], self.W_i) + self.b_i + K.dot(h * B_U[0], self.U_i))
        f = self.inner_activation(K.dot(x * B_W[1], self.W_f) + self.b_f + K.dot(h * B_U[1], self.U_f))
        c = f * c + i * self.activation(K.dot(x * B_W[2], self.W_c) + self.b_c + K.dot(h * B_U[2], self.U_c))
        return self.activation(c), [self.activation(c), c]
class Less(GRU):
    def step(self, x, states):
        h, _ = super(Less, self).step(x, states)
        return h, [h * .9]
class Parts(LSTM):
    def step(self, x, states):
        u = self.output_dim
        c = states[1] * .5 + self.activation(x[:, 2 * u: 3 * u] + K.dot(states[0], self.U_c)) * self.inner_activation(x[:, :u])
        return self.activation(c), [self.activation(c), c]
for layer, gates in (
    (Half(2), 'ifco'), (Half(2, return_sequences=True, consume_less='mem'), 'ifco'), (Less(2), 'zrh'), (Less(2, consume_less='gpu'), 'zrh'),
    (Own(2, consume_less='mem', dropout_W=.1, dropout_U=.2), 'ifco'), (Parts(2), 'ifco'),
):
    a = Input((4, 3))
    model = Model(input=a, output=layer(Masking()(a)))
    wide = 2 * len(gates)
    whole = {
        'W': np.sin(np.arange(3 * wide)).reshape(3, wide) * .5, 'U': np.cos(np.arange(2 * wide)).reshape(2, wide) * .5, 'b': np.arange(float(wide)) / 10,
    }
    if len(layer.get_weights()) == 3:
        layer.set_weights([whole[name] for name in 'WUb'])
    else:
        names = [w.name.split(':')[0].split('_')[-2:] for w in layer.weights]
        layer.set_weights([whole[kind[-1]][..., 2 * gates.index(gate):][..., :2] for kind, gate in names])
    print(type(layer).__name__, model.predict(x).round(4).ravel().tolist(), layer.output_dim)
"""


HOOKS = r"""
import numpy as np
from keras import backend as K
from keras.layers import GRU, LSTM, SimpleRNN
from keras.layers.recurrent import Recurrent
from keras.models import Sequential
x = np.arange(24).reshape(2, 4, 3) / 20.


def filled(model):
    model.set_weights([np.linspace(-1, 1, one.size).reshape(one.shape) for one in model.get_weights()])
    return model.predict(x).round(4).tolist()


class Twice(LSTM):
    def preprocess_input(self, inputs, training=None):
        return super(Twice, self).preprocess_input(inputs * 2, training)


class Begun(GRU):
    def get_initial_state(self, inputs):
        return [one + 0.5 for one in super(Begun, self).get_initial_state(inputs)]

    def get_constants(self, inputs, training=None):
        return super(Begun, self).get_constants(inputs, training)


class Between(SimpleRNN):
    def named(self):
        return self.name


class Last(Between):
    def step(self, inputs, states):
        h, after = super(Last, self).step(inputs, states)
        return h * 2, after


print(filled(Sequential([Twice(2, input_shape=(4, 3), implementation=0)])))
print(filled(Sequential([Begun(2, input_shape=(4, 3), implementation=2)])))
print(filled(Sequential([Last(2, input_shape=(4, 3))])))
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            HOOKS,
            [
                "[[0.09709999710321426, 0.36149999499320984], [0.0024999999441206455, 0.20399999618530273]]",
                "[[0.8605999946594238, 0.9587000012397766], [0.9300000071525574, 0.987500011920929]]",
                "[[-0.48159998655319214, 1.9768999814987183], [-0.9553999900817871, 1.9895999431610107]]",
            ],
        ),
        (
            STEPS_2,
            [
                "Twice [[-0.23800000548362732, -0.3785000145435333, -0.3375000059604645, -0.24660000205039978]] [(3, 8), (2, 8), (8,)]",
                "0.0937",
                "Twice [[-0.15800000727176666, -0.2558000087738037, -0.1964000016450882, -0.3393999934196472, -0.21780000627040863, -0.37290000915527344, -0.23800000548362732, -0.3785000145435333, -0.2387000024318695, -0.22470000386238098, -0.29989999532699585, -0.25589999556541443, -0.3375000059604645, -0.24660000205039978, -0.3375000059604645, -0.24660000205039978]] [(3, 8), (2, 8), (8,)]",
                "-",
                "Gated [[-0.6561999917030334, -0.6531999707221985, -0.5401999950408936, -0.666100025177002]] [(3, 6), (2, 6), (6,), (2, 2)]",
                "0.3982",
                "Plain [[0.21610000729560852, 0.4521999955177307, 0.23119999468326569, 0.4634000062942505]] [(3, 2), (2, 2), (2,)]",
                "0.1298",
                "Coupled [[-0.04639999940991402, 0.12080000340938568, -0.1200999990105629, 0.2101999968290329], [-0.04639999940991402, 0.12080000340938568, -0.1200999990105629, 0.2101999968290329], [-0.04639999940991402, 0.12139999866485596, -0.12060000002384186, 0.2134000062942505]] [(3, 8), (2, 8), (8,)]",
                "0.0862",
                "[[-0.23800000548362732, -0.3785000145435333, -0.19300000369548798, -0.384799987077713], [-0.2484000027179718, -0.3181000053882599, -0.2935999929904938, -0.28870001435279846]]",
                "[[-0.23800000548362732, -0.3785000145435333], [-0.22669999301433563, -0.41530001163482666]]",
            ],
        ),
        (
            STEPS_1,
            [
                "Half [0.11869999766349792, 0.17110000550746918, 0.09669999778270721, 0.17319999635219574] 2",
                "Half [0.06300000101327896, 0.07989999651908875, 0.09629999846220016, 0.1274999976158142, 0.11230000108480453, 0.15489999949932098, 0.11869999766349792, 0.17110000550746918, 0.05530000105500221, 0.09650000184774399, 0.08420000225305557, 0.1469999998807907, 0.09669999778270721, 0.17319999635219574, 0.09669999778270721, 0.17319999635219574] 2",
                "Less [0.029600000008940697, -0.021800000220537186, -0.16609999537467957, -0.3682999908924103] 2",
                "Less [0.029600000008940697, -0.021800000220537186, -0.16609999537467957, -0.3682999908924103] 2",
                "Own [0.38690000772476196, 0.5611000061035156, 0.31630000472068787, 0.5406000018119812] 2",
                "Parts [0.3919999897480011, 0.583299994468689, 0.32589998841285706, 0.5723000168800354] 2",
            ],
        ),
        (
            OWN_1,
            [
                "[0.4311999976634979, 0.4311999976634979, 0.4311999976634979, 0.5386000275611877, 0.5386000275611877, 0.5386000275611877, 0.5845000147819519, 0.5845000147819519, 0.5845000147819519, 0.6078000068664551, 0.6078000068664551, 0.6078000068664551, 0.12389999628067017, 0.12389999628067017, 0.12389999628067017, 0.18729999661445618, 0.18729999661445618, 0.18729999661445618, 0.22280000150203705, 0.22280000150203705, 0.22280000150203705, 0.24379999935626984, 0.24379999935626984, 0.24379999935626984] 0.2 3 3 (3, 3)",
                "[0, 1] (6, 4, 3)",
                "3",
            ],
        ),
    ],
    ids=["hooks-2.0.8", "keras-2.0.8", "keras-1.2.2", "keras-1.2.2-own"],
)
def test_a_step_of_a_class_derived_from_a_layer_is_called(tmp_path, text, expected):
    """What is expected was printed by these releases, on TensorFlow 1.12.3."""
    (tmp_path / "old.py").write_text(text)
    result = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == expected


READ = """
import numpy as np
import h5py
from keras import backend as K
from keras.layers import Input, LSTM
from keras.models import Model

class Read(LSTM):
    def __init__(self, *args, **kwargs):
        super(Read, self).__init__(*args, **kwargs)

    def build(self, input_shape):
        super(Read, self).build(input_shape)
        self.given = K.variable(np.ones((2, 2)))
        self.trainable_weights += [self.given]

    def call(self, x, mask=None):
        states = self.get_initial_states(x)
        constants = self.get_constants(x) + [x]
        last, outputs, _ = K.rnn(self.step, self.preprocess_input(x), states, constants=constants, input_length=3)
        return outputs

    def step(self, x, states):
        whole = states[-1]
        _, (h, c) = super(Read, self).step(x, states[:-1])
        return K.dot(h, self.given) + whole[:, 0, :2], [h, c]

    def get_output_shape_for(self, input_shape):
        return input_shape[0], input_shape[1], 2

draw = np.random.RandomState(0)
parts = [draw.rand(*shape) for _ in range(4) for shape in ((4, 2), (2, 2), (2,))] + [draw.rand(2, 2)]
with h5py.File('w.h5', 'w') as f:
    f.attrs['layer_names'] = [b'read']
    g = f.create_group('read')
    g.attrs['weight_names'] = [b'w%d' % i for i in range(13)]
    for i, part in enumerate(parts):
        g.create_dataset('w%d' % i, data=part.astype('float32'))
a = Input((3, 4))
model = Model(input=a, output=Read(output_dim=2, name='read')(a))
model.load_weights('w.h5')
x = np.arange(24.).reshape(2, 3, 4) / 20
print(np.round(model.predict(x), 4).tolist())
model.compile('sgd', 'mse')
print('%.4f' % model.train_on_batch(x, np.zeros((2, 3, 2))), '%.4f' % model.train_on_batch(x, np.zeros((2, 3, 2))))
"""
OF_1_2_2 = [
    "[[[0.2214, 0.1549], [0.5311, 0.2901], [0.8256, 0.4136]], [[1.188, 0.9118], [1.5748, 1.0773], [1.6629, 1.1188]]]",
    "0.9327 0.9162",
]


def test_a_class_with_a_call_of_its_own_reads_its_file_of_keras_1(tmp_path):
    """A file has a matrix for each gate. What is expected was printed by Keras 1.2.2, on TensorFlow 1.12.3."""
    text = READ.replace(
        "np.round(model.predict(x), 4).tolist()",
        "np.round(model.predict(x).astype(float), 4).tolist()",
    )
    (tmp_path / "old.py").write_text(text)
    result = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert result.stdout.splitlines() == OF_1_2_2, result.stderr


REFUSED = """
import tensorflow as tf
from keras.layers import LSTM, ConvLSTM2D
from keras.models import Sequential


def based(kind):
    class Mine(kind):
        def METHOD(self, *args, **words):
            raise NotImplementedError

    return Mine


tf.set_random_seed(1)
model = Sequential([based(LAYER)(*ARGUMENTS, input_shape=SHAPE)])
"""


@pytest.mark.parametrize(
    ("layer", "arguments", "shape", "method"),
    [
        ("LSTM", "[2]", "(4, 3)", "preprocess_input"),
        ("LSTM", "[2]", "(4, 3)", "get_constants"),
        ("ConvLSTM2D", "[2, 3]", "(2, 5, 5, 1)", "input_conv"),
        ("ConvLSTM2D", "[2, 3]", "(2, 5, 5, 1)", "reccurent_conv"),
    ],
)
def test_a_method_that_nothing_calls_is_refused(tmp_path, layer, arguments, shape, method):
    text = REFUSED.replace("LAYER", layer).replace("ARGUMENTS", arguments)
    (tmp_path / "old.py").write_text(text.replace("SHAPE", shape).replace("METHOD", method))
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.returncode == 1
    said = f"keras.layers.{layer}.{method}, which Mine has for its own, is gone since Keras 2.1"
    assert said in " ".join(done.stderr.split())
