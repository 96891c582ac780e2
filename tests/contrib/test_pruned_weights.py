"""`tf.contrib.model_pruning` gives what it gave in TensorFlow 1.15.5; `tf.contrib.saved_model` is small."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import pruned_weights
from tfqueue import release
from tfqueue.names.sentence import GoneError

pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
pytestmark = pytest.mark.slow
RECORDED = json.loads((pathlib.Path(__file__).parent / "pruned_weights_115.json").read_text())
contrib = tf.contrib
pruning = contrib.model_pruning


@pytest.mark.parametrize("name", pruned_weights.CASES)
def test_masks_are_those_of_1_15(name):
    names, values = pruned_weights.run(tf, name)
    assert names == RECORDED[name][0]
    for one, other in zip(values, RECORDED[name][1], strict=True):
        for value, recorded in zip(one, other, strict=True):
            np.testing.assert_allclose(value, recorded, rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"begin_pruning_step": -1}, "begin_pruning_step"),
        ({"begin_pruning_step": 9, "end_pruning_step": 9}, "before it can end"),
        ({"sparsity_function_begin_step": -1}, "sparsity_function_begin_step"),
        ({"sparsity_function_end_step": 0}, "begin_step < end_step"),
        ({"target_sparsity": 1.0}, "target_sparsity"),
        ({"weight_sparsity_map": ["a:1.5"]}, "exceed"),
        ({"block_dims_map": ["a:4"]}, "2 values"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(changed, said):
    spec = pruning.get_pruning_hparams()
    for name, value in changed.items():
        spec.set_hparam(name, value)
    with tf.Graph().as_default(), pytest.raises(ValueError, match=said):
        pruning.Pruning(spec, tf.constant(1))


def test_what_is_not_there_is_refused():
    release.assume("1.13")
    try:
        with pytest.raises(GoneError, match="of histograms is gone since TensorFlow"):
            pruning.get_pruning_hparams()
    finally:
        release.assume(None)
    spec = pruning.get_pruning_hparams()
    spec.use_tpu = True
    with pytest.raises(GoneError, match="use_tpu"):
        pruning.Pruning(spec, tf.constant(1))
    with pytest.raises(GoneError, match="apply_mask"):
        _ = pruning.MaskedLSTMCell
    with pytest.raises(GoneError, match="load_model"):
        _ = contrib.saved_model.load_keras_model
    with pytest.raises(ValueError, match="rank 3"):
        pruning.masked_conv2d(tf.zeros([1, 2, 3]), 2, 2)


def test_the_old_paths_of_modules():
    from tfqueue.v1.contrib.model_pruning.python import pruning as module
    from tfqueue.v1.contrib.model_pruning.python.layers import layers
    from tfqueue.v1.contrib.saved_model.python.saved_model import reader
    from tfqueue.v1.contrib.saved_model.python.saved_model.signature_def_utils import (
        get_signature_def_by_key,
    )

    assert module.apply_mask is pruning.apply_mask
    assert layers.masked_conv2d is pruning.masked_convolution
    assert get_signature_def_by_key is contrib.saved_model.get_signature_def_by_key
    assert callable(reader.read_saved_model)


def test_a_signature_and_the_tags_of_a_saved_model(tmp_path):
    folder = str(tmp_path / "model")
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, name="x")
        sess.run(tf.get_variable("v", initializer=1.0).initializer)
        tf.saved_model.simple_save(sess, folder, {"x": x}, {"y": x + 1.0})
    from tfqueue.v1.contrib.saved_model.python.saved_model import reader

    assert reader.get_saved_model_tag_sets(folder) == [["serve"]]
    graph = reader.read_saved_model(folder).meta_graphs[0]
    find = contrib.saved_model.get_signature_def_by_key
    assert find(graph, "serving_default").inputs["x"].name == "x:0"
    with pytest.raises(ValueError, match="No SignatureDef with key 'other'"):
        find(graph, "other")
