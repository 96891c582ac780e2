"""Who computes a step, how long others wait meanwhile, and what a step of the program may count on."""

import contextlib
import itertools
import sys
import threading

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import _tensorflow
from tfqueue.accelerate import build, chunk_size, chunks
from tfqueue.accelerate.mover import ChangingMover, CountingMover
from tfqueue.session import step
from tfqueue.session.accounts import Accounts


class Steps:
    """Stands for `chunks.ChunkSteps`: a chunk of four, whose put ends as it is told to."""

    def __init__(self, error=None):
        self.failing = chunks.Failing()
        self.replaying = threading.Lock()
        self.replay = self
        self.error = error
        self.counted = []

    def begin(self, most):
        return 0, 4

    def prepare(self, key):
        self.counted.append(self.mover.certain)

    def finish(self, key, count):
        self.counted.append(self.mover.certain)
        if self.error is not None:
            raise self.error

    def put(self, columns, mover):
        self.counted.append(mover.certain)
        mover.count(1)


def moved(error=None):
    steps = Steps(error)
    mover = steps.mover = chunks.ChunkMover(steps, chunk_size.ChunkSize(4, 4), lambda _: None)
    with contextlib.suppress(tf.errors.CancelledError):
        mover.move()
    return mover, steps.counted


def test_what_is_being_put_counts_as_put():
    mover, counted = moved()
    assert counted == [0, 4]
    assert (mover.elements, mover.certain) == (4, 4)


def test_what_could_not_be_put_counts_no_longer():
    mover, counted = moved(chunks.FailedChunk([np.zeros(1)], ValueError("odd")))
    assert counted == [0, 4, 0]
    assert (mover.elements, mover.certain) == (1, 1)
    mover, counted = moved(tf.errors.CancelledError(None, None, "closed"))
    assert counted == [0, 4]
    assert (mover.elements, mover.certain) == (0, 0)


def test_a_batch_larger_than_the_queue_is_taken_where_it_is_asked_for(monkeypatch):
    """The chunk that is being put has more: nobody need wait for it in a thread of the session's."""
    here = []

    def begin(accounts, plan, original=Accounts.begin):
        here.append(original(accounts, plan))
        return here[-1]

    monkeypatch.setattr(Accounts, "begin", begin)
    number = tf.train.range_input_producer(40_000, num_epochs=1, shuffle=False).dequeue()
    batch = tf.train.batch([number * 2], 50)
    with tfqueue.managed_session(chunks=1000) as sess:
        found = np.concatenate(list(sess.batches(batch)))
    assert found.tolist() == list(range(0, 80_000, 2))
    assert sum(here) > len(here) / 4


@pytest.mark.parametrize("fetch", ["batch", "twice", "handed on", "reshaped"])
def test_a_step_that_only_takes_is_computed_where_it_is_run(fetch, monkeypatch):
    asked = []

    def run(self, options, *args, original=tf.Session._call_tf_sessionrun):
        asked.append(options)
        return original(self, options, *args)

    monkeypatch.setattr(tf.Session, "_call_tf_sessionrun", run)
    batch = tf.train.batch([tf.train.range_input_producer(8).dequeue()], 4)
    fetched = {
        "batch": batch,
        "twice": batch * 2,
        "handed on": tf.identity(batch),
        "reshaped": tf.squeeze(tf.expand_dims(tf.reshape(batch, [2, 2]), 0)),
    }[fetch]
    with tfqueue.managed_session() as sess:
        for _ in range(4):
            sess.run(fetched)
    inline = _tensorflow.inline_options()
    assert inline is not None
    assert (inline in asked) == (fetch != "twice")


def test_only_what_takes_is_such_a_step():
    with tf.Session() as sess:
        queue = tf.FIFOQueue(4, tf.int32, [[]])
        owner = sess._owner
        only = [
            owner.plans.of(fetches, None)[1].only_takes
            for fetches in (queue.dequeue(), queue.enqueue(1), queue.size(), tf.constant(1))
        ]
    assert only == [True, False, False, False]
    assert "QueueEnqueueV2" not in step._TAKING


def test_what_ops_take():
    slow = tf.py_func(lambda: np.int32(1), [], tf.int32, name="slow")
    after = tf.identity(slow + 1, name="after")
    traces = []
    with tf.Session() as sess:
        traced = _tensorflow.PreparedStep(sess, [], [after])
        traced.trace_next(traces.append)
        assert [traced()[0] for _ in range(2)] == [2, 2]
    assert len(traces) == 1
    whole = _tensorflow.op_seconds(traces[0], ())
    assert 0 < _tensorflow.op_seconds(traces[0], {"slow"}) < whole
    assert _tensorflow.op_seconds(b"", ()) == float("inf")


def test_turns_are_short_only_while_something_is_built():
    before = sys.getswitchinterval()
    with build.building(), build.building():
        assert sys.getswitchinterval() < before / 10
    assert sys.getswitchinterval() == pytest.approx(before)
    with pytest.raises(build.CannotBuild, match="odd"), build.building():
        raise ValueError("odd")
    assert sys.getswitchinterval() == pytest.approx(before)
    try:
        with build.building():
            sys.setswitchinterval(0.25)  # the program's own
        assert sys.getswitchinterval() == pytest.approx(0.25)
    finally:
        sys.setswitchinterval(before)


def test_a_chunk_is_computed_by_the_thread_that_moves_it():
    tf.train.batch([tf.train.range_input_producer(8).dequeue() * 2], 4)
    with tfqueue.managed_session(chunks=4) as sess:
        (run,) = [each for each in sess._owner.runs if each.queue_name == "batch/fifo_queue"]
        while not isinstance(run.movers[0]._inner, chunks.ChunkMover):
            sess.run("batch:0")
        read, prepare, put = run.movers[0].steps()
        assert {each._options for each in (read, prepare, put)} == {_tensorflow.inline_options()}


class Source:
    """Makes movers that note what they do: chunks of `there` elements, or the op itself."""

    def __init__(self):
        self.done, self.there = [], 1
        self.size = chunk_size.ChunkSize(None, 64)

    def chunk(self):
        return Noting(self, self.many)

    def single(self):
        return Noting(self, self.one)

    def many(self):
        self.size.took(self.there, self.size.now, 0.003)
        return self.there

    def one(self):
        return 1


class Noting(CountingMover):
    def __init__(self, source, amount):
        self.source, self.amount = source, amount

    def move(self):
        self.count(self.amount())
        self.source.done.append(self.amount.__name__)
        return self.elements

    def finish(self):
        self.source.done.append("finish")

    def close(self):
        self.source.done.append("close")


def test_a_queue_with_few_elements_is_moved_one_by_one():
    source = Source()
    told = []
    mover = chunks.BacklogMover(
        source.chunk, source.single, source.size, lambda *said: told.append(said)
    )
    assert sum(mover.move() for _ in range(16 + 64)) == mover.elements == mover.certain == 80
    assert source.done == [*["many"] * 16, "finish", "close", *["one"] * 64]
    assert told == [(mover, True)]
    source.done.clear()
    for _ in range(2 + 128):  # after two more chunks it is known that nothing has changed
        mover.move()
    assert source.done == ["finish", "close", *["many"] * 2, "finish", "close", *["one"] * 128]
    assert told == [(mover, True), (mover, False), (mover, True)]
    source.done.clear()
    source.there = 8
    assert mover.move() == 8
    for _ in range(20):
        mover.move()
    assert source.done == ["finish", "close", *["many"] * 21]
    source.done.clear()
    source.there = 1
    for _ in range(16 + 64):  # the pause is the first one's again
        mover.move()
    assert source.done.count("one") == 64
    assert source.done[-1] == "one"
    assert mover.elements == 80 + 130 + 21 * 8 + 16 + 64
    mover.close()
    assert told[-1] == (mover, False)


def test_of_what_comes_out_of_a_slow_queue_nothing_is_lost_or_doubled():
    passed = itertools.count(1)

    def pass_on(n):
        if next(passed) == 200:  # the chunks are built beside the runner: the rest is moved by them
            for mover in (mover for each in runs() for mover in each.movers):
                mover._tuner.chosen.wait()
        return n

    def runs():
        return [each for each in sess._owner.runs if each.queue_name == "batch/fifo_queue"]

    number = tf.train.range_input_producer(400, num_epochs=3, shuffle=False).dequeue()
    slow = tf.py_func(pass_on, [number], tf.int32)
    slow.set_shape([])
    queue = tf.FIFOQueue(32, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(slow)]))
    batch = tf.train.batch([queue.dequeue() * 2], 5)
    with tfqueue.managed_session() as sess:
        found = np.concatenate(list(sess.batches(batch)))
        movers = [type(mover._inner) for each in runs() for mover in each.movers]
    assert found.tolist() == [2 * n for n in range(400)] * 3
    assert movers == [chunks.BacklogMover]


def test_who_counts_during_a_change_never_finds_more_than_was_put():
    class Counted(ChangingMover):
        seen = []

        def __setattr__(self, name, value):
            super().__setattr__(name, value)
            if "_before" in vars(self):
                self.seen.append((self.elements, self.certain))

    source = Source()
    mover = Counted(source.single())
    mover._inner.move()
    mover.leave()
    mover.go_on(source.single)
    assert mover.seen[-1] == (1, 1)
    assert max(mover.seen) == (1, 1)
