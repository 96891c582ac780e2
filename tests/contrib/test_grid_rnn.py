"""`tf.contrib.grid_rnn`: what it refuses, and the calls of other releases. Its numbers: `test_numeric_packages`."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

grid_rnn, rnn = tf.contrib.grid_rnn, tf.contrib.rnn


@pytest.mark.parametrize(
    ("error", "says", "words"),
    [
        (ValueError, "dims must be >= 1: 0", {"num_dims": 0}),
        (ValueError, r"Invalid dims: \[2\]", {"num_dims": 2, "input_dims": [2, 2]}),
        (ValueError, r"Invalid dims: \[-1, 0\]", {"output_dims": (0, -1)}),
        (TypeError, "must return an RNNCell", {"cell_fn": lambda units: units}),
    ],
)
def test_what_is_refused(error, says, words):
    with pytest.raises(error, match=says):
        grid_rnn.GridRNNCell(3, **words)


def test_a_state_for_each_dimension():
    cell = grid_rnn.Grid3LSTMCell(3)
    assert cell.state_size == (rnn.LSTMStateTuple(3, 3),) * 3
    assert cell.output_size == (3,)
    joined = grid_rnn.Grid3LSTMCell(3, state_is_tuple=False, output_is_tuple=False)
    assert (joined.state_size, joined.output_size) == (18, 3)
    with pytest.raises(ValueError, match="tuple of 3 element"):
        cell(tf.zeros([1, 2]), (tf.zeros([1, 3]),))


def test_an_output_without_dimensions_is_empty():
    cell = grid_rnn.GridRNNCell(2, 2, 0, cell_fn=rnn.GRUCell, output_is_tuple=False)
    output, state = cell(None, cell.zero_state(1, tf.float32))
    assert output.shape.as_list() == [0, 0]
    assert [each.shape.as_list() for each in state] == [[1, 2]] * 2


# what 1.1.0 gave: the sums of the outputs and of the state, and the names of the variables
OF_1_1 = (
    0.21620308,
    -0.008072437,
    [
        "project_m_0",
        "recurrent/cell_1/gru_cell/gates/weights",
        "recurrent/cell_1/gru_cell/gates/biases",
        "recurrent/cell_1/gru_cell/candidate/weights",
        "recurrent/cell_1/gru_cell/candidate/biases",
        "non_recurrent/cell_0/fully_connected/weights",
        "non_recurrent/cell_0/fully_connected/bias",
    ],
)


def test_up_to_1_1_state_and_output_are_one_tensor_and_a_layer_has_a_bias():
    pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")

    def start(shape, dtype=None, partition_info=None):
        values = np.sin(np.arange(np.prod(shape)) * 0.9 + 1.0) * 0.5
        return values.reshape(shape).astype("float32")

    x = tf.constant(np.sin(np.arange(12) * 1.7).reshape(2, 3, 2), tf.float32)
    release.assume("1.1")
    try:
        with tf.variable_scope("s", initializer=start):
            cell = grid_rnn.Grid2GRUCell(3, False, tf.nn.relu)
            outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
            grid_rnn.GridRNNCell(3, 2, cell_fn=lambda units, inputs: rnn.GRUCell(units + inputs))
    finally:
        release.assume(None)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = sess.run([tf.reduce_sum(outputs), tf.reduce_sum(state)])
    *expected, names = OF_1_1
    np.testing.assert_allclose(values, expected, atol=1e-4)
    assert [v.op.name for v in tf.global_variables()] == [
        f"s/rnn/Grid2GRUCell/{name}" for name in names
    ]


def test_its_modules():
    inside = importlib.import_module("tfqueue.v1.contrib.grid_rnn.python.ops.grid_rnn_cell")
    assert inside.Grid2LSTMCell is grid_rnn.Grid2LSTMCell
