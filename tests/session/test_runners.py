"""`QueueRunner`s that are started twice, and that close their queue in ways of their own."""

from __future__ import annotations

import contextlib
import functools
import threading
import types

import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.session import runner


def test_a_second_start_changes_nothing_before_the_program_has_come_to_the_end():
    """TensorFlow starts none while the first still run. Fast ones have ended by then."""
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        (run,) = sess._owner.runs
        threads[0].join(60)
        assert run.ended
        threads += tf.train.start_queue_runners(sess, coord)
        assert [sess.run(number) for _ in range(4)] == [0, 1, 2, 3]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(number)
        assert tf.train.start_queue_runners(sess, coord)  # now another pass is wanted
        with pytest.raises(tf.errors.CancelledError, match="cannot be reopened"):
            sess.run(number)
        coord.request_stop()
        with contextlib.suppress(tf.errors.CancelledError):  # the runner's own, if it came first
            coord.join(threads)


@pytest.mark.parametrize("after", ["the end", "a stop"])
def test_a_runner_that_finds_its_queue_closed_says_by_what(after):
    """No step comes to say so: the program only joins the threads that it has started again."""
    epochs = 1 if after == "the end" else None
    number = tf.train.range_input_producer(4, num_epochs=epochs, shuffle=False).dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        if after == "the end":
            with pytest.raises(tf.errors.OutOfRangeError):
                while True:
                    sess.run(number)
        else:
            sess.run(number)
        coord.request_stop()
        coord.join(threads)
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.CancelledError) as caught:
            coord.join(threads)
    said = {"the end": "at the end of its epochs", "a stop": "by the stop that was asked for"}
    assert f"input_producer was closed {said[after]}" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("closes", [False, True])
def test_a_cancel_op_of_the_programs_own(closes):
    """A tensor that an assignment gave, which says that the stop came and may leave it at that."""
    stops = tf.Variable(0, trainable=False)
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    if closes:
        with tf.control_dependencies([queue.close(cancel_pending_enqueues=True)]):
            cancel = tf.assign_add(stops, 1)
    else:
        cancel = tf.assign_add(stops, 1)
    runner = tf.train.QueueRunner(queue, [queue.enqueue_many([[7]])], cancel_op=cancel)
    seven = queue.dequeue()
    with tf.Session() as sess:
        sess.run(stops.initializer)
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord, start=True)
        assert sess.run(seven) == 7
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=30)
        assert sess.run(stops) == 1
        assert sess.run(queue.is_closed())


@pytest.mark.parametrize("asked", [False, True])
def test_what_a_runner_holds_is_put_where_another_failed_and_not_where_a_stop_was_asked_for(asked):
    told = []
    run = types.SimpleNamespace(
        guard=None,
        stop_was_asked_for=lambda: asked and "move" in told,
        should_stop=lambda: True,
        thread_stopped=lambda: told.append("stopped"),
    )
    names = ("move", "finish", "close")
    mover = types.SimpleNamespace(**{name: functools.partial(told.append, name) for name in names})
    runner.work(run, mover, ())
    assert told == ["move", *([] if asked else ["finish"]), "stopped", "close"]


def test_a_failure_that_no_step_came_to_tell_is_told_at_the_end():
    queue = tf.FIFOQueue(2, tf.float32, [[]], name="numbers")
    put = queue.enqueue(tf.string_to_number("seven"))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    taken = queue.dequeue()
    sess = tf.Session()
    (thread,) = tf.train.start_queue_runners(sess)
    thread.join(60)
    said = "QueueRunner numbers failed and no step came to tell: InvalidArgumentError: .*seven"
    with pytest.warns(errors.UnseenFailureWarning, match=said):
        sess.close()
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="seven"):
            sess.run(taken)  # it is told: there is nothing to warn of


def until(true):
    """Returns when `true()` says so."""
    pause = threading.Event()
    while not true():
        pause.wait(0.01)


def put_by_two_threads(value):
    """What comes of `value` by a queue that two runner's threads fill."""
    queue = tf.FIFOQueue(2, [value.dtype], [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(value)] * 2))
    return queue.dequeue()


def counted_to(number):
    """Counts up to `number`, which is not 0, in a loop of TensorFlow's."""
    count = tf.while_loop(lambda i: i < number, lambda i: i + 1, [0])
    with tf.control_dependencies([tf.Assert(number > 0, ["nothing to count"])]):
        return tf.identity(count)


@pytest.mark.parametrize("chunks", ["0", "auto"])
def test_a_failure_waits_for_what_a_sibling_computes(chunks, monkeypatch):
    monkeypatch.setattr(runner, "_SIBLINGS_SECONDS", 0)
    monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
    source, much = tf.FIFOQueue(4, tf.int32, [[]]), 100_000
    fill = tf.train.QueueRunner(source, [source.enqueue_many([[much, 0]])])
    counted = put_by_two_threads(counted_to(source.dequeue()))
    with tf.Session() as sess:
        fill.create_threads(sess, start=True)
        tf.train.start_queue_runners(sess)
        assert sess.run(counted) == much
        with pytest.raises(tf.errors.InvalidArgumentError, match="nothing to count"):
            while True:
                assert sess.run(counted) == much


@pytest.mark.parametrize("chunks", ["0", "16"])
def test_a_failure_waits_for_what_has_no_room_yet(chunks, monkeypatch):
    monkeypatch.setattr(runner, "_SIBLINGS_SECONDS", 0)
    number = tf.train.range_input_producer(30, num_epochs=1, shuffle=False).dequeue()
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    with tf.control_dependencies([tf.Assert(False, ["at once"])]):
        wrong = queue.enqueue(1)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(number), wrong]))
    taken = queue.dequeue()
    monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        tf.train.start_queue_runners(sess, start=False)
        source, run = sess._owner.runs
        for thread in source.threads:
            thread.start()
            thread.join()  # it has put all, and closed
        right, fails = run.threads
        full = functools.partial(
            sess._owner.queues.is_full, sess._owner.pipeline.queues[queue.name]
        )
        right.start()
        until(full)
        fails.start()
        found = []
        with pytest.raises(tf.errors.InvalidArgumentError, match="at once"):
            while True:
                until(lambda: full() or not run.working())
                found.append(sess.run(taken))
        left = sess._owner.queues.size(sess._owner.pipeline.queues[source.queue_name])
        assert found == list(range(30 - left))  # what was read and not put would be in neither


@pytest.mark.parametrize("waits_for", ["an element", "a file's name", "Python"])
def test_a_failure_is_told_where_a_sibling_waits_for_what_never_comes(waits_for):
    source, never = tf.FIFOQueue(4, tf.string, [[]]), threading.Event()
    number = tf.placeholder(tf.string, [])
    by_hand, value = source.enqueue(number), source.dequeue()
    if waits_for == "a file's name":
        value = tf.IdentityReader().read(source)[1]
    elif waits_for == "Python":
        value = tf.py_func(
            lambda it: never.wait() and it if it == b"wait" else it, [value], tf.string
        )
    found = put_by_two_threads(tf.string_to_number(value))
    with tf.Session() as sess:
        if waits_for == "Python":
            sess.run(by_hand, {number: "wait"})
        sess.run(by_hand, {number: "seven"})
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="seven"):
            sess.run(found)
        never.set()


def test_a_failure_is_told_where_a_sibling_has_no_room_in_another_queue():
    full, queue = tf.FIFOQueue(1, tf.int32, [[]]), tf.FIFOQueue(2, tf.int32, [[]])
    fill, number = full.enqueue(1), tf.train.range_input_producer(4).dequeue()
    with tf.control_dependencies([full.enqueue(2)]):
        right = queue.enqueue(number)
    with tf.control_dependencies([tf.Assert(False, ["at once"])]):
        wrong = queue.enqueue(1)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [right, wrong]))
    taken = queue.dequeue()
    with tf.Session() as sess:
        sess.run([fill, tf.local_variables_initializer()])
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="at once"):
            sess.run(taken)
