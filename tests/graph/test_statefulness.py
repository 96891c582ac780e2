"""Which ops keep a state or draw numbers, also in the functions that they call."""

import pytest

import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building
from tfqueue.graph import statefulness


def in_a_function(build):
    def built():
        return tf.function(lambda: build())()

    return built


def in_a_branch(build):
    def built():
        return op_building.functional_cond(
            tf.placeholder(tf.bool, []), lambda: [build()], lambda: [tf.zeros([])]
        )

    return built


def in_a_defun(build):
    def built():
        from tensorflow.python.framework import function

        return function.Defun()(build)()

    return built


def draws():
    return tf.random_uniform([])


def draws_with_seed():
    return tf.random_uniform([], seed=7)


def takes():
    return tf.FIFOQueue(2, tf.float32, [[]]).dequeue()


def asserts():
    with tf.control_dependencies([tf.Assert(tf.constant(True), ["no"])]):
        return tf.zeros([])


def calls_python():
    return tf.py_func(lambda: 1.0, [], tf.float64)


def adds():
    return tf.zeros([]) + 1.0


def found_in(build):
    build()
    graph = tf.get_default_graph()
    # A queue or a table is made once: it is the ops on it that run with each example.
    nodes = [op.node_def for op in graph.get_operations() if not op.type.endswith("QueueV2")]
    return next(filter(None, (statefulness.stateful_within(graph, node) for node in nodes)), None)


@pytest.mark.parametrize(
    ("build", "found"),
    [
        (draws, None),
        (in_a_function(draws), None),
        (takes, None),
        (asserts, None),
        (in_a_function(asserts), None),
        (calls_python, "PyFunc"),
        (in_a_function(calls_python), "PyFunc"),
        (adds, None),
        (in_a_branch(adds), None),
    ],
)
def test_the_first_stateful_op_is_named(build, found):
    assert found_in(build) == found


def test_a_queue_op_is_stateful_within_a_function():
    queue = tf.FIFOQueue(2, tf.float32, [[]])
    found = op_building.functional_cond(
        tf.placeholder(tf.bool, []), lambda: [queue.dequeue()], lambda: [tf.zeros([])]
    )
    graph = tf.get_default_graph()
    (call,) = (op for op in graph.get_operations() if op.type == "If")
    assert statefulness.stateful_within(graph, call.node_def) == "QueueDequeueV2"
    assert statefulness.stateful_within(graph, queue.dequeue().op.node_def) is None
    assert found


@pytest.mark.parametrize("within", [lambda build: build, in_a_function, in_a_branch, in_a_defun])
def test_types_and_seeds_are_seen_within_functions(within):
    within(draws_with_seed)()
    graph = tf.get_default_graph()
    ops = graph.get_operations()
    assert "RandomUniform" in statefulness.types_within(graph, ops)
    ((kind, _, seed),) = statefulness.seeds_within(graph, ops)
    assert (kind, seed) == ("RandomUniform", 7)
    assert statefulness.seeded_within(graph, ops)


def test_what_draws_without_a_seed_has_none():
    draws()
    graph = tf.get_default_graph()
    assert statefulness.seeds_within(graph, graph.get_operations()) == []
    assert not statefulness.seeded_within(graph, graph.get_operations())


@pytest.mark.parametrize("seeds", [(7, None), (None, 7), (7, 8)])
def test_either_seed_counts(seeds):
    of_graph, of_op = seeds
    if of_graph is not None:
        tf.set_random_seed(of_graph)
    op = tf.random_shuffle([1], seed=of_op).op
    found = [("RandomShuffle", op.get_attr("seed"), op.get_attr("seed2"))]
    assert statefulness.seeds_within(op.graph, op.graph.get_operations()) == found


def test_python_is_seen_within_functions():
    plain, called = calls_python(), in_a_function(calls_python)()
    assert statefulness.calls_python(plain.op)
    call = next(op for op in called.graph.get_operations() if "PartitionedCall" in op.type)
    assert statefulness.calls_python(call)
    assert not statefulness.calls_python(adds().op)
