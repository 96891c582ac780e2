"""`tf.contrib.eager`, of which libraries for graphs took functions: Sonnet 1 for one.

The numbers were printed by TensorFlow 1.15.5.
"""

import importlib

import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneError

tfe = tf.contrib.eager


def test_it_is_imported_as_sonnet_does():
    inside = importlib.import_module("tfqueue.v1.contrib.eager.python.tfe")
    assert inside.defun is tfe.defun
    assert inside.Variable is tfe.Variable


def test_a_function_of_a_graph():
    @tfe.defun
    def doubled(x):
        return x + x

    @tfe.defun(input_signature=[tfe.TensorSpec([None], tf.float32)])
    def tripled(x):
        return 3 * x

    with tf.Session() as sess:
        assert sess.run(doubled(tf.constant(3))) == 6
        assert sess.run(tripled([1.0, 2.0])).tolist() == [3.0, 6.0]
        with pytest.raises((TypeError, ValueError)):
            tripled([[1.0]])


def test_a_custom_gradient():
    @tfe.custom_gradient
    def scaled(x):
        return x * x, lambda d: 0.5 * d

    x = tf.constant(3.0)
    with tf.Session() as sess:
        assert sess.run([scaled(x), *tf.gradients(scaled(x), x)]) == [9.0, 0.5]


def test_a_graph_is_not_eager():
    assert not tfe.executing_eagerly()
    assert not tfe.in_eager_mode()
    variable = tfe.Variable(2.0, name="v")
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(variable) == 2.0


def test_what_is_gone_says_what_to_use():
    with pytest.raises(GoneError, match=r"tf\.contrib\.eager\.Network is gone .*tf\.keras\.Model"):
        _ = tfe.Network
