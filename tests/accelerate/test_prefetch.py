"""Chunks computed ahead keep order and errors, and their workers end with the runner."""

import itertools
import threading
import types

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue.accelerate import Strategy, chunks, helper_threads, replay
from tfqueue.accelerate.chunk_size import ChunkSize
from tfqueue.accelerate.chunks import FailedChunk, PrefetchMover


@pytest.fixture
def numbers(tmp_path):
    """A CSV file that counts, with what stands in the lines given in place of the count."""

    def write(count, bad=()):
        path = tmp_path / f"{count}.csv"
        path.write_text("".join(f"{'oops' if i in bad else i}\n" for i in range(count)))
        return str(path)

    return write


def in_order(path, epochs=1, threads=1, capacity=64):
    names = tf.train.string_input_producer([path], num_epochs=epochs, shuffle=False)
    _, line = tf.TextLineReader().read(names)
    return tf.train.batch(
        [tf.string_to_number(line, tf.int32)], 1, num_threads=threads, capacity=capacity
    )


def workers():
    return [thread for thread in threading.enumerate() if "-prefetch-" in thread.name]


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    """Wherever the tests run, there are workers."""
    monkeypatch.setattr(helper_threads, "cores", lambda: 2)


class Numbers:
    """Stands in for the steps of chunks of two: chunks 0 to 5, of which 3 fails, then the end."""

    def __init__(self):
        self.begun, self.finished, self.replaying = 0, [], threading.Lock()
        self.replay, self.failing, self.helpers = self, chunks.Failing(), 2

    def begin(self, most):
        number, self.begun = self.begun, self.begun + 1
        if number == 6:
            raise tf.errors.OutOfRangeError(None, None, "the end")
        if number == 3:
            raise FailedChunk([[number] * most], ValueError("three"))
        return number, most

    def prepare(self, key):
        pass

    def finish(self, key, count):
        self.finished.append(key)

    def put(self, columns, mover):
        self.finished.append("three, one by one")
        mover.elements += len(columns[0])


def test_the_order_is_that_of_reading():
    """An error waits for its turn, and so does the end."""
    steps, failed = Numbers(), []
    mover = PrefetchMover(steps, ChunkSize(2, 2), failed.append)
    with pytest.raises(tf.errors.OutOfRangeError):
        while True:
            assert mover.move() == 2
    mover.close()
    assert steps.finished == [0, 1, 2, "three, one by one", 4, 5]
    assert [str(error) for error in failed] == ["three"]
    assert steps.begun == 7
    assert workers() == []


def test_what_is_ready_is_put_while_a_worker_waits_for_what_comes_after_it():
    steps, begins, put = Numbers(), threading.Event(), threading.Event()

    def begin(most, original=steps.begin):
        if steps.begun == 2:
            begins.set()
            assert put.wait(60)  # it comes once the program has had what is ready
        return original(most)

    def finish(key, count, original=steps.finish):
        original(key, count)
        if key == 1:
            put.set()

    steps.begin, steps.finish, steps.helpers = begin, finish, 1
    mover = PrefetchMover(steps, ChunkSize(2, 2), lambda error: None)
    mover.move()
    assert begins.wait(60)
    mover.finish()
    mover.close()
    assert steps.finished == [0, 1, 2]
    assert put.is_set()
    assert workers() == []


def test_a_chunk_that_is_ready_early_waits_for_those_in_front():
    """Two are computed at a time: the first is ready once the runner has seen the second to be."""
    steps, seen = Numbers(), threading.Event()
    steps.prepare = lambda key: key == 0 and seen.wait()
    mover = PrefetchMover(steps, ChunkSize(2, 2), lambda error: None)
    wait_for = mover._changed.wait_for

    def watching(ready):
        def look():
            found = ready()
            if threading.current_thread() is threading.main_thread() and 1 in mover._chunks:
                seen.set()
            return found

        return wait_for(look)

    mover._changed.wait_for = watching
    try:
        for _ in range(3):
            mover.move()
    finally:
        seen.set()
        mover.close()
    assert steps.finished == [0, 1, 2]
    assert workers() == []


def test_one_reads_at_a_time_and_all_have_ended_when_it_stops():
    steps, held, joined = Numbers(), [], []
    begin = steps.begin
    steps.begin = lambda most: held.append(mover._reading.locked()) or begin(most)
    mover = PrefetchMover(steps, ChunkSize(2, 2), lambda error: None)
    mover.move()
    helpers = list(mover._helpers)
    for helper in helpers:
        helper.join = lambda join=helper.join, helper=helper: joined.append(helper) or join()
    mover.close()
    assert all(held)
    assert joined == helpers
    assert len(helpers) == 2


def test_no_thread_fails_while_another_replays():
    """A failure closes the queue, into which the records of a chunk are still being put."""
    steps, told = Numbers(), []
    steps.begun = 3
    steps.put = lambda columns, mover: told.append(steps.replaying.locked())
    mover = chunks.ChunkMover(steps, ChunkSize(2, 2), lambda error: None)
    mover.move()
    assert told == [True]

    class Lock:
        def __enter__(self):
            told.append("waits")

        def __exit__(self, kind, error, traceback):
            told.append(kind)

    steps.replaying, steps.begun = Lock(), 6
    with pytest.raises(tf.errors.OutOfRangeError):
        mover.move()
    assert told == [True, "waits", tf.errors.OutOfRangeError]


@pytest.mark.parametrize("error", [FailedChunk([[1, 1]], ValueError()), tf.errors.CancelledError])
def test_what_fails_in_the_making_is_met_in_its_turn(error):
    steps = Numbers()

    def prepare(key):
        if key == 1:
            raise error if isinstance(error, Exception) else error(None, None, "cancelled")

    steps.prepare = prepare
    mover = PrefetchMover(steps, ChunkSize(2, 2), lambda error: None)
    mover.move()
    if isinstance(error, Exception):
        mover.move()
        mover.move()
        assert steps.finished == [0, "three, one by one", 2]
    else:
        with pytest.raises(tf.errors.CancelledError):
            mover.move()
    mover.close()
    assert workers() == []


def test_nothing_is_read_behind_damage():
    """The runner ends with it, and what is behind it would be waited for in vain."""
    steps, damage = Numbers(), tf.errors.DataLossError(None, None, "damaged")

    def begin(most):
        number, steps.begun = steps.begun, steps.begun + 1
        raise FailedChunk([[number] * most], damage, after=damage)

    steps.begin = begin
    mover = PrefetchMover(steps, ChunkSize(2, 2), lambda error: None)
    with pytest.raises(tf.errors.DataLossError):
        mover.move()
    mover.close()
    assert steps.begun == 1
    assert workers() == []


def test_what_is_read_is_put_by_finish():
    steps = Numbers()
    mover = PrefetchMover(steps, ChunkSize(2, 2), lambda error: None)
    mover.move()
    mover.finish()
    assert mover.elements == 2 * len(steps.finished) == 2 * min(steps.begun, 6)
    mover.close()
    assert workers() == []


def test_what_is_read_is_dropped_by_close():
    steps = Numbers()
    mover = PrefetchMover(steps, ChunkSize(2, 2), lambda error: None)
    mover.move()
    mover.close()
    assert steps.finished == [0]
    assert workers() == []


@pytest.mark.parametrize(("threads", "expected"), [(1, True), (2, False)])
def test_who_gets_workers(threads, expected, numbers):
    """A runner with several threads computes side by side anyway."""
    batch = in_order(numbers(9), epochs=None, threads=threads)
    with tfqueue.managed_session(chunks=8) as sess:
        for _ in range(100):
            sess.run(batch)
        assert bool(workers()) is expected
    assert workers() == []


def test_a_queue_is_a_source_for_one_worker():
    ids = tf.train.range_input_producer(9, shuffle=False)
    batch = tf.train.batch([ids.dequeue()], 1)
    with tfqueue.managed_session(chunks=4) as sess:
        assert [sess.run(batch)[0] for _ in range(60)] == [i % 9 for i in range(60)]
        assert len(workers()) == 1
        ((strategy, _),) = list(accelerate.reports_of(tf.get_default_graph()).values())[-1].values()
        assert strategy == Strategy.CHUNK


@pytest.mark.parametrize("bad", [40, 43, 47, 48])
def test_all_in_front_of_a_bad_record_is_delivered(bad, numbers):
    """The workers are chunks ahead of it by then."""
    batch = in_order(numbers(90, bad=[bad]))
    got = []
    with (
        pytest.raises(tf.errors.InvalidArgumentError, match="oops"),
        tfqueue.managed_session(chunks=8) as sess,
    ):
        while True:
            got.append(sess.run(batch)[0])
    assert got == list(range(bad))
    assert workers() == []


def test_the_end_comes_after_everything(numbers):
    batch = in_order(numbers(100), epochs=3)
    with tfqueue.managed_session(chunks=8) as sess:
        assert [batch[0] for batch in sess.batches(batch)] == 3 * list(range(100))


def test_a_full_queue_holds_the_workers(numbers):
    """They read no more than a few chunks ahead of what the queue takes."""
    path = numbers(2000)
    names = tf.train.string_input_producer([path], shuffle=False)
    reader = tf.TextLineReader()
    _, line = reader.read(names)
    batch = tf.train.batch([line], 1, capacity=16)
    produced = reader.num_records_produced()
    with tfqueue.managed_session(chunks=8) as sess:
        for step in range(1, 120):
            sess.run(batch)
            # In the queue, in the hand of the runner, and with two workers one more each way.
            assert sess.run(produced) <= step + 16 + 8 * 5


def test_giving_up_chunks_loses_none_of_those_ahead(numbers, tmp_path):
    """Twice a chunk cannot be computed at once: it goes on one by one, where it was."""
    path = tmp_path / "ragged.csv"
    lines = ["1" if i < 60 else "1" * (i % 3 + 1) for i in range(150)]
    path.write_text("".join(f"{line}\n" for line in lines))
    names = tf.train.string_input_producer([str(path)], num_epochs=1, shuffle=False)
    _, line = tf.TextLineReader().read(names)
    total = tf.reduce_sum(tf.cast(tf.decode_raw(line, tf.uint8), tf.int32))
    batch = tf.train.batch([line, total], 1, capacity=20)
    with tfqueue.managed_session(chunks=8) as sess:
        got = [line[0].decode() for line, _ in sess.batches(batch)]
    assert got == lines
    ((strategy, text),) = list(accelerate.reports_of(tf.get_default_graph()).values())[-1].values()
    assert strategy == Strategy.SINGLE, text


@pytest.mark.parametrize("bad", [(), (45,)])
def test_the_session_keeps_nothing_of_what_was_put(bad, numbers):
    """Records and examples that wait in the session for their turn are let go of with the chunk."""
    batch = in_order(numbers(60, bad))
    with tfqueue.managed_session(chunks=8) as sess:
        found = []
        with pytest.raises((tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError)):
            while True:
                found += sess.run(batch).tolist()
        assert found == list(range(bad[0] if bad else 60))
        puts = [op for op in sess.graph.get_operations() if op.type == "MapStage"]
        places = {op.get_attr("shared_name"): op.get_attr("dtypes") for op in puts}
        sizes = [
            tf.raw_ops.MapSize(dtypes=dtypes, shared_name=name) for name, dtypes in places.items()
        ]
        left = sess.run(sizes)
        sess.coord.clear_stop()  # the failure was met above
    assert len(left) == 2
    # Behind the bad record two chunks may have been read, which nobody will put.
    assert all(size <= (2 if bad else 0) for size in left)


def test_a_reader_counts_as_read_elsewhere_until_that_is_noted(tmp_path, monkeypatch):
    """Else a sibling takes where it stood for where the reader stands: to chunks, and back."""
    noted, moved_elsewhere = [], replay.Position.moved_elsewhere

    def noting(position):
        noted.append(position._others_read())
        moved_elsewhere(position)

    monkeypatch.setattr(replay.Position, "moved_elsewhere", noting)
    path = str(tmp_path / "ragged.tfrecord")
    records = [b"1" if i < 60 else b"1" * (i % 3 + 1) for i in range(150)]
    with tf.python_io.TFRecordWriter(path) as writer:
        for record in records:
            writer.write(record)
    names = tf.train.string_input_producer([path], num_epochs=1, shuffle=False)
    _, record = tf.TFRecordReader().read(names)
    total = tf.reduce_sum(tf.cast(tf.decode_raw(record, tf.uint8), tf.int32))
    batch = tf.train.batch([record, total], 1, capacity=20)
    with tfqueue.managed_session(chunks=8) as sess:
        assert [record[0] for record, _ in sess.batches(batch)] == records
    assert noted == [True, True]


def test_a_chunk_takes_as_long_as_the_longer_of_its_steps(numbers, monkeypatch):
    """Of a clock that goes a second at each look."""
    looks, took = itertools.count(1000), []
    monkeypatch.setattr(
        chunks, "time", types.SimpleNamespace(perf_counter=lambda: float(next(looks)))
    )
    monkeypatch.setattr(ChunkSize, "took", lambda size, *row: took.append(row))
    monkeypatch.setattr(helper_threads, "cores", lambda: 2)
    batch = in_order(numbers(64))
    with tfqueue.managed_session(chunks=8) as sess:
        assert [sess.run(batch)[0] for _ in range(64)] == [*range(64)]
    assert took
    assert all(asked == 8 and 1 <= seconds < 1000 for _, asked, seconds in took)
