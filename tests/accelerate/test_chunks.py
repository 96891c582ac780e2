"""A chunk that fails is put one by one, and what the other threads have read stands behind it."""

import threading

import pytest

import tfqueue.v1 as tf
from tfqueue.accelerate.chunks import ChunkMover, ChunkSize


class Replaying:
    """A lock that another thread holds until it is waited for."""

    def __init__(self):
        self.waited_for = 0

    def locked(self):
        return True

    def __enter__(self):
        self.waited_for += 1

    def __exit__(self, *error):
        pass


class Steps:
    """`ChunkSteps` of which nothing must be begun."""

    def __init__(self):
        self.replaying = Replaying()

    def begin(self, size):
        raise AssertionError("a chunk was begun")


def test_no_chunk_is_begun_while_another_is_replayed():
    steps = Steps()
    assert ChunkMover(steps, ChunkSize(4, 4), lambda error: None).move() == 0
    assert steps.replaying.waited_for == 1


@pytest.mark.parametrize("threads", [2, 4])
def test_the_error_comes_soon_behind_what_was_read_before_it(threads, tmp_path, monkeypatch):
    """A step of the other threads may have been under way, and its chunk is put before."""
    chunk, capacity, bad = 64, 30, 2005
    monkeypatch.setenv("TFQUEUE_CHUNKS", str(chunk))
    path = tmp_path / "numbers.txt"
    path.write_text("\n".join("x" if n == bad else str(n) for n in range(40_000)))
    names = tf.train.string_input_producer([str(path)], num_epochs=1)
    _, line = tf.TextLineReader().read(names)
    number = tf.string_to_number(line, tf.int32)
    batch = tf.train.batch([number], 10, num_threads=threads, capacity=capacity)
    taken, before = 0, set(threading.enumerate())
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        started = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.InvalidArgumentError):
            while True:
                taken += len(sess.run(batch))
        coord.request_stop()
        with pytest.raises(tf.errors.InvalidArgumentError):
            coord.join(started)
    assert not set(threading.enumerate()) - before
    # One chunk of each may be on its way into the queue, and one more be begun meanwhile.
    assert bad - 10 <= taken <= bad + 2 * threads * chunk + capacity
