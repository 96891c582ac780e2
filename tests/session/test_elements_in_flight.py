"""A queue fed by hand is not declared dead while what was taken from it last is in the making."""

import threading

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.session import starvation

_LOOKS = 3
"""So often must a step that waits have looked around: two looks can prove a queue dead."""


@pytest.fixture
def slowly(monkeypatch):
    """A Python function for the graph that returns once the main thread has looked around."""
    looked = threading.Semaphore(0)

    def look(watch, original=starvation.WaitWatch.look):
        original(watch)
        if threading.current_thread() is threading.main_thread():
            looked.release()

    def call(value):
        for _ in range(_LOOKS):
            assert looked.acquire(timeout=60)
        return value

    monkeypatch.setattr(starvation.WaitWatch, "look", look)
    return call


@pytest.fixture
def heavily():
    """A function that TensorFlow computes for as long as a step waits until it looks around."""

    def compute(value):
        def more(i, matrix):
            return i + 1, tf.matmul(matrix, matrix) / 512.0

        # Of the value, or it would be computed once and for all.
        ones = tf.fill([512, 512], 1.0 + 0.0 * tf.cast(value, tf.float32))
        _, matrix = tf.while_loop(lambda i, _: i < 250, more, [0, ones], parallel_iterations=1)
        return value + tf.cast(matrix[0, 0] * 0.0, value.dtype)

    return compute


def numbers(count=2):
    """`(queue, put)`: a queue, and the op by which the program puts `count` numbers into it."""
    queue = tf.FIFOQueue(100, tf.int32, [[]])
    return queue, queue.enqueue_many([list(range(count))])


def by_python(slowly, _heavily):
    def compute(value):
        made = tf.py_func(slowly, [value], tf.int32)
        made.set_shape([])
        return made

    return compute


def by_tensorflow(_slowly, heavily):
    return heavily


@pytest.mark.parametrize("by", [by_python, by_tensorflow])
def test_a_runner_that_computes_with_the_last_element(by, slowly, heavily):
    queue, put = numbers()
    batch = tf.train.batch([by(slowly, heavily)(queue.dequeue())], 2)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(2):
            sess.run(put)
            assert sess.run(batch).tolist() == [0, 1]
        coord.request_stop()
        coord.join(threads)


def test_a_step_that_puts_back_what_it_took(slowly):
    queue, put = numbers(1)
    made = tf.py_func(slowly, [queue.dequeue()], tf.int32)
    made.set_shape([])
    again = queue.enqueue(made + 1)
    with tf.Session() as sess:
        sess.run(put)
        for _ in range(2):
            sess.run(again)
        assert sess.run(queue.dequeue()) == 2


@pytest.mark.parametrize("by_runner", [True, False])
def test_a_file_whose_name_was_put_by_hand(slowly, by_runner, tmp_path):
    path = tmp_path / "rows.txt"
    path.write_text("0\n1\n")
    queue = tf.FIFOQueue(10, tf.string, [[]])
    put = queue.enqueue(str(path))
    made = tf.py_func(slowly, [tf.TextLineReader().read(queue)[1]], tf.string)
    made.set_shape([])
    fetch = tf.train.batch([made], 1) if by_runner else made
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(2):
            sess.run(put)
            rows = [np.ravel(sess.run(fetch))[0] for _ in range(2)]
            assert rows == [b"0", b"1"]
        coord.request_stop()
        coord.join(threads)


def test_once_all_is_still_it_is_told(slowly):
    queue, put = numbers()
    made = tf.py_func(slowly, [queue.dequeue()], tf.int32)
    made.set_shape([])
    batch = tf.train.batch([made], 2)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(put)
        assert sess.run(batch).tolist() == [0, 1]
        with pytest.raises(errors.StarvationError):
            sess.run(batch)
        coord.request_stop()
        coord.join(threads)
