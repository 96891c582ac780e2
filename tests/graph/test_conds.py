"""Which old conds can be lifted, beyond what `tests/accelerate/test_region.py` refuses by name."""

import tfqueue.v1 as tf
from tfqueue.graph import conds


def test_which_side_was_taken_cannot_be_told():
    number = tf.placeholder(tf.int32, [])
    merge = tf.cond(number < 9, lambda: number * 2, lambda: -number).op
    ops = [op for op in tf.get_default_graph().get_operations() if op is not number.op]
    assert conds.refusal(ops, [merge.outputs[0]]) is None
    assert "which side of a tf.cond was taken" in conds.refusal(ops, [merge.outputs[1]])
