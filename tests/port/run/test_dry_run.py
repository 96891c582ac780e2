"""What a dry run notes, passes over, and puts back."""

import signal
import sys
import threading

import pytest

import tfqueue.v1 as tf
from tfqueue.port.run import dry_run


def queue_of(graph):
    with graph.as_default():
        queue = tf.FIFOQueue(9, tf.int32, [[]])
        return queue, queue.enqueue(1), queue.dequeue(name="taken")


def test_the_interrupt_key_ends_the_program_once_its_step_is_reached():
    before = signal.getsignal(signal.SIGINT)
    with dry_run.dry_running() as seen:
        seen.step = object()
        with pytest.raises(dry_run.StepReached):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_handler_of_before_that_is_none_is_not_called():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with dry_run.dry_running():
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_outside_of_the_main_thread_signals_are_left_alone():
    found = []

    def work():
        with dry_run.dry_running() as seen:
            found.append(seen)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert [one.step for one in found] == [None]


def test_steps_that_only_put_are_passed_over_and_the_first_that_takes_is_kept():
    graph = tf.Graph()
    _, put, taken = queue_of(graph)
    with graph.as_default():
        both = tf.group(put), taken
    with dry_run.dry_running() as seen, tf.Session(graph=graph) as sess:
        assert sess.run(put) is None
        assert sess.run([put, put]) == [None, None]
        assert sess.run((put,)) == [None]
        assert seen.step is None
        with pytest.raises(dry_run.StepReached):
            sess.run(both)
        assert [leaf.name for leaf in seen.step.leaves][1:] == ["taken:0"]
        first = seen.step
        with pytest.raises(dry_run.StepReached):
            sess.run(taken)
        with pytest.raises(dry_run.StepReached):
            sess.run(put)  # a thread that feeds without end is ended as well
        assert seen.step is first
    assert graph in seen.graphs
    assert len(seen.graphs) == len(set(map(id, seen.graphs)))


def test_a_step_that_puts_and_gives_a_value_is_not_passed_over():
    graph = tf.Graph()
    _, put, _ = queue_of(graph)
    with graph.as_default(), tf.control_dependencies([put]):
        value = tf.constant(7) + 1
    with dry_run.dry_running() as seen, tf.Session(graph=graph) as sess:
        with pytest.raises(dry_run.StepReached):
            sess.run([put, value])
    assert seen.step.fetches == [put, value]


def test_callables_are_looked_at_too():
    graph = tf.Graph()
    _, put, taken = queue_of(graph)
    with graph.as_default():
        x = tf.placeholder(tf.int32, [])
        double = x * 2
    with dry_run.dry_running() as seen, tf.Session(graph=graph) as sess:
        assert sess.make_callable(double, [x])(4) == 8
        assert sess.make_callable(put)() is None
        take = sess.make_callable([taken, double], [x])
        with pytest.raises(dry_run.StepReached):
            take(3)
    assert list(seen.step.feed_dict.values()) == [3]


@pytest.mark.parametrize(("given", "found"), [((), 9), ((4,), 12), ((4, 1), 5), ((4, 1, 7), 5)])
def test_a_callable_takes_more_values_than_feeds_and_fewer(given, found):
    """As in 1.15.5: what is not fed has its default, and what is left is dropped."""
    with dry_run.dry_running(), tf.Session() as sess:
        feeds = [tf.placeholder_with_default(value, []) for value in (1, 8)]
        assert sess.make_callable(tf.add(*feeds), feeds)(*given) == found


def test_what_cannot_be_fetched_is_for_the_session_to_say():
    with tf.Graph().as_default(), dry_run.dry_running() as seen, tf.Session() as sess:
        tf.constant(1)
        with pytest.raises(TypeError):
            sess.run(7)
        with pytest.raises(ValueError, match="nope"):
            sess.run("nope:0")
    assert seen.step is None


def test_all_of_them_are_run_where_no_graph_is_asked_for():
    graph = tf.Graph()
    _, put, taken = queue_of(graph)
    with dry_run.dry_running(None) as seen, tf.Session(graph=graph) as sess:
        sess.run(put)
        assert sess.run(taken) == 1
    assert (seen.step, seen.started) == (None, [])


def test_what_is_made_is_noted():
    with dry_run.dry_running() as seen:
        graph, coord = tf.Graph(), tf.train.Coordinator()
        with graph.as_default():
            number = tf.train.range_input_producer(4).dequeue()
            (runner,) = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
            with tf.Session() as sess:
                assert runner.create_threads(sess, coord=coord, start=True) == []
                assert runner.create_threads(sess, coord=coord, start=True) == []
                with pytest.raises(dry_run.StepReached):
                    sess.run(number)
    assert (seen.graphs, seen.coordinators, seen.started) == ([graph], [coord], [runner])
    assert seen.step.place[0] == __file__


def test_a_thread_that_reaches_its_step_wakes_the_main_thread(monkeypatch):
    graph = tf.Graph()
    _, _, taken = queue_of(graph)
    ended = []
    with dry_run.dry_running() as seen, tf.Session(graph=graph) as sess:

        def work():
            try:
                sess.run(taken)
            except dry_run.StepReached:
                ended.append(True)
                raise

        thread = threading.Thread(target=work)
        with pytest.raises(dry_run.StepReached):
            thread.start()
            threading.Event().wait(60)
        thread.join()
    assert (ended, seen.step.fetches) == ([True], taken)


def test_what_a_thread_fails_with_before_the_step_is_shown(monkeypatch):
    shown = []
    monkeypatch.setattr(threading, "excepthook", lambda args: shown.append(args.exc_type))
    with dry_run.dry_running() as seen:
        for error in (ValueError, dry_run.StepReached):
            for step in (None, object()):
                seen.step = step
                threading.excepthook(threading.ExceptHookArgs((error, error(), None, None)))
    assert shown == [ValueError, ValueError, dry_run.StepReached]


def test_a_program_that_runs_its_step_for_ever_is_ended(monkeypatch, capsys):
    graph = tf.Graph()
    _, _, taken = queue_of(graph)

    class Ended(Exception):
        pass

    def exit_(status):
        raise Ended(status)

    monkeypatch.setattr(dry_run.os, "_exit", exit_)
    tries = 0
    with dry_run.dry_running(), tf.Session(graph=graph) as sess:
        with pytest.raises(Ended, match="1"):
            while True:
                tries += 1
                with pytest.raises(dry_run.StepReached):
                    sess.run(taken)
    assert tries == dry_run._TRIES + 1
    assert capsys.readouterr().err.startswith("tfqueue: the program catches every exception")
    assert "old" not in sys.modules
