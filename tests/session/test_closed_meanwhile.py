"""A session that is closed while a step of it waits for elements: no end of the data."""

from __future__ import annotations

import threading
import traceback

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.session import registry


class Pause:
    """A number, passed on at once up to a limit, and behind it only when told to."""

    def __init__(self, limit):
        self._limit = limit
        self.met, self.over = threading.Event(), threading.Event()

    def __call__(self, number):
        if number >= self._limit:
            self.met.set()
            assert self.over.wait(60)
        return number

    def of(self, number):
        (passed,) = tf.py_func(self, [number], [number.dtype])
        passed.set_shape([])
        return passed


def close(sess):
    sess.close()


def exit_the_process(sess):
    registry.end_all(but=registry.still_open() - {sess._owner})


def signal(event):
    """An op that sets an event: the step it is in has begun."""
    return tf.py_func(lambda: event.set() or 0, [], tf.int64)


def once(event, function, *arguments):
    """Starts a thread that calls a function as soon as an event is set."""

    def wait():
        assert event.wait(60)
        function(*arguments)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def once_it_stops(sess, pause):
    """Starts a thread that ends a pause as soon as the session's end has begun."""

    def go_on():
        assert sess._owner.changed.wait_for(lambda: sess._owner.stopping, 60)
        pause.over.set()

    return once(pause.met, go_on)


def batched(pause):
    number = tf.train.range_input_producer(100, num_epochs=1, shuffle=False).dequeue()
    return tf.train.batch([pause.of(number)], 2)


def read(pause):
    """The step itself waits for the name of a file."""
    queue = tf.FIFOQueue(4, tf.string, [[]])
    put = queue.enqueue(tf.as_string(pause.of(tf.constant(9))))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    return tf.TFRecordReader().read(queue)[1]


@pytest.mark.parametrize("end", [close, exit_the_process])
@pytest.mark.parametrize("build", [batched, read])
def test_a_step_that_waits_is_cancelled(build, end):
    pause, begun = Pause(4), threading.Event()
    take, told = build(pause), signal(begun)
    sess = tf.Session()
    sess.run(tf.local_variables_initializer())
    tf.train.start_queue_runners(sess)
    taken = [sess.run(take).tolist() for _ in range(2 if build is batched else 0)]
    assert pause.met.wait(60)
    thread = once(begun, end, sess)
    try:
        with pytest.raises(tf.errors.CancelledError) as caught:
            sess.run([take, told])
    finally:
        pause.over.set()
        thread.join()
    assert "OutOfRangeError" not in "".join(traceback.format_exception(caught.value))
    assert taken == ([[0, 1], [2, 3]] if build is batched else [])
    with pytest.raises(RuntimeError, match="closed Session"):
        sess.run(take)


def test_a_managed_session_does_not_end_quietly():
    pause, begun, got = Pause(4), threading.Event(), []
    batch, told = batched(pause), signal(begun)
    with pytest.raises(tf.errors.CancelledError), tfqueue.managed_session() as sess:
        for values, _ in sess.batches([batch, told]):
            got += values.tolist()
            if len(got) == 4:
                assert pause.met.wait(60)
                begun.clear()
                threads = [once(begun, close, sess), once_it_stops(sess, pause)]
    for thread in threads:
        thread.join()
    assert got == [0, 1, 2, 3]


def numbers():
    return tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()


def at_its_end(sess, coord, threads):
    coord.join(threads)  # the runner has ended and closed the queue


def stopped(sess, coord, threads):
    coord.request_stop()
    coord.join(threads)


def fed_by_hand():
    return tf.FIFOQueue(4, tf.int32, [[]], name="fed").dequeue()


def closed_by_the_program(sess, coord, threads):
    queue = sess.graph.get_operation_by_name("fed").outputs[0]
    sess.run(tf.raw_ops.QueueCloseV2(handle=queue))


@pytest.mark.parametrize(
    ("build", "end"),
    [(numbers, at_its_end), (numbers, stopped), (fed_by_hand, closed_by_the_program)],
    ids=lambda given: given.__name__,
)
def test_an_end_in_front_of_the_close_stays_the_end(build, end, monkeypatch):
    """The step has met it, and before it can say so the session is closed."""
    number = build()
    size = tf.raw_ops.QueueSizeV2(handle=number.op.inputs[0])
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        end(sess, coord, tf.train.start_queue_runners(sess, coord))
        while sess.run(size):
            sess.run(number)
        run_now, thread = sess._run_now, threading.Thread(target=sess.close)

        def run_and_close(*arguments):
            try:
                return run_now(*arguments)
            finally:
                thread.start()
                assert sess._owner.changed.wait_for(lambda: sess._owner.stopping, 60)

        monkeypatch.setattr(sess, "_run_now", run_and_close)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(number)
        thread.join()


@pytest.mark.parametrize("which", ["the queue", "its source"])
@pytest.mark.parametrize("with_coord", [True, False])
def test_a_queue_that_the_program_closes_itself_is_at_its_end(which, with_coord):
    """TensorFlow cancels the runner's enqueue: `join` says so, and the step only that there is no more."""
    source = tf.train.range_input_producer(100, shuffle=False)
    filled = tf.FIFOQueue(3, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(filled, [filled.enqueue(source.dequeue())]))
    number = filled.dequeue()
    close = (filled if which == "the queue" else source).close(cancel_pending_enqueues=True)
    with tf.Session() as sess:
        coord = tf.train.Coordinator() if with_coord else None
        threads = tf.train.start_queue_runners(sess, coord)
        got = [sess.run(number)]
        sess.run(close)
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                got.append(sess.run(number))
        if with_coord:
            assert coord.wait_for_stop(60)  # by the runner: a stop before its report would drop it
            with pytest.raises(tf.errors.CancelledError):
                coord.join(threads)
    assert got == list(range(len(got)))
