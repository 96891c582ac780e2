"""What a call changes in `params` no other call sees: what 1.15.5 gives of the same programs."""

from __future__ import annotations

import pytest

import tfqueue.v1 as tf

GIVEN = {"rate": 1.0, "layers": [2]}


class Calls:
    """An input and a model function that change their parameters, and note them as they came."""

    def __init__(self):
        self.seen = []

    def inputs(self, params):
        self.seen.append(dict(params, layers=[*params["layers"]]))
        params["layers"].append(9)
        params["new"] = 1
        numbers = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0, 4.0])
        return numbers.batch(params.get("batch_size", 1))

    def model(self, features, labels, mode, params):
        self.seen.append(dict(params, layers=[*params["layers"]]))
        params["rate"] *= 0.5
        params["layers"].append(3)
        w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
        with tf.control_dependencies([features]):
            step = tf.train.get_global_step().assign_add(1)
            train = tf.group(tf.assign_add(w, params.pop("rate")), step)
        return tf.estimator.EstimatorSpec(
            mode, predictions={"p": features + w}, loss=tf.reduce_mean(features), train_op=train
        )

    def run(self, made):
        """The weight after each of two trainings."""
        found = []
        for _ in range(2):
            made.train(self.inputs)
            found.append(made.get_variable_value("w"))
            made.evaluate(self.inputs)
            list(made.predict(self.inputs))
        return found


def test_each_call_has_parameters_of_its_own(tmp_path):
    calls, given = Calls(), {"rate": 1.0, "layers": [2]}
    made = tf.estimator.Estimator(calls.model, str(tmp_path), params=given)
    assert calls.run(made) == [2.0, 4.0]
    assert calls.seen == [GIVEN] * 12
    made.params["layers"].append(4)
    assert made.params == given == GIVEN
    with pytest.raises(AttributeError):
        made.params = {}


def test_so_has_one_for_tpus(tmp_path):
    calls, tpu = Calls(), tf.contrib.tpu
    sizes = dict.fromkeys(["train_batch_size", "eval_batch_size", "predict_batch_size"], 2)
    config = tpu.RunConfig(model_dir=str(tmp_path))
    made = tpu.TPUEstimator(calls.model, config=config, params=GIVEN, use_tpu=False, **sizes)
    assert calls.run(made) == [1.0, 2.0]
    read = {**GIVEN, "batch_size": 2}
    assert calls.seen == [read, {**read, "use_tpu": False}] * 6
    assert made.params == GIVEN
