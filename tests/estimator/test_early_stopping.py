"""Hooks that end a training early, and evaluations in between: what TensorFlow 1.15.5 did."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytestmark = pytest.mark.slow

X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
Y = X @ [1.0, 2.0]
STEPS = {"run_every_secs": None, "run_every_steps": 1}


def model_fn(features, labels, mode, params):
    weight = tf.get_variable("weight", [2], initializer=tf.zeros_initializer())
    y = tf.reduce_sum(tf.cast(features["x"], tf.float32) * weight, 1)
    labels = tf.cast(labels, tf.float32)
    loss = tf.losses.mean_squared_error(labels, y)
    optimizer = tf.train.GradientDescentOptimizer(params["rate"])
    return tf.estimator.EstimatorSpec(
        mode,
        {"y": y},
        loss,
        optimizer.minimize(loss, tf.train.get_global_step()),
        eval_metric_ops={"mae": tf.metrics.mean_absolute_error(labels, y)},
    )


def data(count):
    return lambda: tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat(count).batch(2)


def estimator(folder, rate=0.1):
    config = tf.estimator.RunConfig(save_checkpoints_steps=2)
    return tf.estimator.Estimator(model_fn, str(folder), config, {"rate": rate})


class Steps(tf.train.SessionRunHook):
    """Keeps the global step of each evaluation."""

    def __init__(self):
        self.seen = []

    def begin(self):
        self.step = tf.train.get_global_step()

    def end(self, session):
        self.seen.append(int(session.run(self.step)))


def evaluated(model, hooks=(), count=None, max_steps=None, throttle=0):
    """The steps of the evaluations, and the values of the last."""
    steps = Steps()
    found, exports = tf.estimator.train_and_evaluate(
        model,
        tf.estimator.TrainSpec(data(count), max_steps, hooks),
        tf.estimator.EvalSpec(data(1), None, hooks=[steps], throttle_secs=throttle),
    )
    assert exports == []
    assert model.get_variable_value("global_step") == found["global_step"]
    return steps.seen, found


@pytest.mark.parametrize(
    ("given", "steps", "loss"),
    [
        ({"max_steps": 7}, [2, 4, 6, 7], 0.159001),
        ({"count": 4}, [2, 4, 6, 8], 0.151810),
        ({"max_steps": 7, "throttle": 10**6}, [2, 7], 0.159001),
    ],
)
def test_checkpoints_but_the_first_are_evaluated(tmp_path, given, steps, loss):
    seen, found = evaluated(estimator(tmp_path), **given)
    assert seen == steps
    np.testing.assert_allclose(found["loss"], loss, rtol=1e-5)


def test_a_training_that_is_done_is_not_evaluated(tmp_path):
    model = estimator(tmp_path).train(data(1), steps=2)
    train = tf.estimator.TrainSpec(data(1), 2)
    result = tf.estimator.train_and_evaluate(model, train, tf.estimator.EvalSpec(data(1)))
    assert result == (None, None)


def test_up_to_1_9_a_training_ends_for_an_evaluation_and_begins_again(tmp_path):
    """As in 1.4.1: data that end before the last step are begun anew."""
    former = release.assume("1.9")
    try:
        model = estimator(tmp_path)
        assert evaluated(model, max_steps=3, throttle=1e-9)[0] == [1, 2, 3]
        assert evaluated(model, count=4, max_steps=20, throttle=10**6)[0] == [11, 19, 20]
        with pytest.raises(ValueError, match="throttle_secs should be positive, given: 0"):
            evaluated(model, max_steps=30)
        with pytest.raises(RuntimeError, match="There was no new checkpoint after the training"):
            evaluated(model, count=0, max_steps=30, throttle=10**6)
    finally:
        release.assume(former)


@pytest.mark.parametrize(
    ("name", "given", "more", "rate", "steps"),
    [
        ("stop_if_higher_hook", ("mae", 0.0), {}, 0.1, [2]),
        ("stop_if_lower_hook", ("loss", 1.0), {}, 0.1, [2]),
        ("stop_if_lower_hook", ("loss", 1.0), {"min_steps": 7}, 0.1, [2, 4, 6, 8]),
        ("stop_if_no_decrease_hook", ("loss", 4), {"run_every_steps": 3}, 0.0, [2, 4, 6, 7]),
        ("stop_if_no_increase_hook", ("mae", 3), {}, 0.1, [2, 4, 6]),
    ],
)
def test_a_hook_ends_a_training(tmp_path, name, given, more, rate, steps):
    model = estimator(tmp_path, rate)
    make = getattr(tf.contrib.estimator, name)
    assert make is getattr(tf.estimator.experimental, name)
    hook = make(model, *given, **{**STEPS, **more})
    assert evaluated(model, [hook], max_steps=20)[0] == steps


def test_a_function_is_asked_after_the_first_step_and_then_now_and_then(tmp_path):
    model, asked = estimator(tmp_path), []

    def should_stop():
        asked.append(1)
        return len(asked) == 3

    hook = tf.estimator.experimental.make_early_stopping_hook(model, should_stop, None, 3)
    model.train(data(None), [hook], max_steps=30)
    assert model.get_variable_value("global_step") == 7
    assert model.get_variable_value("signal_early_stopping/STOP")


def test_a_worker_stops_when_the_chief_says_so(tmp_path):
    model = estimator(tmp_path)
    model.config.is_chief = False
    hook = tf.estimator.experimental.make_early_stopping_hook(model, None)

    class Chief(tf.train.SessionRunHook):
        def begin(self):
            with tf.variable_scope("signal_early_stopping", reuse=tf.AUTO_REUSE):
                self.stop = tf.assign(tf.get_variable("STOP", [], tf.bool, trainable=False), True)

        def after_run(self, run_context, run_values):
            run_context.session.run(self.stop)

    model.train(data(None), [hook, Chief()], max_steps=30)
    assert model.get_variable_value("global_step") == 2


def test_what_was_measured_is_read(tmp_path):
    model = estimator(tmp_path).train(data(1), steps=2)
    model.evaluate(data(1), name="a")
    model.train(data(1), steps=1).evaluate(data(1), name="a")
    found = tf.contrib.estimator.read_eval_metrics(model.eval_dir("a"))
    assert list(found) == [2, 3]
    assert set(found[3]) == {"loss", "mae"}
    np.testing.assert_allclose(found[2]["loss"], 0.880875, rtol=1e-5)
    assert tf.contrib.estimator.read_eval_metrics(model.eval_dir()) == {}


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        ((3, lambda: True), TypeError, "`estimator` must have type `tf.estimator.Estimator`"),
        ((None, lambda: True, 60, 5), ValueError, "Only one of `run_every_secs` and"),
        ((None, 3), TypeError, "`should_stop_fn` must be callable"),
    ],
)
def test_arguments_that_can_not_be(tmp_path, given, kind, says):
    given = (given[0] or estimator(tmp_path), *given[1:])
    with pytest.raises(kind, match=says):
        tf.estimator.experimental.make_early_stopping_hook(*given)
