"""What the text of an op says of its shape."""

import functools
import re

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.dataset import op_statements


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ([None], [-1]),
        ([None, 3], [-1, 3]),
        ([2, None, 3], [2, -1, 3]),
        ([2, 3], None),  # what is asked for may be another
        ([None, None], None),
        ([None, 0], None),  # any number times 0 is 0
        ([None, 0, 3], None),
        (None, None),
    ],
)
def test_a_shape_whose_only_unknown_dimension_follows_from_the_others(shape, expected):
    asked = tf.placeholder(tf.int32, [None if shape is None else len(shape)])
    reshaped = tf.reshape(tf.placeholder(tf.float32, [None]), asked)
    reshaped.set_shape(shape)
    assert op_statements._free_dimension(reshaped) == expected


def test_a_shape_that_is_known_is_written_as_it_is():
    reshaped = tf.reshape(tf.placeholder(tf.float32, [None]), [-1, 3])
    assert op_statements._free_dimension(reshaped) is None


def parsed():
    serialized = tf.train.string_input_producer(["a"], num_epochs=1).dequeue()
    sequence = functools.partial(tf.FixedLenSequenceFeature, allow_missing=True)
    return tf.parse_example(
        tf.train.batch([serialized], 2),
        {
            "given": tf.FixedLenFeature([2], tf.int64, [4, 5]),
            "filled": sequence([2], tf.float32, default_value=1.5),
            "needed": tf.FixedLenFeature([2], tf.int64),
            "plain": sequence([], tf.int64),
        },
    )


@pytest.mark.parametrize(
    "feature",
    [
        '"given": tf.io.FixedLenFeature([2], tf.int64, default_value=[4, 5])',
        '"filled": tf.io.FixedLenSequenceFeature([2], tf.float32, allow_missing=True, default_value=1.5)',
        '"needed": tf.io.FixedLenFeature([2], tf.int64)',
        '"plain": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True)',
    ],
)
def test_what_an_example_is_parsed_by_is_written_as_it_was(feature):
    with tfqueue.eager():
        text = tfqueue.dataset.source(parsed)
    laid_out = re.sub(r",? *\n *", " ", text).replace("( ", "(").replace(" )", ")")
    assert feature in laid_out
