"""What is shown of a failed step: the value that an op had, and which elements it depends on."""

import types

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.explain import silent_damage, suspects
from tfqueue.explain.case import Case


@pytest.mark.parametrize(
    ("value", "expected"),
    [(b"a\0\0", b"a\0\0"), (np.array([1, 2]), [1, 2]), (np.float32(3), 3.0)],
    ids=["bytes that end in zeros", "an array", "a number"],
)
def test_the_value_is_the_op_s(value, expected):
    replay = types.SimpleNamespace(values=lambda tensors, record: [value])
    case = types.SimpleNamespace(record=(b"key", b"value"), replay=replay, tf=tf)
    found = Case.value_of(case, "a tensor")
    assert isinstance(found, np.ndarray)
    assert found.tolist() == expected
    assert (found.dtype == object) == isinstance(value, bytes)


def test_all_records_are_looked_at_from_the_first_on(records):
    paths = [records([b"a", b"b"], "one"), records([b"c"], "two")]
    names = tf.train.string_input_producer(paths, shuffle=False)
    reader = tf.TFRecordReader()
    reader.read(names)
    (found,) = tfqueue.pipeline(tf.get_default_graph()).readers.values()
    assert [value for _, value in suspects._all(found, paths)] == [b"a", b"b", b"c"]
    assert [value for _, value in suspects._all(found, paths, 1)] == [b"b", b"c"]


def test_an_element_that_only_a_branch_takes_is_no_origin(own_graph):
    queue = tf.FIFOQueue(9, tf.int32, [[]], name="q")
    always = queue.dequeue(name="always")
    tf.cond(always > 0, lambda: queue.dequeue(name="sometimes"), lambda: tf.constant(0))
    ops = own_graph.get_operations()
    demand = tfqueue.pipeline(own_graph).demand(ops)
    assert {take.conditional for take in demand.takes} == {True, False}
    assert [take.op.name for take in silent_damage.Origins(demand).takes] == ["always"]
