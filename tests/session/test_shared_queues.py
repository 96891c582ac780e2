"""The table of the runners that fill a shared queue; the table and the clock are given."""

import os
import types

import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.graph.op_types import Queue
from tfqueue.graph.tasks import Cluster
from tfqueue.session import reachability, shared_queues
from tfqueue.session.owner import Owner

PS, ME, OTHER = ("ps", 0), ("worker", 0), ("worker", 1)
KNOWN = Cluster({PS: "a:1", ME: "b:1", OTHER: "b:2"}, ME)
FILLS, ENDED, STOPPED, FAILED = 0, 1, 2, 100


class Table:
    """A table in this process; silent while `rows` is told to give None."""

    def __init__(self, owner, queue):
        self.queue = queue
        self.kept = owner.kept
        self.silent = owner.silent

    def rows(self):
        if self.silent:
            return None
        return [shared_queues.Row(key, state) for key, state in self.kept.items()]

    def set(self, key, state):
        self.kept[key] = state
        return self.rows()

    def drop(self, keys):
        for key in keys:
            del self.kept[key]


@pytest.fixture
def owner(monkeypatch):
    monkeypatch.setattr(shared_queues, "Table", Table)
    made = types.SimpleNamespace(kept={}, silent=False, remote=True)
    made.link = types.SimpleNamespace(cluster=KNOWN)
    return made


def queue(shared_name="all"):
    return Queue(types.SimpleNamespace(name="q"), "FIFOQueue", 3, 0, shared_name)


def states(owner):
    return [*owner.kept.values()]


def test_what_a_row_says():
    row = shared_queues.Row("ps|3|12-ab|7", FAILED + tf.errors.NOT_FOUND)
    assert (row.task, row.process, row.error) == (("ps", 3), "12-ab", tf.errors.NotFoundError)
    assert shared_queues.Row("|0|12-ab|7", FILLS).task is None
    for state in (FILLS, ENDED, STOPPED):
        assert shared_queues.Row("ps|3|12-ab|7", state).error is None
    assert shared_queues.Row("ps|3|1|7", FAILED + 1).error is tf.errors.CancelledError


def test_a_producer_says_that_it_fills_and_takes_the_row_of_a_dead_one_out(owner):
    owner.kept = {
        "worker|0|1-dead|0": FILLS,
        "worker|1|1-dead|0": FILLS,
        "|0|1-dead|0": FILLS,
        f"worker|0|{shared_queues._process(os.getpid())}|x": FILLS,
    }
    shared_queues.Producer(owner, queue(), source_is_shared=True)
    *before, mine = owner.kept
    assert before == ["worker|1|1-dead|0", "|0|1-dead|0", before[2]]
    job, index, process, _ = mine.split("|")
    assert (job, index, process) == ("worker", "0", shared_queues._process(os.getpid()))
    assert states(owner) == [FILLS] * 4


def test_where_the_own_task_is_not_known_nobody_is_taken_for_dead(owner):
    owner.link.cluster = Cluster({}, None)
    owner.kept = {"|0|1-other|0": FILLS}
    shared_queues.Producer(owner, queue(), source_is_shared=True)
    assert [key.split("|")[0] for key in owner.kept] == ["", ""]
    assert next(iter(owner.kept)) == "|0|1-other|0"
    assert [*owner.kept][1].startswith(f"|0|{shared_queues._process(os.getpid())}|")


@pytest.mark.parametrize(
    ("given", "state"),
    [
        ({"ended": True}, ENDED),
        ({}, STOPPED),
        ({"error": tf.errors.DataLossError(None, None, "")}, FAILED + tf.errors.DATA_LOSS),
        ({"error": tf.errors.CancelledError(None, None, "")}, FAILED + tf.errors.CANCELLED),
        ({"error": tf.errors.OpError(None, None, "", None)}, FAILED + tf.errors.UNKNOWN),
        ({"error": ValueError()}, FAILED + tf.errors.UNKNOWN),
        ({"error": ValueError(), "ended": True}, FAILED + tf.errors.UNKNOWN),
    ],
    ids=["ended", "stopped", "lost", "cancelled", "no code", "python", "failed at the end"],
)
def test_what_it_says_when_it_leaves_and_that_it_says_it_once(owner, given, state):
    made = shared_queues.Producer(owner, queue(), source_is_shared=True)
    assert made.leave(**given) is False
    assert states(owner) == [state]
    assert made.leave(ended=True) is False
    assert states(owner) == [state]


@pytest.mark.parametrize(
    ("others", "shared", "given", "left"),
    [
        ({"worker|1|1-a|0": FILLS}, True, {"ended": True}, True),
        ({"worker|1|1-a|0": FILLS}, True, {}, True),
        ({"worker|1|1-a|0": ENDED}, True, {"ended": True}, False),
        # One of the same job has never said that it fills: it may yet.
        ({}, False, {"ended": True}, True),
        ({}, False, {"error": ValueError()}, True),
        ({}, False, {}, False),
        ({"worker|1|1-a|0": ENDED}, False, {"ended": True}, False),
        ({}, True, {"ended": True}, False),
    ],
)
def test_whether_others_fill_on_or_may_yet(owner, others, shared, given, left):
    owner.kept = others
    made = shared_queues.Producer(owner, queue(), source_is_shared=shared)
    assert made.leave(**given) is left
    assert made.leave() is left


def test_a_task_that_does_not_answer_may_know_of_others(owner):
    made = shared_queues.Producer(owner, queue(), source_is_shared=True)
    made._table.silent = True
    assert made.leave(ended=True) is True


def test_where_no_task_is_known_nobody_is_missed(owner):
    owner.link.cluster = Cluster(KNOWN.tasks, None)
    assert shared_queues.Producer(owner, queue(), False).leave(ended=True) is False


# -- waiting for the others -------------------------------------------------------------------------


class Reach:
    """Tasks that are gone, as the test says."""

    absent = frozenset()

    def __init__(self, cluster, tasks):
        self.asked, self.looks, self.closed = None, 0, False
        Reach.made = self

    def ask(self, tasks):
        self.asked = tasks

    def look(self):
        self.looks += 1

    def gone(self, seconds):
        assert seconds == reachability.GONE_SECONDS
        return set(self.absent)

    def close(self):
        self.closed = True


@pytest.fixture
def changed(monkeypatch):
    """Stands for `Changes`: runs what the test wants to happen at each pause; a minute passes too."""
    given = types.SimpleNamespace(then=[], now=0.0)

    def wait(seconds):
        assert seconds == 0.25
        given.now += 10
        given.then.pop(0)()

    given.wait = wait
    monkeypatch.setattr(reachability, "Reach", Reach)
    monkeypatch.setattr(shared_queues, "time", types.SimpleNamespace(monotonic=lambda: given.now))
    return given


def never():
    return False


def test_it_waits_until_the_others_have_ended(owner, changed):
    owner.kept = {"worker|1|1-a|0": FILLS, "|0|1-a|1": FILLS}
    made = shared_queues.Producer(owner, queue(), source_is_shared=True)
    changed.then = [
        lambda: owner.kept.update({"worker|1|1-a|0": ENDED}),
        lambda: owner.kept.update({"|0|1-a|1": FAILED}),
    ]
    assert made.wait_for_others(never, changed) is True
    assert Reach.made.closed
    assert Reach.made.looks == 3
    assert Reach.made.asked == set()
    assert changed.then == []


def test_those_of_known_tasks_are_asked(owner, changed):
    owner.kept = {"worker|1|1-a|0": FILLS, "|0|1-a|1": FILLS}
    made = shared_queues.Producer(owner, queue(), source_is_shared=True)
    asked = []
    changed.then = [lambda: asked.append(Reach.made.asked)]
    assert made.wait_for_others(lambda: bool(asked), changed) is False
    assert asked == [{OTHER}]
    assert Reach.made.closed


def test_a_task_that_is_gone_is_waited_for_no_more_and_told(owner, changed, monkeypatch):
    owner.kept = {"worker|1|1-a|0": FILLS}
    made = shared_queues.Producer(owner, queue(), source_is_shared=True)
    monkeypatch.setattr(Reach, "absent", {OTHER})
    with pytest.warns(errors.WaitingWarning, match="/job:worker/task:1") as warned:
        assert made.wait_for_others(never, changed) is True
    assert len(warned) == 1


def test_one_that_is_not_gone_is_still_waited_for(owner, changed, monkeypatch):
    owner.kept = {"worker|1|1-a|0": FILLS, "ps|0|1-a|0": FILLS}
    made = shared_queues.Producer(owner, queue(), source_is_shared=True)
    monkeypatch.setattr(Reach, "absent", {OTHER})
    over = iter([False, True])
    changed.then = [lambda: None]
    assert made.wait_for_others(lambda: next(over), changed) is False


def test_one_that_has_never_said_that_it_fills_is_waited_for_half_a_minute(owner, changed):
    made = shared_queues.Producer(owner, queue(), source_is_shared=False)
    changed.then = [lambda: None] * 3
    assert made.wait_for_others(never, changed) is True
    assert changed.then == []
    assert changed.now == 30.0


def test_a_table_that_does_not_answer_is_asked_again(owner, changed):
    made = shared_queues.Producer(owner, queue(), source_is_shared=True)
    made._table.silent = True
    changed.then = [lambda: setattr(made._table, "silent", False)]
    assert made.wait_for_others(never, changed) is True
    assert changed.then == []


# -- what others see ----------------------------------------------------------------------------------


def test_the_failure_of_another_process_is_raised_as_its_class(owner):
    mine = shared_queues._process(os.getpid())
    owner.kept = {
        "worker|1|1-a|0": ENDED,
        f"worker|0|{mine}|0": FAILED + tf.errors.UNKNOWN,
        "worker|1|1-a|1": FAILED + tf.errors.DATA_LOSS,
    }
    error = shared_queues.failure_elsewhere(owner, [queue(""), queue()])
    assert type(error) is tf.errors.DataLossError
    assert "/job:worker/task:1" in error.message
    owner.kept.popitem()
    assert shared_queues.failure_elsewhere(owner, [queue()]) is None


def test_what_is_not_shared_or_not_remote_has_no_other_process(owner):
    owner.kept = {"worker|1|1-a|1": FAILED + tf.errors.DATA_LOSS}
    assert shared_queues.failure_elsewhere(owner, [queue("")]) is None
    owner.remote = False
    assert shared_queues.failure_elsewhere(owner, [queue()]) is None


@pytest.mark.parametrize(
    ("rows", "tasks"),
    [
        ({"worker|1|1-a|0": FILLS, "worker|1|1-a|1": FILLS}, {OTHER}),
        ({"worker|1|1-a|0": FILLS, "ps|0|1-a|1": ENDED}, {OTHER}),
        ({"worker|1|1-a|0": ENDED}, set()),
        ({"worker|1|1-a|0": FILLS, "worker|0|1-a|0": FILLS}, None),
        ({"worker|1|1-a|0": FILLS, "|0|1-a|0": FILLS}, None),
    ],
)
def test_the_tasks_that_fill_a_queue(owner, rows, tasks):
    owner.kept, shared = rows, queue()
    assert shared_queues.filled_by(owner, [shared]) == ({} if tasks is None else {shared: tasks})


# -- the table itself -----------------------------------------------------------------------------------


def test_rows_are_set_read_and_taken_out():
    shared = tf.FIFOQueue(3, tf.int32, [[]], shared_name=f"all-{os.getpid()}")
    with tf.Session() as sess:
        owner = Owner.of(sess)
        made = shared_queues.Table(owner, owner.pipeline.queues[shared.queue_ref.op.name])
        assert made.rows() == []
        assert made.set("a|0|1|1", 2) == [shared_queues.Row("a|0|1|1", 2)]
        found = made.set("b|0|1|1", 101)
        assert sorted(row.state for row in found) == [2, 101]
        made.drop(["a|0|1|1"])
        assert made.rows() == [shared_queues.Row("b|0|1|1", 101)]
        owner.link.silent.add(PS)
        assert made.rows() is None
        owner.link.silent.clear()
        owner.steps.apart = lambda key, function, seconds: (seconds, function())
        assert made.rows() == (5.0, [shared_queues.Row("b|0|1|1", 101)])
    assert made.rows() is None


def test_each_producer_of_a_process_has_a_row_of_its_own(owner):
    for _ in range(2):
        shared_queues.Producer(owner, queue(), source_is_shared=True)
    assert len(owner.kept) == 2
    assert states(owner) == [FILLS] * 2
