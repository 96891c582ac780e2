"""What the variables of attention begin with; the values are those of TensorFlow 1.15.5."""

import pytest

import tfqueue.v1 as tf


@pytest.mark.parametrize("units", [4, 9])
def test_a_normalized_score_begins_with_the_root_of_one_by_its_units(units):
    memory, query = tf.ones([2, 3, 5]), tf.ones([2, 6])
    attention = tf.contrib.seq2seq.BahdanauAttention(units, memory, normalize=True)
    attention(query, attention.initial_state(2, tf.float32))
    found = {each.op.name.rpartition("/")[2]: each for each in tf.global_variables()}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(found["attention_g"]) == pytest.approx(units**-0.5)
        assert sess.run(found["attention_b"]).tolist() == [0] * units


def test_a_monotonic_score_has_a_bias():
    memory, query = tf.ones([2, 3, 5]), tf.ones([2, 4])
    attention = tf.contrib.seq2seq.LuongMonotonicAttention(
        4, memory, score_bias_init=-2.0, sigmoid_noise=0.0
    )
    attention(query, attention.initial_state(2, tf.float32))
    found = {each.op.name.rpartition("/")[2]: each for each in tf.global_variables()}
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(found["attention_score_bias"]) == -2.0
