"""Ops that `tf.nn` of 0.12 showed give what they gave in TensorFlow 0.12.1."""

import inspect
import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.v1 import nn_ops
from tfqueue.names import ledger, moved

RECORDED = json.loads(pathlib.Path(__file__).with_name("nn_ops_012.json").read_text("utf-8"))


@pytest.mark.parametrize("name", RECORDED)
def test_an_op_of_0_12_gives_what_it_gave(name):
    found = nn_ops.result(tf, name)
    for (label, shape, total), expected in zip(found, RECORDED[name], strict=True):
        assert [label, shape] == expected[:2]
        np.testing.assert_allclose(total, expected[2], rtol=1e-5)


@pytest.mark.parametrize("name", moved.NN_OPS)
def test_an_op_of_0_12_has_the_arguments_of_the_ledger(name):
    (old, gone) = ledger.find(f"nn.{name}")
    assert gone.kind == "gone"
    assert old.signature is not None
    function = getattr(tf.nn, name)
    assert inspect.signature(function) == ledger.parsed(old.signature)
    assert moved.NN_OPS[name][0] in function.__doc__
    assert name in RECORDED


def test_a_devices_text_is_that_of_the_first_cpu():
    """Printed by 0.12.1."""
    text = "/job:worker/replica:0/task:3/gpu:1"
    assert tf.graph_util.set_cpu0(text) == "/job:worker/replica:0/task:3/device:CPU:0"
    assert tf.graph_util.set_cpu0("") == "/device:CPU:0"


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("conv3d_backprop_input", "conv3d_backprop_input_v2"),
        ("quantized_bias_add", "QuantizedBiasAdd"),  # by 0.0128 where the ranges are 2.5 and 4
        ("quantized_batch_norm_with_global_normalization", "QuantizedBatchNorm"),
        ("make_all", "nothing"),
    ],
)
def test_what_is_not_there_says_what_to_use(name, use):
    with pytest.raises(AttributeError, match=f"gone since TensorFlow 1.0: .*{use}"):
        getattr(tf.nn, name)
