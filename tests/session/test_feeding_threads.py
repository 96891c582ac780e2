"""Which waits can still end: threads of the program's own between two queues, and idle runners."""

from __future__ import annotations

import math
import threading
import time
import types

import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.session import registry, starvation
from tfqueue.session.owner import Owner

_LOOKS = 4
"""So often must a step that waits have looked around: two looks can prove a queue dead."""


@pytest.fixture
def looks(monkeypatch):
    """The looks around of the main thread's steps, and what is set once there were enough."""
    looked = threading.Event()
    looked.count = 0

    def look(watch, original=starvation.WaitWatch.look):
        original(watch)
        if threading.current_thread() is threading.main_thread():
            looked.count += 1
            if looked.count >= _LOOKS:
                looked.set()

    monkeypatch.setattr(starvation.WaitWatch, "look", look)
    return looked


@pytest.fixture
def started():
    """Starts threads of the program's own, which are joined at the end of the test."""
    threads = []

    def start(function):
        thread = threading.Thread(target=function)
        thread.start()
        threads.append(thread)
        return thread

    yield start
    for thread in threads:
        thread.join(60)


@pytest.fixture
def between():
    """`(first, second, number, put_first, put_second)`: two queues fed by hand."""
    number = tf.placeholder(tf.int32, [])
    first, second = (tf.FIFOQueue(10, tf.int32, [[]], name=name) for name in ("first", "second"))
    return first, second, number, first.enqueue(number), second.enqueue(number)


@pytest.mark.parametrize("fed_before", [False, True])
def test_a_thread_that_waits_for_a_slow_runner_is_a_live_feeder(looks, started, fed_before):
    """It takes from one queue and feeds another: Python's own preprocessing of old programs."""

    def slow(value):
        assert value == 0 or looks.wait(60)
        return value

    numbers = tf.train.range_input_producer(2, num_epochs=1, shuffle=False)
    value = tf.py_func(slow, [numbers.dequeue()], tf.int32)
    value.set_shape([])
    raw = tf.train.batch([value], 1)
    number = tf.placeholder(tf.int32, [1])
    queue = tf.FIFOQueue(10, tf.int32, [[1]])
    put, take, close = queue.enqueue(number), queue.dequeue(), queue.close()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        if fed_before:
            started(lambda: sess.run(put, {number: [7]})).join()
            assert sess.run(take) == 7
        coord = tf.train.Coordinator()

        def prepare():
            try:
                while True:
                    value = sess.run(raw)
                    sess.run(put, {number: value + 10})
            except tf.errors.OutOfRangeError:
                sess.run(close)

        started(prepare)
        threads = tf.train.start_queue_runners(sess, coord)
        assert [sess.run(take), sess.run(take)] == [10, 11]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(take)
        coord.request_stop()
        coord.join(threads)


def test_a_thread_that_computes_with_the_last_element_is_a_live_feeder(looks, started, between):
    """It is in a step that takes, of a queue that only the one who waits for it could fill."""
    first, second, number, put_first, put_second = between

    def slow(value):
        assert value == 0 or looks.wait(60)
        return value

    taken = tf.py_func(slow, [first.dequeue()], tf.int32)
    answer = second.dequeue()
    with tf.Session() as sess:

        def serve():
            for _ in range(2):
                sess.run(put_second, {number: sess.run(taken) + 10})

        started(serve)
        for question in range(2):
            sess.run(put_first, {number: question})
            assert sess.run(answer) == question + 10


def test_two_threads_that_wait_for_each_other_are_told(started, between):
    first, second, number, put_first, put_second = between
    two, answer = first.dequeue_many(2), second.dequeue()
    told, both = [], threading.Event()
    with tf.Session() as sess:

        def serve():
            sess.run(put_second, {number: 5})
            with pytest.raises(errors.StarvationError) as error:
                sess.run(two)
            told.append(error.value)
            both.set()

        started(serve)
        sess.run(put_first, {number: 1})
        assert sess.run(answer) == 5
        with pytest.raises(errors.StarvationError, match="'second' can get no more elements"):
            sess.run(answer)
        assert both.wait(60)  # else the end of the session would be what ends its wait
    assert "'first' can get no more elements" in str(told[0])


def test_who_gave_up_a_wait_may_feed(looks, started, between, monkeypatch):
    """After Ctrl-C the step goes on in C++; who asked for it is back in his program."""
    first, _, number, put, _ = between
    take, other = first.dequeue(), first.dequeue()

    def interrupt(watch):
        raise KeyboardInterrupt

    looked = threading.Event()

    def look(watch, original=starvation.WaitWatch.look):
        original(watch)
        looked.count += 1
        if looked.count >= _LOOKS:
            looked.set()

    looked.count = 0
    with tf.Session() as sess:
        sess.run(put, {number: 0})
        assert sess.run(take) == 0
        with monkeypatch.context() as patch:
            patch.setattr(starvation.WaitWatch, "look", interrupt)
            with pytest.raises(KeyboardInterrupt):
                sess.run(take)
        monkeypatch.setattr(starvation.WaitWatch, "look", look)
        got = []
        taker = started(lambda: got.append(sess.run(other)))
        assert looked.wait(60)
        assert not sess._owner.queues.causes
        sess.run(put, {number: 1})
        sess.run(put, {number: 2})
        got.append(sess.run(take))
        taker.join(60)
    assert sorted(got) == [1, 2]


def test_records_that_a_thread_of_the_programs_own_moves_on_are_records(looks, started, tmp_path):
    """One line in an endless epoch, read by a step that no runner runs."""
    path = tmp_path / "one.txt"
    path.write_text("line\n")
    names = tf.train.string_input_producer([str(path)])
    queue = tf.FIFOQueue(10**6, tf.string, [[]])
    put = queue.enqueue(tf.TextLineReader().read(names)[1])
    take, close = queue.dequeue_many(10**6), queue.close()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)

        def feed():
            while not looks.is_set():
                sess.run(put)
            sess.run(close)

        started(feed)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(take)
        coord.request_stop()
        coord.join(threads)


@pytest.mark.parametrize("registered", [False, True])
def test_threads_that_were_made_and_not_started(registered):
    """`start=False` is what `create_threads` does by itself."""
    queue = tf.FIFOQueue(10, tf.int32, [[]], name="idle")
    runner = tf.train.QueueRunner(queue, [queue.enqueue(7)])
    if registered:
        tf.train.add_queue_runner(runner)
    take = queue.dequeue()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord=coord)
        with pytest.raises(errors.StarvationError, match=r"idle .* made but not started"):
            sess.run(take)
        for thread in threads:
            thread.start()
        assert sess.run(take) == 7
        coord.request_stop()
        coord.join(threads)


@pytest.mark.parametrize("workers", [1, 2])
def test_workers_whose_runners_nobody_starts(started, workers):
    """While the main thread waits for them in `join`, and they for each other."""
    take = tf.train.batch([tf.train.range_input_producer(4).dequeue()], 2)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()

        def train():
            with coord.stop_on_exception():
                while not coord.should_stop():
                    sess.run(take)

        threads = [started(train) for _ in range(workers)]
        with pytest.raises(errors.StarvationError, match=r"call tf\.train.start_queue_runners"):
            coord.join(threads)


def test_a_worker_that_is_held_back_ends_with_a_stop(started, monkeypatch):
    """TensorFlow's would wait for ever for runners that nobody starts any more."""
    monkeypatch.setattr(starvation, "_GATE_SECONDS", math.inf)
    take = tf.train.batch([tf.train.range_input_producer(4).dequeue()], 2)
    ends = []
    with tf.Session() as sess:
        coord = tf.train.Coordinator()

        def train():
            with pytest.raises(tf.errors.OutOfRangeError) as caught:
                sess.run(take)
            ends.extend(caught.value.__notes__)

        thread = started(train)
        while not Owner.of(sess).steps.held_back:
            time.sleep(0)
        coord.request_stop()
        coord.join([thread])
    assert "closed by a stop" in "".join(ends)


class Stoppable(threading.Thread):
    """A thread with an attribute that `Thread.is_alive` takes for a method up to Python 3.12."""

    def __init__(self, sess, ops, number):
        super().__init__(daemon=True)
        self._stop = threading.Event()
        self._given = sess, ops, number

    def run(self):
        sess, ops, number = self._given
        for i in range(3):
            sess.run(ops, {number: i})


def test_a_feeding_thread_may_have_attributes_of_any_name(between):
    first, _, number, put, _ = between
    take, left = first.dequeue_many(3), first.dequeue()
    with tf.Session() as sess:
        thread = Stoppable(sess, put, number)
        thread.start()
        assert sess.run(take).tolist() == [0, 1, 2]
        with pytest.raises(errors.StarvationError):
            sess.run(left)
    assert thread not in threading.enumerate()


def test_a_thread_that_comes_too_late_with_an_element_dies_quietly(capfd):
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    put, closed, begun = queue.enqueue(1), threading.Event(), threading.Event()
    sess = tf.Session()

    def feed():
        sess.run(put)
        begun.set()
        closed.wait(60)
        sess.run(put)

    thread = threading.Thread(target=feed)
    thread.start()
    assert begun.wait(60)
    sess.close()
    closed.set()
    thread.join()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("error_class", [None, ZeroDivisionError])
@pytest.mark.parametrize("clean", [False, True])
def test_what_a_thread_died_of_is_known_and_told_unless_we_ended_it(named, error_class, clean):
    told, thread = [], threading.Thread() if named else None
    error = None if error_class is None else error_class("mine")
    if clean and error is not None:
        registry.mark_clean(error)
    given = types.SimpleNamespace(exc_value=error, thread=thread)
    registry._hook_before(told.append)(given)
    quiet = clean and error is not None
    assert told == ([] if quiet else [given])
    if thread is not None:
        assert registry.error_of(thread) is (None if quiet else error)
