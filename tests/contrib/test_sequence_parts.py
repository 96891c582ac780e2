"""Parts of `tf.contrib.seq2seq`, `legacy_seq2seq`, `data` and `framework` give what they gave in TensorFlow 1.15.5."""

import inspect
import json
import pathlib

import numpy as np
import pytest

import tfqueue.v1 as tf
from tests.contrib import sequence_parts
from tfqueue import release

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


def test_a_state_that_was_not_tiled_is_refused():
    seq2seq, cell = tf.contrib.seq2seq, tf.contrib.rnn.GRUCell(3)
    start, table = tf.constant([0, 0]), tf.zeros([5, 3])
    with pytest.raises(
        ValueError, match=r"2 rows and the batch 2 entries of 2 beams\. Does it come"
    ):
        seq2seq.BeamSearchDecoder(cell, table, start, 1, tf.zeros([2, 3]), 2)
    assert seq2seq.BeamSearchDecoder(cell, table, start, 1, tf.zeros([4, 3]), 2).output_size[0] == [
        2
    ]


# arguments: (sizes of the state, width of the output, sum, the last output, sums of the states)
ATTENTION = [
    (
        {"attn_vec_size": 2},
        (4, 4, 12),
        0.9068487733602524,
        [0.4476222097873688, 0.24083095788955688, -0.18737910687923431, -0.44331374764442444],
        [1.150198820978403, 0.1768348515033722, 0.39296160638332367],
    ),
    (
        {"attn_size": 5},
        (4, 5, 15),
        -12.708550915122032,
        [
            3.159921884536743,
            0.9407457113265991,
            -2.14334774017334,
            -3.2568576335906982,
            -1.376027226448059,
        ],
        [1.009186316281557, -2.326506197452545, -11.112327098846436],
    ),
    (
        {"attn_size": 2, "attn_vec_size": 3, "input_size": 4},
        (4, 2, 6),
        4.983918532729149,
        [0.49054086208343506, -0.06841877102851868],
        [0.4302703067660332, 0.9037997014820576, 2.4045651853084564],
    ),
]


@pytest.mark.parametrize(("given", "sizes", "total", "last", "sums"), ATTENTION)
def test_attention_to_the_last_outputs_has_its_sizes(given, sizes, total, last, sums):
    """Printed by TensorFlow 1.15.5, with the same numbers in the variables."""
    line = np.sin(np.arange(30)).reshape(2, 5, 3).astype(np.float32)
    cell = tf.contrib.rnn.AttentionCellWrapper(tf.contrib.rnn.GRUCell(4), 3, **given)
    assert (cell.state_size, cell.output_size) == (sizes, sizes[1])
    found = tf.nn.dynamic_rnn(cell, tf.constant(line), dtype=tf.float32)
    with tf.Session() as sess:
        for variable in tf.trainable_variables():
            shape = variable.shape.as_list()
            values = np.cos(np.arange(np.prod(shape))).reshape(shape) * 0.5
            variable.load(values.astype(np.float32), sess)
        outputs, state = sess.run(found)
    np.testing.assert_allclose(outputs.sum(dtype=float), total, rtol=1e-4)
    np.testing.assert_allclose(outputs[-1, -1], last, rtol=1e-4)
    np.testing.assert_allclose([each.sum(dtype=float) for each in state], sums, rtol=1e-3)


# (its release, its function, whether that is given the labels first)
OWN_LOSSES = [
    ("0.12", lambda inputs, labels: (inputs, labels), False),
    ("0.12", lambda labels, logits: (labels, logits), False),  # by position: its names are wrong
    ("0.12", lambda a, b: (a, b), False),
    (None, lambda labels, inputs: (labels, inputs), True),
    (None, lambda targets, x: (targets, x), True),
    (None, lambda inputs, labels: (inputs, labels), False),
    (None, lambda logits, labels: (labels, logits), True),
    (None, lambda **given: (given["labels"], given["logits"]), True),
]


@pytest.mark.parametrize(("written", "pair", "labels_first"), OWN_LOSSES, ids=range(8))
def test_a_loss_of_its_own_is_called_as_its_release_called_it(
    monkeypatch, written, pair, labels_first
):
    monkeypatch.setattr(release, "_assumed", (0, 12) if written else release.LAST)
    logits, labels = tf.constant([[1.0, 2.0]]), tf.constant([1])
    seen = []

    def given(*pair):
        seen.extend(pair)
        return tf.constant([3.0])

    def own(*args, **words):
        return given(*pair(*args, **words))

    own.__signature__ = inspect.signature(pair)
    tf.nn.seq2seq.sequence_loss([logits], [labels], [tf.ones([1])], softmax_loss_function=own)
    expected = [labels, logits] if labels_first else [logits, labels]
    assert [one is other for one, other in zip(seen, expected, strict=True)] == [True, True]


def test_a_loss_whose_names_tell_nothing_is_refused():
    losses = [[tf.ones([1, 2])], [tf.constant([1])], [tf.ones([1])]]
    with pytest.raises(TypeError, match="unexpected keyword argument 'labels'"):
        tf.nn.seq2seq.sequence_loss(*losses, softmax_loss_function=lambda a, b: a)
