"""Fused and phased cells of `tf.contrib.rnn` give what they gave in TensorFlow 1.15.5."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import fused_cells

pytestmark = pytest.mark.slow

RECORDED = json.loads((pathlib.Path(__file__).parent / "fused_cells_115.json").read_text())
rnn = tf.contrib.rnn


@pytest.mark.parametrize("name", fused_cells.CASES)
def test_a_cell_gives_what_1_15_gave(name):
    found, expected = fused_cells.run(tf, name), RECORDED[name]
    assert found["variables"] == expected["variables"]
    for ours, theirs in zip(found["values"], expected["values"], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found["slopes"], expected["slopes"], rtol=1e-4, atol=1e-5)


def test_sequences_of_which_only_the_width_is_known():
    """What 1.15.5 gave."""
    x = tf.placeholder(tf.float32, [None, None, 3])
    with tf.variable_scope("cell", initializer=tf.constant_initializer(0.5)):
        outputs, _ = rnn.LSTMBlockFusedCell(2)(x, dtype=tf.float32)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run(outputs, {x: np.ones([1, 2, 3])})
    np.testing.assert_allclose(found, np.full([1, 2, 2], 0.51438588), rtol=1e-6)


def test_what_a_fused_cell_refuses():
    with tf.Graph().as_default():
        x = tf.zeros([3, 2, 2])
        with pytest.raises(ValueError, match="Either initial_state or dtype"):
            rnn.LSTMBlockFusedCell(2)(x)
        with pytest.raises(ValueError, match="tuple with length 2"):
            rnn.LSTMBlockFusedCell(2)(x, initial_state=(x[0],))
        with pytest.raises(NotImplementedError, match="FusedRNNCell has no __call__"):
            rnn.FusedRNNCell()(x)
        with pytest.raises(NotImplementedError, match="LSTMBlockWrapper has no num_units"):
            rnn.LSTMBlockWrapper()(x, dtype=tf.float32)
