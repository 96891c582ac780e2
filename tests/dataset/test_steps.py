"""Which ops of a step are an assertion."""

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building
from tfqueue.dataset import steps
from tfqueue.errors import CannotLiftError


@pytest.fixture
def functional():
    """A graph whose conds are ops `If`."""
    with op_building.new_graph().as_default() as graph:
        yield graph


def conditional(graph):
    return next(op for op in graph.get_operations() if op.type in ("If", "StatelessIf"))


def test_an_assertion_has_a_condition_and_data(functional):
    number = tf.placeholder(tf.float32, [])  # of int32 and texts alone it makes a mere `Assert`
    right = number < 9
    tf.Assert(right, [tf.identity(number), "is large"], summarize=4)
    condition, (data, text), summarize = steps.asserted(conditional(functional))
    assert (condition, summarize) == (right, 4)
    assert data.op.inputs[0] is number
    np.testing.assert_array_equal(text, b"is large")


@pytest.mark.parametrize("both", [True, False])
def test_a_cond_is_no_assertion(functional, both):
    number = tf.placeholder(tf.int32, [])

    def fails():
        with tf.control_dependencies([tf.raw_ops.Assert(condition=number > 1, data=[number])]):
            return tf.constant(1)

    tf.cond(number < 9, fails, fails if both else lambda: tf.constant(1))
    assert steps.asserted(conditional(functional)) is None
    assert steps.asserted(number.op) is None


@pytest.mark.parametrize("name", ["Switch", "Merge"])
def test_control_flow_that_no_cond_made_is_refused_by_name(name):
    def inputs():
        number = tf.train.range_input_producer(12, num_epochs=1).dequeue()
        if name == "Switch":
            return tf.identity(tf.raw_ops.Switch(data=number, pred=number < 9)[0])
        return tf.raw_ops.Merge(inputs=[number, -number])[0]

    said = f"^a {name} '{name}' that no tf.cond of this process made, so"
    with tfqueue.eager(), pytest.raises(CannotLiftError, match=said):
        tfqueue.dataset(inputs)
