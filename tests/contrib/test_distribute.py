"""`tf.contrib.distribute`: one replica; what there was for several is refused. Values of 1.12.3 and 1.15.5 without a GPU."""

import json

import numpy as np
import pytest

import tfqueue.v1 as tf


def contrib():
    return tf.contrib.distribute


def model(features, labels, mode):
    made = tf.layers.dense(
        features["x"], 1, name="d", kernel_initializer=tf.constant_initializer(0.1)
    )
    loss = tf.losses.mean_squared_error(labels, made)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)


def inputs():
    x = np.arange(20, dtype=np.float32).reshape(20, 1) / 20
    return tf.data.Dataset.from_tensor_slices(({"x": x}, x * 2)).repeat().batch(5)


STRATEGIES = {
    "mirrored": lambda: contrib().MirroredStrategy(),
    "one GPU": lambda: contrib().MirroredStrategy(num_gpus=1),
    "no GPU": lambda: contrib().MirroredStrategy(num_gpus_per_worker=0),
    "a device": lambda: contrib().MirroredStrategy(["/cpu:0"]),
    "one device": lambda: contrib().OneDeviceStrategy("/gpu:0"),
    "parameter server": lambda: contrib().ParameterServerStrategy(num_gpus_per_worker=1),
    "collective": lambda: contrib().CollectiveAllReduceStrategy(),
    "today's": lambda: tf.distribute.MirroredStrategy(),
}


@pytest.mark.parametrize("name", STRATEGIES)
def test_an_estimator_trains_as_without_a_strategy(name, tmp_path):
    strategy = STRATEGIES[name]()
    assert strategy.num_replicas_in_sync == 1
    assert strategy.__class__.__name__.startswith(("Mirrored", "OneDevice", "Parameter", "Collect"))
    config = tf.estimator.RunConfig(str(tmp_path), tf_random_seed=1, train_distribute=strategy)
    estimator = tf.estimator.Estimator(model, config=config)
    estimator.train(inputs, steps=10)
    assert sorted(estimator.get_variable_names()) == ["d/bias", "d/kernel", "global_step"]
    assert estimator.evaluate(inputs, steps=4)["loss"] == pytest.approx(0.16706017, rel=1e-6)


@pytest.mark.parametrize(
    "made",
    [
        lambda: contrib().MirroredStrategy(num_gpus=2),
        lambda: contrib().MirroredStrategy(num_gpus_per_worker=2),
        lambda: contrib().MirroredStrategy(devices=["/gpu:0", "/gpu:1"]),
        lambda: contrib().ParameterServerStrategy(2),
        lambda: contrib().CollectiveAllReduceStrategy(num_gpus_per_worker=2),
    ],
)
def test_two_replicas_are_refused(made):
    with pytest.raises(NotImplementedError, match="Strategy has 2 replicas, each with a batch"):
        made()


class Two:
    num_replicas_in_sync = 2


@pytest.mark.parametrize(
    "given",
    [
        {"train_distribute": Two()},
        {"eval_distribute": Two()},
        {"experimental_distribute": tf.contrib.distribute.DistributeConfig(Two())},
    ],
)
def test_a_run_config_with_two_replicas_is_refused(given):
    said = "_distribute: Two has 2 replicas.* batches of 2 times the size"
    with pytest.raises(NotImplementedError, match=said):
        tf.estimator.RunConfig(**given)
    with pytest.raises(NotImplementedError, match=said):
        tf.estimator.RunConfig().replace(**given)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"devices": ["/cpu:0"], "num_gpus": 1}, "`devices` and `num_gpus`"),
        ({"num_gpus": 1, "num_gpus_per_worker": 1}, "`num_gpus` and `num_gpus_per_worker`"),
    ],
)
def test_devices_are_said_once(given, names):
    with pytest.raises(ValueError, match=f"Must only specify one of {names}"):
        contrib().MirroredStrategy(**given)


def test_inside_of_a_strategy():
    """As in 1.15.5, and the names of 1.12."""
    distribute = contrib()
    strategy = distribute.MirroredStrategy()
    assert not distribute.has_strategy()
    assert not distribute.in_cross_replica_context()
    assert distribute.get_cross_tower_context() is None
    with strategy.scope():
        assert distribute.has_distribution_strategy()
        assert distribute.in_cross_replica_context()
        assert distribute.get_distribution_strategy() is strategy
        assert distribute.get_cross_replica_context() is strategy
        assert distribute.get_tower_context() is None
        variable = tf.get_variable("v", [2])
    assert (variable.name, variable.device) == ("v:0", "/replica:0/task:0/device:CPU:0")
    assert strategy.call_for_each_tower(lambda a, b: a - b, 7, b=5) == 2
    assert (strategy.num_towers, strategy.is_single_tower) == (1, True)
    assert strategy.worker_devices == strategy.parameter_devices == ["/cpu:0"]
    assert isinstance(strategy, distribute.DistributionStrategy)


def test_what_adds_gradients_up_is_taken():
    reduce = contrib().AllReduceCrossTowerOps("nccl", num_packs=2)
    assert isinstance(reduce, contrib().CrossDeviceOps)
    strategy = contrib().MirroredStrategy(num_gpus=1, cross_tower_ops=reduce)
    assert strategy.num_replicas_in_sync == 1


@pytest.mark.parametrize("kind", [tf.estimator.RunConfig, tf.contrib.learn.RunConfig])
def test_a_cluster_of_several_tasks_is_refused(kind, monkeypatch):
    """As TensorFlow reads it: an evaluator takes no part in the training, and a single task is no cluster."""
    for cluster in ({}, {"cluster": {"master": ["a:1"], "evaluator": ["b:1"]}}):
        monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
        kind()
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": {"chief": ["a:1"], "ps": ["b:1"]}}))
    with pytest.raises(NotImplementedError, match="TF_CONFIG has a cluster of 2 tasks"):
        kind()
