"""`tf.contrib.opt`; `optimizers_115.json` was printed by TensorFlow 1.15.5 with scipy 1.2.3 (`optimizers.py`)."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import optimizers

pytestmark = pytest.mark.slow
EXPECTED = json.loads(pathlib.Path(__file__).with_name("optimizers_115.json").read_text("utf-8"))
opt = tf.contrib.opt


@pytest.mark.parametrize("resource", [False, True])
@pytest.mark.parametrize("case", [case for case in EXPECTED if case != "scipy"])
def test_an_optimizer_trains_as_that_of_1_15_did(case, resource):
    name, few = case.rsplit(" ", 1)
    expected = EXPECTED[case]
    found = optimizers.trained(tf, name, resource, few == "True")
    np.testing.assert_allclose(found["losses"], expected["losses"], atol=2e-4)
    assert found["variables"].keys() == expected["variables"].keys()
    for variable, value in expected["variables"].items():
        np.testing.assert_allclose(found["variables"][variable], value, atol=5e-5)


def test_scipy_finds_what_it_found():
    pytest.importorskip("scipy")
    found = optimizers.by_scipy(tf)
    for case, expected in EXPECTED["scipy"].items():
        assert found[case]["first"] == expected["first"]
        for value, other in zip(found[case]["variables"], expected["variables"], strict=True):
            np.testing.assert_allclose(value, other, atol=1e-2)


@pytest.fixture
def sess():
    with tf.Graph().as_default(), tf.Session() as sess:
        yield sess


def test_only_the_variables_that_are_named_decay(sess):
    kept, decayed = (tf.get_variable(name, initializer=8.0) for name in ("kept", "decayed"))
    optimizer = opt.extend_with_decoupled_weight_decay(tf.train.GradientDescentOptimizer)(
        lambda: 0.5, 1.0
    )
    pairs = [(tf.constant(1.0), kept), (tf.constant(1.0), decayed)]
    train = optimizer.apply_gradients(pairs, decay_var_list=[decayed])
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    assert sess.run([kept, decayed]) == [7, 3]


def test_averages_decay_slowly_unless_told_otherwise(sess):
    x = tf.get_variable("x", initializer=4.0)
    train = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(1.0)).minimize(10000 * x)
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    _, average = sess.run(tf.global_variables())
    assert average == pytest.approx(2.999834, rel=1e-6)  # of 1.15.5


def test_the_power_of_adamax_lies_beside_the_variable_whose_name_is_first():
    with tf.Graph().as_default():
        for device, name in enumerate("za"):
            with tf.device(f"/cpu:{device}"):
                tf.get_variable(name, initializer=1.0)
        variables = tf.global_variables()
        opt.AdaMaxOptimizer(0.1).minimize(tf.add_n(variables))
        assert [var.device for var in variables] == ["/device:CPU:0", "/device:CPU:1"]
        [power] = [var for var in tf.global_variables() if var.op.name == "beta1_power"]
        assert power.device == "/device:CPU:1"


def test_a_swapping_saver_stores_averages_under_the_names_of_variables(sess, tmp_path):
    x = tf.get_variable("x", initializer=4.0)
    optimizer = opt.MovingAverageOptimizer(tf.train.GradientDescentOptimizer(1.0), 0.5)
    with pytest.raises(RuntimeError, match="before creating the swapping_saver"):
        optimizer.swapping_saver()
    train = optimizer.minimize(2 * x)
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    path = optimizer.swapping_saver().save(sess, str(tmp_path / "model"))
    reader = tf.train.load_checkpoint(path)
    assert reader.get_tensor("x") == 3
    assert reader.get_tensor("x/ExponentialMovingAverage") == 2
    with pytest.raises(ValueError, match="x/ExponentialMovingAverage is not part"):
        optimizer.swapping_saver([x])
    average = next(each for each in tf.global_variables() if each is not x)
    named = optimizer.swapping_saver({"mine": x, "average": average})
    reader = tf.train.load_checkpoint(named.save(sess, str(tmp_path / "named")))
    assert (reader.get_tensor("mine"), reader.get_tensor("average")) == (2, 3)  # of 1.15.5


def test_callbacks_of_scipy_get_the_fetches_and_the_step(sess):
    pytest.importorskip("scipy")
    x = tf.get_variable("x", initializer=np.float32([3, 4]))
    fed = tf.placeholder(tf.float32)
    loss = tf.reduce_sum(tf.square(x - fed))
    steps, losses = [], []
    interface = opt.ScipyOptimizerInterface(loss, method="CG", options={"maxiter": 5})
    sess.run(tf.global_variables_initializer())
    interface.minimize(
        feed_dict={fed: 1.0},
        fetches=[loss, fed],
        step_callback=steps.append,
        loss_callback=lambda *values: losses.append(values),
    )
    assert losses[0] == (13, 1)
    np.testing.assert_allclose(steps[-1], [1, 1], atol=1e-4)
    np.testing.assert_allclose(sess.run(x), [1, 1], atol=1e-4)


def test_what_scipy_gets_from_the_interface_cannot_be_given(sess):
    pytest.importorskip("scipy")
    x = tf.get_variable("x", initializer=1.0)
    sess.run(tf.global_variables_initializer())
    for word, said in (("bounds", "var_to_bounds"), ("jac", "'jac' is set automatically")):
        interface = opt.ScipyOptimizerInterface(tf.square(x), **{word: None})
        with pytest.raises(ValueError, match=said):
            interface.minimize(sess)
    with pytest.raises(NotImplementedError, match="subclass"):
        opt.ExternalOptimizerInterface(tf.square(x)).minimize(sess)
