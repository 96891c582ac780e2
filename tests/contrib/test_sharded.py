"""Weights in several variables; names, shapes and errors are those of TensorFlow 0.12.1."""

import pytest

import tfqueue.v1 as tf

cells = tf.nn.rnn_cell


def test_the_parts_of_a_variable_are_joined_once_a_scope():
    with tf.Graph().as_default():
        with tf.variable_scope("a"):
            joined = cells._get_concat_variable("W", [5, 2], tf.float32, 2)
        with tf.variable_scope("a", reuse=True):
            again = cells._get_concat_variable("W", [5, 2], tf.float32, 2)
        alone = tf.contrib.rnn._get_concat_variable("V", [5, 2], tf.float32, 1)
        assert (joined.name, alone.name) == ("a/W/concat:0", "V_0:0")
        assert again is joined
        made = [(v.name, v.shape.as_list()) for v in tf.global_variables()]
    assert made == [("a/W_0:0", [3, 2]), ("a/W_1:0", [2, 2]), ("V_0:0", [5, 2])]


def test_there_are_no_more_parts_than_rows():
    with pytest.raises(ValueError, match=r"Too many shards: shape=\[2, 2\], num_shards=3"):
        tf.contrib.rnn._get_sharded_variable("U", [2, 2], tf.float32, 3)


def test_the_shape_of_a_state_with_dimensions_before_it():
    with_prefix = cells._state_size_with_prefix
    assert with_prefix(3, prefix=[None]) == [None, 3]
    assert with_prefix(tf.TensorShape([2, 3])) == [2, 3]
    with pytest.raises(TypeError, match="should be a list"):
        with_prefix(3, prefix=2)
