"""Runners that wait in a thread of the session's own, and whose sources others share."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.graph.op_types import Demand, Queue, Take
from tfqueue.session import runner_movers


class Run:
    """A runner that is asked to stop after so many steps."""

    def __init__(self, steps, guard=None):
        self.left, self.guard = steps, guard
        self.released = types.SimpleNamespace(is_set=lambda: self.is_released)
        self.is_released = False

    def should_stop(self):
        self.left -= 1
        return self.left <= 0


@pytest.fixture
def mover():
    """A mover of an op that adds one; `made(run)` gives it, and the session's count."""
    count = tf.Variable(0)
    add = count.assign_add(1)
    with tf.Session() as sess:
        sess.run(count.initializer)
        yield lambda run: runner_movers.ApartMover(add.op, run, sess), lambda: sess.run(count)


@pytest.mark.parametrize("steps", [1, 3])
def test_one_step_after_the_other_until_a_stop_is_asked_for(mover, steps):
    make, count = mover
    guarded = []
    made = make(Run(steps, types.SimpleNamespace(take=lambda: guarded.append(1))))
    made._move_on()
    assert count() == steps
    assert len(guarded) == steps - 1, "the runner's thread has looked before the first"


def test_a_thread_that_was_let_go_waits_a_moment_longer(mover, monkeypatch):
    make, _ = mover
    run, now = Run(1), [100.0]
    monkeypatch.setattr(runner_movers, "time", types.SimpleNamespace(monotonic=lambda: now[0]))
    made = make(run)
    made._look()
    run.is_released = True
    for now[0] in (200.0, 200.1, 200.2):
        made._look()
    now[0] = 200.21
    with pytest.raises(tf.errors.CancelledError, match="a stop was asked for"):
        made._look()


class Op:
    type = "QueueDequeueV2"


def op(kind):
    return types.SimpleNamespace(type=kind)


def queue(name):
    return Queue(types.SimpleNamespace(name=name), "FIFOQueue", 3, 0, "")


@pytest.mark.parametrize(
    ("kind", "shared", "why"),
    [
        ("QueueEnqueueV2", (), None),
        ("AccumulatorTakeGradient", (), "it waits for gradients"),
        ("ResourceAccumulatorTakeGradient", (), "it waits for gradients"),
        ("QueueEnqueueV2", ("own",), "the session runs on a server"),
        ("QueueEnqueueV2", ("up",), "the session runs on a server"),
        ("QueueEnqueueV2", ("other",), None),
    ],
)
def test_who_waits_apart(kind, shared, why):
    own, up = queue("own"), queue("up")
    owner = types.SimpleNamespace(
        pipeline=types.SimpleNamespace(queues={"own": own}),
        queues=types.SimpleNamespace(is_shared=lambda queue: queue.name in shared),
    )
    run = types.SimpleNamespace(
        demand=types.SimpleNamespace(ops=[op("Const"), op(kind)]),
        owner=owner,
        queue_name="own",
        upstream=lambda: [up],
    )
    assert runner_movers._waits_apart(run) == why
    run.queue_name = "barrier"  # no queue of the model
    assert runner_movers._waits_apart(run) == (None if shared == ("own",) else why)


def test_the_movers_that_take_by_the_same_op():
    of = queue("q")
    takes = [Take(Op(), of, 1) for _ in range(2)]

    def demand(*taken):
        return Demand(frozenset(), list(taken), [], [], [], True)

    class Other:
        def __init__(self, working, alive, *demands):
            self.working, self.alive = (lambda: working), (lambda: alive)
            self.demands = lambda: demands

    first, second = (demand(takes[0]), "first", None), (demand(takes[1]), "second", None)
    at_work = Other(True, [], first, second)
    ending = Other(False, ["thread"], (demand(takes[0]), "ending", None))
    gone = Other(False, [], (demand(takes[0]), "gone", None))
    owner = types.SimpleNamespace(takers={takes[0].op: [at_work, ending, gone, at_work]})
    run = types.SimpleNamespace(owner=owner, demand=demand(takes[0]))
    assert list(runner_movers._rivals(run)) == ["first", "ending"]
