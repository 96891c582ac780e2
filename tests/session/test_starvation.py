"""Waits that nobody can judge, and waits that can never end."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.explain import diagnosis
from tfqueue.session import idleness, runner_runs, starvation


@pytest.fixture(autouse=True)
def no_broken_story():
    """A story that failed is seen by nobody; here it fails the test."""
    diagnosis.BROKEN.clear()
    yield
    assert not diagnosis.BROKEN


def test_a_wait_that_nobody_can_judge_is_spoken_of_and_goes_on(monkeypatch):
    spoken, said = threading.Event(), []

    def hear(message, category):
        said.append((message, category))
        spoken.set()

    monkeypatch.setattr(starvation, "_WARN_AFTER", 0.1)
    monkeypatch.setattr(diagnosis, "warn", hear)
    queue = tf.FIFOQueue(2, tf.int32, [[]], shared_name="everyones", name="theirs")
    put, take = queue.enqueue(1), queue.dequeue()
    with tf.Session() as sess:

        def feed():
            spoken.wait(60)
            sess.run(put)

        thread = threading.Thread(target=feed)
        thread.start()
        assert sess.run(take) == 1
        thread.join()
    assert [category for _, category in said] == [errors.WaitingWarning]
    assert "still waiting for elements of FIFOQueue 'theirs'" in said[0][0]


def test_a_dead_wait_beside_a_thread_that_always_computes_is_spoken_of(monkeypatch):
    still, said = threading.Event(), []

    def hear(message, category):
        said.append((message, category))
        still.set()

    monkeypatch.setattr(starvation, "_WARN_AFTER", 0.1)
    monkeypatch.setattr(diagnosis, "warn", hear)
    monkeypatch.setattr(idleness.Stillness, "__call__", lambda self, waiting: still.is_set())
    queue = tf.FIFOQueue(2, tf.int32, [[]], name="handmade")
    put, batch = queue.enqueue(1), tf.train.batch([queue.dequeue()], 2)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(put)
        with pytest.raises(errors.StarvationError, match="'handmade' can get no more"):
            sess.run(batch)
        coord.request_stop()
        coord.join(threads)
    assert [category for _, category in said] == [errors.WaitingWarning]


def test_a_queue_that_no_op_fills():
    take = tf.FIFOQueue(2, tf.int32, [[]], name="forgotten").dequeue()
    with tf.Session() as sess, pytest.raises(errors.StarvationError, match="no op that puts into"):
        sess.run(take)


@pytest.mark.parametrize("reserve", [0, 2], ids=["FIFOQueue", "RandomShuffleQueue"])
def test_a_step_that_has_its_elements_may_take_its_time(reserve, monkeypatch):
    """Its feeder has ended, and while it computes all seems still, as where it reads from afar."""
    looked_twice = threading.Event()

    def starve(supervision, job, queues, original=starvation._starve):
        original(supervision, job, queues)
        looked_twice.set()

    def compute(numbers):
        assert looked_twice.wait(60)
        return numbers

    monkeypatch.setattr(starvation, "_starve", starve)
    monkeypatch.setattr(idleness.Stillness, "__call__", lambda still, waiting: True)
    numbers = tf.placeholder(tf.int32, [None])
    queue = (
        tf.RandomShuffleQueue(10, reserve, tf.int32, [[]])
        if reserve
        else tf.FIFOQueue(10, tf.int32, [[]])
    )
    put = queue.enqueue_many([numbers])
    out = tf.py_func(compute, [queue.dequeue_many(3)], tf.int32)
    with tf.Session() as sess:
        feeder = threading.Thread(target=sess.run, args=(put, {numbers: range(3 + reserve)}))
        feeder.start()
        feeder.join()
        assert len(set(sess.run(out))) == 3
        with pytest.raises(errors.StarvationError):
            sess.run([out, out])  # and the next one is told


def test_a_queue_that_holds_more_than_a_slow_step_takes_stays_open(monkeypatch):
    """No step waits for it, so that its only feeder takes from it too is no dead end."""
    looks, looked = [], threading.Event()

    def look(watch, original=starvation.Watch.look):
        original(watch)
        looks.append(watch)
        if len(looks) > 3:
            looked.set()

    def slow():
        assert looked.wait(60)
        return np.int32(7)

    monkeypatch.setattr(starvation.Watch, "look", look)
    queue = tf.FIFOQueue(10, tf.int32, [[]])
    fill, take = queue.enqueue_many([[1, 2]]), queue.dequeue()
    put = queue.enqueue(tf.py_func(slow, [], tf.int32))
    with tf.Session() as sess:
        sess.run(fill)
        assert sess.run([take, put])[0] == 1
        assert [sess.run(take), sess.run(take)] == [2, 7]
        with pytest.raises(errors.StarvationError):
            sess.run(take)


def test_what_is_taken_in_a_branch_is_not_counted_on():
    """A step that is sure of its elements is not looked after: it must not be sure of these."""
    queue = tf.FIFOQueue(10, tf.int32, [[]])
    fill, take = queue.enqueue_many([[1, 2]]), queue.dequeue()
    wanted = tf.placeholder(tf.bool, [])
    perhaps = tf.cond(wanted, queue.dequeue, lambda: tf.constant(0))
    with tf.Session() as sess:
        sess.run(fill)
        assert [sess.run(perhaps, {wanted: wish}) for wish in (False, True)] == [0, 1]
        assert sess.run(take) == 2
        with pytest.raises(errors.StarvationError):
            sess.run(take)


def test_filling_the_queue_of_names_is_no_epoch_without_a_record(records, monkeypatch):
    """While the first example takes its time, 32 names of one file are read ahead, and no more."""
    looked, looks = threading.Event(), []

    def look(watch, original=starvation.Watch._spinning):
        with pytest.MonkeyPatch.context() as patch:
            if not looks:  # the first look comes before the first name
                patch.setattr(runner_runs.RunnerRun, "enqueued", lambda run: 0)
            original(watch)
        looks.append(watch)
        if len(looks) > 3:
            looked.set()

    def slow(record):
        assert looked.wait(60)
        return record

    monkeypatch.setattr(starvation.Watch, "_spinning", look)
    names = tf.train.string_input_producer([records([b"a", b"b"])], shuffle=False)
    record = tf.py_func(slow, [tf.TFRecordReader().read(names)[1]], tf.string)
    record.set_shape([])
    take = tf.train.batch([record], 1)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(take) == [b"a"]
        assert not sess._supervision.causes
        coord.request_stop()
        coord.join(threads)
