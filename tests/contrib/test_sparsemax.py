"""`tf.contrib.sparsemax`; the numbers were printed by TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfqueue.v1 as tf

pytestmark = pytest.mark.slow
NAN, INF = np.nan, np.inf
# logits, shares, the loss of the second class
ROWS = [
    ([0.1, 1.2, 0.3], [0, 0.95, 0.05], 0.0025),
    ([2, 2, 2], [0.3333, 0.3333, 0.3333], 0.3333),
    ([-1, -3, 5], [0, 0, 1], 8),
    ([0.5, 0.4, 0.45], [0.3833, 0.2833, 0.3333], 0.3858),
    ([1e3, 1e3 + 0.5, 0], [0.25, 0.75, 0], 0.0625),
    ([-INF, 1, 2], [0, 0, 1], 1),
    ([NAN, 1, 2], [NAN] * 3, NAN),
    ([INF, 1, 2], [NAN] * 3, NAN),
    ([-INF] * 3, [NAN] * 3, NAN),
]


def test_shares_and_losses():
    logits, shares, losses = (np.float32(part) for part in zip(*ROWS, strict=True))
    sparse = tf.contrib.sparsemax
    with tf.Graph().as_default(), tf.Session() as sess:
        found = sparse.sparsemax(logits)
        loss = sparse.sparsemax_loss(logits, found, np.float32([[0, 1, 0]] * len(ROWS)))
        values = sess.run([found, loss])
    np.testing.assert_allclose(values[0], shares, atol=1e-4)
    np.testing.assert_allclose(values[1], losses, atol=1e-4)


def test_gradients():
    with tf.Graph().as_default(), tf.Session() as sess:
        logits = tf.constant([[0.5, 0.4, 0.45]])
        found = tf.contrib.sparsemax.sparsemax(logits)
        loss = tf.contrib.sparsemax.sparsemax_loss(logits, found, [[0.0, 1.0, 0.0]])
        of_loss, of_square = (tf.gradients(y, logits)[0] for y in (loss, found * found))
        values = sess.run([of_loss, of_square])
    np.testing.assert_allclose(values[0], [[0.3833, -0.7167, 0.3333]], atol=1e-4)
    np.testing.assert_allclose(values[1], [[0.1, -0.1, 0]], atol=1e-4)
