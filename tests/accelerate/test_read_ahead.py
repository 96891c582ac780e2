"""Chunks computed ahead keep order and errors, and their workers end with the runner."""

import threading

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue.accelerate import read_ahead


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
    return [thread for thread in threading.enumerate() if "-ahead-" in thread.name]


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    """Wherever the tests run, there are workers."""
    monkeypatch.setattr(read_ahead.os, "sched_getaffinity", lambda _: {0, 1}, raising=False)


class Held:
    """Stands in for what computes a chunk: the first to come waits until the second is through."""

    def __init__(self):
        self.source, self.size, self.vector = self, 2, self
        self.left = [[np.array([k])] for k in range(6)]
        self.second = threading.Event()

    def take(self, _):
        if not self.left:
            raise tf.errors.OutOfRangeError(None, None, "the end")
        return self.left.pop(0)

    def compute(self, kept):
        if kept[0][0] == 0:
            assert self.second.wait(60)
        if kept[0][0] == 1:
            self.second.set()
        if kept[0][0] == 3:
            raise tf.errors.InvalidArgumentError(None, None, "three")


def test_the_order_is_that_of_reading_whoever_is_faster():
    """The second chunk is computed first; an error waits for its turn, and so does the end."""
    two = read_ahead.Ahead(Held(), 2)
    found = []
    while (chunk := two.next()) is not None and chunk.kept is not None:
        found.append((int(chunk.kept[0][0]), type(chunk.error)))
    two.end()
    none, failed = type(None), tf.errors.InvalidArgumentError
    assert found == [(0, none), (1, none), (2, none), (3, failed), (4, none), (5, none)]
    assert isinstance(chunk.error, tf.errors.OutOfRangeError)
    assert workers() == []


def test_what_is_read_is_given_after_a_stop():
    op = Held()
    op.second.set()
    two = read_ahead.Ahead(op, 2)
    first = two.next()
    two.stop()
    rest = []
    while (chunk := two.next()) is not None:
        rest.append(chunk)
    two.end()
    given = [first, *rest]
    assert [int(c.kept[0][0]) for c in given if c.kept] == list(range(6 - len(op.left)))
    assert len(op.left) > 0


@pytest.mark.parametrize(("threads", "expected"), [(1, True), (2, False)])
def test_who_gets_workers(threads, expected, numbers):
    """A runner with several threads computes side by side anyway."""
    batch = in_order(numbers(9), epochs=None, threads=threads)
    with tfqueue.managed_session(chunks=8) as sess:
        for _ in range(100):
            sess.run(batch)
        assert bool(workers()) is expected
    assert workers() == []


def test_a_queue_is_no_source_for_workers():
    ids = tf.train.range_input_producer(9, shuffle=False)
    batch = tf.train.batch([ids.dequeue()], 1)
    with tfqueue.managed_session(chunks=4) as sess:
        assert [sess.run(batch)[0] for _ in range(60)] == [i % 9 for i in range(60)]
        assert workers() == []
        ((way, _),) = list(accelerate.REPORTS[tf.get_default_graph()].values())[-1].values()
        assert way == "vector"


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
    ((way, text),) = list(accelerate.REPORTS[tf.get_default_graph()].values())[-1].values()
    assert way == "fed", text


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
