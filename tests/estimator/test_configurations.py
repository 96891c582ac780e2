"""How often checkpoints are written: what 1.15.5 makes of the same calls."""

from __future__ import annotations

import pytest

import tfqueue.v1 as tf

STEPS, SECONDS = "save_checkpoints_steps", "save_checkpoints_secs"


def steps_and_seconds(config):
    return config.save_checkpoints_steps, config.save_checkpoints_secs


@pytest.fixture(params=["core", "learn", "tpu"])
def kind(request):
    return {
        "core": tf.estimator.RunConfig,
        "learn": tf.contrib.learn.RunConfig,
        "tpu": tf.contrib.tpu.RunConfig,
    }[request.param]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, (None, 600)),
        ({STEPS: 2}, (2, None)),
        ({SECONDS: 3}, (None, 3)),
        ({SECONDS: None}, (None, None)),
        ({STEPS: None, SECONDS: None}, (None, None)),
        ({STEPS: 0}, (0, None)),
        ({STEPS: 2, SECONDS: None}, (2, None)),
    ],
)
def test_what_is_said_counts(kind, given, expected):
    assert steps_and_seconds(kind(**given)) == expected


@pytest.mark.parametrize("given", [{STEPS: None}, {SECONDS: 0}])
def test_none_and_nought_are_the_default_of_learn_alone(kind, given):
    of_learn = kind is tf.contrib.learn.RunConfig
    seconds = 600 if of_learn else given.get(SECONDS)
    assert steps_and_seconds(kind(**given)) == (None, seconds)


@pytest.mark.parametrize(
    ("new", "from_seconds", "from_steps"),
    [
        ({STEPS: 5}, (5, None), (5, None)),
        ({SECONDS: 6}, (None, 6), (None, 6)),
        ({STEPS: None}, (None, 600), (None, None)),
        ({SECONDS: None}, (None, None), (2, None)),
        ({STEPS: None, SECONDS: 7}, (None, 7), (None, 7)),
        ({STEPS: None, SECONDS: None}, (None, None), (None, None)),
        ({"keep_checkpoint_max": 3}, (None, 600), (2, None)),
    ],
)
def test_what_is_replaced_takes_the_place_of_the_other(kind, new, from_seconds, from_steps):
    assert steps_and_seconds(kind().replace(**new)) == from_seconds
    assert steps_and_seconds(kind(save_checkpoints_steps=2).replace(**new)) == from_steps


def test_what_can_t_be_replaced(kind):
    with pytest.raises(ValueError, match="cannot be both set"):
        kind().replace(save_checkpoints_steps=5, save_checkpoints_secs=7)
    for name in ("save_sumary_steps", "master"):
        with pytest.raises(ValueError, match=f"^Replacing {name} is not supported"):
            kind().replace(**{name: 3})
    new = {"tpu_config": tf.contrib.tpu.TPUConfig(3)}
    if kind is tf.contrib.tpu.RunConfig:
        assert kind().replace(**new).tpu_config.iterations_per_loop == 3
    else:
        with pytest.raises(ValueError, match=r"^Replacing tpu_config is not supported"):
            kind().replace(**new)


def test_a_misspelt_name_is_refused():
    with pytest.raises(TypeError, match="'save_checkpoint_steps'"):
        tf.estimator.RunConfig(save_checkpoint_steps=5)
    more = tf.estimator.RunConfig(protocol="grpc", session_creation_timeout_secs=3)
    assert (more.protocol, more.session_creation_timeout_secs, more.device_fn) == ("grpc", 3, None)


def numbers():
    number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue()
    x = tf.train.batch([tf.cast(number, tf.float32)], 1)
    return {"x": x}, x


def model_fn(features, labels, mode):
    x = features["x"]
    with tf.control_dependencies([x]):
        step = tf.train.get_global_step().assign_add(1)
    w = tf.get_variable("w", [])
    return tf.estimator.EstimatorSpec(mode, x + w, tf.reduce_mean(x), step)


RunConfig = tf.estimator.RunConfig


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (lambda: RunConfig(save_checkpoints_steps=None), []),
        (lambda: RunConfig(save_checkpoints_steps=0), []),
        (lambda: RunConfig(save_checkpoints_secs=0), []),
        (lambda: RunConfig(save_checkpoints_steps=2).replace(save_checkpoints_secs=1000), [0, 8]),
        (lambda: RunConfig().replace(save_checkpoints_steps=3), [0, 3, 6, 8]),
    ],
)
def test_the_checkpoints_of_a_training(tmp_path, config, expected):
    tf.estimator.Estimator(model_fn, str(tmp_path), config()).train(numbers)
    found = [int(path.stem.rpartition("-")[2]) for path in tmp_path.glob("*.index")]
    assert sorted(found) == expected


def test_listeners_need_checkpoints_and_steps_are_above_0(tmp_path):
    config = RunConfig(save_checkpoints_steps=None)
    made = tf.estimator.Estimator(model_fn, str(tmp_path), config)
    with pytest.raises(ValueError, match="saving_listeners"):
        made.train(numbers, saving_listeners=[tf.train.CheckpointSaverListener()])
    for call, given in [
        (made.train, {"steps": 0}),
        (made.train, {"max_steps": -2}),
        (made.evaluate, {"steps": 0}),
    ]:
        with pytest.raises(ValueError, match=r"^Must specify (max_)?steps > 0, given: "):
            call(numbers, **given)


def test_learn_takes_steps_or_seconds(tmp_path):
    learn = tf.contrib.learn
    both = learn.RunConfig(save_checkpoints_secs=3, save_checkpoints_steps=2)
    assert steps_and_seconds(both) == (2, 3)

    def own(features, labels):
        spec = model_fn(features, labels, "train")
        return spec.predictions, spec.loss, spec.train_op

    with pytest.raises(ValueError, match="cannot be both set"):
        learn.Estimator(own, str(tmp_path), both).fit(input_fn=numbers)


@pytest.mark.parametrize(
    "name", ["train.CheckpointSaverHook", "contrib.tpu.AsyncCheckpointSaverHook"]
)
@pytest.mark.parametrize("config", [{STEPS: 3}, {STEPS: None, SECONDS: None}])
def test_a_hook_of_the_program_saves_in_place_of_the_estimators(tmp_path, name, config):
    saved = []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            saved.append(int(global_step_value))

    place, _, kind = name.rpartition(".")
    hook = getattr(tf.contrib.tpu if "tpu" in place else tf.train, kind)
    made = tf.estimator.Estimator(model_fn, str(tmp_path / "model"), RunConfig(**config))
    hooks = [hook(str(tmp_path / "own"), save_steps=2)]
    made.train(numbers, hooks=hooks, steps=7, saving_listeners=[Listener()])
    tf.summary.FileWriterCache.get(str(tmp_path / "own")).close()
    found = [int(path.stem.rpartition("-")[2]) for path in tmp_path.glob("own/*.index")]
    assert sorted(found) == saved == [0, 2, 4, 6, 7]
    assert not list(tmp_path.glob("model/*.index"))


@pytest.mark.parametrize(
    ("scaffold", "expected"),
    [
        (lambda: None, [6, 7]),
        (lambda: tf.train.Scaffold(), [6, 7]),
        (lambda: tf.train.Scaffold(saver=tf.train.Saver(max_to_keep=3)), [5, 6, 7]),
    ],
)
def test_how_many_checkpoints_are_kept(tmp_path, scaffold, expected):
    def with_scaffold(features, labels, mode):
        return model_fn(features, labels, mode)._replace(scaffold=scaffold())

    config = RunConfig(save_checkpoints_steps=1, keep_checkpoint_max=2)
    tf.estimator.Estimator(with_scaffold, str(tmp_path), config).train(numbers, steps=7)
    found = [int(path.stem.rpartition("-")[2]) for path in tmp_path.glob("*.index")]
    assert sorted(found) == expected
