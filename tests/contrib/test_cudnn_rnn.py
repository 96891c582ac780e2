"""`tf.contrib.cudnn_rnn`: variables and numbers are those of TensorFlow 1.15.5."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError, GoneImportError

pytestmark = pytest.mark.slow

cudnn = tf.contrib.cudnn_rnn
GRU = {
    "gates/kernel": [8, 10],
    "gates/bias": [10],
    "candidate/input_projection/kernel": [3, 5],
    "candidate/hidden_projection/kernel": [5, 5],
    "candidate/input_projection/bias": [5],
    "candidate/hidden_projection/bias": [5],
}
# cell, its scope, its variables, sums of outputs and states, sizes of the gradients
ROWS = {
    "lstm": (
        cudnn.CudnnCompatibleLSTMCell,
        "rnn/cudnn_compatible_lstm_cell/",
        {"kernel": [8, 20], "bias": [20]},
        [1.7533987, 0.5885266, 0.4830912],
        [4.1289363, 4.5212502],
    ),
    "gru": (
        cudnn.CudnnCompatibleGRUCell,
        "rnn/cudnn_compatible_gru_cell/",
        GRU,
        [-5.4905725, -1.8485897],
        [3.7308745, 1.6828135, 2.1511049, 2.9346137, 7.7901449, 3.3545437],
    ),
}


def numbers(variable):
    shape = variable.shape.as_list()
    return (np.arange(np.prod(shape)).reshape(shape) * 7919 % 101 - 50).astype(np.float32) / 80


@pytest.mark.parametrize("name", ROWS)
def test_a_cell_has_the_variables_numbers_and_gradients_of_tensorflow_1(name):
    cell, scope, variables, sums, gradients = ROWS[name]
    inputs = (np.arange(24).reshape(2, 4, 3) * 31 % 17 - 8).astype(np.float32) / 9
    outputs, state = tf.nn.dynamic_rnn(cell(5), inputs, [3, 4], dtype=tf.float32)
    made = tf.trainable_variables()
    assert {v.op.name: v.shape.as_list() for v in made} == {
        scope + name: shape for name, shape in variables.items()
    }
    slopes = tf.gradients(tf.reduce_sum(outputs * outputs), made)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        biases = {v.op.name: sess.run(v) for v in made if v.op.name.endswith("bias")}
        for variable in made:
            variable.load(numbers(variable), sess)
        found = sess.run([tf.reduce_sum(part) for part in tf.nest.flatten([outputs, state])])
        found_slopes = [np.abs(slope).sum() for slope in sess.run(slopes)]
    for place, bias in biases.items():
        np.testing.assert_array_equal(bias, float("gates" in place))
    np.testing.assert_allclose(found, sums, rtol=1e-5)
    np.testing.assert_allclose(found_slopes, gradients, rtol=1e-5)


def test_the_gru_cannot_be_made_for_inputs_of_unknown_size():
    with pytest.raises(ValueError, match=r"Expected inputs.shape\[-1\] to be known"):
        cudnn.CudnnCompatibleGRUCell(2)(tf.placeholder(tf.float32, [2, None]), tf.zeros([2, 2]))


def test_the_module_inside_is_imported_and_its_layers_say_what_to_use():
    inner = importlib.import_module("tfqueue.v1.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops")
    assert inner.CUDNN_RNN_BIDIRECTION == "bidirectional"
    assert inner.CudnnCompatibleLSTMCell is cudnn.CudnnCompatibleLSTMCell
    with pytest.raises(GoneError, match=r"2\.0: CudnnCompatibleLSTMCell in"):
        cudnn.CudnnLSTM(1, 4)
    with pytest.raises(GoneImportError, match="CudnnCompatibleGRUCell"):
        from tfqueue.v1.contrib.cudnn_rnn import CudnnGRU  # noqa: F401
