"""Copies of ops and changes of their inputs: what `op_edits` reaches into is still there."""

import pytest

import tfqueue.v1 as tf
from tfqueue._tensorflow import op_edits


def test_a_copy_has_attributes_and_device_and_nothing_of_where_it_is_made():
    x = tf.constant([1.0, 2.0], name="x")
    with tf.device("/cpu:0"), tf.control_dependencies([tf.no_op(name="before")]):
        total = tf.reduce_sum(x, keepdims=True, name="total")
    with tf.name_scope("scope"), tf.device("/cpu:1"), tf.control_dependencies([x]):
        made = op_edits.copied(total.op, "again", x.graph, [x * 3.0, total.op.inputs[1]])
    assert (made.name, made.device, list(made.control_inputs)) == ("again", total.device, [])
    assert made.get_attr("keep_dims")
    with tf.Session() as sess:
        assert sess.run(made.outputs[0]).tolist() == [9.0]


def test_a_finalised_graph_is_not_changed():
    x = tf.constant(1.0)
    x.graph.finalize()
    with pytest.raises(RuntimeError, match="finalized"):
        op_edits.copied(x.op, "again", x.graph, [])


def test_changes_are_counted():
    graph = tf.get_default_graph()
    one, two = tf.constant(1.0), tf.constant(2.0)
    root = tf.sqrt(one)
    op_edits.set_input(root.op, 0, two)
    op_edits.add_control_inputs(root.op, [one.op])
    assert list(root.op.inputs) == [two]
    assert list(root.op.control_inputs) == [one.op]
    op_edits.set_control_inputs(root.op, [two.op])
    assert list(root.op.control_inputs) == [two.op]
    assert (op_edits.edits(graph), op_edits.edits(tf.Graph())) == (3, 0)
