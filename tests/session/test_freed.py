"""What a session leaves in memory: nothing, once the program lets go of it."""

import gc
import threading
import weakref

import pytest

import tfqueue.v1 as tf


@pytest.fixture(autouse=True)
def no_collection_elsewhere():
    """`gc.collect` does nothing while a collection that began by itself is under way in another thread."""
    gc.disable()
    yield
    gc.enable()


def _numbers_until_a_bad_one(coordinated):
    """A program whose runner fails; weak references to its graph and its session."""
    with tf.Graph().as_default() as graph:
        words = tf.train.input_producer(["1", "two"], num_epochs=1, shuffle=False)
        batch = tf.train.batch([tf.string_to_number(words.dequeue())], 1)
        with pytest.raises(tf.errors.InvalidArgumentError), tf.Session() as sess:
            sess.run(tf.local_variables_initializer())
            coord = tf.train.Coordinator() if coordinated else None
            tf.train.start_queue_runners(sess, coord)
            while True:
                sess.run(batch)
        raised = [e for r in tf.get_collection("queue_runners") for e in r.exceptions_raised]
        assert len(raised) == (0 if coordinated else 1)
        for error in raised:
            assert isinstance(error, tf.errors.InvalidArgumentError)
            assert "two" in error.message
            assert "batch/fifo_queue" in "".join(error.__notes__)
    return weakref.ref(graph), weakref.ref(sess)


@pytest.mark.parametrize("coordinated", [False, True])
def test_a_program_whose_runner_failed_is_freed(coordinated):
    made = [_numbers_until_a_bad_one(coordinated) for _ in range(4)]
    for _ in range(5):  # a part of TensorFlow's that goes sets free what it held for the next time
        gc.collect()
    assert [[ref() for ref in refs] for refs in made] == [[None, None]] * 4


def _stopped_by_the_main_thread():
    """The textbook's `except Exception as e: coord.request_stop(e)`."""
    with tf.Graph().as_default() as graph:
        names = tf.train.string_input_producer(["no/such/file"], num_epochs=1)
        line = tf.train.batch([tf.TextLineReader().read(names)[1]], 1)
        with tf.Session() as sess:
            sess.run(tf.local_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            try:
                sess.run(line)
            except tf.errors.NotFoundError as error:
                coord.request_stop(error)
            with pytest.raises(tf.errors.NotFoundError):
                coord.join(threads)
    return graph, sess


def _whose_feeder_died():
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        put = tf.FIFOQueue(2, tf.int32, [[]]).enqueue(1)

        def feed():
            sess.run(put)
            raise ZeroDivisionError

        thread = threading.Thread(target=feed)
        thread.start()
        thread.join()
    return graph, sess


@pytest.mark.parametrize("program", [_stopped_by_the_main_thread, _whose_feeder_died])
def test_an_error_that_was_noted_keeps_nothing(program, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda args: None)
    made = [weakref.ref(part) for part in program()]
    for _ in range(5):
        gc.collect()
    assert [ref() for ref in made] == [None, None]


def _dropped_after_a_failure(coordinated):
    """A session that nobody closes; its endless producer is still at work."""
    numbers = tf.train.range_input_producer(10, shuffle=False, capacity=2).dequeue()
    with tf.control_dependencies([tf.Assert(numbers < 3, ["too much"])]):
        small = tf.identity(numbers)
    batch = tf.train.batch([small], 1)
    sess = tf.Session()
    coord = tf.train.Coordinator() if coordinated else None
    threads = tf.train.start_queue_runners(sess, coord)
    with pytest.raises(tf.errors.InvalidArgumentError, match="too much"):
        while True:
            sess.run(batch)
    assert any(thread.is_alive() for thread in threads)
    if coordinated:
        coord.request_stop()
        with pytest.raises(tf.errors.InvalidArgumentError, match="too much"):
            coord.join(threads)
    return weakref.ref(sess), threads


@pytest.mark.parametrize("coordinated", [False, True])
def test_a_failed_session_that_is_dropped_ends_with_its_threads(coordinated):
    dropped, threads = _dropped_after_a_failure(coordinated)
    gc.collect()
    assert dropped() is None
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


@pytest.mark.parametrize("coordinated", [False, True])
def test_a_session_that_is_closed_and_kept_keeps_no_error(coordinated):
    words = tf.train.input_producer(["two"], num_epochs=1, shuffle=False)
    number = tf.train.batch([tf.string_to_number(words.dequeue())], 1)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        tf.train.start_queue_runners(sess, tf.train.Coordinator() if coordinated else None)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(number)
        owner = sess._owner
        assert owner.queues.causes
        assert any(run.failure is not None for run in owner.runs)
    assert (owner.queues.causes, owner.queues.feeders, owner.runs) == ({}, {}, [])
    assert not owner.takers
