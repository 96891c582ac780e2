"""tfqueue.watch.shares: how the time of a runner's threads is divided, and which step is traced next."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.watch import shares as module
from tfqueue.watch.shares import Shares, Tracer


def traced(*nodes):
    """A `RunMetadata` of ops: name, label, and when each began and ended, in seconds."""
    metadata = tf.RunMetadata()
    stats = metadata.step_stats.dev_stats.add().node_stats
    for name, label, began, ended in nodes:
        stats.add(
            node_name=name,
            timeline_label=label,
            op_start_rel_nanos=round(began * 1e9),
            op_end_rel_nanos=round(ended * 1e9),
        )
    return metadata


def divided(shares):
    return {
        "reading": pytest.approx(shares.reading),
        "putting": pytest.approx(shares.putting),
        "waiting": pytest.approx(shares.waiting),
        **{kind: pytest.approx(seconds) for kind, seconds in shares.computing.items()},
    }


@pytest.mark.parametrize(
    ("kind", "where"),
    [
        ("ReaderReadV2", "reading"),
        ("ReaderReadUpToV2", "reading"),
        ("ReadFile", "reading"),
        ("TFRecordReaderV2", "reading"),
        ("WholeFileReader", "reading"),
        ("QueueEnqueueManyV2", "putting"),
        ("QueueDequeueV2", "waiting"),
        ("FIFOQueueV2", None),
        ("RandomShuffleQueue", None),
        ("DecodeRaw", "DecodeRaw"),
        ("ReaderNumRecordsProducedV2", "ReaderNumRecordsProducedV2"),
        ("QueueSizeV2", "QueueSizeV2"),
    ],
)
def test_where_the_time_of_an_op_goes(kind, where):
    shares = Shares()
    shares.add(traced(("name", f"name = {kind}(other)", 0.5, 2.0)))
    expected = {"reading": 0.0, "putting": 0.0, "waiting": 0.0} | ({where: 1.5} if where else {})
    assert divided(shares) == expected


def test_times_of_one_kind_are_added_and_an_op_without_a_label_has_its_name():
    shares = Shares()
    first = [("a", "a = Cast(x)", 0.0, 1.0), ("b", "b = Cast(x)", 2.0, 2.5), ("_SOURCE", "", 3, 4)]
    read = [(name, f"{name} = ReaderReadV2(x)", 0.0, 1.0) for name in "ab"]
    put = [(name, f"{name} = QueueEnqueueV2(x)", 0.0, 2.0) for name in "ab"]
    take = [(name, f"{name} = QueueDequeueV2(x)", 0.0, 3.0) for name in "ab"]
    shares.add(traced(*first, *read, *put, *take))
    other = {"Cast": 1.5, "_SOURCE": 1.0}
    assert divided(shares) == {"reading": 2.0, "putting": 4.0, "waiting": 6.0, **other}
    assert shares.work == pytest.approx(4.5)


def spent(reading, putting, waiting, **computing):
    found = Shares()
    found.reading, found.putting, found.waiting = reading, putting, waiting
    found.computing.update(computing)
    return found


def test_calls_are_counted_by_the_time_that_they_work_and_fade():
    shares = Shares()
    shares.count(spent(1.0, 2.0, 8.0, Cast=3.0))
    assert divided(shares) == {"reading": 0.25, "putting": 0.5, "waiting": 2.0, "Cast": 0.75}
    shares.count(spent(2.0, 4.0, 6.0, Cast=0.5, Add=1.5))
    other = {"Cast": 0.875, "Add": 0.375}
    assert divided(shares) == {"reading": 0.75, "putting": 1.5, "waiting": 3.5, **other}
    shares.fade()
    faded = {"reading": 0.6, "putting": 1.2, "waiting": 2.8, "Cast": 0.7, "Add": 0.3}
    assert divided(shares) == faded
    shares.count(spent(0.0, 5.0, 5.0))
    assert divided(shares) == faded


class Step:
    """A step of a mover that may be asked for a trace."""

    def __init__(self):
        self.asked = []

    def trace_next(self, answer):
        self.asked.append(answer)


class Run:
    """A runner whose movers have so many steps each."""

    def __init__(self, queue_name, *counts, working=True):
        self.queue_name, self.working = queue_name, lambda: working
        self.steps = [[Step() for _ in range(count)] for count in counts]
        self.movers = [types.SimpleNamespace(steps=lambda own=own: own) for own in self.steps]


class Clock:
    """A clock that stands still; each look may be made to take a while."""

    now = 0.0
    a_look = 0.0

    def monotonic(self):
        self.now += self.a_look
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def tracer_of(*runs):
    now, whole = {}, {}
    return Tracer(types.SimpleNamespace(runs=runs), now, whole), now, whole


def asked(*runs):
    """How often each step was asked for a trace, in the order of the movers."""
    return [[len(step.asked) for step in own] for run in runs for own in run.steps]


ANSWER = traced(("r", "r = ReadFile(x)", 0, 1), ("c", "c = Cast(r)", 0, 3)).SerializeToString()


def test_runners_and_their_movers_take_turns(clock):
    first, second = Run("a", 1, 1), Run("b", 1, 1)
    idle, empty = Run("c", 1, working=False), Run("d")
    tracer, _, _ = tracer_of(first, idle, second, empty)
    seen = []
    for _ in range(4):
        tracer.look()
        seen.append(asked(first, second))
        clock.now += 1.0
    steps = [[[0], [0], [1], [0]], [[0], [1], [1], [0]], [[0], [1], [1], [1]], [[1], [1], [1], [1]]]
    assert seen == steps
    assert asked(idle) == [[0]]


def test_no_runner_no_trace(clock):
    tracer, now, whole = tracer_of(Run("a", 1, working=False))
    tracer.look()
    assert (now, whole) == ({}, {})


def test_one_trace_a_second_and_none_while_one_is_awaited(clock):
    run = Run("a", 1)
    tracer, _, _ = tracer_of(run)
    (step,) = run.steps[0]
    tracer.look()
    clock.now = 1.5
    tracer.look()
    assert len(step.asked) == 1
    step.asked[0](ANSWER)
    clock.now = 2.25
    tracer.look()  # the answer is read; at 1.5 it was looked for, so that the next is due at 2.5
    assert len(step.asked) == 1
    clock.now = 2.5
    tracer.look()
    assert len(step.asked) == 2


def test_a_call_counts_once_all_its_steps_have_answered(clock):
    run = Run("a", 2)
    tracer, now, whole = tracer_of(run)
    one, other = run.steps[0]
    tracer.look()
    one.asked[0](ANSWER)
    tracer.look()
    assert (now, whole) == ({}, {})
    other.asked[0](ANSWER)
    tracer.look()
    expected = {"reading": 0.25, "putting": 0.0, "waiting": 0.0, "Cast": 0.75}
    assert divided(now["a"]) == divided(whole["a"]) == expected
    clock.now = 1.0
    tracer.look()
    assert [len(one.asked), len(other.asked)] == [2, 2]
    assert divided(whole["a"]) == expected
    assert divided(now["a"]) == {name: pytest.approx(0.8 * expected[name]) for name in expected}


@pytest.mark.parametrize(("a_look", "due"), [(0.002, 1.0), (0.01, 4.0)])
def test_reading_traces_takes_little_of_the_time(clock, a_look, due):
    run = Run("a", 1)
    tracer, _, _ = tracer_of(run)
    (step,) = run.steps[0]
    tracer.look()
    step.asked[0](ANSWER)
    clock.a_look = a_look  # what reading it takes, as the clock tells
    clock.now = 0.5 - a_look
    tracer.look()
    clock.a_look = 0.0
    for wait, count in ((-0.1, 1), (0.1, 2)):
        clock.now = due + wait + (0.5 if due > 1 else 0.0)
        tracer.look()
        assert len(step.asked) == count


def test_a_step_that_is_gone_is_not_awaited(clock):
    run = Run("a", 1)
    tracer, _, _ = tracer_of(run)
    tracer.look()
    run.steps[0][:] = [Step()]
    clock.now = 1.0
    tracer.look()
    assert asked(run) == [[1]]
