"""Programs that import keras itself. The losses were printed by Keras 2.2.5 on TensorFlow 1.4.1; `merge` is Keras 1's."""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

PROGRAM = """
import numpy as np
import tensorflow as tf
import keras
import keras.backend as K
from keras.engine.topology import Layer
from keras.layers import Activation, Convolution2D, Flatten, Input, merge
from keras.layers.core import Dense, Reshape
from keras.models import Model, Sequential
from keras.optimizers import SGD

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
print(K.image_dim_ordering(), K.get_variable_shape(K.variable(np.zeros((2, 3)))))
"""
PRINTED = """\
adadelta 1.5457 1.5397 1.5342
adagrad 1.5425 1.5109 1.4921
adamax 1.5454 1.5392 1.5340
nadam 1.5454 1.5384 1.5328
sgd 1.5529 1.3054 1.0188 [0, 0, 0, 0, 1, 1, 1, 1] (8, 1)
[216.0, 1296.0, 216.0, 144.0, 108.0]
tf (2, 3)
"""


def test_a_program_of_keras_trains_as_it_did(tmp_path):
    (tmp_path / "old.py").write_text(PROGRAM)
    done = children.run(["-m", "tfqueue", "run", str(tmp_path / "old.py")], cwd=tmp_path)
    assert done.stdout == PRINTED, done.stderr
