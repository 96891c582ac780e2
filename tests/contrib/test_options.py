"""Options of `tf.contrib` that change a value, a shape or a sentence; the values are TensorFlow 1.15.5's."""

import numpy as np
import pytest

import tfqueue.v1 as tf

contrib = tf.contrib


def value(fetches):
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        return sess.run(fetches)


@pytest.mark.parametrize(("mechanisms", "sizes"), [(1, [3, 3]), (2, [3])])
def test_a_wrong_number_of_attention_layers_is_told(mechanisms, sizes):
    made = [contrib.seq2seq.LuongAttention(4, tf.ones([2, 4, 3])) for _ in range(mechanisms)]
    with pytest.raises(ValueError, match="exactly one integer per attention_mechanism, saw"):
        contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.GRUCell(4), made, sizes)


def test_a_cell_that_is_called_twice_has_its_variables_once():
    cell = contrib.rnn.NASCell(4)
    state = cell.zero_state(2, tf.float32)
    first, _ = cell(tf.ones([2, 3]), state)
    count = len(tf.global_variables())
    second, _ = cell(tf.ones([2, 3]), state)
    assert len(tf.global_variables()) == count
    one, other = value([first, second])
    np.testing.assert_array_equal(one, other)


CELLS = {
    "BasicRNNCell": lambda: tf.nn.rnn_cell.BasicRNNCell(4),
    "GRUCell": lambda: tf.nn.rnn_cell.GRUCell(4),
    "LSTMCell": lambda: tf.nn.rnn_cell.LSTMCell(4),
    "BasicLSTMCell": lambda: tf.nn.rnn_cell.BasicLSTMCell(4, name="basic"),
    "NASCell": lambda: contrib.rnn.NASCell(4),
    "NASCell, projected": lambda: contrib.rnn.NASCell(4, num_proj=3),
    "GRUBlockCellV2": lambda: contrib.rnn.GRUBlockCellV2(4),
    "LSTMBlockCell": lambda: contrib.rnn.LSTMBlockCell(4),
}


@pytest.mark.parametrize("name", CELLS)
def test_a_cell_that_was_built_is_not_built_again(name):
    cell = CELLS[name]()
    with tf.variable_scope("cell"):
        cell.build(tf.TensorShape([2, 3]))
        assert cell.built
        count = len(tf.global_variables())
        cell(tf.ones([2, 3]), cell.zero_state(2, tf.float32))
    assert len(tf.global_variables()) == count


def test_scores_of_beams_have_a_static_shape():
    cell = tf.nn.rnn_cell.GRUCell(4)
    decoder = contrib.seq2seq.BeamSearchDecoder(
        cell,
        np.ones([5, 3], np.float32),
        tf.constant([1, 1]),
        2,
        cell.zero_state(6, tf.float32),
        beam_width=3,
        output_layer=tf.layers.Dense(5),
    )
    _, inputs, state = decoder.initialize()
    outputs, state, _, finished = decoder.step(tf.constant(0), inputs, state)
    for tensor in (state.log_probs, state.lengths, state.finished, finished):
        assert tensor.shape.as_list() == [2, 3]
    assert outputs.scores.shape.as_list() == [2, 3]
    assert outputs.predicted_ids.shape.as_list() == [2, 3]


@pytest.mark.parametrize("dtype", [tf.int32, tf.float32])
def test_weights_of_ids_are_numbers_of_either_kind(dtype):
    layers = contrib.layers
    ids = layers.sparse_column_with_integerized_feature("ids", 4)
    column = layers.weighted_sparse_column(ids, "weights", dtype)
    features = {
        "ids": tf.sparse.from_dense(tf.constant([[1, 2], [3, 0]], tf.int64)),
        "weights": tf.sparse.from_dense(tf.constant([[2, 3], [4, 0]], dtype)),
    }
    found, _, _ = layers.weighted_sum_from_feature_columns(features, [column], 1)
    (weights,) = [each for each in tf.global_variables() if "weights" in each.name]
    change = weights.assign([[10.0], [1.0], [2.0], [3.0]])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(change)
        assert sess.run(found).tolist() == [[2 * 1 + 3 * 2], [4 * 3]]


def test_the_summary_of_a_queue_of_features_is_a_part_of_its_capacity():
    features = {"x": tf.constant([1, 2])}
    contrib.learn.queue_parsed_features(features, feature_queue_capacity=8)
    (fill,) = tf.get_collection(tf.GraphKeys.SUMMARIES)
    (runner,) = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    with tf.Session() as sess:
        for _ in range(2):
            sess.run(runner.enqueue_ops[0])
        summary = tf.Summary.FromString(sess.run(fill))
    assert [each.simple_value for each in summary.value] == [0.25]


def test_features_of_a_queue_keep_their_shapes():
    features = {"x": tf.zeros([2, 3]), "y": tf.placeholder(tf.int64, [None, 5])}
    _, found = contrib.learn.queue_parsed_features(features)
    assert {key: value.shape.as_list() for key, value in found.items()} == {
        "x": [2, 3],
        "y": [None, 5],
    }


@pytest.mark.parametrize(
    ("shapes", "says"),
    [
        (([8, 3], [2, 4], [2, 4]), "Logits must be a tensor of rank 3"),
        (([2, 4, 3], [8], [2, 4]), "Targets must be a tensor of rank 2"),
        (([2, 4, 3], [2, 4], [8]), "Weights must be a tensor of rank 2"),
    ],
)
def test_which_tensor_of_a_sequence_loss_is_wrong_is_told(shapes, says):
    logits, targets, weights = shapes
    with pytest.raises(ValueError, match=says):
        contrib.seq2seq.sequence_loss(tf.ones(logits), tf.ones(targets, tf.int32), tf.ones(weights))


def test_many_examples_are_rows():
    with pytest.raises(ValueError, match="must have rank at least 1"):
        contrib.training.rejection_sample(
            [tf.constant(1)], lambda given: tf.constant(0.5), 2, enqueue_many=True
        )


@pytest.mark.parametrize("lengths", [None, [1, 2]])
def test_a_fused_cell_takes_as_many_examples_as_there_are(lengths):
    inputs = tf.placeholder_with_default(tf.ones([3, 2, 2]), [3, None, 2])
    cell = contrib.rnn.LSTMBlockFusedCell(2)
    outputs, state = cell(inputs, dtype=tf.float32, sequence_length=lengths)
    assert [part.shape for part in value([outputs, *state])] == [(3, 2, 2), (2, 2), (2, 2)]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("recursive", [[0.1, 0.45, 0.1125, 0.3375], [0, 0.5, 0.25, 0.125]]),
        ("parallel", [[0.1, 0.45, 0.1125, 0.3375], [0, 0.5, 0, 0]]),
        ("hard", [[0, 0, 0, 1], [0, 0.5, 0, 0]]),
    ],
)
def test_monotonic_attention_moves_forward(mode, expected):
    stop = tf.constant([[0.1, 0.5, 0.25, 1], [0, 1, 0.5, 0.5]])
    before = tf.constant([[1.0, 0, 0, 0], [0.25, 0.25, 0.5, 0]])
    stop = tf.round(stop) if mode == "hard" else stop
    got = value(contrib.seq2seq.monotonic_attention(stop, before, mode))
    np.testing.assert_allclose(got, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("heads", "at_once", "expected"),
    [
        (1, False, [0.469626, 0.469108, 0.181854, 0.246754]),
        (2, False, [0.810147, 0.830830, 0.216427, 0.284127]),
        (2, True, [0.814046, 0.834228, 0.220198, 0.291892]),
    ],
)
def test_a_decoder_looks_with_several_heads(heads, at_once, expected):
    with tf.variable_scope("model", initializer=tf.constant_initializer(0.3)):
        outputs, state = contrib.legacy_seq2seq.attention_decoder(
            [tf.constant([[1.0, 2.0]]), tf.constant([[0.5, -1.0]])],
            tf.constant([[0.1, 0.2]]),
            tf.constant([[[1.0, 0.0, 0.5], [0.2, 0.4, 0.1]]]),
            tf.nn.rnn_cell.GRUCell(2),
            num_heads=heads,
            initial_state_attention=at_once,
        )
    first, second, last = value([*outputs, state])
    found = [first[0, 0], second[0, 0], *last[0]]
    np.testing.assert_allclose(found, expected, atol=2e-6)
    assert (first[0, 0], second[0, 0]) == (first[0, 1], second[0, 1])
