"""Layers of canned estimators count as in the release, for the seeds behind them.

The numbers are those of TensorFlow 1.4.1, 1.7.0, 1.8.0, 1.11.0, 1.12.3, 1.13.2 and 1.15.5.
"""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

SEEDS = {  # of the kernels of the second layer and of the logits: with dropout, and behind columns with an embedding
    "1.4": ((75, 115), (206, 234)),
    "1.7": ((81, 123), (178, 208)),
    "1.8": ((77, 117), (178, 206)),
    "1.11": ((78, 118), (180, 208)),
    "1.12": ((82, 126), (184, 216)),
    "1.13": ((105, 172), (205, 258)),
    "1.15": ((109, 178), None),
}


class Seeds(tf.train.SessionRunHook):
    """Which seeds first values of kernels have in a graph that is trained."""

    def begin(self):
        kernels = [
            op for op in tf.get_default_graph().get_operations() if op.type == "RandomUniform"
        ]
        self.of = {op.name.split("/kernel")[0]: op.get_attr("seed2") for op in kernels}


def _examples():
    x, words = np.arange(8, dtype=np.float32), np.array(list("abcabcab"))
    data = tf.data.Dataset.from_tensor_slices(({"x": x, "s": words}, np.array([0, 1] * 4)))
    return data.batch(4).make_one_shot_iterator().get_next()


def _columns():
    words = tf.feature_column.categorical_column_with_hash_bucket("s", 10)
    letters = tf.feature_column.categorical_column_with_vocabulary_list("s", ["a", "b", "c"])
    return [
        tf.feature_column.numeric_column("x"),
        tf.feature_column.indicator_column(letters),
        tf.feature_column.embedding_column(words, 3),
    ]


@pytest.mark.parametrize("of", SEEDS)
def test_layers_of_a_canned_network_count_as_in_the_release(of, tmp_path):
    former, found = release.assume(of), []
    try:
        for kind, columns, rest in (
            (tf.estimator.DNNRegressor, _columns()[:1], {"dropout": 0.3}),
            (tf.estimator.DNNClassifier, _columns(), {}),
        ):
            config = tf.estimator.RunConfig(
                tf_random_seed=7, model_dir=str(tmp_path / kind.__name__)
            )
            seeds = Seeds()
            kind([4, 3], columns, config=config, **rest).train(_examples, hooks=[seeds], steps=1)
            found.append((seeds.of["dnn/hiddenlayer_1"], seeds.of["dnn/logits"]))
    finally:
        release.assume(former)
    with_dropout, with_columns = SEEDS[of]
    assert found[0] == with_dropout
    assert with_columns in (None, found[1])
