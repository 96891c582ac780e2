"""A stop ends the reading: what is in a queue is delivered, in order, each element once."""

from __future__ import annotations

import contextlib
import gc
import signal
import threading

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue._tensorflow import op_building
from tfqueue.session.owner import Owner

CAPACITY = 30
STEPS = 70  # more than it takes the accelerator to set in
MOST_CHUNKS = 4  # that a thread may have read and not put: in its hand, and read ahead
QUEUES = {
    "FIFOQueue": lambda: tf.FIFOQueue(CAPACITY, tf.int32, [[]]),
    "RandomShuffleQueue": lambda: tf.RandomShuffleQueue(CAPACITY, 5, tf.int32, [[]]),
    "PaddingFIFOQueue": lambda: tf.PaddingFIFOQueue(CAPACITY, [tf.int32], [[]]),
    "PriorityQueue": lambda: tf.PriorityQueue(CAPACITY, tf.int32, [[]]),
}


class Bug(Exception):
    """What goes wrong in the body of a loop."""


class Pipeline:
    """Numbers from a file, one after the other for ever, into a queue that is full most of the time."""

    def __init__(self, kind, threads, path):
        names = tf.train.string_input_producer([path], shuffle=False)
        reader = tf.TFRecordReader()
        number = tf.string_to_number(reader.read(names)[1], tf.int32)
        queue = QUEUES[kind]()
        prioritised = kind == "PriorityQueue"
        put = queue.enqueue([tf.cast(number, tf.int64), number] if prioritised else number)
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put] * threads))
        self.take = queue.dequeue()[1] if prioritised else queue.dequeue()
        self.size, self.produced = queue.size(), reader.num_records_produced()
        self.got = []

    def account(self, sess):
        """Takes what is in the queue; what was read and is in no queue by then is dropped."""
        self.read, expected = int(sess.run(self.produced)), len(self.got) + int(sess.run(self.size))
        with contextlib.suppress(tf.errors.OutOfRangeError):
            while True:
                self.got.append(int(sess.run(self.take)))
        assert len(self.got) == expected
        assert sess.run(self.produced) == self.read  # and nothing is read any more


def loop(sess, pipelines):
    """The body of a training loop, up to where it stops."""
    for _ in range(STEPS):
        for pipeline in pipelines:
            pipeline.got.append(int(sess.run(pipeline.take)))


def request_stop(sess, pipelines, coord, threads):
    loop(sess, pipelines)
    coord.request_stop()
    coord.join(threads)


def exception_in_the_body(sess, pipelines, coord, threads):
    with pytest.raises(Bug):
        try:
            loop(sess, pipelines)
            raise Bug
        finally:
            coord.request_stop()
            coord.join(threads)


def join_without_request_stop(sess, pipelines, coord, threads):
    with pytest.raises(Bug):
        try:
            loop(sess, pipelines)
            raise Bug
        finally:
            coord.join(threads)


def interrupt(sess, pipelines, coord, threads):
    with pytest.raises(KeyboardInterrupt):
        try:
            loop(sess, pipelines)
            signal.raise_signal(signal.SIGINT)
        finally:
            coord.request_stop()
            coord.join(threads)


def a_thread_of_ones_own_fails(sess, pipelines, coord, threads):
    def fail():
        with coord.stop_on_exception():
            raise Bug

    loop(sess, pipelines)
    thread = threading.Thread(target=fail)
    thread.start()
    with pytest.raises(Bug):
        coord.join([*threads, thread])


WAYS = (
    *(request_stop, exception_in_the_body, join_without_request_stop),
    *(interrupt, a_thread_of_ones_own_fails),
)


@pytest.fixture
def numbers(records):
    return records([b"%06d" % number for number in range(10_000)])


@pytest.mark.parametrize("chunks", ["0", "7"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", QUEUES)
def test_what_is_in_a_queue_is_delivered(kind, way, chunks, numbers, monkeypatch):
    """Of two pipelines in one session: one has a thread, the other three."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
    one, three = pipelines = [Pipeline(kind, 1, numbers), Pipeline(kind, 3, numbers)]
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        way(sess, pipelines, coord, tf.train.start_queue_runners(sess, coord))
        for pipeline in pipelines:
            pipeline.account(sess)
    assert len(set(three.got)) == len(three.got)
    if kind == "RandomShuffleQueue":
        one.got.sort()
    assert one.got == list(range(len(one.got)))
    size = max(1, int(chunks))
    assert 0 <= one.read - len(one.got) <= MOST_CHUNKS * size
    assert 0 <= three.read - len(three.got) <= 3 * MOST_CHUNKS * size


@pytest.mark.parametrize("chunks", [0, 7, True])
def test_what_is_in_a_queue_is_delivered_in_a_managed_session(chunks, numbers):
    pipeline = Pipeline("FIFOQueue", 1, numbers)
    with tfqueue.managed_session(chunks=chunks) as sess:
        for number in sess.batches(pipeline.take):
            pipeline.got.append(int(number))
            if len(pipeline.got) == STEPS:
                break
        sess.coord.request_stop()
        sess.coord.join()
        pipeline.account(sess)
    assert pipeline.got == list(range(len(pipeline.got)))


def test_nothing_is_doubled_between_two_queues(numbers, monkeypatch):
    """A runner that takes from one queue what it puts into the next."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "0")
    names = tf.train.string_input_producer([numbers], shuffle=False)
    reader = tf.TFRecordReader()
    number = tf.string_to_number(reader.read(names)[1], tf.int32)
    first, second = (tf.FIFOQueue(4, tf.int32, [[]]) for _ in range(2))
    tf.train.add_queue_runner(tf.train.QueueRunner(first, [first.enqueue(number)] * 2))
    tf.train.add_queue_runner(tf.train.QueueRunner(second, [second.enqueue(first.dequeue())] * 2))
    takes, produced = [second.dequeue(), first.dequeue()], reader.num_records_produced()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        found = [int(sess.run(takes[0])) for _ in range(20)]
        coord.request_stop()
        coord.join(threads)
        for take in takes:
            with contextlib.suppress(tf.errors.OutOfRangeError):
                while True:
                    found.append(int(sess.run(take)))
        assert len(set(found)) == len(found)
        assert max(found) < sess.run(produced) <= len(found) + 4  # one in the hand of each thread


def test_what_is_read_ahead_of_a_full_queue_is_bounded(numbers):
    """A program that is slower than its reader is not harmed."""
    for chunks in (0, 7, True):
        with tf.Graph().as_default():
            pipeline = Pipeline("FIFOQueue", 1, numbers)
            with tfqueue.managed_session(chunks=chunks) as sess:
                for _ in range(3):
                    pipeline.got.append(int(sess.run(pipeline.take)))
                    while sess.run(pipeline.size) < CAPACITY:
                        pass
                read = sess.run(pipeline.produced)
                assert CAPACITY + 3 <= read <= CAPACITY + 3 + MOST_CHUNKS * max(1, int(chunks or 0))


def test_more_are_taken_at_once_than_there_is_room_for(numbers, monkeypatch):
    """The queue is emptied by the very step that waits for it to be filled (`batch_above_capacity`)."""
    for chunks in ("0", "7", "auto"):
        monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
        with tf.Graph().as_default():
            names = tf.train.string_input_producer([numbers], num_epochs=1, shuffle=False)
            record = tf.TFRecordReader().read(names)[1]
            batch = tf.train.batch([record], 1000, capacity=8)
            with tfqueue.managed_session() as sess:
                assert sum(len(found) for found in sess.batches(batch)) == 10_000


def test_a_thread_of_ours_is_never_the_last_to_hold_a_session(monkeypatch):
    """It would end the session, and so itself, while it builds a step on it."""
    inside, let_go, ended_in, ours = threading.Event(), threading.Event(), [], None

    def graft(*arguments, original=op_building.graft):
        inside.set()
        assert let_go.wait(60)
        return original(*arguments)

    def shut_down(owner, close, original=Owner.shut_down):
        if owner is ours:  # and not that of a test before, which is collected now
            ended_in.append(threading.current_thread())
            let_go.set()
        original(owner, close)

    monkeypatch.setattr(op_building, "graft", graft)
    monkeypatch.setattr(Owner, "shut_down", shut_down)
    monkeypatch.setenv("TFQUEUE_CHUNKS", "4")
    tf.train.batch([tf.train.range_input_producer(9).dequeue()], 2)
    sess = tf.Session()
    ours = sess._owner
    threads = tf.train.start_queue_runners(sess)
    assert inside.wait(60)  # a runner's thread, or its helper, builds a chunk's step
    del sess
    assert set(ended_in) == {threading.current_thread()}
    let_go.set()
    for thread in threads:
        thread.join(60)


def test_a_forgotten_session_may_be_collected_in_a_thread_of_its_own(monkeypatch):
    """Which then has a lock that its siblings want as they end."""
    forgotten, collected = threading.Event(), []

    def move(*arguments, original=accelerate.StepMover.move, **named):
        if forgotten.is_set() and not collected:
            collected.append(threading.current_thread())
            gc.collect()
        return original(*arguments, **named)

    monkeypatch.setattr(accelerate.StepMover, "move", move)
    monkeypatch.setenv("TFQUEUE_CHUNKS", "0")
    queue = tf.FIFOQueue(-1, tf.int32, [[]])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(1)] * 2)
    sess = tf.Session()
    sess.itself = sess
    threads = runner.create_threads(sess, start=True)
    gc.disable()
    try:
        del sess
        forgotten.set()
        for thread in threads:
            thread.join(60)
    finally:
        gc.enable()
    assert len(collected) == 1
    assert collected[0] in threads


def test_a_helper_of_a_runner_ends_no_session_either(monkeypatch):
    """The runner's own thread waits for it, and the session's end for the runner's thread."""
    ended, ended_in, ours = threading.Event(), [], None

    def shut_down(owner, close, original=Owner.shut_down):
        original(owner, close)
        if owner is ours:
            ended_in.append(threading.current_thread().name)
            ended.set()

    monkeypatch.setattr(Owner, "shut_down", shut_down)
    sess = tf.Session()
    ours = sess._owner
    sess.itself = sess
    helper = threading.Thread(target=gc.collect, name="QueueRunnerThread-batch-prefetch-0")
    gc.disable()  # the helper is to be who collects it
    try:
        del sess
        helper.start()
        helper.join()
    finally:
        gc.enable()
    assert ended.wait(60)
    assert set(ended_in) == {"tfqueue-delete"}  # TensorFlow closes what it deletes once more


# -- started again ------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["another coordinator", "stop taken back"])
def test_runners_that_are_started_again_after_a_stop_say_that_the_queues_are_closed(how):
    number = tf.train.range_input_producer(5, shuffle=False).dequeue()
    take = tf.train.batch([number], 1, capacity=8)
    got = []
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        got += sess.run(take).tolist()
        coord.request_stop()
        coord.join(threads)
        inside = int(sess.run("batch/fifo_queue_Size:0"))
        if how == "stop taken back":
            coord.clear_stop()
        else:
            coord = tf.train.Coordinator()
        tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.CancelledError, match="closed by the stop") as caught:
            while True:
                got += sess.run(take).tolist()
    assert "new session" in str(caught.value)
    assert got == [place % 5 for place in range(1 + inside)]  # what was inside is delivered
