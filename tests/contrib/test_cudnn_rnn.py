"""`tf.contrib.cudnn_rnn`: variables and numbers are those of TensorFlow 1.15.5."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import cudnn_networks
from tests.suite import samples
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


ORIGINAL = cudnn_networks.recorded()
LAYERS = {
    "lstm": cudnn.CudnnLSTM,
    "gru": cudnn.CudnnGRU,
    "rnn_relu": cudnn.CudnnRNNRelu,
    "rnn_tanh": cudnn.CudnnRNNTanh,
}


def saved_by_cells(name, folder):
    """A checkpoint of the cells' variables, as TensorFlow 1.15 wrote it."""
    with tf.Graph().as_default(), tf.Session() as sess:
        variables = [
            tf.Variable(cudnn_networks.weights(one, shape), name=one)
            for one, shape in ORIGINAL[name]["variables"].items()
        ]
        sess.run(tf.variables_initializer(variables))
        return tf.train.Saver(variables).save(sess, str(folder / "cells"))


@pytest.mark.parametrize("name", samples.some(cudnn_networks.CASES, 3))
def test_a_network_computes_what_the_cells_do_whose_checkpoint_it_restores(name, tmp_path):
    path, original = saved_by_cells(name, tmp_path), ORIGINAL[name]
    mode, both, lengths = cudnn_networks.CASES[name]
    with tf.variable_scope("net"):
        layer = LAYERS[mode](2, 3, direction="bidirectional" if both else "unidirectional")
        x = tf.constant(cudnn_networks.inputs())
        layer.build(x.shape)
        outputs, states = layer.call(x, sequence_lengths=lengths)
        turned = layer.call(tf.transpose(x, [1, 0, 2]), None, lengths, time_major=False)
    slope = tf.gradients(tf.reduce_sum(outputs * outputs), x)[0]
    assert [one.op.name for one in tf.trainable_variables()] == [layer.kernel.op.name]
    with tf.Session() as sess:
        tf.train.Saver([layer.saveable]).restore(sess, path)
        found = sess.run([outputs, states, slope])
        turned = sess.run(turned)
        again = tf.train.Saver().save(sess, str(tmp_path / "network"))
    for one, expected in zip(found, ("outputs", "states", "slope"), strict=True):
        np.testing.assert_allclose(np.array(one), original[expected], rtol=2e-5, atol=1e-6)
    np.testing.assert_allclose(turned[0].transpose(1, 0, 2), found[0], rtol=1e-6)
    np.testing.assert_allclose(np.array(turned[1]).transpose(0, 2, 1, 3), found[1], rtol=1e-6)
    reader = tf.train.NewCheckpointReader(again)
    held = reader.get_variable_to_shape_map()
    assert held == {**original["variables"], layer.kernel.op.name: [layer._plan.size()]}
    for one, shape in original["variables"].items():
        expected = cudnn_networks.weights(one, shape)
        np.testing.assert_allclose(reader.get_tensor(one), expected, rtol=1e-6)


def test_a_network_is_made_and_called_as_the_layers_of_tensorflow_1():
    layer = cudnn.CudnnLSTM(2, 3, direction=cudnn.CUDNN_RNN_BIDIRECTION, dropout=0.5, name="net")
    with pytest.raises(ValueError, match="unknown since layer has not been built"):
        layer.input_size  # noqa: B018
    x = tf.ones([4, 2, 5])
    outputs, (h, c) = layer(x, training=False)
    again, _ = layer(x, initial_state=(tf.zeros([4, 2, 3]), tf.zeros([4, 2, 3])), training=False)
    dropped, _ = layer(x)
    assert layer.kernel.op.name == "net/opaque_kernel"
    assert (layer.input_size, layer.num_dirs, layer.rnn_mode) == (5, 2, "lstm")
    assert layer.canonical_weight_shapes[:5] == [(3, 5)] * 4 + [(3, 3)]
    assert len(layer.canonical_weight_shapes) == len(layer.canonical_bias_shapes) == 32
    assert layer.state_shape(2) == ([4, 2, 3], [4, 2, 3])
    assert (outputs.shape[2], h.shape[0], c.shape[2]) == (6, 4, 3)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        one, other, third = sess.run([outputs, again, dropped])
        weights = sess.run(layer.kernel)
    np.testing.assert_array_equal(one, other)
    assert np.abs(one - third).max() > 1e-3
    count = sum(rows * width for rows, width in layer.canonical_weight_shapes)
    assert np.all(weights[count:] == 0)
    assert np.abs(weights[:60]).max() <= np.sqrt(6 / 8)
    with pytest.raises(TypeError, match="expecting tuple"):
        layer(x, initial_state=[h, c])
    with pytest.raises(ValueError, match="Expecting input_shape with 3 dims, got 2"):
        cudnn.CudnnGRU(1, 2)(tf.ones([2, 3]))
    with pytest.raises(ValueError, match="Invalid value: up, expecting one of unidirectional"):
        cudnn.CudnnGRU(1, 2, direction="up")
    with pytest.raises(NotImplementedError, match="skip_input"):
        cudnn.CudnnGRU(1, 2, "skip_input")


def test_what_a_checkpoint_has_of_the_cells_is_restored_last():
    layer = cudnn.CudnnLSTM(1, 2)
    layer(tf.ones([1, 1, 2]))
    tf.train.Saver()
    ops = tf.get_default_graph().get_operations()
    first, last = (
        op for op in ops if op.name.startswith("save/Assign") and op.inputs[0].op is layer.kernel.op
    )
    seen, todo = set(), [last]
    while todo:
        op = todo.pop()
        todo += {*op.control_inputs, *(one.op for one in op.inputs)} - seen
        seen.add(op)
    assert first in seen


@pytest.mark.parametrize("input_mode", [None, "auto_select"])
def test_a_model_whose_vector_the_program_makes(input_mode):
    words = {"input_mode": input_mode} if input_mode else {}
    model = cudnn.CudnnGRU(num_layers=1, num_units=3, input_size=3, **words)
    size = model.params_size()
    params = tf.Variable(tf.random_uniform([size], -0.5, 0.5, seed=1), validate_shape=False)
    x, h = tf.constant(np.linspace(-1, 1, 12).reshape(2, 2, 3), tf.float32), tf.ones([1, 2, 3])
    outputs, last = model(x, h, params, is_training=False)
    weights, biases = model.params_to_canonical(params)
    back = model.canonical_to_params(weights, biases)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found, state, w, b, vector, same = sess.run([outputs, last, weights, biases, params, back])
        given = sess.run(x)
    np.testing.assert_array_equal(vector, same)
    assert len(vector) == (54 if input_mode is None else 27) + 18
    state_before = np.ones([2, 3], np.float32)
    for step in given:
        of_inputs = [step @ each.T for each in w[:3]] if input_mode is None else [step] * 3
        i = [one + bias for one, bias in zip(of_inputs, b[:3], strict=True)]
        s = [state_before @ each.T + bias for each, bias in zip(w[-3:], b[3:], strict=True)]
        reset, update = (1 / (1 + np.exp(-(i[at] + s[at]))) for at in (0, 1))
        new = np.tanh(i[2] + reset * s[2])
        state_before = (1 - update) * new + update * state_before
    np.testing.assert_allclose(found[-1], state_before, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(state[0], state_before, rtol=1e-5, atol=1e-6)


def test_a_model_of_an_lstm_gives_both_states_and_takes_its_arguments_in_the_old_order():
    model = cudnn.CudnnLSTM(2, 3, 5, "linear_input", "unidirectional", 0.5, 7)
    assert (model._dropout, model._seed, model.input_size) == (0.5, 7, 5)
    other = cudnn.CudnnLSTM(2, 3, 5, "linear_input", "unidirectional", tf.float64, 0.25)
    assert (other._dropout, other._seed, other._dtype) == (0.25, None, tf.float64)
    params = tf.ones([model._plan.size()])
    found = model(tf.ones([4, 2, 5]), tf.zeros([2, 2, 3]), tf.zeros([2, 2, 3]), params, False)
    assert [one.shape.as_list() for one in found] == [[4, 2, 3], [2, 2, 3], [2, 2, 3]]


def test_the_module_inside_is_imported_and_its_converters_say_what_to_use():
    inner = importlib.import_module("tfqueue.v1.contrib.cudnn_rnn.python.ops.cudnn_rnn_ops")
    assert inner.CUDNN_RNN_BIDIRECTION == "bidirectional"
    assert inner.CudnnCompatibleLSTMCell is cudnn.CudnnCompatibleLSTMCell
    assert inner.CudnnGRU is cudnn.CudnnGRU
    with pytest.raises(GoneError, match="the variables of a cell"):
        cudnn.CudnnParamsFormatConverterGRU  # noqa: B018
    with pytest.raises(GoneImportError, match="the variables of a cell"):
        from tfqueue.v1.contrib.cudnn_rnn import CudnnParamsFormatConverterLSTM  # noqa: F401


def test_each_layer_has_a_saveable_and_layers_that_share_have_one():
    rnn = tf.contrib.cudnn_rnn
    inputs = tf.zeros([2, 3, 4])
    made = [rnn.CudnnGRU(1, 4, name=name) for name in ("first", "second")]
    made[0].build(inputs.shape)
    assert made[0].built
    for layer in made:
        layer(inputs)
    kept = tf.get_collection(tf.GraphKeys.SAVEABLE_OBJECTS)
    assert [layer.saveable for layer in made] == kept
    assert len({one.name for one in kept}) == 2


def test_inputs_that_are_added_are_as_many_as_the_units():
    from tfqueue.v1 import _cudnn_networks

    plan = _cudnn_networks.planned("lstm", 1, 4, 4, "skip_input", "unidirectional")
    assert plan.skip
    with pytest.raises(ValueError, match="skip_input needs inputs of 4 features, not of 3"):
        _cudnn_networks.planned("lstm", 1, 4, 3, "skip_input", "unidirectional")
