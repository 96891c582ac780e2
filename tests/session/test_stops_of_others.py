"""A stop by a coordinator of TensorFlow's own, in `MonitoredSession` and `Supervisor`."""

from __future__ import annotations

import pytest
from tensorflow.python.training import coordinator as training_coordinator

import tfqueue.v1 as tf
from tfqueue.session.owner import Owner

GRACE = 10  # seconds until TensorFlow's coordinator gives up on a thread


@pytest.fixture
def alive(monkeypatch):
    """The threads of runners that are still alive when their session is closed."""
    found = []

    def shut_down(owner, close, original=Owner.shut_down):
        found.extend(thread for run in owner.runs for thread in run.alive())
        original(owner, close)

    monkeypatch.setattr(Owner, "shut_down", shut_down)
    return found


def supervisor(**more):
    return tf.train.Supervisor(
        logdir=None, saver=None, summary_op=None, stop_grace_secs=GRACE, **more
    )


@pytest.mark.parametrize(
    "start",
    [
        lambda: tf.train.MonitoredTrainingSession(stop_grace_period_secs=GRACE),
        lambda: supervisor().managed_session(),
    ],
    ids=["MonitoredSession", "Supervisor"],
)
def test_a_wait_for_a_queue_that_is_fed_by_hand_ends(start, alive):
    tf.train.batch([tf.FIFOQueue(3, [tf.int32], [[]]).dequeue()], 4)
    with pytest.raises(ValueError, match="the program's"), start():
        raise ValueError("the program's")
    assert alive == []


@pytest.mark.parametrize("on", ["this process", "a server"])
def test_a_wait_for_gradients_ends(on):
    weight = tf.get_variable("weight", initializer=4.0)
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    optimizer.apply_gradients(optimizer.compute_gradients(weight**2), global_step=step)
    runner = optimizer.get_chief_queue_runner()
    target = tf.train.Server.create_local_server().target if on == "a server" else ""
    training = supervisor(
        local_init_op=optimizer.chief_init_op,
        ready_for_local_init_op=optimizer.ready_for_local_init_op,
    )
    sess = training.prepare_or_wait_for_session(target)
    threads = training.start_queue_runners(sess, [runner])
    training.stop(threads)  # an error where they are alive after GRACE
    assert not any(thread.is_alive() for thread in threads)
    assert sess.run(weight) == 4.0  # nothing was applied, and the session is still there
    sess.close()


class Summaries:
    """A summary writer that keeps what is written between two closings."""

    def __init__(self):
        self.files = []

    def reopen(self):
        self.files.append([])

    def add_session_log(self, log):
        self.files[-1].append(log.status)

    def add_graph(self, _):
        pass

    add_meta_graph = add_graph

    def close(self):
        self.files[-1].append("closed")


def test_a_second_stop_leaves_the_closed_summary_file_alone():
    """`managed_session` stops, at its end, also what the program has stopped itself."""
    writer = Summaries()
    training = supervisor(summary_writer=writer)
    for _ in range(2):
        with training.managed_session(start_standard_services=False):
            training.stop(close_summary_writer=False)
            training.stop()
    assert writer.files == [[tf.SessionLog.STOP, "closed"]] * 2


def test_the_sessions_end_ends_what_waits_for_the_stop_of_tensorflows_own_coordinator():
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    sess, coord = tf.Session(), training_coordinator.Coordinator()
    sess.run(tf.local_variables_initializer())
    (producer,) = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    threads = producer.create_threads(sess, coord, daemon=True, start=True)
    assert [sess.run(number) for _ in range(3)] == [0, 1, 2]
    (run,) = sess._owner.runs
    assert run.closer in threads
    sess.close()  # names the threads that are left
    assert not any(thread.is_alive() for thread in threads)
    assert not coord.should_stop()
