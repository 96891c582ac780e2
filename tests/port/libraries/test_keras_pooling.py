"""`_pooling_function` of classes derived from pooling layers, as Keras up to 2.2 called it.

What is expected was printed by Keras 2.0.8 and 2.2.4, and 1.2.2, on TensorFlow 1.12.3.
"""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

KERAS_2 = r"""
import numpy as np
from keras import backend as K
from keras.layers import AveragePooling2D, Input, MaxPooling1D, MaxPooling2D, MaxPooling3D
from keras.layers.pooling import _Pooling1D, _Pooling2D
from keras.models import Model, Sequential


class Least(MaxPooling2D):
    def _pooling_function(self, inputs, pool_size, strides, padding, data_format):
        return -K.pool2d(-inputs, pool_size, strides, padding, data_format, pool_mode="max")


class Both(AveragePooling2D):
    def _pooling_function(self, inputs, pool_size, strides, padding, data_format):
        plain = super(Both, self)._pooling_function(inputs, pool_size, strides, padding, data_format)
        return plain + K.pool2d(inputs, pool_size, strides, padding, data_format, pool_mode="max")


class Sums(_Pooling2D):
    def _pooling_function(self, **words):
        print(sorted(words), words["pool_size"], words["strides"], words["padding"], words["data_format"])
        inputs = words.pop("inputs")
        return K.pool2d(inputs, pool_mode="avg", **words) * 4


class Row(MaxPooling1D):
    def _pooling_function(self, inputs, pool_size, strides, padding, data_format):
        print(K.int_shape(inputs), pool_size, strides)
        return 10 + super(Row, self)._pooling_function(inputs, pool_size, strides, padding, data_format)


class Own(_Pooling1D):
    def _pooling_function(self, inputs, pool_size, strides, padding, data_format):
        return K.pool2d(inputs, pool_size, strides, padding, data_format, pool_mode="avg")


class Deep(MaxPooling3D):
    def _pooling_function(self, inputs, pool_size, strides, padding, data_format):
        return 1 + super(Deep, self)._pooling_function(inputs, pool_size, strides, padding, data_format)


x = (np.arange(32).reshape(2, 4, 4, 1) * 7 % 11).astype("float32")
for layer in (Least((2, 2)), Both((2, 2), strides=(1, 1), padding="same"), Sums(), MaxPooling2D(3)):
    given = Input((4, 4, 1))
    print(type(layer).__name__, Model(given, layer(given)).predict(x).round(3).ravel().tolist(), layer.output_shape)
for layer in (Row(2, input_shape=(8, 2)), Own(3, 2, input_shape=(8, 2))):
    model = Sequential([layer])
    print(type(layer).__name__, model.predict(x.reshape(2, 8, 2)).round(3).ravel().tolist(), model.output_shape)
given = Input((2, 4, 4, 1))
print(Model(given, Deep()(given)).predict(x.reshape(1, 2, 4, 4, 1)).ravel().tolist())
"""
KERAS_1 = r"""
import numpy as np
from keras import backend as K
from keras.layers import AveragePooling2D, Input, MaxPooling1D, MaxPooling2D
from keras.layers.pooling import _Pooling2D
from keras.models import Model, Sequential


class Least(MaxPooling2D):
    def _pooling_function(self, inputs, pool_size, strides, border_mode, dim_ordering):
        return -K.pool2d(-inputs, pool_size, strides, border_mode, dim_ordering, pool_mode="max")


class Both(AveragePooling2D):
    def _pooling_function(self, inputs, pool_size, strides, border_mode, dim_ordering):
        plain = super(Both, self)._pooling_function(
            inputs, pool_size, strides, border_mode=border_mode, dim_ordering=dim_ordering)
        return plain + K.pool2d(inputs, pool_size, strides, border_mode, dim_ordering, pool_mode="max")


class Sums(_Pooling2D):
    def __init__(self, pool_size=(2, 2), strides=None, border_mode="valid", dim_ordering="default", **words):
        super(Sums, self).__init__(pool_size, strides, border_mode, dim_ordering, **words)

    def _pooling_function(self, inputs, pool_size, strides, border_mode, dim_ordering):
        print(pool_size, strides, border_mode, dim_ordering, self.border_mode)
        return K.pool2d(inputs, pool_size, strides, border_mode, dim_ordering, pool_mode="avg") * 4


class Row(MaxPooling1D):
    def _pooling_function(self, inputs, pool_size, strides, border_mode, dim_ordering):
        print(K.int_shape(inputs), pool_size, strides, dim_ordering)
        return 10 + super(Row, self)._pooling_function(inputs, pool_size, strides, border_mode, dim_ordering)


x = (np.arange(32).reshape(2, 4, 4, 1) * 7 % 11).astype("float32")
first = MaxPooling2D((2, 2), border_mode="same", dim_ordering="tf")
for layer in (first, Least((2, 2)), Both((2, 2), strides=(1, 1), border_mode="same"), Sums(dim_ordering="tf")):
    given = Input((4, 4, 1))
    print(type(layer).__name__, Model(input=given, output=layer(given)).predict(x).round(3).ravel().tolist())
model = Sequential([Row(2, input_shape=(8, 2))])
print(type(model.layers[0]).__name__, model.predict(x.reshape(2, 8, 2)).round(3).ravel().tolist(), model.output_shape)
"""
BY_2 = [
    "Least [0.0, 3.0, 1.0, 0.0, 2.0, 0.0, 3.0, 1.0] (None, 2, 2, 1)",
    "Both [10.75, 14.25, 16.75, 17.5, 12.25, 14.75, 13.5, 7.5, 12.75, 16.25, 15.0, 9.0, 12.0, 16.5, 18.0, 12.0, 14.75, 13.5, 10.25, 11.0, 16.25, 15.0, 10.75, 11.5, 16.75, 15.5, 12.25, 13.0, 16.0, 8.0, 12.5, 16.0] (None, 4, 4, 1)",
    "['data_format', 'inputs', 'padding', 'pool_size', 'strides'] (2, 2) (2, 2) valid channels_last",
    "Sums [15.0, 27.0, 19.0, 20.0, 23.0, 13.0, 27.0, 17.0] (None, 2, 2, 1)",
    "MaxPooling2D [9.0, 10.0] (None, 1, 1, 1)",
    "(None, 8, 1, 2) (2, 1) (2, 1)",
    "Row [13.0, 20.0, 19.0, 15.0, 14.0, 18.0, 20.0, 16.0, 15.0, 19.0, 18.0, 17.0, 16.0, 20.0, 19.0, 18.0] (None, 4, 2)",
    "Own [3.0, 6.333000183105469, 5.333000183105469, 5.0, 4.0, 3.6670000553131104, 5.0, 4.666999816894531, 3.6670000553131104, 7.0, 6.0, 5.666999816894531] (None, 3, 2)",
    "[10.0, 11.0, 11.0, 11.0]",
]
BY_1 = [
    "MaxPooling2D [7.0, 10.0, 8.0, 10.0, 9.0, 7.0, 10.0, 8.0]",
    "Least [0.0, 3.0, 1.0, 0.0, 2.0, 0.0, 3.0, 1.0]",
    "Both [10.75, 14.25, 16.75, 17.5, 12.25, 14.75, 13.5, 7.5, 12.75, 16.25, 15.0, 9.0, 12.0, 16.5, 18.0, 12.0, 14.75, 13.5, 10.25, 11.0, 16.25, 15.0, 10.75, 11.5, 16.75, 15.5, 12.25, 13.0, 16.0, 8.0, 12.5, 16.0]",
    "(2, 2) (2, 2) valid tf valid",
    "Sums [15.0, 27.0, 19.0, 20.0, 23.0, 13.0, 27.0, 17.0]",
    "(None, 8, 1, 2) (2, 1) (2, 1) tf",
    "Row [13.0, 20.0, 19.0, 15.0, 14.0, 18.0, 20.0, 16.0, 15.0, 19.0, 18.0, 17.0, 16.0, 20.0, 19.0, 18.0] (None, 4, 2)",
]


@pytest.mark.parametrize(("text", "expected"), [(KERAS_2, BY_2), (KERAS_1, BY_1)], ids=["2", "1"])
def test_the_method_of_a_class_is_called(tmp_path, text, expected):
    (tmp_path / "old.py").write_text(text)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected
