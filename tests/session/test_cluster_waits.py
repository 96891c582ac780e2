"""What a session asks of a cluster, looked at in one process: no server is started, and time is given."""

import types

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.graph.tasks import Cluster
from tfqueue.session import cluster as clusters
from tfqueue.session import failures, reachability, shared_queues
from tfqueue.session.owner import Owner

KNOWN = Cluster({("ps", 0): "a:1", ("ps", 1): "a:2", ("worker", 0): "b:1"}, ("worker", 0))


class Looks:
    """Stands for `Changes`: notes how long each pause is asked to be."""

    def __init__(self):
        self.pauses = []

    def wait(self, seconds):
        self.pauses.append(seconds)

    def notify_all(self):
        pass


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


# -- looking after the tasks while a step waits ------------------------------------------------------

PS, OTHER_PS, WORKER = ("ps", 0), ("ps", 1), ("worker", 0)


class Reach:
    """Stands for `reachability.Reach`: the test says who is silent, and since when."""

    made = None

    def __init__(self, cluster, tasks):
        assert Reach.made is None, "one for all looks"
        assert (cluster, tasks) == (KNOWN, ())
        self.silent_since, self.asked, self.looks, self.closed = {}, None, 0, False
        Reach.made = self

    def ask(self, tasks):
        self.asked = tasks

    def look(self):
        self.looks += 1

    def gone(self, seconds):
        assert seconds == reachability.GONE_SECONDS
        return {task for task, since in self.silent_since.items() if since < 0}

    def close(self):
        self.closed = True


@pytest.fixture
def clock(monkeypatch):
    """The clock of the module; `clock.now` is set by the test."""
    given = types.SimpleNamespace(now=0.0)
    given.monotonic = lambda: given.now
    monkeypatch.setattr(clusters, "time", given)
    return given


@pytest.fixture
def lookout(monkeypatch, owner, clock):
    """A `Lookout` over a step that takes from a shared queue of the first parameter server."""
    monkeypatch.setattr(Reach, "made", None)
    monkeypatch.setattr(reachability, "Reach", Reach)
    with tf.device("/job:ps/task:0"):
        queue = tf.FIFOQueue(3, tf.int32, [[]], shared_name="all", name="all")
    owner.link.remote = owner.link.connected = True
    monkeypatch.setattr(owner.queues, "is_shared", lambda queue: bool(queue.shared_name))
    made = clusters.Lookout(owner, owner.plans.of(queue.dequeue(), None)[1])
    made.filled = {}
    monkeypatch.setattr(
        shared_queues,
        "filled_by",
        lambda owner, queues: {queue: made.filled.get(queue.name, set()) for queue in queues},
    )
    return made


def test_nobody_is_asked_in_the_first_five_seconds(lookout, clock):
    lookout.look()
    clock.now = 4.9
    lookout.look()
    assert Reach.made is None
    lookout.close()
    clock.now = 5.0
    lookout.look()
    lookout.look()
    assert (Reach.made.asked, Reach.made.looks) == ({PS}, 2)
    lookout.close()
    assert Reach.made.closed


def test_those_that_fill_the_queue_are_asked_too(lookout, clock):
    clock.now, lookout.filled = 5.0, {"all": {WORKER}}
    lookout.look()
    assert Reach.made.asked == {PS, WORKER}


def begun(lookout, clock):
    clock.now = 5.0
    lookout.look()
    return Reach.made


def test_a_task_that_is_gone_ends_the_step(lookout, clock, owner):
    begun(lookout, clock).silent_since = {PS: -30.0, OTHER_PS: -30.0}
    with pytest.raises(tf.errors.UnavailableError) as caught:
        lookout.look()
    assert "/job:ps/task:0 at a:1 has not answered for 35 s" in str(caught.value)
    assert owner.link.silent == {PS}
    assert failures.was_reported(caught.value)


def test_before_the_first_answer_of_a_server_no_task_is_gone(lookout, clock, owner):
    owner.link.connected = False
    begun(lookout, clock).silent_since = {PS: -30.0}
    with pytest.warns(
        errors.WaitingWarning, match="no answer yet, after 35 s, from /job:ps/task:0"
    ):
        lookout.look()
    lookout.look()  # it is said once
    assert owner.link.silent == set()


def test_a_task_that_is_silent_is_spoken_of_once(lookout, clock, owner):
    begun(lookout, clock).silent_since = {PS: 1.0, OTHER_PS: 1.0}
    clock.now = 6.0
    lookout.look()
    clock.now = 6.5
    with pytest.warns(
        errors.WaitingWarning, match="task:0 at a:1 has not answered for 6 s"
    ) as told:
        lookout.look()
    assert len(told) == 1
    lookout.look()
    assert owner.warned_of == {PS}


def test_where_all_that_fill_a_queue_are_gone_the_step_ends(lookout, clock):
    lookout.filled = {"all": {WORKER, OTHER_PS}}
    reach = begun(lookout, clock)
    reach.silent_since = {WORKER: -30.0}
    lookout.look()
    reach.silent_since = {WORKER: -30.0, OTHER_PS: -30.0}
    with pytest.raises(tf.errors.UnavailableError, match="shared as 'all'") as caught:
        lookout.look()
    assert "/job:ps/task:1 at a:2, /job:worker/task:0 at b:1" in str(caught.value)
    assert failures.was_reported(caught.value)


# -- waiting for the tasks of a graph ---------------------------------------------------------------


class Asked:
    """Stands for `reachability.Reach`: a task answers with each look."""

    def __init__(self, cluster, tasks):
        self.waiting, self.closed = set(tasks), False
        Asked.made = self

    def look(self):
        if self.waiting:
            self.waiting.remove(max(self.waiting))

    def close(self):
        self.closed = True


@pytest.fixture
def graph_of_three():
    for device in ("/job:ps/task:0", "/job:ps/task:1", "/job:worker/task:0", None):
        with tf.device(device):
            tf.no_op()
    return tf.get_default_graph()


def test_all_tasks_that_a_graph_names_are_waited_for(graph_of_three, monkeypatch, seconds):
    monkeypatch.setattr(reachability, "Reach", Asked)
    looks = Looks()
    clusters.wait_for_tasks(KNOWN, graph_of_three, looks, 60)
    assert looks.pauses == [0.05, 0.05]
    assert Asked.made.closed


def test_the_tasks_that_have_not_answered_are_named(graph_of_three, monkeypatch, seconds):
    monkeypatch.setattr(reachability, "Reach", Asked)
    monkeypatch.setattr(Asked, "look", lambda asked: None)
    with (
        pytest.warns(errors.WaitingWarning, match="no answer yet, after 6 s") as warned,
        pytest.raises(tf.errors.DeadlineExceededError, match="after 8 s") as caught,
    ):
        clusters.wait_for_tasks(KNOWN, graph_of_three, Looks(), 7)
    assert len(warned) == 1
    assert "/job:ps/task:0 at a:1, /job:ps/task:1 at a:2, /job:worker/task:0" in str(caught.value)
    assert Asked.made.closed


def test_the_chief_is_waited_for_and_what_it_has_not_initialised_is_named(seconds):
    variable = tf.Variable(3, name="weight")
    with tf.Session() as sess:
        owner = Owner.of(sess)
        tf.get_default_graph().finalize()
        owner.changed = Looks()
        with (
            pytest.warns(errors.WaitingWarning, match=r"after 11 s.*initialise weight"),
            pytest.raises(tf.errors.DeadlineExceededError, match=r"after 13 s.*initialise weight"),
        ):
            clusters.wait_for_chief(sess, owner, 12)
        assert set(owner.changed.pauses) == {0.25}
        sess.run(variable.initializer)
        clusters.wait_for_chief(sess, owner, 0)


# -- what is known of a cluster -------------------------------------------------------------------------


@pytest.fixture
def target(monkeypatch):
    """The target of a server of this process, whose port was given as 0."""
    spec = tf.train.ClusterSpec({"ps": ["a:1", "a:2"], "worker": ["b:0"]})
    definition = tf.train.ServerDef(
        cluster=spec.as_cluster_def(), job_name="worker", task_index=0, protocol="grpc"
    )
    monkeypatch.setitem(clusters._definitions, "grpc://b:77", definition)
    return "grpc://b:77"


@pytest.mark.parametrize("kind", [str, str.encode])
def test_the_cluster_behind_a_target(target, kind):
    found = clusters.cluster_behind(kind(target))
    assert found.tasks == {PS: "a:1", OTHER_PS: "a:2", WORKER: "b:77"}
    assert found.own == WORKER
    unknown = clusters.cluster_behind("grpc://elsewhere:1")
    assert (unknown.tasks, unknown.own) == ({}, None)


def test_a_session_connects_to_its_own_task_and_the_jobs_of_its_graph(target, graph_of_three):
    filters = ["/job:worker/task:0", "/job:ps"]
    made = clusters.config_for(None, target, graph_of_three)
    assert list(made.device_filters) == filters
    given = tf.ConfigProto(log_device_placement=True)
    made = clusters.config_for(given, target, graph_of_three)
    assert (made.log_device_placement, list(made.device_filters)) == (True, filters)
    assert not given.device_filters
    theirs = tf.ConfigProto(device_filters=["/job:ps"])
    assert clusters.config_for(theirs, target, graph_of_three) is theirs
    assert clusters.config_for(given, "grpc://elsewhere:1", graph_of_three) is given
    with tf.device("/job:worker/task:1"):
        tf.no_op()
    assert clusters.config_for(given, target, graph_of_three) is given


def test_what_a_link_knows(target):
    link = clusters.Link(target)
    assert link.remote
    assert not clusters.Link("").remote
    link.take_role(None)
    assert link.is_chief is None
    link.take_role(1)
    assert link.is_chief is True
    link.note_lost(tf.errors.AbortedError(None, None, ""))
    assert not link.lost
    link.note_lost(tf.errors.UnavailableError(None, None, ""))
    assert link.lost
    here = clusters.Link("")
    here.note_lost(tf.errors.UnavailableError(None, None, ""))
    assert not here.lost


@pytest.mark.parametrize("closed", [True, False])
def test_a_queue_whose_epochs_have_ended_is_refused(owner, closed):
    queue = producer("/job:ps/task:0", "files", 2)
    looked = {"closed": (0, closed)}
    owner.queues.look = lambda each: looked["closed"]
    if closed:
        with pytest.raises(tf.errors.CancelledError, match="its epochs have ended") as caught:
            clusters.require_open(owner)
        assert caught.value.op is queue.queue_ref.op
        looked["closed"] = None  # its task does not answer
    clusters.require_open(owner)
