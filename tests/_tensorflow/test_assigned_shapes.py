"""Shapes that a program assigns to tensors, as TensorFlow 1.4.1 (`_shape`) and 1.15.5 (`__dict__`) took them."""

import gc
import weakref

import numpy as np
import pytest

import tfqueue.v1 as tf


def pool():
    """A tensor of one picture, as Inception's graph has one, and what a batch of four is."""
    return tf.identity(np.ones((1, 1, 1, 8), np.float32), name="pool"), np.ones((4, 1, 1, 8))


def test_ops_that_are_made_then_know_an_assigned_shape():
    one, four = pool()
    before = tf.squeeze(one)
    one._shape = tf.TensorShape([None, 1, 1, 8])
    squeezed, kept = tf.squeeze(one), tf.squeeze(one, [1, 2])
    assert [one.shape.as_list(), kept.shape.as_list()] == [[None, 1, 1, 8], [None, 8]]
    assert (before.shape.as_list(), squeezed.shape.rank) == ([8], None)
    logits = tf.matmul(squeezed, tf.ones([8, 3]))
    with tf.Session() as sess:
        assert sess.run([logits, kept], {one: four})[0].shape == (4, 3)
        with pytest.raises(ValueError, match="Cannot feed"):
            sess.run(kept, {one: four[..., :2]})


def test_gradients_pass_and_one_stand_in_serves_all():
    one, four = pool()
    one._shape = tf.TensorShape([None, 1, 1, 8])
    loss = tf.reduce_sum(one * one)
    [gradient] = tf.gradients(loss, one)
    with tf.Session() as sess:
        assert sess.run(gradient, {one: four}).tolist() == (2 * four).tolist()
    made = [op.name for op in one.graph.get_operations() if op.type == "PlaceholderWithDefault"]
    assert made == ["pool_shape"]


def test_a_shape_that_says_more_is_known_too():
    given = tf.placeholder(tf.float32)
    given._shape = tf.TensorShape([2, 3])
    assert (given + 1).shape.as_list() == [2, 3]
    given._shape = tf.TensorShape(None)
    assert (given + 1).shape.rank is None


def test_a_shape_that_it_can_not_have_is_its_own_alone():
    one, _ = pool()
    one._shape = tf.TensorShape([5])
    assert [one.shape.as_list(), (one + 1).shape.as_list()] == [[5], [1, 1, 1, 8]]


def test_inside_a_loop_ops_know_what_they_knew():
    def body(i):
        twice = i * 2
        twice._shape = tf.TensorShape(None)
        return tf.squeeze(twice)

    last = tf.while_loop(lambda i: i < 5, body, [tf.constant(1)])
    with tf.Session() as sess:
        assert sess.run(last) == 8


def test_of_an_assigned_dictionary_the_tensor_alone_knows():
    one, four = pool()
    one.__dict__["_shape_val"] = tf.TensorShape([None, 1, 1, 8])
    assert one.get_shape().as_list() == one.shape.as_list() == [None, 1, 1, 8]
    squeezed = tf.squeeze(one, [1, 2])
    assert squeezed.shape.as_list() == [1, 8]
    with tf.Session() as sess:
        assert sess.run(squeezed, {one: four}).shape == (4, 8)
    one.set_shape([1, 1, 1, 8])
    assert one.shape.as_list() == [1, 1, 1, 8]


def test_a_graph_with_such_shapes_ends_with_its_program():
    with tf.Graph().as_default() as graph:
        one, _ = pool()
        one._shape = tf.TensorShape(None)
        tf.squeeze(one)
    ended = weakref.ref(graph)
    del graph, one
    gc.collect()
    assert ended() is None
