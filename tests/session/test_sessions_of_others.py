"""Sessions on a graph that others use too, and sessions that others wrap."""

import threading

import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.session import coordinator, step


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
    if run is a_stop:
        # It closes a queue further up, too, where a thread takes longer than that to end.
        monkeypatch.setattr(coordinator, "_GRACE_SECONDS", 60)
        # So does a step that looks around because it has waited for long.
        monkeypatch.setattr(step, "_FIRST_LOOK", 60)
    built, counts = build(), []
    for _ in range(3):
        with tf.Session() as sess:
            run(sess, built, tf.train.Coordinator())
        counts.append(len(control_ops()))
    assert counts == [counts[0]] * 3


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
