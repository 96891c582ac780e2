"""What Keras 1 and 2 had and `tf.keras` has not, and arguments of Keras 1.

Keras 1.2.2 (on TensorFlow 1.4.1), 2.0.8 and 2.2.4 (on 1.8.0) printed what is expected of the programs.
"""

import pytest

from tests.suite import children

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")

OF_KERAS_1 = """
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import *
from keras.models import Sequential, Model
from keras.regularizers import l1l2, activity_l2
from keras.utils.np_utils import to_categorical, probas_to_classes
from keras.metrics import precision, recall, fbeta_score, fmeasure, matthews_correlation
from keras.preprocessing.image import img_to_array
from keras.preprocessing.text import Tokenizer
K.set_image_dim_ordering('tf')
def show(name, layer, shape, seed=0):
    x = Input(shape[1:]); m = Model(x, layer(x)); m.compile('sgd', 'mse')
    r = np.random.RandomState(seed)
    m.set_weights([r.uniform(-1, 1, w.shape) for w in m.get_weights()])
    out = m.predict_on_batch(r.uniform(-1, 1, shape))
    print(name, out.shape, ['%.3f' % each for each in np.ravel(out)[:6]], len(m.get_weights()))
show('highway', Highway(activation='tanh', W_regularizer=l1l2(l1=.1, l2=.2)), (2, 3))
show('highway2', Highway(bias=False), (2, 3))
show('maxout', MaxoutDense(2, nb_feature=3, init='uniform'), (2, 3))
show('maxout2', MaxoutDense(output_dim=2, bias=False), (2, 3))
show('tdd', TimeDistributedDense(2, activation='tanh'), (2, 4, 3))
show('atrous', AtrousConvolution2D(2, 3, 3, atrous_rate=(2, 2), border_mode='same'), (1, 6, 6, 2))
show('atrousk', AtrousConvolution2D(nb_filter=2, nb_row=2, nb_col=3, atrous_rate=(2, 2), dim_ordering='tf'), (1, 6, 6, 2))
show('atrous1', AtrousConvolution1D(2, 3, atrous_rate=2, border_mode='valid'), (1, 8, 2))
show('conv', Convolution2D(nb_filter=2, nb_row=3, nb_col=2, border_mode='valid', subsample=(2, 2), dim_ordering=K.image_dim_ordering(), W_regularizer=l1l2(.1)), (1, 6, 6, 2))
show('conv3', Convolution3D(2, 2, 2, 2, border_mode='same', dim_ordering='tf'), (1, 3, 3, 3, 1))
show('local', LocallyConnected2D(2, 3, 3, border_mode='valid', dim_ordering='default'), (1, 4, 4, 1))
x = Input((2,)); print(abs(np.array(Model(x, MaxoutDense(200, 50)(x)).get_weights()[0]).std() - 0.08409) < .002, BatchNormalization(mode=0, beta_init='one').name[:5])
show('pool3', MaxPooling3D((2, 2, 2), dim_ordering='tf'), (1, 4, 4, 4, 1))
show('up1', UpSampling1D(length=2), (1, 2, 1))
show('gap', GlobalAveragePooling2D(dim_ordering='tf'), (1, 4, 4, 2))
show('sep', SeparableConvolution2D(2, 3, 3, border_mode='same', depth_multiplier=2), (1, 4, 4, 2))
show('prelu', PReLU(init='one'), (2, 3))
y, p = np.array([[1., 0, 1], [0, 1, 1]]), np.array([[.9, .8, .2], [.1, .7, .4]])
for f in (precision, recall, fmeasure, lambda a, b: fbeta_score(a, b, beta=2), matthews_correlation):
    print(round(float(K.get_value(f(K.variable(y), K.variable(p)))), 5))
print(to_categorical([0, 2], nb_classes=4).tolist(), probas_to_classes(p).tolist(), probas_to_classes(p[:, :1]).tolist())
print(K.get_value(K.one_hot(K.variable([1], dtype='int32'), nb_classes=3)).tolist(), K.get_value(K.expand_dims(K.variable([1.]), dim=0)).tolist())
z = K.get_value(K.random_normal((20000,), mean=1., std=2.)); print(abs(z.mean() - 1) < .1, abs(z.std() - 2) < .1)
z = K.get_value(K.random_uniform((2000,), low=2., high=3.)); print(z.min() >= 2, z.max() <= 3)
print(img_to_array(np.zeros((4, 3, 1)), dim_ordering='th').shape, Tokenizer(nb_words=3).__class__.__name__)
"""
OF_KERAS_1_PRINTED = """\
highway (2, 3) ['0.278', '-0.000', '-0.294', '0.697', '0.509', '0.400'] 4
highway2 (2, 3) ['0.387', '0.809', '1.090', '0.382', '0.266', '0.598'] 2
maxout (2, 2) ['0.896', '0.228', '0.787', '1.275'] 2
maxout2 (2, 2) ['0.340', '-0.512', '0.550', '0.677'] 1
tdd (2, 4, 2) ['-0.170', '0.870', '-0.218', '0.789', '-0.228', '0.060'] 2
atrous (1, 6, 6, 2) ['1.095', '0.284', '1.532', '0.207', '-0.671', '-1.454'] 2
atrousk (1, 4, 2, 2) ['-1.121', '-0.412', '-0.799', '0.808', '-1.007', '1.442'] 2
atrous1 (1, 4, 2) ['-0.039', '1.200', '-0.586', '1.440', '0.142', '1.792'] 2
conv (1, 2, 3, 2) ['1.263', '-0.249', '-0.581', '-0.915', '-2.472', '-1.130'] 2
conv3 (1, 3, 3, 3, 2) ['-0.519', '0.027', '-0.658', '2.006', '-1.122', '1.206'] 2
local (1, 2, 2, 2) ['0.223', '-0.821', '-0.886', '-0.805', '-0.356', '0.007'] 2
True batch
pool3 (1, 2, 2, 2, 1) ['0.957', '0.784', '0.927', '0.889', '0.977', '0.887'] 0
up1 (1, 4, 1) ['0.098', '0.098', '0.430', '0.430'] 0
gap (1, 2) ['-0.038', '0.347'] 0
sep (1, 4, 4, 2) ['-0.629', '1.203', '-0.986', '0.584', '-0.133', '1.480'] 3
prelu (2, 3) ['0.090', '-0.066', '0.292', '-0.012', '0.784', '0.927'] 1
0.66667
0.5
0.57143
0.52632
0.0
[[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] [0, 1] [1, 0]
[[0.0, 1.0, 0.0]] [[1.0]]
True True
True True
(1, 4, 3) Tokenizer
"""
MERGED = """
import numpy as np
import tensorflow as tf
from keras.models import Sequential, Model
from keras.layers import Dense, Merge, Input, Embedding, LSTM, Dropout, Activation, Flatten
r = np.random.RandomState(0)
xs = [r.uniform(-1, 1, (4, 3)), r.uniform(-1, 1, (4, 2))]
for mode, kw in (('concat', {}), ('sum', {}), ('mul', {}), ('ave', {}), ('max', {}), ('dot', {'dot_axes': 1}), (lambda t: t[0] - t[1], {'output_shape': (4,)})):
    left, right = Sequential(), Sequential()
    left.add(Dense(4, input_dim=3, init='one')); left.add(Activation('tanh'))
    right.add(Dense(4, input_dim=2, init='one'))
    m = Sequential()
    m.add(Merge([left, right], mode=mode, **kw))
    m.add(Dense(2, init='one'))
    m.add(Activation('sigmoid'))
    m.compile('sgd', 'mse')
    print(mode if isinstance(mode, str) else 'lambda', m.output_shape, ['%.4f' % v for v in m.predict(xs)[0]], '%.5f' % float(np.ravel(m.train_on_batch(xs, np.zeros((4, 2))))[0]), '%.5f' % float(np.ravel(m.train_on_batch(xs, np.zeros((4, 2))))[0]), len(m.get_weights()))
words = Sequential([Embedding(5, 3, input_length=4), LSTM(2)])
q = Sequential(); q.add(Merge([words, Sequential([Dense(2, input_shape=(3,))])], mode='concat', concat_axis=1)); q.add(Dense(1)); q.compile('adam', 'mse')
q.train_on_batch([np.zeros((4, 4)), xs[0]], np.zeros((4, 1)))
print(q.input_shape, q.output_shape, len(q.inputs), q.predict([np.zeros((4, 4)), xs[0]]).shape)
a, b = Input((3,)), Input((3,))
n = Model([a, b], Merge(mode='concat')([a, b])); print(n.output_shape)
"""
MERGED_PRINTED = """\
concat (None, 2) ['0.9984', '0.9984'] 0.71216 0.71202 6
sum (None, 2) ['0.9984', '0.9984'] 0.71216 0.71203 6
mul (None, 2) ['0.9219', '0.9219'] 0.43085 0.43036 6
ave (None, 2) ['0.9618', '0.9618'] 0.61658 0.61628 6
max (None, 2) ['0.9811', '0.9811'] 0.85204 0.85172 6
dot (None, 2) ['0.9219', '0.9219'] 0.43085 0.43030 6
lambda (None, 2) ['0.1903', '0.1903'] 0.50513 0.50510 6
[(None, 4), (None, 3)] (None, 1) 2 (4, 1)
(None, 6)
"""
MERGED_BY_FUNCTIONS = """
import numpy as np
import tensorflow as tf
from keras.layers import Convolution2D, Embedding, Input, LSTM, merge
from keras.models import Model
a, b = Input((2, 3)), Input((2, 3))
def shown(inputs, output, *values):
    print(np.round(Model(input=inputs, output=output).predict(list(values)), 4).tolist())
def weighted(x, mask=None, k=1):
    return x[0] * k if mask is None else x[0] * k + 1
def several(x, k=1):
    return x[0] + k * x[1]
for output in (
    merge([a, b], 'concat', 1),
    merge([a, b], 'dot', -1, 2),
    merge([a, b], several, -1, -1, (2, 3), None, {'k': 3}, 'joined'),
    merge([a, b], mode=several, output_shape=lambda shapes: shapes[0], arguments={'k': 5}),
    merge([a, b], mode=weighted, output_shape=(2, 3), arguments={'k': 7}),
):
    shown([a, b], output, np.ones((1, 2, 3)), np.full((1, 2, 3), 2.))
words = [Input((3,)), Input((3,))]
pair = [Embedding(4, 2, mask_zero=True, init='one')(one) for one in words]
given = np.array([[1, 0, 0]]), np.array([[1, 1, 0]])
for output_mask in (None, lambda masks: masks[0]):
    both = merge(pair, mode=several, output_shape=(3, 2), output_mask=output_mask)
    shown(words, LSTM(2, init='one', inner_init='one', forget_bias_init='one')(both), *given)
shown(words, merge(pair, mode=weighted, output_shape=(3, 2)), *given)
for rows in np.arange(3, 4):
    print(Convolution2D(8, rows, np.int64(2), dim_ordering='tf')(Input((4, 4, 1)))._keras_shape)
"""
MERGED_BY_FUNCTIONS_PRINTED = """\
[[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0], [2.0, 2.0, 2.0]]]
[[[6.0, 6.0], [6.0, 6.0]]]
[[[7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]]
[[[11.0, 11.0, 11.0], [11.0, 11.0, 11.0]]]
[[[8.0, 8.0, 8.0], [8.0, 8.0, 8.0]]]
[[0.9950000047683716, 0.9950000047683716]]
[[0.7613000273704529, 0.7613000273704529]]
[[[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]]
(None, 2, 3, 8)
"""
PICTURES = """
import numpy as np
import tensorflow as tf
from keras.preprocessing.image import apply_transform, flip_axis, transform_matrix_offset_center
img = np.arange(24.).reshape(4, 3, 2)
m = transform_matrix_offset_center(np.array([[0., -1, 0], [1, 0, 0], [0, 0, 1]]), 4, 3)
print(m.tolist(), apply_transform(img, m, 2)[..., 0].tolist(), flip_axis(img, 1)[0].tolist())
"""
PICTURES_PRINTED = """\
[[0.0, -1.0, 4.5], [1.0, 0.0, -0.5], [0.0, 0.0, 1.0]] [[18.0, 18.0, 18.0], [20.0, 20.0, 20.0], [22.0, 22.0, 22.0], [22.0, 22.0, 22.0]] [[4.0, 5.0], [2.0, 3.0], [0.0, 1.0]]
"""
HDF5 = """
import h5py, numpy as np, os
import tensorflow as tf
from keras.utils.io_utils import HDF5Matrix
from keras.utils import HDF5Matrix as Same
from keras.layers import Dense
from keras.models import Sequential
import tempfile
path = os.path.join(tempfile.mkdtemp(), 'a.h5')
with h5py.File(path, 'w') as f:
    f['x'] = np.arange(60.).reshape(20, 3) / 60; f['y'] = np.arange(20.)
x, y = HDF5Matrix(path, 'x', 2, 14), HDF5Matrix(path, 'y', start=2, end=14, normalizer=lambda r: r / 10)
print(len(x), x.shape, x.ndim, x.size, str(x.dtype), y.shape, Same is HDF5Matrix)
print(y[0], y[3:5].tolist(), y[[1, 4]].tolist(), y[np.array([0, 11])].tolist(), x[11].tolist(), y[:2].tolist(), y[10:].tolist())
for bad in (12, slice(3, 13), [1, 12]):
    try: print(y[bad])
    except IndexError: print('IndexError')
m = Sequential([Dense(1, input_shape=(3,), kernel_initializer='ones')]); m.compile('sgd', 'mse')
h = m.fit(x, y, epochs=2, batch_size=5, verbose=0, shuffle=False)
print(['%.5f' % v for v in h.history['loss']], m.predict(x, batch_size=4).shape, '%.5f' % m.evaluate(x, y, verbose=0))
np.random.seed(3); h = m.fit(x, y, epochs=1, batch_size=4, verbose=0, shuffle='batch'); print(['%.5f' % v for v in h.history['loss']])
"""
HDF5_PRINTED = """\
12 (12, 3) 2 36 float64 (12,) True
0.2 [0.5, 0.6] [0.3, 0.6] [0.2, 1.3] [0.65, 0.6666666666666666, 0.6833333333333333] [0.2, 0.3] [1.2, 1.3]
IndexError
IndexError
IndexError
['0.20186', '0.16515'] (12, 1) 0.14079
['0.13450']
"""


def printed(tmp_path, text):
    (tmp_path / "old.py").write_text(text)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    return done.stdout or done.stderr


def test_layers_metrics_and_arguments_of_keras_1(tmp_path):
    assert printed(tmp_path, OF_KERAS_1) == OF_KERAS_1_PRINTED


def test_a_sequential_model_begins_with_several(tmp_path):
    assert printed(tmp_path, MERGED) == MERGED_PRINTED


def test_tensors_are_merged_by_functions(tmp_path):
    """As Keras 1.2.2 does it."""
    assert printed(tmp_path, MERGED_BY_FUNCTIONS) == MERGED_BY_FUNCTIONS_PRINTED


def test_a_merge_is_the_first_layer():
    import tfqueue.v1 as tf
    from tfqueue.port.libraries import keras_gone

    with pytest.raises(ValueError, match="first layer"):
        tf.keras.Sequential().add(keras_gone.Merge())


def test_pictures_are_turned_about_their_middle(tmp_path):
    pytest.importorskip("scipy")
    assert printed(tmp_path, PICTURES) == PICTURES_PRINTED


def test_a_model_reads_a_file_a_batch_at_a_time(tmp_path):
    assert printed(tmp_path, HDF5) == HDF5_PRINTED


def test_a_negative_beta_is_refused():
    from tfqueue.port.libraries import keras_gone

    with pytest.raises(ValueError, match="0 or more"):
        keras_gone.fbeta_score(None, None, beta=-1)


OUTPUTS = """
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.models import Model
from keras.layers import Input, Dense, Conv2D, Flatten, MaxPooling2D, Lambda
from keras.utils.layer_utils import convert_dense_weights_data_format, print_summary
from keras.utils.conv_utils import normalize_data_format
from keras.legacy.interfaces import conv2d_args_preprocessor, legacy_dense_support
tf.placeholder
i = Input((4, 4, 3)); a = Conv2D(2, (3, 3), padding='same')(i); b = MaxPooling2D()(a)
m = Model(i, Dense(5)(Flatten()(b)))
r = np.random.RandomState(0)
m.set_weights([r.uniform(-1, 1, w.shape) for w in m.get_weights()])
m.outputs = [m.layers[k].output for k in (1, 2, 4)]
x = Input((4, 4, 3))
n = Model(x, m(Lambda(lambda t: t * 2)(x)))
n.compile('sgd', 'mse')
for o in n.predict_on_batch(r.uniform(-1, 1, (2, 4, 4, 3))):
    print(o.shape, ['%.4f' % one for one in o.ravel()[:3]])
m.outputs = [m.layers[2].output]
print(K.int_shape(m(x)), normalize_data_format('channels_first'))
"""
PUT_OUT = """\
(2, 4, 4, 2) ['0.9346', '-1.0591', '-0.8292']
(2, 2, 2, 2) ['0.9346', '1.1986', '-0.3529']
(2, 5) ['-1.1282', '-5.6303', '2.0895']
(None, 2, 2, 2) channels_first
"""


def test_a_model_has_the_outputs_that_it_is_given(tmp_path):
    (tmp_path / "old.py").write_text(OUTPUTS)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.stdout == PUT_OUT, done.stderr


def test_a_kernel_behind_pictures_is_for_the_other_order():
    """The numbers of Keras 2.2.4."""
    import numpy as np

    import tfqueue.v1 as tf
    from tfqueue.port.libraries import keras_gone

    layer = tf.keras.layers.Dense(2)
    tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(3, 4, 2)), layer])
    layer.set_weights([np.arange(48.0).reshape(24, 2), np.zeros(2)])
    keras_gone.convert_dense_weights_data_format(layer, (2, 3, 4), "channels_first")
    expected = [*range(0, 48, 4), *range(2, 48, 4)]
    assert layer.get_weights()[0][:, 0].tolist() == expected
    keras_gone.convert_dense_weights_data_format(layer, (3, 4, 2), "channels_last")
    assert layer.get_weights()[0].tolist() == np.arange(48.0).reshape(24, 2).tolist()
    tf.keras.backend.set_session(None)
    with pytest.raises(ValueError, match="channels_first or channels_last"):
        keras_gone.convert_dense_weights_data_format(layer, (3, 4, 2), "th")


def test_a_summary_of_layers_as_of_a_model(capsys):
    import tfqueue.v1 as tf
    from tfqueue.port.libraries import keras_gone

    model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), name="first")])
    keras_gone.print_summary(model.layers, None, 70)
    said = capsys.readouterr().out
    assert "first (Dense)" in said
    assert "Total params: 9\n" in said
    keras_gone.print_summary(model, line_length=70)
    assert capsys.readouterr().out.splitlines()[1:] == said.splitlines()[1:]


def test_pictures_are_listed(tmp_path):
    from tfqueue.port.libraries import keras_gone

    for name in ("a.png", "b.txt", "c d.jpg", "e.jpeg"):
        (tmp_path / name).touch()
    found = sorted(keras_gone.list_pictures(str(tmp_path)))
    assert found == [str(tmp_path / name) for name in ("a.png", "e.jpeg")]


def test_kernels_are_turned_about():
    import numpy as np

    import tfqueue.v1 as tf
    from tfqueue.port.libraries import keras_gone

    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [layers.Conv2D(1, 2, input_shape=(3, 3, 1)), layers.Conv2DTranspose(1, 2)]
    )
    kernel = np.arange(4.0).reshape(2, 2, 1, 1)
    model.set_weights([kernel, np.zeros(1), kernel, np.zeros(1)])
    keras_gone.convert_all_kernels_in_model(model)
    turned = [weight.ravel().tolist() for weight in model.get_weights()[::2]]
    assert turned == [[3, 2, 1, 0]] * 2
    tf.keras.backend.set_session(None)
    with pytest.raises(ValueError, match="axes"):
        keras_gone.convert_kernel(np.zeros(3))


DATA = r"""
import numpy as np
from keras import backend as K
from keras.utils.test_utils import get_test_data
from keras.engine.training import _weighted_masked_objective
np.random.seed(3)
(a, b), (c, d) = get_test_data(3, 2, (2,), (1,), classification=False)
print(a.round(4).tolist(), b.round(4).tolist(), c.shape, d.shape)
(a, b), _ = get_test_data(num_train=3, num_test=1, input_shape=(2,), num_classes=4)
print(a.round(4).tolist(), b.tolist())
loss = _weighted_masked_objective(lambda t, p: K.mean(K.square(t - p), axis=-1))
t, p = K.constant([[[1., 2.], [3., 5.]], [[0., 1.], [2., 2.]]]), K.constant(np.zeros((2, 2, 2)))
for w, m in ((None, None), (K.constant([1., 0.]), None), (K.constant([2., 1.]), K.constant([[1., 0.], [1., 1.]]))):
    print(K.eval(loss(t, p, w, m)).round(4))
"""
DRAWN = [
    "[[0.2288, 0.5103], [0.2872, 1.3656], [0.0478, 0.3373]] [[2.0051], [-0.1181], [-0.8484]] (2, 2) (2, 1)",
    "[[2.1577, 2.6258], [-0.9288, 0.4676], [1.2001, 0.7405]] [3, 0, 1]",
    "6.0",
    "9.75",
    "3.1667",
]


def test_data_for_tests_and_a_weighted_loss(tmp_path):
    """What is expected was printed by Keras 2.0.8."""
    (tmp_path / "old.py").write_text(DATA)
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == DRAWN


OF_UNKNOWN_LENGTH = """
import tensorflow as tf
from keras.layers import Dense, TimeDistributedDense
from keras.models import Sequential
Dense(output_dim=1, init='zero')
for words in ({'input_dim': 3}, {'input_dim': 3, 'input_length': 4}, {'input_shape': (4, 3)}):
    model = Sequential([TimeDistributedDense(output_dim=2, **words)])
    print(model.input_shape, model.output_shape)
"""


def test_a_dense_of_each_time_has_three_dimensions(tmp_path):
    """Keras 1.2.2 printed the last two; an unknown length it refused on TensorFlow."""
    assert printed(tmp_path, OF_UNKNOWN_LENGTH).splitlines() == [
        "(None, None, 3) (None, None, 2)",
        "(None, 4, 3) (None, 4, 2)",
        "(None, 4, 3) (None, 4, 2)",
    ]
