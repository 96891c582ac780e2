"""Old graphs on TensorFlow's own cluster runtime: one parameter server, workers, loopback only.

Each server is a process of its own (`nodes.py`), forked from one that has TensorFlow
imported already. Nothing is timed and nothing slept for: the tests tell the workers what to do.
"""

import contextlib
import gc
import multiprocessing.connection
import os
import pathlib
import runpy
import signal
import socket
import threading
import weakref

import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite.processes import free_ports
from tfqueue.graph.tasks import Cluster, task_of, tasks_in
from tfqueue.session import cluster as clusters
from tfqueue.session import failures, reachability, runner, shared_queues, starvation
from tfqueue.session.owner import Owner
from tfqueue.session.step import Step

NODES = pathlib.Path(__file__).parent / "nodes.py"
pytestmark = pytest.mark.xdist_group("cluster")


class Node:
    """One process of a cluster, and this end of its pipe."""

    context = None

    def __init__(self, role, *given, **options):
        if Node.context is None:
            Node.context = multiprocessing.get_context("forkserver")
            Node.context.set_forkserver_preload(["tfqueue.v1"])
        self.pipe, far = Node.context.Pipe()
        spec, *rest = given
        task = rest[:1]
        variables = {"ROLE": role, "GIVEN": (spec, *task, far, *rest[1:]), "OPTIONS": options}
        self.process = Node.context.Process(
            target=runpy.run_path,
            args=(str(NODES),),
            kwargs={"init_globals": variables, "run_name": "__node__"},
        )
        self.process.start()
        far.close()

    def says(self):
        """The next thing that comes from it."""
        multiprocessing.connection.wait([self.pipe, self.process.sentinel])
        assert self.pipe.poll(), f"nothing came from {self.process}"
        return self.pipe.recv()

    def take(self, count=None):
        """The keys of the next `count` lines, or of all the rest."""
        self.pipe.send(count)
        return self.says()

    def end(self):
        """What became of it; its process has ended by itself."""
        told = self.says()
        self.process.join()
        assert self.process.exitcode == 0
        return told

    def leave(self):
        """Ends it by its own will; no thread and no error is left."""
        self.pipe.send("leave")
        told = self.end()
        assert (told["error"], told["threads"]) == (None, []), told
        return told

    def kill(self):
        """Ends it as a machine's failure would."""
        self.process.kill()
        self.process.join()


@pytest.fixture
def cluster():
    """Starts the processes of one cluster: `cluster(role, task, ...)`; ends all that are left."""
    spec, nodes = {}, []

    def choose():
        addresses = [f"127.0.0.1:{port}" for port in free_ports(3)]
        spec.update(ps=addresses[:1], worker=addresses[1:])

    def start(role, *given, **options):
        node = Node(role, spec, *given, **options)
        nodes.append(node)
        if role == "parameter_server" and (told := node.says()) != "up":
            # Another process has taken the port since it was found free; nobody knows it yet.
            assert len(nodes) < 5, told
            assert all(each.process.exitcode is not None or each is node for each in nodes), told
            choose()
            return start(role, *given, **options)
        return node

    choose()

    start.spec = spec
    yield start
    for node in nodes:
        node.kill()
        node.pipe.close()


def test_a_port_that_another_process_takes_first_is_no_failure(cluster):
    """Of these tests: between the look at a port and the start of its server anything may happen."""
    (taken,) = cluster.spec["ps"]
    with contextlib.closing(socket.create_server(("", int(taken.rpartition(":")[2])))):
        cluster("parameter_server")
    assert cluster.spec["ps"] != [taken]


@pytest.fixture
def files(tmp_path):
    """Six files of four lines each."""
    for number in range(6):
        (tmp_path / f"{number}.txt").write_text("a\nb\nc\nd\n")
    return [str(tmp_path / f"{number}.txt") for number in range(6)]


def lines_of(files):
    return [f"{file}:{line}" for file in files for line in range(1, 5)]


def file_of(key):
    return key.rpartition(":")[0]


def start_both(cluster, files, **options):
    """A parameter server and two workers, the one that is not the chief first."""
    server = cluster("parameter_server")
    other = cluster("worker", 1, files, **options)
    assert other.says() == "built"
    chief = cluster("worker", 0, files, **options)
    assert chief.says() == "built"
    assert (chief.says(), other.says()) == ("in", "in")
    return server, chief, other


# -- one queue of files, shared ------------------------------------------------------------------


def test_each_file_is_read_by_one_worker_and_each_line_once(cluster, files):
    _, chief, other = start_both(cluster, files)
    taken = [chief.take(1), other.take(1)]
    taken[0] += chief.take()
    taken[1] += other.take()
    assert sorted(taken[0] + taken[1]) == lines_of(files)
    assert not set(map(file_of, taken[0])) & set(map(file_of, taken[1]))
    # A second producer would close the queue when it found the epochs used up.
    assert chief.leave()["started"] == ["input_producer", "batch/fifo_queue"]
    assert other.leave()["started"] == ["batch/fifo_queue"]


@pytest.mark.parametrize("how", ["kill", "leave"])
def test_a_worker_that_goes_does_not_stop_the_other(cluster, files, how):
    _, chief, other = start_both(cluster, files)
    first = chief.take(1)
    lost = file_of(other.take(1)[0])
    getattr(other, how)()
    assert sorted(first + chief.take()) == lines_of([file for file in files if file != lost])
    chief.leave()


def test_the_others_wait_for_the_chief_and_it_may_come_back(cluster, files):
    cluster("parameter_server")
    other = cluster("worker", 1, files, epochs=None)
    assert other.says() == "built"
    chief = cluster("worker", 0, files, epochs=None)
    assert [chief.says(), chief.says(), other.says()] == ["built", "in", "in"]
    assert len(other.take(2)) == 2
    chief.kill()
    assert len(other.take(40)) == 40  # more than can have been in any queue
    again = cluster("worker", 0, files, epochs=None)
    assert [again.says(), again.says()] == ["built", "in"]
    assert len(again.take(2)) == len(other.take(2)) == 2
    again.leave()
    assert len(other.take(40)) == 40  # leaving closed nothing
    other.leave()


def test_a_chief_that_comes_after_the_last_epoch_is_told_how_to_begin_again(cluster, files):
    cluster("parameter_server")
    chief = cluster("worker", 0, files)
    assert [chief.says(), chief.says()] == ["built", "in"]
    assert sorted(chief.take()) == lines_of(files)
    chief.leave()
    again = cluster("worker", 0, files)
    assert again.says() == "built"
    told = again.end()
    assert (told["error"], told["threads"]) == ("CancelledError", [])
    assert "shared as 'files', was closed before this chief came" in told["text"]
    assert "tf.Session.reset(server.target)" in told["text"]


def test_a_chief_that_does_not_come_is_spoken_of(cluster, files):
    cluster("parameter_server")
    other = cluster("worker", 1, files, speaks=True)
    assert [other.says(), other.says()] == ["built", "warned"]
    os.kill(other.process.pid, signal.SIGINT)
    told = other.end()
    assert (told["error"], told["threads"]) == ("KeyboardInterrupt", [])
    (said,) = told["warnings"]
    assert "chief to initialise" in said
    assert "global_step" in said


# -- what is lost --------------------------------------------------------------------------------


def test_a_killed_parameter_server_is_named_by_all_workers(cluster, files):
    server, chief, other = start_both(cluster, files, epochs=None)
    assert chief.take(1)
    assert other.take(1)
    other.pipe.send(100_000)  # it is at it when the server dies
    server.kill()
    chief.pipe.send(100_000)
    for node in (chief, other):
        told = node.end()
        assert told["error"] == "UnavailableError", told
        assert f"/job:ps/task:0 at {cluster.spec['ps'][0]} is lost" in told["notes"]
        assert "FIFOQueue 'input_producer'" in told["notes"]


def test_a_wait_for_a_killed_parameter_server_ends(cluster):
    server = cluster("parameter_server")
    node = cluster("waiter", 0)
    assert node.says() == "waits"
    server.kill()
    told = node.end()
    assert told["error"] == "UnavailableError", told
    assert f"/job:ps/task:0 at {cluster.spec['ps'][0]} is lost" in told["notes"]


def test_a_wait_for_a_frozen_parameter_server_ends(cluster):
    server = cluster("parameter_server")
    node = cluster("waiter", 0, fast=True)
    assert node.says() == "waits"
    os.kill(server.process.pid, signal.SIGSTOP)
    told = node.end()
    assert told["error"] == "UnavailableError", told
    assert f"/job:ps/task:0 at {cluster.spec['ps'][0]} has not answered for" in told["text"]
    assert any("has not answered" in text for text in told["warnings"])


def test_ctrl_c_ends_a_wait_on_another_machine(cluster):
    cluster("parameter_server")
    node = cluster("waiter", 0)
    assert node.says() == "waits"
    os.kill(node.process.pid, signal.SIGINT)
    told = node.end()
    assert (told["error"], told["threads"]) == ("KeyboardInterrupt", [])


def test_a_monitored_session_recovers_when_its_parameter_server_is_back(cluster, files):
    server = cluster("parameter_server")
    node = cluster("monitored", 0, files)
    assert node.says() == "in"
    assert len(node.take(2)) == 2
    server.kill()
    node.pipe.send(30)
    cluster("parameter_server")
    assert len(node.says()) == 30
    node.leave()


def test_a_reader_away_from_its_queue_is_told_where_to_stand(cluster, files):
    cluster("parameter_server")
    node = cluster("worker", 0, files, reader_at="/job:worker/task:0")
    assert node.says() == "built"
    told = node.end()
    assert told["error"] == "InvalidArgumentError"
    assert "TextLineReader 'TextLineReaderV2' is on /job:worker/task:0" in told["notes"]
    assert "FIFOQueue 'input_producer' on /job:ps/task:0, shared as 'files'" in told["notes"]
    assert 'with tf.device("/job:ps/task:0"):' in told["notes"]
    assert "nodes.py" in told["notes"]


def test_synchronous_replicas_under_a_supervisor(cluster):
    cluster("parameter_server")
    nodes = [cluster("synchronous", task, 10) for task in (0, 1)]
    for weight, step in [node.says() for node in nodes]:
        assert abs(weight) <= 4.0 * 0.8**4  # each update takes a fifth off, and took two gradients
        assert step >= 10  # read off a variable of shape [1]
    chief, other = nodes
    assert chief.leave()["warnings"] == []
    told = other.end()
    assert (told["error"], told["threads"]) == (None, [])


# -- in this process -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server():
    """A cluster of one task, for all tests of this file: TensorFlow never takes one down."""
    return tf.train.Server.create_local_server()


@pytest.mark.parametrize("of", ["the server", "its target"])
def test_a_managed_session_on_a_server(server, files, of):
    key, _ = tf.TextLineReader().read(tf.train.string_input_producer(files, num_epochs=1, seed=3))
    batch = tf.train.batch([key], 3)
    with tfqueue.managed_session(server if of == "the server" else server.target) as sess:
        found = [key.decode() for keys in sess.batches(batch) for key in keys]
        assert "one at a time: the session runs on a server" in str(sess.pipeline)
    assert sorted(found) == lines_of(files)


def test_a_runners_true_error_comes_from_the_step(server, tmp_path):
    (tmp_path / "bad.csv").write_text("1,2\n3\n")
    names = tf.train.string_input_producer([str(tmp_path / "bad.csv")], num_epochs=1)
    _, line = tf.TextLineReader().read(names)
    columns = tf.train.batch(tf.decode_csv(line, [[0], [0]]), 1)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        with tfqueue.managed_session(server, is_chief=True) as sess:
            for _ in sess.batches(columns):
                pass
    assert "bad.csv:2" in "".join(caught.value.__notes__)


def test_a_shared_queue_is_never_declared_dead(server, monkeypatch):
    queue = tf.FIFOQueue(3, tf.int32, shapes=[[]], shared_name="fed by another session")
    put, number = queue.enqueue(7), queue.dequeue()
    with tfqueue.managed_session(server) as sess, tf.Session(server.target) as another:
        owner = Owner.of(sess)
        waiting = Step(None, owner.plans.of(number, None)[1])
        monkeypatch.setattr(starvation, "_WARN_AFTER", -1.0)
        with contextlib.closing(starvation.WaitWatch(owner, waiting)) as watch:
            with pytest.warns(tfqueue.errors.WaitingWarning, match="shared as 'fed by another"):
                watch.look()
            watch.look()
            watch.look()
        monkeypatch.undo()  # the step below may have to wait a little, too
        assert not owner.queues.causes
        another.run(put)
        assert sess.run(number) == 7
    with tf.Session(server.target) as third:
        third.run(put)  # leaving the managed session has not closed it


def test_a_producer_whose_shared_queue_another_process_closed(server):
    names = tf.train.string_input_producer(["a", "b"], capacity=2, shared_name="closed by another")
    name, close = names.dequeue(), names.close(cancel_pending_enqueues=True)
    with pytest.raises(tf.errors.CancelledError) as caught:
        with tfqueue.managed_session(server) as sess, tf.Session(server.target) as another:
            sess.run(name)
            another.run(close)
            for _ in range(5):
                sess.run(name)
    assert "another process has closed it" in "".join(caught.value.__notes__)


def test_the_step_that_finds_it_closed_before_the_runner_does_tells_no_end_of_data(
    server, monkeypatch
):
    met = threading.Event()

    def thread_failed(run, *arguments, original=runner.RunnerRun.thread_failed):
        met.wait(60)
        original(run, *arguments)

    def raise_true(owner, *arguments, original=failures.raise_true):
        wait_for = owner.changed.wait_for
        with monkeypatch.context() as patch:
            patch.setattr(owner.changed, "wait_for", lambda *a: met.set() or wait_for(*a))
            try:
                original(owner, *arguments)
            finally:
                met.set()

    monkeypatch.setattr(runner.RunnerRun, "thread_failed", thread_failed)
    monkeypatch.setattr(failures, "raise_true", raise_true)
    names = tf.train.string_input_producer(["a", "b"], capacity=2, shared_name="closed too early")
    name, close = names.dequeue(), names.close(cancel_pending_enqueues=True)
    with pytest.raises(tf.errors.CancelledError):
        with tfqueue.managed_session(server) as sess, tf.Session(server.target) as another:
            another.run(close)
            try:
                for _ in range(5):
                    sess.run(name)
            except tf.errors.OutOfRangeError:
                pytest.fail("the step took it for the end of the data")


def test_a_task_that_is_not_there_is_named(server):
    (port,) = free_ports(1)
    spec = {"ps": [f"127.0.0.1:{port}"], "worker": [f"127.0.0.1:{free_ports(1)[0]}"]}
    worker = tf.train.Server(spec, job_name="worker", task_index=0)
    with tf.device("/job:ps/task:0"):
        tf.Variable(0)
    with pytest.raises(
        tf.errors.DeadlineExceededError, match=f"/job:ps/task:0 at 127.0.0.1:{port}"
    ):
        with tfqueue.managed_session(worker, is_chief=True, max_wait_secs=0.2):
            pass


def test_a_session_connects_to_the_tasks_that_its_graph_names(server):
    own = clusters.cluster_behind(server.target).own
    assert own == ("local", 0)
    with tf.device("/job:ps/task:1"):
        tf.constant(1)
    config = clusters.config_for(None, server.target, tf.get_default_graph())
    assert list(config.device_filters) == ["/job:local/task:0", "/job:ps"]
    mine = tf.ConfigProto(device_filters=["/job:other"])
    assert clusters.config_for(mine, server.target, tf.get_default_graph()) is mine
    with tf.device("/job:local/task:3"):
        tf.constant(1)
    assert clusters.config_for(None, server.target, tf.get_default_graph()) is None


def test_a_live_task_answers_and_a_closed_port_does_not(server):
    here = server.target.rpartition("/")[2] if isinstance(server.target, str) else None
    here = here or server.target.decode().rpartition("/")[2]
    known = {("up", 0): here, ("down", 0): f"127.0.0.1:{free_ports(1)[0]}"}
    asked, pause = reachability.Reach(Cluster(known, None), list(known)), threading.Event()
    while asked.waiting != {("down", 0)} or ("down", 0) not in asked.silent_since:
        asked.look()
        pause.wait(0.01)
    asked.close()
    assert asked.waiting == set(asked.silent_since) == {("down", 0)}


def test_a_probe_that_is_dropped_keeps_its_connection_as_long_as_grpc_looks_at_it(monkeypatch):
    raised = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    before = set(threading.enumerate())
    for _ in range(5):
        probe = reachability.Probe(f"127.0.0.1:{free_ports(1)[0]}")
        asking = set(threading.enumerate()) - before
        connection = weakref.ref(probe._channel)
        probe.close()
        del probe
        while asking:  # one may start another
            for thread in asking:
                thread.join(60)
            asking = set(threading.enumerate()) - before
    assert not raised
    gc.collect()
    assert connection() is None


def test_devices_and_messages_name_tasks():
    assert task_of("/job:ps/replica:0/task:3/device:CPU:0") == ("ps", 3)
    assert task_of("/job:ps") is None
    assert task_of("/device:CPU:0") is None
    assert tasks_in("from /job:ps/replica:0/task:1: to /job:worker/task:0, /job:ps/task:1") == [
        ("ps", 1),
        ("worker", 0),
    ]


def test_a_monitored_session_is_supervised(server):
    tf.train.get_or_create_global_step()
    with tf.train.MonitoredTrainingSession(server.target) as sess:
        assert type(sess._tf_sess()) is tf.Session


def test_the_server_is_ours_wherever_it_is_named():
    assert tf.distribute.Server is tf.train.Server
    assert isinstance(tf.train.Server.create_local_server(start=False), tf.train.Server)


# -- who closes a queue that several fill --------------------------------------------------------


def relay(name, capacity=10):
    """A shared queue, and a runner that fills it from a queue of each session's own.

    Returns:
      `(put, close, take)`: a placeholder's enqueue into the session's own queue, and its number;
      the closing of that queue; a step that takes one number from the shared queue.
    """
    number = tf.placeholder(tf.string, [])
    own = tf.FIFOQueue(20, tf.string, [[]])
    shared = tf.FIFOQueue(capacity, tf.int32, [[]], shared_name=name)
    fill = shared.enqueue(tf.string_to_number(own.dequeue(), tf.int32))
    tf.train.add_queue_runner(tf.train.QueueRunner(shared, [fill]))
    return (own.enqueue(number), number), own.close(), shared.dequeue()


@contextlib.contextmanager
def two_sessions(server):
    """Two sessions on one server, whose runners are at work."""
    with tf.Session(server.target) as one, tf.Session(server.target) as other:
        coords = [tf.train.Coordinator() for _ in (one, other)]
        threads = [
            tf.train.start_queue_runners(sess, coord)
            for sess, coord in zip((one, other), coords, strict=True)
        ]
        yield one, other
        for coord, each in zip(coords, threads, strict=True):
            coord.request_stop()
            with contextlib.suppress(tf.errors.OpError):
                coord.join(each)


def run_of(sess):
    (run,) = Owner.of(sess).runs
    return run


def wait_until(ready):
    pause = threading.Event()
    while not ready():
        pause.wait(0.01)


def test_the_last_that_comes_to_its_end_closes_a_shared_queue(server):
    (put, number), close, take = relay("filled by two")
    with two_sessions(server) as (one, other):
        one.run(put, {number: "1"})
        one.run(close)
        wait_until(lambda: run_of(one).left_to_others)
        assert run_of(one).ended
        other.run(put, {number: "2"})
        assert sorted([one.run(take), one.run(take)]) == [1, 2]
        other.run(close)
        with pytest.raises(tf.errors.OutOfRangeError):
            one.run(take)


def test_a_failure_leaves_a_shared_queue_to_the_others_and_is_told_at_once(server):
    (put, number), close, take = relay("one of two fails")
    with two_sessions(server) as (one, other):
        one.run(put, {number: "no number"})
        wait_until(lambda: run_of(one).left_to_others)
        with pytest.raises(tf.errors.InvalidArgumentError, match="no number"):
            one.run(take)
        other.run(put, {number: "2"})
        assert other.run(take) == 2
        other.run(close)
        with pytest.raises(tf.errors.OutOfRangeError):
            other.run(take)


def test_the_end_behind_a_failure_of_another_process_is_that_failure(server, monkeypatch):
    (put, number), close, take = relay("another process fails")
    with two_sessions(server) as (one, other):
        one.run(put, {number: "no number"})
        wait_until(lambda: run_of(one).left_to_others)
        monkeypatch.setattr(shared_queues, "_process", lambda pid: "another")
        other.run(close)
        with pytest.raises(tf.errors.InvalidArgumentError, match="another process fails") as caught:
            other.run(take)
    assert "/job:local/task:0" in str(caught.value)
    assert "failed with InvalidArgumentError" in str(caught.value)


def test_a_task_that_filled_a_shared_queue_and_is_gone_does_not_count(server, monkeypatch):
    (put, number), close, take = relay("filled by one that is gone")
    monkeypatch.setattr(reachability, "GONE_SECONDS", 0.2)
    with tf.Session(server.target) as sess:
        owner = Owner.of(sess)
        tasks = {("local", 0): "127.0.0.1:1", ("local", 5): f"127.0.0.1:{free_ports(1)[0]}"}
        owner.link.cluster = Cluster(tasks, ("local", 0))
        queue = owner.pipeline.queues["fifo_queue_1"]
        shared_queues.Table(owner, queue).set("local|5|another|0", 0)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(put, {number: "1"})
        sess.run(close)
        assert sess.run(take) == 1
        with pytest.warns(tfqueue.errors.WaitingWarning, match="/job:local/task:5 at 127.0.0.1"):
            with pytest.raises(tf.errors.OutOfRangeError):
                sess.run(take)
        coord.request_stop()
        coord.join(threads)


def test_a_task_that_has_not_said_what_it_fills_is_waited_for(server):
    (put, number), close, take = relay("filled by one that is not there yet")
    with tf.Session(server.target) as sess:
        owner = Owner.of(sess)
        tasks = {("local", 0): "127.0.0.1:1", ("local", 1): "127.0.0.1:2"}
        owner.link.cluster = Cluster(tasks, ("local", 0))
        queue = owner.pipeline.queues["fifo_queue_1"]
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(put, {number: "1"})
        sess.run(close)
        wait_until(lambda: run_of(sess).left_to_others)
        assert sess.run(take) == 1
        assert owner.queues.look(queue) == (0, False)
        shared_queues.Table(owner, queue).set("local|1|another|0", 1)  # it has come to its end
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(take)
        coord.request_stop()
        coord.join(threads)


def test_a_process_that_has_a_tasks_port_stands_for_the_one_before(server):
    _, close, take = relay("filled by one that was started again")
    with tf.Session(server.target) as sess:
        owner = Owner.of(sess)
        queue = owner.pipeline.queues["fifo_queue_1"]
        table = shared_queues.Table(owner, queue)
        table.set("local|0|the one before|0", 0)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert len(table.rows()) == 1
        sess.run(close)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(take)
        coord.request_stop()
        coord.join(threads)


def test_a_monitored_session_leaves_a_full_shared_queue_to_the_others(server):
    tf.train.get_or_create_global_step()
    shared = tf.FIFOQueue(2, tf.int32, [[]], shared_name="full for ever")
    tf.train.add_queue_runner(tf.train.QueueRunner(shared, [shared.enqueue(7)] * 2))
    size, closed, take = shared.size(), shared.is_closed(), shared.dequeue()
    with tf.Session(server.target) as other:
        coord = tf.train.Coordinator()
        with tf.train.MonitoredTrainingSession(server.target) as sess:
            threads = tf.train.start_queue_runners(other, coord)
            wait_until(lambda: sess.run(size) == 2)
        assert not other.run(closed)
        assert [other.run(take) for _ in range(10)] == [7] * 10
        coord.request_stop()
        coord.join(threads)
        assert other.run(closed)  # nobody is left who fills it


def test_what_a_worker_initialises_of_a_group():
    known = Cluster({("ps", 0): "a:1", ("worker", 1): "b:2"}, ("worker", 1))
    with tf.device("/job:ps/task:0"):
        shared = tf.Variable(0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    with tf.device("/job:worker/task:1"):
        own = tf.Variable(0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    both = tf.group(tf.local_variables_initializer(), tf.tables_initializer())
    assert clusters.own_initializers(both, known) == [own.initializer]
    assert clusters.own_initializers(own.initializer, known) is own.initializer
    assert clusters.own_initializers(None, known) is None
    assert clusters.own_initializers(shared.initializer, known) == []


@pytest.mark.parametrize("kind", ["Supervisor", "MonitoredTrainingSession"])
def test_other_session_classes_wait_for_a_task_by_name(kind):
    (port,) = free_ports(1)
    spec = {"ps": [f"127.0.0.1:{port}"], "worker": [f"127.0.0.1:{free_ports(1)[0]}"]}
    worker = tf.train.Server(spec, job_name="worker", task_index=0)
    with tf.device("/job:ps/task:0"):
        tf.train.get_or_create_global_step()
    with pytest.raises(tf.errors.DeadlineExceededError, match=f"task:0 at 127.0.0.1:{port}"):
        if kind == "Supervisor":
            supervisor = tf.train.Supervisor(logdir=None)
            supervisor.prepare_or_wait_for_session(worker.target, max_wait_secs=0.2)
        else:
            tf.train.MonitoredTrainingSession(worker.target, False, max_wait_secs=0.2)


@pytest.mark.parametrize("is_chief", [True, False])
def test_a_session_that_is_interrupted_while_it_is_made_is_closed(is_chief, monkeypatch):
    def interrupt(manager, sess):
        made.append(Owner.of(sess))
        kept.append(sess)
        raise KeyboardInterrupt

    made, kept = [], []
    monkeypatch.setattr(tf.train.SessionManager, "_model_ready", interrupt)
    with tf.device("/cpu:0"):
        tf.train.get_or_create_global_step()
    supervisor = tf.train.Supervisor(logdir=None, is_chief=is_chief)
    with pytest.raises(KeyboardInterrupt):
        supervisor.prepare_or_wait_for_session()
    assert [owner.closed for owner in made] == [True]


def test_a_wait_ends_where_all_that_filled_the_queue_are_gone(cluster, tmp_path):
    files = []
    for number in range(60):  # more than the queue of names holds
        (tmp_path / f"{number}.txt").write_text("a\n")
        files.append(str(tmp_path / f"{number}.txt"))
    _, chief, other = start_both(cluster, files, fast=True)
    assert len(other.take(1)) == len(chief.take(1)) == 1
    chief.kill()
    other.pipe.send(None)
    told = other.end()
    assert told["error"] == "UnavailableError", told
    assert "FIFOQueue 'input_producer', shared as 'files'" in told["text"]
    assert f"/job:worker/task:0 at {cluster.spec['worker'][0]}" in told["text"]
