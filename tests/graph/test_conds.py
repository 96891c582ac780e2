"""Which old conds can be lifted, beyond what `tests/accelerate/test_region.py` refuses by name."""

import pytest

import tfqueue.v1 as tf
from tfqueue.graph import conds


def test_which_side_was_taken_cannot_be_told():
    number = tf.placeholder(tf.int32, [])
    merge = tf.cond(number < 9, lambda: number * 2, lambda: -number).op
    ops = [op for op in tf.get_default_graph().get_operations() if op is not number.op]
    assert conds.refusal(ops, [merge.outputs[0]]) is None
    assert "which side of a tf.cond was taken" in conds.refusal(ops, [merge.outputs[1]])


def a_switch(number):
    return tf.identity(tf.raw_ops.Switch(data=number, pred=number < 9)[0])


def a_merge(number):
    return tf.raw_ops.Merge(inputs=[number, -number])[0]


def a_merge_of_three(number):
    return tf.raw_ops.Merge(inputs=[number, -number, number])[0]


def a_merge_of_two_conds(number):
    def side(k):
        merge = tf.cond(number < k, lambda: number * 2, lambda: -number).op
        return merge.inputs[k % 2]

    return tf.raw_ops.Merge(inputs=[side(2), side(3)])[0]


def a_merge_of_sides_the_other_way_round(number):
    merge = tf.cond(number < 9, lambda: number * 2, lambda: -number).op
    return tf.raw_ops.Merge(inputs=[merge.inputs[1], merge.inputs[0]])[0]


def a_loop(number):
    return tf.raw_ops.Enter(data=number, frame_name="frame")


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (a_switch, "a Switch 'Switch' that no tf.cond of this process made"),
        *(
            (build, "a Merge 'Merge' that no tf.cond of this process made")
            for build in (a_merge, a_merge_of_three)
        ),
        (a_merge_of_two_conds, "that no tf.cond of this process made"),
        (a_merge_of_sides_the_other_way_round, "that no tf.cond of this process made"),
        (a_loop, "a loop of the old kind: Enter 'Enter'"),
    ],
)
def test_control_flow_that_no_cond_made_is_named(build, says):
    number = tf.placeholder(tf.int32, [])
    with tf.control_dependencies(None):
        made = build(number)
    ops = [op for op in tf.get_default_graph().get_operations() if op is not number.op]
    assert says in conds.refusal(ops, [made])
