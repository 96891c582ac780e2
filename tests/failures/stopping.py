"""Rows of feeding threads, of stalls, and of the stop."""

from __future__ import annotations

import threading

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors

from .kit import Stage, row


def _queue():
    queue = tf.FIFOQueue(10, tf.int32, [[]], name="numbers")
    return queue, queue.enqueue(1), queue.dequeue_many(4)


def _thread(body):
    thread = threading.Thread(target=body, name="feeder")
    thread.start()
    return thread


@row(
    "dead_feeder",
    raises=errors.StarvationError,
    cause=ValueError,
    says=("FIFOQueue 'numbers'", "no producer is alive", "died of ValueError: feeder bug"),
    ways=("plain", "managed"),
)
def feeder_dies(stage: Stage):
    _, put, four = _queue()
    said = []
    earlier, threading.excepthook = threading.excepthook, said.append
    try:
        with tfqueue.managed_session() if stage.way == "managed" else tf.Session() as sess:

            def feed():
                sess.run(put)
                raise ValueError("feeder bug")

            _thread(feed)
            sess.run(four)
    finally:
        threading.excepthook = earlier
        assert len(said) == 1  # what was there before still hears of it


@row(
    "feeder_stop_on_exception",
    raises=errors.StarvationError,
    cause=ValueError,
    says=("FIFOQueue 'numbers'", "feeder bug"),
    ways=("plain",),
)
def feeder_dies_under_a_coordinator(stage: Stage):
    _, put, four = _queue()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()

        def feed():
            with coord.stop_on_exception():
                sess.run(put)
                raise ValueError("feeder bug")

        _thread(feed)
        for _ in range(5):
            sess.run(four)


@row(
    "min_after_dequeue_above_data",
    raises=errors.StarvationError,
    says=("min_after_dequeue=50, only 20 elements", "no producer is alive", "4 are wanted"),
    ways=("plain", "managed"),
)
def more_kept_back_than_there_is(stage: Stage):
    queue = tf.RandomShuffleQueue(100, 50, tf.int32, [[]])
    put, four = queue.enqueue_many([list(range(20))]), queue.dequeue_many(4)
    with tfqueue.managed_session() if stage.way == "managed" else tf.Session() as sess:
        sess.run(put)
        sess.run(four)


@row("join_after_close", gives=None, ways=("plain",))
def join_after_close(stage: Stage):
    batch = stage.shuffled(stage.numbers(), None)
    sess, coord = tf.Session(), tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    sess.run(batch)
    sess.close()
    coord.request_stop()
    coord.join(threads)


@row("blocked_feeder", gives=None, ways=("plain",))
def own_feeder_blocked_in_enqueue(stage: Stage):
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    begun = threading.Semaphore(0)
    with tf.control_dependencies([tf.py_func(begun.release, [], [])]):
        put = queue.enqueue(tf.identity(1))
    take = queue.dequeue()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()

        def feed():
            while not coord.should_stop():
                sess.run(put)

        thread = _thread(feed)
        sess.run(take)
        for _ in range(4):  # one was taken, two are in the queue: the fourth finds no room
            begun.acquire()
        coord.request_stop()
        coord.join([thread], stop_grace_period_secs=5)


@row("blocked_runner", gives=None, ways=("plain",))
def runner_blocked_upstream(stage: Stage):
    upstream = tf.FIFOQueue(2, tf.int32, [[]])
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    begun = threading.Event()
    with tf.control_dependencies([tf.py_func(begun.set, [], [])]):
        taken = upstream.dequeue()
    runner = tf.train.QueueRunner(queue, [queue.enqueue(taken)])
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord, start=True)
        begun.wait()  # before, the runner would look at the coordinator and never take
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=5)


@row("join_without_stop", raises=ZeroDivisionError, says=("my own",), ways=("plain",))
def join_without_request_stop(stage: Stage):
    batch = stage.shuffled(stage.numbers(), None)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            sess.run(batch)
            raise ZeroDivisionError("my own")
        finally:
            coord.join(threads)


@row("timed_out_dequeue", gives=[0, 1, 2, 3], ways=("plain",))
def an_ended_wait_loses_nothing(stage: Stage):
    queue = tf.FIFOQueue(10, tf.int32, [[]])
    number = tf.placeholder(tf.int32, [None])
    put, four, rest = queue.enqueue_many([number]), queue.dequeue_many(4), queue.dequeue_up_to(4)
    with tf.Session() as sess:
        sess.run(put, {number: [0, 1, 2, 3]})
        assert sess.run(queue.dequeue_many(1)).tolist() == [0]
        try:
            sess.run(four)  # three are there, and nobody brings the fourth
        except errors.StarvationError:
            return [0, *sess.run(rest).tolist()]
