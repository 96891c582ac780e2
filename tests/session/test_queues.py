"""The queues of one session: what is asked of them, and how they are closed."""

import threading
import types

import pytest

import tfqueue.v1 as tf
from tfqueue.session import backpressure, queues, registry
from tfqueue.session.owner import Owner


@pytest.fixture
def queue():
    return tf.FIFOQueue(3, tf.int32, [[]], name="mine")


@pytest.fixture
def owner(queue):
    """The owner of a session whose queue holds two elements."""
    put = queue.enqueue_many([[1, 2]])
    with tf.Session() as sess:
        sess.run(put)
        yield Owner.of(sess)
        made = Owner.of(sess)
        made.runs, made.remote = [], False
        made.steps.under_way.clear()


@pytest.fixture
def model(owner):
    return owner.pipeline.queues["mine"]


class Run:
    def __init__(self, fills="mine", ended=False, asked=False):
        self.queue_name, self.ended, self.asked, self.stops = fills, ended, asked, 0

    def stop_was_asked_for(self):
        return self.asked

    def stop(self):
        self.stops += 1


# -- what they hold -----------------------------------------------------------------------------------


def test_size_and_state_of_a_queue(owner, model):
    assert owner.queues.size(model) == 2
    assert owner.queues.sizes([model, model])() == [2, 2]
    assert owner.queues.look(model) == (2, False)
    owner.queues.close(model, cancel=False)
    assert owner.queues.look(model) == (2, True)


def test_the_step_that_looks_is_made_once(owner, model, monkeypatch):
    made = []
    original = owner.queues._made
    monkeypatch.setattr(owner.queues, "_made", lambda ops: [made.append(1), original(list(ops))][1])
    for _ in range(3):
        owner.queues.look(model)
        owner.queues.size(model)
    assert len(made) == 2


def test_a_queue_that_cannot_be_asked(owner, model):
    def fail(queue, *actions):
        raise tf.errors.UnavailableError(None, None, "")

    owner.queues._step = fail
    assert owner.queues.look(model) is None
    assert owner.queues.is_full(model) is True
    assert owner.queues.is_full(model, unknown=False) is False


def test_a_session_that_is_gone_is_not_asked(model, owner):
    state, owner.state = owner.state, types.SimpleNamespace()
    owner.handle = lambda: None
    assert owner.queues.look(model) is None
    with pytest.raises(RuntimeError, match="the session is gone"):
        owner.queues.sizes([model])
    owner.state = state


# -- closing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cancel", [False, True])
def test_a_queue_is_closed_and_with_cancel_its_runners_stop_and_its_enqueues_end(
    queue, owner, model, cancel
):
    owner.runs = [Run(), Run("other")]
    owner.queues.close(model, cancel)
    assert owner.queues.look(model) == (2, True)
    assert owner.queues.cancelled == ({"mine"} if cancel else set())
    assert [run.stops for run in owner.runs] == [int(cancel), 0]


@pytest.mark.parametrize(
    ("remote", "shared_name", "silent", "is_shared", "left_open"),
    [
        (False, "", False, False, False),
        (False, "all", False, False, False),
        (True, "", False, False, False),
        (True, "all", False, True, True),
        (False, "", True, False, True),
    ],
)
def test_which_queues_are_left_open(
    owner, model, monkeypatch, remote, shared_name, silent, is_shared, left_open
):
    monkeypatch.setattr(owner, "remote", remote)
    monkeypatch.setattr(model, "shared_name", shared_name)
    monkeypatch.setattr(owner.link, "silent", {("ps", 0)} if silent else set())
    assert owner.queues.is_shared(model) is is_shared
    assert owner.queues.is_left_open("mine") is left_open
    assert owner.queues.is_left_open("none") is silent
    owner.queues.close(model, cancel=True)
    monkeypatch.undo()
    assert owner.queues.look(model) == (2, not left_open)
    assert ("mine" in owner.queues.cancelled) is not left_open


def test_the_first_cause_counts_and_is_told(owner):
    told = []
    owner.changed = types.SimpleNamespace(notify_all=lambda: told.append(1))
    first, second = ValueError(1), ValueError(2)
    assert owner.queues.failed("mine", first) is first
    assert owner.queues.failed("mine", second) is first
    assert owner.queues.causes == {"mine": first}
    assert len(told) == 2
    owner.queues.causes.clear()


def waits(*taken, plan=True):
    class Step:
        """Stands for a step under way."""

    made = Step()
    demand = types.SimpleNamespace(takes=[types.SimpleNamespace(queue=each) for each in taken])
    made.plan = types.SimpleNamespace(demand=demand) if plan else None
    return made


@pytest.mark.parametrize(
    ("run", "closed", "remote", "noted"),
    [
        (None, False, False, False),
        (None, True, False, True),
        (None, True, True, False),  # it is not asked
        ({}, False, False, False),
        ({"ended": True}, False, False, True),
        ({"asked": True}, False, True, True),
        ({"fills": "other", "ended": True}, False, False, False),
    ],
)
def test_which_queues_were_closed_before_the_sessions_end(owner, model, run, closed, remote, noted):
    owner.steps.under_way |= {waits(model), waits(plan=False)}
    owner.runs = [Run(**run)] if run is not None else []
    owner.queues.at_end, owner.queues.cancelled = {"a"}, {"b"}
    if closed:
        owner.queues.close(model, cancel=False)
    owner.remote = remote
    owner.queues.note_closed()
    assert owner.queues.closed_before == {"a", "b"} | ({"mine"} if noted else set())


# -- who feeds them ---------------------------------------------------------------------------------------


def test_threads_that_feed_by_hand(owner, model):
    told = []
    owner.changed = types.SimpleNamespace(notify_all=lambda: told.append(1))
    other = types.SimpleNamespace(name="other")
    thread = threading.Thread(target=owner.queues.note_feeder, args=([model],))
    thread.start()
    thread.join()
    for _ in range(2):
        owner.queues.note_feeder([model, other])
    me = threading.current_thread()
    assert len(told) == 2
    assert set(owner.queues.feeders_of(model)) == {me, thread}
    assert owner.queues.feeders_of(types.SimpleNamespace(name="none")) == []
    assert owner.queues.live_feeders(model) == [me]
    assert owner.queues.live_feeders(types.SimpleNamespace(name="none")) == []
    assert owner.queues.live_feeders() == [me]
    owner.queues.feeders.clear()


def test_the_puts_of_steps_under_way(owner, model, queue):
    other = tf.FIFOQueue(3, tf.int32, [[]], name="other")
    puts = queue.enqueue(1), other.enqueue(2), queue.enqueue(3)
    plan = owner.plans.of(list(puts), None)[1]
    step = types.SimpleNamespace(plan=plan)
    owner.steps.under_way = [step]
    found = queues.puts_under_way(owner, model)
    assert [(op, each) for op, _, each in found] == [(puts[0], step), (puts[2], step)]
    assert all([into for _, into in demand.puts] == [model] for _, demand, _ in found)
    owner.steps.under_way = set()


# -- steps that put ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", ["takes", "done", "remote", "not ours", "unsure", "room", None], ids=str
)
def test_the_queues_at_which_a_step_waits_for_room(owner, model, queue, change, monkeypatch):
    put = queue.enqueue(tf.placeholder(tf.int32) if change == "unsure" else 1)
    plan = owner.plans.of(put, None)[1]
    step = types.SimpleNamespace(plan=plan, done=lambda: change == "done")
    plan.takes = change == "takes"
    monkeypatch.setattr(owner, "remote", change == "remote")
    monkeypatch.setattr(owner, "is_ours", change != "not ours")
    monkeypatch.setattr(backpressure, "_stays_full", lambda owner, queue: change != "room")
    found = backpressure.queues_blocking(owner, step)
    assert found == ([] if change is not None else [model])


# -- sessions that are at work on one graph ---------------------------------------------------------------


class Known(types.SimpleNamespace):
    __hash__ = object.__hash__


def works(graph, **given):
    """An owner of a session whose runners are at work, or not."""
    work = [types.SimpleNamespace(working=lambda: given.get("working", True))]
    return Known(
        graph=graph,
        remote=given.get("remote", False),
        stopping=given.get("stopping", False),
        session=lambda: None if given.get("gone") else work,
        runs=work,
        changed=types.SimpleNamespace(
            wait_for=lambda ready, seconds: given["waited"].append(ready())
        ),
        waited=given.setdefault("waited", []),
    )


@pytest.mark.parametrize("how", ["remote", "stopping", "gone"])
def test_sessions_that_are_at_work_on_a_graph(monkeypatch, how):
    graph, other = object(), object()
    here = works(graph)
    others = [works(other), works(graph, **{how: True}), works(graph, working=False)]
    monkeypatch.setattr(registry, "everywhere", lambda: [*others, here])
    monkeypatch.setattr(registry, "_ENDING_SECONDS", 0.0)
    assert registry.on(graph) == [here]
    assert here.waited == [False], "it is given a moment"
    assert not any(each.waited for each in others)
    assert registry.on(object()) == []


def test_a_session_that_ends_in_that_moment_is_at_work_no_more(monkeypatch):
    graph = object()
    here = works(graph)
    here.changed.wait_for = lambda ready, seconds: setattr(here, "stopping", True)
    monkeypatch.setattr(registry, "everywhere", lambda: [here])
    assert registry.on(graph) == []


def test_older_sessions_are_asked_about_once(monkeypatch):
    graph = object()
    first, me, last = works(graph), works(graph), works(graph)
    monkeypatch.setattr(registry, "everywhere", lambda: [first, me, last])
    monkeypatch.setattr(registry, "_in_use", set())
    assert registry.older(me) == [first]
    assert registry.older(me) == [first]
    assert len(first.waited) == 1, "known to be in use"
    assert registry.older(first) == []
    me.remote = True
    assert registry.older(me) == []
