"""`Coordinator`: stops that release, joins that do not wait for ever, failures that are met."""

import contextlib
import itertools
import logging
import sys
import threading
import time
import types

import numpy as np
import pytest
from tensorflow.python.training import coordinator as training_coordinator

import tfqueue.v1 as tf
from tfqueue.session import coordinator, failures, other_threads, registry, runner, starvation
from tfqueue.session.owner import Owner


def broken_pipeline():
    """A batch whose runner fails at once."""
    names = tf.train.string_input_producer(["no/such/file"])
    _, record = tf.TFRecordReader().read(names)
    return tf.train.batch([record], 2)


def test_the_textbook_loop_without_a_join_cannot_take_a_failure_for_the_end(records):
    path = records([b"1", b"2", b"3", b"4", b"bad"])
    names = tf.train.string_input_producer([path], num_epochs=1)
    _, record = tf.TFRecordReader().read(names)
    batch = tf.train.batch([tf.string_to_number(record)], 2)
    seen = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        tf.train.start_queue_runners(sess, coord)
        assert coord.wait_for_stop(60)  # the failure is there before the first step
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
            while not coord.should_stop():
                seen += sess.run(batch).tolist()
        assert coord.should_stop()
    assert seen == [1, 2, 3, 4]


def test_a_loop_that_takes_nothing_from_the_queue_stops_too(monkeypatch):
    monkeypatch.setattr(failures, "_FOLLOW_SECONDS", 0.2)
    broken_pipeline()
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        pause = threading.Event()
        while not coord.should_stop():
            pause.wait(0.05)
        with pytest.raises(tf.errors.NotFoundError):
            coord.join(threads)


def test_join_raises_what_a_thread_reported():
    coord = tf.train.Coordinator()

    def body():
        with coord.stop_on_exception():
            raise ZeroDivisionError("mine")

    thread = threading.Thread(target=body)
    thread.start()
    with pytest.raises(ZeroDivisionError, match="mine"):
        coord.join([thread])
    assert coord.joined


def test_clear_stop_makes_it_new():
    coord = tf.train.Coordinator()
    coord.request_stop()
    assert coord.should_stop()
    coord.clear_stop()
    assert not coord.should_stop()
    coord.join([])


def test_a_join_inside_an_older_handler_does_not_stop_a_healthy_program():
    """A whole program may run inside `except ImportError:`; its join is no unwinding."""
    number = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
    batch = tf.train.batch([number], 2, capacity=100)
    size = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)[1].queue.size()
    try:
        raise ImportError
    except ImportError:
        with tf.Session() as sess:
            sess.run(tf.local_variables_initializer())
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            del threads[:]
            for run in sess._owner.runs:
                for thread in run.threads[:-1]:
                    thread.join(60)
            assert sess.run(size) == 6
            coord.request_stop()
            coord.join(threads)
    assert batch is not None


def test_a_join_inside_an_older_handler_asks_for_no_stop():
    joins, stopped = threading.Event(), []

    class Watched(tf.train.Coordinator):
        def wait_for_stop(self, timeout=None):
            joins.set()
            return super().wait_for_stop(timeout)

    try:
        raise ImportError
    except ImportError:
        coord = Watched()

        def work():
            joins.wait()
            stopped.append(coord.should_stop())

        thread = threading.Thread(target=work)
        thread.start()
        coord.join([thread])
    assert stopped == [False]


def test_a_straggler_is_named_with_what_it_waits_for():
    coord = tf.train.Coordinator()
    let_go = threading.Event()
    thread = threading.Thread(target=let_go.wait, args=(60,), name="straggler")
    thread.start()
    coord.request_stop()
    try:
        with pytest.raises(RuntimeError, match="threads still running: straggler") as caught:
            coord.join([thread], stop_grace_period_secs=0.1)
        assert "straggler is in no step of a session" in "\n".join(caught.value.__notes__)
    finally:
        let_go.set()
        thread.join()


def test_a_feeder_that_waits_in_a_full_queue_is_released():
    queue = tf.FIFOQueue(1, tf.int32, shapes=[[]])
    put, errors = queue.enqueue(1), []

    def feed(sess):
        try:
            while True:
                sess.run(put)
        except tf.errors.CancelledError as error:
            errors.append(error)

    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        thread = threading.Thread(target=feed, args=(sess,))
        thread.start()
        coord.request_stop()
        coord.join([thread], stop_grace_period_secs=30)
    assert len(errors) == 1


def test_a_join_at_the_end_of_the_data_needs_no_stop():
    """Nobody is left who could ask for one, and the queues are closed: TensorFlow's waits on."""
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    batch = tf.train.batch([number], 3)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(batch).tolist() == [0, 1, 2]
        coord.join(threads)
        assert coord.should_stop()


@pytest.mark.parametrize("knows", ["coordinator", "session"])
def test_a_join_waits_for_a_thread_that_may_yet_ask_for_a_stop_or_takes(knows, monkeypatch):
    number = tf.train.range_input_producer(2, num_epochs=1, shuffle=False).dequeue()
    asked, looks = [], threading.Event()

    def reach(*arguments, original=other_threads.threads_that_may_act):
        found = original(*arguments)
        if found:
            looks.set()
        return found

    monkeypatch.setattr(other_threads, "threads_that_may_act", reach)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(number) == 0
        stopped = coord.should_stop

        def ask():
            assert looks.wait(60)
            asked.append(coord.should_stop())
            coord.request_stop()

        def take(run=sess.run):
            assert looks.wait(60)
            asked.append(run(number))

        thread = threading.Thread(target=ask if knows == "coordinator" else take)
        thread.start()
        coord.join(threads)
        thread.join()
        assert stopped()
    assert asked == [False if knows == "coordinator" else 1]


def test_a_failure_that_is_met_again_has_no_more_frames_than_at_first():
    batch = broken_pipeline()
    depths = []
    with tf.Session() as sess:
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        for _ in range(3):
            with pytest.raises(tf.errors.NotFoundError) as error:
                sess.run(batch)
            depths.append(len(error.traceback))
        coord.request_stop()
        with pytest.raises(tf.errors.NotFoundError):
            coord.join(threads)
    assert depths[2] == depths[1]
    assert depths[1] <= depths[0]


def test_a_join_that_an_error_passes_through_asks_for_the_stop():
    """Although another thread might: the program has come to its `finally`, and waits there."""
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    tf.train.batch([tf.train.range_input_producer(10).dequeue()], 2)
    try:
        with tf.Session() as sess:
            coord = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(sess, coord)
            with pytest.raises(ZeroDivisionError):
                try:
                    1 / 0  # noqa: B018
                finally:
                    coord.join(threads)
            assert coord.should_stop()
    finally:
        ended.set()
        other.join()


@pytest.fixture
def looked(monkeypatch):
    """Set when a join has found threads at work, or has cancelled what they wait for."""
    event, here = threading.Event(), threading.current_thread()

    def may_act(*arguments, original=other_threads.threads_that_may_act):
        found = original(*arguments)
        if found and threading.current_thread() is here:  # and not in a step that waits
            event.set()
        return found

    def unblock(owner, threads, original=Owner.unblock):
        original(owner, threads)
        event.set()

    monkeypatch.setattr(other_threads, "threads_that_may_act", may_act)
    monkeypatch.setattr(Owner, "unblock", unblock)
    return event


@pytest.mark.parametrize("joined", [True, False])
def test_a_join_in_a_handler_of_the_end_of_the_data_waits_for_the_programs_own_threads(
    joined, looked
):
    """They use what was taken, and ask for the stop when they are through with it."""
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    stopped = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)

        def work():
            assert looked.wait(60)
            stopped.append(coord.should_stop())
            coord.request_stop()

        worker = threading.Thread(target=work)
        try:
            while True:
                sess.run(number)
        except tf.errors.OutOfRangeError:
            worker.start()
            coord.join([*threads, worker] if joined else threads)
        worker.join()
    assert stopped == [False]


@pytest.mark.parametrize("waits", ["for a stop", "in a full queue"])
def test_a_join_in_a_handler_of_the_end_of_the_data_does_not_wait_for_those_that_wait(
    waits, monkeypatch
):
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    # What may fail is not proved to wait for room.
    put, looks = tf.FIFOQueue(1, tf.int32, [[]]).enqueue(tf.string_to_number("1", tf.int32)), []

    def may_act(*arguments, original=other_threads.threads_that_may_act):
        looks.append(original(*arguments))
        assert len(looks) < 60, looks[-1]
        return looks[-1]

    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)

        def feed():
            with pytest.raises(tf.errors.CancelledError):
                while True:
                    sess.run(put)

        def wait():
            coord.wait_for_stop()

        thread = threading.Thread(target=feed if waits == "in a full queue" else wait)
        thread.start()
        try:
            while True:
                sess.run(number)
        except tf.errors.OutOfRangeError:
            monkeypatch.setattr(other_threads, "threads_that_may_act", may_act)
            try:
                coord.join([*threads, thread])
            finally:
                coord.request_stop()
    thread.join()
    assert [] in looks


@pytest.mark.parametrize("works", ["in Python", "in a step that puts", "in a step that takes"])
def test_a_stop_lets_threads_end_that_wait_for_one_that_is_at_work(works, looked):
    source, queue = tf.FIFOQueue(3, tf.int32, [[]]), tf.FIFOQueue(3, tf.int32, [[]])
    fed, got, errors = tf.placeholder(tf.int32, []), [], []
    begun = threading.Event()

    def slow(value):
        begun.set()
        looked.clear()
        assert looked.wait(60)
        return np.int32(value)

    def slowly(tensor):
        result = tf.py_func(slow, [tensor], tf.int32)
        result.set_shape([])
        return result

    fill, ended, close = source.enqueue_many([[0, 1, 2]]), source.close(), queue.close()
    put, put_slowly = queue.enqueue(fed), queue.enqueue(slowly(fed))
    move, taken = queue.enqueue(slowly(source.dequeue())), queue.dequeue()
    with tf.Session() as sess:
        sess.run(fill)
        sess.run(ended)
        coord = tf.train.Coordinator()

        def feed():
            try:
                for value in range(3):
                    if works == "in a step that puts":
                        sess.run(put_slowly, {fed: value})
                    elif works == "in Python":
                        sess.run(put, {fed: slow(value)})
                    else:
                        sess.run(move)
                sess.run(close)
            except tf.errors.OpError as error:
                errors.append(error)

        def take():
            try:
                while True:
                    got.append(int(sess.run(taken)))
            except tf.errors.OutOfRangeError:
                pass

        threads = [threading.Thread(target=target) for target in (feed, take)]
        for thread in threads:
            thread.start()
        assert begun.wait(60)
        coord.request_stop()
        coord.join(threads)
    assert (got, errors) == ([0, 1, 2], [])


@pytest.fixture
def logged():
    """The lines that TensorFlow logs; afterwards its logger is as it was."""
    logger, lines, kept = logging.getLogger("tensorflow"), [], list(logging.root.handlers)
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(handler.format(record))
    level, filters = logger.level, list(logger.filters)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield lines
    logger.removeHandler(handler)
    logger.setLevel(level)
    assert (logger.filters, logging.root.handlers) == (filters, kept)


@pytest.mark.parametrize("way", ["a runner", "an exception", "a triple"])
def test_a_reported_error_is_one_line_of_the_log(way, logged):
    """`join` raises the whole of it."""
    coord = tf.train.Coordinator()
    if way == "a runner":
        broken_pipeline()
        with tf.Session() as sess:
            tf.train.start_queue_runners(sess, coord)
            assert coord.wait_for_stop(60)
        name = "NotFoundError: no/such/file; No such file or directory"
    else:
        try:
            raise ValueError("first\nsecond")
        except ValueError as error:
            coord.request_stop(error if way == "an exception" else sys.exc_info())
        name = "ValueError: first"
    assert logged == [f"Error reported to Coordinator: {name}"]


def test_errors_reported_at_the_same_time_have_lines_of_their_own(logged):
    theirs = coordinator._logged_in_one_line(ValueError("theirs"))
    with coordinator._logged_in_one_line(KeyError("mine")):
        other = threading.Thread(target=theirs.__enter__)
        other.start()
        other.join()
        tf.logging.info("Error reported to Coordinator: %s", "mine")
        theirs.__exit__(None, None, None)
    assert logged == ["Error reported to Coordinator: KeyError: 'mine'"]


def _until_a_word_that_is_no_number(coord):
    """What a step of a pipeline gives that fails at its third word, and the error that ends it."""
    words = tf.train.input_producer(["1", "2", "three"], num_epochs=1, shuffle=False)
    batch = tf.train.batch([tf.string_to_number(words.dequeue())], 1)
    taken = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        threads = tf.train.start_queue_runners(sess, coord)
        coord.wait_for_stop()
        with pytest.raises(tf.errors.InvalidArgumentError):
            while not coord.should_stop():
                taken += sess.run(batch).tolist()
        coord.request_stop()
        with pytest.raises(tf.errors.InvalidArgumentError, match="three"):
            coord.join(threads)
    return taken


def test_a_request_stop_of_ones_own_hears_of_a_runner_that_fails():
    heard = []

    class Mine(tf.train.Coordinator):
        def request_stop(self, ex=None):
            heard.append(type(ex))
            super().request_stop(ex)

    assert _until_a_word_that_is_no_number(Mine()) == [1, 2]
    assert heard == [tf.errors.InvalidArgumentError, type(None)]


def test_a_request_stop_that_fails_leaves_no_queue_open(monkeypatch):
    class Broken(tf.train.Coordinator):
        def request_stop(self, ex=None):
            if ex is not None:
                raise ZeroDivisionError
            super().request_stop()

    died = []
    monkeypatch.setattr(threading, "excepthook", lambda args: died.append(args.exc_type))
    words = tf.train.input_producer(["one"], shuffle=False)
    batch = tf.train.batch([tf.string_to_number(words.dequeue())], 1)
    with tf.Session() as sess:
        coord = Broken()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(batch)
        coord.request_stop()
        coord.join(threads)
    assert died == [ZeroDivisionError]


def test_a_runner_that_fails_ends_the_waits_at_the_other_queues(monkeypatch):
    """TensorFlow closes all queues of the coordinator."""
    monkeypatch.setattr(failures, "_FOLLOW_SECONDS", 0.0)
    never = tf.FIFOQueue(2, tf.int32, [[]])
    waits = tf.train.batch([never.dequeue()], 1)
    words = tf.train.input_producer(["one"], shuffle=False)
    tf.train.batch([tf.string_to_number(words.dequeue())], 1, name="fails")
    with tf.Session() as sess:
        sess.run(never.enqueue(1))
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(waits) == [1]
        with pytest.raises(tf.errors.InvalidArgumentError, match="string: one"):
            sess.run(waits)
        with pytest.raises(tf.errors.InvalidArgumentError):
            coord.join(threads)


def _failing(types=None):
    """`(go, coord, fails)`: a runner of the graph fails once `go` is set; it stops `coord` and fills `fails`."""
    go = threading.Event()
    word = tf.py_func(lambda: go.wait(60) and b"one", [], tf.string)
    word.set_shape([])
    fails = tf.train.batch([tf.string_to_number(word)], 1, name="fails")
    return go, tf.train.Coordinator(types), fails


def test_the_end_of_the_data_in_front_of_a_stop_for_a_failure_is_no_failure():
    go, coord, _ = _failing()
    numbers = tf.train.range_input_producer(2, num_epochs=1, shuffle=False)
    number = numbers.dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        threads = tf.train.start_queue_runners(sess, coord)
        (run,) = (run for run in Owner.of(sess).runs if run.queue_name == numbers.name)
        for thread in run.threads[:1]:
            thread.join(60)
        go.set()
        coord.wait_for_stop()
        coord.request_stop()
        assert [sess.run(number), sess.run(number)] == [0, 1]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(number)
        with pytest.raises(tf.errors.InvalidArgumentError):
            coord.join(threads)


def test_a_failure_that_counts_as_a_clean_end_is_no_failure():
    go, coord, fails = _failing([tf.errors.InvalidArgumentError])
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    waits = tf.train.batch([queue.dequeue()], 1)
    with tf.Session() as sess:
        sess.run(queue.enqueue(1))
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(waits) == [1]
        go.set()
        coord.wait_for_stop()
        assert coord.should_stop()
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(waits)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(fails)
        coord.join(threads)


@pytest.mark.parametrize("later", [False, True], ids=["never", "later"])
def test_a_failure_that_a_derived_class_does_not_stop_for_stops_nothing(later, monkeypatch):
    monkeypatch.setattr(failures, "_FOLLOW_SECONDS", 0.0)
    heard = threading.Event()

    class Mine(tf.train.Coordinator):
        def request_stop(self, ex=None):
            if ex is None:
                super().request_stop()
            heard.error = ex
            heard.set()

    go, _, _ = _failing()
    queue, coord = tf.FIFOQueue(2, tf.int32, [[]]), Mine()
    number = tf.train.batch([queue.dequeue()], 1)
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coord)
        go.set()
        assert heard.wait(60)
        for each in range(3):
            assert not coord.should_stop()
            coord.settle()
            sess.run(queue.enqueue(each))
            assert sess.run(number) == [each]
        if later:
            tf.train.Coordinator.request_stop(coord, heard.error)
        else:
            coord.request_stop()
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(number)
        if later:
            with pytest.raises(tf.errors.InvalidArgumentError):
                coord.join(threads)
        else:
            coord.join(threads)


@pytest.mark.parametrize("waits", [False, True], ids=["ready", "waits"])
def test_a_step_that_lasts_long_is_followed_from_its_end_on(waits):
    """By the next one: what is in front of a failure is delivered as long as steps follow each other."""
    ended = []

    def last():
        ended.append(time.monotonic())
        return np.int32(7)

    queue = tf.FIFOQueue(2, tf.int32, [[]])
    put, value = queue.enqueue(0), queue.dequeue()
    with tf.control_dependencies([value]):
        value += tf.py_func(last, [], tf.int32)
    with tf.Session() as sess:
        owner = Owner.of(sess)

        def feed():
            while waits and not owner.steps.under_way:
                time.sleep(0)
            sess.run(put)

        feeder = threading.Thread(target=feed)
        feeder.start()
        if not waits:
            feeder.join()
        assert sess.run(value) == 7
        feeder.join()
        _, plan = owner.plans.of(value, None)
        assert plan.last >= ended[0]


def _until_two(waits):
    """Steps take of a queue whose runner fails behind its second element, and of one that is fed once."""
    words = tf.train.input_producer(["1", "2", "three"], num_epochs=1, shuffle=False)
    number = tf.train.batch([tf.string_to_number(words.dequeue())], 1)
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    other = tf.train.batch([queue.dequeue()], 1, name="other")
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        sess.run(queue.enqueue(1))
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        coord.wait_for_stop()
        assert sess.run([number, other]) == [[1], [1]]
        with pytest.raises(tf.errors.InvalidArgumentError, match="string: three"):
            waits(sess, number, other)
        coord.request_stop()
        with pytest.raises(tf.errors.InvalidArgumentError):
            coord.join(threads)


def test_a_step_that_takes_of_the_failed_queue_and_waits_for_another():
    _until_two(lambda sess, number, other: sess.run([number, other]))


def test_a_step_that_waits_for_another_queue_delivers_nothing():
    """Also where a thread of the program's might feed that: TensorFlow closes it at once."""
    ended = threading.Event()

    def wait(sess, number, other):
        for run in Owner.of(sess).runs:
            run.failed_at -= 100
        feeder = threading.Thread(target=ended.wait)
        feeder.start()
        try:
            sess.run([number, other])
        finally:
            ended.set()
            feeder.join()

    _until_two(wait)


def test_steps_that_need_not_wait_hear_of_a_failure_elsewhere(monkeypatch):
    monkeypatch.setattr(failures, "_FOLLOW_SECONDS", 0.0)
    go, coord, _ = _failing()
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(7)]))
    number = queue.dequeue()
    with tf.Session() as sess:
        monkeypatch.setattr(starvation.WaitWatch, "look", lambda watch: None)
        threads = tf.train.start_queue_runners(sess, coord)
        go.set()
        coord.wait_for_stop()
        with pytest.raises(tf.errors.InvalidArgumentError, match="string: one"):
            while True:
                assert sess.run(number) == 7
        with pytest.raises(tf.errors.InvalidArgumentError):
            coord.join(threads)


def test_a_failure_after_the_programs_stop_is_none():
    """TensorFlow's coordinator keeps the first reason to stop."""
    go, coord, fails = _failing()
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coord)
        coord.request_stop()
        go.set()
        coord.join(threads)
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(fails)


def test_two_failures_under_tensorflows_own_coordinator_are_no_end():
    """Each step raises that of its own queue; a `Supervisor` has such a coordinator."""
    go, _, fails = _failing()
    word = tf.py_func(lambda: b"two", [], tf.string)
    word.set_shape([])
    first = tf.train.batch([tf.string_to_number(word)], 1, name="first")
    coord = training_coordinator.Coordinator()
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coord)
        coord.wait_for_stop()
        go.set()
        for thread in threads:
            thread.join(60)
        for take, said in ((first, "string: two"), (fails, "string: one")):
            with pytest.raises(tf.errors.InvalidArgumentError, match=said):
                sess.run(take)


@pytest.mark.parametrize("fails", [False, True])
def test_a_request_stop_that_fails_for_a_clean_end_ends_its_thread(fails, monkeypatch):
    monkeypatch.setattr(threading, "excepthook", lambda args: None)

    class Broken(tf.train.Coordinator):
        def request_stop(self, ex=None):
            if fails and ex is not None:
                raise ZeroDivisionError
            super().request_stop(ex)

    go, _, _ = _failing()
    coord = Broken([tf.errors.InvalidArgumentError])
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coord)
        (run,) = Owner.of(sess).runs
        go.set()
        run.threads[0].join(60)
        assert not run.working()
        coord.request_stop()
        coord.join(threads)


def test_a_stop_that_came_before_a_runners_counts(monkeypatch):
    monkeypatch.setattr(failures, "_FOLLOW_SECONDS", 0.0)

    class Late(tf.train.Coordinator):
        def request_stop(self, ex=None):
            if ex is not None:
                super().request_stop()  # the program's, just before
            super().request_stop(ex)

    go, _, _ = _failing()
    queue, coord = tf.FIFOQueue(2, tf.int32, [[]]), Late()
    waits = tf.train.batch([queue.dequeue()], 1)
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coord)
        go.set()
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(waits)
        coord.join(threads)


def test_a_clean_end_that_a_derived_class_does_not_stop_for():
    """The other thread of the runner goes on, as in TensorFlow."""

    class Mine(tf.train.Coordinator):
        def request_stop(self, ex=None):
            if ex is None:
                super().request_stop()

    queue, calls = tf.FIFOQueue(4, tf.float32, [[]]), itertools.count()
    text = tf.py_func(lambda: b"1" if next(calls) else b"one", [], tf.string)
    text.set_shape([])
    put = queue.enqueue(tf.string_to_number(text))
    filling, number = tf.train.QueueRunner(queue, [put, put]), queue.dequeue()
    coord = Mine([tf.errors.InvalidArgumentError])
    with tf.Session() as sess:
        threads = filling.create_threads(sess, coord, start=True)
        assert [sess.run(number) for _ in range(20)] == [1] * 20
        coord.request_stop()
        coord.join(threads)


def test_what_a_stop_does_to_one_runner_is_no_end_for_the_next(monkeypatch):
    """The first of two is told to stop, and its queue is closed, before the second one is told."""
    monkeypatch.setattr(failures, "_FOLLOW_SECONDS", 0.0)
    go, coord, _ = _failing()
    source, first = tf.FIFOQueue(2, tf.int32, [[]]), tf.FIFOQueue(2, tf.int32, [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(first, [first.enqueue(source.dequeue())]))
    waits = tf.train.batch([first.dequeue()], 1)
    with tf.Session() as sess:

        def stop(run, original=runner.RunnerRun.stop):
            original(run)
            in_main = threading.current_thread() is threading.main_thread()
            if in_main and run.queue_name == first.name:
                (behind,) = (
                    each for each in Owner.of(sess).runs if each.name == "batch/fifo_queue"
                )
                behind.threads[0].join(60)

        monkeypatch.setattr(runner.RunnerRun, "stop", stop)
        sess.run(source.enqueue(1))
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(waits) == [1]
        go.set()
        with pytest.raises(tf.errors.InvalidArgumentError, match="string: one"):
            sess.run(waits)
        with pytest.raises(tf.errors.InvalidArgumentError):
            coord.join(threads)


def test_a_coordinator_that_nobody_can_refer_to_weakly():
    class Other:
        __slots__ = ("coord",)

        def __init__(self):
            self.coord = tf.train.Coordinator()

        def __getattr__(self, name):
            return getattr(self.coord, name)

    number = tf.train.range_input_producer(3, shuffle=False).dequeue()
    with tf.Session() as sess:
        coord = Other()
        threads = tf.train.start_queue_runners(sess, coord)
        assert sess.run(number) == 0
        coord.request_stop()
        coord.join(threads)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("way", ["join", "raise_requested_exception"])
@pytest.mark.parametrize("of_a_session", [False, True])
def test_an_error_that_a_coordinator_of_sessions_raised_was_met(way, of_a_session):
    coord, error = tf.train.Coordinator(), ZeroDivisionError("mine")
    tf.train.range_input_producer(3)
    with tf.Session() as sess:
        threads = tf.train.start_queue_runners(sess, coord if of_a_session else None)
        with contextlib.suppress(ZeroDivisionError):
            with coord.stop_on_exception():
                raise error
        with pytest.raises(ZeroDivisionError):
            coord.join(threads if of_a_session else []) if way == "join" else getattr(coord, way)()
        assert failures.was_reported(error) == of_a_session
        if way != "join":
            with pytest.raises(ZeroDivisionError):
                coord.join(threads if of_a_session else [])


def test_a_thread_that_waits_in_a_step_is_named_with_its_step(monkeypatch):
    owners = [
        types.SimpleNamespace(waits_of=lambda thread, says=says: says)
        for says in (None, "waits in a step for 'q'", "is not asked")
    ]
    monkeypatch.setattr(coordinator.registry, "everywhere", lambda: owners)
    thread = threading.Thread(name="late")
    assert coordinator._what_it_waits_for(thread) == "thread late waits in a step for 'q'"


def test_a_stop_without_an_error_forgets_none():
    def work():
        try:
            raise error
        except ValueError as met:
            coord.request_stop(met)
        coord.request_stop()

    coord, error = tf.train.Coordinator(), ValueError("mine")
    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(ValueError, match="mine"):
        coord.join([thread])
    assert registry.error_of(thread) is error
    clean = threading.Thread(target=coord.request_stop)
    clean.start()
    clean.join()
    assert registry.error_of(clean) is None
    assert "tfqueue_error" not in vars(clean)
