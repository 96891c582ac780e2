"""The heads: what they accept and refuse, and their numbers; all is as TensorFlow 1.15.5 has it.

More of their numbers stand in `tests/golden/scenarios_115/heads.py`.
"""

import functools

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.estimator import _heads

heads = tf.contrib.estimator
number, two, three = heads.regression_head, heads.binary_classification_head, heads.multi_class_head
many = functools.partial(heads.multi_label_head, 2)
column = tf.feature_column.numeric_column
WEIGHTS = [[1.0], [2.0]]
INNER = [[0.0, 1.0], [1.0, 0.0]]
SUM = tf.losses.Reduction.SUM


def spec(head, labels=(1.0, 2.0), logits=((1.0,), (2.0,)), weights=WEIGHTS, mode="eval", **given):
    tf.train.get_or_create_global_step()
    labels = tf.constant(labels) if isinstance(labels, (list, tuple)) else labels
    logits = tf.constant(logits) if isinstance(logits, (list, tuple)) else logits
    features = {"w": tf.convert_to_tensor(weights)}
    return head.create_estimator_spec(features, mode, logits, labels, **given)


def run(fetches, feed=None, before=()):
    with tf.Session() as sess:
        sess.run([tf.local_variables_initializer(), tf.tables_initializer()])
        sess.run(before)
        return sess.run(fetches, feed)


def fed(value, shape):
    """A placeholder of that shape, which is given the value."""
    return tf.placeholder_with_default(value, shape)


@pytest.mark.parametrize(
    ("head", "given", "loss"),
    [
        (lambda: number("w"), {"labels": [2.0, 4.0], "weights": [1.0, 2.0]}, 4.5),
        (lambda: number("w"), {"labels": [2.0, 4.0], "weights": [[1], [2]]}, 4.5),
        (
            lambda: number(column("w", 2), label_dimension=2),
            {
                "labels": [[1.0, 2.0], [3.0, 5.0]],
                "logits": [[0.0, 0.0]] * 2,
                "weights": [[1.0, 2.0], [3.0, 4.0]],
            },
            34.0,
        ),
        (number, {"labels": lambda: fed([[1.0], [4.0]], [None, None])}, 2.0),
        (number, {"labels": lambda: fed([[1.0], [4.0]], None)}, 2.0),
        (number, {"logits": [[1], [3]]}, 0.5),
        (number, {"logits": lambda: fed([[1.0], [4.0]], [None, None])}, 2.0),
        (lambda: three(3), {"labels": [0, 2], "logits": [[0.0, 1.0, 0.0]] * 2}, 1.551445),
        (two, {"labels": [0.0, 1.0]}, 0.720095),
        (two, {"labels": [True, False]}, 1.220095),
        (two, {"labels": lambda: tf.constant([0, 1], tf.int8)}, 0.720095),
        (
            many,
            {"labels": lambda: tf.SparseTensor([[0, 0]], [1], [2, 1]), "logits": INNER},
            0.753204,
        ),
        (heads.logistic_regression_head, {"labels": [0.5, 1.0]}, 0.470095),
        (heads.poisson_regression_head, {"labels": [3.0, 4.0]}, 2.014341),
        (
            lambda: heads.poisson_regression_head(compute_full_loss=False),
            {"labels": [3.0, 4.0]},
            -0.446331,
        ),
        (
            lambda: number(loss_fn=lambda features, labels, logits: labels * features["w"]),
            {"labels": [3.0, 4.0]},
            5.5,
        ),
    ],
)
def test_the_loss(head, given, loss):
    given = {name: value() if callable(value) else value for name, value in given.items()}
    assert run(spec(head(), **given).loss) == pytest.approx(loss, abs=1e-5)


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: number(loss_reduction="sum_of_all"), "Invalid loss_reduction: sum_of_all"),
        (lambda: number(loss_reduction="none"), "Invalid loss_reduction: none"),
        (lambda: number(loss_reduction=None), "Invalid loss_reduction: None"),
        (lambda: number(loss_fn=lambda labels, logits, other: 0), r"\['labels', 'logits', 'other'"),
        (lambda: number(loss_fn=lambda labels: 0), r"It takes: \['labels'\]"),
        (lambda: number(loss_fn=lambda logits, features: 0), r"It takes: \['features', 'logits'"),
        (lambda: number(label_dimension=0), "Invalid label_dimension 0"),
        (lambda: three(2), "n_classes must be > 2: 2"),
        (lambda: three(None), "n_classes must be > 2: None"),
        (lambda: _heads.Classes(1), "n_classes must be >= 2: 1"),
        (lambda: _heads.Classes(2.5), "n_classes must be >= 2: 2.5"),
        (lambda: heads.multi_label_head(1), "must be > 1 for many labels. Given: 1"),
        (lambda: heads.multi_label_head(None), "must be > 1 for many labels. Given: None"),
        (lambda: many(label_vocabulary=["a"]), r"Length of label_vocabulary must be n_classes \(2"),
        (lambda: two(thresholds=[0.5, 0.0]), r"thresholds not in \(0, 1\)"),
        (lambda: two(thresholds=[1.0]), r"thresholds not in \(0, 1\)"),
        (lambda: many(thresholds=[1.5]), r"thresholds not in \(0, 1\)"),
        (lambda: many(classes_for_class_based_metrics=[2]), r"range \[0, 1\]. Given: \[2\]"),
        (lambda: many(classes_for_class_based_metrics=[-1]), r"range \[0, 1\]. Given: \[-1\]"),
        (lambda: spec(number(), None), "must provide a labels Tensor"),
        (lambda: spec(many(), None, INNER), "must provide a labels Tensor"),
        (
            lambda: spec(number(), tf.sparse.from_dense(tf.constant([[1.0], [2.0]]))),
            "SparseTensor labels are not",
        ),
        (lambda: spec(number(), [[1.0, 2.0]] * 2), "must be equal to 1, and is 2"),
        (lambda: spec(number(), logits=[1.0, 2.0]), r"logits_dimension=1, got \(2,\)"),
        (lambda: spec(number(), logits=tf.constant(1.0)), r"logits_dimension=1, got \(\)"),
        (lambda: spec(number(), logits=[[1.0, 2.0]]), r"logits_dimension=1, got \(1, 2\)"),
        (lambda: spec(three(3), [0.0, 1.0], [[0.0] * 3] * 2), "dtype should be integer. Instead"),
        (
            lambda: spec(two(label_vocabulary=["a", "b"]), [0, 1]),
            "should be string if there is a vocabulary",
        ),
        (lambda: spec(number(), mode="train"), "cannot both be None"),
        (
            lambda: spec(number(), mode="train", optimizer=1, train_op_fn=1),
            "train_op_fn and optimizer cannot both be set",
        ),
    ],
)
def test_what_is_refused(made, says):
    with pytest.raises(ValueError, match=says):
        made()


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (
            lambda: spec(number(weight_column=3)),
            "string or a numeric column. Given type: <class 'int",
        ),
        (lambda: tf.estimator.EvalSpec(list, exporters=[3]), r"must be an Exporter.*found \(3,\)"),
        (lambda: two(label_vocabulary="ab"), "should be a list or tuple. Given type: <class 'str"),
    ],
)
def test_what_has_another_type_is_refused(made, says):
    with pytest.raises(TypeError, match=says):
        made()


def test_a_weight_of_each_logit_is_for_numbers_alone():
    """As in 1.15.5: another head takes a weight of each example."""
    weights = [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]
    logits = [[0.0, 1.0, 0.0]] * 2
    assert np.isfinite(run(spec(number("w", label_dimension=3), logits, logits, weights).loss))
    with pytest.raises(tf.errors.InvalidArgumentError, match="shape is not that of the logits"):
        run(spec(three(3, "w"), [0, 2], logits, fed(weights, [None, None])).loss)


def words(labels, **given):
    """The loss of a head of three words."""
    head = three(3, label_vocabulary=["a", "b", "c"])
    return spec(head, labels, [[0.0] * 3] * 2, **given).loss


@pytest.mark.parametrize(
    ("loss", "says"),
    [
        (lambda: spec(three(3), [-1, 0], [[0.0] * 3] * 2).loss, "Labels must be >= 0"),
        (lambda: spec(three(3), [0, 3], [[0.0] * 3] * 2).loss, "Labels must be <= n_classes - 1"),
        (lambda: spec(two(), [0, 2]).loss, "Labels must be <= n_classes - 1"),
        (lambda: spec(two(), [0, -1]).loss, "Labels must be >= 0"),
        (lambda: words(["a", "z"]), "Labels must be >= 0"),
        (lambda: spec(heads.logistic_regression_head(), [0.5, 1.5]).loss, "Labels must be <="),
        (
            lambda: spec(number(), fed([[1.0, 2.0]] * 2, [None, None])).loss,
            "shape is not that of the logits",
        ),
        (
            lambda: spec(number(loss_fn=lambda labels, logits: labels[:, 0])).loss,
            "loss_fn must return a loss of each example",
        ),
        (
            lambda: spec(number("w"), weights=fed([[1.0]] * 3, [None, 1])).loss,
            "shape is not that of the logits",
        ),
        (
            lambda: spec(
                number(label_dimension=2), mode="infer", logits=fed([[1.0]], None)
            ).predictions["predictions"],
            "assertion failed",
        ),
    ],
)
def test_what_only_a_run_can_tell(loss, says):
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        run(loss())


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (lambda: [[0, 2], [1, 0]], "Labels must be <= n_classes - 1"),
        (lambda: tf.SparseTensor([[0, 0]], [2], [2, 1]), "Labels must be <= n_classes - 1"),
        (lambda: tf.SparseTensor([[0, 0]], [-1], [2, 1]), "Labels must be >= 0"),
    ],
)
def test_labels_of_many_that_are_none(labels, says):
    with pytest.raises(tf.errors.InvalidArgumentError, match=says):
        run(spec(many(), labels(), INNER).loss)


def test_a_vocabulary_may_have_more_and_fewer_words():
    for names in (["a"], ["a", "b", "c", "d"]):
        head = three(3, label_vocabulary=names)
        found = spec(head, ["a", "a"], [[1.0, 0.0, 0.0]] * 2)
        loss, classes = run([found.loss, found.predictions["all_classes"]])
        assert loss == pytest.approx(0.551445, abs=1e-5)
        assert classes.tolist() == [[name.encode() for name in names]] * 2


@pytest.mark.parametrize(
    ("head", "given", "expected"),
    [
        (lambda: number("w", 1, SUM, name="h"), {}, {"loss/h": 0.0, "average_loss/h": 0.0}),
        (
            lambda: number("w", 2, SUM),
            {"logits": [[0.0] * 2] * 2, "labels": [[1.0, 2.0], [3.0, 4.0]]},
            {"loss": 55.0, "average_loss": 9.166667},
        ),
        (number, {}, {"loss": 0.0}),
        (
            number,
            {"regularization_losses": [2.0, 1.0]},
            {"loss": 3.0, "regularization_loss": 3.0},
        ),
    ],
)
def test_summaries_of_training(head, given, expected):
    given = {name: value for name, value in given.items()}
    if "regularization_losses" in given:
        given["regularization_losses"] = [tf.constant(x) for x in given["regularization_losses"]]
    spec(head(), mode="train", train_op_fn=lambda loss: tf.no_op(), **given)
    merged = tf.Summary.FromString(run(tf.summary.merge_all()))
    found = {each.tag: each.simple_value for each in merged.value}
    assert found == pytest.approx(expected)


METRICS = {
    "two": (
        lambda: two("w", [0.8], name="h"),
        {"labels": [1, 0]},
        {
            "accuracy/h": 0.33333,
            "accuracy/positive_threshold_0.8/h": 0.0,
            "accuracy_baseline/h": 0.66667,
            "auc/h": 0.0,
            "auc_precision_recall/h": 0.16667,
            "average_loss/h": 1.52237,
            "label/mean/h": 0.33333,
            "precision/h": 0.33333,
            "precision/positive_threshold_0.8/h": 0.0,
            "prediction/mean/h": 0.83088,
            "recall/h": 1.0,
            "recall/positive_threshold_0.8/h": 0.0,
        },
    ),
    "three": (
        lambda: three(3, "w"),
        {"labels": [1, 0], "logits": [[0.0, 1.0, 0.0]] * 2},
        {"accuracy": 0.33333, "average_loss": 1.21811},
    ),
    "many": (
        lambda: many("w", [0.6], classes_for_class_based_metrics=[1]),
        {"labels": [[1, 0], [1, 1]], "logits": INNER},
        {
            "accuracy/positive_threshold_0.6": 0.33333,
            "auc": 0.2,
            "auc/class1": 0.0,
            "auc_precision_recall": 0.78333,
            "auc_precision_recall/class1": 0.33333,
            "average_loss": 0.66987,
            "precision/positive_threshold_0.6": 0.66667,
            "probability_mean/class1": 0.57702,
            "recall/positive_threshold_0.6": 0.4,
        },
    ),
    "many, by name": (
        lambda: many(label_vocabulary=["a", "b"], classes_for_class_based_metrics=["b"]),
        {"labels": [[1, 0], [1, 1]], "logits": INNER},
        {
            "auc": 0.16667,
            "auc/b": 0.0,
            "auc_precision_recall": 0.66667,
            "auc_precision_recall/b": 0.25,
            "average_loss": 0.7532,
            "probability_mean/b": 0.61553,
        },
    ),
    "number": (
        lambda: number("w"),
        {},
        {"average_loss": 0.0, "label/mean": 1.66667, "prediction/mean": 1.66667},
    ),
}


@pytest.mark.parametrize("name", METRICS)
def test_metrics(name):
    head, given, expected = METRICS[name]
    metrics = spec(head(), **given).eval_metric_ops
    updates = [update for _, update in metrics.values()]
    values = run({name: value for name, (value, _) in metrics.items()}, before=updates)
    assert {name: float(value) for name, value in values.items()} == pytest.approx(
        expected, abs=2e-5
    )


def test_the_penalty_is_a_metric():
    losses = [tf.constant(2.0), tf.constant(1.0)]
    found = spec(number(name="n"), regularization_losses=losses)
    value, update = found.eval_metric_ops["regularization_loss/n"]
    assert run([found.loss, value], before=update) == [3.0, 3.0]


@pytest.mark.parametrize(
    ("head", "outputs"),
    [
        (two, ["classification", "predict", "regression", "serving_default"]),
        (lambda: three(3), ["classification", "predict", "serving_default"]),
        (many, ["classification", "predict", "serving_default"]),
        (number, ["predict", "regression", "serving_default"]),
    ],
)
def test_outputs_of_an_export(head, outputs):
    made = head()
    logits = tf.ones([2, made.logits_dimension])
    found = spec(made, None, logits, mode="infer").export_outputs
    assert sorted(found) == outputs
    assert found["serving_default"] is found[outputs[outputs[0] == "predict"]]


def test_classes_that_are_predicted():
    found = spec(two(label_vocabulary=["no", "yes"]), None, [[-1.0], [1.0]], mode="infer")
    values = run(found.predictions)
    assert values["classes"].tolist() == [[b"no"], [b"yes"]]
    assert values["class_ids"].tolist() == [[0], [1]]
    assert values["all_class_ids"].tolist() == [[0, 1]] * 2
    assert values["all_classes"].tolist() == [[b"no", b"yes"]] * 2
    np.testing.assert_allclose(values["logistic"], [[0.268941], [0.731059]], atol=1e-5)
    np.testing.assert_allclose(values["probabilities"][0], [0.731059, 0.268941], atol=1e-5)
    plain = run(spec(two(), None, [[-1.0], [1.0]], mode="infer").predictions)
    assert (plain["classes"].tolist(), plain["all_classes"].tolist()) == (
        [[b"0"], [b"1"]],
        [[b"0", b"1"]] * 2,
    )


@pytest.mark.parametrize(
    "name", ["name", "logits_dimension", "create_loss", "create_estimator_spec"]
)
def test_a_head_of_the_programs_own_needs_all_that_a_head_has(name):
    with pytest.raises(NotImplementedError, match=f"A head has a {name}"):
        found = getattr(_heads.Head(), name)
        found(*[None] * (4 if name == "create_loss" else 0))
