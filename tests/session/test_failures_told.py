"""Which error a step raises for the one that TensorFlow ended it with; the session is made up."""

import types

import pytest

import tfqueue.v1 as tf
from tfqueue.graph.op_types import Demand, Queue, Take
from tfqueue.session import closed_queues, failures

NO_MORE = "FIFOQueue '_0_q' is closed and has insufficient elements (requested 1, current size 0)"


class Op:
    node_def = None

    def __init__(self, kind, name):
        self.type, self.name = kind, name


def op(kind, name="op"):
    return Op(kind, name)


def error(cls, of=None, text="text"):
    return cls(None, of, text)


def met(raised):
    """An error that was raised, with its traceback."""
    try:
        raise raised
    except Exception as found:  # noqa: BLE001
        return found


# -- what is not the end of the data ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        (error(tf.errors.OutOfRangeError, op("ReaderReadV2")), tf.errors.DataLossError),
        (error(tf.errors.OutOfRangeError, op("RestoreV2")), tf.errors.DataLossError),
        (error(tf.errors.OutOfRangeError, op("ReadFile")), tf.errors.DataLossError),
        (error(tf.errors.OutOfRangeError, op("SaveV2")), tf.errors.ResourceExhaustedError),
        (error(tf.errors.OutOfRangeError, op("WriteFile")), tf.errors.ResourceExhaustedError),
        (error(tf.errors.OutOfRangeError, op("QueueDequeueV2")), None),
        (error(tf.errors.OutOfRangeError, op("IteratorGetNext")), None),
        (error(tf.errors.OutOfRangeError, op("ReaderReadV2"), NO_MORE), None),
        (error(tf.errors.OutOfRangeError), None),
        (error(tf.errors.NotFoundError, op("ReaderReadV2")), None),
        (ValueError("text"), None),
    ],
)
def test_a_file_that_is_too_short_or_too_large_is_no_end(given, becomes):
    found = failures.not_the_end(met(given))
    if becomes is None:
        assert found is given
    else:
        assert type(found) is becomes
        assert (found.message, found.op) == (given.message, given.op)
        assert found.__traceback__ is given.__traceback__


# -- copies ----------------------------------------------------------------------------------------------


def test_what_is_raised_is_a_copy_that_begins_where_the_first_did():
    cause = KeyError("why")
    kept = met(ValueError("a"))
    kept.__cause__ = cause
    frames = kept.__traceback__
    copies = [failures.to_raise(kept) for _ in range(2)]
    for copy in copies:
        assert copy is not kept
        assert (copy.args, copy.__cause__, copy.__traceback__) == (("a",), cause, frames)
        assert failures.original(copy) is kept
        met(copy)
    assert kept.__traceback__ is frames
    again = failures.to_raise(copies[0])
    assert failures.original(again) is kept


def test_one_that_cannot_be_copied_is_raised_itself_with_its_first_frames():
    class Own(Exception):
        def __init__(self, one, two):
            super().__init__(one)

    kept = met(Own(1, 2))
    frames = kept.__traceback__
    for _ in range(2):
        found = met(failures.to_raise(kept))
        assert found is kept
    assert failures.to_raise(kept).__traceback__ is frames


def test_what_was_reported_is_so_for_all_copies():
    kept = met(ValueError("a"))
    copy = failures.to_raise(kept)
    assert not failures.was_reported(kept)
    assert failures.mark_reported(copy) is copy
    assert failures.was_reported(kept)
    assert failures.was_reported(failures.to_raise(kept))
    assert not failures.was_reported(None)


# -- a session that is closed ------------------------------------------------------------------------------


def queue(name):
    return Queue(types.SimpleNamespace(name=name), "FIFOQueue", 3, 0, "")


def plan(*queues, puts=(), ops=(), closes=()):
    takes = [Take(op("QueueDequeueV2", f"take of {of.name}"), of, 1) for of in queues]
    return types.SimpleNamespace(
        demand=Demand(frozenset(ops), takes, [], [], list(closes), True),
        upstream=list(queues),
        put_queues=list(puts),
    )


class Run:
    def __init__(self, fills, **given):
        self.queue_name, self.failure, self.ended, self.asked = fills, None, False, False
        self.left_to_others, self.is_working, self.coord = False, False, None
        for name, value in given.items():
            setattr(self, name, value)

    def stop_was_asked_for(self):
        return self.asked

    def working(self):
        return self.is_working


class Known:
    def __init__(self, *runs, **given):
        self.runs, self.plans, self.stopping, self.remote = list(runs), [], False, False
        self.queues = types.SimpleNamespace(causes={}, cancelled=set(), closed_before=set())
        self.pipeline = types.SimpleNamespace(queues={"q": None, "other": None})
        self.changed = types.SimpleNamespace(wait_for=self._wait_for)
        for name, value in given.items():
            setattr(self, name, value)

    def runs_of(self, of):
        return [run for run in self.runs if run.queue_name == of.name]

    def _wait_for(self, ready, seconds):
        self.waited = seconds, ready()


def test_a_queue_that_the_sessions_end_closed_is_a_step_that_was_cancelled():
    of, other = queue("q"), queue("other")
    step = plan(of, other)
    ended = met(error(tf.errors.OutOfRangeError, op("QueueDequeueV2", "take of q"), NO_MORE))
    owner = Known(stopping=True)
    found = failures._not_the_sessions_end(owner, ended, step)
    assert type(found) is tf.errors.CancelledError
    assert "the session was closed while it waited for elements" in found.message
    assert found.op is ended.op
    assert found.__suppress_context__
    assert found.__traceback__ is ended.__traceback__
    owner.queues.closed_before = {"q"}
    assert failures._not_the_sessions_end(owner, ended, step) is ended
    nowhere = error(tf.errors.OutOfRangeError, None, NO_MORE)
    assert failures._not_the_sessions_end(owner, nowhere, step) is not nowhere
    owner.queues.closed_before = {"q", "other"}
    assert failures._not_the_sessions_end(owner, nowhere, step) is nowhere


@pytest.mark.parametrize(
    ("given", "stopping"),
    [
        (error(tf.errors.OutOfRangeError, None, NO_MORE), False),
        (error(tf.errors.OutOfRangeError, None, "the end of a sequence"), True),
        (error(tf.errors.CancelledError, None, NO_MORE), True),
    ],
)
def test_what_no_end_of_the_session_has_done(given, stopping):
    owner = Known(stopping=stopping)
    assert failures._not_the_sessions_end(owner, given, plan(queue("q"))) is given


def test_a_step_that_takes_nothing_was_not_in_front_of_a_queue_that_had_ended():
    ended = error(tf.errors.OutOfRangeError, None, NO_MORE)
    assert failures._not_the_sessions_end(Known(stopping=True), ended, plan()) is not ended


# -- whose failure it is --------------------------------------------------------------------------------------


def test_the_failure_furthest_up_is_the_cause():
    near, middle, far = queue("near"), queue("middle"), queue("far")
    owner = Known()
    step = plan(near, middle, far)
    assert closed_queues.failure_upstream(owner, step) is None
    owner.queues.causes = {"near": ValueError(1), "middle": ValueError(2)}
    assert closed_queues.failure_upstream(owner, step) is owner.queues.causes["middle"]


def test_a_failure_that_is_left_to_others_is_raised_at_the_queue_itself():
    failed = met(ValueError("a"))
    run = Run("q", failure=failed, left_to_others=True)
    failures.raise_left_to_others(Known(run), plan(queue("other")))
    with pytest.raises(ValueError, match="a") as caught:
        failures.raise_left_to_others(Known(run), plan(queue("q")))
    assert failures.original(caught.value) is failed
    assert failures.was_reported(failed)
    for change in ({"left_to_others": False}, {"failure": None}):
        given = {"failure": failed, "left_to_others": True} | change
        failures.raise_left_to_others(Known(Run("q", **given)), plan(queue("q")))


@pytest.mark.parametrize(
    ("run", "failed", "stopping", "settled"),
    [
        ({"is_working": True}, False, False, False),
        ({"failure": ValueError()}, False, False, False),
        ({}, False, False, True),
        ({"is_working": True}, True, False, True),
        ({"is_working": True, "asked": True}, False, False, True),
        ({"is_working": True}, False, True, True),
    ],
)
def test_runners_whose_queue_another_process_closed_are_waited_for(run, failed, stopping, settled):
    owner = Known(Run("q", **run), Run("other", is_working=True), stopping=stopping)
    owner.queues.causes = {"q": ValueError()} if failed else {"other": ValueError()}
    closed_queues.await_runners(owner, plan(queue("q")))
    assert owner.waited == (5.0, settled)


def test_the_failure_of_a_runner_that_feeds_what_is_no_queue():
    failed = ValueError()
    step = plan(ops=[op("BarrierTakeMany", "take"), op("Barrier", "barrier")])
    assert closed_queues.failure_of_no_queue(Known(Run("barrier", failure=failed)), step) is failed
    assert closed_queues.failure_of_no_queue(Known(Run("barrier")), step) is None
    assert closed_queues.failure_of_no_queue(Known(Run("q", failure=failed)), step) is None
    assert closed_queues.failure_of_no_queue(Known(Run("else", failure=failed)), step) is None
    queue_too = plan(ops=[op("FIFOQueueV2", "q")])
    assert closed_queues.failure_of_no_queue(Known(Run("q", failure=failed)), queue_too) is None


def test_the_failure_behind_a_stop():
    failed = ValueError()
    coord = types.SimpleNamespace(runners_failure=failed)
    stopped = {"asked": True, "coord": coord}

    def behind(**given):
        return closed_queues.behind_the_stop(Known(Run("q", **given)), plan(queue("q")))

    assert behind(**stopped) is failed
    assert behind(**stopped, ended=True) is None
    assert behind(coord=coord) is None
    assert behind(asked=True) is None
    assert behind(asked=True, coord=types.SimpleNamespace(runners_failure=None)) is None
    other = Known(Run("other", **stopped))
    assert closed_queues.behind_the_stop(other, plan(queue("q"))) is None
    first = Run("q", asked=True)
    assert (
        closed_queues.behind_the_stop(Known(first, Run("q", **stopped)), plan(queue("q"))) is failed
    )


def test_a_queue_that_the_program_closed_is_at_its_end():
    cancelled, of = met(error(tf.errors.CancelledError)), queue("q")
    run = Run("q", failure=cancelled)
    owner = Known(run, plans=[plan(), plan(closes=[of])])
    closed = failures._is_of_the_programs_close
    assert closed(owner, failures.to_raise(cancelled))
    assert not closed(owner, None)
    assert not closed(owner, met(error(tf.errors.CancelledError)))
    assert not closed(owner, met(error(tf.errors.AbortedError)))
    owner.plans = [plan(closes=[queue("other")])]
    assert not closed(owner, cancelled)
    owner.plans, owner.runs = [plan(closes=[of])], [Run("q")]
    assert not closed(owner, cancelled)


@pytest.mark.parametrize(
    ("change", "stopped", "by_us"),
    [
        ({}, False, False),
        ({"asked": "q"}, True, False),
        ({"asked": "other"}, False, False),
        ({"stopping": True}, True, True),
        ({"cancelled": {"q"}}, True, True),
        ({"cancelled": {"put"}}, True, True),
        ({"cancelled": {"other"}}, False, False),
    ],
)
def test_whether_what_a_step_waits_for_was_stopped(change, stopped, by_us):
    owner = Known(Run("q"), Run("other"), stopping=change.get("stopping", False))
    owner.queues.cancelled = change.get("cancelled", set())
    for run in owner.runs:
        run.asked = run.queue_name == change.get("asked")
    step = plan(queue("q"), puts=[queue("put")])
    assert closed_queues.was_stopped(owner, step) is stopped
    assert closed_queues.cancelled_by_us(owner, step) is by_us
