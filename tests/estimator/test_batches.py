"""A hook that fetches a batch shares it with the evaluation: what 1.15.5 gives of the same programs."""

from __future__ import annotations

import pytest

import tfqueue.v1 as tf

PAIRS = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 9.0]]


def numbers(count):
    def input_fn():
        number = tf.train.range_input_producer(count, num_epochs=1, shuffle=False).dequeue()
        x = tf.train.batch([tf.cast(number, tf.float32)], 2)
        return {"x": x}, x

    return input_fn


class Taken(tf.train.SessionRunHook):
    """Fetches each batch."""

    def __init__(self, batch=None):
        self.batch, self.seen, self.ended = batch, [], 0

    def before_run(self, _):
        batch = self.batch
        if batch is None:
            batch = tf.get_default_graph().get_tensor_by_name("batch:0")
        return tf.train.SessionRunArgs(batch)

    def after_run(self, _, run_values):
        self.seen.append(run_values.results.tolist())

    def end(self, _):
        self.ended += 1


def model_with(hooks=(), odd=False):
    def model_fn(features, labels, mode):
        x = features["x"]
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        for hook in hooks:
            hook.batch = x
        measured = {"mean_x": tf.metrics.mean(x)}
        if odd:  # its value needs a batch of its own
            measured["odd"] = (tf.reduce_sum(x), tf.no_op())
        return tf.estimator.EstimatorSpec(
            mode,
            {"p": x + w},
            tf.reduce_mean(tf.square(x + w)),
            tf.train.get_global_step().assign_add(1),
            measured,
            evaluation_hooks=hooks,
        )

    return model_fn


@pytest.mark.parametrize("in_spec", [False, True])
@pytest.mark.parametrize(
    ("steps", "count", "loss", "mean", "batches"),
    [(None, 10, 28.5, 4.5, 5), (3, 100, 9.166666984558105, 2.5, 3)],
)
def test_an_evaluation_with_a_hook_takes_each_batch_once(
    tmp_path, in_spec, steps, count, loss, mean, batches
):
    hook = Taken()
    made = tf.estimator.Estimator(model_with([hook] if in_spec else ()), str(tmp_path))
    made.train(numbers(10), steps=1)
    found = made.evaluate(numbers(count), steps, [] if in_spec else [hook])
    assert found == pytest.approx({"loss": loss, "mean_x": mean, "global_step": 1})
    assert (hook.seen, hook.ended) == (PAIRS[:batches], 1)


@pytest.mark.parametrize(("steps", "loss", "batches"), [(None, 4.5, 5), (2, 1.5, 2)])
def test_so_does_that_of_learn(tmp_path, steps, loss, batches):
    def model_fn(features, labels):
        x = features["x"]
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        step = tf.contrib.framework.get_global_step()
        return {"p": x + w}, tf.reduce_mean(x + w), step.assign_add(1)

    hook, learn = Taken(), tf.contrib.learn
    made = learn.Estimator(model_fn, str(tmp_path)).fit(input_fn=numbers(4))
    found = made.evaluate(input_fn=numbers(100 if steps else 10), steps=steps, hooks=[hook])
    assert (found["loss"], hook.seen) == (loss, PAIRS[:batches])


def test_the_values_are_read_once_behind_the_last_batch(tmp_path):
    made = tf.estimator.Estimator(model_with(odd=True), str(tmp_path))
    made.train(numbers(10), steps=1)
    found = made.evaluate(numbers(100), 2)
    assert (found["loss"], found["mean_x"], found["odd"]) == (3.5, 1.5, 9.0)
    with pytest.raises(tf.errors.OutOfRangeError):
        made.evaluate(numbers(10))
