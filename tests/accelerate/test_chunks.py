"""A chunk that fails is put one by one, and what the other threads have read stands behind it."""

import threading

import pytest

import tfqueue.v1 as tf
from tfqueue.accelerate.chunk_size import ChunkSize
from tfqueue.accelerate.chunks import ChunkMover, FailedChunk, Failing


class Waited(Failing):
    """Tells when it is waited for."""

    def __init__(self):
        super().__init__()
        self.asked = threading.Event()

    def wait(self):
        with self._changed:
            self.asked.set()
            return super().wait()


class Steps:
    """`ChunkSteps` that notes what is begun."""

    def __init__(self):
        self.failing, self.begun = Waited(), []

    def begin(self, size):
        self.begun.append(threading.get_ident())
        self.failing.asked.set()
        raise FailedChunk([[1]], ValueError("one"))


def test_no_chunk_is_begun_while_another_is_replayed():
    steps, moved = Steps(), []
    mover = ChunkMover(steps, ChunkSize(4, 4), lambda error: None)
    steps.failing.add()
    other = threading.Thread(target=lambda: moved.append(mover.move()))
    other.start()
    steps.failing.asked.wait()
    steps.failing.discard()
    other.join()
    assert (moved, steps.begun) == ([0], [])


def test_whose_chunk_failed_is_forgotten_when_it_is_replayed():
    steps = Steps()
    steps.replaying, steps.replay = threading.Lock(), steps
    steps.put = lambda columns, mover: mover.count(len(columns[0]))
    steps.failing.add()  # as the step does that fails
    steps.failing.wait = lambda: False
    assert ChunkMover(steps, ChunkSize(4, 4), lambda error: None).move() == 1
    assert not Failing.wait(steps.failing)


def test_the_error_comes_soon_behind_what_was_read_before_it(tmp_path, monkeypatch):
    """Not behind a chunk of each other thread for each record that is put: all of this file."""
    threads, chunk, capacity = 4, 512, 30
    bad = 16 + 4 * chunk + 480  # far back in a chunk; the first 16 are the tuner's sample
    monkeypatch.setenv("TFQUEUE_CHUNKS", str(chunk))
    path = tmp_path / "numbers.txt"
    path.write_text("\n".join("x" if n == bad else str(n) for n in range(40_000)))
    names = tf.train.string_input_producer([str(path)], num_epochs=1)
    _, line = tf.TextLineReader().read(names)
    number = tf.string_to_number(line, tf.int32)
    batch = tf.train.batch([number], 10, num_threads=threads, capacity=capacity)
    taken = 0
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
    # A chunk of each may be on its way into the queue, and some be begun before the failure is seen.
    assert bad - chunk <= taken <= bad + 12 * chunk
