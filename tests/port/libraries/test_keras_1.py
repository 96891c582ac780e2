"""Programs that import keras itself. What is expected was printed by Keras 2.2 (2.2.5 on TensorFlow 1.4.1, 2.2.4 on 1.15.5); `merge` is Keras 1's."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """
import numpy as np
import tensorflow as tf
import keras
import keras.backend as K
from keras.engine.topology import Layer
from keras.layers import Activation, Convolution2D, Flatten, Input, UpSampling2D, merge
from keras.layers.core import Dense, Reshape
from keras.models import Model, Sequential
from keras.optimizers import Optimizer, SGD, TFOptimizer

def losses(optimizer):
    model = Sequential()
    model.add(Dense(4, input_dim=3, init='one', activation='tanh'))
    model.add(Dense(1, init='one', activation='sigmoid'))
    model.compile(loss='binary_crossentropy', optimizer=optimizer, metrics=['accuracy'])
    x = np.arange(24).reshape(8, 3) / 24. - .4
    held = model.fit(x, (np.arange(8) % 3 == 0) * 1., nb_epoch=3, batch_size=4, shuffle=False, verbose=0)
    assert sorted(held.history) == ['acc', 'loss']
    return ' '.join('%.4f' % loss for loss in held.history['loss']), model, x

for name in ('adadelta', 'adagrad', 'adamax', 'nadam'):
    print(name, losses(name)[0])
line, model, x = losses(SGD(lr=0.1, decay=0.01, momentum=0.9, nesterov=True))
print('sgd', line, model.predict_classes(x).ravel().tolist(), model.predict_proba(x).shape)

class Twice(Layer):
    def call(self, x):
        return 2 * x

image = Input(shape=(4, 4, 1))
n = 3
part = Flatten()(Convolution2D(2, n, n, border_mode='valid', subsample=(1, 1), dim_ordering='tf', init='one')(image))
both = [merge([part, Twice()(part)], mode=mode) for mode in ('sum', 'mul', 'concat', 'max', 'ave')]
model = Model(input=image, output=both)
print([found[0].sum() for found in model.predict(np.ones((1, 4, 4, 1)))])

class Scaled(Layer):
    def build(self, input_shape):
        self.free = K.variable(np.ones((1, 1)))
        self.kernel = K.variable(np.ones((input_shape[-1], 2)) / np.sqrt(input_shape[1]))
        self.trainable_weights = [self.kernel]
        self.built = True
        self.seen = input_shape
    def call(self, x, mask=None):
        return K.dot(x, self.kernel) * K.sum(self.free)
    def get_output_shape_for(self, input_shape):
        return input_shape[0], 2

class Sum(Scaled):
    def build(self, input_shape):
        self.seen = input_shape
        self.kernel = self.add_weight((input_shape[0][1], 2), initializer='one', name='kernel')
    def call(self, x):
        return tf.py_func(lambda y: y, [K.dot(x[0], self.kernel) + x[1]], tf.float32)
    compute_output_shape = lambda self, shapes: shapes[1]

a, b = Input(shape=(4,)), Input(shape=(2,))
layers = Scaled(), Sum()
found = layers[1]([a, layers[0](a)])
print([layer.seen for layer in layers], found._keras_shape, [len(layer.trainable_weights) for layer in layers])

def near(true, guess):
    return K.mean(K.cast(K.abs(true - guess) < 2, 'float32'))

model = Sequential([Scaled(input_shape=(2,))])
model.compile('sgd', 'mse', metrics=[near])
x, y = np.arange(8).reshape(4, 2), np.ones((4, 2))
for weights in (None, np.array([1, 0, 0, 2.]), np.array([1, 0, 0, 1])):
    print(' '.join('%.3f' % one for one in model.evaluate(x, y, sample_weight=weights, batch_size=3, verbose=0)))
generator = ((x[at:at + 2], y[at:at + 2]) for at in (0, 2) * 20)
held = model.fit_generator(generator, samples_per_epoch=4, nb_epoch=2, verbose=0)
print(' '.join('%.4f' % loss for loss in held.history['loss']))

def small(optimizer, activity, loss):
    model = Sequential()
    model.add(Dense(3, activation='tanh', input_dim=2, init=keras.initializers.Constant(.3), activity_regularizer=activity))
    model.add(Dense(2, init=keras.initializers.Constant([[1, 0], [0, 1], [1, 1]])))
    model.compile(optimizer, loss)
    x = np.arange(20).reshape(10, 2) / 10. - 1
    held = model.fit(x, np.cos(x), batch_size=4, epochs=2, shuffle=False, verbose=0)
    print(' '.join('%.4f' % one for one in held.history['loss']))

small(SGD(.1, clipnorm=.1), None, 'mse')
small('sgd', keras.regularizers.l1(.1), 'mse')
small('sgd', None, 'cosine_proximity')

picture = np.arange(24).reshape(1, 3, 4, 2) ** 2 / 100.
for order, given in (('channels_last', picture), ('channels_first', picture.transpose(0, 3, 1, 2))):
    up = Sequential([UpSampling2D((2, 3), interpolation='bilinear', data_format=order, input_shape=given.shape[1:])])
    print(up.output_shape, ' '.join('%.4f' % one for one in up.predict(given).ravel()[8:16]))

class Signs(Optimizer):
    def __init__(self, lr=.1, **words):
        super(Signs, self).__init__(**words)
        self.lr = K.variable(lr)
    def get_updates(self, loss, params):
        grads = self.get_gradients(loss, params)
        self.updates = [K.update(one, one - self.lr * K.sign(grad)) for one, grad in zip(params, grads)]
        return self.updates

for given in (Signs(), TFOptimizer(tf.train.GradientDescentOptimizer(.01))):
    model = Sequential([Scaled(input_shape=(2,))])
    model.compile(given, 'mse')
    print(' '.join('%.4f' % model.train_on_batch(x[:4], np.ones((4, 2))) for _ in range(3)))
x = np.ones((10, 2))

class Shapes(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print([part.shape for part in self.validation_data])

model.fit(x, np.ones((10, 2)), validation_split=.3, callbacks=[Shapes()], verbose=0)
model.fit([x], [np.ones((10, 2))], validation_data=(x[:4], np.ones((4, 2))), callbacks=[Shapes()], verbose=0)
model.fit(x, np.ones((10, 2)), 5, 1, 0, [Shapes()], 0., (x[:3], np.ones((3, 2))))
model.fit(x, np.ones((10, 2)), 5, 1, 0, [Shapes()], .2)
print(K.image_dim_ordering(), K.get_variable_shape(K.variable(np.zeros((2, 3)))))
"""
PRINTED = """\
adadelta 1.5457 1.5397 1.5342
adagrad 1.5425 1.5109 1.4921
adamax 1.5454 1.5392 1.5340
nadam 1.5454 1.5384 1.5328
sgd 1.5529 1.3054 1.0188 [0, 0, 0, 0, 1, 1, 1, 1] (8, 1)
[216.0, 1296.0, 216.0, 144.0, 108.0]
[(None, 4), [(None, 4), (None, 2)]] (None, 2) [1, 1]
25.601 0.250
33.622 0.250
16.843 0.250
23.2282 3.0518
1.1981 1.1564
1.4640 1.2766
-0.0001 -0.0002
(None, 6, 12, 2) 0.0800 0.1433 0.1200 0.1967 0.1600 0.2500 0.2267 0.3300
(None, 2, 6, 12) 0.2933 0.3600 0.3600 0.3600 0.3200 0.3867 0.4533 0.5200
25.6005 17.9324 11.6444
25.6005 11.0509 4.8760
[(3, 2), (3, 2), (3,)]
[(4, 2), (4, 2), (4,)]
[(3, 2), (3, 2), (3,)]
[(2, 2), (2, 2), (2,)]
tf (2, 3)
"""


def test_a_program_of_keras_trains_as_it_did(tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", str(tmp_path / "old.py")], cwd=tmp_path)
    assert done.stdout == PRINTED, done.stderr


OWN_CLASSES = """
import tensorflow as tf
from keras.layers import *
from keras.layers.merge import _Merge
from keras.models import Model
import keras.optimizers as optimizers

class Mixed(_Merge):
    def _merge_function(self, inputs):
        return .25 * inputs[0] + .75 * inputs[1]

class Biased(Layer):
    def build(self, input_shape):
        self.bias = self.add_weight(shape=(2,), initializer='zeros', name='bias')
        super(Biased, self).build(input_shape)
    def call(self, x):
        if self.bias:
            x += self.bias
        return x

class Ours(Model):
    def __init__(self, inputs, outputs):
        self.seen, self.words = [], {}
        super(Ours, self).__init__(inputs, outputs)
        self.seen.append(len(self.layers))

class Again(optimizers.Optimizer):
    def __init__(self, optimizer):
        super(Again, self).__init__()
        self.optimizer = optimizer
    def get_updates(self, params, loss):
        self.updates = self.optimizer.get_updates(params=params, loss=loss)
        return self.updates

class Batches(object):
    def __next__(self):
        return [np.ones((2, 2)), np.zeros((2, 2))], np.ones((2, 2))

def add(x):
    return 2 if hasattr(x, '__len__') else x + 1

a, b = Input(shape=(2,), batch_shape=(None, 2)), Input((2,))
found = Lambda(add)(Biased()(Mixed()([a, b])))
model = Ours([a, b], found)
model.compile(Again(optimizers.SGD(lr=.1)), 'mse')
held = model.fit_generator(Batches(), 2, epochs=3, verbose=0)
print(model.seen, ' '.join('%.4f' % loss for loss in held.history['loss']))
advantages = K.placeholder((None,))
loss = K.sum(K.square(found[:, 0]) * advantages)
step = K.function([a, b, advantages], [], updates=optimizers.SGD(.1).get_updates(model.trainable_weights, [], loss))
rows = [np.array([1., 2.]), np.array([3., 4.])]
print(step([rows, rows, [1., 2.]]), ' '.join('%.4f' % one for one in model.get_weights()[0]))

words = Input((None,), dtype='int32')
start = initializers.Constant(np.arange(15).reshape(5, 3) / 15.)
vectors = Embedding(5, 3, embeddings_initializer=start)(Lambda(lambda x: x[:, :-1])(words))
found = Dense(5, kernel_initializer=initializers.Constant([[1, 0, 2, 0, .5]] * 3))(vectors)
after = tf.cast(Lambda(lambda x: x[:, 1:])(words), 'int32')
losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=after, logits=found)
shown = tf.cast(tf.not_equal(after, 0), 'float32')
model = Model(words, found)
model.add_loss([K.mean(tf.reduce_sum(losses * shown, -1) / tf.reduce_sum(shown, -1))])
model.compile('sgd', None)
x = np.random.RandomState(0).randint(0, 5, (64, 7))
held = model.fit(x, None, epochs=2, verbose=0, shuffle=False, batch_size=16)
print(len(model.layers), ' '.join('%.4f' % loss for loss in held.history['loss']), '%.4f' % model.evaluate(x, None, verbose=0))
"""
OF_OWN_CLASSES = (
    "[5] 0.0566 0.0371 0.0243\n[] -2.0469 -0.1171\n4 2.5252 2.4832 2.4575\n"  # of 2.2.4 on 1.13.2
)


def test_a_program_with_classes_of_its_own_trains_as_it_did(tmp_path):
    (tmp_path / "old.py").write_text(OWN_CLASSES)
    done = children.run(["-m", "tfqueue", "run", str(tmp_path / "old.py")], cwd=tmp_path)
    assert done.stdout == OF_OWN_CLASSES, done.stderr


LIKE_THE_PACKAGE = """
import threading
import tensorflow as tf
from keras.backend import moving_averages, tf as ktf
from keras.engine.topology import Layer
from keras.layers import *
from keras.models import Model, Sequential
from keras.utils import Sequence
import keras.backend as K
import keras.initializers

class Named(Layer):
    def __init__(self, name='named', **words):
        super(Named, self).__init__(**words)
        self.name = name
    def call(self, both):
        return both[0] + K.tf.reduce_sum(both[1], 1, keep_dims=True)
    def compute_output_shape(self, shapes):
        return shapes

class Masked(Layer):
    supports_masking = True
    def call(self, x):
        return x * 2.
    def compute_mask(self, x, mask=None):
        return None
    def loss(self, true, found):
        mask = K.cast(self._inbound_nodes[0].input_masks[0], 'float32')
        each = Lambda(lambda y: K.sum(K.square(y), -1))(found - true)
        return K.sum(each * mask, 1)

class Batches(Sequence):
    def __len__(self):
        return 2
    def __getitem__(self, at):
        return [np.ones((2, 3, 2)) * [[[1], [0], [at + 1]]], np.ones((2, 3, 2))]

x = Input((3, 2))
both = Named()([x, Dense(2, kernel_initializer='ones')(x)])
layer = Masked()
masks = layer(Masking()(x))
model = Model(x, masks)
model.name = 'renamed'
model.compile('sgd', layer.loss)
print(Model(x, both).layers[-1].name, both._keras_shape, model.name, layer._inbound_nodes[0].output_masks)
held = model.fit_generator(Batches(), 2, epochs=1, verbose=0, shuffle=False, validation_data=Batches())
print('%.4f %.4f %.4f' % (held.history['loss'][0], held.history['val_loss'][0], model.evaluate_generator(Batches())))
found = []
graph = ktf.get_default_graph()
def predict():
    with graph.as_default():
        found.extend(model.predict(np.ones((1, 3, 2))).ravel())
thread = threading.Thread(target=predict)
thread.start()
thread.join()
print(found, moving_averages.__name__.split('.')[-1])

K.set_image_data_format('channels_first')
start = keras.initializers.Constant(.2)
cells = [kind(3, kernel_initializer=start, recurrent_initializer=start, bias_initializer=start)(x) for kind in (GRU, LSTM, SimpleRNN)]
model = Model(x, cells)
print(' '.join('%.4f' % one[0, 0] for one in model.predict(np.ones((1, 3, 2)))))
"""
OF_THE_PACKAGE = """\
named (None, 3, 2) renamed [None]
12.0000 12.0000 12.0000
[2.0, 2.0, 2.0, 2.0, 2.0, 2.0] moving_averages
0.4381 0.5061 0.7764
"""  # of 2.2.4 on 1.12.3 and 1.13.2


def test_names_lists_masks_and_threads_are_those_of_the_package(tmp_path):
    (tmp_path / "old.py").write_text(LIKE_THE_PACKAGE)
    done = children.run(["-m", "tfqueue", "run", str(tmp_path / "old.py")], cwd=tmp_path)
    assert done.stdout == OF_THE_PACKAGE, done.stderr


def test_a_step_that_keras_would_not_call_is_refused():
    """Keras 2.2.4 left it out in silence, too; up to 2.0 it was what a layer computed."""
    import tfqueue.v1 as tf
    from tfqueue.names.sentence import GoneError
    from tfqueue.port.libraries import keras_layers

    @keras_layers.layer
    class Odd(tf.keras.layers.GRU):
        def step(self, x, states):
            return x, states

    @keras_layers.layer
    class Own(Odd):
        def call(self, x):
            return self.step(x[:, 0], None)[0]

    with pytest.raises(GoneError, match=r"GRU\.step, which Odd has for its own, .* Keras 2\.1"):
        Odd(2)(tf.zeros([1, 3, 2]))
    assert Own(2)(tf.zeros([1, 3, 2])).shape.as_list() == [1, 2]
    plain = keras_layers.layer(type("Plain", (tf.keras.layers.GRU,), {}))
    assert plain(2)(tf.zeros([1, 3, 2])).shape.as_list() == [1, 2]


def test_a_cross_entropy_whose_output_comes_first_is_told(capsys, monkeypatch):
    """Keras 1.2.2 to 2.0.6 have `(output, target)`, 2.0.8 and later `(target, output)`."""
    import tfqueue.v1 as tf
    from tfqueue.port.libraries import keras_1

    monkeypatch.setattr(keras_1, "_told", set())
    true, found = tf.constant([[1.0, 0.0]]), tf.constant([[0.8, 0.3]])
    K = tf.keras.backend
    for name in ("binary_crossentropy", "categorical_crossentropy"):
        called = keras_1.output_first(name, "old.py:4")
        for _ in range(2):
            as_it_was, today = K.get_session().run(
                [called(found, true), getattr(K, name)(true, found)]
            )
            assert as_it_was.tolist() == today.tolist()
    told = capsys.readouterr().err.splitlines()
    assert [line[:17] for line in told] == ["tfqueue: old.py:4"] * 2
    K.set_session(None)
