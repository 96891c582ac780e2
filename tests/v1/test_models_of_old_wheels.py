"""`tensorflow.models.rnn.rnn` and `tf.ops` of the wheels up to 0.7."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.names.sentence import GoneArgumentError
from tfqueue.v1.models.rnn import rnn as loops


def put_through(**given):
    cell = tf.nn.rnn_cell.BasicRNNCell(2)
    inputs = [tf.constant([[float(step)]]) for step in range(3)]
    initial = tf.constant_initializer(0.5)
    with tf.variable_scope("all", initializer=initial):
        return loops.rnn(cell, inputs, dtype=tf.float32, **given)


def of(tensors):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        return np.stack(sess.run(tensors))


def test_up_to_0_6_the_states_are_a_list():
    release.assume("0.6")
    outputs, states = put_through()
    assert (len(outputs), len(states)) == (3, 3)
    values = of(outputs)
    np.testing.assert_array_equal(values, of(states))
    assert len({value.tobytes() for value in values}) == 3
    with pytest.raises(GoneArgumentError, match="sequence_length"):
        put_through(sequence_length=[1])


def test_since_0_7_there_is_the_last_state():
    release.assume("0.7")
    outputs, state = put_through()
    np.testing.assert_array_equal(of(outputs)[-1], of([state])[0])


def test_tf_ops_is_there_for_programs_of_then_alone():
    assert not hasattr(tf, "ops")
    release.assume("0.6")
    assert tf.ops.get_default_graph() is tf.get_default_graph()
