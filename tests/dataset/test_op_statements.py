"""What the text of an op says of its shape."""

import pytest

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
