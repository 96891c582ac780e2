"""`tf.contrib.learn`: the estimator, beyond what the goldens of 1.15.5 hold (`tests/golden`)."""

import importlib
import inspect
import itertools

import numpy as np
import pytest

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow

learn = tf.contrib.learn
X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
Y = X @ [1.0, 2.0]


def linear(features, labels, mode):
    weight = tf.get_variable("weight", [2], initializer=tf.zeros_initializer())
    predicted = tf.reduce_sum(features * weight, 1)
    loss = tf.losses.mean_squared_error(labels, predicted) if labels is not None else None
    step = tf.train.get_global_step()
    op = tf.train.GradientDescentOptimizer(0.3).minimize(loss, step) if mode == "train" else None
    return predicted, loss, op


@pytest.fixture
def fitted(tmp_path):
    return learn.Estimator(linear, str(tmp_path)).fit(X, Y, steps=80)


def test_arrays_are_learnt_evaluated_and_predicted(fitted):
    got = fitted.predict(X, as_iterable=False)
    np.testing.assert_allclose(got, Y, atol=0.05)
    assert [float(round(each)) for each in fitted.predict(X, batch_size=3)] == Y.tolist()
    metrics = {"mae": learn.MetricSpec(tf.metrics.mean_absolute_error)}
    values = fitted.evaluate(X, Y, batch_size=2, metrics=metrics)
    assert values["global_step"] == 80
    assert values["loss"] < 0.01
    assert values["mae"] < 0.05


def test_a_fit_goes_on_and_writes_its_summaries(fitted, tmp_path):
    # Read in between: TensorFlow names an event file by the second, and two fits may share one.
    assert 1 in steps_of_summaries(tmp_path)
    fitted.partial_fit(X, Y)
    assert fitted.get_variable_value("global_step") == 81
    assert 81 in steps_of_summaries(tmp_path)


def steps_of_summaries(folder):
    events = [e for path in folder.glob("events*") for e in tf.train.summary_iterator(str(path))]
    return {event.step for event in events if event.summary.value}


def test_as_scikit_learn_has_it(tmp_path):
    model = learn.SKCompat(learn.Estimator(linear, str(tmp_path)))
    model.fit(X, Y, steps=80)
    np.testing.assert_allclose(model.predict(X), Y, atol=0.05)
    assert model.score(X, Y)["loss"] < 0.01


def test_an_experiment_evaluates_in_between(tmp_path, caplog):
    inputs = lambda: (tf.constant(X, tf.float32), tf.constant(Y, tf.float32))  # noqa: E731
    seen = []

    class Counted(learn.Experiment):
        def evaluate(self, *args, **kwargs):
            result = super().evaluate(*args, **kwargs)
            seen.append(int(result["global_step"]))
            return result

    def make(run_config, hparams):
        model = learn.Estimator(linear, config=run_config)
        return Counted(
            model, inputs, inputs, train_steps=hparams, eval_steps=1, min_eval_frequency=4
        )

    config = learn.RunConfig(model_dir=str(tmp_path))
    learn.learn_runner.run(make, run_config=config, hparams=10)
    assert seen == [4, 8, 10]
    told = [text for text in caplog.messages if text.startswith("Experiment(")]
    assert len(told) == 1
    assert told[0].startswith("Experiment(min_eval_frequency=4): after each evaluation the train")


def test_what_is_refused(tmp_path, fitted):
    with pytest.raises(learn.NotFittedError, match="Couldn't find trained model"):
        learn.Estimator(linear, str(tmp_path / "none")).predict(X)
    for wrong in ({}, {"x": X, "input_fn": list}):
        with pytest.raises(ValueError, match="Exactly one of x and input_fn"):
            fitted.fit(steps=1, **wrong)
    with pytest.raises(ValueError, match="both steps and max_steps"):
        fitted.fit(X, Y, steps=1, max_steps=2)
    with pytest.raises(ValueError, match="does not take params"):
        learn.Estimator(linear, params={"a": 1})
    for mode, missing in (("train", "train_op"), ("eval", "loss"), ("infer", "predictions")):
        with pytest.raises(ValueError, match=f"Missing {missing}"):
            learn.ModelFnOps(mode)
    with pytest.raises(ValueError, match="non-existent member"):
        learn.learn_runner.run(lambda output_dir: None, "there", "train")


def test_a_metric_names_what_it_measures():
    spec = learn.MetricSpec(lambda p, y, weights=None: (p, y, weights), "a", None, "w")
    assert spec.create_metric_ops({"w": 3}, 2, {"a": 1, "b": 5}) == (1, 2, 3)
    with pytest.raises(ValueError, match="has no 'a'"):
        spec.create_metric_ops({"w": 3}, 2, {"b": 1})
    with pytest.raises(ValueError, match="a key is needed"):
        learn.MetricSpec(lambda p, y: p).create_metric_ops({}, 2, {"a": 1, "b": 5})


def test_the_old_addresses():
    from tfqueue.v1.contrib.learn.python.learn import learn_runner, metric_spec
    from tfqueue.v1.contrib.learn.python.learn.estimators import model_fn, run_config

    assert learn_runner.run is learn.learn_runner.run
    assert metric_spec.MetricSpec is learn.MetricSpec
    assert model_fn.ModelFnOps is learn.ModelFnOps
    assert run_config.RunConfig is learn.RunConfig
    assert list(inspect.signature(learn.Estimator.fit).parameters)[1:4] == ["x", "y", "input_fn"]


def test_the_addresses_of_exports():
    from tfqueue.v1.contrib.learn.python.learn.utils import (
        input_fn_utils as older,
    )
    from tfqueue.v1.contrib.learn.python.learn.utils import saved_model_export_utils
    from tfqueue.v1.contrib.learn.utils import input_fn_utils
    from tfqueue.v1.estimator.export import ServingInputReceiver
    from tfqueue.v1.estimator.inputs import numpy_input_fn

    assert ServingInputReceiver is tf.estimator.export.ServingInputReceiver
    assert numpy_input_fn is tf.estimator.inputs.numpy_input_fn
    assert input_fn_utils.InputFnOps is older.InputFnOps is learn.InputFnOps
    assert learn.utils.make_export_strategy is saved_model_export_utils.make_export_strategy
    with pytest.raises(NotImplementedError, match="session bundle"):
        learn.Estimator(linear).export("where")
    with pytest.raises(ModuleNotFoundError, match="export_savedmodel of the estimator"):
        importlib.import_module("tfqueue.v1.contrib.learn.python.learn.utils.export")


def test_a_predictor_of_an_experiment_s_export(fitted, tmp_path):
    def serving():
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        return learn.InputFnOps({"x": x}, None, {"x": x})

    def of_a_dict(features, labels, mode):
        y = tf.reduce_sum(features["x"] * tf.get_variable("weight", [2]), 1)
        heads = {"head": (learn.ProblemType.UNSPECIFIED, {"y": y})}
        return learn.ModelFnOps(mode, y, output_alternatives=heads)

    made = learn.Estimator(of_a_dict, fitted.model_dir)
    folder = made.export_savedmodel(str(tmp_path / "exports"), serving)
    predictor = tf.contrib.predictor.from_saved_model(folder, "head")
    expected = X @ fitted.get_variable_value("weight")
    np.testing.assert_allclose(predictor({"x": X})["y"], expected, rtol=1e-5)
    with pytest.raises(ValueError, match="Available signatures are"):
        tf.contrib.predictor.from_saved_model(folder, "z")


class Column:
    """A `Series` of pandas, as far as it is read."""

    def to_numpy(self):
        return np.arange(100)


class Frame(dict):
    """A `DataFrame`, as far as it is read."""

    columns = property(list)


@pytest.mark.parametrize(("words", "in_order"), [({}, False), ({"shuffle": False}, True)])
@pytest.mark.parametrize("name", ["numpy_input_fn", "pandas_input_fn"])
def test_the_input_functions_of_old_shuffle_unless_told_not_to(name, words, in_order):
    given = {"numpy_input_fn": {"x": np.arange(100)}, "pandas_input_fn": Frame(x=Column())}[name]
    features = getattr(learn.io, name)(given, batch_size=100, **words)()
    with tf.train.MonitoredSession() as sess:
        got = sess.run(features["x"]).tolist()
    assert sorted(got) == list(range(100))
    assert (got == sorted(got)) is in_order


def test_the_addresses_of_input_functions():
    from tfqueue.v1.contrib.learn.python.learn.learn_io import numpy_io, pandas_io

    assert numpy_io.numpy_input_fn is learn.io.numpy_input_fn
    assert pandas_io.pandas_input_fn is learn.pandas_input_fn is learn.io.pandas_input_fn


@pytest.mark.parametrize("names", [["a", "b"], ["a"]])
def test_labels_in_a_dict_are_one_tensor(names, tmp_path):
    """1.15.5 raises `KeyError: None` for both; a dict of one can only mean that one."""
    made = learn.LinearClassifier([tf.contrib.layers.real_valued_column("x")], str(tmp_path))

    def given():
        return {"x": tf.constant([[1.0], [2.0]])}, dict.fromkeys(names, tf.constant([0, 1]))

    if len(names) > 1:
        with pytest.raises(ValueError, match=r"labels has to be one tensor, not \['a', 'b'\]"):
            made.fit(input_fn=given, steps=1)
    else:
        assert made.fit(input_fn=given, steps=1).get_variable_value("global_step") == 1


def test_the_predictions_by_name_of_one_batch_where_no_queue_is_filled(tmp_path):
    made = learn.LinearClassifier([tf.contrib.layers.real_valued_column("x")], str(tmp_path))

    def given():
        return {"x": tf.constant([[1.0], [2.0]])}, tf.constant([0, 1])

    made.fit(input_fn=given, steps=1)
    found = made.predict(input_fn=given, outputs=["classes", "probabilities"])
    rows = list(itertools.islice(found, 5))
    assert [sorted(row) for row in rows] == [["classes", "probabilities"]] * 2
    assert [row["probabilities"].shape for row in rows] == [(2,)] * 2


def test_models_are_names_of_the_module_estimators():
    # up to 0.12 `tf.contrib.learn.estimators`, then at its inner path alone
    inner = importlib.import_module("tfqueue.v1.contrib.learn.python.learn.estimators")
    assert inner.DNNClassifier is tf.contrib.learn.DNNClassifier
    estimators = tf.contrib.learn.estimators
    for name in ("DNNClassifier", "LinearRegressor", "Estimator", "ProblemType"):
        assert getattr(estimators, name) is getattr(tf.contrib.learn, name)
    assert estimators.dnn.DNNRegressor is tf.contrib.learn.DNNRegressor
    assert estimators.run_config.RunConfig is tf.contrib.learn.RunConfig
    with pytest.raises(AttributeError, match="SVM is gone"):
        _ = estimators.SVM
