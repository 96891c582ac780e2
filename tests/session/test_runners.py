"""`QueueRunner`s that are started twice, and that close their queue in ways of their own."""

from __future__ import annotations

import contextlib
import functools
import threading
import types

import pytest

import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.graph import op_types
from tfqueue.graph.model import Pipeline
from tfqueue.session import runner, starvation
from tfqueue.session.owner import Owner


def test_a_second_start_changes_nothing_before_the_program_has_come_to_the_end():
    """TensorFlow starts none while the first still run. Fast ones have ended by then."""
    number = tf.train.range_input_producer(4, num_epochs=1, shuffle=False).dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        (run,) = sess._owner.runs
        threads[0].join(60)
        assert run.ended
        threads += tf.train.start_queue_runners(sess, coord)
        assert [sess.run(number) for _ in range(4)] == [0, 1, 2, 3]
        with pytest.raises(tf.errors.OutOfRangeError):
            sess.run(number)
        assert tf.train.start_queue_runners(sess, coord)  # now another pass is wanted
        with pytest.raises(tf.errors.CancelledError, match="cannot be reopened"):
            sess.run(number)
        coord.request_stop()
        with contextlib.suppress(tf.errors.CancelledError):  # the runner's own, if it came first
            coord.join(threads)


@pytest.mark.parametrize("after", ["the end", "a stop"])
def test_a_runner_that_finds_its_queue_closed_says_by_what(after):
    """No step comes to say so: the program only joins the threads that it has started again."""
    epochs = 1 if after == "the end" else None
    number = tf.train.range_input_producer(4, num_epochs=epochs, shuffle=False).dequeue()
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        if after == "the end":
            with pytest.raises(tf.errors.OutOfRangeError):
                while True:
                    sess.run(number)
        else:
            sess.run(number)
        coord.request_stop()
        coord.join(threads)
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.CancelledError) as caught:
            coord.join(threads)
    said = {"the end": "at the end of its epochs", "a stop": "by the stop that was asked for"}
    assert f"input_producer was closed {said[after]}" in "".join(caught.value.__notes__)


@pytest.mark.parametrize("closes", [False, True])
def test_a_cancel_op_of_the_programs_own(closes):
    """A tensor that an assignment gave, which says that the stop came and may leave it at that."""
    stops = tf.Variable(0, trainable=False)
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    if closes:
        with tf.control_dependencies([queue.close(cancel_pending_enqueues=True)]):
            cancel = tf.assign_add(stops, 1)
    else:
        cancel = tf.assign_add(stops, 1)
    runner = tf.train.QueueRunner(queue, [queue.enqueue_many([[7]])], cancel_op=cancel)
    seven = queue.dequeue()
    with tf.Session() as sess:
        sess.run(stops.initializer)
        coord = tf.train.Coordinator()
        threads = runner.create_threads(sess, coord, start=True)
        assert sess.run(seven) == 7
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=30)
        assert sess.run(stops) == 1
        assert sess.run(queue.is_closed())


@pytest.mark.parametrize("asked", [False, True])
def test_what_a_runner_holds_is_put_where_another_failed_and_not_where_a_stop_was_asked_for(asked):
    told = []
    run = types.SimpleNamespace(
        guard=None,
        stop_was_asked_for=lambda: asked and "move" in told,
        should_stop=lambda: True,
        thread_stopped=lambda: told.append("stopped"),
    )
    names = ("move", "finish", "close")
    mover = types.SimpleNamespace(**{name: functools.partial(told.append, name) for name in names})
    runner.work(run, mover, ())
    assert told == ["move", *([] if asked else ["finish"]), "stopped", "close"]


def lost():
    return tf.errors.UnavailableError(None, None, "a task was lost")


def cancelled():
    return tf.errors.CancelledError(None, None, "cancelled")


@pytest.mark.parametrize(
    ("met", "stopped", "told"),
    [
        (cancelled, True, "stopped"),
        (lambda: RuntimeError("closed"), True, "stopped"),
        (cancelled, False, "failed"),
        (lambda: RuntimeError("closed"), False, "failed"),
        (lambda: ValueError("mine"), True, "failed"),
        (lambda: tf.errors.OutOfRangeError(None, None, "the end"), True, "ended"),
        (lambda: tf.errors.OutOfRangeError(None, None, "the end"), False, "ended"),
        (lost, False, "failed"),
        (KeyboardInterrupt, False, "failed"),
    ],
)
def test_what_a_thread_of_a_runner_met_is_told_once(met, stopped, told):
    heard, guarded, released = [], [], threading.Event()
    if stopped:
        released.set()
    run = types.SimpleNamespace(
        guard=types.SimpleNamespace(take=lambda: guarded.append("take")),
        released=released,
        stop_was_asked_for=lambda: False,
        should_stop=lambda: len(guarded) == 2,
        thread_ended=lambda: heard.append("ended"),
        thread_stopped=lambda: heard.append("stopped"),
        thread_failed=lambda error, mover: heard.append("failed"),
    )

    def finish():
        raise met()

    mover = types.SimpleNamespace(
        move=lambda: heard.append("move"), finish=finish, close=lambda: heard.append("close")
    )
    runner.work(run, mover, (tf.errors.OutOfRangeError,))
    assert heard == ["move", "move", told, "close"]
    assert guarded == ["take", "take"]


@pytest.mark.parametrize(
    ("met", "remote", "is_lost"),
    [(lost, True, True), (lost, False, False), (cancelled, True, False)],
)
@pytest.mark.parametrize("stopped", [False, True])
def test_a_task_that_a_runner_finds_lost_is_remembered(met, remote, is_lost, stopped, monkeypatch):
    # Its own thread goes on: where that waits for room, closing the queue would wait for it.
    monkeypatch.setattr(runner.RunnerRun, "close_queue", lambda self: None)
    tf.train.range_input_producer(3, shuffle=False)
    sess = tf.Session()
    threads = tf.train.start_queue_runners(sess, tf.train.Coordinator())
    (run,) = sess._owner.runs
    if stopped:
        run.stop()
    link, running = sess._owner.link, run._running
    link.remote = remote
    run.thread_failed(met(), None)
    assert link.lost == is_lost
    assert run._running < running  # the closed queue may have ended the thread itself by now
    link.lost = link.remote = False
    run._running += 1
    sess.close()
    assert not any(thread.is_alive() for thread in threads)


def test_a_failure_that_no_step_came_to_tell_is_told_at_the_end():
    queue = tf.FIFOQueue(2, tf.float32, [[]], name="numbers")
    put = queue.enqueue(tf.string_to_number("seven"))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    taken = queue.dequeue()
    sess = tf.Session()
    (thread,) = tf.train.start_queue_runners(sess)
    thread.join(60)
    said = "QueueRunner numbers failed and no step came to tell: InvalidArgumentError: .*seven"
    with pytest.warns(errors.UnseenFailureWarning, match=said):
        sess.close()
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="seven"):
            sess.run(taken)  # it is told: there is nothing to warn of


def until(true):
    """Returns when `true()` says so."""
    pause = threading.Event()
    while not true():
        pause.wait(0.01)


def put_by_two_threads(value):
    """What comes of `value` by a queue that two runner's threads fill."""
    queue = tf.FIFOQueue(2, [value.dtype], [[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(value)] * 2))
    return queue.dequeue()


def counted_to(number):
    """Counts up to `number`, which is not 0, in a loop of TensorFlow's."""
    count = tf.while_loop(lambda i: i < number, lambda i: i + 1, [0])
    with tf.control_dependencies([tf.Assert(number > 0, ["nothing to count"])]):
        return tf.identity(count)


@pytest.mark.parametrize("chunks", ["0", "auto"])
def test_a_failure_waits_for_what_a_sibling_computes(chunks, monkeypatch):
    monkeypatch.setattr(runner, "_SIBLINGS_SECONDS", 0)
    monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
    source, much = tf.FIFOQueue(4, tf.int32, [[]]), 100_000
    fill = tf.train.QueueRunner(source, [source.enqueue_many([[much, 0]])])
    counted = put_by_two_threads(counted_to(source.dequeue()))
    with tf.Session() as sess:
        fill.create_threads(sess, start=True)
        tf.train.start_queue_runners(sess)
        assert sess.run(counted) == much
        with pytest.raises(tf.errors.InvalidArgumentError, match="nothing to count"):
            while True:
                assert sess.run(counted) == much


@pytest.mark.parametrize("chunks", ["0", "16"])
def test_what_finds_no_room_is_put_after_a_failure(chunks, monkeypatch, tmp_path):
    monkeypatch.setattr(runner, "_SIBLINGS_SECONDS", 0)
    monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
    (tmp_path / "lines").write_text("".join(f"{number}\n" for number in range(100)))
    names, queue = tf.FIFOQueue(3, tf.string, [[]]), tf.FIFOQueue(2, tf.int32, [[]])
    by_hand, reader = names.enqueue(str(tmp_path / "lines")), tf.TextLineReader()
    number = tf.string_to_number(reader.read(names)[1], tf.int32)
    with tf.control_dependencies([tf.Assert(False, ["at once"])]):
        wrong = queue.enqueue(1)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(number), wrong]))
    taken, read = queue.dequeue(), reader.num_records_produced()
    looks, looked = runner.RunnerRun.enqueued, []
    monkeypatch.setattr(runner.RunnerRun, "enqueued", lambda run: looked.append(1) or looks(run))
    with tf.Session() as sess:
        sess.run(by_hand)
        right, fails = tf.train.start_queue_runners(sess, start=False)
        right.start()
        until(lambda: sess._owner.queues.is_full(sess._owner.pipeline.queues[queue.name]))
        fails.start()
        until(lambda: len(looked) > 9 or not fails.is_alive())
        # Room again: what the other thread does with it is another test's.
        monkeypatch.setattr(runner, "_SIBLINGS_SECONDS", 60)
        found = []
        with pytest.raises(tf.errors.InvalidArgumentError, match="at once"):
            while True:
                found.append(sess.run(taken))
        assert found == list(range(sess.run(read)))


@pytest.fixture
def endless(monkeypatch):
    """A failing runner waits for ever for siblings that are known to come back."""
    monkeypatch.setattr(runner, "_AT_WORK_SECONDS", float("inf"))


@pytest.mark.parametrize(
    "waits_for", ["an element", "a file's name", "Python", "a shared queue", "the main thread"]
)
def test_a_failure_is_told_where_a_sibling_waits_for_what_never_comes(waits_for, endless):
    source, never = tf.FIFOQueue(4, tf.string, [[]]), threading.Event()
    by_hand, value = source.enqueue("seven"), source.dequeue()
    queue = tf.FIFOQueue(2, tf.float32, [[]])
    wrong = queue.enqueue(tf.string_to_number(value))
    if waits_for == "a file's name":
        value = tf.IdentityReader().read(source)[1]
        wrong = queue.enqueue(tf.string_to_number(value))
    elif waits_for == "Python":
        number = tf.train.range_input_producer(4).dequeue()
        value = tf.py_func(lambda it: never.wait() and it, [number], number.dtype)
        value.set_shape([])
        value = tf.as_string(value)
    elif waits_for == "a shared queue":
        value = tf.FIFOQueue(4, tf.string, [[]], shared_name="everyones").dequeue()
    elif waits_for == "the main thread":
        later = tf.FIFOQueue(4, tf.string, [[]])
        later.enqueue("1")
        value = later.dequeue()
    right = queue.enqueue(tf.string_to_number(value))
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [right, wrong]))
    taken = queue.dequeue()
    with tf.Session() as sess:
        sess.run(by_hand)
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="seven"):
            sess.run(taken)
        never.set()


def test_a_failure_is_told_where_runners_wait_for_one_another(endless):
    there, back = tf.FIFOQueue(2, tf.int32, [[]]), tf.FIFOQueue(2, tf.int32, [[]])
    number = there.dequeue()
    with tf.control_dependencies([tf.Assert(number > 0, ["at its end"])]):
        put = back.enqueue(number - 1)
    tf.train.add_queue_runner(tf.train.QueueRunner(back, [put] * 2))
    tf.train.add_queue_runner(tf.train.QueueRunner(there, [there.enqueue(back.dequeue())]))
    begin, taken = there.enqueue(9), back.dequeue_many(2)
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        (demand, _, _), *_ = sess._owner.runs[0].demands()
        assert not starvation.comes_back(sess._owner, demand)
        sess.run(begin)
        until(lambda: any(run.failure for run in sess._owner.runs))
        with pytest.raises(tf.errors.InvalidArgumentError, match="at its end"):
            sess.run(taken)


def test_a_failure_is_told_where_a_sibling_goes_on_until_a_variable_says_so(endless):
    queue, more = tf.FIFOQueue(2, tf.int32, [[]]), tf.Variable(True, use_resource=True)
    turns = tf.while_loop(lambda i: more.read_value(), lambda i: i + 1, [0])
    with tf.control_dependencies([tf.Assert(False, ["at once"])]):
        wrong = queue.enqueue(1)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(turns), wrong]))
    taken = queue.dequeue()
    with tf.Session() as sess:
        sess.run(more.initializer)
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="at once"):
            sess.run(taken)


def test_a_failure_is_told_where_a_sibling_has_no_room_in_another_queue(endless):
    full, queue = tf.FIFOQueue(1, tf.int32, [[]]), tf.FIFOQueue(2, tf.int32, [[]])
    fill, number = full.enqueue(1), tf.train.range_input_producer(4).dequeue()
    with tf.control_dependencies([full.enqueue(2)]):
        right = queue.enqueue(number)
    with tf.control_dependencies([tf.Assert(False, ["at once"])]):
        wrong = queue.enqueue(1)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [right, wrong]))
    taken = queue.dequeue()
    with tf.Session() as sess:
        sess.run([fill, tf.local_variables_initializer()])
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="at once"):
            sess.run(taken)


def test_a_failure_is_told_where_a_sibling_reads_files_without_a_record_for_ever(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(runner, "_AT_WORK_SECONDS", 1)
    (tmp_path / "empty").touch()
    names = tf.train.string_input_producer([str(tmp_path / "empty")])
    queue, line = tf.FIFOQueue(2, tf.string, [[]]), tf.TextLineReader().read(names)[1]
    with tf.control_dependencies([tf.Assert(False, ["at once"])]):
        wrong = queue.enqueue("")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(line), wrong]))
    taken = queue.dequeue()
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="at once"):
            sess.run(taken)


def test_the_queue_is_closed_after_a_failure_whatever_the_look_at_siblings_meets(monkeypatch):
    looked = []
    monkeypatch.setattr(threading, "excepthook", looked.append)
    monkeypatch.setattr(starvation, "comes_back", lambda *_: 1 / 0)
    numbers, never = (tf.FIFOQueue(2, tf.float32, [[]]) for _ in range(2))
    right = numbers.enqueue(never.dequeue())
    wrong = numbers.enqueue(tf.string_to_number("seven"))
    tf.train.add_queue_runner(tf.train.QueueRunner(numbers, [right, wrong]))
    taken = numbers.dequeue()
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError, match="seven"):
            sess.run(taken)
    assert [each.exc_type for each in looked] == [ZeroDivisionError]


def test_a_stop_ends_a_runner_whose_closing_thread_was_never_started():
    """Ctrl-C came between the two starts."""
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    filling = tf.train.QueueRunner(queue, [queue.enqueue(1)])
    coord = tf.train.Coordinator()
    with tf.Session() as sess:
        puts, closes = filling.create_threads(sess, coord)
        assert "close" in closes.name
        puts.start()
        until(lambda: sess._owner.queues.is_full(sess._owner.pipeline.queues[queue.name]))
        coord.request_stop()
        coord.join([puts], stop_grace_period_secs=20)


# -- runners of a derived class; what is expected is what plain tensorflow.compat.v1 gives --------

PLAIN = tf.train.QueueRunner.__original__


def doubled(kind):
    """What comes of the numbers below 50, doubled, by a queue that a runner of class `kind` fills."""
    queue = tf.FIFOQueue(10, [tf.int32], [[]])
    number = tf.train.range_input_producer(50, num_epochs=1, shuffle=False).dequeue()
    filling = kind(queue, [queue.enqueue(2 * number)])
    tf.train.add_queue_runner(filling)
    return filling, queue.dequeue()


def drained(taken):
    """All elements, and the threads of the runners, which have ended."""
    found = []
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(sess.run(taken))
        coord.request_stop()
        coord.join(threads)
    assert not any(thread.is_alive() for thread in threads)
    return found, [thread.name for thread in threads if "input_producer" not in thread.name]


def first_ten(self, sess, enqueue_op, coord=None):
    for _ in range(10):
        sess.run(enqueue_op)
    with self._lock:
        self._runs_per_session[sess] -= 1
    sess.run(self._close_op)


@pytest.mark.parametrize("base", [tf.train.QueueRunner, PLAIN], ids=["ours", "TensorFlow's"])
def test_a_loop_of_its_own_is_run(base):
    filling, taken = doubled(type("FirstTen", (base,), {"_run": first_ten}))
    assert filling in tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    assert drained(taken)[0] == list(range(0, 20, 2))


@pytest.mark.parametrize("base", [tf.train.QueueRunner, PLAIN], ids=["ours", "TensorFlow's"])
def test_a_loop_of_its_own_around_tensorflows(base):
    class Told(base):
        def _run(self, sess, enqueue_op, coord=None):
            said.append("begins")
            super()._run(sess, enqueue_op, coord)
            said.append("ends")

    said = []
    _, taken = doubled(Told)
    batch = tf.train.batch([taken + 1], 10)
    found, _ = drained(batch)
    assert [list(each) for each in found] == [list(range(i, i + 20, 2)) for i in range(1, 100, 20)]
    assert said == ["begins", "ends"]


def test_a_closing_thread_of_its_own_is_run():
    class Told(tf.train.QueueRunner):
        def _close_on_stop(self, sess, cancel_op, coord):
            coord.wait_for_stop()
            said.append("closes")
            sess.run(cancel_op)

    said = []
    _, taken = doubled(Told)
    assert drained(taken)[0] == list(range(0, 100, 2))
    assert said == ["closes"]


def test_a_property_of_its_own_makes_no_threads():
    """TensorFlow's threads are made of what the property shows, and not of the property."""
    both = property(lambda self: self._enqueue_ops * 2)
    _, taken = doubled(type("Both", (tf.train.QueueRunner,), {"enqueue_ops": both}))
    found, names = drained(taken)
    assert found == list(range(0, 100, 2))
    assert len(names) == 2


def test_a_start_of_its_own_is_told_whether_to_start():
    class Besides(tf.train.QueueRunner):
        def create_threads(self, sess, coord=None, daemon=False, start=False):
            made = super().create_threads(sess, coord=coord, daemon=daemon, start=start)
            said.append((start, len(made), any(thread.ident is None for thread in made)))
            return made

    said = []
    _, taken = doubled(Besides)
    assert drained(taken)[0] == list(range(0, 100, 2))
    assert said == [(True, 2, False)]


def test_which_runners_run_in_a_way_of_their_own():
    filling, _ = doubled(tf.train.QueueRunner)
    queue, puts = filling.queue, filling.enqueue_ops
    assert op_types.redefined(filling) == op_types.redefined(PLAIN(queue, puts)) == []
    quiet = type("Quiet", (tf.train.QueueRunner,), {"more": 1})
    assert op_types.redefined(quiet(queue, puts)) == []
    assert op_types.redefined(type("Bare", (PLAIN,), {})(queue, puts)) == ["create_threads"]
    again = type("First", (quiet,), {"_run": first_ten})(queue_runner_def=filling.to_proto())
    assert op_types.redefined(again) == ["_run"]
    assert op_types.redefined(type(again).from_proto(again.to_proto())) == []
    filling._run = first_ten
    assert op_types.redefined(filling) == ["_run"]
    assert [each.name for each in Pipeline(queue.queue_ref.graph).runners] == ["input_producer"]


def test_a_loop_of_its_own_that_comes_late_starves_nobody(monkeypatch):
    looked, count, workers = threading.Event(), [], []

    def look(watch, original=starvation.WaitWatch.look):
        original(watch)
        count.append(watch)
        if len(count) > 8:
            looked.set()

    class Late(tf.train.QueueRunner):
        def _run(self, sess, enqueue_op, coord=None):
            workers.append(threading.current_thread())
            if looked.wait(60):
                sess.run(enqueue_op)

    monkeypatch.setattr(starvation.WaitWatch, "look", look)
    _, taken = doubled(Late)
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        tf.train.start_queue_runners(sess)
        assert sess.run(taken) == 0
        assert looked.is_set()
        workers[0].join(60)
        with pytest.raises(errors.StarvationError, match="has ended"):
            sess.run(taken)


def test_the_sessions_end_ends_a_loop_of_its_own():
    class Told(tf.train.QueueRunner):
        def _run(self, sess, enqueue_op, coord=None):
            try:
                super()._run(sess, enqueue_op, coord)
            except (tf.errors.CancelledError, RuntimeError):
                said.append("ended")

    said = []
    queue = tf.FIFOQueue(2, [tf.int32], [[]])
    filling = Told(queue, [queue.enqueue(7)])
    with tf.Session() as sess:
        threads = filling.create_threads(sess, start=True)
        assert sess.run(queue.dequeue()) == 7
    threads[0].join(60)
    assert said == ["ended"]


@pytest.mark.parametrize(
    ("is_chief", "counted", "made"),
    [(False, True, 0), (False, False, 1), (True, True, 1), (None, True, 1)],
)
def test_a_queue_that_the_chief_fills_gets_no_threads_elsewhere(
    monkeypatch, is_chief, counted, made
):
    queue = tf.FIFOQueue(2, tf.int32, [[]])
    filler = tf.train.QueueRunner(queue, [queue.enqueue(1)])
    with tf.Session() as sess:
        owner = Owner.of(sess)
        owner.link.is_chief = is_chief
        monkeypatch.setattr(runner.cluster, "is_counted", lambda *given: counted)
        threads = filler.create_threads(sess)
        assert isinstance(threads, list)
        assert len(threads) == made
        assert len(owner.runs) == made
