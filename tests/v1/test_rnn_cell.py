"""`_checked_scope`, which a program's own cell opens: what TensorFlow 1.1 did."""

import logging

import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.contrib.rnn import _checked_scope, _linear
from tfqueue.v1 import rnn_cell


class Cell(tf.nn.rnn_cell.BasicLSTMCell):
    def __call__(self, inputs, state, scope=None):
        start = tf.constant_initializer(0.1)
        with _checked_scope(self, scope or "own", self._reuse, initializer=start) as found:
            self.seen = found.name
            return _linear([inputs, state[1]], 2, True), state


def called(cell):
    return cell(tf.ones([2, 2]), cell.zero_state(2, tf.float32))[0]


def test_a_cell_has_one_scope_and_a_scope_has_one_cell():
    one = Cell(2)
    called(one)
    with tf.variable_scope("a"), pytest.raises(ValueError, match="different variable scope"):
        called(one)
    with pytest.raises(ValueError, match="second RNNCell use the weights"):
        called(Cell(2))
    called(Cell(2, reuse=True))
    assert [v.op.name for v in tf.global_variables()] == ["own/kernel", "own/bias"]
    other = Cell(2)
    with tf.variable_scope("b"):
        called(other)
    assert other.seen == "b/own"


def test_a_cell_that_runs_over_steps_is_called_in_one_scope():
    cell = Cell(2)
    with tf.variable_scope("c"):
        output, _ = tf.nn.dynamic_rnn(cell, tf.ones([2, 3, 2]), dtype=tf.float32)
    assert cell.seen == "c/rnn/own"
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(output).shape == (2, 3, 2)


def test_a_cell_is_made_in_silence_but_for_what_1_15_said(caplog):
    tf.nn.rnn_cell.BasicLSTMCell(3)
    assert not caplog.messages
    tf.nn.rnn_cell.BasicLSTMCell(3, state_is_tuple=False)
    [line] = caplog.messages
    assert "Using a concatenated state is slower and will soon be deprecated" in line


@pytest.mark.parametrize(
    ("of", "line", "kept"),
    [
        ("1.1", "these are the same object and will share weights", False),
        ("1.2", "these are the same object and will share weights", True),
        ("1.2", "X is deprecated. This class is equivalent as Y", False),
        ("1.1", "X is deprecated", True),
    ],
)
def test_which_lines_of_the_log_are_kept(of, line, kept):
    record = logging.LogRecord("tensorflow", logging.WARNING, __file__, 1, line, (), None)
    former = release.assume(of)
    try:
        assert rnn_cell._is_kept(record) is kept
    finally:
        release.assume(former)


def test_a_wrappers_cell_by_its_name_of_up_to_1_8():
    class Own(tf.nn.rnn_cell.DropoutWrapper):
        def __init__(self, cell, inner=None):
            super().__init__(cell)
            if inner:
                self._cell = inner

    cell = tf.nn.rnn_cell.GRUCell(3)
    assert Own(cell)._cell is cell
    assert Own(cell, "another")._cell == "another"
    assert tf.nn.rnn_cell.ResidualWrapper(cell)._cell is cell


def test_a_cell_of_its_own_has_attributes_that_layers_compute():
    """Up to 1.1 a cell was no layer, and `self.name = ...` went; nor did it call the base's `__init__`."""

    class Own(tf.nn.rnn_cell.RNNCell):
        state_size = output_size = 3

        def __init__(self, name):
            self.name, self.weights, self.input = name, [2.0], "input"

        def __call__(self, inputs, state, scope=None):
            with tf.variable_scope(self.name):
                scale = tf.get_variable("scale", initializer=self.weights[0])
                return scale * inputs, scale * inputs + state

    with tf.Graph().as_default(), tf.Session() as sess:
        cell = Own("mine")
        _, state = tf.nn.dynamic_rnn(cell, tf.ones([1, 4, 3]), dtype=tf.float32)
        assert [v.op.name for v in tf.global_variables()] == ["rnn/mine/scale"]
        sess.run(tf.global_variables_initializer())
        assert sess.run(state).tolist() == [[8, 8, 8]]
    assert (cell.name, cell.weights, cell.input) == ("mine", [2.0], "input")
    assert tf.nn.rnn_cell.GRUCell(3, name="gru").name == "gru"
    assert tf.nn.rnn_cell.GRUCell(3).weights == []
