"""Waits that nobody can judge, and waits that can never end."""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import socketserver
import threading
import time
import types

import numpy as np
import pytest
from tensorflow.compat import v1 as compat_v1
from tensorflow.python.client import session as session_ops
from tensorflow.python.framework import function

import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import errors
from tfqueue.explain import diagnosis
from tfqueue.session import other_threads, runner, starvation, step
from tfqueue.session.accounts import Accounts
from tfqueue.session.owner import Owner


@pytest.fixture(autouse=True)
def no_broken_story():
    """A story that failed is seen by nobody; here it fails the test."""
    diagnosis.BROKEN.clear()
    yield
    assert not diagnosis.BROKEN


def test_a_wait_that_nobody_can_judge_is_spoken_of_and_goes_on(monkeypatch):
    spoken, said = threading.Event(), []

    def hear(message, category):
        said.append((message, category))
        spoken.set()

    monkeypatch.setattr(starvation, "_WARN_AFTER", 0.1)
    monkeypatch.setattr(diagnosis, "warn", hear)
    queue = tf.FIFOQueue(2, tf.int32, [[]], shared_name="everyones", name="theirs")
    put, take = queue.enqueue(1), queue.dequeue()
    with tf.Session() as sess:

        def feed():
            spoken.wait(60)
            sess.run(put)

        thread = threading.Thread(target=feed)
        thread.start()
        assert sess.run(take) == 1
        thread.join()
    assert [category for _, category in said] == [errors.WaitingWarning]
    assert "still waiting for elements of FIFOQueue 'theirs'" in said[0][0]


def test_a_queue_that_no_op_fills():
    take = tf.FIFOQueue(2, tf.int32, [[]], name="forgotten").dequeue()
    with tf.Session() as sess, pytest.raises(errors.StarvationError, match="no op that puts into"):
        sess.run(take)


@pytest.mark.parametrize("own", [True, False], ids=["ours", "TensorFlow's"])
@pytest.mark.parametrize("batched", [False, True])
def test_a_queue_that_a_stop_is_about_to_close_is_no_queue_without_a_producer(
    own, batched, looks, monkeypatch
):
    """Whenever the thread comes that closes it."""
    cancel = runner.RunnerRun.cancel
    monkeypatch.setattr(
        runner.RunnerRun, "cancel", lambda run: looks.first.wait(60) and cancel(run)
    )
    number = tf.train.range_input_producer(3, shuffle=False, capacity=4).dequeue()
    taken = tf.train.batch([number], 1) if batched else number
    coord = tf.train.Coordinator() if own else compat_v1.train.Coordinator()
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess, coord)
        sess.run(taken)
        coord.request_stop()
        try:
            with pytest.raises(tf.errors.OutOfRangeError) as caught:
                while True:
                    sess.run(taken)
        finally:
            looks.first.set()
    assert "closed by a stop" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("reserve", [0, 2], ids=["FIFOQueue", "RandomShuffleQueue"])
def test_a_step_that_has_its_elements_may_take_its_time(reserve, looks):
    """Its feeder has ended, and the one who waits may be the next to feed."""

    def compute(numbers):
        assert looks.wait(60)
        return numbers

    numbers = tf.placeholder(tf.int32, [None])
    queue = (
        tf.RandomShuffleQueue(10, reserve, tf.int32, [[]])
        if reserve
        else tf.FIFOQueue(10, tf.int32, [[]])
    )
    put = queue.enqueue_many([numbers])
    taken = queue.dequeue_many(3)
    out = tf.py_func(compute, [taken], tf.int32)
    with tf.Session() as sess:

        def feed():
            assert looks.first.wait(60)  # else the step would be known to have no need to wait
            sess.run(put, {numbers: range(3 + reserve)})

        feeder = threading.Thread(target=feed)
        feeder.start()
        assert len(set(sess.run(out))) == 3
        feeder.join()
        sess.run(put, {numbers: range(3)})  # the queue is open
        assert len(sess.run(taken)) == 3
        with pytest.raises(errors.StarvationError):
            sess.run(taken)


def test_a_step_that_has_its_elements_may_wait_for_others():
    """No thread runs Python meanwhile, so that only the count of the elements tells."""
    numbers = tf.FIFOQueue(10, tf.int32, [[]], name="numbers")
    others = tf.FIFOQueue(10, tf.int32, [[]], shared_name="everyones")
    put, taken = numbers.enqueue_many([[1, 2, 3]]), numbers.dequeue_many(3)
    has_them = threading.Event()
    with tf.control_dependencies([tf.py_func(lambda _: has_them.set(), [taken], [])]):
        out = others.dequeue()
    with tf.Session() as sess:
        demand = sess._owner.pipeline.demand([out.op])
        sess.run(put)
        sess.run(taken)
        step = threading.Thread(target=sess.run, args=(out,))
        step.start()
        (queue,) = starvation.unfilled_behind(sess._owner, demand)
        assert queue.name == "numbers"
        sess.run(put)
        assert has_them.wait(60)
        assert not starvation.unfilled_behind(sess._owner, demand)
        sess.run(others.enqueue(1))
        step.join()


def test_a_queue_that_holds_more_than_a_slow_step_takes_stays_open(monkeypatch):
    """No step waits for it, so that its only feeder takes from it too is no dead end."""
    looks, looked = [], threading.Event()

    def look(watch, original=starvation.WaitWatch.look):
        original(watch)
        looks.append(watch)
        if len(looks) > 3:
            looked.set()

    def slow():
        assert looked.wait(60)
        return np.int32(7)

    monkeypatch.setattr(starvation.WaitWatch, "look", look)
    queue = tf.FIFOQueue(10, tf.int32, [[]])
    fill, take = queue.enqueue_many([[1, 2]]), queue.dequeue()
    put = queue.enqueue(tf.py_func(slow, [], tf.int32))
    with tf.Session() as sess:
        sess.run(fill)
        assert sess.run([take, put])[0] == 1
        assert [sess.run(take), sess.run(take)] == [2, 7]
        with pytest.raises(errors.StarvationError):
            sess.run(take)


def test_a_count_that_changes_while_it_is_compared_proves_nothing(monkeypatch):
    """What was put or taken meanwhile may have been in the queue's size, or not."""
    queue = types.SimpleNamespace(min_after_dequeue=0)
    counts = []
    owner = types.SimpleNamespace(
        accounts=types.SimpleNamespace(balance=lambda _: counts.pop(0)),
        queues=types.SimpleNamespace(look=lambda _: (0, False)),
        steps=types.SimpleNamespace(under_way=[]),
    )
    counts[:] = [0, 0]
    assert starvation._waits_at(owner, queue, 1)
    counts[:] = [0, 1]
    assert not starvation._waits_at(owner, queue, 1)
    counts[:] = [0, 0]
    coming = [1, 0]
    monkeypatch.setattr(starvation, "_coming", lambda *_: coming.pop(0))
    assert not starvation._waits_at(owner, queue, 2)


def test_who_waits_is_asked_again_once_the_other_threads_are_known(monkeypatch):
    """Between the two looks one may have put something in, and ended."""
    answers = []

    def stuck(original=starvation.stuck_threads):
        answers.append(original() if len(answers) % 2 == 0 or len(answers) > 9 else set())
        return answers[-1]

    monkeypatch.setattr(starvation, "stuck_threads", stuck)
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    put, take = queue.enqueue(1), queue.dequeue()
    with tf.Session() as sess:
        sess.run(put)
        sess.run(take)
        with pytest.raises(errors.StarvationError):
            sess.run(take)
    assert len(answers) >= 10


def slow_one():
    """A tensor of shape [], 1: the step that needs it computes for a while."""
    square = tf.random_uniform([1500, 1500], 1.0, 2.0)
    return tf.cast(tf.minimum(tf.reduce_sum(tf.matmul(square, square)), 1), tf.int32)


def built(build):
    """The fetches and the feeds of a step that puts and takes, and its queue."""
    queue = tf.FIFOQueue(4, tf.int32, [[]])
    made = build(queue)
    return (*made, queue) if isinstance(made, tuple) else (made, None, queue)


def puts_one_and_takes_one(queue):
    return [queue.enqueue(slow_one()), queue.dequeue()]


def takes_after_it_puts(queue):
    with tf.control_dependencies([queue.enqueue(slow_one())]):
        return [queue.dequeue()]


def puts_as_many_as_it_takes(queue):
    return [queue.enqueue_many([tf.fill([3], slow_one())]), queue.dequeue_many(3)]


def puts_it_does_not_know_how_many(queue):
    return [queue.enqueue_many([tf.fill([2 + slow_one()], 7)]), queue.dequeue_many(3)]


def puts_what_is_fed(queue):
    other = tf.FIFOQueue(4, tf.int32, [[]]).dequeue()
    put, take = queue.enqueue(other), queue.dequeue()
    with tf.control_dependencies([take]):
        return [put, take, slow_one()], {other: 5}


def puts_in_a_loop(queue):
    def put(number):
        with tf.control_dependencies([queue.enqueue(number + slow_one())]):
            return number + 1

    return [tf.while_loop(lambda n: n < 4, put, [0]), queue.dequeue_many(4)]


def puts_into_one_of_several(queue):
    others = tf.FIFOQueue(4, tf.int32, [[]])
    chosen = tf.QueueBase.from_list(tf.constant(1), [others, queue])
    return [chosen.enqueue(slow_one()), queue.dequeue()]


def puts_what_a_runner_brings_it(queue):
    number = queue.dequeue()
    return [queue.enqueue(slow_one()), tf.train.batch([number], 1)]


def puts_fewer_than_it_takes(queue):
    return [queue.enqueue(1), queue.dequeue_many(3)]


def puts_fewer_that_are_fed(queue):
    rows = tf.placeholder(tf.int32, [None])
    return [queue.enqueue_many([rows]), queue.dequeue_many(3)], {rows: [1, 2]}


def puts_fewer_than_a_runner_is_to_bring_it(queue):
    number = queue.dequeue()
    return [queue.enqueue(1), tf.train.batch([number], 2)]


def puts_what_it_takes(queue):
    return [queue.enqueue(queue.dequeue())]


def puts_after_it_takes(queue):
    with tf.control_dependencies([queue.dequeue()]):
        return [queue.enqueue(1)]


@pytest.mark.parametrize(
    "build",
    [
        puts_one_and_takes_one,
        takes_after_it_puts,
        puts_as_many_as_it_takes,
        puts_it_does_not_know_how_many,
        puts_what_is_fed,
        puts_in_a_loop,
        puts_into_one_of_several,
        puts_what_a_runner_brings_it,
    ],
)
def test_a_step_that_brings_its_own_elements_may_take_its_time(build, monkeypatch):
    monkeypatch.setattr(step, "_FIRST_LOOK", 0.0)
    fetches, feed_dict, queue = built(build)
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        assert np.all(sess.run(fetches, feed_dict)[-1] >= 1)
        sess.run(queue.enqueue(7))  # it is open


def puts_four_in_a_loop(sess, queue):
    sess.run(puts_in_a_loop(queue)[0])


def puts_four_into_one_of_several(sess, queue):
    put = puts_into_one_of_several(queue)[0]
    for _ in range(4):
        sess.run(put)


def puts_four_in_a_partial_run(sess, queue):
    sess.run([queue.enqueue(0), queue.dequeue()])  # this thread is known to put
    number = tf.placeholder(tf.int32, [])
    put, other = queue.enqueue_many([[1, 2, 3, 4]]), number + 1
    run = sess.partial_run_setup([other, put], [number])
    assert sess.partial_run(run, other, {number: 1}) == 2
    owner = Owner.of(sess)
    assert owner.accounts.balance(owner.pipeline.queues[queue.name]) is None


def puts_one_in_a_function_that_fails(sess, queue):
    @function.Defun(tf.resource, tf.float32)
    def put(handle, number):
        done = tf.raw_ops.QueueEnqueueV2(handle=handle, components=[tf.constant(1)])
        with tf.control_dependencies([done]):
            return tf.check_numerics(1 / number, "by nothing")

    with pytest.raises(tf.errors.InvalidArgumentError):
        sess.run(put(queue.queue_ref, tf.constant(0.0)).op)
    sess.run(queue.enqueue_many([[1, 2, 3]]))


class Doubled:
    """A kind of thing to fetch that `Session.run` is told of. It has a mapping's methods and is none."""

    def __init__(self, tensor):
        self.tensor = tensor

    def keys(self):
        return []

    values = keys

    def __iter__(self):
        return iter([])


@functools.cache  # a second time is an error
def tell_of_doubled():
    session_ops.register_session_run_conversion_functions(
        Doubled, lambda it: ([it.tensor], lambda values: 2 * values[0])
    )


def puts_one_for_a_fetch_of_its_own(sess, queue):
    tell_of_doubled()
    with tf.control_dependencies([queue.enqueue(1)]):
        one = tf.constant(1) + 0
    sess.run(queue.enqueue_many([[1, 2, 3]]))
    assert sess.run(Doubled(one)) == 2


def test_what_a_fetch_of_its_own_kind_takes_is_not_counted_on(monkeypatch):
    tell_of_doubled()
    queue = tf.FIFOQueue(8, tf.int32, [[]])
    fill, take = queue.enqueue_many([[1, 2, 3]]), queue.dequeue()
    with tf.Session() as sess:
        sess.run(fill)
        assert [sess.run(each) for each in (take, Doubled(take), Doubled(take))] == [1, 4, 6]
        monkeypatch.setattr(starvation, "_WARN_AFTER", 0.0)
        with pytest.raises(errors.WaitingWarning):  # a warning is an error here, and ends the wait
            sess.run(take)


def puts_four_while_ctrl_c_comes(sess, queue):
    sess.run(queue.enqueue(1))
    looked = threading.Event()
    wait = tf.py_func(lambda: np.int32(looked.wait(60)), [], tf.int32)
    with tf.control_dependencies([wait]):
        put = queue.enqueue_many([tf.fill([3], slow_one())])

    def interrupt(watch):
        if watch._step._begun.locked():  # else it is withdrawn
            looked.set()
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(starvation.WaitWatch, "look", interrupt)
        sess.run(put)


@pytest.mark.parametrize(
    "put",
    [
        puts_four_in_a_loop,
        puts_four_into_one_of_several,
        puts_four_in_a_partial_run,
        puts_one_in_a_function_that_fails,
        puts_one_for_a_fetch_of_its_own,
        puts_four_while_ctrl_c_comes,
    ],
)
def test_what_a_step_before_has_put_is_there_while_it_computes(put, monkeypatch):
    """Its queue stays open: nothing of it may be taken for missing."""
    monkeypatch.setattr(step, "_FIRST_LOOK", 0.0)
    monkeypatch.setattr(Accounts, "_look_for", lambda *_: False)  # else it is run at once
    queue = tf.FIFOQueue(8, tf.int32, [[]])
    with tf.Session() as sess:
        put(sess, queue)
        assert len(sess.run([queue.dequeue_many(4), slow_one()])[0]) == 4
        sess.run(queue.enqueue(7))
        assert sess.run(queue.dequeue()) == 7


@pytest.mark.parametrize(
    "build",
    [
        puts_fewer_than_it_takes,
        puts_fewer_that_are_fed,
        puts_fewer_than_a_runner_is_to_bring_it,
        puts_what_it_takes,
        puts_after_it_takes,
    ],
)
def test_a_step_that_waits_for_itself_is_ended(build):
    fetches, feed_dict, _ = built(build)
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        with pytest.raises(errors.StarvationError):
            sess.run(fetches, feed_dict)


def test_what_ending_a_wait_releases_is_delivered():
    """Closing lets a shuffling queue give what it has held back to mix with."""
    queue = tf.RandomShuffleQueue(20, 8, tf.int32, [[]])
    take = queue.dequeue()
    with tf.Session() as sess:
        sess.run(queue.enqueue_many([[1, 2, 3]]))
        with pytest.raises(errors.StarvationError):
            sess.run(take)
        assert sorted(sess.run(take) for _ in range(3)) == [1, 2, 3]
        with pytest.raises(errors.StarvationError):
            sess.run(take)
        assert not sess._owner.steps.under_way


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.FIFOQueue(20, tf.int32, [[]]),
        lambda: tf.PaddingFIFOQueue(20, tf.int32, [[]]),
        lambda: tf.PriorityQueue(20, tf.int32, [[]]),
        lambda: tf.RandomShuffleQueue(20, 0, tf.int32, [[]]),
    ],
)
@pytest.mark.parametrize("many", [None, 3])
def test_a_wait_that_was_ended_is_booked_and_kept_nowhere(make, many):
    queue = make()
    take = queue.dequeue() if many is None else queue.dequeue_many(many)
    with tf.Session() as sess:
        for _ in range(2):
            with pytest.raises(errors.StarvationError):
                sess.run(take)
            owner = sess._owner
            account = owner.accounts.of(owner.pipeline.queues[queue.name])
            assert (account.under_way, account.balance) == (0, 0)
            assert not owner.steps.under_way
            assert not owner.steps.interrupted


def test_what_came_of_a_queue_is_what_steps_that_use_it_say():
    one, other = (tf.FIFOQueue(20, tf.int32, [[]]) for _ in range(2))
    takes = [one.dequeue(), other.dequeue()]
    with tf.Session() as sess:
        sess.run([one.enqueue(1), other.enqueue(2)])
        owner = sess._owner
        plans = [owner.plans.of(take, None)[1] for take in takes]
        for plan, last in zip(plans, (5.0, 6.0), strict=True):
            plan.last = last
        watch = starvation.WaitWatch(owner, step.Step(None, plans[0]))
        queues_of = [owner.pipeline.queues[each.name] for each in (one, other)]
        assert [watch._what_came_of(each) for each in queues_of] == [(0, [5.0]), (0, [6.0])]


def test_queues_that_fill_each_other_have_nothing_of_their_own():
    one, other = (tf.FIFOQueue(20, tf.int32, [[]]) for _ in range(2))
    take = one.dequeue()
    for queue, source in ((one, other), (other, one)):
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(source.dequeue())]))
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess, tf.train.Coordinator())
        owner = sess._owner
        demand = owner.plans.of(take, None)[1].demand
        known = owner.pipeline.queues
        assert starvation._takes_only_from(owner, demand, {known[one.name]})
        assert starvation._takes_only_from(owner, demand, set())  # round and round
        owner.queues.note_feeder([known[other.name]])
        assert not starvation._takes_only_from(owner, demand, set())


def test_what_is_taken_in_a_branch_is_not_counted_on():
    """A step that is sure of its elements is not looked after: it must not be sure of these."""
    queue = tf.FIFOQueue(10, tf.int32, [[]])
    fill, take = queue.enqueue_many([[1, 2]]), queue.dequeue()
    wanted = tf.placeholder(tf.bool, [])
    perhaps = tf.cond(wanted, queue.dequeue, lambda: tf.constant(0))
    with tf.Session() as sess:
        sess.run(fill)
        assert [sess.run(perhaps, {wanted: wish}) for wish in (False, True)] == [0, 1]
        assert sess.run(take) == 2
        with pytest.raises(errors.StarvationError):
            sess.run(take)


@pytest.fixture
def names_taken(monkeypatch):
    """Set once the files of a producer `names` were gone through again and again without an element.

    And once the step that waits has looked around after that.
    """
    looked, first = threading.Event(), []

    def look(watch, original=starvation.WaitWatch._spinning):
        with pytest.MonkeyPatch.context() as patch:
            if not first:  # the first look comes before the first name
                patch.setattr(runner.RunnerRun, "enqueued", lambda run: 0)
                first.append(watch)
            runs = [run for run in watch._owner.runs if run.name == "names"]
            put = sum(run.enqueued() for run in runs)
            original(watch)
        if put >= 100:
            looked.set()

    monkeypatch.setattr(starvation.WaitWatch, "_spinning", look)
    return looked


def test_a_hundred_names_on_their_way_are_no_epoch_without_a_record(records, names_taken):
    """One file of one record is read a hundred times for one element, which then takes its time."""

    def slow(record):
        assert names_taken.wait(60)
        return record

    names = tf.train.string_input_producer([records([b"a"])], name="names")
    reader = tf.TFRecordReader()
    record = tf.py_func(slow, [tf.stack([reader.read(names)[1] for _ in range(100)])], tf.string)
    record.set_shape([100])
    take = tf.train.batch([record], 1)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(take).tolist() == [[b"a"] * 100]
        assert not sess._owner.queues.causes
        coord.request_stop()
        coord.join(threads)


def test_files_without_a_record_beside_others_are_no_reason_to_end(records, names_taken):
    """What is read of the others takes its time."""

    def slow(record):
        assert names_taken.wait(60)
        return record

    empty = tf.train.string_input_producer([records([], "empty")], name="names")
    sound = tf.train.string_input_producer([records([b"a"])])
    record = tf.py_func(slow, [tf.TFRecordReader().read(sound)[1]], tf.string)
    record.set_shape([])
    take = tf.train.batch_join([[record], [tf.TFRecordReader().read(empty)[1]]], 1)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(take) == [b"a"]
        assert not sess._owner.queues.causes
        coord.request_stop()
        coord.join(threads)


def test_several_producers_of_files_without_a_record(records):
    queues = [tf.train.string_input_producer([records([], name)]) for name in "ab"]
    take = tf.train.batch_join([[tf.TFRecordReader().read(queue)[1]] for queue in queues], 1)
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        tf.train.start_queue_runners(sess, coord)
        with pytest.raises(errors.NoRecordsError):
            sess.run(take)
        coord.request_stop()


# -- who else may feed ------------------------------------------------------------------------


@pytest.fixture
def by_hand():
    """`(put, number, take)` of a queue that programs feed by hand."""
    number = tf.placeholder(tf.int32, [])
    queue = tf.FIFOQueue(10, tf.int32, [[]], name="handmade")
    return queue.enqueue(number), number, queue.dequeue()


@pytest.fixture
def warned(monkeypatch):
    """`(said, spoken, soon)`: what the warnings of waits say, an event that is set with the first.

    In the context `soon()` a wait is soon spoken of; else a machine that is held up would be told
    of a step that has all that it needs.
    """
    said, spoken = [], threading.Event()

    def hear(message, category):
        said.append(message)
        spoken.set()

    @contextlib.contextmanager
    def soon():
        with monkeypatch.context() as patch:
            patch.setattr(starvation, "_WARN_AFTER", 0.1)
            yield

    monkeypatch.setattr(diagnosis, "warn", hear)
    return said, spoken, soon


def a_thread_that_sleeps(feed, spoken):
    def wait():
        assert spoken.wait(60)
        feed()

    thread = threading.Thread(target=wait, name="sleeper")
    thread.start()
    return thread.join


def a_pools_callback(feed, spoken):
    pool = concurrent.futures.ThreadPoolExecutor(1, "sleeper")
    pool.submit(spoken.wait, 60).add_done_callback(lambda _: feed())
    return pool.shutdown


def a_timer(feed, spoken):
    def later():
        if not spoken.is_set():
            return start()
        return feed()

    timers = []

    def start():
        timers.append(threading.Timer(0.05, later))
        timers[-1].name = "sleeper"
        timers[-1].start()

    start()
    return lambda: [timer.join() for timer in timers]


def a_server(feed, spoken):
    server = socketserver.TCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler)
    server.service_actions = lambda: spoken.is_set() and not fed and fed.append(feed())
    fed = []
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), name="sleeper")
    thread.start()

    def end():
        server.shutdown()
        thread.join()
        server.server_close()

    return end


@pytest.mark.parametrize(
    "start", [a_thread_that_sleeps, a_pools_callback, a_timer, a_server], ids=lambda s: s.__name__
)
def test_whoever_may_feed_is_waited_for_and_named(start, by_hand, warned):
    put, number, take = by_hand
    said, spoken, soon = warned
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        assert sess.run(take) == 1
        end = start(lambda: sess.run(put, {number: 2}), spoken)
        try:
            with soon():
                assert sess.run(take) == 2
        finally:
            end()
        with pytest.raises(errors.StarvationError):
            sess.run(take)
    assert len(said) == 1
    assert "sleeper" in said[0]


@pytest.mark.parametrize("module", sorted(other_threads.HARMLESS))
def test_a_thread_of_a_row_keeps_nobody_waiting(module, by_hand):
    """A thread whose class, or whose function, is of the row's module."""
    put, number, take = by_hand
    ended, names = threading.Event(), {"__name__": f"{module}.inner"}
    exec("def run(ended): ended.wait(60)", names)
    kind = type("Helper", (threading.Thread,), {"__module__": module})
    threads = [
        threading.Thread(target=names["run"], args=(ended,)),
        kind(target=ended.wait, args=(60,)),
    ]
    for thread in threads:
        thread.start()
    try:
        with tf.Session() as sess:
            sess.run(put, {number: 1})
            assert sess.run(take) == 1
            with pytest.raises(errors.StarvationError):
                sess.run(take)
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def test_a_step_with_a_deadline_is_ended_by_tensorflow(by_hand):
    put, number, take = by_hand
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        assert sess.run(take) == 1
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(take, options=tf.RunOptions(timeout_in_ms=1500))
        sess.run(put, {number: 2})  # the queue is open
        assert sess.run(take) == 2
    with tf.Session(config=tf.ConfigProto(operation_timeout_in_ms=1500)) as sess:
        longer = tf.RunOptions(timeout_in_ms=120_000)
        sess.run(put, {number: 1}, options=longer)
        assert sess.run(take, options=longer) == 1
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(take)


def test_a_step_with_a_deadline_is_not_spoken_of(by_hand, warned):
    put, number, take = by_hand
    said, _, soon = warned
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        assert sess.run(take) == 1
        with soon(), pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(take, options=tf.RunOptions(timeout_in_ms=1500))
    assert said == []


def test_a_thread_whose_step_has_a_deadline_may_feed_after_it(by_hand):
    put, number, take = by_hand
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        assert sess.run(take) == 1

        def feed():
            with pytest.raises(tf.errors.DeadlineExceededError):
                sess.run(take, options=tf.RunOptions(timeout_in_ms=1500))
            sess.run(put, {number: 2})

        thread = threading.Thread(target=feed)
        thread.start()
        assert sess.run(take) == 2
        thread.join()


def test_runners_that_were_never_started_and_a_deadline():
    take = tf.train.range_input_producer(3).dequeue()
    with tf.Session() as sess, pytest.raises(tf.errors.DeadlineExceededError):
        sess.run(take, options=tf.RunOptions(timeout_in_ms=1000))


def test_what_a_partial_run_takes_is_counted():
    queue = tf.FIFOQueue(100, tf.int32, [[]])
    five, number = queue.dequeue_many(5), tf.placeholder(tf.int32, [])
    moved, ten = five + number, queue.dequeue_many(10)
    with tf.Session() as sess:
        sess.run(queue.enqueue_many([list(range(10))]))
        part = sess.partial_run_setup([five, moved], [number])
        assert sess.partial_run(part, five).tolist() == [0, 1, 2, 3, 4]
        assert sess.partial_run(part, moved, {number: 5}).tolist() == [5, 6, 7, 8, 9]
        with pytest.raises(errors.StarvationError, match="10 are wanted"):
            sess.run(ten)


def test_a_partial_run_that_can_never_go_on_is_told():
    queue = tf.FIFOQueue(100, tf.int32, [[]])
    five, number = queue.dequeue_many(5), tf.placeholder(tf.int32, [])
    with tf.Session() as sess:
        sess.run(queue.enqueue_many([[1, 2]]))
        part = sess.partial_run_setup([five, five + number], [number])
        with pytest.raises(errors.StarvationError):
            sess.partial_run(part, five)


def test_a_process_that_was_forked_is_told():
    """After the import of TensorFlow, and before the first session."""
    program = """
import os, warnings
warnings.simplefilter("ignore")  # Python 3.12's own words on fork
import tfqueue, tfqueue.v1 as tf
child = os.fork()
if child:
    raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
queue = tf.FIFOQueue(10, tf.int32, [[]])
put, two = queue.enqueue(1), queue.dequeue_many(2)
with tf.Session() as sess:
    sess.run(put)
    try:
        sess.run(two)
    except tfqueue.errors.StarvationError:
        os._exit(7)
os._exit(8)
"""
    assert children.run(["-c", program]).returncode == 7


@pytest.mark.parametrize(
    "held",
    ["owner.lock", "registry._lock", "sess.graph._lock", "sess.graph._session_run_lock()"],
)
def test_a_forked_process_ends_whatever_lock_another_thread_held(held):
    program = f"""
import os, signal, threading, warnings
warnings.simplefilter("ignore")  # Python 3.12's own words on fork
import tfqueue.v1 as tf
from tfqueue.session import registry
sess = tf.Session()
owner, taken, ended = sess._owner, threading.Event(), threading.Event()
def hold():
    with {held}:
        taken.set()
        ended.wait()
threading.Thread(target=hold).start()
taken.wait()
child = os.fork()
if child:
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    ended.set()
    raise SystemExit(code)
signal.alarm(40)
tf.constant(1)
sess.close()
raise SystemExit(7)
"""
    assert children.run(["-c", program]).returncode == 7


# -- queues that others close or fill ------------------------------------------------------------


def slow_step(*ops):
    """An op that runs `ops` after a Python function that waits for `event`; and the event."""
    event = threading.Event()

    def wait():
        assert event.wait(60)

    with tf.control_dependencies([tf.py_func(wait, [], [], stateful=True)]):
        return tf.group(*[op() for op in ops]), event


def blocked(sess, queue):
    """What is proved of a step that takes from `queue`, once it is under way in the main thread."""
    owner = Owner.of(sess)
    return starvation.unfilled_behind(owner, owner.pipeline.demand([queue.dequeue().op]), False)


@contextlib.contextmanager
def beside(function):
    """Within the block `function()` runs in a thread."""
    thread = threading.Thread(target=function)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(60)
        assert not thread.is_alive()


def fed_once(sess):
    """A queue that was fed and emptied by hand, so that nobody is left who feeds it."""
    queue = tf.FIFOQueue(4, tf.int32, [[]])
    sess.run(queue.enqueue(1))
    sess.run(queue.dequeue())
    return queue


def test_a_step_under_way_may_close_it():
    with tf.Session() as sess:
        queue = fed_once(sess)
        other = tf.FIFOQueue(4, tf.int32, [[]])
        close, event = slow_step(queue.close, lambda: other.enqueue(1))
        assert blocked(sess, queue)
        begun = Owner.of(sess).steps.under_way
        with beside(lambda: sess.run(close)):
            while not begun:
                time.sleep(0)
            try:
                assert not blocked(sess, queue)
            finally:
                event.set()
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(queue.dequeue())


@pytest.mark.parametrize("what", ["put", "close"])
def test_a_partial_run_may_put_or_close(what):
    with tf.Session() as sess:
        queue = fed_once(sess)
        fed = tf.placeholder(tf.int32, [])
        with tf.control_dependencies([queue.enqueue(fed) if what == "put" else queue.close()]):
            done = fed + 1
        assert blocked(sess, queue)
        part = sess.partial_run_setup([done], [fed])
        assert not blocked(sess, queue)
        assert sess.partial_run(part, done, {fed: 1}) == 2
        if what == "put":
            assert blocked(sess, queue)


def test_a_runner_that_has_ended_may_close_it_when_a_stop_comes():
    with tf.Session() as sess:
        queue = fed_once(sess)
        other = tf.FIFOQueue(4, tf.int32, [[]])
        cancel = tf.group(other.close(cancel_pending_enqueues=True), queue.close())
        coord = tf.train.Coordinator()
        sess.run(other.close())
        ended = tf.train.QueueRunner(
            other,
            [other.enqueue(1)],
            cancel_op=cancel,
            queue_closed_exception_types=(tf.errors.CancelledError,),
        )
        threads = ended.create_threads(sess, coord, start=True)
        threads[0].join(60)
        assert not blocked(sess, queue)
        coord.request_stop()
        coord.join(threads)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(queue.dequeue())


def _not_started():
    """A queue whose registered runner nobody has started, and the runner."""
    queue = tf.FIFOQueue(4, tf.int32, [[]])
    filling = tf.train.QueueRunner(queue, [queue.enqueue(7)])
    tf.train.add_queue_runner(filling)
    return queue, filling


def starts_the_runners(sess, queue, filling):
    """In a `py_func` beside the dequeue."""

    def start():
        filling.create_threads(sess, start=True)
        return np.int32(0)

    return [tf.py_func(start, [], tf.int32), queue.dequeue()]


def feeds_before_it_takes(sess, queue, filling):
    put = queue.enqueue(7)

    def feed():
        sess.run(put)
        return np.int32(0)

    with tf.control_dependencies([tf.py_func(feed, [], tf.int32)]):
        return [tf.constant(0), queue.dequeue()]


def starts_them_in_a_dataset(sess, queue, filling):
    def start(number):
        filling.create_threads(sess, start=True)
        return number

    data = tf.data.Dataset.range(1).map(lambda x: tf.py_func(start, [x], tf.int64))
    given = tf.data.make_initializable_iterator(data)
    sess.run(given.initializer)
    return [given.get_next(), queue.dequeue()]


@pytest.mark.parametrize(
    "fetches", [starts_the_runners, feeds_before_it_takes, starts_them_in_a_dataset]
)
def test_python_of_the_step_itself_may_start_the_runners(fetches):
    queue, filling = _not_started()
    with tf.Session() as sess:
        assert sess.run(fetches(sess, queue, filling)) == [0, 7]


def test_python_behind_the_element_starts_no_runners():
    queue, filling = _not_started()
    with tf.Session() as sess:
        behind = tf.py_func(lambda number: number, [queue.dequeue()], tf.int32)
        with pytest.raises(errors.StarvationError, match="was not started"):
            sess.run(behind)
        filling.create_threads(sess, start=True)
        assert sess.run(behind) == 7


def test_a_step_that_takes_nothing_waits_for_no_runner():
    queue, filling = _not_started()
    number, default = tf.placeholder(tf.int32, []), tf.constant(2)
    with tf.Session() as sess:
        for take in (
            queue.dequeue_many(0),
            queue.dequeue_many(queue.size()),
            queue.dequeue_up_to(0),
        ):
            assert sess.run(take).tolist() == []
        fed = queue.dequeue_many(number)
        assert sess.run(fed, {number: 0}).tolist() == []
        handle = sess.run(tf.get_session_handle(tf.constant(0)))
        assert sess.run(fed, {number: handle}).tolist() == []
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(fed, {number: -1})
        for take, given in (
            (fed, {number: 2}),
            (queue.dequeue_many(tf.placeholder_with_default(default, [])), None),
        ):
            with pytest.raises(errors.StarvationError, match="was not started"):
                sess.run(take, given)
        filling.create_threads(sess, start=True)
        assert sess.run(fed, {number: 2}).tolist() == [7, 7]


@pytest.mark.parametrize("how", ["closed", "another_puts"])
def test_a_queue_whose_runner_was_not_started_may_get_on_without(how, monkeypatch):
    monkeypatch.setattr(starvation, "_GATE_SECONDS", 0.0)
    queue, other = tf.FIFOQueue(2, tf.int32, [[]]), tf.FIFOQueue(1, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(1)]))
    both = tf.train.QueueRunner(other, [tf.group(other.enqueue(1), queue.enqueue(7))])
    with tf.Session() as sess:
        if how == "closed":
            sess.run(queue.close())
            with pytest.raises(tf.errors.OutOfRangeError):
                sess.run(queue.dequeue())
            return
        release, work = threading.Event(), runner.work
        monkeypatch.setattr(runner, "work", lambda *args: release.wait(60) and work(*args))
        coord = tf.train.Coordinator()
        threads = both.create_threads(sess, coord, start=True)
        owner = Owner.of(sess)
        _, plan = owner.plans.of(queue.dequeue(), None)
        try:
            assert starvation._may_run(owner, plan)
        finally:
            release.set()
        assert sess.run(queue.dequeue()) == 7
        coord.request_stop()
        coord.join(threads)


@pytest.mark.parametrize("how", ["close_op", "cancel_op", "enqueue_op", "second_put"])
def test_a_runner_of_another_queue_may_close_it_or_put(how):
    with tf.Session() as sess:
        queue = fed_once(sess)
        other = tf.FIFOQueue(1, tf.int32, [[]])
        enqueue, ops = (
            other.enqueue(1),
            {"queue_closed_exception_types": (tf.errors.CancelledError,)},
        )
        if how == "enqueue_op":
            enqueue = tf.group(enqueue, queue.close())
        elif how == "second_put":
            enqueue = tf.group(enqueue, queue.enqueue(1))
        else:
            ops[how] = tf.group(other.close(), queue.close())
        release = threading.Event()
        working = tf.train.QueueRunner(other, [enqueue], **ops)
        with pytest.MonkeyPatch.context() as patch:
            work = runner.work
            patch.setattr(runner, "work", lambda *args: release.wait(60) and work(*args))
            assert blocked(sess, queue)
            threads = working.create_threads(sess, start=True)
            try:
                assert not blocked(sess, queue)
            finally:
                sess.run(other.close(cancel_pending_enqueues=True))
                release.set()
        for thread in threads:
            thread.join(60)


def dead_for(owner, tensor):
    """The queues of which it is proved that nobody fills them, for a step that takes `tensor`."""
    demand = owner.pipeline.demand([tensor.op])
    return {q.name for q in starvation.unfilled_behind(owner, demand, exact=False)}


@pytest.mark.parametrize("shared_name", [None, "everyones"])
def test_a_queue_that_others_may_fill_is_never_proved_dead(shared_name):
    take = tf.FIFOQueue(2, tf.int32, [[]], shared_name=shared_name, name="empty").dequeue()
    with tf.Session() as sess:
        assert dead_for(sess._owner, take) == (set() if shared_name else {"empty"})


def test_a_queue_whose_op_was_never_run_is_not_proved_dead(by_hand):
    """Nobody knows who is to run it. Once it was run, its threads are known."""
    put, number, take = by_hand
    with tf.Session() as sess:
        assert dead_for(sess._owner, take) == set()
        sess.run(put, {number: 1})
        assert dead_for(sess._owner, take) == {"handmade"}


def test_a_queue_that_is_closed_is_not_proved_dead(by_hand):
    """A step that waits for it is ended by TensorFlow, with the cause that was kept."""
    put, number, take = by_hand
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        sess._owner.queues.failed("handmade", errors.StarvationError("first"))
        assert dead_for(sess._owner, take) == set()


@pytest.mark.parametrize("threads", [2, -1], ids=["its own thread", "the caller's"])
def test_a_python_function_of_the_graph_may_feed(threads, by_hand, warned, monkeypatch):
    """It runs in a thread of TensorFlow's, or in a runner's, which else does nothing but run.

    Of TensorFlow's threads it needs a second one, for its own step: else it waits for itself.
    The thread tells of it though nothing is known of what the runner may yet call.
    """
    monkeypatch.setattr(starvation, "python_to_come", list)
    put, number, take = by_hand
    said, spoken, soon = warned
    begun = threading.Event()

    own = threads > 0
    config = tf.ConfigProto(inter_op_parallelism_threads=threads, use_per_session_threads=own)
    with tf.Session(config=config) as sess:

        def feed():
            begun.set()
            assert spoken.wait(60)
            sess.run(put, {number: 2})
            return np.int32(0)

        sess.run(put, {number: 1})
        assert sess.run(take) == 1
        target = tf.FIFOQueue(1, tf.int32, [[]])
        fill = target.enqueue(tf.py_func(feed, [], tf.int32))
        tf.train.add_queue_runner(tf.train.QueueRunner(target, [fill]))
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert begun.wait(60)
        with soon():
            assert sess.run(take) == 2
        coord.request_stop()
        coord.join(threads)
    assert len(said) == 1


# -- Python that TensorFlow may yet call -------------------------------------------------------


def in_the_step_itself(call, later, take):
    return lambda sess: sess.run([take, call(later)])[0]


def in_a_python_function(call, later, take):
    made = tf.py_function(lambda it: tf.constant(call.feed(it)), [later], tf.int32)
    return lambda sess: sess.run([take, made])[0]


def behind_a_branch_that_is_not_taken(call, later, take):
    either = tf.cond(later > 0, lambda: tf.constant(5), lambda: take + 1)
    return lambda sess: sess.run([take, call(either)])[0]


def behind_one_of_two_takes(call, later, take):
    made = call(later + take)
    with tf.control_dependencies([made]):
        again = take.graph.get_tensor_by_name("handmade:0")
        again = tf.raw_ops.QueueDequeueV2(handle=again, component_types=[tf.int32])[0]

    def run(sess):
        call.put(1)
        return sess.run([again, made])[0]

    return run


def behind_what_is_fed(call, later, take):
    made = call(later + take)

    def run(sess):
        sess.run([take.op, made], {take: 3})
        call.put(2)
        return sess.run(take)

    return run


def beside_another_part_of_a_function(call, later, take):
    one, two = tf.function(lambda a, b: (a + 1, b + 0))(later, take)
    made = call(one)
    return lambda sess: sess.run([two, made])[0]


def in_a_function(call, later, take):
    @tf.function
    def both(a, b):
        return tf.numpy_function(call.feed, [a], tf.int32), b + 0

    made = both(later, take)
    return lambda sess: sess.run(made)[1]


def in_a_function_of_old(call, later, take):
    @function.Defun(tf.int32)
    def made(number):
        return tf.py_func(call.feed, [number], tf.int32)

    made = made(later)
    return lambda sess: sess.run([take, made])[0]


def in_a_function_of_what_never_comes(call, later, take):
    @tf.function
    def both(b):
        return tf.numpy_function(call.late, [slow_one()], tf.int32), b + 0

    made = both(take)
    return lambda sess: sess.run(made)[1]


def in_a_runner(call, later, take):
    other = tf.FIFOQueue(3, tf.int32)
    tf.train.add_queue_runner(tf.train.QueueRunner(other, [other.enqueue(call(later))]))

    def run(sess):
        tf.train.start_queue_runners(sess, tf.train.Coordinator())
        return sess.run(take)

    return run


def in_a_partial_run(call, later, take):
    number = tf.placeholder(tf.int32, [])
    made = call(later) + number

    def run(sess):
        part = sess.partial_run_setup([take, made], [number])
        return sess.partial_run(part, take), sess.partial_run(part, made, {number: 0})

    return lambda sess: run(sess)[0]


def in_a_dataset(call, later, take):
    queue = later.op.inputs[0]

    def element(_):
        number = tf.raw_ops.QueueDequeueV2(handle=queue, component_types=[tf.int32])[0]
        return tf.py_func(call.feed, [number], tf.int32)

    dataset = tf.data.Dataset.range(2).map(element).prefetch(2)
    iterator = tf.data.make_initializable_iterator(dataset)
    first = iterator.get_next()

    def run(sess):
        call.open()
        sess.run(iterator.initializer)
        sess.run(first)
        assert sess.run(take) == 2
        found = sess.run(take)
        # A session that is closed under a step in a dataset's thread is deleted by that thread,
        # which waits for itself then, for good: TensorFlow's own way.
        for _ in range(2):
            call.fed.acquire()
        return found

    return run


@pytest.mark.parametrize(
    "build",
    [
        in_the_step_itself,
        in_a_python_function,
        behind_a_branch_that_is_not_taken,
        behind_one_of_two_takes,
        behind_what_is_fed,
        beside_another_part_of_a_function,
        in_a_function,
        in_a_function_of_old,
        in_a_function_of_what_never_comes,
        in_a_runner,
        in_a_partial_run,
        in_a_dataset,
    ],
)
def test_python_that_tensorflow_may_yet_call_may_feed(build, by_hand, monkeypatch):
    """It comes after an element that is put in once the wait is spoken of. Till then no Python runs."""
    put, number, take = by_hand
    queue = tf.FIFOQueue(4, tf.int32, [[]], shared_name="everyones")
    opened, said, fed = queue.enqueue(1), [], threading.Semaphore(0)
    with tf.Session() as sess:

        def feed(*_):
            sess.run(put, {number: 2})
            fed.release()
            return np.int32(0)

        def hear(message, category):
            said.append(message)
            if "a Python function (" in message or "a callback from C++" in message:
                sess.run(opened)

        def call(tensor):
            made = tf.py_func(feed, [tensor], tf.int32)
            made.set_shape([])
            return made

        def late(*_):
            sess.run(later)
            return feed()

        later = queue.dequeue()
        call.feed, call.late, call.fed = feed, late, fed
        call.put = lambda value: sess.run(put, {number: value})
        call.open = lambda: sess.run(opened)
        run = build(call, later, take)
        sess.run(put, {number: 1})
        assert sess.run(take) == 1
        monkeypatch.setattr(starvation, "_WARN_AFTER", 0.5)
        monkeypatch.setattr(diagnosis, "warn", hear)
        assert run(sess) == 2
    assert said
    assert any("a Python function (" in each or "a callback" in each for each in said)


def of_the_step_itself(sess, take, other):
    return [take, tf.py_func(lambda it: it, [take], tf.int32)]


def of_a_runner(sess, take, other):
    made = tf.py_func(lambda it: it, [other + 1], tf.int32)
    target = tf.FIFOQueue(3, tf.int32)
    tf.train.add_queue_runner(tf.train.QueueRunner(target, [target.enqueue(made)]))
    tf.train.start_queue_runners(sess, tf.train.Coordinator())
    return take


def of_a_step_that_is_over(sess, take, other):
    sess.run(tf.py_func(lambda: np.int32(1), [], tf.int32))
    return take


def of_a_dataset_that_was_not_run(sess, take, other):
    dataset = tf.data.Dataset.range(3).map(lambda it: tf.py_func(lambda n: n, [it], tf.int64))
    tf.data.make_initializable_iterator(dataset).get_next()
    return take


def of_nobody_in_a_dataset(sess, take, other):
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(3).map(lambda it: it + 1))
    sess.run(iterator.initializer)
    sess.run(iterator.get_next())
    return take


@pytest.mark.parametrize(
    "build",
    [
        of_the_step_itself,
        of_a_runner,
        of_a_step_that_is_over,
        of_a_dataset_that_was_not_run,
        of_nobody_in_a_dataset,
    ],
)
def test_python_that_nothing_calls_feeds_nobody(build, by_hand):
    """It waits for the same in vain, or is of no step that is under way."""
    put, number, take = by_hand
    queue = tf.FIFOQueue(10, tf.int32, [[]])
    fill, other = queue.enqueue(1), queue.dequeue()
    with tf.Session() as sess:
        for step_of in (fill, other, put, take):
            sess.run(step_of, {number: 1})
        with pytest.raises(errors.StarvationError):
            sess.run(build(sess, take, other))


def test_the_sessions_of_a_parent_process_are_passed_over(monkeypatch):
    value = tf.py_func(lambda: 1, [], tf.int64, name="one")
    with tf.Session() as sess:
        handle = sess.partial_run_setup([value], [])
        owners = [types.SimpleNamespace(pid=-1), *starvation.registry.everywhere()]
        with monkeypatch.context() as patched:
            patched.setattr(starvation.registry, "everywhere", lambda: owners)
            assert starvation.python_to_come() == ["a Python function (one)"]
        assert sess.partial_run(handle, value) == 1


def test_python_is_asked_for_again_once_the_threads_are_known(by_hand, monkeypatch):
    """What a thread put in before it ended may have set it going."""
    put, number, take = by_hand
    answers = []

    def to_come():
        answers.append(["one"] if len(answers) % 2 and len(answers) < 9 else [])
        return answers[-1]

    monkeypatch.setattr(starvation, "python_to_come", to_come)
    with tf.Session() as sess:
        sess.run(put, {number: 1})
        assert sess.run(take) == 1
        with pytest.raises(errors.StarvationError):
            sess.run(take)
    assert len(answers) >= 10
