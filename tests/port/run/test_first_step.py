"""Programs that are stopped where their input pipeline would start, and what they hand over."""

import atexit
import sys
import textwrap
import threading

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.port.run import dry_run, first_step
from tfqueue.port.source.files import Unreadable


@pytest.fixture
def stopped(tmp_path):
    """Runs a program's text as far as its first step."""

    def run(text, name="old.py", **options):
        program = tmp_path / name
        program.write_text(textwrap.dedent(text))
        return first_step.first_step(str(program), **options)

    return run


TEXTBOOK = """
    import tensorflow as tf
    names = tf.train.string_input_producer(["no_such_file"], num_epochs=2)
    _, value = tf.TextLineReader().read(names)
    batch = tf.train.shuffle_batch([value], 4, capacity=20, min_after_dequeue=10, num_threads=3)
    with tf.Session() as sess:
        sess.run(tf.initialize_all_variables())
        sess.run(tf.initialize_local_variables())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(coord=coord)
        try:
            while not coord.should_stop():
                sess.run(batch)
        except tf.errors.OutOfRangeError:
            print("the end of the data")
        finally:
            coord.request_stop()
        coord.join(threads)
        print("trained")
    """


def test_the_textbook_program_is_stopped_at_its_first_batch(stopped, capsys):
    reached = stopped(TEXTBOOK)
    assert reached.step.place[1] == 13
    assert reached.step.fetches.op.name.startswith("shuffle_batch")
    assert list(tfqueue.pipeline(reached.graph).queues) == [
        "input_producer",
        "shuffle_batch/random_shuffle_queue",
    ]
    assert reached.error is None
    assert reached.left == ()
    out, err = capsys.readouterr()
    assert out == ""
    assert "end of the data" not in err
    assert "trained" not in err


def test_everything_is_put_back(stopped):
    def methods():
        owners = dry_run.session.OwnedSession, tf.Session.__mro__[2], tf.train.QueueRunner
        found = [owner.__dict__.get("run") for owner in owners]
        return [*found, tf.train.QueueRunner.create_threads, tf.Graph.__init__, atexit.register]

    before = methods()
    stopped(TEXTBOOK)
    assert methods() == before
    numbers = tf.train.range_input_producer(3, shuffle=False).dequeue()
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        assert sess.run(numbers) == 0


def test_sessions_of_tensorflows_own_are_stopped_too(stopped):
    assert dry_run._tensorflow.base_session().__name__ == "BaseSession"
    reached = stopped(
        """
        import tensorflow as tf
        number = tf.train.range_input_producer(4).dequeue(name="number")
        tf.train.get_or_create_global_step()
        with tf.train.MonitoredTrainingSession() as sess:
            while not sess.should_stop():
                sess.run({"n": number})
        """
    )
    assert "n" in reached.step.fetches or reached.step.leaves
    assert [leaf.name for leaf in reached.step.leaves] == ["number:0"]


def test_a_runner_that_nobody_registered_is_known(stopped):
    reached = stopped(
        """
        import tensorflow as tf
        queue = tf.FIFOQueue(50, tf.float32, shapes=[[]])
        runner = tf.train.QueueRunner(queue, [queue.enqueue(1.0)] * 4)
        taken = queue.dequeue()
        with tf.Session() as sess:
            coord = tf.train.Coordinator()
            threads = runner.create_threads(sess, coord=coord, start=True)
            for _ in range(100):
                sess.run(taken)
            coord.request_stop()
            coord.join(threads)
        """
    )
    [runner] = tfqueue.pipeline(reached.graph).runners
    assert runner.threads == 4


def test_threads_that_feed_and_train_are_ended(stopped):
    # the main thread waits for what the training thread will never put
    reached = stopped(
        """
        import tensorflow as tf, threading
        from six.moves import queue as queues
        x = tf.placeholder(tf.float32, [])
        queue = tf.FIFOQueue(2, tf.float32, shapes=[[]])
        put, taken = queue.enqueue(x), queue.dequeue(name="taken")
        sess, done = tf.Session(), queues.Queue()
        def feed():
            while True:
                sess.run(put, {x: 1.0})
        def train():
            done.put(sess.run(taken))
        for target in feed, train:
            thread = threading.Thread(target=target)
            thread.daemon = target is feed
            thread.start()
            if target is feed:
                sess.run(put, {x: 2.0})
        print(done.get())
        """
    )
    assert [leaf.name for leaf in reached.step.leaves] == ["taken:0"]
    assert reached.left == ()


def test_a_handler_of_everything_does_not_hide_the_step(stopped):
    reached = stopped(
        """
        import tensorflow as tf
        number = tf.train.range_input_producer(4).dequeue(name="number")
        sess = tf.Session()
        tf.train.start_queue_runners(sess)
        for _ in range(3):
            try:
                sess.run(number)
            except:
                continue
        raise ValueError("what came of it")
        """
    )
    assert reached.step is not None
    assert reached.error is None


def test_exit_handlers_run_at_once(stopped, capsys):
    stopped(
        """
        import atexit
        atexit.register(print, "second")
        atexit.register(print, "first")
        """
    )
    assert capsys.readouterr().err == "first\nsecond\n"


def test_a_program_that_fails_hands_over_what_it_had(stopped):
    reached = stopped(
        """
        import tensorflow as tf
        with tf.Graph().as_default():
            tf.train.range_input_producer(4, name="numbers")
        raise ValueError("no data")
        """
    )
    assert str(reached.error) == "no data"
    assert reached.step is None
    assert list(tfqueue.pipeline(reached.graph).queues) == ["numbers"]


def test_without_a_pipeline_there_is_no_graph(stopped):
    assert stopped("import tensorflow as tf; tf.Session().run(tf.constant(1))").graph is None


def test_the_second_graph_comes_after_the_first_has_run(stopped, capsys):
    text = """
        import tensorflow as tf
        for size in 2, 3:
            with tf.Graph().as_default():
                number = tf.train.range_input_producer(size, shuffle=False).dequeue()
                with tf.Session() as sess:
                    coord = tf.train.Coordinator()
                    threads = tf.train.start_queue_runners(sess, coord)
                    print("of", size, [int(sess.run(number)) for _ in range(3)])
                    coord.request_stop()
                    coord.join(threads)
        """
    reached = stopped(text, nth=2)
    assert capsys.readouterr().err == "of 2 [0, 1, 0]\n"
    assert reached.step.place[1] == 9
    third = stopped(text, nth=3)
    assert (third.graph, third.step) == (None, None)


def test_notebooks(stopped):
    import json

    cells = ["import tensorflow as tf", "x = tf.train.range_input_producer(4).dequeue(name='x')"]
    cells += ["sess = tf.Session()\ntf.train.start_queue_runners(sess)", "sess.run(x)", "1 / 0"]
    document = {
        "cells": [{"cell_type": "code", "source": text, "metadata": {}} for text in cells],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    reached = stopped(json.dumps(document), name="old.ipynb")
    assert [leaf.name for leaf in reached.step.leaves] == ["x:0"]
    assert reached.error is None


def test_no_such_program(tmp_path):
    with pytest.raises(Unreadable, match="no such file"):
        first_step.first_step(str(tmp_path / "none.py"))


def test_the_interrupt_key_still_interrupts():
    import signal

    with pytest.raises(KeyboardInterrupt):
        with dry_run.dry_running():
            signal.raise_signal(signal.SIGINT)
    assert threading.main_thread() is threading.current_thread()
    assert "old" not in sys.modules
