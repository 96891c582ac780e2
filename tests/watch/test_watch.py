"""The watch: what it counts is exact, what it says is so, and it leaves nothing behind."""

import dataclasses
import gc
import io
import os
import threading
import weakref

import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.watch.watched import STARVED, log_of, spent
from tfqueue import _tensorflow
from tfqueue.session import registry
from tfqueue.session.owner import Owner
from tfqueue.watch import terminal, watcher
from tfqueue.watch.bottleneck import bottleneck, is_full, state
from tfqueue.watch.counts import Level
from tfqueue.watch.log import Failure, Rates, Sample, SessionLog, rates, series
from tfqueue.watch.shares import Shares
from tfqueue.watch.watcher import Watch


@pytest.fixture
def watch():
    """A watch that looks only when it is told to."""
    watch = Watch(interval=3600)
    registry.add_observer(watch)
    yield watch
    registry.remove_observer(watch)


def level_of(watched, name):
    watched.look()
    return watched.log.recent[-1].levels[name]


# -- counting --------------------------------------------------------------------------------------


def test_puts_and_takes_by_hand_are_counted(watch):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]], name="q")
    put, many, got = queue.enqueue(1), queue.enqueue_many([[1, 2, 3]]), queue.dequeue_many(2)
    with tf.Session() as sess:
        sess.run(put)
        sess.run(many)
        [watched] = watch.sessions
        level = level_of(watched, "q")
        assert (level.size, level.put, level.taken) == (4, 4, None)
        sess.run(got)
        level = level_of(watched, "q")
        assert (level.size, level.put, level.taken, level.wanted) == (2, 4, 2, 0)


def test_a_run_to_the_end_is_counted_to_the_element(records):
    seen = io.StringIO()
    path = records([b"x"] * 1008)
    names = tf.train.string_input_producer([path], num_epochs=2)
    _, value = tf.TFRecordReader().read(names)
    batch = tf.train.shuffle_batch([value], 32, 200, 50)
    with tfqueue.watch(stream=seen), tfqueue.managed_session() as sess:
        count = sum(len(values) for values in sess.batches(batch))
    assert count == 2016
    said = seen.getvalue()
    assert "input_producer  2 in, 2 out" in said
    assert "shuffle_batch   2,016 in, 2,016 out" in said
    assert "first batch after" in said


@pytest.mark.parametrize(
    "case", ["shared", "conditional put"], ids=["shared_name", "an enqueue that may put none"]
)
def test_what_nobody_counts_is_left_out(watch, case):
    if case == "shared":
        queue = tf.FIFOQueue(10, tf.int32, shapes=[[]], shared_name="theirs", name="q")
        put = queue.enqueue(1)
    else:
        queue = tf.FIFOQueue(10, tf.int32, shapes=[[]], name="q")
        put = queue.enqueue_many([tf.placeholder_with_default([1, 2], [None])])
    with tf.Session() as sess:
        sess.run(put)
        level = level_of(watch.sessions[0], "q")
    assert level.size in (1, 2)
    assert level.put is None


def test_a_step_that_waits_is_seen(watch):
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]], name="q")
    other = tf.FIFOQueue(10, tf.int32, shapes=[[]], name="other")
    put, got, _ = queue.enqueue(1), queue.dequeue_many(3), other.enqueue(1)
    with tf.Session() as sess:
        sess.run(put)
        owner = Owner.of(sess)
        waiter = threading.Thread(target=sess.run, args=(got,))
        waiter.start()
        while not owner.steps.under_way:
            pass
        level = level_of(watch.sessions[0], "q")
        assert (level.wanted, level.taken) == (3, 0)
        assert level_of(watch.sessions[0], "other").wanted == 0
        assert state(watch.sessions[0].log, watch.sessions[0].log.places["q"]) in (
            "step waits for 3",
            "",  # it has not taken the one element yet
        )
        sess.run(put)
        sess.run(put)
        waiter.join()
        assert level_of(watch.sessions[0], "q").taken == 3


# -- rates -----------------------------------------------------------------------------------------


def samples(counts, every=0.5, **kept):
    """Samples of queue `q`: `(size, put)` each."""
    return [
        Sample(number * every, {"q": Level(size, put, put_grain=1, **kept)})
        for number, (size, put) in enumerate(counts)
    ]


def test_a_rate_is_exact():
    steady = samples([(10, 10 * number) for number in range(20)])
    assert rates(steady, "q") == Rates(20.0, 20.0)
    filling = samples([(6 * number, 10 * number) for number in range(20)])
    assert rates(filling, "q") == Rates(20.0, 8.0)


def test_a_counter_that_jumps_is_read_where_it_jumps():
    # 100 elements every four looks, of 0.5 s each
    jumps = samples([(0, 100 * (number // 4)) for number in range(23)])
    assert rates(jumps, "q") == Rates(50.0, 50.0)


def test_a_rate_goes_back_to_where_the_counter_moved():
    slow = samples([(0, 0)] * 4 + [(0, 10)] * 4 + [(0, 30)] * 2)
    assert rates(slow, "q", since=3.0) == Rates(10.0, 10.0)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([(0, 0)], None),
        ([(5, 5)] * 3, None),
        ([(0, 0)] + [(5, 5)] * 3, None),
        ([(5, 5)] * 30, Rates(0.0, 0.0)),
    ],
    ids=["one look", "too early to say", "one jump", "nothing moves"],
)
def test_where_a_rate_cannot_be_told_there_is_none(counts, expected):
    assert rates(samples(counts), "q") == expected


def test_a_quiet_queue():
    # A put of 50 that is under way may have put some: nothing is said.
    waiting = [Sample(n / 2, {"q": Level(32, 50, put_grain=50)}) for n in range(30)]
    assert rates(waiting, "q") is None
    # No step takes, and the queue fills up all the same: 2 elements every half second.
    filling = [Sample(n / 2, {"q": Level(2 * n, None, 8, taken_grain=8)}) for n in range(30)]
    assert rates(filling, "q") == Rates(4.0, 0.0)


def test_the_finer_counter_is_taken():
    by_steps = [
        Sample(n / 2, {"q": Level(20, 1000 * (n // 10), 8 * n, put_grain=1000, taken_grain=8)})
        for n in range(20)
    ]
    assert rates(by_steps, "q") == Rates(16.0, 16.0)


def test_a_long_run_is_kept_in_little_room():
    log = SessionLog(1, 0.0)
    for number in range(50_000):
        log.add(Sample(number / 4, {"q": Level(5, number, put_grain=1)}))
    assert len(log.history) <= 2400
    assert log.history[0].at == 0.0
    assert log.history[-1].at > 12_000
    _, put, taken = series(log, "q")
    assert {round(value, 3) for _, value in put + taken} == {4.0}


# -- what is said ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "kind", "words"),
    [
        (log_of(Level(98, 500, 400, 1, 10)), "step", "the training step holds it back: batch was"),
        (log_of(STARVED, shares=spent(8.0, Cast=2.0)), "reading", "TFRecordReader takes 80%"),
        (log_of(STARVED, shares=spent(1, DecodeJpeg=6, Cast=3)), "parsing", "DecodeJpeg takes 60%"),
        (log_of(STARVED), "reading", "reading and parsing holds it back: batch was empty 100%"),
        (log_of(STARVED, above=Level(0, 9, put_grain=1)), "parsing", "what fills names"),
        (log_of(STARVED, threads=0), "feeding", "whoever feeds batch by hand"),
        (log_of(Level(40, 500, 400, 1, 10)), "idle", "no step takes from batch just now"),
    ],
    ids=["step", "reading", "parsing", "not traced", "names", "by hand", "idle"],
)
def test_what_holds_it_back(log, kind, words):
    found = bottleneck(log)
    assert found.kind == kind
    assert words in found.sentence


def test_what_is_full():
    place = log_of(STARVED).places["batch/fifo_queue"]
    reserved = dataclasses.replace(place, reserve=50)
    unlimited = dataclasses.replace(place, capacity=-1)
    assert [is_full(place, Level(size, None)) for size in (74, 75)] == [False, True]
    assert [is_full(reserved, Level(size, None)) for size in (87, 88)] == [False, True]
    assert not is_full(unlimited, Level(1_000_000, None))
    assert not is_full(place, Level(None, None))


def test_how_it_fills_up_at_first_tells_nothing():
    log = log_of(STARVED)
    log.first_batch_at = log.recent[-1].at + 0.1
    for number in range(3):
        log.add(Sample(log.first_batch_at + number / 4, {"batch/fifo_queue": Level(98, 600, 400)}))
    assert bottleneck(log).kind == "step"


def test_a_queue_that_fills_up_at_first_is_said_to():
    log = log_of(Level(30, 30, 0, 1, 10, wanted=10))
    log.first_batch = log.first_batch_at = None
    place = log.places["batch/fifo_queue"]
    log.places["batch/fifo_queue"] = place.__class__(**{**vars(place), "reserve": 50})
    assert bottleneck(log).sentence == "batch fills up: 30 of the 60 that a first batch needs"


def test_who_waits_for_whom():
    log = log_of(STARVED, threads=2, above=Level(0, 9, put_grain=1))
    names, batch = log.places.values()
    assert state(log, batch) == "step waits for 10"
    assert state(log, names) == "batch waits"
    full = log_of(Level(100, 500, 400, 1, 10), threads=2)
    assert state(full, full.places["batch/fifo_queue"]) == "full: 2 threads wait"
    full.working["batch/fifo_queue"] = False
    assert state(full, full.places["batch/fifo_queue"]) == "all is read"
    full.errors.append(Failure("DataLossError", "corrupted", (), "batch/fifo_queue", 1.0))
    assert state(full, full.places["batch/fifo_queue"]) == "failed: DataLossError"
    assert bottleneck(full).sentence == "DataLossError: corrupted"


def test_every_traced_call_counts_alike():
    shares = Shares()
    for call in (spent(9.0, Cast=1.0), spent(0.1, Cast=0.9), spent(0.1, Cast=0.9)):
        shares.count(call)
    assert shares.reading / shares.work == pytest.approx(1.1 / 3)


def test_a_step_is_traced_once_and_its_ops_are_told_apart():
    names = tf.train.string_input_producer([__file__], num_epochs=1)
    _, line = tf.TextLineReader().read(names)
    batch = tf.train.batch([tf.reduce_sum(tf.decode_raw(line, tf.uint8))], 1)
    with tfqueue.managed_session(chunks=False) as sess:
        [run] = [run for run in Owner.of(sess).runs if run.queue_name == "batch/fifo_queue"]
        [step] = run.movers[0].steps()
        told, came = [], threading.Event()
        before = step._call
        step.trace_next(lambda answer: (told.append(answer), came.set()))
        for _ in sess.batches(batch):
            pass
        assert came.wait(60)
        assert step._call is before
    shares = Shares()
    shares.add(tf.RunMetadata.FromString(told[0]))
    assert shares.reading > 0
    assert shares.putting > 0
    assert "DecodeRaw" in shares.computing
    assert len(told) == 1


# -- what is left behind ---------------------------------------------------------------------------


def test_nothing_stays_behind():
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    put, got = queue.enqueue(1), queue.dequeue()
    heard = []
    with tfqueue.watch(live=False) as watching, tf.Session() as sess:
        watching._watch.first_batch = heard.append
        for _ in range(2):
            sess.run(put)
            sess.run(got)
    assert heard == [Owner.of(sess)], "one step is told of, and no other"
    assert not registry.remove_observer(watching._watch), "it is removed already"
    assert "tfqueue-watch" not in [thread.name for thread in threading.enumerate()]


def test_a_session_that_nobody_holds_goes():
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    put = queue.enqueue(1)
    with tfqueue.watch(live=False) as watching:
        sess = tf.Session()
        sess.run(put)
        gone = weakref.ref(sess)
        del sess
        gc.collect()
        # The watch may hold it for a moment, and then it ends in the watch's thread.
        watching._watch._wake.set()
        for _ in range(6000):
            if gone() is None:
                break
            watching._watch._thread.join(0.01)
        assert gone() is None


def test_a_watch_that_hangs_holds_up_nobody(monkeypatch):
    monkeypatch.setattr(watcher, "_WAIT_SECONDS", 0.2)

    class Stuck:
        free, reached = threading.Event(), threading.Event()

        def update(self, watch):
            self.reached.set()
            self.free.wait()

        def finish(self, watch):
            pass

    stuck = Stuck()
    watch = Watch([stuck], interval=0.01).start()
    assert stuck.reached.wait(60)
    sess = tf.Session()
    sess.close()
    watch.stop()
    stuck.free.set()


def test_a_watch_that_breaks_ends_no_program_and_says_so():
    class Broken:
        def update(self, watch):
            raise KeyError("of ours")

        def finish(self, watch):
            pass

    seen = io.StringIO()
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    put = queue.enqueue(1)
    watch = Watch([Broken(), terminal.Lines(seen)], interval=0.01).start()
    with tf.Session() as sess:
        watch._thread.join(60)
        sess.run(put)
    watch.stop()
    assert "the watch itself failed: KeyError: 'of ours'" in seen.getvalue()


def test_what_breaks_in_the_programs_thread_is_not_raised_there(watch, monkeypatch):
    def broken(self, owner):
        raise KeyError("of ours")

    monkeypatch.setattr("tfqueue.watch.watcher.WatchedSession.grew", broken)
    with tf.Session() as sess:
        assert sess.run(tf.constant(1)) == 1
    assert isinstance(watch.broken, KeyError)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork with threads, 3.12 on
def test_a_forked_child_reports_nothing(tmp_path):
    report = tmp_path / "r.html"
    with tfqueue.watch(live=False, report=str(report)) as watching:
        child = os.fork()
        if not child:
            watching._watch.stop()
            os._exit(report.exists())
        assert os.waitpid(child, 0)[1] == 0
    assert report.read_text()


def test_stderr_survives_two_threads_that_hold_it_back(capfd):
    inside, out = threading.Event(), threading.Event()

    def first():
        with _tensorflow.quiet_stderr():
            inside.set()
            out.wait()

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait()
    with _tensorflow.quiet_stderr():
        out.set()
        thread.join()
    os.write(2, b"still there\n")
    assert capfd.readouterr().err == "still there\n"
