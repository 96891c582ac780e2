"""Iterators of pictures of a program's own. What is expected was printed by Keras 2.0.8 on TensorFlow 1.12.3."""

import types

import pytest

from tests.suite import children
from tfqueue.port.libraries import keras_iterators

PROGRAM = """
import importlib
import numpy as np
from keras import backend as K, optimizers
from keras.layers import Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator, Iterator, NumpyArrayIterator

class Rows(Iterator):
    def __init__(self, x, y, batch_size, shuffle, seed):
        self.x, self.y, self.told = x, y, []
        super(Rows, self).__init__(len(x), batch_size, shuffle, seed)

    def next(self):
        with self.lock:
            chosen, start, count = next(self.index_generator)
        self.told.append((chosen.tolist(), start, count))
        return self.x[chosen], self.y[chosen]

class Pictures(NumpyArrayIterator):
    def next(self):
        with self.lock:
            chosen = next(self.index_generator)[0]
        return self.x[chosen] * 2, np.asarray(self.y)[chosen]

def fitted(generator, **words):
    model = Sequential([Flatten(input_shape=generator.x.shape[1:]), Dense(1, kernel_initializer='ones')])
    model.compile('sgd', 'mse')
    told = model.fit_generator(generator, verbose=0, max_queue_size=1, **words)
    print(['%.4g' % loss for loss in told.history['loss']])
    return model

x = np.arange(21.).reshape(7, 3) / 10
y = x.sum(1)[:, None]
rows = Rows(x, y * 2, 3, True, 1)
model = fitted(rows, steps_per_epoch=3, epochs=2)
print(rows.told[:6])
print('%.4f' % model.evaluate_generator(Rows(x, y, 4, False, None), 2, max_queue_size=1))
pictures = np.arange(5 * 16.).reshape(5, 4, 4, 1) / 80
fitted(Pictures(pictures, np.arange(5.), ImageDataGenerator(), 2, False), steps_per_epoch=5, epochs=1)

print(importlib.import_module('keras.layers.core').Dense is Dense,
      importlib.import_module('keras.' + 'optimizers').SGD is optimizers.SGD,
      __import__('keras.backend').backend is K,
      getattr(__import__('keras.models', fromlist=['Sequential']), 'Sequential') is Sequential)
"""


def test_a_program_whose_iterators_say_what_is_next(tmp_path):
    pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")
    (tmp_path / "old.py").write_text(PROGRAM)
    found = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert found.stdout.splitlines()[-5:] == [
        "['10.62', '5.281']",
        "[([6, 2, 1], 0, 3), ([0, 4, 3], 3, 3), ([5], 6, 1), ([4, 6, 3], 0, 3), ([0, 1, 5], 3, 3), ([2], 6, 1)]",
        "2.7084",
        "['78']",
        "True True True True",
    ]


def test_values_that_are_three_already_stay():
    own = [3, 1], 0, 2
    assert keras_iterators.three(object(), own) is own
    nothing = types.SimpleNamespace(batch_index=0, n=0, batch_size=4)
    assert keras_iterators.three(nothing, []) == ([], 0, 0)


def test_the_example_of_a_batch_of_one_is_told(capsys):
    one = types.SimpleNamespace(batch_index=2, n=5, batch_size=1)
    assert keras_iterators.three_for_a_part(one, [4]) == ([4], 1, 1)
    assert "up to Keras 2.0.8" in capsys.readouterr().err


def test_a_class_of_the_programs_own_stays_as_it_is():
    class Own:
        pass

    assert keras_iterators.stepping(Own) is Own
    assert not hasattr(Own, "__getitem__")
