"""Asking the tasks of a cluster whether they answer; connections and time are given."""

import types

import pytest

from tfqueue.graph.tasks import Cluster
from tfqueue.session import reachability

PS, OTHER, ME, FAR = ("ps", 0), ("ps", 1), ("worker", 0), ("worker", 1)
KNOWN = Cluster({PS: "a:1", OTHER: "a:2", ME: "b:1"}, ME)


@pytest.fixture
def clock(monkeypatch):
    """The clock of the module; `clock.now` is set by the test."""
    given = types.SimpleNamespace(now=100.0)
    given.monotonic = lambda: given.now
    monkeypatch.setattr(reachability, "time", given)
    return given


@pytest.fixture
def probes(monkeypatch, clock):
    """The probes that are open, by address; a test says what they answer."""
    opened = {}

    class Probe:
        def __init__(self, address):
            assert address not in opened
            self.address, self.began, self.answers = address, clock.now, None
            opened[address] = self

        def close(self):
            del opened[self.address]

    monkeypatch.setattr(reachability, "Probe", Probe)
    return opened


def test_other_tasks_are_asked_whose_address_is_known(probes):
    reach = reachability.Reach(KNOWN, [PS, ME, FAR])
    assert reach.waiting == {PS}
    reach.look()
    assert [*probes] == ["a:1"]
    reach.close()
    assert not probes


def test_a_task_that_answers_is_asked_again_after_a_pause(probes, clock):
    reach = reachability.Reach(KNOWN, [PS])
    reach.look()
    reach.look()  # no answer yet
    assert reach.waiting == {PS}
    probes["a:1"].answers = True
    reach.look()
    assert (reach.waiting, reach.silent_since, probes) == (set(), {}, {})
    clock.now += reachability.PAUSE_SECONDS / 2
    reach.look()
    assert not probes
    clock.now += reachability.PAUSE_SECONDS / 2
    reach.look()
    assert [*probes] == ["a:1"]


def test_a_task_is_silent_since_it_was_first_asked_in_vain(probes, clock):
    reach = reachability.Reach(KNOWN, [PS, OTHER])
    for _ in range(3):
        reach.look()
        clock.now += 10
        probes["a:1"].answers, probes["a:2"].answers = False, True
        reach.look()
        clock.now += 1
    assert reach.silent_since == {PS: 100.0}
    assert reach.waiting == {PS}
    assert reach.gone(33) == set()
    assert reach.gone(32) == {PS}
    reach.look()
    probes["a:1"].answers = True
    reach.look()
    assert reach.silent_since == {}


def test_a_task_that_is_asked_no_more_is_forgotten(probes, clock):
    reach = reachability.Reach(KNOWN, [PS, OTHER])
    reach.look()
    probes["a:1"].answers = probes["a:2"].answers = False
    reach.look()
    clock.now += reachability.PAUSE_SECONDS
    reach.look()
    reach.ask([OTHER])
    assert [*probes] == ["a:2"]
    assert [*reach.silent_since] == [OTHER]


@pytest.mark.parametrize(
    ("state", "seconds", "answers"),
    [
        (None, 0, None),
        (None, 5, None),
        (None, 5.5, False),
        ("READY", 0, True),
        ("READY", 9, True),
        ("CONNECTING", 1, None),
        ("CONNECTING", 6, False),
        ("TRANSIENT_FAILURE", 0, False),
        ("SHUTDOWN", 0, False),
    ],
)
def test_what_the_state_of_a_connection_means(state, seconds, answers, clock, monkeypatch):
    import grpc

    def look(channel, callback, try_to_connect):
        assert try_to_connect
        if state is not None:
            callback(getattr(grpc.ChannelConnectivity, state))

    asked = []

    def insecure_channel(address, options):
        asked.append((address, options))
        ended = types.SimpleNamespace(unsubscribe=asked.append)
        ended.subscribe = lambda callback, try_to_connect=False: look(
            ended, callback, try_to_connect
        )
        return ended

    monkeypatch.setattr(grpc, "insecure_channel", insecure_channel)
    probe = reachability.Probe("a:1")
    clock.now += seconds
    assert probe.answers is answers
    assert asked == [("a:1", [("grpc.use_local_subchannel_pool", 1)])]
    probe.close()
    assert asked[1:] == [probe._note]
