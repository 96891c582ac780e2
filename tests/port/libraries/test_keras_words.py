"""Arguments of Keras 1 at run time, and what layers, callbacks and tensors are called and told in programs that import keras.

What is expected was printed by Keras 2.1.6 on TensorFlow 1.12.3.
"""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """
import glob
import os
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.callbacks import Callback, TensorBoard
from keras.engine.topology import Layer
from keras.layers import LSTM, Bidirectional, Convolution2D, Dense, Embedding, Flatten, Input, Reshape, concatenate
from keras.models import Model, Sequential, load_model

row = Sequential([Dense(3, input_shape=(2,)), Dense(1)])
print(row.name, [layer.name for layer in row.layers], row.get_layer('dense_1').units)
i = Input((3,))
both = concatenate([Dense(2)(i), Bidirectional(LSTM(3))(Reshape((3, 1))(i))])
model = Model(i, both)
print(model.name, [layer.name for layer in model.layers], model.weights[-1].name)

def make(unit, **words):
    return unit(**words)
h = make(LSTM, output_dim=2, consume_less='gpu', dropout_U=0.1, inner_activation='sigmoid', init='he_normal')
d = make(Dense, output_dim=2, bias=False)
c = make(Convolution2D, nb_filter=2, nb_row=3, nb_col=2, border_mode='same', subsample=(2, 2), dim_ordering='th')
print(h.units, h.recurrent_dropout, h.get_config()['recurrent_activation'], d.use_bias, c.kernel_size, c.strides, c.data_format)
class Own(LSTM):
    def __init__(self, units, **words):
        super(Own, self).__init__(units, **words)
print(Own(3, dropout_W=.5).dropout, LSTM.from_config(h.get_config()).recurrent_dropout)
try:
    make(Dense, units=2, nothing=1)
except TypeError:
    print('refused')

class Telling(Callback):
    def on_batch_begin(self, number, told):
        print(number, told)
    def on_batch_end(self, batch, logs=None):
        print(type(logs['loss'].item()).__name__, type(logs['loss']).__name__)
    def on_epoch_end(self, epoch, logs=None):
        print(sorted((name, type(value).__name__) for name, value in logs.items()))
x, y = np.random.rand(8, 2), np.random.rand(8, 1)
row.compile('sgd', 'mse', metrics=['mae'])
history = row.fit(x, y, verbose=0, epochs=1, batch_size=8, validation_data=(x, y), callbacks=[Telling()]).history
print(type(history['mean_absolute_error'][0]).__name__, [type(one).__name__ for one in row.evaluate(x, y, verbose=0)])

words = Sequential([Embedding(5, 2, input_length=3, name='emb'), Flatten(), Dense(1)])
words.compile('sgd', 'mse')
board = TensorBoard('board', embeddings_freq=2, write_graph=False, embeddings_metadata='names.tsv')
x = np.random.randint(0, 5, (8, 3))
words.fit(x, y, epochs=3, verbose=0, validation_data=(x, y), callbacks=[board])
print(sorted(os.path.basename(name) for name in glob.glob('board/*.index')))
print(open('board/projector_config.pbtxt').read().split())
print(sorted({v.tag for name in glob.glob('board/events*') for e in tf.train.summary_iterator(name) for v in e.summary.value}))

class Shaped(Layer):
    def call(self, inputs):
        print(hasattr(inputs, '_keras_shape'), getattr(inputs, '_keras_shape'), getattr(inputs + 1, '_keras_shape', 'none'))
        return inputs
Shaped()(Input((4, 2)))
print(hasattr(tf.constant(1.), '_keras_shape'), getattr(K.variable(np.ones(1)), '_keras_shape', None))
print(K.get_value(K.variable(K.variable([1., 2.]))).tolist())

def odd(true, predicted):
    return predicted
model = Sequential([Dense(2, input_shape=(3,), kernel_initializer='ones')])
model.compile('sgd', 'mse', metrics=[odd])
model.metrics = model.metrics_names = model.metrics_tensors = None
model.save('model.h5')
print(load_model('model.h5').metrics_names)
"""
PRINTED = """\
sequential_1 ['dense_1', 'dense_2'] 3
model_1 ['input_1', 'reshape_1', 'dense_3', 'bidirectional_1', 'concatenate_1'] bidirectional_1/backward_lstm_1/bias:0
2 0.1 sigmoid False (3, 2) (2, 2) channels_first
0.5 0.1
refused
0 {'batch': 0, 'size': 8}
float float32
[('loss', 'float64'), ('mean_absolute_error', 'float64'), ('val_loss', 'float64'), ('val_mean_absolute_error', 'float64')]
float64 ['float64', 'float64']
['keras_embedding.ckpt-0.index', 'keras_embedding.ckpt-2.index']
['embeddings', '{', 'tensor_name:', '"emb/embeddings:0"', 'metadata_path:', '"names.tsv"', '}']
['loss', 'val_loss']
True (None, 4, 2) none
False (1,)
[1.0, 2.0]
['loss']
"""


def test_a_program_that_imports_keras(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", "program.py"], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, PRINTED), done.stderr


STEPS = """
from keras import optimizers
from keras.layers import AtrousConvolution1D, Convolution1D, Dense, LocallyConnected1D
from keras.models import Sequential
first = Convolution1D(nb_filter=4, filter_length=3, input_dim=5, input_length=10)
for model in (
    Sequential([first, LocallyConnected1D(2, 3)]),
    Sequential([Convolution1D(4, 3, input_dim=5), Dense(2)]),
    Sequential([AtrousConvolution1D(4, 3, atrous_rate=2, input_dim=5, input_length=10)]),
):
    print(model.input_shape, model.output_shape)
given = optimizers.adagrad(lr=0.5).get_config()
print(given["lr"], given["decay"], type(optimizers.Adagrad.from_config(given)).__name__)
"""


def test_a_shape_in_two_arguments(tmp_path):
    """As Keras 2.2.4 prints it."""
    (tmp_path / "program.py").write_text(STEPS)
    done = children.run(["-m", "tfqueue", "run", "program.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "(None, 10, 5) (None, 6, 2)",
        "(None, None, 5) (None, None, 2)",
        "(None, 10, 5) (None, 6, 4)",
        "0.5 0.0 Adagrad",
    ], done.stderr


OF_KERAS_1 = """\
import keras
from keras.layers import Convolution2D, Convolution3D, LSTM, Layer, ConvLSTM2D
class Same(Layer):
    pass
def shown(layer, *names):
    config = layer.get_config()
    print([config[name] for name in names])
shown(Convolution2D(5, 3, nb_col=7), 'filters', 'kernel_size')
shown(Convolution2D(5, nb_row=3, nb_col=7), 'filters', 'kernel_size')
shown(Convolution3D(5, 3, kernel_dim2=4, kernel_dim3=7), 'filters', 'kernel_size')
shown(Convolution3D(5, 3, 4, kernel_dim3=7), 'filters', 'kernel_size')
shown(ConvLSTM2D(5, 3, nb_col=7), 'filters', 'kernel_size')
shown(LSTM(2, forget_bias_init='one'), 'units', 'unit_forget_bias')
print(Same().compute_output_shape((None, 3)))
pads = {'left_pad': 1, 'top_pad': 2, 'bottom_pad': 3}
for pad in (pads, (2, 3, 1, 0), 4, (5, 6), ((1, 2), (3, 4))):
    shown(keras.layers.ZeroPadding2D(pad), 'padding')
shown(keras.layers.ZeroPadding1D(padding={'left_pad': 1, 'right_pad': 2}), 'padding')
print(ConvLSTM2D(2, 3, 3, dropout_W=.5, dropout_U=.5)(keras.layers.Input((4, 5, 5, 3))).shape)
print(keras.layers.Dense(4).compute_output_shape((None, 3)))
for home, name in (('optimizers', 'adam'), ('layers', 'Deconvolution2D'), ('utils', 'HDF5Matrix'), ('backend', 'get_variable_shape')):
    print(getattr(getattr(keras, home), name).__name__)
"""


def test_kernels_half_by_name_and_names_that_are_asked_for(tmp_path):
    """As Keras 2.2.4 prints it; what is padded with is as in Keras 1.2.2."""
    (tmp_path / "program.py").write_text(OF_KERAS_1)
    done = children.run(["-m", "tfqueue", "run", "program.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [
        *["[5, (3, 7)]"] * 2,
        *["[5, (3, 4, 7)]"] * 2,
        "[5, (3, 7)]",
        "[2, True]",
        "(None, 3)",
        *["[((2, 3), (1, 0))]"] * 2,
        *("[((4, 4), (4, 4))]", "[((5, 5), (6, 6))]", "[((1, 2), (3, 4))]", "[(1, 2)]"),
        "(?, 3, 3, 2)",
        "(None, 4)",
        *("Adam", "Conv2DTranspose", "HDF5Matrix", "get_variable_shape"),
    ], done.stderr


FORGETS = """\
from keras.layers import LSTM
print([LSTM(ARGUMENT=2, forget_bias_init=one).get_config()["unit_forget_bias"] for one in ("one", "zero")])
"""


@pytest.mark.parametrize(("argument", "zero"), [("output_dim", False), ("units", True)])
def test_what_a_forget_gate_begins_with(tmp_path, argument, zero):
    """Keras 1 had zeros where they are asked for, and Keras 2.2.4 ones, as it warned."""
    (tmp_path / "program.py").write_text(FORGETS.replace("ARGUMENT", argument))
    done = children.run(["-m", "tfqueue", "run", "program.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == [f"[True, {zero}]"], done.stderr


CONVOLUTIONS = """\
from keras.utils import conv_utils
import keras.utils.conv_utils as lengths, os
print(os.path.basename("a/b"), conv_utils.deconv_length(4, 2, 3, "same"), lengths.conv_output_length(5, 3, "valid", 1), lengths.deconv_length(4, 2, 3, "same"))
"""


def test_lengths_of_convolutions(tmp_path):
    """As Keras 2.2.4 prints it."""
    (tmp_path / "program.py").write_text(CONVOLUTIONS)
    done = children.run(["-m", "tfqueue", "run", "program.py"], cwd=tmp_path)
    assert done.stdout.splitlines() == ["b 8 3 8"], done.stderr
