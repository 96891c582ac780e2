"""What all estimators share: their configuration, the session of a training, an evaluation."""

import functools
import logging
import types

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.estimator import _training
from tfqueue.estimator._training import Estimator, RunConfig

DEFAULTS = {  # as in 1.15.5
    "master": "",
    "tf_random_seed": None,
    "save_summary_steps": 100,
    "save_checkpoints_secs": 600,
    "save_checkpoints_steps": None,
    "keep_checkpoint_max": 5,
    "keep_checkpoint_every_n_hours": 10000,
    "log_step_count_steps": 100,
    "model_dir": None,
    "is_chief": True,
    "task_id": 0,
    "num_ps_replicas": 0,
    "num_worker_replicas": 0,
    "task_type": None,
    "cluster_spec": None,
    "environment": "local",
}


def attributes(config):
    return {name: getattr(config, name) for name in DEFAULTS}


def test_a_configuration_of_learn():
    plain = tf.contrib.learn.RunConfig()
    assert attributes(plain) == DEFAULTS
    assert not plain.tf_config.log_device_placement
    assert plain.tf_config.gpu_options.per_process_gpu_memory_fraction == 1
    given = {name: object() for name in list(DEFAULTS)[:9]}
    full = RunConfig(**given, log_device_placement=True, gpu_memory_fraction=0.5, own="m")
    assert attributes(full) == {**DEFAULTS, **given}
    assert full.tf_config.log_device_placement
    assert full.session_config.gpu_options.per_process_gpu_memory_fraction == 0.5
    assert full.own == "m"
    steps = tf.contrib.learn.RunConfig(save_checkpoints_steps=3)
    assert (steps.save_checkpoints_secs, steps.save_checkpoints_steps) == (None, 3)
    seconds = tf.contrib.learn.RunConfig(save_checkpoints_secs=4)
    assert (seconds.save_checkpoints_secs, seconds.save_checkpoints_steps) == (4, None)
    own = tf.ConfigProto()
    assert tf.contrib.learn.RunConfig(session_config=own).tf_config is own


def test_a_copy_of_a_configuration():
    class Own(RunConfig):
        pass

    config = Own(save_summary_steps=7)
    copy = config.replace(model_dir="here", protocol="grpc")
    assert (type(copy), copy.protocol, copy.tf_config) == (Own, "grpc", config.tf_config)
    changed = {"save_summary_steps": 7, "model_dir": "here"}
    assert attributes(copy) == {**DEFAULTS, **changed}
    assert attributes(config) == {**DEFAULTS, "save_summary_steps": 7}


@pytest.mark.parametrize(
    ("mode", "lacks"),
    [("train", ["loss", "train_op"]), ("eval", ["loss"]), ("infer", ["predictions"])],
)
def test_what_each_mode_needs(mode, lacks):
    whole = {"predictions": 0, "loss": 0, "train_op": 0}
    for name in whole:
        call = functools.partial(_training.check, mode, **{**whole, name: None})
        if name in lacks:
            with pytest.raises(ValueError, match=rf"^Missing {name}\.$"):
                call()
        else:
            call()


def _three(a, b=2, *, c=3):
    return a, b, c


def _wrapped():
    @functools.wraps(_three)
    def inner(*args):
        return _three(*args)

    return inner


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (_three, ["a", "b", "c"]),
        (functools.partial(_three, 1), ["b", "c"]),
        (functools.partial(_three, b=1), ["a", "c"]),
        (functools.partial(_three, c=1), ["a", "b"]),
        (_wrapped(), ["a", "b", "c"]),
        (lambda *args, **more: None, ["args", "more"]),
    ],
)
def test_the_arguments_of_a_function(function, names):
    assert _training.argument_names(function) == names


def test_the_folder_of_a_model(monkeypatch, caplog):
    monkeypatch.setattr(_training.tempfile, "mkdtemp", lambda: "new")
    config = RunConfig(model_dir="of the configuration")
    with caplog.at_level(logging.WARNING, logger="tensorflow"):
        made = Estimator(None, "own", config, {"a": 1})
        assert (made.model_dir, made.model_fn, made.config) == ("own", None, config)
        assert (made.eval_dir(), made.eval_dir("x")) == ("own/eval", "own/eval_x")
        assert Estimator(None, None, config, None).model_dir == "of the configuration"
        assert not caplog.messages
        assert Estimator(None, None, RunConfig(), None).model_dir == "new"
    assert caplog.messages == ["Using temporary folder as model directory: new"]


def test_a_model_that_takes_no_parameters():
    def plain(features):
        return features

    assert Estimator(plain, "x", RunConfig(), None).model_fn is plain
    with pytest.raises(ValueError, match=r"^Estimator's model_fn \(.*\) does not take params$"):
        Estimator(plain, "x", RunConfig(), {})


class Measured(Estimator):
    """Its loss is what comes in, and it counts one example a batch."""

    hooks: tuple = ()

    def __init__(self, folder, **given):
        super().__init__(None, str(folder), RunConfig(**given), None)

    def _ops(self, features, labels, mode):
        loss = tf.reduce_mean(features)
        with tf.control_dependencies([loss]):
            counted = tf.assign_add(tf.train.get_global_step(), 1)
        return types.SimpleNamespace(
            predictions=-features,
            loss=loss,
            train_op=counted,
            eval_metric_ops={},
            scaffold=None,
            training_hooks=[],
            training_chief_hooks=[],
            evaluation_hooks=list(self.hooks),
        )


def three_batches():
    data = tf.data.Dataset.from_tensor_slices([[1.0, 3.0], [4.0, 6.0], [5.0, 5.0]])
    iterator = tf.data.make_initializable_iterator(data)
    tf.add_to_collection(tf.GraphKeys.TABLE_INITIALIZERS, iterator.initializer)
    return iterator.get_next(), None


def endless():
    return tf.constant([2.0, 4.0]), None


@pytest.fixture
def checkpoint(tmp_path):
    """A checkpoint of step 8 in the folder `tmp_path`."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.train.create_global_step()
        sess.run(step.assign(8))
        return tf.train.Saver().save(sess, str(tmp_path / "model.ckpt"), 8)


def summaries(folder):
    """By the name of a file of events: its steps, with tags and values."""
    return {
        path.name.rpartition(".")[2]: [
            (event.step, {value.tag: value.simple_value for value in event.summary.value})
            for event in tf.train.summary_iterator(str(path))
            if event.summary.value
        ]
        for path in folder.glob("events*")
    }


class Count(tf.train.SessionRunHook):
    """Counts the calls."""

    def __init__(self):
        self.calls = 0

    def before_run(self, _):
        self.calls += 1


def test_an_evaluation(tmp_path, checkpoint, caplog):
    first, second = Count(), Count()
    made = Measured(tmp_path)
    made.hooks = [second]

    def metrics(features, labels, predictions):
        assert labels is None
        return {"b": tf.metrics.mean(predictions), "a": tf.metrics.mean(features)}

    with caplog.at_level(logging.INFO, logger="tensorflow"):
        found = made._evaluated(three_batches, None, [first], None, "x", metrics)
    assert list(found) == ["a", "b", "loss", "global_step"]
    assert found == {"a": 4.0, "b": -4.0, "loss": 4.0, "global_step": 8}
    # a run for each batch; the one that meets the end counts too
    assert (first.calls, second.calls) == (4, 4)
    assert caplog.messages[-1] == (
        "Saving dict for global step 8: a = 4.0, b = -4.0, global_step = 8, loss = 4.0"
    )
    assert any(line.startswith("Starting evaluation at 20") for line in caplog.messages)
    values = {"a": 4.0, "b": -4.0, "loss": 4.0}
    assert summaries(tmp_path / "eval_x") == {"8": [(8, values)]}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        (1, [1]),
        (3, [1, 2, 3]),
        (19, [*range(1, 20)]),
        (20, [*range(2, 21, 2)]),
        (25, [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 25]),
    ],
)
def test_an_evaluation_tells_how_far_it_is(tmp_path, checkpoint, caplog, steps, told):
    """As 1.15.5: each batch below twenty, and the last."""
    with caplog.at_level(logging.INFO, logger="tensorflow"):
        found = Measured(tmp_path)._evaluated(endless, steps, [], checkpoint, None)
    assert found == {"loss": 3.0, "global_step": 8}
    lines = [line for line in caplog.messages if line.startswith("Evaluation")]
    assert lines == [f"Evaluation [{number}/{steps}]" for number in told]
    assert [*summaries(tmp_path / "eval")] == ["8"]


def test_an_evaluation_is_fed(tmp_path, checkpoint):
    fed = iter([[1.0], [9.0]])
    given = []

    def input_fn():
        given.append(tf.placeholder(tf.float32))
        return given[0], None

    found = Measured(tmp_path)._evaluated(
        input_fn,
        *(2, [], checkpoint, None),
        feed_fn=lambda: {given[0]: next(fed)},
    )
    assert found["loss"] == 5.0


def test_nothing_to_evaluate(tmp_path, checkpoint):
    with pytest.raises(ValueError, match=r"^There is nothing to evaluate: .* gave no batch\.$"):
        Measured(tmp_path)._evaluated(three_batches, 0, [], None, None)
    assert not (tmp_path / "eval").exists()
    elsewhere = Measured(tmp_path / "none")
    assert elsewhere._last_step() == 0
    with pytest.raises(_training.NotFittedError, match=rf"^Couldn't find .* {tmp_path}/none\.$"):
        elsewhere._evaluated(three_batches, 1, [], None, None)


def test_what_a_checkpoint_has(tmp_path, checkpoint):
    made = Measured(tmp_path)
    assert (made._last_step(), made.get_variable_names()) == (8, ["global_step"])
    assert made.get_variable_value("global_step") == 8


def trained(monkeypatch, made, *args, scaffold=None, hooks=("h",)):
    """What the session of a training is made with, and the savers of its graph."""
    with monkeypatch.context() as patched, tf.Graph().as_default():
        patched.setattr(_training._train, "MonitoredTrainingSession", lambda **given: given)
        patched.setattr(_training._train, "Saver", lambda **given: given)
        patched.setattr(_training._train, "Scaffold", lambda: None)
        given = made._training(scaffold, [*hooks], *args)
        return given, tf.get_collection(tf.GraphKeys.SAVERS)


def test_the_session_of_a_training(tmp_path, monkeypatch):
    made = Measured(
        tmp_path,
        master="m",
        save_summary_steps=2,
        log_step_count_steps=3,
        keep_checkpoint_max=4,
        keep_checkpoint_every_n_hours=5,
    )
    saver = {
        "max_to_keep": 4,
        "keep_checkpoint_every_n_hours": 5,
        "save_relative_paths": True,
        "defer_build": True,
    }
    common = {
        "master": "m",
        "checkpoint_dir": str(tmp_path),
        "scaffold": None,
        "hooks": ["h"],
        "config": made.config.session_config,
        "save_checkpoint_secs": 0,
        "save_summaries_steps": 2,
        "log_step_count_steps": 3,
    }
    found, savers = trained(monkeypatch, made, [])
    [hook] = found.pop("chief_only_hooks")
    assert (found, savers) == (common, [saver])
    assert (hook._timer._every_secs, hook._timer._every_steps) == (600, None)
    assert (hook._checkpoint_dir, hook._listeners) == (str(tmp_path), [])
    own = tf.train.Scaffold()
    found, savers = trained(monkeypatch, made, [], scaffold=own)
    assert found["scaffold"] is found["chief_only_hooks"][0]._scaffold is own
    assert savers == [saver]
    own = types.SimpleNamespace(saver="its own")
    assert trained(monkeypatch, made, [], scaffold=own)[1] == []
    made._config = made.config.replace(save_checkpoints_secs=None, save_checkpoints_steps=6)
    [hook] = trained(monkeypatch, made, ["l"])[0]["chief_only_hooks"]
    assert (hook._timer._every_secs, hook._timer._every_steps) == (None, 6)
    assert hook._listeners == ["l"]
    saving = tf.train.CheckpointSaverHook(str(tmp_path), save_steps=2)
    for _ in range(2):  # a listener is told once
        assert trained(monkeypatch, made, ["l"], hooks=[saving])[0]["chief_only_hooks"] == []
    assert saving._listeners == ["l"]


class Monitor(tf.train.SessionRunHook):
    """Knows its estimator."""

    def set_estimator(self, estimator):
        self.estimator = estimator


@pytest.mark.parametrize(
    ("steps", "max_steps", "last"), [(3, None, 11), (None, 10, 10), (None, None, 11)]
)
def test_a_training_goes_on_from_a_checkpoint(tmp_path, checkpoint, caplog, steps, max_steps, last):
    made, monitor = Measured(tmp_path, log_step_count_steps=2), Monitor()
    data = endless if steps or max_steps else three_batches
    with caplog.at_level(logging.INFO, logger="tensorflow"):
        made._fitted(data, steps, max_steps, [monitor])
    assert monitor.estimator is made
    assert made._last_step() == last
    loss = "3.0" if data is endless else "5.0"
    assert caplog.messages[-1] == f"Loss for final step: {loss}."
    told = [line.split(",")[0] for line in caplog.messages if line.startswith("loss = ")]
    first, third = ("loss = 3.0",) * 2 if data is endless else ("loss = 2.0", "loss = 5.0")
    assert told == [first, third] if last == 11 else [first]


def test_a_training_that_tells_nothing(tmp_path, checkpoint, caplog):
    with caplog.at_level(logging.INFO, logger="tensorflow"):
        Measured(tmp_path, log_step_count_steps=0)._fitted(endless, 1, None, [])
    assert not [line for line in caplog.messages if line.startswith("loss = ")]
    [events] = [rows for rows in summaries(tmp_path).values() if rows]
    assert events[0][1] == {"loss": 3.0}


def test_the_examples_of_a_batch():
    assert [*_training.examples_of([1, 2])] == [1, 2]
    assert [*_training.examples_of({"a": [1, 2], "b": "xy"})] == [
        {"a": 1, "b": "x"},
        {"a": 2, "b": "y"},
    ]


def test_only_numbers_are_written(tmp_path, caplog):
    results = {"b": np.float32(2), "c": np.array([1, 2]), "a": 1, "global_step": np.int64(7)}
    with caplog.at_level(logging.INFO, logger="tensorflow"):
        _training._write(str(tmp_path), results)
    assert caplog.messages == [
        "Saving dict for global step 7: a = 1, b = 2.0, c = [1 2], global_step = 7"
    ]
    assert summaries(tmp_path) == {"7": [(7, {"b": 2.0, "a": 1.0})]}


@pytest.mark.parametrize(
    ("known", "written"),
    [
        (
            None,
            {"linear/bias", "linear/fraction_of_zero_weights"},
        ),  # as 1.12.3 and 1.15.5 wrote them
        ("1.4", set()),
    ],
)
def test_a_linear_model_writes_its_bias_and_an_evaluation_its_checkpoint(tmp_path, known, written):
    former = release.assume(known)
    try:
        model = tf.estimator.LinearRegressor(
            [tf.feature_column.numeric_column("x", shape=[2])], str(tmp_path)
        )
        rows = np.arange(12, dtype=np.float32).reshape(6, 2)

        def read():
            return tf.data.Dataset.from_tensors(({"x": rows}, rows[:, :1]))

        model.train(read, steps=1)
        model.evaluate(read)
    finally:
        release.assume(former)
    values = [
        value
        for folder in (tmp_path, tmp_path / "eval")
        for path in folder.glob("events*")
        for event in tf.train.summary_iterator(str(path))
        for value in event.summary.value
    ]
    tags = {value.tag for value in values}
    assert {tag for tag in tags if tag.startswith("linear/")} == written
    paths = [value.tensor.string_val[0] for value in values if value.tag == "checkpoint_path"]
    assert paths == ([] if known else [str(tmp_path / "model.ckpt-1").encode()])
