"""The decoder functions of TensorFlow 1.0, and `sequence_loss` with a loss of one's own.

`decoder_functions_101.json` was printed by TensorFlow 1.0.1 (`decoder_functions.py`).
"""

import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import decoder_functions
from tfqueue import release

pytestmark = pytest.mark.slow
EXPECTED = json.loads(
    pathlib.Path(__file__).with_name("decoder_functions_101.json").read_text("utf-8")
)


@pytest.fixture
def from_release():
    before = release.assume(None)
    yield release.assume
    release.assume(before)


@pytest.mark.parametrize("attention", [None, "bahdanau", "luong"])
@pytest.mark.parametrize("cell", ["gru", "lstm"])
def test_decoders_of_1_0_compute_what_1_0_computed(from_release, attention, cell):
    pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
    from_release("1.0")
    expected = EXPECTED[f"{attention} {cell}"]
    found = decoder_functions.decoded(tf, attention, cell)
    assert found["variables"] == expected["variables"]
    assert found["context"] is None
    for value, other in zip(found["values"], expected["values"], strict=True):
        np.testing.assert_allclose(value, other, atol=2e-5)


def test_training_and_inference_share_one_attention():
    pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
    with tf.Graph().as_default():
        keys, values, _, construct = tf.contrib.seq2seq.prepare_attention(
            tf.zeros([2, 3, 4]), "luong", 4
        )
        for _ in range(2):
            construct(tf.zeros([2, 4]), keys, values)
        names = [variable.op.name for variable in tf.global_variables()]
    assert names == ["attention_keys/weights", "attention_construct/weights"]


def test_a_context_is_kept_from_step_to_step():
    with tf.Graph().as_default(), tf.Session() as sess:
        first = tf.zeros([2, 3])

        def count(time, state, inputs, output, context):
            context = tf.constant(0) if context is None else context + 1
            return None, first if state is None else state, inputs, output, context

        outputs, _, context = tf.contrib.seq2seq.dynamic_rnn_decoder(
            tf.nn.rnn_cell.GRUCell(3),
            count,
            tf.zeros([4, 2, 5]),
            tf.constant([4, 3]),
            time_major=True,
        )
        sess.run(tf.global_variables_initializer())
        assert sess.run(tf.shape(outputs)).tolist() == [4, 2, 3]
        assert sess.run(context) == 4


def test_inputs_are_none_where_the_likeliest_symbol_is_fed():
    infer = tf.contrib.seq2seq.simple_decoder_fn_inference(
        None, tf.zeros([2, 3]), tf.zeros([4, 5]), 0, 1, 2, 4
    )
    with pytest.raises(ValueError, match="Expected cell_input to be None"):
        infer(0, None, tf.zeros([2, 5]), None, None)


def test_another_attention_is_refused():
    pytest.importorskip("tf_slim", reason="needs tf_slim: pip install 'tfqueue[slim]'")
    with tf.Graph().as_default():
        keys, values, score, _ = tf.contrib.seq2seq.prepare_attention(
            tf.zeros([2, 3, 4]), "additive", 4
        )
        with pytest.raises(ValueError, match="additive"):
            score(tf.zeros([2, 4]), keys, values)


@pytest.mark.parametrize(
    ("assumed", "expected"), [("1.0", "logits labels"), ("1.1", "labels logits"), ("1.2", "named")]
)
def test_a_loss_of_ones_own_is_called_as_its_release_did(from_release, assumed, expected):
    from_release(assumed)

    def loss(first=None, second=None, *, labels=None, logits=None):
        if labels is not None and logits is not None:
            calls.append("named")
            return tf.reduce_sum(logits, 1)
        calls.append("labels logits" if first.dtype.is_integer else "logits labels")
        return tf.reduce_sum(second if first.dtype.is_integer else first, 1)

    calls = []
    with tf.Graph().as_default(), tf.Session() as sess:
        found = tf.contrib.seq2seq.sequence_loss(
            tf.ones([2, 3, 4]), tf.zeros([2, 3], tf.int32), tf.ones([2, 3]),
            softmax_loss_function=loss,
        )  # fmt: skip
        assert sess.run(found) == 4
    assert calls == [expected]
