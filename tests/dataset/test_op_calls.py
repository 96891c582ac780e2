"""The functions that a written program calls are those that TensorFlow 2 has, with its defaults."""

import inspect
import re

import pytest
import tensorflow

import tfqueue.v1 as tf
from tfqueue.dataset import op_calls

ROWS = {kind: row for kind, row in op_calls.ROWS.items() if row[1]}


def function(text):
    """The function that the text of a row calls."""
    found = tensorflow
    for name in re.match(r"tf\.([\w.]+)\(", text)[1].split("."):
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("kind", op_calls.ROWS)
def test_the_function_of_a_row_is_there(kind):
    assert callable(function(op_calls.ROWS[kind][0]))


@pytest.mark.parametrize("kind", ROWS)
def test_what_a_row_leaves_out_is_the_functions_default(kind):
    text, left_out = ROWS[kind]
    parameters = inspect.signature(function(text)).parameters
    for name, default in left_out.values():
        known = parameters[name].default
        if isinstance(known, tensorflow.DType):
            known = f"tf.{known.name}"
        # An op has a value for what its function says by None.
        same = [[], -1, "tf.int32"] if known is None else [known, repr(known)]
        assert default in same, name


def test_an_attribute_that_a_function_does_not_take_is_for_the_raw_op():
    x = tf.placeholder(tf.float32, [2, 2])
    rows = {
        turned: op_calls.row(tf.matmul(x, x, transpose_b=turned).op) for turned in (False, True)
    }
    assert rows == {False: op_calls.ROWS["MatMul"], True: None}
