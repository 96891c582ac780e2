"""Which enqueue ops do the same, which ops run wherever they are written, and what is computed ahead."""

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.dataset import body, conversion, equivalence, old_inputs, plan, rewrites


def enqueues(*makers):
    """The forms of enqueue ops into one queue, each of what a maker gives."""
    with tf.Graph().as_default() as graph:
        queue = tf.FIFOQueue(9, tf.float32, [[]], name="queue")
        ops = [queue.enqueue(make()) for make in makers]
    pipeline = tfqueue.pipeline(graph)
    return [equivalence.form(pipeline, op) for op in ops]


def looped():
    """A loop: its ops are behind each other."""
    previous = tf.control_flow_v2_enabled()
    tf.disable_control_flow_v2()
    try:
        return tf.while_loop(lambda i: i < 3.0, lambda i: i + 1.0, [tf.constant(0.0)])
    finally:
        if previous:
            tf.enable_control_flow_v2()


def waiting():
    with tf.control_dependencies([tf.no_op()]):
        return tf.constant(1.0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (lambda: tf.constant(1.0), lambda: tf.constant(1.0, name="x"), True),
        (lambda: tf.constant(1.0), lambda: tf.constant(2.0), False),
        (lambda: tf.random_uniform([], seed=1), lambda: tf.random_uniform([], seed=2), True),
        (lambda: tf.random_uniform([]), lambda: tf.random_normal([]), False),
        (lambda: tf.sqrt(tf.constant(1.0)), lambda: tf.square(tf.constant(1.0)), False),
        (lambda: tf.unstack([1.0, 2.0])[0], lambda: tf.unstack([1.0, 2.0])[1], False),
        (waiting, waiting, True),
        (waiting, lambda: tf.constant(1.0), False),
        (looped, looped, False),  # each has a frame of its own
    ],
)
def test_ops_that_do_the_same_have_one_form(one, other, same):
    first, second = enqueues(one, other)
    assert (first == second) == same


def test_queues_are_different():
    with tf.Graph().as_default() as graph:
        taken = [
            tf.FIFOQueue(9, tf.int32, [[]], name=name).dequeue().op for name in ("a", "b", "c")
        ]
    pipeline = tfqueue.pipeline(graph)
    assert len({equivalence.form(pipeline, op) for op in taken}) == 3
    assert equivalence.form(pipeline, taken[0]) == equivalence.form(pipeline, taken[0])


@pytest.mark.parametrize(
    ("make", "stateful"),
    [
        (lambda: tf.constant(1).op, False),
        (lambda: tf.random_shuffle([1]).op, True),
        (lambda: tf.Print(1, [1]).op, True),
        (lambda: tf.get_variable("v", [], use_resource=True).handle.op, False),
        (lambda: tf.Variable(1.0, use_resource=True).handle.op, False),
        (lambda: tf.read_file("a").op, False),
        (lambda: tf.py_func(lambda: 1, [], tf.int64).op, True),
    ],
)
def test_what_runs_wherever_it_is_written(make, stateful):
    with tf.Graph().as_default():
        assert body.stateful(make()) == stateful


def drawing(number, seed=None):
    return number, tf.random_uniform([], seed=seed)


def plain():
    return tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()


@pytest.mark.parametrize(
    ("inputs", "parallel"),
    [
        (lambda: drawing(plain(), seed=3), 1),
        (lambda: drawing(plain()), 5),
    ],
)
def test_how_many_elements_are_computed_at_a_time(inputs, parallel):
    with tfqueue.eager():
        made, _ = conversion.planned(old_inputs.call(inputs, (), {}))
        rewrites.pace(made, 5)
    steps = [node for node in plan.walk(made) if isinstance(node, plan.Apply) and not node.vector]
    assert [node.parallel for node in steps if node.step.draws] == [parallel]
