"""Examples that helpers read and compute, one after the other: what only that way of moving them has."""

import collections
import threading

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue.accelerate import Strategy, build, helper_threads, looped, tuner
from tfqueue.accelerate.chunks import ChunkSteps


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    """Whatever the machine is, there are helpers, and no example is too dear for them."""
    monkeypatch.setattr(helper_threads, "cores", lambda: 2)
    monkeypatch.setattr(tuner, "_LIGHT", float("inf"))


def read(records, values, epochs=1, reader=None):
    paths = [records(values, "values")]
    names = tf.train.string_input_producer(paths, num_epochs=epochs, shuffle=False)
    return (reader or tf.TFRecordReader()).read(names)


def ragged(value):
    """As many numbers as the text's length."""
    return tf.range(tf.size(tf.string_split([value], "").values))


def numbered(count):
    """Texts of 0 to 6 letters."""
    return [b"x" * (i % 7) for i in range(count)]


def how():
    """The strategy of the runner that reads, and the words for it."""
    (found,) = (
        told
        for ops in accelerate.reports_of(tf.get_default_graph()).values()
        for told in ops.values()
        if told[0] == Strategy.LOOP
    )
    return found


@pytest.mark.parametrize("capacity", [1, 5, 1000])
@pytest.mark.parametrize("setting", ["auto", 100])
def test_all_components_are_those_of_single_examples_in_their_order(setting, capacity, records):
    """Numbers, texts, truths, and those without a dimension, of queues that hold less than a step."""
    texts = numbered(500)
    with tf.Graph().as_default():
        _, value = read(records, texts)
        numbers = ragged(value)
        components = [
            value,
            numbers,
            tf.size(numbers),
            tf.equal(numbers, 2),
            tf.cast(numbers, tf.float64),
        ]
        queue = tf.FIFOQueue(capacity, [t.dtype for t in components])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(components)]))
        taken = queue.dequeue()
        with tfqueue.managed_session(chunks=setting) as sess:
            found = [*sess.batches(taken)]
        strategy, text = how()
    assert [row[0] for row in found] == texts
    assert [row[1].tolist() for row in found] == [[*range(len(text))] for text in texts]
    assert [row[2] for row in found] == [len(text) for text in texts]
    assert all(row[3].tolist() == [n == 2 for n in row[1]] for row in found)
    assert all((row[4].dtype, row[4].tolist()) == (np.float64, row[1].tolist()) for row in found)
    assert strategy == Strategy.LOOP
    assert text.startswith(f"up to {256 if setting == 'auto' else 100} examples a step, one after")


def test_the_shapes_of_a_priority_queue_say_nothing_of_the_priority(records):
    with tf.Graph().as_default():
        _, value = read(records, [b"%d" % (i % 10) for i in range(100)])
        priority = tf.string_to_number(value, tf.int64)
        # A scalar, which is not known before.
        length = tf.reshape(tf.size(ragged(value)), tf.zeros_like(ragged(tf.substr(value, 0, 0))))
        queue = tf.PriorityQueue(200, [tf.int32], [[]])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([priority, length])]))
        taken = queue.dequeue_many(50)
        with tfqueue.managed_session(chunks=50) as sess:
            rows = [pair for batch in sess.batches(taken) for pair in zip(*batch, strict=True)]
        assert how()[1].startswith("up to 50 examples")
    assert sorted(rows) == sorted((i % 10, 1) for i in range(100))


@pytest.mark.parametrize("wrong", [0, 40, 99])
def test_an_element_that_the_queue_does_not_take_fails_in_its_turn(wrong, records):
    """Its shape is found wrong before any of the step is put, so that none is put twice."""
    with tf.Graph().as_default():
        _, value = read(records, [b"xxxx" if i == wrong else b"xxx" for i in range(100)])
        queue = tf.FIFOQueue(200, [tf.int32], shapes=[[3]])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([ragged(value)])]))
        taken, found = queue.dequeue(), 0
        with (
            pytest.raises(tf.errors.InvalidArgumentError, match=r"\[3\].* \[4\]"),
            tfqueue.managed_session(chunks=100) as sess,
        ):
            for row in sess.batches(taken):
                assert row.tolist() == [0, 1, 2]
                found += 1
    assert found == wrong


def test_no_step_puts_more_than_the_stack_may_hold(records, monkeypatch):
    begun = collections.Counter()

    def run_on(self, step, feeds, original=ChunkSteps._run_on):
        begun[feeds.get(self.ops.first)] += 1
        original(self, step, feeds)

    monkeypatch.setattr(ChunkSteps, "_run_on", run_on)
    with tf.Graph().as_default():
        # A position in a file is known behind its first record only, which is read alone.
        _, value = read(records, numbered(151))
        batch = tf.train.batch([ragged(value)], 1, dynamic_pad=True)
        with tfqueue.managed_session(chunks=75) as sess:
            assert len([*sess.batches(batch)]) == 151
    # The first three are moved one by one, or more, before it has been built.
    assert begun[32] == begun[64] == 2
    assert set(begun) == {None, 0, 32, 64}


@pytest.mark.parametrize("bytes_each", [100, 100_000])
def test_large_examples_are_not_kept_in_advance(bytes_each, records):
    with tf.Graph().as_default():
        _, value = read(records, [b"x" * bytes_each] * 40)
        batch = tf.train.batch([tf.decode_raw(value, tf.uint8)], 2, dynamic_pad=True)
        with tfqueue.managed_session(chunks=30) as sess:
            found = [part.shape for part in sess.batches(batch)]
        _, text = how()
    assert found == [(2, bytes_each)] * 20
    assert text.startswith("up to 30 examples" if bytes_each == 100 else "30 examples")


@pytest.mark.parametrize("compression", ["", "GZIP"])
def test_what_reads_one_record_at_a_time_is_not_read_in_advance(compression, tmp_path):
    kind = tf.python_io.TFRecordCompressionType
    options = tf.python_io.TFRecordOptions(kind.GZIP if compression else kind.NONE)
    path = str(tmp_path / "values")
    with tf.python_io.TFRecordWriter(path, options) as writer:
        for text in numbered(40):
            writer.write(text)
    with tf.Graph().as_default():
        names = tf.train.string_input_producer([path], num_epochs=1)
        _, value = tf.TFRecordReader(options=options).read(names)
        batch = tf.train.batch([ragged(value)], 2, dynamic_pad=True)
        with tfqueue.managed_session(chunks=8) as sess:
            assert len([*sess.batches(batch)]) == 20
        assert how()[1].startswith("8 examples" if compression else "up to 8 examples")


def test_what_cannot_be_built_stays(records, monkeypatch):
    def refused(self, *args):
        raise build.CannotBuild("not today")

    monkeypatch.setattr(build.ChunkOps, "_build", refused)
    with tf.Graph().as_default():
        _, value = read(records, numbered(40))
        batch = tf.train.batch([ragged(value)], 2, dynamic_pad=True)
        with tfqueue.managed_session(chunks=8) as sess:
            assert len([*sess.batches(batch)]) == 20
        told = accelerate.reports_of(tf.get_default_graph())
    ((strategy, text),) = (row for ops in told.values() for row in ops.values() if "not" in row[1])
    assert strategy == Strategy.SINGLE
    assert text.endswith("; TensorFlow cannot loop over it: not today")


def test_a_stop_in_the_middle_of_a_step_ends_all_threads(records, monkeypatch):
    """The runner waits for room in a queue of three, its helpers for their turn."""
    monkeypatch.setattr(looped, "LoopMover", None)  # it is not made
    before = threading.active_count()
    with tf.Graph().as_default():
        _, value = read(records, numbered(400), epochs=None)
        queue = tf.FIFOQueue(3, [tf.int32])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([ragged(value)])]))
        taken = queue.dequeue()
        with tfqueue.managed_session(chunks=50) as sess:
            found = [len(sess.run(taken)) for _ in range(60)]
    assert found == [i % 7 for i in range(60)]
    assert threading.active_count() == before
