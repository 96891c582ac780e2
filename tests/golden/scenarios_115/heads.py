# ruff: noqa: UP010
"""The heads of `tf.contrib.estimator`: predictions, losses, metrics, gradients and summaries."""

from __future__ import division, unicode_literals

import itertools

X = [[0.5, -1.0], [2.0, 0.25], [-1.5, 1.0], [1.0, 1.0]]
WEIGHTS = {
    1: [[0.3], [-0.7]],
    2: [[0.3, 0.1], [-0.7, 0.4]],
    3: [[0.3, 0.1, -0.2], [-0.7, 0.4, 0.6]],
}
TWO, THREE = [0, 1, 1, 0], [2, 0, 1, 2]
WORDS = ["a", "b", "c"]


def _build(tf, head, labels, mode, **given):
    """The spec of a model with one matrix, and that matrix."""
    matrix = tf.get_variable("matrix", initializer=WEIGHTS[head.logits_dimension])
    features = {"x": tf.constant(X), "w": tf.constant([1.0, 2.0, 0.0, 0.5])}
    logits = tf.matmul(features["x"], matrix) + 0.1
    if mode == "train" and not given.get("train_op_fn"):
        given["optimizer"] = tf.train.GradientDescentOptimizer(0.1)
    if given.pop("penalty", False):
        given["regularization_losses"] = [tf.reduce_sum(matrix * matrix), tf.constant(0.5)]
    labels = None if mode == "infer" else labels() if callable(labels) else tf.constant(labels)
    return head.create_estimator_spec(features, mode, logits, labels, **given), matrix


def _started(tf):
    sess = tf.Session()
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    sess.run(tf.tables_initializer())
    return sess


def _facts(tf, kit, make, labels, **given):
    facts = {}
    for mode in ("train", "eval", "infer"):
        more = given if mode != "infer" else {}
        with tf.Graph().as_default():
            tf.train.create_global_step()
            spec, matrix = _build(tf, make(), labels, mode, **more)
            with _started(tf) as sess:
                seen = {"predictions": sess.run(spec.predictions)}
                if mode == "infer":
                    outputs = spec.export_outputs.items()
                    seen["outputs"] = {name: type(one).__name__ for name, one in outputs}
                else:
                    seen["loss"] = sess.run(spec.loss)
                if mode == "eval":
                    sess.run([update for _, update in spec.eval_metric_ops.values()])
                    metrics = spec.eval_metric_ops.items()
                    seen["metrics"] = sess.run({name: value for name, (value, _) in metrics})
                if mode == "train":
                    merged = tf.Summary.FromString(sess.run(tf.summary.merge_all()))
                    seen["summaries"] = {each.tag: each.simple_value for each in merged.value}
                    sess.run(spec.train_op)
                    seen["matrix"] = sess.run(matrix)
                    seen["step"] = int(sess.run(tf.train.get_global_step()))
                facts[mode] = kit.value(seen)
    return facts


def _every_reduction(tf, kit, make, labels):
    facts = {}
    for reduction in ("SUM", "MEAN", "SUM_BY_NONZERO_WEIGHTS", "SUM_OVER_BATCH_SIZE"):
        chosen = getattr(tf.losses.Reduction, reduction)
        for weight in (None, "w"):
            with tf.Graph().as_default():
                tf.train.create_global_step()
                head = make(loss_reduction=chosen, weight_column=weight)
                spec, _ = _build(tf, head, labels, "eval")
                with _started(tf) as sess:
                    sess.run([update for _, update in spec.eval_metric_ops.values()])
                    metrics = {name: one for name, (one, _) in spec.eval_metric_ops.items()}
                    key = reduction + " " + str(weight)
                    facts[key] = kit.value(sess.run([spec.loss, metrics]))
    return facts


def two_classes(tf, kit):
    return _facts(tf, kit, tf.contrib.estimator.binary_classification_head, TWO)


def two_classes_with_all(tf, kit):
    def make():
        return tf.contrib.estimator.binary_classification_head(
            "w", [0.25, 0.5], ["no", "yes"], tf.losses.Reduction.SUM, name="mine"
        )

    return _facts(tf, kit, make, [["no"], ["yes"], ["yes"], ["no"]], penalty=True)


def two_classes_reduced(tf, kit):
    return _every_reduction(tf, kit, tf.contrib.estimator.binary_classification_head, TWO)


def two_classes_own_loss(tf, kit):
    def loss(labels, logits, features):
        return tf.abs(labels - logits) * features["x"][:, :1]

    def make():
        return tf.contrib.estimator.binary_classification_head(loss_fn=loss)

    return _facts(tf, kit, make, [[0.0], [0.5], [1.0], [1.0]])


def three_classes(tf, kit):
    return _facts(tf, kit, lambda: tf.contrib.estimator.multi_class_head(3), THREE)


def three_classes_with_all(tf, kit):
    def make():
        return tf.contrib.estimator.multi_class_head(
            3, tf.feature_column.numeric_column("w"), WORDS, tf.losses.Reduction.SUM, None, "mine"
        )

    return _facts(tf, kit, make, ["c", "a", "b", "c"], penalty=True)


def three_classes_reduced(tf, kit):
    def make(**given):
        return tf.contrib.estimator.multi_class_head(3, **given)

    return _every_reduction(tf, kit, make, THREE)


def numbers(tf, kit):
    return _facts(tf, kit, tf.contrib.estimator.regression_head, [1.0, 2.0, -0.5, 0.0])


def numbers_with_all(tf, kit):
    def make():
        return tf.contrib.estimator.regression_head(
            "w", 2, tf.losses.Reduction.SUM, None, tf.tanh, "mine"
        )

    return _facts(tf, kit, make, X, penalty=True)


def numbers_reduced(tf, kit):
    def make(**given):
        return tf.contrib.estimator.regression_head(label_dimension=2, **given)

    return _every_reduction(tf, kit, make, X)


def counts(tf, kit):
    facts = {}
    for full in (True, False):
        facts[str(full)] = _facts(
            tf,
            kit,
            lambda full=full: tf.contrib.estimator.poisson_regression_head(
                compute_full_loss=full, weight_column="w"
            ),
            [1, 2, 0, 3],
        )
    return facts


def shares(tf, kit):
    make = tf.contrib.estimator.logistic_regression_head
    return _facts(tf, kit, make, [0.25, 0.5, 1.0, 0.0])


MULTI = [[1, 0, 0], [0, 1, 1], [0, 0, 0], [1, 1, 0]]


def many_labels(tf, kit):
    return _facts(tf, kit, lambda: tf.contrib.estimator.multi_label_head(3), MULTI)


def many_labels_with_all(tf, kit):
    def make():
        return tf.contrib.estimator.multi_label_head(
            3,
            "w",
            [0.5],
            WORDS,
            tf.losses.Reduction.SUM,
            classes_for_class_based_metrics=["c", "a"],
            name="mine",
        )

    def labels():
        return tf.SparseTensor([[0, 0], [1, 0], [1, 1], [3, 0]], ["a", "c", "b", "b"], [4, 2])

    return _facts(tf, kit, make, labels, penalty=True)


def many_labels_reduced(tf, kit):
    def make(**given):
        return tf.contrib.estimator.multi_label_head(
            3, classes_for_class_based_metrics=[1], **given
        )

    def labels():
        return tf.SparseTensor([[0, 0], [1, 0], [1, 1], [3, 0]], [0, 2, 1, 1], [4, 2])

    return _every_reduction(tf, kit, make, labels)


def more_dimensions(tf, kit):
    head = tf.contrib.estimator.multi_class_head(3, weight_column="w")
    logits = tf.reshape(tf.range(12.0) % 5.0, [2, 2, 3])
    features = {"w": tf.constant([[1.0, 2.0], [0.5, 0.0]])}
    labels = tf.constant([[0, 1], [2, 2]])
    tf.train.create_global_step()
    made = head.create_loss(features, "train", logits, labels)
    spec = head.create_estimator_spec(features, "eval", logits, labels)
    with _started(tf) as sess:
        return {"loss": kit.value(sess.run(list(made))), "spec": kit.value(sess.run(spec.loss))}


def own_step_and_updates(tf, kit):
    tf.train.create_global_step()
    counter = tf.get_variable("counter", initializer=0.0)
    tf.add_to_collection(tf.GraphKeys.UPDATE_OPS, tf.assign_add(counter, 1.0))
    head = tf.contrib.estimator.regression_head()

    def step(loss):
        return tf.assign_add(counter, loss * 10.0)

    spec, _ = _build(tf, head, [1.0, 1.0, 1.0, 1.0], "train", train_op_fn=step)
    with _started(tf) as sess:
        sess.run(spec.train_op)
        return {"counter": kit.value(sess.run(counter))}


def refused(tf, kit):
    heads, none = tf.contrib.estimator, tf.losses.Reduction.NONE
    head = heads.regression_head()
    logits, x = tf.constant([[1.0], [2.0]]), {"w": tf.constant([1.0, 2.0, 3.0])}

    def spec(head, labels, mode="train", logits=logits, **given):
        head.create_estimator_spec(x, mode, logits, labels, **given)

    return {
        "one class": kit.error(heads.multi_class_head, 2),
        "one label": kit.error(heads.multi_label_head, 1),
        "no number": kit.error(heads.regression_head, label_dimension=0),
        "no reduction": kit.error(heads.regression_head, loss_reduction=none),
        "threshold": kit.error(heads.binary_classification_head, thresholds=[1.0]),
        "loss": kit.error(heads.regression_head, loss_fn=lambda labels: labels),
        "class": kit.error(heads.multi_label_head, 3, classes_for_class_based_metrics=[3]),
        "no step": kit.error(spec, head, [1.0, 2.0]),
        "no labels": kit.error(spec, head, None, "eval"),
        "other labels": kit.error(spec, head, [[1.0, 2.0], [1.0, 2.0]], "eval"),
        "other logits": kit.error(spec, head, [1.0, 2.0], "eval", tf.constant([[1.0, 2.0]])),
        "no weights": kit.error(spec, heads.regression_head("v"), [1.0, 2.0], "eval"),
    }


def _metrics_of(tf, kit, made, inputs):
    made.train(inputs, steps=2)
    return kit.value({k: float(v) for k, v in made.evaluate(inputs, steps=1).items()})


def wrapped_estimators(tf, kit):
    number = tf.feature_column.numeric_column("x", [2])

    def inputs():
        return {"x": tf.constant(X), "id": tf.constant([7, 8, 9, 10])}, tf.constant(TWO)

    def more(features, predictions):
        return {"mine": tf.metrics.mean(predictions["logistic"] * features["x"][:, :1])}

    contrib = tf.contrib.estimator
    made = contrib.add_metrics(tf.estimator.LinearClassifier([number]), more)
    kept = contrib.forward_features(made, "id")
    facts = {"metrics": _metrics_of(tf, kit, made, inputs)}
    rows = list(itertools.islice(kept.predict(inputs), 4))
    facts["rows"] = kit.value([[row["id"], row["logits"]] for row in rows])
    head = contrib.multi_label_head(3)
    own = tf.estimator.LinearEstimator(head, [number])
    labels = tf.feature_column.numeric_column("x", [2])
    clipped = contrib.clip_gradients_by_norm(tf.train.GradientDescentOptimizer(1.0), 0.01)
    small = tf.estimator.LinearRegressor([labels], optimizer=clipped)
    facts["clipped"] = _metrics_of(tf, kit, small, inputs)

    def many():
        return {"x": tf.constant(X)}, tf.constant(MULTI)

    facts["linear"] = _metrics_of(tf, kit, own, many)
    return facts


def logit_functions(tf, kit):
    contrib = tf.contrib.estimator
    columns = [tf.feature_column.numeric_column("x", [2])]
    features = {"x": tf.constant(X)}
    linear = contrib.linear_logit_fn_builder(2, columns)
    network = contrib.dnn_logit_fn_builder(3, [4], columns, None, None, None, False)
    with tf.variable_scope("model"):
        first = contrib.call_logit_fn(linear, features, "train", {}, None)
        second = contrib.call_logit_fn(network, features, "train", {}, None)
    ones = [tf.assign(one, tf.ones_like(one) * 0.5) for one in tf.trainable_variables()]
    with _started(tf) as sess:
        sess.run(ones)
        return {
            "variables": sorted(one.op.name for one in tf.trainable_variables()),
            "logits": kit.value(sess.run([first, second])),
        }
