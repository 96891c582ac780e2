"""`tf.contrib.tpu` without a TPU; what is expected was recorded with TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfqueue.v1 as tf

tpu = tf.contrib.tpu


class Model:
    """A model of one weight that notes what it is called with."""

    def __init__(self, as_dict=False):
        self.as_dict, self.seen, self.told = as_dict, [], []

    def inputs(self, params):
        self.seen.append(dict(params))
        numbers = np.arange(12, dtype=np.float32)
        data = tf.data.Dataset.from_tensor_slices((numbers, numbers * 2))
        return data.repeat(2).batch(params["batch_size"])

    def scaffold(self):
        self.seen.append("scaffold")
        return tf.train.Scaffold()

    def host(self, loss):
        self.seen.append("host")
        return tf.py_func(lambda value: self.told.append(value.item()) or value, [loss], tf.float32)

    def __call__(self, features, labels, mode, params):
        self.seen.append((mode, dict(params)))
        out = features * tf.get_variable("w", [], initializer=tf.constant_initializer(0.5))
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tpu.TPUEstimatorSpec(mode=mode, predictions={"out": out})
        loss = tf.reduce_mean(tf.square(out - labels))
        if mode == tf.estimator.ModeKeys.TRAIN:
            step = tf.train.get_global_step()
            return tpu.TPUEstimatorSpec(
                mode=mode,
                loss=loss,
                train_op=tf.train.GradientDescentOptimizer(params["lr"]).minimize(loss, step),
                scaffold_fn=self.scaffold,
                host_call=(self.host, [tf.reshape(loss, [1])]),
            )
        tensors = {"labels": labels, "out": out} if self.as_dict else [labels, out]
        return tpu.TPUEstimatorSpec(mode=mode, loss=loss, eval_metrics=(measures, tensors))


def measures(labels, out):
    return {"mse": tf.metrics.mean_squared_error(labels, out), "n": tf.metrics.mean(out)}


def estimator(model, folder, **more):
    config = tpu.RunConfig(
        cluster=None,
        master=None,
        model_dir=str(folder),
        save_checkpoints_steps=3,
        tpu_config=tpu.TPUConfig(5, num_shards=8),
    )
    more = {"params": {"lr": 0.001}, "use_tpu": False, "train_batch_size": 4, **more}
    return tpu.TPUEstimator(model_fn=model, config=config, **more)


@pytest.mark.parametrize("as_dict", [False, True])
def test_trains_evaluates_and_predicts(tmp_path, as_dict):
    model = Model(as_dict)
    made = estimator(model, tmp_path, eval_batch_size=3, predict_batch_size=5)
    made.train(input_fn=model.inputs, max_steps=5)
    found = made.evaluate(input_fn=model.inputs, steps=2)
    assert {name: value.item() for name, value in found.items()} == pytest.approx(
        {"global_step": 5, "loss": 10.317951, "mse": 10.317951, "n": 2.3476489}
    )
    predicted = [each["out"] for each in made.predict(input_fn=model.inputs)]
    assert predicted[:3] == pytest.approx([0.0, 0.93906, 1.87812], abs=1e-5)
    expected = []
    for mode, size in (("train", 4), ("eval", 3), ("infer", 5)):
        given = {"batch_size": size, "lr": 0.001}
        made_too = ["host", "scaffold"] if mode == "train" else []
        expected += [given, (mode, {**given, "use_tpu": False}), *made_too]
    assert model.seen == expected
    assert len(model.told) == 5
    assert made.params == {"lr": 0.001}


def test_a_host_call_writes_summaries(tmp_path):
    summary = tf.contrib.summary

    def host(step, loss):
        writer = summary.create_file_writer(str(tmp_path / "host"))
        with writer.as_default(), summary.always_record_summaries():
            summary.scalar("loss", loss[0], step=step[0])
            return summary.all_summary_ops()

    def model(features, labels, mode, params):
        out = features * tf.get_variable("w", [], initializer=tf.zeros_initializer())
        loss, step = tf.reduce_mean(tf.square(out - labels)), tf.train.get_global_step()
        before = tf.reshape(step + 0, [1])  # no view of the variable
        with tf.control_dependencies([before, loss]):
            trained = tf.train.GradientDescentOptimizer(0.001).minimize(loss, step)
        call = (host, [before, tf.reshape(loss, [1])])
        return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=trained, host_call=call)

    def inputs(params):
        numbers = np.arange(12, dtype=np.float32)
        return tf.data.Dataset.from_tensor_slices((numbers, numbers)).batch(params["batch_size"])

    estimator(model, tmp_path).train(inputs, steps=3)
    [path] = (tmp_path / "host").iterdir()
    found = [
        (event.step, value.tag, value.simple_value)
        for event in tf.train.summary_iterator(str(path))
        for value in event.summary.value
    ]
    losses = [value for _, _, value in found]
    assert [row[:2] for row in found] == [(0, "loss"), (1, "loss"), (2, "loss")]
    assert losses == pytest.approx([3.5, 31.06054, 79.21342], abs=1e-5)


def test_the_context_of_shards_is_there_without_a_tpu():
    from tfqueue.v1.contrib.tpu.python.tpu import tpu_function

    assert tpu_function.get_tpu_context().number_of_shards is None


def test_it_is_that_of_estimators_too():
    assert tf.estimator.tpu.TPUEstimator is tpu.TPUEstimator


def test_configurations():
    config = tpu.RunConfig(tpu_config=tpu.TPUConfig(per_host_input_for_training=3))
    assert (config.master, config.evaluation_master, config.cluster) == ("", "", None)
    assert repr(config.tpu_config) == (
        "TPUConfig(iterations_per_loop=2, num_shards=None, num_cores_per_replica=None, "
        "per_host_input_for_training=3, tpu_job_name=None, initial_infeed_sleep_secs=None, "
        "input_partition_dims=None, eval_training_input_configuration=2, "
        "experimental_host_call_every_n_steps=1)"
    )
    kinds = tpu.InputPipelineConfig
    assert (kinds.PER_SHARD_V1, kinds.PER_HOST_V1, kinds.PER_HOST_V2) == (1, 2, 3)
    assert (kinds.BROADCAST, kinds.SLICED) == (4, 5)


def test_refusals(tmp_path):
    model = Model()
    with pytest.raises(ValueError, match="reserved keys"):
        estimator(model, tmp_path, params={"batch_size": 1})
    with pytest.raises(ValueError, match="must be provided with type"):
        tpu.TPUEstimator(model, config=tf.estimator.RunConfig(), use_tpu=False)
    made = estimator(model, tmp_path)
    with pytest.raises(ValueError, match="does not include params argument"):
        made.train(input_fn=lambda: None, steps=1)
    with pytest.raises(KeyError, match="batch_size"):
        made.train(input_fn=model.inputs, steps=1) and made.evaluate(model.inputs, steps=1)
    with pytest.raises(RuntimeError, match="use_tpu=False trains the same model"):
        estimator(model, tmp_path, use_tpu=True).train(input_fn=model.inputs, steps=1)
    for words, sentence in [
        ({"mode": "train"}, "Missing train_op"),
        ({"mode": "eval", "loss": 1.0, "eval_metrics": 3}, "should be tuple or list"),
        ({"mode": "eval", "loss": 1.0, "eval_metrics": (max, 3)}, r"eval_metrics\[1\] should be"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            tpu.TPUEstimatorSpec(**words)
    with pytest.raises(AttributeError, match="InfeedQueue"):
        _ = tpu.InfeedQueue


def test_the_scope_of_short_floats_needs_no_tpu():
    with tf.Graph().as_default(), tpu.bfloat16_scope():
        assert tf.get_variable("w", [2], tf.bfloat16).dtype == tf.bfloat16
        assert issubclass(tpu.CrossShardOptimizer, tf.train.Optimizer)
