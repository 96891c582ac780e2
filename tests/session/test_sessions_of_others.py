"""Sessions on a graph that others use too, and sessions that others wrap."""

import threading

import pytest

import tfqueue.v1 as tf
from tfqueue import errors


def numbers():
    return tf.train.batch([tf.train.range_input_producer(100, shuffle=False).dequeue()], 2)


def control_ops():
    return [op for op in tf.get_default_graph().get_operations() if "tfqueue_control" in op.name]


def a_stop(sess, batch, coord):
    threads = tf.train.start_queue_runners(sess, coord)
    sess.run(batch)
    coord.request_stop()
    coord.join(threads)


def a_queue_fed_by_hand(sess, queue, _):
    sess.run(queue.put)
    with pytest.raises(errors.StarvationError):
        sess.run(queue.take)


def a_stop_of_a_feeder(sess, queue, coord):
    thread = threading.Thread(target=_feed, args=(sess, queue.put))
    thread.start()
    coord.request_stop()
    coord.join([thread])


def _feed(sess, put):
    with pytest.raises(tf.errors.CancelledError):
        while True:
            sess.run(put)


def _by_hand():
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    queue.put, queue.take = queue.enqueue_many([[1, 2]]), queue.dequeue_many(3)
    return queue


@pytest.mark.parametrize(
    ("run", "build"),
    [(a_stop, numbers), (a_queue_fed_by_hand, _by_hand), (a_stop_of_a_feeder, _by_hand)],
    ids=lambda each: each.__name__,
)
def test_a_session_more_adds_no_op_that_asks_or_closes(run, build, monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "0")
    built = build()
    for _ in range(4):
        with tf.Session() as sess:
            run(sess, built, tf.train.Coordinator())
    # Which are made depends on how long threads take to end; but each is made once.
    made = [(op.type, *(t.name for t in op.inputs), str(op.node_def.attr)) for op in control_ops()]
    assert len({*made}) == len(made)


def test_a_debuggers_session_is_the_one_it_wraps(tmp_path):
    from tensorflow.python.debug.wrappers import dumping_wrapper

    batch = numbers()
    with tf.Session() as inner:
        sess = dumping_wrapper.DumpingDebugWrapperSession(inner, str(tmp_path))
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert [sess.run(batch).tolist() for _ in range(2)] == [[0, 1], [2, 3]]
        coord.request_stop()
        coord.join(threads)
        assert list(tmp_path.iterdir())
