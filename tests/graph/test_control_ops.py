"""Ops added to a graph that somebody else is building on at the moment."""

from __future__ import annotations

import gc
import sys
import threading

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue._tensorflow import op_building
from tfqueue.graph import control_ops
from tfqueue.graph.tasks import task_of


@pytest.mark.parametrize("finalised", [False, True])
def test_an_op_added_aside_knows_nothing_of_who_builds(finalised):
    queue = tf.FIFOQueue(5, tf.int32, [[]])
    put = queue.enqueue_many([[1, 2, 3]])
    found = []

    def add():
        found.append(
            control_ops.add(lambda handle: tf.raw_ops.QueueSizeV2(handle=handle), queue.queue_ref)
        )

    graph = tf.get_default_graph()
    with tf.name_scope("users"), tf.control_dependencies([tf.no_op()]), tf.device("/cpu:0"):
        if finalised:
            graph.finalize()
        thread = threading.Thread(target=add)
        thread.start()
        thread.join()
        assert graph.finalized == finalised
        if not finalised:
            assert tf.constant(1, name="next").op.name == "users/next"
    size = found[0]
    assert not size.op.name.startswith("users")
    assert size.op.control_inputs == []
    assert size.op.device == ""
    with tf.Session() as sess:
        sess.run(put)
        assert sess.run(size) == 3


def test_the_next_ops_seed_is_not_moved():
    """The seed of a random op comes from how many ops stand before it, as in TensorFlow 1."""

    def build(aside):
        with tf.Graph().as_default():
            tf.set_random_seed(7)
            queue = tf.FIFOQueue(5, tf.int32, [[]])
            if aside:
                control_ops.add(
                    lambda handle: tf.raw_ops.QueueSizeV2(handle=handle), queue.queue_ref
                )
            drawn = tf.random_shuffle([1])
            return drawn.op.get_attr("seed"), drawn.op.get_attr("seed2")

    assert build(aside=True) == build(aside=False)


@pytest.mark.parametrize("scope", [op_building.CHUNK_SCOPE, op_building.CONTROL_SCOPE])
def test_the_next_producers_order_is_not_moved(own_graph, scope):
    """Runners that have begun graft what they need, whenever that is."""

    def seeds(grafted):
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(7)
            if grafted:
                with tf.Graph().as_default() as built:
                    five = tf.constant(5, name="five")
                prefix = op_building.unique_prefix(graph, scope)
                op_building.graft(graph, prefix, built, {}, [five.name])
            tf.train.range_input_producer(8, shuffle=True)
            return [
                op.get_attr("seed2") for op in graph.get_operations() if op.type == "RandomShuffle"
            ]

    assert seeds(grafted=True) == seeds(grafted=False) != []


def test_a_table_stands_on_its_queues_task_and_is_made_once(own_graph):
    with tf.device("/job:ps/task:0"):
        far = tf.FIFOQueue(3, tf.int32, [[]], shared_name="far")
    near = tf.FIFOQueue(3, tf.int32, [[]], shared_name="near")
    pipeline = tfqueue.pipeline(own_graph)
    for queue, task in ((far, ("ps", 0)), (near, None)):
        model = pipeline.queues[queue.queue_ref.op.name]
        with tf.device("/job:worker/task:1"):
            made = control_ops.table_beside(model, "fills/")
        assert control_ops.table_beside(model, "fills/") is made
        assert control_ops.table_beside(model, "other/") is not made
        ops = made.insert, made.remove, made.keys.op
        assert {task_of(op.device) for op in ops} == {task}
        name = made.insert.inputs[0].op.get_attr("shared_name").decode()
        assert name == f"fills/{model.shared_name}"


def test_an_op_is_added_once_for_a_tensor(own_graph):
    one, two = (tf.FIFOQueue(3, tf.int32, [[]]).queue_ref for _ in range(2))
    size = control_ops.of_queue("size", one)
    assert control_ops.of_queue("size", one) is size
    assert control_ops.of_queue("closed", one) is not size
    assert control_ops.of_queue("size", two) is not size
    for what, cancels in (("close", False), ("cancel", True)):
        assert control_ops.of_queue(what, one).get_attr("cancel_pending_enqueues") is cancels


def test_no_del_runs_while_ops_are_added():
    """Python only prints an interrupt that comes while one runs: Ctrl-C would be lost."""
    queue, called = tf.FIFOQueue(5, tf.int32, [[]]), []
    gc.disable()  # the garbage of other tests may have one
    sys.setprofile(lambda frame, event, _: called.append(frame.f_code.co_name))
    try:
        size = control_ops.of_queue("size", queue.queue_ref)
    finally:
        sys.setprofile(None)
        gc.enable()
    assert size.op.type == "QueueSizeV2"
    assert "graft" in called
    assert "__del__" not in called
