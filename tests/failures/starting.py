"""Rows of programs that start too little, too early, twice or not at all."""

from __future__ import annotations

import tfqueue.v1 as tf
from tfqueue import errors

from .kit import Stage, row

_BOTH = ("plain", "alone")  # a managed session starts and initialises by itself


@row(
    "runners_never_started",
    raises=errors.StarvationError,
    says=(
        "shuffle_batch/random_shuffle_queue is empty",
        "QueueRunner was not started",
        "tf.train.start_queue_runners(sess, coord)",
    ),
    ways=("plain",),
)
def never_started(stage: Stage):
    batch = stage.shuffled(stage.numbers(), None)
    with tf.Session() as sess:
        sess.run(batch)


@row(
    "runner_registered_late",
    raises=errors.StarvationError,
    says=("batch/fifo_queue is empty", "1 runner was registered after start_queue_runners()"),
    ways=_BOTH,
)
def registered_after_the_start(stage: Stage):
    record = stage.records(stage.numbers(), None)
    tf.train.batch([record], 2, name="first")
    with tf.Session() as sess:
        coord = stage.coordinator()
        tf.train.start_queue_runners(sess, coord)
        sess.run(tf.train.batch([record], 4))


_UNINITIALISED = (
    "input_producer/limit_epochs/epochs",
    "QueueRunner 'input_producer'",
    "run tf.local_variables_initializer() before start_queue_runners()",
)


@row(
    "epochs_uninitialised_alone",
    raises=tf.errors.FailedPreconditionError,
    says=_UNINITIALISED,
    ways=("alone",),
    by_step=True,
)
@row(
    "epochs_uninitialised",
    raises=tf.errors.FailedPreconditionError,
    says=_UNINITIALISED,
    ways=("plain",),
    by_step=True,
)
def no_local_initializer(stage: Stage):
    batch = stage.shuffled(stage.numbers())
    with tf.Session() as sess:
        stage.textbook(sess, batch)


@row("epochs_uninitialised_alone", gives=10, ways=("managed",))
def managed_initialises(stage: Stage):
    return len(stage.run(stage.shuffled(stage.numbers())))


@row(
    "pattern_uninitialised",
    raises=tf.errors.FailedPreconditionError,
    says=("match_filenames_once('", "*.tfrecord')", "tf.local_variables_initializer()"),
    ways=_BOTH,
)
def no_initializer_for_the_pattern(stage: Stage):
    stage.numbers()
    found = tf.train.match_filenames_once(str(stage.folder / "*.tfrecord"))
    names = tf.train.string_input_producer(found)
    batch = tf.train.batch([tf.TFRecordReader().read(names)[1]], 4)
    with tf.Session() as sess:
        stage.textbook(sess, batch)


@row(
    "started_before_initializer",
    raises=tf.errors.FailedPreconditionError,
    says=_UNINITIALISED,
    ways=_BOTH,
)
def started_before_the_initializer(stage: Stage):
    batch = stage.shuffled(stage.numbers())
    initialise = tf.local_variables_initializer()
    with tf.Session() as sess:
        coord = stage.coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for thread in threads:
            if coord is None or "close_on_stop" not in thread.name:
                thread.join()  # for certain: it has failed by now
                break
        sess.run(initialise)
        sess.run(batch)


@row(
    "reopened_queue",
    raises=tf.errors.CancelledError,
    says=(
        "input_producer was closed at the end of its epochs and cannot be reopened",
        "new session",
    ),
    ways=_BOTH,
)
def second_pass_in_one_session(stage: Stage):
    batch = stage.shuffled(stage.numbers())
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        assert len(stage.textbook(sess, batch)) == 10
        sess.run(tf.local_variables_initializer())
        stage.textbook(sess, batch)


@row("other_default_graph", gives=[0, 1, 2, 3], ways=_BOTH, fine_today="as the list says")
def the_sessions_own_graph(stage: Stage):
    with tf.Graph().as_default() as graph:
        batch = tf.train.batch([tf.train.range_input_producer(8, shuffle=False).dequeue()], 4)
    with tf.Session(graph=graph) as sess:
        coord = stage.coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        found = sess.run(batch).tolist()
        if coord is not None:
            coord.request_stop()
            coord.join(threads)
        return found


@row("no_default_session", raises=ValueError, says=("no session", "as_default()"), ways=("plain",))
def start_without_a_session(stage: Stage):
    stage.shuffled(stage.numbers())
    tf.train.start_queue_runners()


@row(
    "runners_pile_up",
    warns=errors.OldSessionWarning,
    says=("older session", "still alive"),
    ways=_BOTH,
)
def cell_run_again(stage: Stage):
    batch = stage.shuffled(stage.numbers(), None)
    sessions = []
    try:
        for _ in range(2):
            sessions.append(tf.Session())
            tf.train.start_queue_runners(sessions[-1], stage.coordinator())
            sessions[-1].run(batch)
    finally:
        for sess in sessions:
            sess.close()


@row("runners_pile_up", gives=True, ways=_BOTH)
def replaced_session_ends_its_threads(stage: Stage):
    import gc
    import threading

    batch = stage.shuffled(stage.numbers(), None)
    alive = []
    for _ in range(3):
        before = set(threading.enumerate())
        sess = tf.Session()
        coord = stage.coordinator()
        tf.train.start_queue_runners(sess, coord)
        sess.run(batch)
        started = [
            thread
            for thread in set(threading.enumerate()) - before
            if not isinstance(thread, threading._DummyThread)  # TensorFlow's own
        ]
        sess = coord = None
        gc.collect()
        for thread in started:
            thread.join(10)  # seconds: ended they are, by another thread perhaps
        alive += [thread for thread in started if thread.is_alive()]
    return bool(started) and not alive


@row(
    "reset_with_runners",
    warns=errors.OldSessionWarning,
    says=("older session", "still alive"),
    ways=("plain",),
)
def reset_with_live_threads(stage: Stage):
    # The one default graph of the process; the tests' own stands on top of it.
    from tensorflow.python.framework import ops

    stack = ops._default_graph_stack
    kept, stack.stack[:] = list(stack.stack), []
    try:
        batch = stage.shuffled(stage.numbers(), None)
        with tf.Session() as sess:
            tf.train.start_queue_runners(sess)
            sess.run(batch)
            stack_inside, stack.stack[:] = list(stack.stack), []
            tf.reset_default_graph()
            stack.stack[:] = stack_inside
    finally:
        tf_stack = stack.stack
        tf_stack[:] = kept
