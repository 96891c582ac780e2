"""Mechanisms and wrappers of one's own; the numbers are those of TensorFlow 1.15.5 and 1.4.1."""

import importlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release
from tfqueue.contrib.seq2seq import attention

MEMORY = np.linspace(-1, 1, 24).reshape(2, 3, 4).astype(np.float32)


class Location(tf.contrib.seq2seq.BahdanauAttention):
    """One with a state of its own, which is the sum of all alignments."""

    def __init__(self, units, memory, lengths):
        super().__init__(num_units=units, memory=memory, memory_sequence_length=lengths)
        ones = tf.ones_initializer()
        self.extra = tf.layers.Dense(units, name="extra", use_bias=False, kernel_initializer=ones)

    def __call__(self, query, state):
        with tf.variable_scope(None, "location", [query]):
            query = tf.expand_dims(self.query_layer(query), 1)
            summed = self.keys + query + self.extra(tf.expand_dims(state, 2))
            score = tf.reduce_sum(tf.tanh(summed), [2])
        alignments = self._probability_fn(score, state)
        return alignments, alignments + state


class Before(attention._BaseAttentionMechanism):
    """One as of 1.2 to 1.5, which takes and gives the alignments alone."""

    def __init__(self, units, memory, lengths, normalize):
        dense = tf.layers.Dense
        super().__init__(
            query_layer=dense(units, name="query_layer", use_bias=False),
            memory=memory,
            probability_fn=lambda score, before: tf.nn.softmax(score + before),
            memory_sequence_length=lengths,
            memory_layer=dense(units, name="memory_layer", use_bias=False),
        )
        self._normalize = normalize

    def __call__(self, query, previous_alignments):
        with tf.variable_scope(None, "own", [query]):
            query = self.query_layer(query)
            score = attention._bahdanau_score(query, self._keys, self._normalize)
        with tf.variable_scope(None, "luong", [query]):
            score += attention._luong_score(query, self.keys, True)
        return self._probability_fn(score, previous_alignments)


class Wrapper(tf.contrib.seq2seq.AttentionWrapper):
    """A wrapper that makes its state itself, as of 1.2 to 1.5."""

    def call(self, inputs, state):
        inputs = self._cell_input_fn(inputs, state.attention)
        output, cell_state = self._cell(inputs, state.cell_state)
        with tf.control_dependencies(self._batch_size_checks(output.shape[0].value, "batch")):
            output = tf.identity(output)
        computed, alignments = attention._compute_attention(
            self._attention_mechanisms[0], output, state.alignments, self._attention_layers[0]
        )
        return computed, tf.contrib.seq2seq.AttentionWrapperState(
            time=state.time + 1,
            cell_state=cell_state,
            attention=computed,
            alignments=self._item_or_tuple([alignments]),
            alignment_history=(),
        )


def steps(kind, make, number):
    """The alignments and the first column of the output after some steps."""
    with tf.Graph().as_default(), tf.Session() as sess:
        with tf.variable_scope("s", initializer=tf.constant_initializer(0.3)):
            cell = kind(
                tf.nn.rnn_cell.GRUCell(4), make(tf.constant(MEMORY)), attention_layer_size=3
            )
            state = cell.zero_state(2, tf.float32)
            for _ in range(number):
                output, state = cell(tf.ones([2, 2]), state)
        sess.run(tf.global_variables_initializer())
        return sess.run([state.alignments, output[:, 0]])


def test_a_mechanism_of_ones_own_gives_no_attention_to_what_is_padded():
    seen = steps(tf.contrib.seq2seq.AttentionWrapper, lambda m: Location(5, m, [2, 3]), 2)
    aligned = [[0.01218, 0.98782, 0.0], [0.04402, 0.28692, 0.66906]]
    np.testing.assert_allclose(seen[0], aligned, atol=2e-5)
    np.testing.assert_allclose(seen[1], [-0.51033, 1.06378], atol=2e-5)


@pytest.mark.parametrize("kind", [tf.contrib.seq2seq.AttentionWrapper, Wrapper])
@pytest.mark.parametrize(
    ("normalize", "aligned", "first"),
    [
        (False, [[0.26112, 0.73888, 0.0], [0.07758, 0.23033, 0.69209]], [-0.62454, 1.12318]),
        (True, [[0.3087, 0.6913, 0.0], [0.09686, 0.24885, 0.65429]], [-0.65334, 1.10167]),
    ],
)
def test_a_mechanism_that_has_alignments_for_a_state(kind, normalize, aligned, first):
    seen = steps(kind, lambda m: Before(5, m, [2, 3], normalize), 3)
    np.testing.assert_allclose(seen[0], aligned, atol=2e-5)
    np.testing.assert_allclose(seen[1], first, atol=2e-5)


def test_a_mechanism_gives_its_alignments_alone_up_to_1_5():
    with tf.Graph().as_default():
        made = tf.contrib.seq2seq.LuongAttention(4, tf.constant(MEMORY))
        given = tf.ones([2, 4]), made.initial_alignments(2, tf.float32)
        assert len(made(*given)) == 2
        release.assume("1.5")
        try:
            assert tf.is_tensor(made(*given))
        finally:
            release.assume(None)


def test_a_score_has_the_variables_that_it_is_given():
    with tf.Graph().as_default(), tf.Session() as sess:
        query, keys = tf.ones([2, 4]), tf.constant(MEMORY)
        v = tf.constant([1.0, 2.0, 0.5, 0.25])
        plain = attention._bahdanau_score(query, keys, v)
        scaled = attention._bahdanau_score(query, keys, v, tf.constant(2.0), tf.zeros([4]))
        luong = [attention._luong_score(query, keys, scale) for scale in (None, 2.0)]
        assert not tf.global_variables()
        plain, scaled, luong = sess.run([plain, scaled, luong])
        np.testing.assert_allclose(scaled, plain * 2 / np.sqrt(5.3125), rtol=1e-5)
        np.testing.assert_allclose(luong[0], MEMORY.sum(-1), rtol=1e-5)
        np.testing.assert_allclose(luong[1], 2 * MEMORY.sum(-1), rtol=1e-5)
        with pytest.raises(ValueError, match="inner dimensions between query and keys"):
            attention._luong_score(tf.ones([2, 3]), keys, None)


def test_what_gives_probabilities_is_a_function():
    with pytest.raises(TypeError, match="probability_fn must be callable, saw type: int"):
        attention._BaseAttentionMechanism(None, tf.constant(MEMORY), 3)


def test_the_parts_of_a_loop_of_ones_own():
    inner = importlib.import_module("tfqueue.v1.contrib.seq2seq.python.ops.decoder")
    helper = importlib.import_module("tfqueue.v1.contrib.seq2seq.python.ops.helper")
    with tf.Graph().as_default(), tf.Session() as sess:
        sizes = {"a": 3, "b": tf.TensorShape([2, 1]), "c": tf.TensorShape([])}
        dtypes = {"a": tf.float32, "b": tf.int32, "c": tf.bool}
        zeros = inner._create_zero_outputs(sizes, dtypes, tf.constant(4))
        found = sess.run(zeros)
        assert {key: value.shape for key, value in found.items()} == {
            "a": (4, 3),
            "b": (4, 2, 1),
            "c": (4,),
        }
        assert {key: value.dtype for key, value in zeros.items()} == dtypes
        assert sess.run(helper._unstack_ta(tf.constant([[1, 2], [3, 4]])).read(1)).tolist() == [
            3,
            4,
        ]


def test_the_state_of_a_search_had_four_parts_up_to_1_8():
    state = tf.contrib.seq2seq.BeamSearchDecoderState("cell", "log_probs", "finished", "lengths")
    assert state.accumulated_attention_probs == ()


def test_only_an_additive_score_has_a_layer_for_the_query():
    memory = tf.zeros([2, 3, 4])
    assert tf.contrib.seq2seq.LuongAttention(4, memory).query_layer is None
    assert tf.contrib.seq2seq.BahdanauAttention(4, memory).query_layer.units == 4


def test_a_state_keeps_the_shape_that_it_had():
    from tfqueue.contrib.seq2seq import decoders

    old, new = tf.zeros([2, 3]), tf.placeholder_with_default(tf.ones([2, 3]), None)
    kept = decoders._kept(tf.constant([True, False]), old, new)
    assert kept.shape.as_list() == new.shape.as_list() == [2, 3]
