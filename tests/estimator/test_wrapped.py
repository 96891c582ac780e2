"""What `tf.contrib.estimator` puts around an estimator, an optimizer or a function, as 1.15.5 has it."""

import pytest

import tfqueue.v1 as tf
from tfqueue import release

wrapping = tf.contrib.estimator
export = tf.estimator.export


def model(predictions=None, metrics=None, outputs=None, warm=None):
    """An estimator whose model is the double of `x`, or what a function makes of the features."""

    def model_fn(features, labels, mode):
        made = predictions(features) if predictions else {"y": features["x"] * 2.0}
        exported = outputs and outputs(made)
        return tf.estimator.EstimatorSpec(
            mode, made, tf.constant(1.0), tf.no_op(), metrics, exported
        )

    return tf.estimator.Estimator(model_fn, "somewhere", warm_start_from=warm)


def called(estimator, mode="infer"):
    """The spec of its model for a dense feature, one of ids, and a sparse one."""
    words = tf.sparse.from_dense(tf.constant([[1, 0], [2, 3]]))
    features = {"x": tf.constant([1.0, 2.0]), "id": tf.constant([7, 8]), "words": words}
    return estimator.model_fn(features, None, mode, estimator.config)


DENSE = {"sparse_default_values": {"words": 9}}


@pytest.mark.parametrize("mode", ["infer", "eval"])
@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"keys": "id"}, ["id", "y"]),
        ({"keys": ["id", "x"]}, ["id", "x", "y"]),
        ({"keys": []}, ["y"]),
        ({"keys": ["x"], **DENSE}, ["x", "y"]),
        (DENSE, ["id", "words", "x", "y"]),
    ],
)
def test_features_are_predictions_too(mode, given, names):
    forwarding = wrapping.forward_features(model(), **given)
    found = called(forwarding, mode)
    assert sorted(found.predictions) == names
    assert forwarding.model_dir == "somewhere"
    with tf.Session() as sess:
        values = sess.run(found.predictions)
    expected = {"id": [7, 8], "x": [1.0, 2.0], "y": [2.0, 4.0], "words": [[1, 9], [2, 3]]}
    assert {name: value.tolist() for name, value in values.items()} == {
        name: expected[name] for name in names
    }


@pytest.mark.parametrize(
    ("made", "given", "says"),
    [
        (None, {"keys": "z"}, "Cannot forward 'z'"),
        (lambda features: {"x": features["x"]}, {"keys": "x"}, "Cannot forward 'x'"),
        (lambda features: features["x"], {"keys": "id"}, "Predictions should be a dict"),
        (None, {"keys": "words"}, "must name the sparse features: 'words'"),
        (None, {"keys": "x", "sparse_default_values": {"x": 1}}, "the sparse features: 'x'"),
    ],
)
def test_features_that_cannot_be_predictions(made, given, says):
    forwarding = wrapping.forward_features(model(made), **given)
    with pytest.raises(ValueError, match=says):
        called(forwarding)


@pytest.mark.parametrize("keys", [[1], ["x", None]])
def test_keys_are_strings(keys):
    with pytest.raises(TypeError, match="a string or a list of strings"):
        wrapping.forward_features(model(), keys)


def test_features_are_exported_with_the_predictions():
    def outputs(made):
        names = ("predict", "serving_default", "other")
        plain = {name: export.PredictOutput(dict(made)) for name in names}
        return {**plain, "number": export.RegressionOutput(made["y"])}

    forwarding = wrapping.forward_features(model(outputs=outputs), "id")
    found = called(forwarding).export_outputs
    assert {name: sorted(getattr(each, "outputs", ())) for name, each in found.items()} == {
        "predict": ["id", "y"],
        "serving_default": ["id", "y"],
        "other": ["y"],
        "number": [],
    }


def more(features, labels, predictions, config):
    assert labels is None
    assert config.model_dir == "somewhere"
    return {"a": tf.metrics.mean(predictions["y"]), "b": tf.metrics.mean(features["x"])}


def test_metrics_are_added_in_evaluation_only():
    plain = model(metrics={"a": tf.metrics.mean([9.0]), "own": tf.metrics.mean([5.0])}, warm="w")
    adding = wrapping.add_metrics(plain, more)
    assert (adding.model_dir, adding._warm_start) == ("somewhere", plain._warm_start)
    for mode in ("train", "infer"):
        assert sorted(called(adding, mode).eval_metric_ops) == ["a", "own"]
    metrics = called(adding, "eval").eval_metric_ops
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        values = sess.run({name: update for name, (_, update) in metrics.items()})
    assert values == {"a": 3.0, "b": 1.5, "own": 5.0}
    bare = wrapping.add_metrics(model(), lambda predictions: {"a": tf.metrics.mean([1.0])})
    assert list(called(bare, "eval").eval_metric_ops) == ["a"]
    with pytest.raises(ValueError, match=r"takes what it is not given: \['others'\]"):
        wrapping.add_metrics(model(), lambda features, others: {})


def test_gradients_are_clipped_by_the_norm_of_all():
    first = tf.get_variable("first", initializer=[3.0, 4.0])
    second = tf.get_variable("second", initializer=[0.0])
    clipping = wrapping.clip_gradients_by_norm(tf.train.MomentumOptimizer(1.0, 0.5), 1.0)
    step = tf.train.get_or_create_global_step()
    loss = tf.reduce_sum(first * first) / 2 + 12 * tf.reduce_sum(second)
    gradients = clipping.compute_gradients(loss, [first, second])
    apply = clipping.apply_gradients(gradients, step, "go")
    assert (clipping.get_name(), apply.name) == ("ClipByNormMomentum", "go")
    assert clipping.get_slot_names() == ["momentum"]
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        assert [value.tolist() for value, _ in sess.run(gradients)] == [[3.0, 4.0], [12.0]]
        sess.run(apply)
        values = sess.run([first, second, step, clipping.get_slot(first, "momentum")])
    expected = [[2.7692308, 3.6923077], [-0.923077], 1, [0.2307692, 0.3076923]]
    for value, each in zip(values, expected, strict=True):
        assert value == pytest.approx(each)


def test_gradients_may_be_missing():
    first = tf.get_variable("first", initializer=[3.0, 4.0])
    second = tf.get_variable("second", initializer=[0.0])
    clipping = wrapping.clip_gradients_by_norm(tf.train.GradientDescentOptimizer(1.0), 1.0)
    apply = clipping.minimize(tf.reduce_sum(first * first), var_list=[first, second])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(apply)
        assert sess.run(first) == pytest.approx([2.4, 3.2])


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda features: tf.constant([features]), [1]),
        (lambda features, mode: tf.constant([features, len(mode)]), [1, 5]),
        (lambda config, params, features: tf.constant([config, params, features]), [4, 3, 1]),
    ],
)
def test_a_logit_function_is_given_what_it_takes(function, expected):
    logits = wrapping.call_logit_fn(function, 1, "train", 3, 4)
    with tf.Session() as sess:
        assert sess.run(logits).tolist() == expected


def test_logits_are_a_tensor_or_a_dict_of_them():
    logits = {"a": tf.constant(1.0)}
    assert wrapping.call_logit_fn(lambda features: logits, 1, "train", 3, 4) is logits
    for wrong in (3, {**logits, "b": 3}, [*logits.values()]):
        with pytest.raises(ValueError, match="should return a Tensor or a dict of them"):
            wrapping.call_logit_fn(lambda features, wrong=wrong: wrong, 1, "train", 3, 4)


@pytest.mark.parametrize(("era", "mean"), [("1.7", False), ("1.8", True), (None, True)])
def test_the_loss_of_a_head_was_a_sum_up_to_one_seven(era, mean, monkeypatch):
    monkeypatch.setattr(release, "_assumed", release.LAST)
    release.assume(era)
    heads = [
        wrapping.binary_classification_head(),
        wrapping.multi_class_head(3),
        wrapping.multi_label_head(2),
        wrapping.regression_head(),
        wrapping.poisson_regression_head(),
        wrapping.logistic_regression_head(),
    ]
    reductions = tf.losses.Reduction
    expected = reductions.SUM_OVER_BATCH_SIZE if mean else reductions.SUM
    assert {head._reduction for head in heads} == {expected}
