"""Programs that show Keras 1: attributes and names of layers, own layers with constraints, callbacks, and calls that counted examples.

What is expected was printed by Keras 1.2.2 on TensorFlow 1.12.3.
"""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

LAYERS = """
import numpy as np
from keras import backend as K
from keras import constraints, initializations
from keras.constraints import maxnorm
from keras.engine.topology import Layer
from keras.layers import AveragePooling1D, BatchNormalization, Convolution2D, Dense, Dropout, Embedding, Flatten
from keras.layers import GaussianNoise, GlobalMaxPooling2D, Input, ParametricSoftplus, SReLU
from keras.models import Model, Sequential

class Doubled(Dense):
    def build(self, input_shape):
        self.W = self.init((input_shape[1], self.output_dim), name=self.name + '_W')
        self.b = K.zeros((self.output_dim,))
        self.free = K.ones((1,))
        self.trainable_weights = [self.W, self.b]
        if self.W_constraint:
            self.constraints[self.W] = self.W_constraint
    def call(self, x, mask=None):
        return self.activation(K.dot(x, self.W) + self.b) * 2

class Gate(Layer):
    def __init__(self, output_dim, **words):
        self.init, self.output_dim = initializations.get('one'), output_dim
        self.W_constraint = constraints.get(maxnorm(.3))
        super(Gate, self).__init__(**words)
    def build(self, input_shape):
        self.W = self.init((input_shape[1], self.output_dim))
        self.trainable_weights = [self.W]
        self.constraints = {self.W: self.W_constraint}
        self.built = True
    def call(self, x, mask=None):
        return K.dot(x, self.W)
    def get_output_shape_for(self, input_shape):
        return input_shape[0], self.output_dim

model = Sequential()
model.add(Doubled(3, init='one', input_dim=2, W_constraint=maxnorm(.5)))
model.add(Gate(1))
model.compile('sgd', 'mse')
x, y = np.arange(8.).reshape(4, 2) / 8, np.ones((4, 1))
print('%.4f' % model.train_on_batch(x, y), [w.ravel().round(4).tolist() for w in model.get_weights()])
first = model.layers[0]
print(first.output_dim, K.int_shape(first.W), first.get_output_shape_for((None, 2)), model.layers[1].get_output_shape_for((None, 3)))

c = Convolution2D(4, 3, 2, border_mode='same', subsample=(2, 2), input_shape=(8, 8, 3))
row = Sequential()
for layer in (c, Dropout(.25), GaussianNoise(.3), BatchNormalization(mode=2), Flatten()):
    row.add(layer)
print(c.nb_filter, c.nb_row, c.nb_col, c.border_mode, tuple(c.subsample), c.dim_ordering, c.W_shape, row.layers[1].p, row.layers[2].sigma)
print(K.int_shape(c.W), K.int_shape(c.b), row.layers[1].uses_learning_phase, c.uses_learning_phase, c.get_output_shape_for((None, 8, 8, 3)))
row.layers[1].p = .5
assert row.layers[1].get_config().get('rate', .5) == .5
c.set_weights([np.ones((3, 2, 3, 4)) / 9, np.zeros(4)])
print(row.predict(np.arange(384.).reshape(2, 8, 8, 3))[0, :4].round(3).tolist())
each = Sequential([BatchNormalization(mode=1, input_shape=(4,))])
print(each.predict(np.arange(8.).reshape(2, 4) ** 2).round(3).tolist(), len(each.get_weights()))
pool = AveragePooling1D(pool_length=3, stride=2, input_shape=(9, 2))
print(pool.pool_length, pool.stride, Sequential([pool]).output_shape)
def make(kind, **words):
    return kind(**words)
print(make(GlobalMaxPooling2D, dim_ordering='th').dim_ordering)
e = Embedding(4, 2, input_length=3)
print(Sequential([e]).output_shape, K.int_shape(e.W), type(row.model).__name__ in ('Model', 'Sequential'))
i = Input((3,))
a, b = SReLU(t_right_init='one', a_left_init='one'), ParametricSoftplus()
both = Model(input=i, output=[a(i), b(i)])
a.set_weights([np.array([-.5, 0, .5]), np.array([.1, .2, .3]), np.array([1., -1, .5]), np.array([2., 3, .5])])
print([found.round(3).ravel().tolist() for found in both.predict(np.array([[-1., .2, 3], [2, -3, .7]]))])
shared = SReLU(shared_axes=[1, 2])
print([K.int_shape(w) for w in (Sequential([Convolution2D(2, 1, 1, input_shape=(4, 4, 1)), shared]) and shared.weights)][:2])
print(both.name, [layer.name for layer in both.layers], [layer.name for layer in row.layers])
print(len(both.input_layers), len(both.output_layers))
"""

MADE = """
import numpy as np
from keras import backend as K
from keras.engine.training import GeneratorEnqueuer
from keras.applications.vgg16 import Dense, Flatten, get_file
from keras.utils.layer_utils import Sequential as Made
from keras.layers import Bidirectional, Convolution2D, Input, LSTM, MaxPooling2D, UpSampling2D, ZeroPadding1D, ZeroPadding2D
from keras.models import Model, Sequential
from keras.preprocessing.image import array_to_img, img_to_array

class Mirrored(ZeroPadding2D):
    def call(self, x, mask=None):
        return x * (self.top_pad * 1000 + self.bottom_pad * 100 + self.left_pad * 10 + self.right_pad)
    def get_output_shape_for(self, shape):
        return shape

class Zoned(LSTM):
    def __init__(self, output_dim, zone=0., **words):
        self.zone = zone
        super(Zoned, self).__init__(output_dim, **words)
    def get_config(self):
        return dict(list(super(Zoned, self).get_config().items()) + [('zone', self.zone)])

given = Input((2, 2, 1))
print(Model(input=given, output=Mirrored((1, 2))(given)).predict(np.ones((1, 2, 2, 1)))[0, 0, 0])
pad = ZeroPadding1D(3)
print(pad.left_pad, pad.right_pad)
steps = Input((3, 2))
both = Bidirectional(Zoned(4, zone=.5, consume_less='gpu', return_sequences=True))
print(K.int_shape(both(steps))[-1], both.backward_layer.zone, both.backward_layer.output_dim, both.backward_layer.go_backwards)
for order in ('th', 'tf', 'default'):
    picture = array_to_img(np.arange(24.).reshape((2, 4, 3)), 'default')
    print(img_to_array(picture, order).shape, K.int_shape(UpSampling2D((2, 2), order)(Input((4, 4, 4)))))
    print(K.int_shape(MaxPooling2D((2, 2), (2, 2), 'same', order)(Input((4, 6, 4)))))
print(GeneratorEnqueuer.__name__)
print(Made is Sequential, Dense.__name__, Flatten.__name__, get_file.__name__)
"""

TRAINED = """
import glob
import os
import numpy as np
from keras import backend as K
from keras.callbacks import Callback, EarlyStopping, ModelCheckpoint, ReduceLROnPlateau
from keras.layers import Dense, Highway, MaxoutDense, Merge, SReLU, merge, Input
from keras.models import Sequential, load_model, model_from_json

class Says(Callback):
    def __init__(self, values):
        super(Says, self).__init__()
        self.values, self.rates = values, []
    def on_epoch_end(self, epoch, logs={}):
        logs['val_loss'] = self.values[epoch]
class Rates(Callback):
    def __init__(self):
        self.seen = []
    def on_epoch_end(self, epoch, logs={}):
        self.seen.append(round(float(K.get_value(self.model.optimizer.lr)), 6))
x, y = np.arange(8.).reshape(4, 2) / 8, np.ones((4, 1))
for values in ([5, 4, 4, 4, 4, 4, 4, 4, 4, 4], [5, 4, 4, 3, 3, 3, 3, 2, 2, 2]):
    model = Sequential([Dense(1, input_dim=2)])
    model.compile('sgd', 'mse')
    rates = Rates()
    told = [Says(values), EarlyStopping(patience=3), ReduceLROnPlateau(patience=1, factor=.5, cooldown=1), rates, ModelCheckpoint('w.{epoch:02d}.h5')]
    print(len(model.fit(x, y, nb_epoch=10, verbose=0, callbacks=told).epoch), rates.seen, len(glob.glob('*.h5')), os.path.exists('w.00.h5'))
    for name in glob.glob('*.h5'):
        os.remove(name)

def examples():
    while True:
        for at in (0, 2):
            yield x[at:at + 2], y[at:at + 2]
seen = []
class Count(Callback):
    def on_batch_end(self, batch, logs={}):
        seen.append(batch)
history = model.fit_generator(examples(), 4, 2, verbose=0, callbacks=[Count()])
print(seen, len(history.epoch), model.predict_generator(examples(), 4).shape)
print(abs(model.evaluate_generator(examples(), 4) - model.evaluate(x, y, verbose=0)) < 1e-6)

left, right = Sequential([Dense(3, input_dim=2)]), Sequential([Dense(3, input_dim=4)])
model = Sequential()
for layer in (Merge([left, right], mode='concat'), MaxoutDense(3, nb_feature=2), Highway(activation='relu'), SReLU(), Dense(1)):
    model.add(layer)
model.compile('adam', 'mse')
both = [np.random.rand(8, 2), np.random.rand(8, 4)]
print(len(model.fit(both, np.ones((8, 1)), verbose=0).epoch), len(model.fit(both, np.ones((8, 1)), 4, 2, verbose=0).epoch))
again = model_from_json(model.to_json())
again.set_weights(model.get_weights())
model.save('model.h5')
print([np.allclose(one.predict(both), model.predict(both)) for one in (again, load_model('model.h5'))])

class Scaler:
    def fit(self, x):
        return len(x)
print(Scaler().fit(x))
"""


REGULARIZED = """
import numpy as np
from keras import backend as K
from keras.engine.topology import Layer
from keras.models import Sequential
from keras.regularizers import l2
class Weighted(Layer):
    def __init__(self, W_regularizer=None, **words):
        self.W_regularizer = W_regularizer
        super(Weighted, self).__init__(**words)
    def build(self, input_shape):
        self.W = K.variable(np.ones((input_shape[1], 1)))
        self.trainable_weights = [self.W]
        self.regularizers = []
        if self.W_regularizer:
            self.W_regularizer.set_param(self.W)
            self.regularizers.append(self.W_regularizer)
    def call(self, x, mask=None):
        return K.dot(x, self.W) * 2
    def get_output_shape_for(self, input_shape):
        return input_shape[0], 1
x, y = np.ones((2, 3)), np.ones((2, 1)) * 6
for regularizer in (l2(.5), None):
    model = Sequential([Weighted(regularizer, input_shape=(3,))])
    model.compile('sgd', 'mse')
    losses = [model.evaluate(x, y, verbose=0), model.train_on_batch(x, y), model.evaluate(x, y, verbose=0)]
    print(' '.join('%.4f' % loss for loss in losses), model.get_weights()[0].ravel().round(4).tolist())
"""

TOLD = [
    "EarlyStopping waits for one epoch more than its patience",
    "ReduceLROnPlateau waits for one epoch more at first",
    "the files of ModelCheckpoint are counted from 0",
    "the second argument of evaluate_generator counts examples",
    "the second argument of fit_generator counts examples",
    "the second argument of predict_generator counts examples",
    "fit trains for 10 epochs",
]


def _lines(tmp_path, text, told=()):
    (tmp_path / "old.py").write_text(text)
    result = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    for what in told:
        assert result.stderr.count(f"tfqueue: the program shows Keras 1, where {what}") == 1
    return result.stdout.splitlines()


def test_attributes_and_own_layers(tmp_path):
    assert _lines(tmp_path, LAYERS) == [
        "29.3125 [[0.3578000068664551, 0.3578000068664551, 0.3578000068664551, 0.34929999709129333, 0.34929999709129333, 0.34929999709129333], [-0.17000000178813934, -0.17000000178813934, -0.17000000178813934], [0.17319999635219574, 0.17319999635219574, 0.17319999635219574]]",
        "3 (2, 3) (None, 3) (None, 1)",
        "4 3 2 same (2, 2) tf (3, 2, 3, 4) 0.25 0.3",
        "(3, 2, 3, 4) (4,) True False (None, 4, 4, 4)",
        "[-1.590999960899353, -1.590999960899353, -1.590999960899353, -1.590999960899353]",
        "[[-1.0, -0.7139999866485596, 0.14300000667572021, 1.5709999799728394], [-1.25600004196167, -0.5270000100135803, 0.36500000953674316, 1.4179999828338623]] 4",
        "3 2 (None, 4, 2)",
        "th",
        "(None, 3, 2) (4, 2) True",
        "[[-0.550000011920929, 0.20000000298023224, 2.0, 3.5, -0.6000000238418579, 0.699999988079071], [0.0010000000474974513, 0.2630000114440918, 3.0, 2.0, 0.0, 0.7059999704360962]]",
        "[(1, 1, 2), (1, 1, 2)]",
        "model_1 ['input_1', 'srelu_1', 'parametricsoftplus_1'] ['convolution2d_1', 'dropout_1', 'gaussiannoise_1', 'batchnormalization_1', 'flatten_1']",
        "1 2",
    ]


def test_paddings_copies_orders_by_place_and_shared_names(tmp_path):
    assert _lines(tmp_path, MADE) == [
        "[1122.]",
        "3 3",
        "8 0.5 4 True",
        "(3, 2, 4) (None, 4, 8, 8)",
        "(None, 4, 3, 2)",
        "(2, 4, 3) (None, 8, 8, 4)",
        "(None, 2, 3, 4)",
        "(2, 4, 3) (None, 8, 8, 4)",
        "(None, 2, 3, 4)",
        "GeneratorEnqueuer",
        "True Dense Flatten get_file",
    ]


def test_callbacks_and_counts(tmp_path):
    assert _lines(tmp_path, TRAINED, TOLD) == [
        "6 [0.01, 0.01, 0.01, 0.005, 0.005, 0.0025] 6 True",
        "10 [0.01, 0.01, 0.01, 0.01, 0.01, 0.005, 0.005, 0.005, 0.005, 0.0025] 10 True",
        "[0, 1, 0, 1] 2 (4, 1)",
        "True",
        "10 2",
        "[True, True]",
        "4",
    ]


def test_regularizers_of_own_layers(tmp_path):
    """What is expected was printed by Keras 1.1.2 on TensorFlow 0.12.1."""
    assert _lines(tmp_path, REGULARIZED) == [
        "0.0000 1.5000 0.0036 [0.9900000095367432, 0.9900000095367432, 0.9900000095367432]",
        "0.0000 0.0000 0.0000 [1.0, 1.0, 1.0]",
    ]


def test_a_layer_of_keras_2_has_its_own_of_these_names(tmp_path):
    text = """
import numpy as np
import tensorflow as tf
from keras.layers import Layer
from keras.models import Sequential
tf.set_random_seed(1)
class Odd(Layer):
    def build(self, input_shape):
        self.constraints, self.regularizers = [1], None
        super(Odd, self).build(input_shape)
    def call(self, x):
        return x * len(self.constraints)
print(Sequential([Odd(input_shape=(2,))]).predict(np.ones((1, 2))).tolist())
"""
    assert _lines(tmp_path, text) == ["[[1.0, 1.0]]"]


def test_layers_are_found_by_their_names_of_keras_2_too(tmp_path):
    text = """
import tensorflow as tf
from keras.layers import Convolution2D, Dense, MaxPooling2D
from keras.models import Sequential
tf.set_random_seed(1)
row = Sequential([Convolution2D(2, 3, 3, input_shape=(8, 8, 3)), MaxPooling2D(), MaxPooling2D(), Dense(2, name='out_1')])
for name in ('convolution2d_1', 'conv2d_1', 'max_pooling2d_2', 'maxpooling2d_1', 'out_1'):
    print(row.get_layer(name).name, row.get_layer(name) in row.layers)
try:
    row.get_layer('conv2d_2')
except ValueError:
    print('none')
"""
    assert _lines(tmp_path, text) == [
        "convolution2d_1 True",
        "convolution2d_1 True",
        "maxpooling2d_2 True",
        "maxpooling2d_1 True",
        "out_1 True",
        "none",
    ]


GROUPS = """
import json
import h5py
import numpy as np
from keras import backend as K
from keras.constraints import maxnorm
from keras.layers import Dense
from keras.models import Sequential, model_from_json
from keras.optimizers import SGD

def make():
    return Sequential([Dense(3, input_dim=2, W_constraint=maxnorm(1.)), Dense(output_dim=1)])
first, second, third = make(), make(), make()
for mine, theirs in zip(third.layers, first.layers):
    mine.name = theirs.name
with h5py.File('w.h5', 'w') as f:
    first.save_weights_to_hdf5_group(f.create_group('whole'))
with h5py.File('w.h5', 'r') as f:
    print(len(f['whole'].attrs['layer_names']))
    second.load_weights_from_hdf5_group(f['whole'])
    third.load_weights_from_hdf5_group_by_name(f['whole'])
x = np.ones((4, 2))
print([bool((model.predict(x) == first.predict(x)).all()) for model in (second, third)])
first.set_weights([np.full((2, 3), 4.), np.zeros(3), np.ones((3, 1)), np.zeros(1)])
print(len(first.constraints))
loss = K.variable(0.)
loss += K.sum(first.output)
K.function([first.input], [loss], SGD(0.).get_updates(first.trainable_weights, first.constraints, loss))([x])
print(first.get_weights()[0].round(4).tolist())
layers = json.loads(first.to_json())['config']
layers = layers['layers'] if isinstance(layers, dict) else layers
print(len(model_from_json(json.dumps({'class_name': 'Sequential', 'config': layers})).layers))
"""


def test_groups_of_files_and_constraints_of_a_model(tmp_path):
    assert _lines(tmp_path, GROUPS) == [
        "2",
        "[True, True]",
        "1",
        "[[0.707099974155426, 0.707099974155426, 0.707099974155426], [0.707099974155426, 0.707099974155426, 0.707099974155426]]",
        "2",
    ]


COMPILED = """
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras import callbacks as cbks
from keras import losses, optimizers
from keras.engine.training import _collect_metrics, _weighted_masked_objective
from keras.layers import Dense, Dropout, Input
from keras.models import Model

class Own(Model):
    def compile_own(self, y):
        self.optimizer = optimizers.get('sgd')
        self.targets, self.sample_weights = [y], []
        self.metrics_names, self.metrics_tensors = ['loss'], []
        for metrics in _collect_metrics({'out': 'mae'}, self.output_names):
            for name in metrics:
                self.metrics_names.append(name)
                self.metrics_tensors.append(K.mean(losses.get(name)(y, self.outputs[0])))
        weighted = _weighted_masked_objective(losses.mean_squared_error)
        self.total_loss = weighted(self.targets[0], self.outputs[0], tf.constant([1., 0.]), tf.constant([[1.], [0.]]))
        print(self.internal_output_shapes, self.constraints, self._get_deduped_metrics_names())
        updates = self.optimizer.get_updates(self.trainable_weights, self.constraints, self.total_loss)
        self.train = K.function([K.learning_phase()], [self.total_loss] + self.metrics_tensors, updates=updates)

x = tf.constant(np.arange(6.).reshape(2, 3) / 10, tf.float32)
a = Input(tensor=x)
model = Own(a, Dense(2, kernel_initializer='ones', name='out')(Dropout(.5)(a)))
model.compile_own(tf.ones((2, 2)))
print([['%.4f' % each for each in model.train([0.])] for _ in range(3)], model.metrics_names, len(model.targets))
"""


def test_a_model_with_a_compile_of_its_own_has_what_it_gave_itself(tmp_path):
    """What is expected was printed by Keras 2.0.8 on TensorFlow 1.12.3; it had no `constraints`, which 2.0.5 had."""
    (tmp_path / "old.py").write_text(COMPILED)
    result = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert result.stdout.splitlines() == [
        "[(2, 2)] {} ['loss', 'mae']",
        "[['0.5300', '0.4500'], ['0.5249', '0.4500'], ['0.5201', '0.4499']] ['loss', 'mae'] 1",
    ], result.stderr


OF_NODES = """\
import keras
from keras.layers import Input, Dense, Masking, concatenate
from keras.models import Model
a = Input((32,), name='a')
dense = Dense(16, name='d')
outs = dense(a), dense(Input((32,), name='b'))
both = concatenate(list(outs), name='c')
for layer in (keras.models.Model([a], outs[0]).layers[0], dense):
    for node in layer._inbound_nodes:
        print(layer.name, [one.name for one in node.inbound_layers], len(node.input_tensors), len(node.output_tensors), node.input_shapes,
              node.output_shapes, node.input_masks, node.output_masks, node.outbound_layer.name)
node = both._keras_history[0]._inbound_nodes[0]
print([one.name for one in node.inbound_layers], node.input_shapes, node.output_shapes, [t is o for t, o in zip(node.input_tensors, outs)])
print(dense.get_input_shape_at(0), dense.get_output_at(1) is outs[1], dense._outbound_nodes[0].outbound_layer.name)
"""


def test_what_nodes_join_are_lists(tmp_path):
    """As Keras 2.2.4 prints it."""
    (tmp_path / "program.py").write_text(OF_NODES)
    done = children.run(["-m", "tfqueue", "run", "program.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "a [] 1 1 [(None, 32)] [(None, 32)] [None] [None] a",
        "d ['a'] 1 1 [(None, 32)] [(None, 16)] [None] [None] d",
        "d ['b'] 1 1 [(None, 32)] [(None, 16)] [None] [None] d",
        "['d', 'd'] [(None, 16), (None, 16)] [(None, 32)] [True, True]",
        "(None, 32) True c",
    ], done.stderr


@pytest.mark.parametrize(("era", "listed"), [("1.13", True), ("1.14", False)])
def test_what_one_tensor_of_a_node_is_in(tmp_path, era, listed):
    """As TensorFlow 1.13.2 and 1.14.0 have it."""
    (tmp_path / "program.py").write_text(
        "from tensorflow import keras\n"
        "dense = keras.layers.Dense(2)\n"
        "dense(keras.layers.Input((3,)))\n"
        "node = dense.inbound_nodes[0]\n"
        "print([isinstance(x, list) for x in (node.inbound_layers, node.input_tensors, node.output_tensors, "
        "node.input_shapes, node.output_shapes)])\n"
    )
    done = children.run(["-m", "tfqueue", "run", "--era", era, "program.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [str([listed] * 5)], done.stderr
