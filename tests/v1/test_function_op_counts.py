"""Functions count as in the release, for the seeds of what is random behind them.

The numbers are those of TensorFlow 1.4.1, 1.5.0, 1.6.0, 1.7.0, 1.8.0, 1.11.0, 1.12.3, 1.13.2, 1.14.0 and 1.15.5.
"""

from types import SimpleNamespace

import pytest

import tfqueue.v1 as tf
from tfqueue import release

RELEASES = ("1.4", "1.5", "1.6", "1.7", "1.8", "1.11", "1.12", "1.13", "1.14", "1.15")
_FED = {
    "x": (tf.float32, [None, 4]),
    "y": (tf.float32, [None, 4]),
    "k": (tf.float32, [3, 4]),
    "v": (tf.float32, [None]),
    "m": (tf.float32, [4, 4]),
    "bm": (tf.float32, [None, 4, 4]),
    "x3": (tf.float32, [None, 5, 4]),
    "x4": (tf.float32, [None, 8, 8, 3]),
    "x5": (tf.float32, [None, 4, 4, 4, 3]),
    "f4": (tf.float32, [3, 3, 3, 4]),
    "u": (tf.float32, None),
    "i": (tf.int32, [None]),
    "i2": (tf.int32, [None, 5]),
    "ln": (tf.int32, [None]),
    "n0": (tf.int32, []),
    "b": (tf.bool, [None]),
    "st": (tf.string, [None]),
}
ROWS = [  # a function, and how many ops that is in each release that has it; in all the same where it is one number
    (lambda g: tf.matrix_diag(g.x), 1),
    (lambda g: tf.matrix_set_diag(g.m, g.v), 1),
    (lambda g: tf.matrix_diag_part(g.bm), 1),
    (lambda g: tf.trace(g.m), 3),
    (lambda g: tf.cholesky(g.m), 1),
    (lambda g: tf.sequence_mask(g.ln), (9, 9, 9, 9, 9, 9, 9, 9, 11, 11)),
    (lambda g: tf.nn.swish(g.x), (None, 1, 1, 1, 1, 1, 1, 1, 1, 4)),
    (lambda g: tf.nn.softmax(g.x3), (14, 14, 14, 14, 14, 1, 1, 1, 1, 1)),
    (lambda g: tf.nn.softmax(g.u), (14, 14, 14, 14, 14, 1, 1, 1, 1, 1)),
    (lambda g: tf.nn.softmax(g.x, dim=0), (43, 43, 43, 43, 43, 31, 30, 31, 31, 31)),
    (lambda g: tf.nn.softmax(g.x, dim=1), 1),
    (lambda g: tf.nn.log_softmax(g.x3), (14, 14, 14, 14, 14, 1, 1, 1, 1, 1)),
    (lambda g: tf.nn.zero_fraction(g.x), (5, 5, 5, 5, 5, 5, 5, 26, 26, 26)),
    (
        lambda g: tf.parse_single_example(
            g.st[0], {"a": tf.FixedLenFeature([], tf.int64), "b": tf.VarLenFeature(tf.string)}
        ),
        (18, 18, 6, 6, 6, 6, 6, 6, 6, 6),
    ),
    (
        lambda g: tf.parse_single_example(
            g.st[0],
            {
                "a": tf.FixedLenFeature([2], tf.int64),
                "c": tf.FixedLenFeature([], tf.string),
                "d": tf.FixedLenFeature([], tf.string, default_value=""),
            },
        ),
        (19, 19, 10, 10, 10, 10, 10, 10, 10, 10),
    ),
    (
        lambda g: tf.parse_single_example(
            g.st[0], {"a": tf.SparseFeature("i", "v", tf.float32, 4)}
        ),
        (41, 41, 24, 24, 24, 24, 24, 24, 24, 24),
    ),
    (lambda g: tf.parse_example(g.st, {"a": tf.FixedLenFeature([], tf.int64)}), 4),
    (
        lambda g: tf.parse_example(
            g.st,
            {
                "a": tf.FixedLenFeature([], tf.int64, default_value=3),
                "b": tf.VarLenFeature(tf.string),
            },
        ),
        7,
    ),
    (
        lambda g: tf.parse_single_sequence_example(
            g.st[0],
            {"a": tf.FixedLenFeature([], tf.int64)},
            {"b": tf.FixedLenSequenceFeature([2], tf.float32)},
        ),
        10,
    ),
    (
        lambda g: tf.parse_single_sequence_example(
            g.st[0], None, {"b": tf.VarLenFeature(tf.int64)}
        ),
        8,
    ),
    (lambda g: tf.sparse_placeholder(tf.float32, [None, 3]), 3),
    (lambda g: tf.sparse_placeholder(tf.float32), 3),
    (lambda g: tf.confusion_matrix(g.i, g.i), (70, 70, 70, 62, 62, 62, 62, 62, 62, 62)),
    (
        lambda g: tf.confusion_matrix(g.i, g.i, num_classes=3),
        (109, 113, 113, 105, 105, 105, 105, 105, 105, 105),
    ),
    (lambda g: tf.metrics.accuracy(g.i, g.i), (26, 26, 32, 32, 24, 24, 24, 22, 22, 22)),
    (lambda g: tf.metrics.mean(g.v), (24, 24, 30, 30, 22, 22, 22, 20, 20, 20)),
    (lambda g: tf.metrics.mean_squared_error(g.x, g.y), (26, 26, 32, 32, 24, 24, 24, 22, 21, 21)),
    (
        lambda g: tf.metrics.root_mean_squared_error(g.x, g.y),
        (28, 28, 34, 34, 26, 26, 26, 24, 23, 23),
    ),
    (lambda g: tf.metrics.auc(g.b, g.v), (176, 176, 184, 184, 176, 176, 176, 170, 170, 174)),
    (lambda g: tf.losses.mean_squared_error(g.x, g.y, reduction=tf.losses.Reduction.SUM), 11),
    (lambda g: tf.losses.mean_squared_error(g.x, g.y, reduction="none"), 9),
    (
        lambda g: tf.losses.mean_squared_error(g.x, g.y, reduction=tf.losses.Reduction.MEAN),
        (30, 30, 32, 32, 30, 30, 30, 20, 20, 20),
    ),
    (lambda g: tf.losses.softmax_cross_entropy(g.x, g.y), (72, 73, 77, 77, 73, 73, 73, 63, 63, 63)),
    (lambda g: tf.assert_equal(g.i, g.i), (12, 12, 12, 12, 12, 12, 12, 12, 12, 1)),
    (lambda g: tf.einsum("ij,jk->ik", g.x, g.m), (20, 20, 20, 20, 20, 20, 20, 20, 20, 14)),
    (lambda g: tf.einsum("bhqd,bhkd->bhqk", g.x4, g.x4), (32, 32, 32, 32, 32, 32, 32, 32, 32, 28)),
    (lambda g: tf.einsum("bij,jk->bik", g.x3, g.m), (23, 23, 23, 23, 23, 23, 23, 23, 23, 17)),
    (lambda g: tf.einsum("ij->ji", g.x), 2),
    (lambda g: tf.einsum("bij->b", g.x3), (4, 4, 4, 4, 4, 4, 4, 4, 4, 2)),
    (lambda g: tf.assert_less(g.x, g.y), (21, 23, 23, 23, 23, 23, 23, 23, 23, 21)),
    (lambda g: tf.assert_less(g.x, g.y, message="m"), (21, 23, 23, 23, 23, 23, 23, 23, 23, 23)),
    (lambda g: tf.assert_equal(g.x, g.y, data=[g.x]), 14),
    (lambda g: tf.assert_equal(tf.shape(g.x)[0], g.n0, message="m"), 17),
    (lambda g: tf.assert_greater(g.x, g.y, message="m"), (21, 21, 21, 21, 21, 21, 21, 21, 21, 23)),
    (lambda g: tf.train.polynomial_decay(0.1, g.n0, 100), (14, 14, 14, 14, 14, 15, 15, 15, 15, 15)),
    (lambda g: tf.train.polynomial_decay(0.1, g.n0, 100, cycle=True), 26),
    (lambda g: tf.assert_equal(g.i, 1), (13, 13, 13, 13, 13, 13, 13, 13, 13, 11)),
    (lambda g: tf.map_fn(lambda q: q + 1, g.x), (46, 46, 46, 46, 46, 57, 57, 57, 57, 57)),
    (lambda g: tf.map_fn(lambda q: q + 1, g.k), (46, 46, 46, 46, 43, 56, 56, 56, 56, 56)),
    (lambda g: tf.foldl(lambda a, q: a + q, g.x), (39, 39, 39, 39, 39, 39, 39, 50, 50, 50)),
    (lambda g: tf.foldl(lambda a, q: a + q, g.k), (39, 39, 39, 39, 39, 35, 35, 48, 48, 48)),
    (lambda g: tf.foldr(lambda a, q: a + q, g.x), (39, 39, 39, 39, 39, 39, 39, 51, 51, 51)),
    (lambda g: tf.scan(lambda a, q: a + q, g.x), (55, 55, 55, 55, 66, 66, 66, 66, 66, 66)),
    (lambda g: tf.boolean_mask(g.v, g.b), (21, 26, 26, 26, 27, 27, 27, 27, 27, 27)),
    (lambda g: tf.nn.sufficient_statistics(g.x, [0]), (11, 11, 11, 11, 12, 12, 12, 12, 12, 12)),
    (lambda g: tf.nn.sufficient_statistics(g.k, [0]), 6),
    (lambda g: tf.image.decode_image(g.st[0]), (70, 70, 70, 73, 73, 80, 80, 80, 80, 80)),
    (
        lambda g: tf.layers.conv3d_transpose(g.x5, 4, 2),
        (None, None, 57, 57, 55, 55, 55, 51, 47, 47),
    ),
    (
        lambda g: tf.layers.conv3d_transpose(g.x5, 4, 2, use_bias=False),
        (46, 46, 46, 46, 46, 46, 46, 42, 42, 42),
    ),
    (lambda g: tf.reduce_logsumexp(g.x, 1), (13, 13, 14, 14, 14, 14, 14, 14, 14, 14)),
    (lambda g: tf.clip_by_value(g.x, 0.0, 1.0), (4, 4, 4, 4, 3, 4, 4, 4, 4, 4)),
    (lambda g: tf.clip_by_norm(g.x, 1.0), (12, 10, 10, 10, 10, 10, 17, 17, 17, 17)),
    (
        lambda g: tf.nn.softmax_cross_entropy_with_logits(logits=g.x, labels=g.y),
        (31, 32, 32, 32, 32, 32, 32, 32, 32, 32),
    ),
    (
        lambda g: tf.nn.sparse_softmax_cross_entropy_with_logits(logits=g.x3, labels=g.i2),
        (18, 18, 18, 36, 36, 36, 36, 36, 36, 34),
    ),
    (lambda g: tf.contrib.signal.stft(g.v, 4, 2), (94, 94, 96, 96, 94, 94, 94, 94, None, 94)),
    (lambda g: tf.contrib.signal.frame(g.v, 4, 2), (67, 67, 69, 69, 67, 67, 67, 67, None, 67)),
    (lambda g: tf.spectral.dct(g.x), (27, 27, 27, 27, 27, 28, 28, 28, 28, 28)),
    (lambda g: tf.contrib.layers.one_hot_encoding(g.i, 3), (7, 7, 7, 7, 7, 7, 7, 7, None, 7)),
    (lambda g: tf.regex_replace(g.st, "a", "b"), (None, None, None, 3, 3, 3, 3, 1, 1, 1)),
    (lambda g: tf.gather(g.R, g.i), 2),
    (lambda g: tf.nn.embedding_lookup(g.R, g.i), (4, 4, 4, 4, 4, 5, 5, 3, 3, 3)),
    (lambda g: tf.one_hot(g.i, 3), 4),
    (lambda g: tf.one_hot(g.i, 3, 1.0, 0.0), 6),
    (lambda g: tf.one_hot(g.i, 3, on_value=1.0), 5),
    (lambda g: g.x[: g.n0], 4),
    (lambda g: g.x[:, : g.n0], 5),
    (lambda g: g.x[g.n0 : g.n0 + 2, 1], 8),
    (lambda g: g.x3[..., : g.n0], 5),
    (lambda g: g.x[: g.n0, None], 5),
    (lambda g: g.x3[g.n0, : g.n0, 0], 9),
    (lambda g: g.x[tf.cast(g.n0, tf.int64) :], 7),
    (lambda g: g.W[: g.n0], 4),
    (lambda g: g.R[: g.n0], 5),
    (lambda g: g.W[g.n0], 6),
    (lambda g: tf.nn.embedding_lookup_sparse(g.W, g.sp, None), (8, 8, 8, 8, 9, 10, 10, 10, 10, 10)),
    (
        lambda g: tf.nn.embedding_lookup_sparse([g.W, g.W], g.sp, None, combiner="sum"),
        (28, 28, 28, 28, 30, 30, 30, 30, 30, 30),
    ),
    (
        lambda g: tf.nn.embedding_lookup_sparse([g.W, g.W], g.sp, None, "div"),
        (47, 42, 42, 42, 44, 44, 44, 44, 44, 44),
    ),
    (
        lambda g: tf.nn.embedding_lookup_sparse(g.W, g.sp, g.sw),
        (21, 21, 21, 21, 22, 26, 26, 26, 26, 26),
    ),
    (
        lambda g: tf.nn.embedding_lookup_sparse(g.R, g.sp, None),
        (11, 11, 11, 11, 11, 12, 12, 10, 10, 10),
    ),
    (
        lambda g: tf.nn.embedding_lookup_sparse(g.R, g.sp, g.sw),
        (24, 24, 24, 24, 24, 28, 28, 26, 26, 26),
    ),
    (
        lambda g: tf.nn.embedding_lookup_sparse(g.W, g.sp, None, max_norm=1.0),
        (20, 18, 18, 18, 19, 20, 27, 27, 27, 27),
    ),
    (lambda g: tf.nn.convolution(g.x4, g.f4, "SAME"), (2, 2, 2, 2, 2, 2, 2, 2, 1, 1)),
]


def _given():
    given = {name: tf.placeholder(dtype, shape) for name, (dtype, shape) in _FED.items()}
    given["W"] = tf.get_variable("W", [4, 3])
    given["R"] = tf.get_variable("R", [4, 3], use_resource=True)
    given["sp"], given["sw"] = tf.sparse_placeholder(tf.int64), tf.sparse_placeholder(tf.float32)
    return SimpleNamespace(**given)


@pytest.mark.parametrize("number", range(len(RELEASES)), ids=RELEASES)
def test_functions_count_as_in_the_release(number):
    former = release.assume(RELEASES[number])
    found, expected = {}, {}
    try:
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            given = _given()
            for row, (function, counts) in enumerate(ROWS):
                count = counts[number] if isinstance(counts, tuple) else counts
                if count is None:
                    continue
                before = tf.get_seed(None)[1]
                with tf.variable_scope(f"row_{row}"):
                    function(given)
                found[row], expected[row] = tf.get_seed(None)[1] - before, count
    finally:
        release.assume(former)
    assert found == expected
