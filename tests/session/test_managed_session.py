"""`tfqueue.managed_session`: what it starts, how it ends, and what it raises."""

import gc
import os
import signal
import threading
import types
import weakref

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors


def numbers(limit=10, epochs=1, batch_size=2, **kwargs):
    """A batch of the numbers 0 to limit - 1, in order."""
    number = tf.train.range_input_producer(limit, num_epochs=epochs, shuffle=False).dequeue()
    return tf.train.batch([number], batch_size, **kwargs)


def test_it_is_the_default_session_and_initialises_everything():
    weight = tf.Variable(7, name="weight")
    local = tf.Variable(8, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    table = tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer(["a"], tf.constant([9], tf.int64)), -1
    )
    found = table.lookup(tf.constant("a"))
    with tfqueue.managed_session() as sess:
        assert tf.get_default_session() is sess
        assert isinstance(sess, tf.Session)
        assert sess.graph is tf.get_default_graph()
        assert (weight.eval(), local.eval(), found.eval()) == (7, 8, 9)
        assert not sess.graph.finalized
        assert tf.constant(1).eval() == 1
    assert tf.get_default_session() is None


def test_batches_go_to_the_end_of_the_data():
    batch = numbers()
    with tfqueue.managed_session() as sess:
        assert [b.tolist() for b in sess.batches(batch)] == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
        assert [b.tolist() for b in sess.batches(batch)] == []


def test_batches_stop_after_steps_and_keep_the_structure():
    batch = numbers(epochs=None)
    with tfqueue.managed_session() as sess:
        got = list(sess.batches({"twice": [batch, batch * 2]}, steps=3))
    assert [b["twice"][0].tolist() for b in got] == [[0, 1], [2, 3], [4, 5]]
    assert got[0]["twice"][1].tolist() == [0, 2]


def test_should_stop_is_the_coordinators():
    batch = numbers(epochs=None)
    with tfqueue.managed_session() as sess:
        steps = 0
        while not sess.should_stop():
            sess.run(batch)
            steps += 1
            if steps == 4:
                sess.coord.request_stop()
    assert steps == 4


def test_the_end_of_the_data_ends_the_block_quietly():
    batch, seen = numbers(), []
    with tfqueue.managed_session() as sess:
        while True:
            seen += sess.run(batch).tolist()
    assert seen == list(range(10))


def test_the_users_own_initialisation_has_its_place(tmp_path):
    fed = tf.placeholder(tf.int32, [])
    start = tf.Variable(fed, name="start", validate_shape=False)
    other = tf.Variable(1, name="other")
    saver = tf.train.Saver([other])
    order = []
    with tf.Session() as sess:
        sess.run(other.assign(0).op, {fed: 0})
        sess.run(tf.global_variables_initializer(), {fed: 0})
        sess.run(other.assign(42))
        path = saver.save(sess, str(tmp_path / "model"))
    for checkpoint in (path, str(tmp_path)):
        with tfqueue.managed_session(
            init_op=tf.group(start.initializer, other.initializer),
            init_feed_dict={fed: 5},
            saver=saver,
            checkpoint=checkpoint,
            init_fn=lambda sess: order.append(sess.run([start, other])),
        ) as sess:
            assert sess.run([start, other]) == [5, 42]
    assert order == [[5, 42]] * 2


def test_a_failure_while_starting_leaves_nothing():
    numbers()
    with pytest.raises(ZeroDivisionError), tfqueue.managed_session(init_fn=lambda sess: 1 / 0):
        pytest.fail("not reached")


def test_an_exception_in_the_body_is_passed_on():
    batch = numbers(epochs=None)
    with pytest.raises(ZeroDivisionError), tfqueue.managed_session() as sess:
        sess.run(batch)
        raise ZeroDivisionError


def test_a_missing_file_is_raised_in_the_main_thread_as_what_it_is():
    names = tf.train.string_input_producer(["no/such/file.tfrecord"])
    _, record = tf.TFRecordReader().read(names)
    batch = tf.train.batch([record], 2)
    with pytest.raises(tf.errors.NotFoundError, match=r"no/such/file\.tfrecord") as caught:
        with tfqueue.managed_session() as sess:
            for _ in sess.batches(batch):
                pytest.fail("there is nothing to deliver")
    assert "batch/fifo_queue" in "\n".join(caught.value.__notes__)


def test_what_was_read_before_a_failure_is_delivered_first(records):
    path = records([b"1", b"2", b"3", b"4", b"bad", b"6", b"7"])
    names = tf.train.string_input_producer([path], num_epochs=1)
    _, record = tf.TFRecordReader().read(names)
    batch = tf.train.batch([tf.string_to_number(record)], 2)
    seen = []
    with (
        pytest.raises(tf.errors.InvalidArgumentError, match="bad"),
        tfqueue.managed_session() as sess,
    ):
        for values in sess.batches(batch):
            seen += values.tolist()
    assert seen == [1, 2, 3, 4]


def test_a_failure_through_two_queues_is_delivered_last():
    def break_at_six(x):
        if x == 6:
            raise ValueError("six is broken")
        return x

    number = tf.train.range_input_producer(10, num_epochs=1, shuffle=False).dequeue()
    checked = tf.py_func(break_at_six, [number], tf.int32)
    checked.set_shape([])
    first = tf.train.batch([checked], 1)
    second = tf.train.batch([first], 2, enqueue_many=True)
    seen = []
    with pytest.raises(tf.errors.InvalidArgumentError, match="six is broken"):
        with tfqueue.managed_session() as sess:
            for values in sess.batches(second):
                seen += values.tolist()
    assert seen == [0, 1, 2, 3, 4, 5]


def test_a_failure_that_no_step_met_is_raised_at_the_end():
    names = tf.train.string_input_producer(["no/such/file.tfrecord"])
    _, record = tf.TFRecordReader().read(names)
    tf.train.batch([record], 2)
    with pytest.raises(tf.errors.NotFoundError), tfqueue.managed_session() as sess:
        sess.coord.wait_for_stop()


def test_the_users_error_wins_and_the_runners_is_noted():
    names = tf.train.string_input_producer(["no/such/file.tfrecord"])
    _, record = tf.TFRecordReader().read(names)
    tf.train.batch([record], 2)
    with pytest.raises(ZeroDivisionError) as caught, tfqueue.managed_session() as sess:
        sess.coord.wait_for_stop()
        raise ZeroDivisionError
    assert "NotFoundError" in "\n".join(caught.value.__notes__)


def test_ctrl_c_while_a_dequeue_waits():
    """A real SIGINT, sent once the step is known to be waiting."""
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    put, take = queue.enqueue(1), queue.dequeue_many(2)
    waiting = threading.Event()

    def interrupt(sess):
        sess.run(put)
        owner = sess._owner
        while not any(job.plan.takes for job in list(owner.steps.under_way)):
            waiting.wait(0.01)
        os.kill(os.getpid(), signal.SIGINT)
        ended.wait(60)  # a live feeder, so that the wait is not declared hopeless

    ended = threading.Event()
    with pytest.raises(KeyboardInterrupt), tfqueue.managed_session() as sess:
        thread = threading.Thread(target=interrupt, args=(sess,))
        thread.start()
        try:
            sess.run(take)
        finally:
            ended.set()
            thread.join()


def test_a_step_that_was_interrupted_loses_nothing():
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    value = tf.placeholder(tf.int32, [])
    put, take = queue.enqueue(value), queue.dequeue_many(2)
    ended, first = threading.Event(), threading.Event()

    def feed(sess):
        sess.run(put, {value: 1})
        while not any(job.plan.takes for job in list(sess._owner.steps.under_way)):
            first.wait(0.01)
        os.kill(os.getpid(), signal.SIGINT)
        ended.wait(60)
        sess.run(put, {value: 2})

    with tfqueue.managed_session() as sess:
        thread = threading.Thread(target=feed, args=(sess,))
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            sess.run(take)
        ended.set()
        assert sess.run(take).tolist() == [1, 2]
        thread.join()


ENDINGS = {
    "end of data": lambda sess, batch: list(sess.batches(batch)),
    "steps": lambda sess, batch: list(sess.batches(batch, steps=1)),
    "break": lambda sess, batch: next(sess.batches(batch)),
    "no step": lambda sess, batch: None,
    "request_stop": lambda sess, batch: sess.coord.request_stop(),
    "closed": lambda sess, batch: sess.close(),
    "exception": lambda sess, batch: 1 / 0,
    "interrupt": lambda sess, batch: signal.raise_signal(signal.SIGINT),
    "end raised": lambda sess, batch: [sess.run(batch) for _ in range(100)],
}


def test_sessions_ended_in_every_way_leave_no_thread():
    batch = numbers(20, num_threads=2)
    before = set(threading.enumerate())
    for ending in [*ENDINGS] * 5:
        try:
            with tfqueue.managed_session() as sess:
                ENDINGS[ending](sess, batch)
        except (ZeroDivisionError, KeyboardInterrupt):
            assert ending in ("exception", "interrupt")
        assert not set(threading.enumerate()) - before, ending


def test_a_thread_that_never_ends_is_named(monkeypatch):
    from tfqueue.session import owner

    monkeypatch.setattr(owner, "_JOIN_SECONDS", 0.2)
    begun, let_go = threading.Event(), threading.Event()

    def wait(x):
        begun.set()
        let_go.wait()
        return x

    number = tf.train.range_input_producer(10, shuffle=False).dequeue()
    slow = tf.py_func(wait, [number], tf.int32)
    slow.set_shape([])
    batch = tf.train.batch([slow], 2)
    # It has all of TensorFlow's threads for steps, as on a machine of one core.
    one = tf.ConfigProto(inter_op_parallelism_threads=1, use_per_session_threads=True)
    sess = tf.Session(config=one)
    threads = tf.train.start_queue_runners(sess)
    assert begun.wait(60)
    try:
        with pytest.raises(errors.ThreadsStillRunning, match=r"batch/fifo_queue.*py_func"):
            sess.close()
    finally:
        let_go.set()
        for thread in threads:
            thread.join(60)
    assert batch is not None


def test_the_pipeline_of_a_session_is_its_graphs():
    numbers()
    with tfqueue.managed_session() as sess:
        assert "batch/fifo_queue" in sess.pipeline.queues


def test_a_priority_queue_is_quiet_too(capfd):
    number = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
    queue = tf.PriorityQueue(10, tf.int32, [[]])
    put = queue.enqueue([tf.cast(-number, tf.int64), number])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    taken = queue.dequeue_many(2)[1]
    with tfqueue.managed_session() as sess:
        assert sum(len(values) for values in sess.batches(taken)) == 6
    assert capfd.readouterr().err == ""


def test_a_runner_that_feeds_no_queue_is_supervised_too():
    from tensorflow.python.ops import data_flow_ops  # Barrier is not a public name

    def fail():
        raise ValueError("no element")

    barrier = data_flow_ops.Barrier([tf.float32], shapes=[[]])
    value = tf.py_func(fail, [], tf.float32)
    value.set_shape([])
    insert = barrier.insert_many(0, keys=["a"], values=[value])
    runner = tf.train.QueueRunner(
        barrier, [insert], barrier.close(), barrier.close(cancel_pending_enqueues=True)
    )
    tf.train.add_queue_runner(runner)
    _, _, taken = barrier.take_many(1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="no element"):
        with tfqueue.managed_session() as sess:
            sess.run(taken)


@pytest.mark.parametrize("managed", [True, False])
def test_a_session_that_failed_is_freed(managed):
    names = tf.train.string_input_producer(["no/such/file"])
    _, record = tf.TFRecordReader().read(names)
    batch = tf.train.batch([record], 2)

    def fail():
        with tfqueue.managed_session() if managed else tf.Session() as sess:
            coord = sess.coord if managed else tf.train.Coordinator()
            if not managed:
                tf.train.start_queue_runners(sess, coord)
            with pytest.raises(tf.errors.NotFoundError):
                sess.run(batch)
            if managed:
                coord.drop_error()
            return weakref.ref(sess)

    left = fail()
    gc.collect()
    assert left() is None


def test_a_feeder_that_nobody_kept_and_that_died_is_noticed():
    queue = tf.FIFOQueue(10, tf.int32, shapes=[[]])
    put, take = queue.enqueue(1), queue.dequeue_many(2)
    fed = threading.Event()

    def feed(sess):
        sess.run(put)
        fed.set()

    with pytest.raises(errors.StarvationError, match="holds"), tfqueue.managed_session() as sess:
        threading.Thread(target=feed, args=(sess,)).start()
        assert fed.wait(60)
        gc.collect()
        sess.run(take)


def test_a_checkpoint_is_saved_without_a_word(tmp_path, caplog):
    """What is ours in the graph is nothing that a `Saver` wants to write out, and cannot."""
    batch = numbers()
    tf.Variable(1, name="saved")
    saver = tf.train.Saver()
    with tfqueue.managed_session() as sess:
        sess.run(batch)
        saver.save(sess, str(tmp_path / "model"))
    assert not caplog.records


@pytest.mark.parametrize(
    ("remote", "clean", "is_chief", "ends"),
    [
        (False, True, True, ["stop", "join"]),
        (True, True, True, ["stop", "close queue", "close", "join"]),
        (True, True, False, ["stop", "close", "join"]),
        (True, False, True, ["stop", "close", "join"]),
    ],
)
def test_a_chief_ends_what_it_fills_for_the_others(monkeypatch, remote, clean, is_chief, ends):
    """Threads on a server wait for what only the end of their session releases: it comes before the join."""
    done = []
    run = types.SimpleNamespace(close_queue=lambda: done.append("close queue"))
    coord = types.SimpleNamespace(
        request_stop=lambda: done.append("stop"), join=lambda threads: done.append("join")
    )
    link = types.SimpleNamespace(silent=False)
    owner = types.SimpleNamespace(remote=remote, link=link, runs_of=lambda queue: [run])
    sess = types.SimpleNamespace(
        _owner=owner,
        coord=coord,
        _is_chief=is_chief,
        _own_threads=[],
        close=lambda: done.append("close"),
    )
    monkeypatch.setattr("tfqueue.session.cluster.counted_queues", lambda owner: ["queue"])
    tfqueue.session.ManagedSession._end_threads(sess, clean)
    assert done == ends
