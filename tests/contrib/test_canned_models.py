"""The models of `tf.contrib.learn` do in one step what TensorFlow 1.15.5 did (`canned_models.py`)."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import canned_models

RECORDED = json.loads((pathlib.Path(__file__).parent / "canned_models_115.json").read_text())
CASES = canned_models.cases(tf)


def compare(found, expected, where):
    """Whether two results are the same, but for rounding."""
    if isinstance(expected, dict):
        assert found.keys() == expected.keys(), where
        for name, value in expected.items():
            compare(found[name], value, f"{where}: {name}")
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=where)


@pytest.mark.parametrize("mode", canned_models.MODES)
@pytest.mark.parametrize("name", RECORDED)
def test_a_model_does_what_it_did(name, mode):
    compare(canned_models.result(tf, *CASES[name], mode), RECORDED[name][mode], name)


def test_every_model_is_recorded():
    assert RECORDED.keys() == CASES.keys()


def test_a_factor_of_a_column_that_is_not_deep_is_refused():
    layers = tf.contrib.layers
    words = layers.sparse_column_with_keys("s", ["a", "b"])
    used, other = layers.embedding_column(words, 2), layers.embedding_column(words, 3)
    estimator = tf.contrib.learn.DNNLinearCombinedClassifier(
        dnn_feature_columns=[layers.real_valued_column("x", 2)],
        linear_feature_columns=[words],
        dnn_hidden_units=[2],
        embedding_lr_multipliers={used: 0.5, other: 0.25},
    )
    make = lambda: estimator  # noqa: E731
    with pytest.raises(ValueError, match="Couldn't find a variable for column"):
        canned_models.result(tf, make, [[1], [0], [1]], "train")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"enable_centered_bias": True}, "enable_centered_bias is not here"),
        ({"_joint_weight": True}, "Joint weights"),
    ],
)
def test_what_a_linear_model_refuses(given, says):
    with pytest.raises(NotImplementedError, match=says):
        tf.contrib.learn.LinearClassifier([tf.contrib.layers.real_valued_column("x")], **given)
