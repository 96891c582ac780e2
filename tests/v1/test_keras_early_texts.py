"""How texts were numbered, and labels became vectors: what 1.4.1, 1.8.0, 1.10.1, 1.11.0 and 1.15.5 gave."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

pytest.importorskip("tf_keras", reason="needs tf_keras: pip install 'tfqueue[keras]'")


def tokenizer(texts, *arguments, **named):
    made = tf.keras.preprocessing.text.Tokenizer(*arguments, **named)
    made.fit_on_texts(texts)
    return made


@pytest.mark.parametrize(
    ("when", "words", "numbers"),
    [
        ("1.8", {"a": 1, "b": 2, "c": 3, "UNK": 4}, [1, 2, 4]),
        ("1.10", {"a": 1, "b": 2, "c": 3, "UNK": 4}, [1, 2, 4]),
        ("1.11", {"UNK": 1, "a": 2, "b": 3, "c": 4}, [2, 1, 1, 1]),
        (None, {"UNK": 1, "a": 2, "b": 3, "c": 4}, [2, 1, 1, 1]),
    ],
)
def test_words_that_are_not_known(when, words, numbers):
    release.assume(when)
    made = tokenizer(["a a a b b c"], 3, oov_token="UNK")
    assert made.word_index == words
    assert made.index_word == {number: word for word, number in words.items()}
    assert made.texts_to_sequences(["a b c z"]) == [numbers]
    assert (made.lower, made.oov_token) == (True, "UNK")
    # a second text does not number it again
    made.fit_on_texts(["c c c c"])
    assert sorted(made.word_index.values()) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("when", "words", "numbers"),
    [
        ("1.4", {"b": 1, "a": 2, "c": 3}, [1]),
        ("1.10", {"b": 1, "a": 2, "c": 3}, [1]),
        (None, {"b": 1, "a": 2, "c": 3}, [1]),
    ],
)
def test_without_a_word_for_them_they_are_left_out(when, words, numbers):
    release.assume(when)
    made = tokenizer(["B, a b? B A c"], 2)
    assert made.word_index == words
    assert made.texts_to_sequences(["b a z"]) == [numbers]
    assert made.texts_to_matrix(["b b a"], "count").tolist() == [[0, 2]]


@pytest.mark.parametrize("when", ["1.4", "1.10", "1.11", None])
def test_characters_had_their_own_case(when):
    release.assume(when)
    early = when in ("1.4", "1.10")
    made = tokenizer(["ab A"], char_level=True)
    rest = {" ": 3, "A": 4} if early else {" ": 3}
    assert made.word_index == {"a": 1, "b": 2, **rest}
    assert made.texts_to_sequences(["bA"]) == [[2, 4 if early else 1]]


@pytest.mark.parametrize(
    ("when", "dtype", "shape"),
    [
        ("1.4", np.float64, (4, 2)),
        ("1.5", np.float64, (2, 2, 2)),
        ("1.8", np.float64, (2, 2, 2)),
        ("1.9", np.float32, (2, 2, 2)),
        (None, np.float32, (2, 2, 2)),
    ],
)
def test_labels_as_vectors(when, dtype, shape):
    release.assume(when)
    found = tf.keras.utils.to_categorical([[0, 1], [1, 0]])
    assert found.dtype == dtype
    assert found.shape == shape
    assert found.argmax(-1).ravel().tolist() == [0, 1, 1, 0]
    assert tf.keras.utils.to_categorical([2], 4).tolist() == [[0, 0, 1, 0]]


def test_labels_of_a_program_for_keras_1():
    release.assume_keras_1(True)
    found = tf.keras.utils.to_categorical([[0, 1], [1, 0]], 2)
    assert (found.dtype, found.shape) == (np.float64, (4, 2))


@pytest.mark.parametrize(("when", "shape"), [("1.13", ()), ("1.14", (2,)), (None, (2,))])
def test_top_k_of_a_column_of_labels(when, shape):
    release.assume(when)
    scores = tf.constant([[0.2, 0.7, 0.1], [0.3, 0.4, 0.1]])
    metric = tf.keras.metrics.sparse_top_k_categorical_accuracy
    for labels in ([[1.0], [0.0]], [1.0, 0.0]):
        with tf.Session() as sess:
            assert np.shape(sess.run(metric(tf.constant(labels), scores, 2))) == shape


@pytest.mark.parametrize(
    ("when", "words", "numbers"),
    [
        ("1.8", {"a": 1, "A": 2, "b": 3, "U": 4}, [[2, 4], [1, 4]]),
        ("1.10", {"a": 1, "A": 2, "b": 3, "U": 4}, [[2, 4], [1, 4]]),
        ("1.11", {"U": 1, "a": 2, "b": 3}, [[2, 1], [2, 1]]),
    ],
)
def test_lists_of_words_had_their_own_case(when, words, numbers):
    release.assume(when)
    made = tokenizer([["A", "a", "a"], "A b"], oov_token="U")
    assert made.word_index == words
    assert made.texts_to_sequences([["A", "z"], "A z"]) == numbers
