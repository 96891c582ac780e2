"""Parts of `tf.estimator` give what they gave in TensorFlow 1.15.5."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.estimator import parts
from tfqueue.v1 import _old_functions

RECORDED = json.loads(pathlib.Path(__file__).with_name("parts_115.json").read_text("utf-8"))


def compare(found, expected):
    """Whether two results are the same, floats but for rounding."""
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected)
        for name in expected:
            compare(found[name], expected[name])
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for pair in zip(found, expected, strict=True):
            compare(*pair)
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
    else:
        assert found == expected


@pytest.mark.parametrize("name", sorted(RECORDED))
def test_a_part_gives_what_1_15_gave(name, tmp_path):
    compare(parts.result(tf, name, str(tmp_path)), RECORDED[name])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (lambda loss: {"saver": tf.train.Saver([loss])}, "saver"),
        (lambda loss: {"init_fn": lambda scaffold, sess: None}, "init_fn"),
    ],
)
def test_a_scaffold_of_the_models_own_is_not_evaluated_in_memory(tmp_path, given, says):
    def model_fn(features, labels, mode):
        loss = tf.get_variable("w", [])
        scaffold = tf.train.Scaffold(**given(loss))
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=loss, scaffold=scaffold)

    estimator = tf.estimator.Estimator(model_fn, str(tmp_path))
    hook = tf.estimator.experimental.InMemoryEvaluatorHook(estimator, lambda: (tf.zeros([1]), 0))
    with pytest.raises(ValueError, match=f"does not support custom {says}"):
        hook.begin()


def test_the_devices_of_the_process_have_their_whole_names():
    """Printed by 1.15.5, which had one for XLA, too."""
    assert (
        tf.config.experimental_list_devices()[0] == "/job:localhost/replica:0/task:0/device:CPU:0"
    )
    assert tf.config.experimental_list_devices is _old_functions.experimental_list_devices
