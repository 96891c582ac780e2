"""`tf.contrib.learn.monitors.ValidationMonitor`: when it evaluates, and when it ends a training."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.contrib.learn import monitors

ValidationMonitor = tf.contrib.learn.monitors.ValidationMonitor


class Model:
    """An estimator that gives these metrics one after the other."""

    model_dir = "somewhere"

    def __init__(self, *measured):
        self.measured, self.given = [*measured], []

    def evaluate(self, **given):
        self.given.append(given)
        return self.measured.pop(0)


class Training:
    """A training that a monitor sees; each step leaves a checkpoint unless it is told not to."""

    def __init__(self, monkeypatch, monitor, model=None):
        self.step, self.now, self.checkpoint, self.stopped = 0, 1000.0, None, False
        self.monitor = monitor
        if model is not None:
            monitor.set_estimator(model)
        monkeypatch.setattr(monitors, "time", types.SimpleNamespace(time=lambda: self.now))
        monkeypatch.setattr(monitors._train, "latest_checkpoint", self.latest)

    def latest(self, folder):
        assert folder == "somewhere"
        return self.checkpoint

    def request_stop(self):
        self.stopped = True

    def run(self, step):
        assert step is self.monitor._step
        return self.step

    def to(self, step, seen=None, checkpoint=True):
        """Steps on; a step itself may have seen an earlier number."""
        self.step = step
        self.checkpoint = f"ckpt-{step}" if checkpoint else self.checkpoint
        seen = types.SimpleNamespace(results=step if seen is None else seen)
        context = types.SimpleNamespace(session=self, request_stop=self.request_stop)
        self.monitor.after_run(context, seen)
        return self.stopped


def monitor(**given):
    made = ValidationMonitor(x="x", check_interval_secs=None, **given)
    with tf.Graph().as_default():
        step = tf.train.create_global_step()
        made.begin()
        assert made.before_run(None).fetches is step
    return made


def test_what_it_evaluates_with(monkeypatch):
    given = ValidationMonitor("x", "y", "input", 3, 4, 1, "metrics", "hooks", name="name")
    model = Model({"loss": 1.0})
    given._step = None
    Training(monkeypatch, given, model).to(1)
    words = ["x=x", "y=y", "input_fn=input", "metrics=metrics", "hooks=hooks", "name=name"]
    plain = dict(each.split("=") for each in words)
    assert model.given == [{**plain, "batch_size": 3, "steps": 4}]
    with pytest.raises(ValueError, match="Either x or input_fn should be provided"):
        ValidationMonitor()
    assert ValidationMonitor(input_fn="input").early_stopped is False


def test_it_looks_every_so_many_steps(monkeypatch):
    model = Model(*[{"loss": 1.0}] * 3)
    training = Training(monkeypatch, monitor(every_n_steps=10), model)
    seen = []
    for step in (8, 9, 10, 19, 20, 27, 30):
        training.to(step)
        seen.append(len(model.given))
    assert seen == [0, 0, 1, 1, 2, 2, 3]


def test_a_step_may_have_seen_the_number_before_it(monkeypatch):
    model = Model(*[{"loss": 1.0}] * 3)
    training = Training(monkeypatch, monitor(every_n_steps=10), model)
    training.to(10, seen=8)
    assert model.given == []
    training.to(10, seen=9)
    assert len(model.given) == 1
    training.to(19, seen=19)
    assert len(model.given) == 1


def test_a_checkpoint_is_evaluated_once(monkeypatch):
    model = Model(*[{"loss": 1.0}] * 3)
    training = Training(monkeypatch, monitor(every_n_steps=1), model)
    training.to(1, checkpoint=False)
    assert model.given == []
    training.to(2)
    training.to(3, checkpoint=False)
    assert len(model.given) == 1
    training.to(4)
    assert len(model.given) == 2


@pytest.mark.parametrize(
    ("given", "counts"), [({}, [1, 1, 2]), ({"check_interval_secs": 9}, [1, 1, 1])]
)
def test_some_seconds_lie_between_two_looks(given, counts, monkeypatch):
    made = ValidationMonitor(x="x", every_n_steps=1, **given)
    made._step = None
    model = Model(*[{"loss": 1.0}] * 3)
    training = Training(monkeypatch, made, model)
    seen = []
    for step, seconds in ((1, 0.0), (2, 5.0), (3, 0.5)):
        training.now += seconds
        training.to(step)
        seen.append(len(model.given))
    assert seen == counts
    assert not training.stopped


@pytest.mark.parametrize(
    ("given", "values", "stops", "best"),
    [
        ({}, [3.0, 2.0, 2.0, 2.5], [False, False, False, True], (20, 2.0)),
        ({}, [3.0, 4.0, 2.0, 1.0], [False, False, False, False], (40, 1.0)),
        (
            {"early_stopping_metric": "accuracy", "early_stopping_metric_minimize": False},
            [1.0, 2.0, 2.0, 1.0],
            [False, False, False, True],
            (20, 2.0),
        ),
    ],
)
def test_it_ends_a_training_that_gets_no_better(given, values, stops, best, monkeypatch):
    name = given.get("early_stopping_metric", "loss")
    model = Model(*({name: value, "more": [1]} for value in values))
    made = monitor(every_n_steps=10, early_stopping_rounds=20, **given)
    training = Training(monkeypatch, made, model)
    assert [training.to(10 * number) for number in range(1, 5)] == stops
    assert made.early_stopped == stops[-1]
    assert (made.best_step, made.best_value) == best
    assert made.best_metrics == {name: best[1], "more": [1]}


def test_without_rounds_it_ends_nothing(monkeypatch):
    model = Model({"loss": 1.0}, {"loss": 2.0})
    made = monitor(every_n_steps=100)
    training = Training(monkeypatch, made, model)
    assert not any(training.to(step) for step in (100, 10_000))
    assert made.best_value is None


def test_what_is_missing_is_told(monkeypatch):
    made = monitor(every_n_steps=1, early_stopping_rounds=1)
    with pytest.raises(ValueError, match="Missing call to set_estimator"):
        Training(monkeypatch, made).to(1)
    with pytest.raises(ValueError, match=r"Metric loss missing from outputs \{'other'\}"):
        Training(monkeypatch, made, Model({"other": 1.0})).to(2)
