"""The functions that a written program calls are those that TensorFlow 2 has, with its defaults."""

import inspect
import re

import numpy as np
import pytest
import tensorflow

import tfqueue.v1 as tf
from tfqueue.dataset import op_calls, tables
from tfqueue.errors import CannotLiftError

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


@pytest.mark.parametrize(
    ("make", "has_row"),
    [
        *(
            (
                lambda x, n=n: tf.raw_ops.GatherV2(params=x, indices=[[0]], axis=2, batch_dims=n),
                not n,
            )
            for n in (0, 1, 2, -1)
        ),
        *(
            (lambda x, n=n: tf.raw_ops.Equal(x=x, y=x, incompatible_shape_error=n), n)
            for n in (True, False)
        ),
        *(
            (lambda x, n=n: tf.raw_ops.NotEqual(x=x, y=x, incompatible_shape_error=n), n)
            for n in (True, False)
        ),
        (lambda x: tf.raw_ops.RandomShuffle(value=x), True),
        (lambda x: tf.raw_ops.RandomShuffle(value=x, seed=1), False),
        (lambda x: tf.raw_ops.RandomShuffle(value=x, seed2=1), False),
        (lambda x: tf.raw_ops.Cumsum(x=x, axis=0), False),
    ],
)
def test_which_ops_have_a_row(make, has_row):
    with tf.Graph().as_default():
        op = make(tf.placeholder(tf.float32, [1, 1, 3])).op
        assert op_calls.row(op) == (op_calls.ROWS[op.type] if has_row else None)


def test_operators_of_python():
    x, n = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    assert op_calls.is_operator((x / x).op)
    assert op_calls.is_operator((n // n).op)
    assert not op_calls.is_operator(tf.raw_ops.RealDiv(x=n, y=n).op)


def raw(tensor):
    op = getattr(tensor, "op", tensor)
    return op_calls.raw(op, lambda each: each.op.name)


def test_ops_as_raw_ops():
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="y")
    words = tf.placeholder(tf.string, name="words")
    raws = tf.raw_ops
    assert raw(raws.Cumsum(x=x, axis=y_axis(), exclusive=True)) == (
        "tf.raw_ops.Cumsum(x=x, axis=axis, exclusive=True)"
    )
    assert raw(raws.Cumsum(x=x, axis=y_axis("b"))) == "tf.raw_ops.Cumsum(x=x, axis=b)"
    assert raw(raws.AddN(inputs=[x, y, x])) == "tf.raw_ops.AddN(inputs=[x, y, x])"
    assert raw(raws.Pack(values=[x, y], axis=1)) == "tf.raw_ops.Pack(values=[x, y], axis=1)"
    assert raw(raws.StringJoin(inputs=[words], separator="-")) == (
        "tf.raw_ops.StringJoin(inputs=[words], separator='-')"
    )
    assert raw(raws.Unpack(value=x, num=2)[0]) == "tf.raw_ops.Unpack(value=x, num=2)"
    assert raw(raws.Identity(input=x)) == "tf.raw_ops.Identity(input=x)"
    assert raw(tf.raw_ops.Bitcast(input=x, type=tf.int32)) == (
        "tf.raw_ops.Bitcast(input=x, type=tf.int32)"
    )
    assert raw(raws.NoOp()) == "tf.raw_ops.NoOp()"


def y_axis(name="axis"):
    return tf.placeholder(tf.int32, [], name=name)


def test_where_each_output_stands():
    x = tf.placeholder(tf.float32, [2, 2])
    raws = tf.raw_ops
    parsed = raws.ParseExample(
        serialized=tf.placeholder(tf.string, [None]),
        names=[],
        sparse_keys=["a", "b"],
        dense_keys=[],
        dense_defaults=[],
        sparse_types=[tf.int64, tf.string],
        dense_shapes=[],
    )
    sparse = [f"[{at}][{k}]" for at in range(3) for k in range(2)]
    assert op_calls.places(parsed[0][0].op) == sparse
    assert op_calls.places(raws.Identity(input=x).op) == [""]
    assert op_calls.places(raws.TopKV2(input=x, k=1)[0].op) == ["[0]", "[1]"]
    assert op_calls.places(raws.Unpack(value=x, num=2)[0].op) == ["[0]", "[1]"]
    assert op_calls.places(raws.NoOp()) == []
    op = parsed[0][0].op
    found = op_calls.groups(op, op.op_def.output_arg, op.outputs)
    assert {name: len(tensors) for name, tensors in found.items()} == {
        "sparse_indices": 2,
        "sparse_values": 2,
        "sparse_shapes": 2,
        "dense_values": 0,
    }
    assert found["sparse_values"] == list(op.outputs)[2:4]


def table(*, filled=1):
    made = tf.raw_ops.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    for _ in range(filled):
        values = tf.constant([7, 5, 9], tf.int64)
        tf.raw_ops.LookupTableImportV2(table_handle=made, keys=["b", "a", "c"], values=values)
    tf.raw_ops.LookupTableSizeV2(table_handle=made)
    return made.op


def test_the_contents_of_a_table():
    keys, values = tables.contents(table())
    assert (keys.tolist(), values.tolist()) == ([b"a", b"b", b"c"], [5, 7, 9])
    assert values.dtype == np.int64


@pytest.mark.parametrize("filled", [0, 2])
def test_a_table_that_is_not_filled_once(filled):
    op = table(filled=filled)
    with pytest.raises(CannotLiftError, match=f"^table '{op.name}' is filled by {filled} ops"):
        tables.contents(op)
