"""What a `RunnerRun` says of itself, and how long a failing thread waits for the others."""

import types

import pytest

from tfqueue.session import runner


class Event:
    def __init__(self, is_set=False):
        self.state = is_set

    def is_set(self):
        return self.state


def run(**given):
    """A `RunnerRun` of which only what is given is known."""
    made = object.__new__(runner.RunnerRun)
    made.queue_name, made.ended, made.has_coord, made._running = "q", False, False, 0
    made.released = Event(given.pop("released", False))
    made.owner = types.SimpleNamespace(
        stopping=False,
        queues=types.SimpleNamespace(
            at_end=set(), cancelled=set(), is_left_open=lambda name: given.get("left_open", False)
        ),
    )
    for name, value in given.items():
        setattr(made, name, value)
    return made


STOPPED = {"has_coord": True, "released": True}


@pytest.mark.parametrize(
    ("given", "cancelled", "closed"),
    [
        ({}, False, False),
        ({"ended": True}, False, True),
        (STOPPED, False, True),
        (STOPPED | {"_running": 1}, False, False),
        ({"released": True}, False, False),
        ({"has_coord": True}, False, False),
        (STOPPED | {"left_open": True}, False, False),
        (STOPPED | {"left_open": True}, True, True),
        ({"ended": True, "left_open": True}, False, True),
    ],
)
def test_whether_its_queue_is_closed_by_it(given, cancelled, closed):
    made = run(**given)
    made.owner.queues.cancelled = {"q"} if cancelled else {"other"}
    assert made.closed() is closed


@pytest.mark.parametrize(
    ("given", "at_end", "still"),
    [
        ({}, False, False),
        ({"ended": True}, False, True),
        ({"ended": True, "released": True}, False, False),
        ({"ended": True}, True, False),
    ],
)
def test_whether_what_it_brought_is_not_used_up(given, at_end, still):
    made = run(**given)
    made.owner.queues.at_end = {"q"} if at_end else {"other"}
    assert made.fills_still() is still


@pytest.mark.parametrize(("released", "stopping"), [(True, False), (False, True), (False, False)])
def test_whether_it_need_not_wait_for_others(released, stopping):
    made = run(released=released)
    made.owner.stopping = stopping
    assert made._is_let_go() is (released or stopping)


def test_where_no_thread_closes_its_queue():
    made = run(closer=None)
    assert not made.has_closer()
    assert not made.closes_on_stop()
    made.closer = types.SimpleNamespace(ident=None, is_alive=lambda: False)
    assert not made.has_closer()
    assert not made.closes_on_stop()
    made.closer.ident, made.closer.is_alive = 1, lambda: True
    assert made.has_closer()
    assert made.closes_on_stop()
    made.closer.is_alive = lambda: False
    assert not made.closes_on_stop()


# -- the others of a thread that has failed --------------------------------------------------------------


@pytest.fixture
def failing(monkeypatch):
    """A run one thread of which has failed and another is left; each wait passes its time."""
    made = run(_running=1)
    made.now, made.waits, made.elements = 100.0, 0, 0
    made.room, made.back = True, False
    monkeypatch.setattr(runner, "time", types.SimpleNamespace(monotonic=lambda: made.now))

    def wait_for(ready, seconds):
        made.waits += 1
        made.now += seconds
        made.then()
        return ready()

    made.then = lambda: None
    made._changed = types.SimpleNamespace(wait_for=wait_for)
    made.enqueued = lambda: made.elements
    made._has_no_room = lambda: not made.room
    made._siblings_come_back = lambda: made.back
    return made


def test_it_waits_for_no_thread_where_none_is_left(failing):
    failing._running = 0
    failing._await_siblings()
    assert failing.waits == 1


@pytest.mark.parametrize("how", ["released", "stopping"])
def test_a_stop_ends_the_wait(failing, how):
    def then():
        if failing.waits == 3:
            failing.released.state = how == "released"
            failing.owner.stopping = how == "stopping"

    failing.then = then
    failing._await_siblings()
    assert failing.waits == 3


def test_who_may_wait_for_ever_is_waited_for_half_a_second(failing):
    failing._await_siblings()
    assert 10 <= failing.waits <= 12


@pytest.mark.parametrize("why", ["no room", "comes back"])
def test_who_is_known_to_be_at_work_is_waited_for_a_minute(failing, why):
    failing.room, failing.back = why != "no room", why == "comes back"
    failing._await_siblings()
    assert 1200 <= failing.waits <= 1203


def test_each_element_that_is_put_begins_the_time_anew(failing):
    def then():
        if failing.waits < 100:
            failing.elements += 1

    failing.then = then
    failing._await_siblings()
    assert 109 <= failing.waits <= 111
