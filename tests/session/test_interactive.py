"""Interactive sessions, as a notebook makes them: again and again, without closing one."""

import threading
import weakref

import pytest

import tfqueue.v1 as tf


def numbers():
    return tf.train.batch([tf.train.range_input_producer(100, shuffle=False).dequeue()], 2)


def threads():
    """The threads that are alive, without TensorFlow's own."""
    return [t for t in threading.enumerate() if not isinstance(t, threading._DummyThread)]


@pytest.mark.filterwarnings("ignore:An interactive session is already active")
def test_a_cell_that_is_run_again_leaves_the_threads_of_one_session():
    batch, before = numbers(), set(threads())
    for _ in range(3):
        sess = tf.InteractiveSession()
        tf.train.start_queue_runners(sess)
        assert batch.eval().tolist() == [0, 1]
        alive = [t.name for t in threads() if t not in before]
        assert sum(name.startswith("QueueRunnerThread") for name in alive) == 2
        # The first step may need a thread of its own, or be done before one is started.
        assert len(alive) <= 3
    sess.close()
    assert not set(threads()) - before


@pytest.mark.filterwarnings("ignore:An interactive session is already active")
def test_an_earlier_session_that_is_held_goes_on():
    batch = numbers()
    first = tf.InteractiveSession()
    tf.train.start_queue_runners(first)
    second = tf.InteractiveSession()
    assert tf.get_default_session() is second
    assert [first.run(batch).tolist() for _ in range(2)] == [[0, 1], [2, 3]]
    second.close()
    first.close()
    assert tf.get_default_session() is None


@pytest.mark.filterwarnings("ignore:An interactive session is already active")
def test_an_earlier_session_without_runners_is_the_default_again():
    constant = tf.constant(3)
    kept = weakref.ref(tf.InteractiveSession())
    second = tf.InteractiveSession()
    second.close()
    assert tf.get_default_session() is kept()
    assert constant.eval() == 3
    kept().close()
