"""`tf.nn.rnn_cell` and the functions that run cells: variables and numbers of TensorFlow 1.15.

What is expected was printed by TensorFlow 1.15.5 (numpy 1.18.5) for the same
calls on the same numbers.
"""

import importlib
import warnings

import numpy as np
import pytest

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow


def sequence(cell):
    return tf.nn.dynamic_rnn(cell, tf.zeros([2, 8, 3]), dtype=tf.float32)[0]


CELLS = {
    "BasicRNNCell": (
        lambda: sequence(tf.nn.rnn_cell.BasicRNNCell(4)),
        {"rnn/basic_rnn_cell/kernel:0": [7, 4], "rnn/basic_rnn_cell/bias:0": [4]},
    ),
    "GRUCell": (
        lambda: sequence(tf.nn.rnn_cell.GRUCell(4)),
        {
            "rnn/gru_cell/gates/kernel:0": [7, 8],
            "rnn/gru_cell/gates/bias:0": [8],
            "rnn/gru_cell/candidate/kernel:0": [7, 4],
            "rnn/gru_cell/candidate/bias:0": [4],
        },
    ),
    "LSTMCell": (
        lambda: sequence(tf.nn.rnn_cell.LSTMCell(4, use_peepholes=True, num_proj=2)),
        {
            "rnn/lstm_cell/kernel:0": [5, 16],
            "rnn/lstm_cell/bias:0": [16],
            "rnn/lstm_cell/w_f_diag:0": [4],
            "rnn/lstm_cell/w_i_diag:0": [4],
            "rnn/lstm_cell/w_o_diag:0": [4],
            "rnn/lstm_cell/projection/kernel:0": [4, 2],
        },
    ),
    "MultiRNNCell": (
        lambda: sequence(
            tf.nn.rnn_cell.MultiRNNCell(
                [
                    tf.nn.rnn_cell.DropoutWrapper(
                        tf.nn.rnn_cell.BasicLSTMCell(4), output_keep_prob=0.5
                    )
                    for _ in range(2)
                ]
            )
        ),
        {
            "rnn/multi_rnn_cell/cell_0/basic_lstm_cell/kernel:0": [7, 16],
            "rnn/multi_rnn_cell/cell_0/basic_lstm_cell/bias:0": [16],
            "rnn/multi_rnn_cell/cell_1/basic_lstm_cell/kernel:0": [8, 16],
            "rnn/multi_rnn_cell/cell_1/basic_lstm_cell/bias:0": [16],
        },
    ),
    "ResidualWrapper": (
        lambda: sequence(tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.BasicRNNCell(3))),
        {"rnn/basic_rnn_cell/kernel:0": [6, 3], "rnn/basic_rnn_cell/bias:0": [3]},
    ),
    "bidirectional": (
        lambda: tf.nn.bidirectional_dynamic_rnn(
            tf.nn.rnn_cell.BasicRNNCell(4),
            tf.nn.rnn_cell.BasicRNNCell(4),
            tf.zeros([2, 8, 3]),
            dtype=tf.float32,
        ),
        {
            f"bidirectional_rnn/{way}/basic_rnn_cell/{name}:0": shape
            for way in ("fw", "bw")
            for name, shape in (("kernel", [7, 4]), ("bias", [4]))
        },
    ),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_has_the_variables_of_tensorflow_1_and_is_made_in_silence(name, caplog):
    make, expected = CELLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        make()
    assert {v.name: v.shape.as_list() for v in tf.global_variables()} == expected
    assert not caplog.records


@pytest.mark.parametrize(
    ("bias", "expected"),
    [([False], 10.0), ([True], 10.0), ([True, 1.0], 11.0), ([True, tf.ones_initializer()], 11.0)],
)
def test_the_helper_that_cells_of_ones_own_were_built_on(bias, expected):
    """`tf.contrib.rnn.python.ops.core_rnn_cell._linear`, positional as 1.0 and as 1.4 had it."""
    linear = importlib.import_module("tfqueue.v1.contrib.rnn.python.ops.core_rnn_cell")._linear
    assert linear is tf.nn.rnn_cell._linear
    with tf.variable_scope("cell", initializer=tf.ones_initializer()):
        made = linear([tf.ones([5, 3]), tf.ones([5, 7])], 4, *bias)
    shapes = {v.name: v.shape.as_list() for v in tf.global_variables()}
    assert shapes == {"cell/kernel:0": [10, 4], **({"cell/bias:0": [4]} if bias[0] else {})}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(made).tolist() == [[expected] * 4] * 5
    for wrong in ([], [tf.ones([5])], [None]):
        with pytest.raises(ValueError, match="_linear"):
            linear(wrong, 4, True)


def test_a_linear_layer_that_is_kept():
    """`_Linear` of 1.3 to 1.15: one kernel and one bias, whatever it is called with."""
    module = importlib.import_module("tfqueue.v1.contrib.rnn.python.ops.core_rnn_cell")
    ones = [tf.ones([2, 3]), tf.ones([2, 1])]
    starts = tf.constant_initializer(2.0), tf.constant_initializer(0.5)  # of bias and kernel
    with tf.variable_scope("kept"):
        layer = module._Linear(ones, 2, True, *starts)
    with tf.variable_scope("bare"):
        bare = module._Linear(ones[0], 1, False, kernel_initializer=starts[1])
    results = [layer(ones), layer([one * 2 for one in ones]), bare(ones[0]), bare([ones[0]])]
    names = [variable.op.name for variable in tf.global_variables()]
    assert names == ["kept/kernel", "kept/bias", "bare/kernel"]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = [result.tolist() for result in sess.run(results)]
    assert found == [[[4.0] * 2] * 2, [[6.0] * 2] * 2, [[1.5]] * 2, [[1.5]] * 2]


# The sum of all outputs, and of each gradient, with all variables 0.1.
RNN_NUMBERS = {
    "dynamic-BasicLSTMCell": [0.40209, 6.03102, 17.98476],
    "dynamic-GRUCell": [0.05467, -2.12324, -0.04011, 0.87333, 17.81378],
    "dynamic-BasicRNNCell": [0.48317, 6.75757, 44.31473],
    "static-BasicLSTMCell": [0.13245, 1.78214, 7.62597],
    "static-GRUCell": [0.05675, -0.50692, -0.06167, 0.55967, 7.25326],
    "static-BasicRNNCell": [0.41524, 3.11008, 13.12892],
}


@pytest.mark.parametrize("case", RNN_NUMBERS)
def test_recurrent_networks_have_the_numbers_of_tensorflow_1(case):
    how, kind = case.split("-")
    x = tf.constant(np.sin(np.arange(30)).reshape(2, 5, 3).astype(np.float32))
    with tf.variable_scope("m", initializer=tf.constant_initializer(0.1)):
        cell = getattr(tf.nn.rnn_cell, kind)(4)
        if how == "dynamic":
            out, _ = tf.nn.dynamic_rnn(cell, x, sequence_length=[5, 3], dtype=tf.float32)
        else:
            out = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)[0][-1]
    found = [tf.reduce_sum(out)]
    found += [tf.reduce_sum(g) for g in tf.gradients(found[0], tf.trainable_variables())]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        np.testing.assert_allclose(sess.run(found), RNN_NUMBERS[case], atol=3e-5, rtol=1e-5)


@pytest.mark.parametrize("words", [{"scope": "a"}, {}])
def test_a_linear_layer_stood_in_a_scope_up_to_1_0(words):
    with tf.Graph().as_default():
        place = () if words else ("a",)
        linear = tf.nn.rnn_cell.linear
        linear([tf.zeros([2, 3])], 4, True, 0.5, *place, **words)
        assert [v.op.name for v in tf.global_variables()] == ["a/kernel", "a/bias"]
        with pytest.raises(ValueError, match="already exists"):
            linear([tf.zeros([2, 3])], 4, True, 0.5, *place, **words)
