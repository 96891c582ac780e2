"""Parts of `tf.estimator`, each called by itself.

`python parts.py > parts_115.json` with TensorFlow 1.15.5 records what they give; with names, that of some.
"""

import glob
import json
import os
import sys
import tempfile

import numpy as np

CASES = {}


def case(function):
    """Adds a function of `tf` and a new folder to the cases."""
    CASES[function.__name__] = function
    return function


def result(tf, name, folder):
    """What a case gives, as JSON has it."""
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        return json.loads(json.dumps(CASES[name](tf, folder), default=plain))


def plain(value):
    """A value of numpy or TensorFlow as JSON has it."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, (np.ndarray, np.generic)):
        listed = value.tolist()
        return json.loads(json.dumps(listed, default=plain))
    raise TypeError(type(value))


def raised(call):
    """The class of the error that a call ends in, or None."""
    try:
        call()
    except Exception as error:  # noqa: BLE001  (whatever it is, it is what is recorded)
        return type(error).__name__
    return None


def _spec(spec):
    return sorted((name, repr(feature)) for name, feature in spec.items())


@case
def parse_specs(tf, _folder):
    """What `tf.parse_example` takes for classifiers and regressors."""
    columns = [
        tf.feature_column.numeric_column("a", shape=(2,)),
        tf.feature_column.categorical_column_with_vocabulary_list("b", ["x", "y"]),
    ]
    classifier = tf.estimator.classifier_parse_example_spec
    regressor = tf.estimator.regressor_parse_example_spec
    weight = tf.feature_column.numeric_column("w", default_value=2.0)
    return {
        "classifier": _spec(classifier(columns, "l")),
        "classifier by position": _spec(classifier(columns, "l", tf.string, "none", "w")),
        "classifier with a column": _spec(classifier(columns, "l", weight_column=weight)),
        "regressor": _spec(regressor(columns, "l")),
        "regressor by position": _spec(regressor(columns, "l", tf.int64, 0, 3, "w")),
        "the label is a feature": raised(lambda: classifier(columns, "a")),
        "the weight is a feature": raised(lambda: regressor(columns, "l", weight_column="a")),
        "no numbers": raised(lambda: regressor(columns, "l", weight_column=columns[1])),
    }


def _told(receiver):
    def tensor(value):
        return [value.dtype.name, str(value.shape), value.op.name]

    return [
        {name: tensor(each[name]) for name in sorted(each)}
        if isinstance(each, dict)
        else tensor(each)
        for each in receiver
    ]


@case
def receivers(tf, _folder):
    """What is fed to a model that is exported to train."""
    build = tf.estimator.experimental.build_raw_supervised_input_receiver_fn
    a, b = tf.placeholder(tf.float32, [4, 2], "aa"), tf.placeholder(tf.int64, [4], "bb")
    found = {}
    for name, given in [
        ("tensors", (a, b)),
        ("dicts", ({"f": a, "g": b}, {"l": b})),
        ("a size", ({"f": a}, b, 5)),
    ]:
        with tf.Graph().as_default():
            found[name] = _told(build(*given)())
    found["one name twice"] = raised(lambda: build({"label": a}, b))
    return found


@case
def logits(tf, _folder):
    """A function to logits, given what it takes."""
    call = tf.estimator.experimental.call_logit_fn
    features = {"a": tf.constant(2.0)}

    def logit_fn(features, mode):
        return features["a"] * (2.0 if mode == "train" else 3.0)

    with tf.Session() as sess:
        values = [
            sess.run(call(logit_fn, features, mode, {}, None)).item() for mode in ("train", "eval")
        ]
    return {
        "values": values,
        "a list": raised(lambda: call(lambda features: [features["a"]], features, "eval", {}, 0)),
        "numbers as names": raised(
            lambda: call(lambda features: {1: features["a"]}, features, "eval", {}, 0)
        ),
    }


def _line(tf, folder, **given):
    """An estimator of a line, its input to train, and its input to evaluate, which counts its calls."""

    def model_fn(features, labels, mode):
        weight = tf.get_variable("w", [], initializer=tf.constant_initializer(1.0))
        made = features["x"] * weight
        loss = tf.reduce_mean(tf.square(made - labels))
        step = tf.train.get_global_step()
        train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss, step)
        metrics = {"m": tf.metrics.mean(made)}
        return tf.estimator.EstimatorSpec(mode, {"p": made}, loss, train_op, metrics, **given)

    def rows(count, batch, times):
        x = np.arange(count, dtype=np.float32)
        return tf.data.Dataset.from_tensor_slices(({"x": x}, x * 3)).batch(batch).repeat(times)

    calls = []

    def evaluated():
        calls.append(1)
        return rows(4, 2, 1)

    return tf.estimator.Estimator(model_fn, folder), lambda: rows(6, 3, 10), evaluated, calls


def _summaries(tf, folder):
    found = []
    for path in glob.glob(os.path.join(folder, "events*")):
        for event in tf.train.summary_iterator(path):
            values = sorted((each.tag, each.simple_value) for each in event.summary.value)
            if values:
                found.append([event.step, values])
    return sorted(found)


@case
def evaluation_in_memory(tf, folder):
    """Evaluations within a training, and a metric that is added."""
    estimator, trained, evaluated, calls = _line(tf, folder)
    hook = tf.estimator.experimental.InMemoryEvaluatorHook
    hooks = [
        hook(estimator, evaluated, name="often", every_n_iter=4),
        hook(estimator, evaluated, steps=1),
    ]
    estimator.train(trained, hooks, 10)
    added = tf.estimator.add_metrics(
        estimator, lambda predictions: {"top": tf.metrics.mean(tf.reduce_max(predictions["p"]))}
    )
    return {
        "often": _summaries(tf, estimator.eval_dir("often")),
        "rarely": _summaries(tf, estimator.eval_dir()),
        "calls": len(calls),
        "weight": estimator.get_variable_value("w"),
        "added": added.evaluate(evaluated),
        "never": raised(lambda: hook(estimator, evaluated, every_n_iter=0)),
        "other names": raised(lambda: tf.estimator.add_metrics(estimator, lambda q: {})),
    }


@case
def stop_at_a_checkpoint(tf, folder):
    """The hooks of a chief and of another machine."""
    make = tf.estimator.experimental.make_stop_at_checkpoint_step_hook
    estimator, trained, _, _ = _line(tf, folder)
    chief = make(estimator, 13)
    estimator.train(trained, [chief])

    class other:
        class config:
            is_chief = False

        model_dir = folder

    stops = []
    for step in (11, 12):
        with tf.Graph().as_default():
            initial = tf.assign(tf.train.create_global_step(), step)
            zero = tf.constant(0)
            scaffold = tf.train.Scaffold(init_op=initial)
            with tf.train.MonitoredSession(
                tf.train.ChiefSessionCreator(scaffold), [make(other, 13, 0)]
            ) as sess:
                sess.run(zero)
                stops.append(sess.should_stop())
    return {
        "kind": type(chief).__name__,
        "step": estimator.get_variable_value("global_step"),
        "stops": stops,
        "no step": raised(lambda: make(other, None)),
    }


# Of batches, iterations, features and cosines the result is recorded that came twice in eight runs (of
# batches: one of those that came): what a step of 1.15 reads and writes of its variables has no order.
_POINTS = np.sin(np.arange(40) ** 2).reshape(20, 2).astype(np.float32)


def _clusters(tf, folder, repeat, batch, **given):
    """What a model of clusters learns, and what it says of the points."""
    config = tf.estimator.RunConfig(
        tf_random_seed=given.pop("graph_seed", None), save_summary_steps=1
    )
    made = tf.estimator.experimental.KMeans(3, folder, config=config, **given)

    def points(times=1, size=20):
        return tf.data.Dataset.from_tensor_slices(_POINTS).repeat(times).batch(size)

    made.train(lambda: points(repeat, batch))
    others = [name for name in sorted(made.get_variable_names()) if name != "clusters"]
    return {
        "centers": made.cluster_centers(),
        "variables": [[name, made.get_variable_value(name)] for name in others],
        "score": float(made.score(points)),
        "evaluated": sorted(made.evaluate(points)),
        "indices": [int(each) for each in made.predict_cluster_index(points)],
        "distances": list(made.transform(points))[:3],
        "predicted": sorted(next(made.predict(points))),
        "losses": [
            [step, [pair for pair in values if pair[0] in ("loss/raw", "loss")]]
            for step, values in _summaries(tf, folder)
        ],
    }


_FIRST = [[0.0, 0.5], [0.5, -0.5], [-0.5, 0.0]]


@case
def clusters_of_all(tf, folder):
    """Each step is of all points."""
    given = {"initial_clusters": _FIRST, "use_mini_batch": False}
    return _clusters(tf, folder, 4, 20, **given)


@case
def clusters_of_batches(tf, folder):
    """Centers move with each batch."""
    return _clusters(tf, folder, 3, 6, initial_clusters=np.array(_FIRST, np.float32))


@case
def clusters_of_iterations(tf, folder):
    """Centers are taken over every third batch."""
    given = {"initial_clusters": _FIRST, "mini_batch_steps_per_iteration": 3}
    return _clusters(tf, folder, 5, 4, **given)


@case
def clusters_by_cosine(tf, folder):
    """Directions, by batches and by iterations."""
    given = {"initial_clusters": _FIRST, "distance_metric": "cosine"}
    few = _clusters(tf, os.path.join(folder, "few"), 3, 6, **given)
    given["mini_batch_steps_per_iteration"] = 2
    return [few, _clusters(tf, os.path.join(folder, "more"), 3, 6, **given)]


@case
def clusters_from_random_points(tf, folder):
    """As 1.15 draws them, from batches smaller than the number of centers, too."""
    given = {"seed": 4, "relative_tolerance": 0.02, "use_mini_batch": False}
    many = _clusters(tf, os.path.join(folder, "many"), 20, 20, **given)
    few = _clusters(tf, os.path.join(folder, "few"), 2, 2, seed=1)
    return [many, few, _clusters(tf, os.path.join(folder, "seed"), 2, 10, graph_seed=3)]


@case
def clusters_from_far_points(tf, folder):
    """The initialization that is called k-means++."""
    given = {"initial_clusters": "kmeans_plus_plus", "seed": 2, "use_mini_batch": False}
    whole = _clusters(tf, os.path.join(folder, "all"), 3, 20, **given)
    given.update(kmeans_plus_plus_num_retries=3, distance_metric="cosine")
    return [whole, _clusters(tf, os.path.join(folder, "cosine"), 3, 20, **given)]


@case
def clusters_of_features(tf, folder):
    """A function makes the first centers; features are put side by side by their names, or by columns."""
    kmeans, found = tf.estimator.experimental.KMeans, []
    columns = [tf.feature_column.numeric_column("b"), tf.feature_column.numeric_column("a")]

    def first(points, missing):
        return points[0][: tf.minimum(missing, 2)] * 0.5

    def named():
        features = {"b": _POINTS[:, :1], "a": _POINTS[:, 1:]}
        return tf.data.Dataset.from_tensor_slices(features).repeat(2).batch(5)

    for number, given in enumerate([{}, {"feature_columns": columns}]):
        path = os.path.join(folder, str(number))
        made = kmeans(3, path, initial_clusters=first, **given)
        made.train(named)
        found.append(made.cluster_centers())
    return [
        found,
        raised(lambda: kmeans(3, initial_clusters="far")),
        raised(lambda: kmeans(3, distance_metric="manhattan")),
        raised(lambda: kmeans(3, initial_clusters="kmeans_plus_plus").train(named)),
        raised(lambda: kmeans(3, initial_clusters=_FIRST[:2]).train(named)),
    ]


def _base(tf, made, labels):
    """What an estimator without features learns."""
    features = {"x": np.arange(4, dtype=np.float32), "w": np.float32([1, 2, 0, 1])}

    def rows(times=1):
        data = tf.data.Dataset.from_tensor_slices((features, labels))
        return data.repeat(times).batch(4)

    made.train(lambda: rows(5))
    predicted = next(made.predict(rows))
    return {
        "variables": [
            [name, made.get_variable_value(name)] for name in sorted(made.get_variable_names())
        ],
        "measured": made.evaluate(rows),
        "predicted": {name: predicted[name] for name in predicted},
    }


@case
def baseline(tf, folder):
    """Estimators that look at no feature."""
    two, three, numbers = [0, 1, 1, 0], [2, 0, 1, 2], np.float32([1, 2, 4, 3])
    classifier, regressor = tf.estimator.BaselineClassifier, tf.estimator.BaselineRegressor
    folders = [os.path.join(folder, str(number)) for number in range(6)]
    mean = tf.losses.Reduction.SUM_OVER_BATCH_SIZE
    slow = tf.train.GradientDescentOptimizer(0.1)
    head = tf.contrib.estimator.regression_head(weight_column="w", loss_reduction=mean)
    return {
        "two": _base(tf, classifier(folders[0]), two),
        "three": _base(tf, classifier(folders[1], 3, "w", optimizer="SGD"), three),
        "names": _base(
            tf, classifier(folders[2], label_vocabulary=["a", "b"]), ["a", "b", "b", "a"]
        ),
        "numbers": _base(tf, regressor(folders[3], weight_column="w", optimizer=slow), numbers),
        "pairs": _base(
            tf,
            regressor(folders[4], 2, optimizer=lambda: slow, loss_reduction=mean),
            np.stack([numbers, -numbers], 1),
        ),
        "a head": _base(tf, tf.estimator.BaselineEstimator(head, folders[5], "Adam"), numbers),
        "one class": raised(lambda: classifier(n_classes=1)),
    }


_ROWS = [[0.5, -1.0], [2.0, 0.25], [-1.5, 1.0], [1.0, 1.0]]
_MATRIX = [[0.3, 0.1, -0.2], [-0.7, 0.4, 0.6]]


def _specs(tf, make, labels, penalty=False):
    """What a head makes of a model in each mode: its names, and the values of all but the ops."""
    found = {}
    for mode in ("train", "eval", "infer"):
        with tf.Graph().as_default():
            head, step = make(tf.estimator), tf.train.create_global_step()
            start = np.array(_MATRIX, np.float32)[:, : head.logits_dimension]
            matrix = tf.get_variable("matrix", initializer=start)
            features = {"x": tf.constant(_ROWS), "w": tf.constant([1.0, 2.0, 0.0, 0.5])}
            logits = tf.matmul(features["x"], matrix) + 0.1
            given = {}
            if penalty:
                given["regularization_losses"] = [tf.reduce_sum(matrix**2), tf.constant(0.5)]
            if mode == "train":
                optimizer = tf.train.GradientDescentOptimizer(0.5)
                given["train_op_fn"] = lambda loss: optimizer.minimize(loss, step)  # noqa: B023
                given["update_ops"] = [tf.assign_add(step, 10)]
            given["labels"] = None if mode == "infer" else labels(tf)
            spec = head.create_estimator_spec(features, mode, logits, **given)
            found[mode] = _told_spec(tf, spec, matrix, step)
            found["head"] = [head.name, head.logits_dimension, head.loss_reduction]
            found["keys"] = sorted(str(key) for key in head.predictions(logits))
    return found


def _told_spec(tf, spec, matrix, step):
    outputs = spec.export_outputs or {}
    told = {"outputs": sorted((name, type(each).__name__) for name, each in outputs.items())}
    measured, summaries = dict(spec.eval_metric_ops or {}), tf.summary.merge_all()
    pairs = {name: each for name, each in measured.items() if isinstance(each, tuple)}
    others = {name: each for name, each in measured.items() if name not in pairs}
    updates = [pair[1] for pair in pairs.values()]
    updates += [update for each in others.values() for update in each.updates]
    values = {name: pair[0] for name, pair in pairs.items()}
    values.update({name: each.result() for name, each in others.items()})
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        sess.run(tf.tables_initializer())
        sess.run([each.initializer for metric in others.values() for each in metric.variables])
        if spec.loss is not None:
            told["loss"] = sess.run(spec.loss)
        if summaries is not None:
            summary = tf.Summary.FromString(sess.run(summaries))
            told["summaries"] = sorted((each.tag, each.simple_value) for each in summary.value)
        predicted = sess.run(dict((str(name), each) for name, each in spec.predictions.items()))
        told["predicted"] = predicted
        if spec.train_op is not None:
            sess.run(spec.train_op)
            told["learnt"] = sess.run([matrix, step])
        sess.run(updates)
        told["measured"] = sess.run(values)
    return told


def _constant(values):
    return lambda tf: tf.constant(values)


_TWO, _THREE = [0, 1, 1, 0], [2, 0, 1, 2]
_SPARSE = ([[0, 0], [1, 1], [3, 0], [3, 1]], [1, 0, 0, 1], [4, 2])
_HEADS = {
    "two": (lambda e: e.BinaryClassHead("w", [0.25, 0.7], name="h"), _constant(_TWO)),
    "two named": (
        lambda e: e.BinaryClassHead(label_vocabulary=["a", "b"], loss_reduction="sum"),
        _constant(["a", "b", "b", "a"]),
    ),
    "two by its own loss": (
        lambda e: e.BinaryClassHead(loss_fn=lambda labels, logits: (labels - logits) ** 2),
        _constant(_TWO),
    ),
    "three": (lambda e: e.MultiClassHead(3, "w"), _constant(_THREE)),
    "three named": (
        lambda e: e.MultiClassHead(3, None, ["a", "b", "c"], name="h"),
        _constant(["c", "a", "b", "c"]),
    ),
    "many": (
        lambda e: e.MultiLabelHead(3, "w", [0.4], classes_for_class_based_metrics=[0, 2]),
        _constant([[1, 0, 1], [0, 0, 1], [1, 1, 0], [0, 1, 1]]),
    ),
    "many sparse": (lambda e: e.MultiLabelHead(2), lambda tf: tf.SparseTensor(*_SPARSE)),
    "numbers": (
        lambda e: e.RegressionHead(2, "w", inverse_link_fn=lambda x: x * 2),
        _constant([[1.0, 2.0], [0.0, 1.0], [2.0, 0.5], [1.0, 1.0]]),
    ),
    "counts": (lambda e: e.PoissonRegressionHead(name="h"), _constant([1.0, 2.0, 0.0, 3.0])),
    "parts": (lambda e: e.LogisticRegressionHead("w"), _constant([0.25, 1.0, 0.0, 0.5])),
}
_SEVERAL = (
    lambda e: e.MultiHead([e.BinaryClassHead(name="a"), e.RegressionHead(2, name="b")], [1.0, 0.5]),
    lambda tf: {"a": tf.constant(_TWO), "b": tf.constant(np.float32(_ROWS))},
)


@case
def heads(tf, _folder):
    """Each head in each mode, and some with losses that regularize."""
    found = {name: _specs(tf, *each) for name, each in _HEADS.items()}
    found["two with a penalty"] = _specs(tf, *_HEADS["two"], penalty=True)
    found["numbers with a penalty"] = _specs(tf, *_HEADS["numbers"], penalty=True)
    found["several"] = _specs(tf, *_SEVERAL)
    found["several with a penalty"] = _specs(tf, *_SEVERAL, penalty=True)
    return found


@case
def refusals_of_heads(tf, _folder):
    """What heads do not take."""
    e, logits = tf.estimator, tf.constant([[1.0], [2.0]])
    two, labels, step = e.BinaryClassHead(), tf.constant([0, 1]), tf.train.create_global_step()

    def train(**given):
        return lambda: two.create_estimator_spec({}, "train", logits, labels, **given)

    several = e.MultiHead(
        [e.BinaryClassHead(name="a"), e.BinaryClassHead(name="b", loss_reduction="sum")]
    )
    calls = {
        "reduction": lambda: e.BinaryClassHead(loss_reduction="weighted_sum"),
        "no reduction": lambda: e.RegressionHead(loss_reduction="none"),
        "threshold": lambda: e.BinaryClassHead(thresholds=[1.0]),
        "vocabulary": lambda: e.BinaryClassHead(label_vocabulary="ab"),
        "few classes": lambda: e.MultiClassHead(2),
        "no classes": lambda: e.MultiClassHead(None),
        "words": lambda: e.MultiClassHead(3, label_vocabulary=["a"]),
        "one label": lambda: e.MultiLabelHead(1),
        "no number": lambda: e.RegressionHead(0),
        "a loss": lambda: e.BinaryClassHead(loss_fn=lambda x: x),
        "key": lambda: two.predictions(logits, ["nosuch"]),
        "width": lambda: two.predictions(tf.constant([[1.0, 2.0]])),
        "no labels": lambda: two.loss(None, logits, {}),
        "neither": train(),
        "both": train(optimizer=1, train_op_fn=lambda loss: step),
        "an old optimizer": train(optimizer=tf.train.GradientDescentOptimizer(0.1)),
        "updates": train(train_op_fn=lambda loss: step, update_ops=step),
        "no heads": lambda: e.MultiHead([]),
        "no name": lambda: e.MultiHead([two]),
        "weights": lambda: e.MultiHead([e.BinaryClassHead(name="a")], [1.0, 2.0]),
        "reductions": lambda: several.loss_reduction,
        "labels of several": lambda: several.loss(labels, tf.ones([2, 2]), {}),
        "labels of one": lambda: several.loss({"a": labels}, tf.ones([2, 2]), {}),
        "logits of one": lambda: several.predictions({"a": logits}),
        "wide logits": lambda: several.predictions(tf.ones([2, 3])),
        "nothing of its own": lambda: e.Head(),
    }
    return {name: raised(call) for name, call in calls.items()}


@case
def head_of_an_estimator(tf, folder):
    """A head in an estimator that the program does not write."""

    def rows():
        data = ({"x": np.float32(_ROWS), "w": np.float32([1, 2, 0, 1])}, np.array(_TWO))
        return tf.data.Dataset.from_tensor_slices(data).batch(4).repeat(3)

    head = tf.estimator.BinaryClassHead(weight_column="w")
    estimator = tf.estimator.BaselineEstimator(head, folder)
    estimator.train(rows)
    names = sorted(estimator.get_variable_names())
    return [
        sorted(estimator.evaluate(rows).items()),
        [[each, estimator.get_variable_value(each)] for each in names],
    ]


if __name__ == "__main__":
    import tensorflow

    tensorflow.logging.set_verbosity("ERROR")
    names = sys.argv[1:] or sorted(CASES)
    recorded = {name: result(tensorflow, name, tempfile.mkdtemp()) for name in names}
    print(json.dumps(recorded, sort_keys=True))
