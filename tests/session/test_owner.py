"""What an `Owner` is asked of its runners and steps; these are made up, the session is not."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.session.owner import Owner


class Run:
    """A runner that fills a queue and takes from some."""

    def __init__(self, fills, *up, puts=(), closes=(), name="run", **given):
        self.queue_name, self.up, self.name = fills.name, list(up), name
        self.closes, self.threads = set(closes), []
        self.demand = types.SimpleNamespace(puts=[(None, into) for into in puts])
        self.is_working = self.is_first = True
        self.closing = self.closer = False
        self.done = []
        for key, value in given.items():
            setattr(self, key, value)

    def upstream(self):
        return self.up

    def working(self):
        return self.is_working

    def alive(self):
        return self.threads

    def closes_on_stop(self):
        return self.closing

    def has_closer(self):
        return self.closer

    def expect_stop(self):
        self.done.append("expect")

    def stop(self):
        self.done.append("stop")
        return self.is_first

    def cancel(self):
        self.done.append("cancel")


@pytest.fixture
def queues():
    """Three empty queues of one element; `(models, owner, session)`."""
    ops = [tf.FIFOQueue(1, tf.int32, [[]], name=name) for name in "abc"]
    with tf.Session() as sess:
        owner = Owner.of(sess)
        models = [owner.pipeline.queues[name] for name in "abc"]
        yield models, owner, lambda place: sess.run(ops[place].enqueue(1))
        owner.runs = []
        owner.steps.under_way.clear()
        owner.steps.held_back.clear()
        owner.steps.in_parts.clear()


def step(takes=(), puts=(), closes=(), caller="me", done=False):
    demand = types.SimpleNamespace(
        takes=[
            types.SimpleNamespace(queue=of, amount=1, conditional=False, is_read=False)
            for of in takes
        ],
        closes=list(closes),
        puts=[],
        ops=frozenset(),
    )
    plan = types.SimpleNamespace(
        demand=demand, takes=bool(takes), put_queues=list(puts), upstream=list(takes)
    )
    made = types.SimpleNamespace(plan=plan, caller=caller, done=lambda: done)
    return types.SimpleNamespace(step=made, plan=plan)


class Hashed(types.SimpleNamespace):
    __hash__ = object.__hash__


def under_way(owner, made):
    owner.steps.under_way.add(Hashed(**vars(made.step)))


def test_the_runners_that_put_into_a_queue(queues):
    (a, b, _), owner, _ = queues
    owner.runs = [Run(a, puts=[a]), Run(b, puts=[b, a]), Run(b, puts=[b])]
    assert owner.runs_of(a) == owner.runs[:1]
    assert owner.also_put(a) == owner.runs[1:2]
    assert owner.also_put(b) == []


@pytest.mark.parametrize(
    ("run", "may"),
    [
        ({"closes": "a"}, True),
        ({"closes": "a", "is_working": False}, False),
        ({"closes": "a", "is_working": False, "closing": True}, True),
        ({"closes": "b"}, False),
        ({"closes": "a", "fills": "a"}, False),
    ],
)
def test_a_runner_of_another_queue_may_close_one(queues, run, may):
    models, owner, _ = queues
    by_name = {each.name: each for each in models}
    fills, closes = by_name[run.pop("fills", "c")], by_name[run.pop("closes")]
    owner.runs = [Run(fills, closes=[closes], **run)]
    assert owner.may_close(models[0]) is may


def test_a_step_under_way_may_close_a_queue(queues):
    (a, b, _), owner, _ = queues
    under_way(owner, step(closes=[b]))
    under_way(owner, step(closes=[a], done=True))
    assert (owner.may_close(a), owner.may_close(b)) == (False, True)
    owner.steps.in_parts.add(Hashed(**vars(step(closes=[a]).plan)))
    assert owner.may_close(a)


def test_the_threads_that_put_into_a_full_queue_which_no_runner_empties(queues):
    (a, b, c), owner, fill = queues
    for place in (0, 1):
        fill(place)
    for caller, puts in (("one", [a]), ("two", [b]), ("three", [c]), (None, [a])):
        under_way(owner, step(puts=puts, caller=caller))
    under_way(owner, step(takes=[c], puts=[a], caller="takes"))
    under_way(owner, step(puts=[a], caller="done", done=True))
    assert sorted(owner.blocked_feeders()) == ["one", "two"]
    owner.runs = [Run(c, b), Run(c, a, is_working=False)]
    assert owner.blocked_feeders() == ["one"]
    owner.remote = True
    assert owner.blocked_feeders() == []
    owner.remote, pid, owner.pid = False, owner.pid, 0
    assert owner.blocked_feeders() == []
    owner.pid = pid


def test_the_threads_that_wait_in_a_step_and_do_not_compute(queues):
    (a, b, _), owner, fill = queues
    fill(0)
    under_way(owner, step(puts=[a], caller="full"))
    under_way(owner, step(puts=[b], caller="room"))
    under_way(owner, step(takes=[b], caller="takes"))
    under_way(owner, step(puts=[a], caller=None))
    owner.steps.held_back.append(("held", step().plan))
    assert owner.waiting()[0] == "held"
    assert sorted(owner.waiting()) == ["full", "held", "takes"]
    balance = {"b": 1}
    owner.accounts.balance = lambda queue: balance[queue.name]
    assert sorted(owner.waiting()) == ["full", "held"], "one element was taken"
    balance["b"] = None
    assert sorted(owner.waiting()) == ["full", "held", "takes"]
    owner.remote = True
    assert sorted(owner.waiting()) == ["full", "held", "room", "takes"]
    owner.remote = False


def test_what_a_thread_waits_for_is_said(queues):
    (a, b, c), owner, _ = queues
    owner.runs = [Run(a, name="first", threads=["x"]), Run(b, name="second", threads=["y"])]
    under_way(owner, step(takes=[b, c], puts=[a], caller="z"))
    assert owner.waits_of("y") == "runs second's enqueue op"
    assert owner.waits_of("z") == "waits in session.run for a, b"
    assert owner.waits_of("nobody") is None


def test_a_stop_is_expected_by_all_runners_of_a_coordinator_before_the_first_is_stopped(queues):
    (a, b, c), owner, _ = queues
    order = []

    class Noted(Run):
        def expect_stop(self):
            order.append((self.name, "expect"))

        def stop(self):
            order.append((self.name, "stop"))

    coord = object()
    owner.runs = [
        Noted(a, name="one", coord=coord),
        Noted(b, name="two", coord=coord),
        Noted(c, name="other", coord=object()),
    ]
    owner.release(coord)
    assert order == [("one", "expect"), ("two", "expect"), ("one", "stop"), ("two", "stop")]


def test_the_waits_of_some_threads_are_ended(queues):
    (a, b, c), owner, _ = queues
    closed = []
    owner.queues.close = lambda queue, cancel: closed.append((queue.name, cancel))
    owner.runs = [
        Run(b, a, threads=["x"]),
        Run(c, a, b, threads=["x"], is_first=False),
        Run(c, c, threads=["x"], closer=True),
        Run(c, c, threads=["y"]),
    ]
    owner.unblock({"x"})
    assert [run.done for run in owner.runs] == [["stop"], ["stop", "cancel"], [], []]
    assert closed == [("a", True), ("b", True), ("c", True)]
    closed.clear()
    under_way(owner, step(takes=[a], puts=[c], caller="z"))
    owner.steps.held_back.append(("h", step(takes=[b]).plan))
    owner.unblock({"z"})
    assert closed == [("c", True), ("a", True)]
    closed.clear()
    owner.unblock({"h"})
    assert closed == [("b", True)]
    closed.clear()
    owner.unblock({"nobody"})
    assert closed == []


def test_the_first_batch_is_noted_once(queues, monkeypatch):
    from tfqueue.session import registry

    _, owner, _ = queues
    told = []
    monkeypatch.setattr(registry, "tell", lambda event, owner: told.append(event))
    for _ in range(3):
        owner.note_first_batch()
    assert (told, owner.has_taken) == (["first_batch"], True)


def test_the_end_of_the_data_is_noted_once_for_each_kind_of_step(queues, monkeypatch):
    from tfqueue.session import owner as owners

    (a, b, _), owner, _ = queues
    told = []
    monkeypatch.setattr(owners.diagnosis, "at_end", told.append)
    monkeypatch.setattr(owner, "failure", lambda plan: plan)
    one, other = step(takes=[a]).plan, step(takes=[a, b]).plan
    for plan, expected in ((one, {"a"}), (one, {"a"}), (other, {"a", "b"}), (one, {"a", "b"})):
        owner.note_end(plan)
        assert owner.queues.at_end == expected
    assert told == [one, other]
