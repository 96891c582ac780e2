"""What single ops say of queues, beside the model."""

import pytest

import tfqueue.v1 as tf
from tfqueue.graph import traversal


@pytest.mark.parametrize(
    ("make", "least"),
    [
        (lambda: tf.FIFOQueue(9, tf.int32), 0),
        (lambda: tf.PaddingFIFOQueue(9, tf.int32, [[None]]), 0),
        (lambda: tf.RandomShuffleQueue(9, 4, tf.int32), 4),
    ],
    ids=["FIFO", "padding", "shuffling"],
)
def test_how_many_elements_stay_in_a_queue(make, least):
    assert traversal.queue_of(make().queue_ref.op).min_after_dequeue == least


def test_how_many_elements_an_enqueue_op_puts():
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    assert traversal.put_amount(queue.enqueue(1)) == 1
    assert traversal.put_amount(queue.enqueue_many([[1, 2, 3]])) == 3
    assert traversal.put_amount(queue.enqueue_many([tf.placeholder(tf.int32, [None])])) is None
    assert traversal.put_amount(queue.close()) is None


def test_where_a_handle_comes_from_and_whether_in_a_branch():
    queue = tf.FIFOQueue(9, tf.int32, [[]])
    handle = queue.queue_ref
    assert traversal.source_and_switch(handle) == (handle.op, False)
    assert traversal.source_and_switch(tf.identity(handle)) == (handle.op, False)
    assert traversal.source_and_switch(tf.constant(1)) == (None, False)


@pytest.mark.parametrize("name", ["", "all"])
def test_the_shared_name_and_the_capacity_of_a_queue(name):
    queue = tf.RandomShuffleQueue(9, 4, tf.int32, shared_name=name or None, name="mine")
    made = traversal.queue_of(queue.queue_ref.op)
    assert (made.shared_name, made.capacity, made.kind) == (name, 9, "RandomShuffleQueue")
    assert made.name == "mine"
