"""`QueueRunner`s that are started twice, and that close their queue in ways of their own."""

from __future__ import annotations

import contextlib
import functools
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
