"""Columns of features count as in the release, for the seeds of what is random behind them.

The numbers are those of TensorFlow 1.4.1, 1.5.0, 1.8.0, 1.9.0, 1.12.3, 1.13.2, 1.14.0 and 1.15.5.
"""

import pytest

import tfqueue.v1 as tf
from tfqueue import release

RELEASES = ("1.4", "1.5", "1.8", "1.9", "1.12", "1.13", "1.14", "1.15")
_columns = tf.feature_column


def _categories():
    return {
        "x": _columns.bucketized_column(_columns.numeric_column("x"), [0.0, 1.0, 2.0]),
        "s": _columns.categorical_column_with_hash_bucket("s", 10),
        "v": _columns.categorical_column_with_vocabulary_list("s", ["a", "b", "c"]),
        "i": _columns.categorical_column_with_identity("i", 5),
        "sparse": _columns.categorical_column_with_hash_bucket("sparse", 10),
        "both": _columns.crossed_column(["s", "i"], 20),
        "bucket": _columns.crossed_column(
            [_columns.bucketized_column(_columns.numeric_column("x"), [0.0, 1.0, 2.0]), "s"], 20
        ),
    }


def _dense(column):
    return lambda features, categories: _columns.input_layer(features, [column])


def _rows(of, **given):
    return lambda features, categories: _columns.input_layer(
        features, [_columns.embedding_column(categories[of], 4, **given)]
    )


def _marks(of):
    return lambda features, categories: _columns.input_layer(
        features, [_columns.indicator_column(categories[of])]
    )


def _linear(*of, **given):
    def build(features, categories):
        number = _columns.numeric_column("x")
        columns = [number if name == "number" else categories[name] for name in of]
        return _columns.linear_model(features, columns, **given)

    return build


ROWS = {  # what is made of columns, and how many ops that is in each release
    "a number": (_dense(_columns.numeric_column("x")), (10,) * 8),
    "marks of words": (_marks("s"), (43, 26, 26, 26, 26, 26, 26, 26)),
    "marks of a vocabulary": (_marks("v"), (52, 35, 35, 35, 35, 35, 35, 35)),
    "marks of identities": (_marks("i"), (77, 60, 60, 60, 60, 60, 60, 64)),
    "rows of words": (_rows("s"), (93, 76, 80, 80, 81, 81, 81, 81)),
    "sums of rows": (_rows("s", combiner="sum"), (93, 76, 80, 80, 81, 81, 81, 81)),
    "rows of what is sparse": (_rows("sparse"), (71, 71, 75, 75, 76, 76, 76, 76)),
    "rows of pairs": (_rows("both"), (71, 71, 75, 75, 76, 76, 76, 76)),
    "linear in a number": (_linear("number"), (19, 19, 19, 23, 23, 23, 23, 23)),
    "linear in buckets": (_linear("x"), (110, 110, 114, 118, 119, 112, 112, 112)),
    "linear in words": (_linear("s"), (94, 77, 81, 85, 86, 85, 85, 85)),
    "linear in what is sparse": (_linear("sparse"), (72, 72, 76, 80, 81, 80, 80, 80)),
    "linear in identities": (_linear("i"), (128, 111, 115, 119, 120, 119, 119, 123)),
    "linear in pairs": (_linear("bucket"), (112, 112, 116, 120, 121, 114, 114, 114)),
    "three logits": (_linear("number", "s", units=3), (107, 90, 94, 100, 101, 100, 100, 100)),
}


@pytest.mark.parametrize("number", range(len(RELEASES)), ids=RELEASES)
def test_columns_count_as_in_the_release(number):
    former = release.assume(RELEASES[number])
    found = {}
    try:
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            features = {
                "x": tf.placeholder(tf.float32, [None, 1]),
                "s": tf.placeholder(tf.string, [None, 1]),
                "i": tf.placeholder(tf.int64, [None, 1]),
                "sparse": tf.sparse_placeholder(tf.string, [None, None]),
            }
            for name, (build, _) in ROWS.items():
                before = tf.get_seed(None)[1]
                with tf.variable_scope(name.replace(" ", "_")):
                    build(features, _categories())
                found[name] = tf.get_seed(None)[1] - before
    finally:
        release.assume(former)
    assert found == {name: counts[number] for name, (_, counts) in ROWS.items()}
