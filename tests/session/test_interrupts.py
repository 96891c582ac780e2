"""Ctrl-C while a step waits: what the step takes later is kept for the one who asks again."""

from __future__ import annotations

import threading

import pytest

import tfqueue.v1 as tf
from tfqueue.session import starvation
from tfqueue.session.step import Step


def _interrupted(sess, fetches, monkeypatch):
    def interrupt(watch):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(starvation.Watch, "look", interrupt)
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
