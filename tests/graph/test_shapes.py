"""Where a tensor's static shape is lost, and how that is said."""

import pytest

import tfqueue.v1 as tf
from tfqueue.graph import shapes


def unknown():
    return tf.placeholder(tf.float32, None)


def dims(count):
    return tf.placeholder(tf.int32, [count])


def reshaped():
    return tf.reshape(tf.zeros([6]), dims(2))


def filled():
    return tf.fill(dims(2), 1.0)


def drawn():
    return tf.random_uniform(dims(2))


def broadcast():
    return tf.broadcast_to(tf.zeros([6]), dims(2))


def sliced():
    return tf.slice(tf.zeros([6]), [0], dims(1))


def sliced_by_strides():
    return tf.zeros([6])[: tf.placeholder(tf.int32, [])]


def of_what_is_given():
    return tf.reshape(unknown(), [-1, 3])


def read_from_a_file():
    return tf.decode_raw(tf.read_file("a"), tf.uint8)


def read_of_a_variable():
    return tf.Variable(unknown(), validate_shape=False, use_resource=True).read_value()


@pytest.mark.parametrize(
    ("build", "lost_by"),
    [
        (reshaped, "Reshape"),
        (filled, "Fill"),
        (drawn, "RandomUniform"),
        (broadcast, "BroadcastTo"),
        (sliced, "Slice"),
        (sliced_by_strides, "StridedSlice"),
        # Their own sizes are known: what they are given is not.
        (of_what_is_given, "Placeholder"),
        (read_from_a_file, "DecodeRaw"),
        (read_of_a_variable, "ReadVariableOp"),
    ],
)
def test_the_op_that_lost_the_shape_is_found_behind_others(build, lost_by):
    known = tf.constant(1.0)
    assert shapes.losing_op(known + tf.cast(build(), tf.float32)).type == lost_by


def test_a_loop_is_left_again():
    value = tf.placeholder(tf.float32, [None])
    merge = tf.raw_ops.Merge(inputs=[tf.raw_ops.Enter(data=value, frame_name="a")] * 2).output
    doubled = tf.raw_ops.NextIteration(data=merge * 2.0)
    merge.op._update_input(0, doubled)
    assert shapes.losing_op(doubled).type in ("Merge", "Mul", "NextIteration")


def test_each_tensor_of_unknown_shape_has_a_line():
    with tf.name_scope("given"):
        some, none = tf.placeholder(tf.float32, [None, 3], "some"), unknown()
    lines = shapes.unknown({"a": [some, (tf.constant(1.0), "no tensor")], "b": none})
    assert [line.partition(", built at ")[0] for line in lines] == [
        "'given/some:0' is [None, 3]: Placeholder op 'given/some'",
        "'given/Placeholder:0' is of unknown rank: Placeholder op 'given/Placeholder'",
    ]
    assert f"built at {__file__}:" in lines[0]
    assert lines[0].endswith(", lost its shape")
    assert 'some, none = tf.placeholder(tf.float32, [None, 3], "some"), unknown()' in lines[0]
    assert shapes.unknown([tf.constant(1.0)]) == []


def test_an_op_without_a_line_of_the_program_is_named_alone(monkeypatch):
    value = tf.placeholder(tf.float32, [None], "some")
    monkeypatch.setattr(shapes._tensorflow, "creation_line", lambda op: None)
    assert shapes.unknown(value) == ["'some:0' is [None]: Placeholder op 'some', lost its shape"]
