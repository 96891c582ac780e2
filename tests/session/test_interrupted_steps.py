"""Ctrl-C while a step waits: what the step takes later is kept for the one who asks again."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.session import starvation, step
from tfqueue.session.step import Step


def _interrupted(sess, fetches, monkeypatch):
    def interrupt(watch):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(starvation.WaitWatch, "look", interrupt)
        with pytest.raises(KeyboardInterrupt):
            sess.run(fetches)


@pytest.fixture
def fed_by_hand():
    number = tf.placeholder(tf.int32, [])
    queue = tf.FIFOQueue(10, tf.int32, [[]])
    put, taken = queue.enqueue(number), queue.dequeue()

    def feed(sess, *values):
        for value in values:
            sess.run(put, {number: value})

    return feed, taken


def test_the_same_step_gets_what_the_interrupted_one_took(fed_by_hand, monkeypatch):
    feed, taken = fed_by_hand
    with tf.Session() as sess:
        _interrupted(sess, [taken], monkeypatch)
        feed(sess, 1, 2)
        assert sess.run([taken]) == [1]
        assert sess.run([taken]) == [2]


def test_values_come_as_they_are_asked_for(fed_by_hand, monkeypatch):
    """The same tensor, in a dict and by itself: the interrupted step had it in a list."""
    feed, taken = fed_by_hand
    with tf.Session() as sess:
        _interrupted(sess, [taken], monkeypatch)
        feed(sess, 1, 2, 3)
        assert sess.run({"it": taken}) == {"it": 2}
        assert sess.run(taken) == 3
        assert sess.run([taken]) == [1]


@pytest.mark.parametrize("given", [False, True], ids=["before", "after"])
def test_an_interrupt_while_a_thread_is_given_the_step(given, fed_by_hand, monkeypatch):
    feed, taken = fed_by_hand
    with tf.Session() as sess:
        steps = sess._owner.steps

        def submit(step, original=steps.submit):
            if given:
                original(step)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(steps, "submit", submit)
            sess.run([taken])
        feed(sess, 1, 2)
        assert sess.run([taken]) == [1]
        assert sess.run([taken]) == [2]
        assert not steps.under_way


def test_a_step_that_was_withdrawn_is_not_begun():
    done = []
    step = Step(lambda: done.append(1), None)
    assert step.withdraw()
    step.execute()
    assert not done
    assert not step.done()
    assert not step.wait(0)


def test_an_interrupt_between_two_lines_of_a_wait_leaves_the_step_done():
    """Python hears of Ctrl-C once the lock is there, and not yet given back."""
    waits = threading.Event()
    step = Step(lambda: waits.wait(60), None)

    class Interrupted:
        def __init__(self, lock):
            self._lock = lock
            self.release = lock.release

        def acquire(self, timeout):
            waits.set()
            if self._lock.acquire(timeout=timeout):
                raise KeyboardInterrupt
            return False

    lock = step._finished
    step._finished = Interrupted(lock)
    thread = threading.Thread(target=step.execute)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        step.wait(60)
    thread.join()
    step._finished = lock
    assert step.wait(0)
    assert step.result()


@pytest.fixture
def slow_runner():
    """A runner that ends when the event is set."""
    let_go, begun = threading.Event(), threading.Event()

    def slow():
        begun.set()
        assert let_go.wait(60)
        return np.int32(1)

    number = tf.py_func(slow, [], tf.int32)
    number.set_shape([])
    tf.train.batch([number], 1)
    sess = tf.Session()
    threads = tf.train.start_queue_runners(sess, tf.train.Coordinator())
    assert begun.wait(60)
    yield sess, threads, let_go
    let_go.set()
    for thread in threads:
        thread.join()


@pytest.fixture(params=[0, 1], ids=["at once", "while it waits for the threads"])
def interrupted_close(request, slow_runner, monkeypatch):
    """A session whose `close` was interrupted, and how long its joins were to wait."""
    seconds, sess = [], slow_runner[0]

    def join(threads, wait, original=step.join):
        seconds.append(wait)
        if len(seconds) == request.param + 1:
            raise KeyboardInterrupt
        return original(threads, wait)

    monkeypatch.setattr(step, "join", join)
    try:
        sess.close()
    except KeyboardInterrupt:
        return seconds
    pytest.fail("nothing was interrupted")


def test_a_close_that_was_interrupted_is_gone_on_with(slow_runner, interrupted_close):
    sess, threads, let_go = slow_runner
    let_go.set()
    sess.close()
    assert not any(thread.is_alive() for thread in threads)
    assert sess._owner.closed
    closer = sess._owner._closer
    assert closer is None or not closer.is_alive()
    joins = len(interrupted_close)
    sess.close()
    assert len(interrupted_close) == joins  # it was done


def test_a_session_whose_close_was_interrupted_is_deleted_without_a_wait(
    slow_runner, interrupted_close
):
    sess = slow_runner[0]
    sess._delete()
    assert interrupted_close[-1] == 0
    gc.collect()


def test_an_interactive_session_is_left_where_it_is_closed(fed_by_hand, monkeypatch):
    """Though another thread closes what an interrupted step is still in."""
    _, taken = fed_by_hand
    graph = tf.get_default_graph()
    with tf.Graph().as_default() as other:
        sess = tf.InteractiveSession(graph=graph)
        _interrupted(sess, [taken], monkeypatch)
        sess.close()
        assert tf.get_default_session() is None
        assert tf.get_default_graph() is other
    sess.close()


def test_a_session_whose_steps_were_interrupted_is_freed(fed_by_hand, monkeypatch):
    """An interrupted step ends with an error, whose frames hold the session."""
    _, taken = fed_by_hand
    refs = []
    for fetches in ([taken], {"it": taken}) * 5:
        sess = tf.Session()
        _interrupted(sess, fetches, monkeypatch)
        sess.close()
        refs.append(weakref.ref(sess))
    del sess
    gc.collect()
    assert [ref() for ref in refs] == [None] * 10
