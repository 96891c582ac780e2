"""`tfqueue.v1._old_numbers`: values of TensorFlow 1.4.1, 1.8.0 and 1.15.5, of the same arguments."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release


@pytest.fixture(params=["1.4", "1.5", "1.6", "1.10", "1.11", None])
def era(request):
    """The release that the program is known to be from."""
    former = release.assume(request.param)
    yield tuple(map(int, (request.param or "1.15").split(".")))
    release.assume(former)


def test_the_pairs_of_an_example_are_counted_twice_up_to_1_5(era):
    draw = np.random.RandomState(0)
    labels, predictions, fed = (draw.rand(*s).astype("f") for s in [(4, 2, 3), (4, 2, 3), (3, 4)])
    weights = np.float32([1, 0, 2, 1]).reshape(4, 1, 1)
    given = tf.placeholder(tf.float32, [None, None])
    losses = [
        tf.losses.mean_pairwise_squared_error(labels, predictions),
        tf.losses.mean_pairwise_squared_error(labels, predictions, weights=weights),
        tf.losses.mean_pairwise_squared_error(given * 2, given, weights=3.0),
        tf.losses.get_total_loss(),
        tf.losses.mean_pairwise_squared_error(np.float32([1, 2, 5]), np.float32([2, 2, 2])),
        tf.losses.mean_pairwise_squared_error(labels, predictions, loss_collection=None),
    ]
    old = era <= (1, 5)
    expected = [0.96714, 1.16869, 1.01207] if old else [1.16057, 1.40243, 1.34942]
    with tf.Session() as sess:
        found = sess.run(losses, {given: fed})
    assert found[:3] == pytest.approx(expected, abs=2e-5)
    assert found[3:] == pytest.approx([sum(expected), 0, expected[0]], abs=2e-5)
    assert len(tf.get_collection("losses")) == 4


def test_scores_of_ctc_are_beside_the_largest_logit_up_to_1_10(era):
    logits = np.random.RandomState(0).randn(6, 2, 4).astype("f")
    decoded, scores = tf.nn.ctc_beam_search_decoder(logits, [6, 4], top_paths=2)
    with tf.Session() as sess:
        paths, found = sess.run([decoded, scores])
    assert [path.values.tolist() for path in paths] == [[0, 0, 2, 1], [2, 0, 0, 1]]
    if era <= (1, 10):
        expected = [[0.73920, 0.52653], [1.17412, 1.01350]]
    else:
        expected = [[-2.08225, -2.29492], [-1.99058, -2.15121]]
    assert found == pytest.approx(np.array(expected), abs=2e-5)
