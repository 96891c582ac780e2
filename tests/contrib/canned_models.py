"""One step of small models of `tf.contrib.learn`, for today's and for TensorFlow 1.15.5.

`python canned_models.py` writes what 1.15.5 gives into `canned_models_115.json`.
"""

import json
import os
import sys

import numpy as np


def cases(tf):
    """The models with their labels."""
    learn, layers = tf.contrib.learn, tf.contrib.layers
    number = layers.real_valued_column("x", 2)
    words = layers.sparse_column_with_keys("s", ["a", "b"])
    embedded = layers.embedding_column(words, 2)
    return {
        "binary": (
            lambda: learn.LinearClassifier([number], optimizer="SGD", weight_column_name="w"),
            [[1], [0], [1]],
        ),
        "three classes": (
            lambda: learn.LinearClassifier([number], n_classes=3, optimizer="SGD"),
            [[2], [0], [1]],
        ),
        "deep": (
            lambda: learn.DNNClassifier(
                [2],
                [number],
                n_classes=3,
                optimizer="SGD",
                gradient_clip_norm=0.5,
                activation_fn=tf.nn.relu6,
            ),
            [[2], [0], [1]],
        ),
        "regression": (
            lambda: learn.DNNRegressor([2], [number], optimizer="SGD", weight_column_name="w"),
            [[1.0], [2.0], [3.0]],
        ),
        "both": (
            lambda: learn.DNNLinearCombinedClassifier(
                linear_feature_columns=[number, words],
                linear_optimizer="SGD",
                dnn_feature_columns=[number, embedded],
                dnn_optimizer="SGD",
                dnn_hidden_units=[2],
                embedding_lr_multipliers={embedded: 0.25},
                fix_global_step_increment_bug=True,
            ),
            [[1], [0], [1]],
        ),
    }


def fill(tf, sess):
    for variable in tf.trainable_variables():
        shape = variable.shape.as_list()
        values = np.cos(np.arange(np.prod(shape))).reshape(shape) * 0.5
        variable.load(values.astype(np.float32), sess)


def result(tf, make, labels, mode):
    """What a mode gives: loss, variables and step; metrics; or predictions."""
    with tf.Graph().as_default(), tf.Session() as sess:
        step = tf.train.create_global_step()
        estimator = make()
        features = {
            "x": tf.constant([[1.0, 2.0], [3.0, -4.0], [-1.0, 0.5]]),
            "w": tf.constant([[1.0], [0.5], [2.0]]),
            "s": tf.constant([["a"], ["b"], ["a"]]),
        }
        call = getattr(estimator, "_call_model_fn", None) or estimator._ops
        made = call(features, None if mode == "infer" else tf.constant(labels), mode)
        sess.run(tf.global_variables_initializer())
        sess.run([tf.local_variables_initializer(), tf.tables_initializer()])
        fill(tf, sess)
        if mode == "infer":
            given = sess.run(made.predictions)
            return {str(key): np.asarray(value).tolist() for key, value in given.items()}
        if mode == "train":
            loss = float(sess.run(made.loss))
            sess.run(made.train_op)
            variables = {v.op.name: sess.run(v).tolist() for v in tf.trainable_variables()}
            return {"loss": loss, "step": int(sess.run(step)), "variables": variables}
        metrics = made.eval_metric_ops
        for _ in range(2):
            sess.run([update for _, update in metrics.values()])
        return {str(key): float(sess.run(value)) for key, (value, _) in metrics.items()}


MODES = ("train", "eval", "infer")

if __name__ == "__main__":
    import tensorflow

    found = {
        name: {mode: result(tensorflow, make, labels, mode) for mode in MODES}
        for name, (make, labels) in cases(tensorflow).items()
    }
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "canned_models_115.json")
    with open(path, "w") as file:
        json.dump(found, file, indent=1, sort_keys=True)
        file.write("\n")
    sys.stdout.write("\n".join(sorted(found)) + "\n")
