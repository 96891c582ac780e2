"""Waits for room in a full queue: those that can never end are errors, and no others are."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.explain import diagnosis
from tfqueue.session import backpressure, other_threads, runner, starvation, step
from tfqueue.session.owner import Owner

NO_ROOM = "there is no room in {kind} '{name}', which holds {holds}, and nothing is left"


@pytest.fixture
def warned(monkeypatch):
    """What was warned of, after a tenth of a second instead of five."""
    said = []
    monkeypatch.setattr(starvation, "_WARN_AFTER", 0.1)
    monkeypatch.setattr(diagnosis, "warn", lambda text, category: said.append((category, text)))
    return said


@pytest.fixture
def run_beside():
    """Runs a function in a thread, which is joined at the end; what it raised is raised then."""
    threads, met = [], []

    def start(function):
        def body():
            try:
                function()
            except BaseException as error:  # noqa: BLE001
                met.append(error)

        threads.append(threading.Thread(target=body))
        threads[-1].start()
        return threads[-1], met

    yield start
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


QUEUES = {
    "FIFOQueue": lambda: tf.FIFOQueue(2, tf.int32, [[]]),
    "PaddingFIFOQueue": lambda: tf.PaddingFIFOQueue(2, tf.int32, [[None]]),
    "RandomShuffleQueue": lambda: tf.RandomShuffleQueue(2, 1, tf.int32, [[]]),
    "PriorityQueue": lambda: tf.PriorityQueue(2, tf.int32, [[]]),
}


@pytest.mark.parametrize("many", [False, True], ids=["enqueue", "enqueue_many"])
@pytest.mark.parametrize("kind", QUEUES)
def test_a_full_queue_that_nobody_empties(kind, many):
    queue = QUEUES[kind]()
    element = {
        "PaddingFIFOQueue": (np.int32([7]),),
        "PriorityQueue": (np.int64(1), np.int32(7)),
    }.get(kind, (np.int32(7),))
    if many:
        put = queue.enqueue_many([np.stack([part] * 3) for part in element])
    else:
        put = queue.enqueue(element)
    take, size = queue.dequeue(), queue.size()
    with tf.Session() as sess:
        with pytest.raises(errors.StarvationError) as caught:
            for _ in range(3):
                sess.run(put)
        text = str(caught.value)
        assert text.startswith(
            NO_ROOM.format(kind=kind, name=queue.queue_ref.op.name, holds="2 elements")
        )
        assert text.endswith("or give it a larger capacity")
        assert sess.run(size) == 2
        # What was put in can be taken, and then the failure is met, not the end of the data.
        sess.run([take])
        sess.run([take])
        with pytest.raises(errors.StarvationError):
            sess.run(take)


def test_a_full_queue_whose_runner_was_not_started():
    queue = tf.FIFOQueue(2, tf.int32, [[]], name="mine")
    put = queue.enqueue(1)
    tf.train.batch([queue.dequeue()], 1)
    with tf.Session() as sess, pytest.raises(errors.StarvationError) as caught:
        for _ in range(3):
            sess.run(put)
    assert "QueueRunner 'batch/fifo_queue' takes from it and was not started" in str(caught.value)


def test_two_threads_that_wait_for_one_another(run_beside):
    """One for room and the other for an element."""
    full = tf.FIFOQueue(1, tf.int32, [[]], name="full")
    empty = tf.FIFOQueue(1, tf.int32, [[]], name="empty")
    put_full, put_empty, take = full.enqueue(1), empty.enqueue(1), empty.dequeue()
    with tf.Session() as sess:

        def feed():
            sess.run(put_full)
            sess.run(put_full)
            sess.run(put_empty)

        sess.run(put_empty)
        sess.run(take)
        thread, met = run_beside(feed)
        with pytest.raises(errors.StarvationError, match="FIFOQueue 'empty' can get no more"):
            sess.run(take)
        thread.join(60)
    assert [type(error) for error in met] == [errors.StarvationError]
    assert "no room in FIFOQueue 'full'" in str(met[0])


def test_a_thread_that_may_take_is_waited_for_and_named(run_beside, looks, warned):
    queue = tf.FIFOQueue(1, tf.int32, [[]], name="mine")
    number = tf.placeholder(tf.int32, [])
    put, take = queue.enqueue(number), queue.dequeue()
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        taken = []

        def consume():
            assert looks.wait(60)
            taken.append(sess.run(take))

        thread, met = run_beside(consume)
        sess.run(put, {number: 2})
        thread.join()
        assert (taken, met) == ([1], [])
        assert sess.run(take) == 2
    assert [category for category, _ in warned] == [errors.WaitingWarning]
    assert "still waiting for room in FIFOQueue 'mine', which holds 1 element" in warned[0][1]
    assert thread.name in warned[0][1]


def test_a_slow_consumer_is_not_spoken_of(run_beside, looks, warned):
    queue = tf.FIFOQueue(1, tf.int32, [[]])
    put, take = queue.enqueue(1), queue.dequeue()
    with tf.Session() as sess:
        sess.run(put)
        sess.run(take)
        sess.run(put)

        def consume():
            assert looks.wait(60)
            sess.run(take)

        thread, met = run_beside(consume)
        sess.run(put)
        thread.join(60)
    assert (met, warned) == ([], [])


def test_a_runner_that_takes_is_waited_for(looks, warned, monkeypatch):
    """Its thread was started, and comes late."""
    queue = tf.FIFOQueue(1, tf.int32, [[]])
    put = queue.enqueue(1)
    batch = tf.train.batch([queue.dequeue()], 1, capacity=1)
    monkeypatch.setattr(
        runner, "work", lambda *args, work=runner.work: looks.wait(60) and work(*args)
    )
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(3):
            sess.run(put)
        assert sess.run(batch) == [1]
        coord.request_stop()
        coord.join(threads)
    assert warned == []


def test_a_queue_that_others_may_empty(run_beside, looks, warned, monkeypatch):
    queue = tf.FIFOQueue(1, tf.int32, [[]], shared_name="everyones")
    put, take = queue.enqueue(1), queue.dequeue()
    with tf.Session() as sess:
        sess.run(put)
        # Nobody can be seen who does.
        monkeypatch.setattr(other_threads, "threads_that_may_act", lambda stuck=(): [])

        def consume():
            assert looks.wait(60)
            sess.run(take)

        thread, met = run_beside(consume)
        sess.run(put)
        thread.join(60)
    assert (met, warned) == ([], [])


def test_a_step_with_a_deadline():
    queue = tf.FIFOQueue(1, tf.int32, [[]])
    put = queue.enqueue(1)
    with tf.Session() as sess:
        sess.run(put)
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(put, options=tf.RunOptions(timeout_in_ms=1500))


@pytest.fixture
def late(monkeypatch):
    """Makes the next step of the thread that calls it slow: it waits for an event, before or after it runs."""
    threads = {}

    def execute(self, original=step.Step.execute):
        function, (event, before) = self._function, threads.pop(self.caller, (None, False))

        def slowly():
            if event is not None and before:
                assert event.wait(60)
            result = function()
            if event is not None and not before:
                assert event.wait(60)
            return result

        self._function = slowly
        original(self)

    monkeypatch.setattr(step.Step, "execute", execute)

    def begin(event, before):
        threads[threading.current_thread()] = event, before

    return begin


def test_a_put_in_a_branch_that_is_not_taken(looks, late):
    queue = tf.FIFOQueue(1, tf.int32, [[]])
    put = queue.enqueue(1)
    chosen = tf.placeholder(tf.bool, [])
    first, _ = tf.raw_ops.Switch(data=tf.constant(2), pred=chosen)
    maybe, take = queue.enqueue(first), queue.dequeue()
    with tf.Session() as sess:
        sess.run(put)
        late(looks, before=True)
        sess.run(maybe, {chosen: True})
        assert sess.run(take) == 1
        sess.run(put)  # the queue is open


def test_a_put_that_is_in_and_about_to_come_back(run_beside, looks, late):
    """Its element is what fills the queue, and its thread goes on to feed the other one."""
    full, other = tf.FIFOQueue(1, tf.int32, [[]]), tf.FIFOQueue(1, tf.int32, [[]])
    put_full, put_other, take = full.enqueue(1), other.enqueue(5), other.dequeue()
    with tf.Session() as sess:
        sess.run(put_other)
        sess.run(take)

        def feed():
            late(looks, before=False)
            sess.run(put_full)
            sess.run(put_other)

        thread, met = run_beside(feed)
        assert sess.run(take) == 5
        thread.join(60)
    assert met == []


def test_the_main_thread_feeds_and_another_takes(run_beside):
    """Nothing of it is said where all is well: more is put than there is room for."""
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    number = tf.placeholder(tf.int32, [])
    put, take, close = queue.enqueue(number), queue.dequeue(), queue.close()
    with tf.Session() as sess:
        taken = []

        def consume():
            try:
                while True:
                    taken.append(sess.run(take))
            except tf.errors.OutOfRangeError:
                pass

        thread, met = run_beside(consume)
        for each in range(50):
            sess.run(put, {number: each})
        sess.run(close)
        thread.join(60)
    assert (taken, met) == (list(range(50)), [])


# -- what may end the wait in another way --------------------------------------------------------


@pytest.fixture
def full():
    """`(queue, number, put)`: a queue of one element, and an op that puts `number`."""
    queue, number = tf.FIFOQueue(1, tf.float32, [[]]), tf.placeholder(tf.float32, [])
    return queue, number, queue.enqueue(number)


def test_what_is_put_may_turn_out_to_be_wrong(full, looks, late):
    queue, number, put = full
    take = queue.dequeue()
    with tf.control_dependencies([tf.assert_positive(number)]):
        checked = queue.enqueue(tf.identity(number))
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        late(looks, before=True)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(checked, {number: -1})
        assert sess.run(take) == 1
        sess.run(checked, {number: 2})  # the queue is open
        assert sess.run(take) == 2


def test_what_is_put_may_not_be_fed(full, looks, late):
    queue, number, put = full
    take = queue.dequeue()
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        late(looks, before=True)
        with pytest.raises(tf.errors.InvalidArgumentError, match="must feed"):
            sess.run(put)
        assert sess.run(take) == 1
        sess.run(put, {number: 2})  # the queue is open


def test_what_is_put_may_come_to_an_end(looks, late):
    numbers = tf.data.Dataset.range(2)
    queue = tf.FIFOQueue(2, tf.int64, [[]])
    put = queue.enqueue(tf.data.make_one_shot_iterator(numbers).get_next())
    with tf.Session() as sess:
        sess.run(put)
        sess.run(put)
        late(looks, before=True)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(put)
        assert sess.run(queue.dequeue_many(2)).tolist() == [0, 1]


def test_rows_may_have_the_wrong_shape(looks, late):
    rows = tf.placeholder(tf.int32)
    queue = tf.FIFOQueue(2, tf.int32, [[3]])
    put, take = queue.enqueue_many([rows]), queue.dequeue()
    with tf.Session() as sess:
        sess.run(put, {rows: [[1, 2, 3], [4, 5, 6]]})
        late(looks, before=True)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(put, {rows: [[1, 2]]})
        assert sess.run(take).tolist() == [1, 2, 3]
        sess.run(put, {rows: [[7, 8, 9]]})  # the queue is open


@pytest.mark.parametrize("what", ["take", "close"])
def test_a_partial_run_may_take_or_close(what, full):
    queue, number, put = full
    more = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([tf.identity(more)]):  # else it is done at once
        ending = queue.dequeue() if what == "take" else queue.close()
    with tf.control_dependencies([ending]):
        done = more + 1
    with tf.Session() as sess:
        owner = Owner.of(sess)
        sess.run(put, {number: 1})
        assert backpressure._stays_full(owner, owner.pipeline.queues[queue.queue_ref.op.name])
        part = sess.partial_run_setup([done], [more])
        assert not backpressure._stays_full(owner, owner.pipeline.queues[queue.queue_ref.op.name])
        assert sess.partial_run(part, done, {more: 1}) == 2


def test_numbers_that_are_drawn_are_put_for_sure():
    queue = tf.FIFOQueue(1, tf.float32, [[2]])
    put = queue.enqueue(tf.random_normal([2], mean=1.0))
    with tf.Session() as sess:
        sess.run(put)
        with pytest.raises(errors.StarvationError, match="no room"):
            sess.run(put)


def test_a_queue_behind_a_runner_is_full(run_beside, warned):
    """The runner waits for room as well, and only a step can make it."""
    queue = tf.FIFOQueue(1, tf.int32, [[]])
    put = queue.enqueue(1)
    batch = tf.train.batch([queue.dequeue()], 1, capacity=1)
    spoken = threading.Event()
    with tf.Session() as sess, pytest.MonkeyPatch.context() as patch:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)

        def say(text, category):
            warned.append((category, text))
            spoken.set()

        patch.setattr(diagnosis, "warn", say)

        def consume():
            assert spoken.wait(60)
            for _ in range(4):
                sess.run(batch)

        thread, met = run_beside(consume)
        for _ in range(4):
            sess.run(put)
        thread.join(60)
        coord.request_stop()
        coord.join(threads)
    assert met == []
    assert [category for category, _ in warned] == [errors.WaitingWarning]
    assert "still waiting for room in FIFOQueue 'batch/fifo_queue'" in warned[0][1]


def test_a_dataset_may_have_taken(full):
    queue, number, put = full
    with tf.Session() as sess:
        owner, given = Owner.of(sess), {number: 1}
        sess.run(put, given)
        _, plan = owner.plans.of(put, given)
        assert backpressure.never_drained(owner, plan) == plan.put_queues
        tf.data.Dataset.range(2).map(lambda _: queue.dequeue())
        assert backpressure.never_drained(owner, plan) == []


def test_a_runner_that_has_ended_may_have_taken(full):
    queue, number, put = full
    batch = tf.train.batch([queue.dequeue()], 1)
    with tf.Session() as sess:
        owner, given = Owner.of(sess), {number: 1}
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        sess.run(put, given)
        _, plan = owner.plans.of(put, given)
        (run,) = owner.runs
        while not run.enqueued():
            time.sleep(0)
        sess.run(put, given)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(run, "working", lambda: False)
            patch.setattr(owner.queues, "is_full", lambda queue, unknown: True)
            assert backpressure.never_drained(owner, plan) == []
        coord.request_stop()
        coord.join(threads)
    assert batch is not None
