"""What a session asks of a cluster, looked at in one process: no server is started, and time is given."""

import types

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.graph.tasks import Cluster
from tfqueue.session import cluster as clusters
from tfqueue.session.owner import Owner

KNOWN = Cluster({("ps", 0): "a:1", ("ps", 1): "a:2", ("worker", 0): "b:1"}, ("worker", 0))


class Looks:
    """Stands for `Changes`: notes how long each pause is asked to be."""

    def __init__(self):
        self.pauses = []

    def wait(self, seconds):
        self.pauses.append(seconds)


@pytest.fixture
def seconds(monkeypatch):
    """The clock of the module: each look at it is a second later."""
    clock = iter(range(100, 200))
    monkeypatch.setattr(clusters, "time", types.SimpleNamespace(monotonic=lambda: next(clock)))


def said(waited):
    return f"{waited} s"


def test_a_wait_is_spoken_of_once_and_raised_when_its_time_is_over(seconds):
    looks = Looks()
    with (
        pytest.warns(errors.WaitingWarning) as warned,
        pytest.raises(tf.errors.DeadlineExceededError, match=r"^6 s$"),
    ):
        clusters._wait_until(lambda: False, looks, said, 3, 5, 0.25)
    assert [str(each.message) for each in warned] == ["4 s"]
    assert looks.pauses == [0.25] * 5


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wait_that_is_short_is_not_spoken_of(count, seconds, recwarn):
    looks = Looks()
    clusters._wait_until(lambda: len(looks.pauses) == count, looks, said, 3, 5, 0.25)
    assert len(looks.pauses) == count
    assert not recwarn.list


@pytest.fixture
def owner():
    with tf.Session() as sess:
        made = Owner.of(sess)
        made.link.cluster = KNOWN
        yield made


def producer(device, shared_name, epochs):
    with tf.device(device):
        return tf.train.range_input_producer(3, epochs, shared_name=shared_name)


@pytest.mark.parametrize(
    ("device", "shared_name", "epochs", "is_counted"),
    [
        ("/job:ps/task:0", "files", 2, True),
        ("/job:ps/task:1", "files", 1, True),
        ("/job:ps/task:0", None, 2, False),
        ("/job:ps/task:0", "files", None, False),
        ("/job:worker/task:0", "files", 2, False),
    ],
)
def test_whose_epochs_are_the_chiefs_business(device, shared_name, epochs, is_counted):
    queue = producer(device, shared_name, epochs)
    moved = tf.FIFOQueue(
        3, tf.int32, [[]], shared_name="moved"
    )  # takes, and counts no epoch itself
    tf.train.add_queue_runner(tf.train.QueueRunner(moved, [moved.enqueue(queue.dequeue())]))
    with tf.Session() as sess:
        owner = Owner.of(sess)
        owner.link.cluster = KNOWN
        runners = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
        assert [clusters.is_counted(owner, each) for each in runners] == [is_counted, False]
        counted = clusters.counted_queues(owner)
    assert [each.name for each in counted] == [queue.name] * is_counted


def test_the_tasks_of_a_step_are_those_of_all_that_feeds_it():
    with tf.device("/job:ps/task:1"):
        queue = tf.FIFOQueue(3, tf.int32, [[]])
    with tf.device("/job:ps/task:0"):
        value = tf.constant(3) + 4
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(value)]))
    with tf.device("/job:worker/task:0"):
        number = queue.dequeue() * 2
        alone = tf.constant(1) + 1
    with tf.Session() as sess:
        owner = Owner.of(sess)
        for fetched, tasks in (
            (number, {("ps", 0), ("ps", 1), ("worker", 0)}),
            (alone, {("worker", 0)}),
        ):
            plan = owner.plans.of(fetched, None)[1]
            assert clusters.Lookout(owner, plan)._tasks() == tasks


def test_a_wait_for_the_chief_has_variables_to_wait_for(owner):
    clusters.wait_for_chief(None, owner, 0.0)  # there is none: no step is run


@pytest.mark.parametrize("ready", [True, False])
def test_a_session_manager_is_asked_as_up_to_0_12_whether_the_model_is_ready(ready):
    variable = tf.Variable(3, name="weight")
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    with tf.Session() as sess:
        if ready:
            sess.run(variable.initializer)
        found = manager._model_not_ready(sess)
    assert found is None if ready else "weight" in found


@pytest.mark.parametrize("is_chief", [True, False])
def test_a_process_that_is_not_the_chief_initialises_what_is_its_own(is_chief, monkeypatch):
    shared = tf.Variable(1, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="shared")
    own = tf.Variable(2, collections=[tf.GraphKeys.LOCAL_VARIABLES], name="own")
    monkeypatch.setattr(clusters, "shared_local_variables", lambda *given: [shared])
    monkeypatch.setattr(clusters, "wait_for_chief", lambda *given: None)
    names = [each.op.name for each in (shared, own)]
    missing = tf.report_uninitialized_variables([shared, own])
    with tfqueue.managed_session(is_chief=is_chief) as sess:
        found = [name.decode() for name in sess.run(missing)]
    assert found == ([] if is_chief else names[:1])
