"""`tf.contrib.optimizer_v2`: its arguments and modules. What it trains: `test_opt`."""

import importlib

import pytest

import tfqueue.v1 as tf
from tfqueue.names.sentence import GoneArgumentError, GoneError

v2 = tf.contrib.optimizer_v2


def test_gradients_with_its_own_arguments():
    x = tf.get_variable("x", initializer=[1.0, 2.0])
    step = tf.train.get_or_create_global_step()
    made = v2.GradientDescentOptimizer(0.5)
    words = {"gate_gradients": 1, "grad_loss": tf.constant([2.0, 4.0])}
    [(slope, of)] = made.compute_gradients(x * x, [x], scale_loss_by_num_replicas=True, **words)
    train = made.minimize(x * x, step, name="go", scale_loss_by_num_towers=False, **words)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert (of, sess.run(slope).tolist()) == (x, [4, 16])
        sess.run(train)
        assert (train.name, sess.run(step), sess.run(x).tolist()) == ("go", 1, [-1, -6])
    with pytest.raises(ValueError, match="no variable has a gradient"):
        made.minimize(tf.constant(1.0))


def test_what_is_refused():
    x = tf.get_variable("x", initializer=1.0)
    with pytest.raises(GoneArgumentError, match=r"stop_gradients .*tf\.stop_gradient"):
        v2.AdamOptimizer().minimize(x * x, stop_gradients=[x])
    with pytest.raises(GoneError, match=r"OptimizerV2 is gone .*tf\.train\.Optimizer"):
        _ = v2.OptimizerV2


def test_slots():
    x = tf.get_variable("x", initializer=[1.0, 2.0])
    made = v2.RMSPropOptimizer(0.1, epsilon=0.25)
    made.minimize(tf.reduce_sum(x))
    assert made.get_slot_names() == ["momentum", "rms"]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert sess.run(made.get_slot(x, "rms")).tolist() == [0.25, 0.25]


def test_its_modules():
    inside = importlib.import_module("tfqueue.v1.contrib.optimizer_v2.adam")
    assert inside.AdamOptimizer is v2.AdamOptimizer
    symbols = importlib.import_module("tfqueue.v1.contrib.optimizer_v2.optimizer_v2_symbols")
    assert symbols.MomentumOptimizer is v2.MomentumOptimizer is v2.momentum.MomentumOptimizer
