"""Cells of `tf.contrib.rnn` from papers: variables and numbers are those of TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow

rnn = tf.contrib.rnn
LINE = np.sin(np.arange(30)).reshape(2, 5, 3).astype(np.float32)
INPUTS = {
    "Conv1DLSTMCell": np.stack([LINE, LINE * 0.5], 1),
    "Conv2DLSTMCell": np.cos(np.arange(192)).reshape(2, 3, 4, 4, 2).astype(np.float32),
}
# name: (cell, its variables, sum of the outputs, the last four, sums of the states)
ROWS = {
    "NASCell": (
        lambda: rnn.NASCell(4),
        {"nas_cell/recurrent_kernel": [4, 32], "nas_cell/kernel": [3, 32]},
        0.6083926423452795,
        [0.007914215326309204, 0.017876848578453064, 0.021316707134246826, 0.013890120200812817],
        [0.29696711152791977, 0.15747742541134357],
    ),
    "UGRNNCell": (
        lambda: rnn.UGRNNCell(4),
        {"ugrnn_cell/kernel": [7, 8], "ugrnn_cell/bias": [8]},
        -2.9570420868694782,
        [-0.2087884247303009, -0.295402467250824, -0.1419164389371872, 0.21735334396362305],
        [-0.9450160786509514],
    ),
    "HighwayWrapper": (
        lambda: rnn.HighwayWrapper(rnn.BasicRNNCell(3)),
        {
            "basic_rnn_cell/kernel": [6, 3],
            "basic_rnn_cell/bias": [3],
            "carry_w": [3, 3],
            "carry_b": [3],
        },
        5.443976046517491,
        [0.6973952054977417, 0.8310258388519287, 0.29271748661994934, -0.3629143238067627],
        [1.639444261789322],
    ),
    "AttentionCellWrapper": (
        lambda: rnn.AttentionCellWrapper(rnn.BasicLSTMCell(4), 3),
        {
            "attention_cell_wrapper/kernel": [7, 3],
            "attention_cell_wrapper/bias": [3],
            "attention_cell_wrapper/basic_lstm_cell/kernel": [7, 16],
            "attention_cell_wrapper/basic_lstm_cell/bias": [16],
            "attention_cell_wrapper/attention/attn_w": [1, 1, 4, 4],
            "attention_cell_wrapper/attention/attn_v": [4],
            "attention_cell_wrapper/attention/kernel": [8, 4],
            "attention_cell_wrapper/attention/bias": [4],
            "attention_cell_wrapper/attn_output_projection/kernel": [8, 4],
            "attention_cell_wrapper/attn_output_projection/bias": [4],
        },
        15.383130745962262,
        [0.4540807902812958, 0.6211662888526917, 0.4961075186729431, 0.13772164285182953],
        [-9.233440905809402, -2.377536714076996, 3.118702568113804, 9.924775540828705],
    ),
    "Conv2DLSTMCell": (
        lambda: rnn.Conv2DLSTMCell(input_shape=[4, 4, 2], output_channels=3, kernel_shape=[3, 3]),
        {"conv_2d_lstm_cell/kernel": [3, 3, 5, 12], "conv_2d_lstm_cell/biases": [12]},
        -40.33272050332744,
        [-0.4326043426990509, -0.11637118458747864, -0.551307737827301, -0.5417165160179138],
        [-32.93953060358763, -18.098344718571752],
    ),
    "Conv1DLSTMCell": (
        lambda: rnn.Conv1DLSTMCell(input_shape=[5, 3], output_channels=2, kernel_shape=[3]),
        {"conv_1d_lstm_cell/kernel": [3, 5, 8], "conv_1d_lstm_cell/biases": [8]},
        0.49431908410042524,
        [-0.127785786986351, -0.16201381385326385, 0.21290570497512817, 0.17481645941734314],
        [3.8132045581005514, 0.8353340467438102],
    ),
}


def fill(sess):
    """Gives each variable the same numbers that it had in TensorFlow 1.15.5."""
    for variable in tf.global_variables():
        shape = variable.shape.as_list()
        values = np.sin(np.arange(np.prod(shape)) * 0.7 + len(shape)) * 0.5
        variable.load(values.reshape(shape).astype(np.float32), sess)


@pytest.mark.parametrize("name", ROWS)
def test_a_cell_gives_the_numbers_of_1_15(name):
    make, variables, total, last, states = ROWS[name]
    with tf.Graph().as_default(), tf.Session() as sess:
        inputs = tf.constant(INPUTS.get(name, LINE))
        outputs, state = tf.nn.dynamic_rnn(make(), inputs, dtype=tf.float32)
        found = {v.op.name.removeprefix("rnn/"): v.shape.as_list() for v in tf.global_variables()}
        assert found == variables
        fill(sess)
        outputs, *state = sess.run([outputs, *tf.nest.flatten(state)])
    np.testing.assert_allclose(outputs.sum(dtype=float), total, rtol=1e-4)
    np.testing.assert_allclose(outputs.reshape(-1)[-4:], last, rtol=1e-4)
    np.testing.assert_allclose([one.sum(dtype=float) for one in state], states, rtol=1e-4)


def test_a_projected_nas_cell():
    with tf.Graph().as_default(), tf.Session() as sess:
        cell = rnn.NASCell(4, num_proj=3, use_bias=True)
        outputs, state = tf.nn.dynamic_rnn(cell, tf.constant(LINE), dtype=tf.float32)
        assert outputs.shape.as_list() == [2, 5, 3]
        assert [s.shape.as_list() for s in state] == [[2, 4], [2, 3]]
        assert len(tf.trainable_variables()) == 4
        sess.run(tf.global_variables_initializer())
        outputs, state = sess.run([outputs, state])
    np.testing.assert_array_equal(outputs[:, -1], state.h)


def test_attention_with_a_state_in_one_tensor_is_attention_with_a_tuple():
    results = []
    for is_tuple in (True, False):
        with tf.Graph().as_default(), tf.Session() as sess:
            inner = rnn.GRUCell(4)
            cell = rnn.AttentionCellWrapper(inner, 3, state_is_tuple=is_tuple)
            outputs, _ = tf.nn.dynamic_rnn(cell, tf.constant(LINE), dtype=tf.float32)
            fill(sess)
            results.append(sess.run(outputs))
    np.testing.assert_allclose(*results, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: rnn.AttentionCellWrapper(rnn.GRUCell(4), 0), "greater than zero, got 0"),
        (
            lambda: rnn.AttentionCellWrapper(rnn.BasicLSTMCell(4), 2, state_is_tuple=False),
            "state_is_tuple is not set",
        ),
        (
            lambda: rnn.ConvLSTMCell(2, [4, 2], 3, [3, 3]),
            "Invalid input_shape",
        ),
    ],
)
def test_what_a_cell_refuses(make, sentence):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=sentence):
        make()
