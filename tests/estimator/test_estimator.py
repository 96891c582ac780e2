"""`tf.estimator`: what TensorFlow 1.15.5 printed for the same calls."""

import functools
import logging
import os
import pathlib

import numpy as np
import pytest
from tensorflow.python.training import training_util

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow

X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]])
Y = X @ [1.0, 2.0]
close = functools.partial(np.testing.assert_allclose, rtol=1e-5)


def model_fn(features, labels, mode, params):
    weight = tf.get_variable("weight", [2], initializer=tf.zeros_initializer())
    y = tf.reduce_sum(tf.cast(features["x"], tf.float32) * weight, 1)
    predictions = {"y": y, "twice": 2 * y}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions=predictions)
    labels = tf.cast(labels, tf.float32)
    loss = tf.losses.mean_squared_error(labels, y)
    optimizer = tf.train.GradientDescentOptimizer(params["rate"])
    return tf.estimator.EstimatorSpec(
        mode,
        predictions,
        loss,
        optimizer.minimize(loss, tf.train.get_global_step()),
        eval_metric_ops={"mae": tf.metrics.mean_absolute_error(labels, y)},
    )


def arrays(**kwargs):
    return tf.estimator.inputs.numpy_input_fn({"x": X}, Y, shuffle=False, **kwargs)


def dataset():
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat(3).batch(3)


def endless():
    return dataset().repeat()


def estimator(folder, **kwargs):
    return tf.estimator.Estimator(model_fn, str(folder), params={"rate": 0.1}, **kwargs)


@pytest.fixture
def trained(tmp_path):
    model = estimator(tmp_path).train(arrays(batch_size=2, num_epochs=2))
    close(model.get_variable_value("weight"), [1.3564000129699707, 1.1333000659942627])
    assert model.get_variable_value("global_step") == 4
    return model.train(dataset, steps=3).train(dataset, max_steps=5)


class Lines(logging.Handler):
    """The lines of a log."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


@pytest.fixture
def told():
    """What TensorFlow's logger writes."""
    logger, handler = logging.getLogger("tensorflow"), Lines()
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield handler.lines
    logger.removeHandler(handler)
    logger.setLevel(level)


def test_a_training_and_an_evaluation_tell_their_loss(tmp_path, told):
    model = estimator(tmp_path).train(endless, steps=60)
    loss = [line for line in told if line.startswith("loss = ")]
    assert loss == ["loss = 4.6666665, step = 1"]
    assert told[:2] == ["Calling model_fn.", "Done calling model_fn."]
    assert told[-1].startswith("Loss for final step: ")
    assert not [line for line in told if "global step" in line]  # each step is seen to be new
    told.clear()
    model.train(endless, max_steps=60)
    assert told == ["Skipping training since max_steps has already saved."]
    found = model.evaluate(arrays(batch_size=2, num_epochs=1), steps=2)
    assert list(found) == ["loss", "mae", "global_step"]
    assert [line for line in told if line.startswith("Eval")] == [
        "Evaluation [1/2]",
        "Evaluation [2/2]",
    ]
    said = told[-1].removeprefix("Saving dict for global step 60: ")
    names, values = zip(*(part.split(" = ") for part in said.split(", ")), strict=True)
    assert names == ("global_step", "loss", "mae")
    close([float(value) for value in values], [60, 0.00028992043, 0.01490742], rtol=1e-3)


def test_a_model_without_a_folder_tells_it(told):
    folder = estimator("").model_dir
    assert told == [f"Using temporary folder as model directory: {folder}"]


def test_a_loss_that_the_model_shows_is_not_shown_twice(tmp_path):
    def shown(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        tf.summary.scalar("loss", spec.loss)
        return spec

    tf.estimator.Estimator(shown, str(tmp_path), params={"rate": 0.1}).train(endless, steps=2)
    (file,) = tmp_path.glob("events*")
    tags = {v.tag for event in tf.train.summary_iterator(str(file)) for v in event.summary.value}
    assert [tag for tag in tags if tag.startswith("loss")] == ["loss"]


def recurrent_model_fn(features, labels, mode, params):
    first = tf.get_variable("first", [2], initializer=tf.ones_initializer())
    weight = tf.get_variable("weight", [2], initializer=tf.ones_initializer())

    def following(i, y):
        return i + 1, tf.tanh(y * weight + features["x"])

    _, y = tf.while_loop(lambda i, y: i < 3, following, [0, features["x"] * first])
    loss = tf.reduce_mean(tf.square(tf.reduce_sum(y, 1) - labels))
    step, optimizer = tf.train.get_global_step(), tf.train.GradientDescentOptimizer(0.1)
    with tf.control_dependencies([tf.assign(step, step)]):
        training_util._get_or_create_global_step_read()  # as a hook that the model makes
    if params["adds"] is None:
        train = optimizer.minimize(loss, step)
    else:
        train = tf.group(optimizer.minimize(loss), params["adds"](step))
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


class StepsRead(tf.train.SessionRunHook):
    """The global step as hooks read it."""

    def begin(self):
        self.read, self.steps = training_util._get_or_create_global_step_read(), []

    def before_run(self, run_context):
        return tf.train.SessionRunArgs(self.read)

    def after_run(self, run_context, run_values):
        self.steps.append(int(run_values.results))


@pytest.mark.parametrize(
    "adds",
    [None, lambda step: tf.assign_add(step, 1), lambda step: tf.assign(step, step + 1)],
)
def test_what_a_loop_begins_with_is_trained(tmp_path, adds):
    """And hooks read the step before it changes. 1.15.5 gave these numbers, in any order of the two."""

    def input_fn():
        features = {"x": tf.constant([[0.5, 1.0], [1.0, -0.5]])}
        return tf.data.Dataset.from_tensors((features, tf.constant([1.0, 0.0]))).repeat()

    model = tf.estimator.Estimator(recurrent_model_fn, str(tmp_path), params={"adds": adds})
    hook = StepsRead()
    model.train(input_fn, steps=5, hooks=[hook])
    close(model.get_variable_value("weight"), [0.8787632584571838, 0.9783065915107727])
    close(model.get_variable_value("first"), [0.9940603375434875, 1.0004135370254517])
    assert hook.steps == [0, 1, 2, 3, 4]


def test_a_training_goes_on(trained, tmp_path):
    close(trained.get_variable_value("weight"), [1.3759335279464722, 1.3540736436843872])
    assert trained.get_variable_value("global_step") == 7, "max_steps was passed already"
    assert sorted(trained.get_variable_names()) == ["global_step", "weight"]
    assert trained.latest_checkpoint() == str(tmp_path / "model.ckpt-7")
    assert trained.config.model_dir == str(tmp_path)


def test_it_is_evaluated(trained, tmp_path):
    values = trained.evaluate(arrays(batch_size=3))
    close(values["loss"], 0.11085222661495209)
    close(values["mae"], 0.34944838285446167)
    assert values["global_step"] == 7
    values = trained.evaluate(dataset, steps=2, name="two")
    close([values["loss"], values["mae"]], [0.20020222663879395, 0.40327557921409607])
    assert sorted(path.name for path in tmp_path.glob("eval*")) == ["eval", "eval_two"]


def test_it_predicts(trained):
    inputs = tf.estimator.inputs.numpy_input_fn({"x": X}, batch_size=3, shuffle=False)
    rows = list(trained.predict(inputs))
    close([row["y"] for row in rows], [1.3540736, 1.3759335, 2.7300072, 4.1059408])
    close([row["twice"] for row in rows], [2.7081473, 2.7518671, 5.4600143, 8.2118816])
    assert [sorted(row) for row in trained.predict(dataset, predict_keys=["y"])] == [["y"]] * 12
    batches = trained.predict(dataset, yield_single_examples=False)
    assert [len(batch["y"]) for batch in batches] == [3] * 4
    with pytest.raises(ValueError, match="Expected to run at least one output"):
        list(trained.predict(dataset, predict_keys=["none"]))


def test_train_and_evaluate(tmp_path):
    values, exports = tf.estimator.train_and_evaluate(
        estimator(tmp_path),
        tf.estimator.TrainSpec(endless, max_steps=7),
        tf.estimator.EvalSpec(dataset, steps=None),
    )
    close([values["loss"], values["mae"]], [0.15729738771915436, 0.33398887515068054])
    assert (values["global_step"], exports) == (7, [])


def test_listeners_are_told_of_each_checkpoint(tmp_path):
    saved = []

    class Listener(tf.train.CheckpointSaverListener):
        def after_save(self, session, global_step_value):
            saved.append(int(global_step_value))

    config = tf.estimator.RunConfig(save_checkpoints_steps=2)
    estimator(tmp_path, config=config).train(endless, steps=5, saving_listeners=[Listener()])
    assert saved == [0, 2, 4, 5]


def test_a_warm_start(trained, tmp_path):
    model = tf.estimator.Estimator(
        model_fn, str(tmp_path / "warm"), params={"rate": 0.0}, warm_start_from=str(tmp_path)
    )
    model.train(dataset, steps=1)
    close(model.get_variable_value("weight"), [1.3759335279464722, 1.3540736436843872])
    assert model.get_variable_value("global_step") == 1


def test_hooks_of_a_spec_run(tmp_path):
    ran = []

    class Hook(tf.train.SessionRunHook):
        def __init__(self, name):
            self.name = name

        def begin(self):
            ran.append(self.name)

    def with_hooks(features, labels, mode, params):
        spec = model_fn(features, labels, mode, params)
        return spec._replace(
            training_hooks=[Hook("train")],
            evaluation_hooks=[Hook("eval")],
            prediction_hooks=[Hook("infer")],
        )

    model = tf.estimator.Estimator(with_hooks, str(tmp_path), params={"rate": 0.1})
    model.train(dataset, [Hook("mine")], steps=1)
    model.evaluate(dataset, steps=1)
    next(model.predict(dataset))
    assert sorted(ran[:2]) == ["mine", "train"]
    assert ran[2:] == ["eval", "infer"]


def test_frames_are_arrays_by_column():
    class Frame(dict):
        columns = property(list)

    class Column:
        def __init__(self, values):
            self.to_numpy = lambda: np.array(values)

    frame = Frame(a=Column([1, 2, 3]), b=Column(["x", "y", "z"]))
    inputs = tf.estimator.inputs.pandas_input_fn(frame, Column([1.5, 2.5, 3.5]), 2, shuffle=False)
    with tf.Graph().as_default():
        features, labels = inputs()
        with tf.train.MonitoredSession() as sess:
            got = [sess.run([features["a"], features["b"], labels]) for _ in range(2)]
    assert [column.tolist() for column in got[1]] == [[3], [b"z"], [3.5]]
    assert got[0][2].dtype == np.float64


def nothing(features):
    return None


REFUSED = {
    "Missing train_op": lambda: tf.estimator.EstimatorSpec("train", 1, 1),
    "Missing loss": lambda: tf.estimator.EstimatorSpec("eval"),
    "Missing predictions": lambda: tf.estimator.EstimatorSpec("infer"),
    "cannot be both set": lambda: tf.estimator.RunConfig(
        save_checkpoints_steps=1, save_checkpoints_secs=1
    ),
    "does not take params": lambda: tf.estimator.Estimator(nothing, params={"a": 1}),
    "does not take labels": lambda: tf.estimator.Estimator(nothing).train(dataset),
    "should return an EstimatorSpec": lambda: tf.estimator.Estimator(nothing).train(lambda: 1),
    "as a len 2 tuple": lambda: tf.estimator.Estimator(nothing).train(lambda: (1, 2, 3)),
    "both steps and max_steps": lambda: tf.estimator.Estimator(nothing).train(dataset, None, 1, 1),
    "Couldn't find trained model": lambda: tf.estimator.Estimator(nothing).evaluate(dataset),
    "explicitly set as boolean": lambda: tf.estimator.inputs.numpy_input_fn(X),
    "is mismatched": lambda: tf.estimator.inputs.numpy_input_fn(X, Y[:2], shuffle=True),
    "`export_strategies` must be": lambda: tf.contrib.learn.Experiment(
        tf.contrib.learn.Estimator(nothing), dataset, dataset, export_strategies=[1]
    ),
    "An input_receiver_fn must": lambda: tf.estimator.Estimator(nothing).export_saved_model(
        "", None
    ),
    "compare_fn must take": lambda: tf.estimator.BestExporter(compare_fn=lambda best: True),
    "must be a positive number": lambda: tf.estimator.BestExporter(exports_to_keep=0),
}


REFUSED_OF_CANNED = {
    "features should be a dictionary": (lambda: (X[:, 0], Y), {}),
    "must provide a labels": (lambda: {"x": tf.constant(X)}, {}),
    "last dimension must be equal": (lambda: ({"x": tf.constant(X)}, tf.constant(X)), {}),
    "Unsupported optimizer name: Nadam": (None, {"optimizer": "Nadam"}),
    "n_classes must be >= 2": (None, {"n_classes": 1}),
    "Labels dtype should be integer": (
        lambda: ({"x": tf.constant(X)}, tf.constant(Y)),
        {"n_classes": 3},
    ),
    "Either linear_feature_columns": (None, {"feature_columns": []}),
    "hidden_units must be defined": (None, {"hidden_units": []}),
}


@pytest.mark.parametrize("sentence", REFUSED_OF_CANNED)
def test_what_a_canned_estimator_refuses(sentence):
    inputs, given = REFUSED_OF_CANNED[sentence]
    columns = [tf.feature_column.numeric_column("x", [2])]
    inputs = inputs or (lambda: ({"x": tf.constant(X)}, tf.constant([0, 1, 0, 1])))
    with pytest.raises(ValueError, match=sentence):
        tf.estimator.DNNClassifier(
            **{"hidden_units": [2], "feature_columns": columns, **given}
        ).train(inputs, steps=1)


def test_labels_of_two_classes_may_be_bool():
    columns = [tf.feature_column.numeric_column("x", [2])]
    x = np.array([[0, 1], [1, 0], [1, 1], [0, 0]], np.float32)

    def inputs():
        return {"x": tf.constant(x)}, tf.constant([True, False, True, False])

    estimator = tf.estimator.LinearClassifier(columns)
    estimator.train(inputs, steps=3)
    found = estimator.evaluate(inputs, steps=1)
    close(found["loss"], 2.3706417083740234)
    close(found["prediction/mean"], 0.5195326805114746)
    assert (found["label/mean"], found["precision"], found["recall"]) == (0.5, 1.0, 1.0)


@pytest.mark.parametrize("label", [2, -1])
def test_a_label_is_one_of_the_classes(label):
    columns = [tf.feature_column.numeric_column("x", [2])]
    inputs = tf.estimator.inputs.numpy_input_fn({"x": X}, np.array([0, 1, 1, label]), shuffle=False)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Labels must be"):
        tf.estimator.LinearClassifier(columns).train(inputs, steps=1)


def test_a_canned_estimator_learns_and_begins_with_another(tmp_path):
    columns = [tf.feature_column.numeric_column("x", [2])]

    def made(folder, **kwargs):
        return tf.estimator.DNNClassifier(
            [8],
            columns,
            str(folder),
            optimizer=lambda: tf.train.AdamOptimizer(0.1),
            activation_fn=tf.tanh,
            dropout=0.01,
            config=tf.estimator.RunConfig(tf_random_seed=1),
            **kwargs,
        )

    labels = np.array([0, 0, 1, 1])
    inputs = tf.estimator.inputs.numpy_input_fn(
        {"x": X}, labels, batch_size=4, num_epochs=100, shuffle=True
    )
    first = made(tmp_path / "a").train(inputs)
    assert first.evaluate(inputs, steps=1)["accuracy"] == 1.0
    once = tf.estimator.inputs.numpy_input_fn({"x": X}, shuffle=False)
    assert [int(row["class_ids"][0]) for row in first.predict(once)] == labels.tolist()
    name = "dnn/hiddenlayer_0/kernel"
    second = made(tmp_path / "b", warm_start_from=str(tmp_path / "a")).train(inputs, steps=1)
    np.testing.assert_allclose(
        second.get_variable_value(name), first.get_variable_value(name), atol=0.3
    )


@pytest.mark.parametrize("sentence", REFUSED)
def test_what_is_refused(sentence):
    with pytest.raises(ValueError, match=sentence):
        REFUSED[sentence]()


def test_a_dataset_may_look_into_a_table(tmp_path):
    def inputs():
        table = tf.contrib.lookup.index_table_from_tensor(["a", "b"])
        words = tf.data.Dataset.from_tensor_slices(["a", "b", "b", "a"])
        index = words.map(lambda word: tf.cast(table.lookup(word), tf.float64))
        return index.map(lambda i: ({"x": tf.stack([i, i])}, i)).batch(2).prefetch(2)

    model = estimator(tmp_path).train(inputs, steps=2)
    assert model.evaluate(inputs)["global_step"] == 2
    assert len(list(model.predict(inputs))) == 4


def test_an_export_that_fails_leaves_nothing_and_says_which_variable_is_missing(trained, tmp_path):
    def larger(features, labels, mode, params):
        tf.get_variable("another", [])
        return model_fn(features, labels, mode, params)

    def receive():
        fed = {"x": tf.placeholder(tf.float64, [None, 2])}
        return tf.estimator.export.ServingInputReceiver(fed, fed)

    where = tmp_path / "exports"
    model = tf.estimator.Estimator(larger, trained.model_dir, params={"rate": 0.1})
    with pytest.raises(ValueError, match="Could not load all requested variables"):
        model.export_savedmodel(str(where), receive)
    assert list(where.iterdir()) == []
    trained.export_savedmodel(str(where), receive)
    assert len(list(where.iterdir())) == 1


def test_an_export_goes_behind_all_others_though_the_clock_is_behind_them(trained, tmp_path):
    receive = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float64, [None, 2])}
    )
    (tmp_path / "exports" / "9000000000").mkdir(parents=True)
    folder = trained.export_savedmodel(str(tmp_path / "exports"), receive)
    assert folder.endswith(b"/9000000001")


def test_an_export_is_a_binary_file_unless_text_is_asked_for(trained, tmp_path):
    receive = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float64, [None, 2])}
    )
    for more, name in (({}, "saved_model.pb"), ({"as_text": True}, "saved_model.pbtxt")):
        for export in (trained.export_savedmodel, trained.export_saved_model):
            folder = pathlib.Path(os.fsdecode(export(str(tmp_path / "exports"), receive, **more)))
            assert [path.name for path in folder.glob("saved_model*")] == [name]


def test_the_best_of_the_evaluations_before_counts(trained, tmp_path):
    receive = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float64, [None, 2])}
    )
    best = tf.estimator.BestExporter("best", receive)
    loss = float(trained.evaluate(arrays())["loss"])
    where, checkpoint = str(tmp_path / "exports"), trained.latest_checkpoint()
    exported = [
        best.export(trained, where, checkpoint, {"loss": each}, False) is not None
        for each in (2 * loss, loss / 2, loss / 2, loss / 4)
    ]
    assert exported == [False, True, False, True]


def test_an_experiment_of_a_core_estimator_takes_no_metrics(tmp_path):
    experiment = tf.contrib.learn.Experiment(
        estimator(tmp_path), dataset, dataset, {"a": None}, train_steps=1
    )
    with pytest.raises(ValueError, match="`eval_metrics` must be `None`"):
        experiment.test()


def test_an_experiment_fits_what_is_none_of_tf_estimator():
    """Whatever other methods it has, as in TensorFlow 1."""
    learn, called = tf.contrib.learn, []

    class Own(learn.Estimator):
        def train(self, *_):
            called.append("train")

        def fit(self, **given):
            called.append(("fit", given["max_steps"]))

    learn.Experiment(Own(), dataset, dataset, train_steps=3).train()
    assert called == [("fit", 3)]


def test_a_model_function_gets_its_arguments_by_name(tmp_path):
    def other_order(mode, features, labels):
        return model_fn(features, labels, mode, {"rate": 0.1})

    made = tf.estimator.Estimator(other_order, str(tmp_path)).train(dataset, steps=1)
    assert made.evaluate(dataset, steps=1)["global_step"] == 1


def test_what_an_experiment_exports_can_be_changed(tmp_path):
    learn = tf.contrib.learn
    strategy = learn.ExportStrategy("a", lambda estimator, folder: folder)
    experiment = learn.Experiment(
        estimator(tmp_path), dataset, dataset, train_steps=1, export_strategies=strategy
    )
    assert experiment.reset_export_strategies() == (strategy,)
    assert experiment.train_and_evaluate()[1] == []
    wrong = learn.ExportStrategy("a", lambda estimator, folder, eval_result: folder)
    with pytest.raises(ValueError, match="must also take checkpoint_path"):
        wrong.export(None, "")


class Kinds(tf.train.SessionRunHook):
    """Notes the types of the ops of a model."""

    def begin(self):
        self.found = {op.type for op in tf.get_default_graph().get_operations()}


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, {"Relu"}), ({"activation_fn": None}, set()), ({"activation_fn": tf.tanh}, {"Tanh"})],
)
@pytest.mark.parametrize("is_wide", [False, True])
def test_none_is_no_activation_and_not_the_default(tmp_path, given, expected, is_wide):
    columns = [tf.feature_column.numeric_column("x")]
    if is_wide:
        given = {f"dnn_{name}": value for name, value in given.items()}
        given.update(dnn_feature_columns=columns, dnn_hidden_units=[3], model_dir=str(tmp_path))
        made = tf.estimator.DNNLinearCombinedRegressor(**given)
    else:
        made = tf.estimator.DNNClassifier([3], columns, model_dir=str(tmp_path), **given)
    kinds = Kinds()
    made.train(
        lambda: ({"x": tf.constant([[1.0], [-2.0]])}, tf.constant([[0], [1]])),
        steps=1,
        hooks=[kinds],
    )
    assert kinds.found & {"Relu", "Tanh"} == expected
