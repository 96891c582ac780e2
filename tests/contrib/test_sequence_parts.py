"""Parts of `tf.contrib.seq2seq`, `legacy_seq2seq` and `data` give what they gave in TensorFlow 1.15.5."""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import sequence_parts

RECORDED = json.loads((pathlib.Path(__file__).parent / "sequence_parts_115.json").read_text())


def compare(found, expected):
    """Whether two results are the same, floats but for rounding."""
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for pair in zip(found, expected, strict=True):
            compare(*pair)
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    else:
        assert found == expected


@pytest.mark.filterwarnings("ignore:.*TensorArray.*")
@pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group in RECORDED for name in RECORDED[group]]
)
def test_a_part_gives_what_1_15_gave(group, name):
    compare(sequence_parts.result(tf, group, name), RECORDED[group][name])


@pytest.mark.parametrize(
    ("group", "name", "says"),
    [
        ("attention", "batch", "goes through tile_batch|go through tile_batch"),
        ("attention", "another batch", "the memory goes through tile_batch"),
        ("attention", "another state", "Expected state to be instance of AttentionWrapperState"),
        ("data", "slide by both", "stride and window_shift"),
        ("losses", "few weights", "must be the same 2, 1, 2"),
        ("losses", "few logits", "must be the same 1, 2, 2"),
        ("helpers", "training length", "Expected sequence_length to be a vector"),
        ("helpers", "own before", "before initialize was called"),
        ("beams", "tiles of any rank", "statically known rank"),
    ],
)
def test_what_is_refused_is_told(group, name, says):
    assert set(RECORDED[group][name]) == {"raised"}
    with tf.Graph().as_default():
        call = sequence_parts.CASES[group](tf)[name]
        with pytest.raises((ValueError, TypeError, tf.errors.OpError), match=says):
            call()
