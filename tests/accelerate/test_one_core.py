"""Which steps of a runner the thread that runs them computes, and that none of these hangs."""

import threading

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import _tensorflow
from tfqueue.accelerate import mover, tuner

DEADLINE = tf.ConfigProto(operation_timeout_in_ms=60000)
TWO_THREADS = tf.ConfigProto(inter_op_parallelism_threads=2, use_per_session_threads=True)
"""So that an op can wait for another one of its step."""


@pytest.fixture
def inline(monkeypatch):
    """Dict from the name of each op that a runner runs as it is to whether its thread computes it."""
    told = {}

    class Step(_tensorflow.PreparedStep):
        def __init__(self, sess, targets, fetches=(), inline=False):
            targets = list(targets)
            told.update({op.name: inline for op in targets})
            super().__init__(sess, targets, fetches, inline)

    monkeypatch.setattr(mover._tensorflow, "PreparedStep", Step)
    return told


@pytest.fixture
def numbers(tmp_path):
    """A scalar tensor of the numbers 0 to 5 of a file, one after the other."""
    (tmp_path / "numbers.txt").write_text("".join(f"{number}\n" for number in range(6)))
    paths = [str(tmp_path / "numbers.txt")]
    names = tf.train.string_input_producer(paths, num_epochs=1, shuffle=False)
    return tf.string_to_number(tf.TextLineReader().read(names)[1], tf.float64)


def scaled(value):
    return value * 2


def drawn(value):
    return value * 2 + 0 * tf.random_uniform([], seed=1, dtype=tf.float64)


def looked_up(value):
    names = tf.constant(["0", "1", "2", "3", "4", "5"])
    table = tf.contrib.lookup.index_table_from_tensor(names)
    return tf.cast(table.lookup(tf.as_string(tf.cast(value, tf.int32))), tf.float64) * 2


def times_a_variable(value):
    return value * tf.get_variable("two", initializer=tf.constant(2.0, tf.float64))


def asserted(value):
    with tf.control_dependencies([tf.Assert(value >= 0, [value])]):
        return value * 2


def from_a_queue(value):
    queue = tf.FIFOQueue(4, tf.float64, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(value)]))
    return queue.dequeue() * 2


def by_python(value):
    doubled = tf.py_func(lambda number: number * 2, [value], tf.float64)
    doubled.set_shape([])
    return doubled


def counted(value):
    """The number times two, and a variable that counts how many there were: an op of any kind."""
    count = tf.get_variable("count", initializer=0, use_resource=True)
    with tf.control_dependencies([tf.assign_add(count, 1)]):
        return value * 2


@pytest.mark.parametrize(
    ("change", "cores", "config", "expected"),
    [
        (scaled, 1, None, True),
        (drawn, 1, None, True),
        (looked_up, 1, None, True),
        (times_a_variable, 1, None, True),
        (asserted, 1, None, True),
        (from_a_queue, 1, None, False),
        (by_python, 1, None, False),
        (counted, 1, None, False),
        (scaled, 1, DEADLINE, False),
        (scaled, 2, None, False),
    ],
    ids="scaled drawn looked_up variable asserted from_a_queue by_python counted deadline two_cores".split(),
)
def test_who_computes_a_step(change, cores, config, expected, numbers, monkeypatch, inline):
    monkeypatch.setattr(tuner, "cores", lambda: cores)
    batch = tf.train.batch([change(numbers)], 2, name="batch")
    with tfqueue.managed_session(config=config, chunks=False) as sess:
        found = [list(each) for each in sess.batches(batch)]
    assert found == [[0, 2], [4, 6], [8, 10]]
    assert inline["batch/fifo_queue_enqueue"] is expected


@pytest.mark.parametrize("stateful", [True, False])
def test_a_function_that_waits_for_another_one_of_its_step_gets_it(stateful, numbers, monkeypatch):
    monkeypatch.setattr(tuner, "cores", lambda: 1)
    other_was_here = threading.Event()

    def waits(number):
        assert other_was_here.wait(60)
        return number

    def lets_go(number):
        other_was_here.set()
        return number

    added = tf.add_n(
        [tf.py_func(each, [numbers], tf.float64, stateful) for each in (waits, lets_go)]
    )
    added.set_shape([])
    batch = tf.train.batch([added], 2)
    with tfqueue.managed_session(config=TWO_THREADS, chunks=False) as sess:
        assert [list(each) for each in sess.batches(batch)] == [[0, 2], [4, 6], [8, 10]]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_reader_of_files_gives_each_record_once(threads, tmp_path, monkeypatch, inline):
    monkeypatch.setattr(tuner, "cores", lambda: 1)
    for file in range(3):
        lines = "".join(f"{10 * file + line}\n" for line in range(10))
        (tmp_path / f"{file}.txt").write_text(lines)
    paths = [str(tmp_path / f"{file}.txt") for file in range(3)]
    names = tf.train.string_input_producer(paths, num_epochs=2, shuffle=False)
    value = tf.string_to_number(tf.TextLineReader().read(names)[1])
    batch = tf.train.batch([value], 5, num_threads=threads, name="batch")
    with tfqueue.managed_session(chunks=False) as sess:
        found = np.concatenate(list(sess.batches(batch)))
    assert inline["batch/fifo_queue_enqueue"]
    assert sorted(found) == sorted([*range(30)] * 2)
    if threads == 1:
        assert list(found) == [*range(30)] * 2
