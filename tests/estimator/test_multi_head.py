"""`tf.contrib.estimator.multi_head`: what TensorFlow 1.15.5 gave."""

import numpy as np
import pytest

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow

E = tf.contrib.estimator
X = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]], np.float32)
LABELS = {
    "a": np.array([0, 1, 2, 1]),
    "b": np.array([[0.0], [1.0], [1.0], [0.0]], np.float32),
    "c": np.array([[1.0, 2.0], [2.0, 3.0], [0.0, 1.0], [1.0, 1.0]], np.float32),
}


def data():
    return tf.data.Dataset.from_tensor_slices(({"x": X}, LABELS)).batch(4)


def heads():
    return [
        E.multi_class_head(3, name="a"),
        E.binary_classification_head(name="b"),
        E.regression_head(label_dimension=2, name="c"),
    ]


def model_fn(split, weights, specs):
    def model(features, labels, mode):
        head = E.multi_head(heads(), weights)
        weight = tf.get_variable(
            "weight", [2, head.logits_dimension], initializer=tf.constant_initializer(0.1)
        )
        logits = tf.matmul(features["x"], weight) * np.arange(1, 7, dtype=np.float32)
        if split:
            logits = {"a": logits[:, :3], "b": logits[:, 3:4], "c": logits[:, 4:]}
        optimizer = tf.train.GradientDescentOptimizer(0.1)
        how = {"optimizer": optimizer}
        if not split:
            step = tf.train.get_global_step()
            how = {"train_op_fn": lambda loss: optimizer.minimize(loss, step)}
        if mode == "train":
            made = head.create_loss(features, mode, logits, labels)
            assert set(made.unreduced_loss) == set(made.weights) == set(made.processed_labels)
        specs[mode] = head.create_estimator_spec(features, mode, logits, labels, **how)
        return specs[mode]

    return model


WITHOUT = {
    "weight": [
        [0.07377, 0.18459, 0.05182, 0.01743, 0.0375, 0.19],
        [0.10476, 0.10076, 0.08457, -0.00572, -0.025, 0.16],
    ],
    "metrics": {
        "loss": 3.67455,
        "loss/a": 0.99785,
        "loss/b": 0.69095,
        "loss/c": 1.98575,
        "accuracy/a": 0.5,
        "accuracy/b": 0.75,
        "average_loss/c": 1.98575,
        "recall/b": 1.0,
    },
}
WITH = {
    "weight": [
        [0.07377, 0.18459, 0.05182, -0.06514, 0.06875, 0.145],
        [0.10476, 0.10076, 0.08457, -0.11144, 0.0375, 0.13],
    ],
    "metrics": {"loss": 3.15481, "loss/a": 0.99785, "loss/b": 0.68912, "loss/c": 1.55742},
}


@pytest.mark.parametrize(
    ("split", "weights", "given"), [(True, None, WITHOUT), (False, [1.0, 2.0, 0.5], WITH)]
)
def test_a_model_with_several_heads(tmp_path, split, weights, given):
    specs = {}
    model = tf.estimator.Estimator(model_fn(split, weights, specs), str(tmp_path))
    model.train(data)
    np.testing.assert_allclose(model.get_variable_value("weight"), given["weight"], atol=1e-5)
    found = model.evaluate(data)
    for name, value in given["metrics"].items():
        np.testing.assert_allclose(found[name], value, atol=1e-5, err_msg=name)
    predicted = next(iter(model.predict(data)))
    assert predicted["a", "class_ids"] == [2]
    assert predicted["c", "predictions"].shape == (2,)
    outputs = specs["infer"].export_outputs
    assert sorted(outputs) == sorted(
        "a a/classification a/predict b b/classification b/predict b/regression c c/predict "
        "c/regression predict serving_default".split()
    )
    assert outputs["serving_default"] is outputs["a"]
    assert {"a/probabilities", "b/logistic", "c/predictions"} <= set(outputs["predict"].outputs)


def spec(mode, logits, labels, **given):
    with tf.Graph().as_default():
        return E.multi_head(heads()).create_estimator_spec(
            {}, mode, tf.zeros([2, logits]), labels, **given
        )


def of_all(**given):
    with tf.Graph().as_default():
        labels = {name: tf.constant(values[:2]) for name, values in LABELS.items()}
        return E.multi_head(heads()).create_estimator_spec(
            {}, "train", tf.zeros([2, 6]), labels, **given
        )


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: E.multi_head([]), "Must specify heads"),
        (lambda: E.multi_head(heads(), [1.0]), "must have the same size"),
        (lambda: E.multi_head([E.multi_class_head(3)]), "must have name specified"),
        (lambda: spec("eval", 5, {}), "Could not split logits"),
        (lambda: spec("train", 6, [1]), "labels must be a dict"),
        (of_all, "cannot both be None"),
        (lambda: of_all(optimizer=1, train_op_fn=1), "cannot both be set"),
    ],
)
def test_heads_logits_and_labels_that_do_not_fit(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_the_name_and_the_width_are_those_of_all():
    head = E.multi_head(heads())
    assert head.name == "a_b_c"
    assert head.logits_dimension == 6
