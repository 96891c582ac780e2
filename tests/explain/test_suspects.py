"""Finding the bad record among all that were read."""

from __future__ import annotations

import itertools
import threading
import time
import types

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.explain import diagnosis, suspects


@pytest.fixture(autouse=True)
def one_example_a_step(monkeypatch):
    """Of a chunk the accelerator knows the record; only where there is none it is searched for."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "0")


def notes_of(error):
    return "\n".join(getattr(error, "__notes__", []))


def _names(paths, epochs=1, shuffle=False):
    return tf.train.string_input_producer(paths, num_epochs=epochs, shuffle=shuffle)


def _lengths(paths, threads=1, **kwargs):
    """Batches of records, each of which must be 4 bytes long."""
    value = tf.TFRecordReader().read(_names(paths, **kwargs))[1]
    octets = tf.decode_raw(value, tf.uint8)
    octets.set_shape([4])
    return tf.train.batch([octets], 5, num_threads=threads, capacity=64)


def _failure(fetches):
    """The failure that a pipeline ends with, and the seconds from the first step to it."""
    began = time.monotonic()
    with pytest.raises(tf.errors.InvalidArgumentError) as caught, tfqueue.managed_session() as sess:
        for _ in sess.batches(fetches):
            pass
    return notes_of(caught.value), time.monotonic() - began


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("epochs", [1, None])
def test_the_bad_one_of_many_is_found(records, threads, epochs):
    path = records([b"good"] * 3000 + [b"bad"] + [b"good"] * 500)
    notes, _ = _failure(_lengths([path], threads, epochs=epochs))
    assert f"the record is {path}:{3000 * 20}" in notes


def test_it_is_found_in_any_file_when_the_order_is_not_known(records):
    paths = [records([b"good"] * 50, f"{name}.tfrecord") for name in "abc"]
    bad = records([b"good"] * 7 + [b"evil!"], "d.tfrecord")
    notes, _ = _failure(_lengths([*paths, bad], shuffle=True))
    assert f"the record is {bad}:140" in notes


@pytest.mark.parametrize("draws", ["a crop", "candidates"])
def test_a_step_that_draws_at_random_is_tried_again(records, draws):
    """Such ops keep a state, but a draw more is seen by nobody."""
    path = records([b"good"] * 50 + [b"bad"])
    value = tf.TFRecordReader().read(_names([path]))[1]
    octets = tf.reshape(tf.decode_raw(value, tf.uint8), [2, 2, 1])
    if draws == "a crop":
        boxes = tf.zeros([1, 1, 4])
        begin, _, _ = tf.image.sample_distorted_bounding_box(
            [2, 2, 1], boxes + tf.cast(octets[0, 0, 0], tf.float32) * 0
        )
    else:
        labels = tf.cast(tf.reshape(octets, [1, 4]), tf.int64)
        begin = tf.nn.log_uniform_candidate_sampler(labels, 4, 2, True, 300)[0]
    notes, _ = _failure(tf.train.batch([begin, octets], 5, num_threads=1))
    assert f"the record is {path}:{50 * 20}" in notes


def test_among_shards_of_one_size_the_place_is_tried_first(records, monkeypatch):
    """The bad one is the 900th of some shard, and only a few are tried of each."""
    good = [b"good"] * 1000
    paths = [records(good, f"{number}.tfrecord") for number in range(5)]
    bad = records([*good[:900], b"bad", *good[901:]], "bad.tfrecord")
    replayed = _replayed(monkeypatch)
    notes, _ = _failure(_lengths([*paths, bad], shuffle=True))
    assert f"the record is {bad}:{900 * 20}" in notes
    assert len(replayed) < 100


def _replayed(monkeypatch):
    """The keys of the records that a search tries from now on, as a set that fills."""
    found = set()
    original = suspects.Replay.values

    def watching(self, tensors, record):
        found.add(record[0])
        return original(self, tensors, record)

    monkeypatch.setattr(suspects.Replay, "values", watching)
    return found


def test_the_search_begins_where_the_reader_stood(records, monkeypatch):
    """Thousands of records in front cost a look at their lengths, and no replay."""
    replayed = _replayed(monkeypatch)
    paths = [records([b"good"] * 500, f"{name}.tfrecord") for name in "abc"]
    other = records([b"bad"], "other.tfrecord")
    notes, _ = _failure(_lengths([*paths, other]))
    assert f"the record is {other}:0" in notes
    assert len(replayed) < 10


def test_after_its_budget_the_search_ends_and_the_files_are_named(records, monkeypatch):
    monkeypatch.setattr(suspects, "BUDGET", -1.0)
    path = records([b"bad"] + [b"good"] * 10)
    other = records([b"good"] * 10, "other.tfrecord")
    notes, _ = _failure(_lengths([other, path], shuffle=True))
    assert "the record is" not in notes
    assert f"its files: {other}, {path}" in notes


def test_a_read_of_several_records(records):
    path = records([b"good"] * 8 + [b"bad"])
    _, values = tf.TFRecordReader().read_up_to(_names([path]), 3)
    octets = tf.decode_raw(values, tf.uint8)
    octets.set_shape([None, 4])
    batch = tf.train.batch([octets], 2, enqueue_many=True)
    notes, _ = _failure(batch)
    assert f"{path}" in notes


def test_what_leaves_traces_is_not_done_again(records):
    """A Python function that counts must not count the search."""
    calls = itertools.count()

    def check(value):
        next(calls)
        return value

    path = records([b"good"] * 6 + [b"bad"])
    value = tf.py_func(check, [tf.TFRecordReader().read(_names([path]))[1]], tf.string)
    octets = tf.decode_raw(tf.reshape(value, []), tf.uint8)
    octets.set_shape([4])
    _failure(tf.train.batch([octets], 2))
    assert next(calls) == 7


def test_the_search_takes_nothing_from_a_queue(records):
    path = records([b"good"] * 3 + [b"bad"])
    numbers = tf.FIFOQueue(10, tf.int32, [[]], name="numbers")
    fill, size = numbers.enqueue_many([list(range(10))]), numbers.size()
    octets = tf.decode_raw(tf.TFRecordReader().read(_names([path]))[1], tf.uint8)
    octets.set_shape([4])
    batch = tf.train.batch([octets + tf.cast(numbers.dequeue(), tf.uint8)], 1)
    with tf.Session() as sess:
        sess.run([tf.local_variables_initializer(), fill])
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.train.start_queue_runners(sess)
            while True:
                sess.run(batch)
        assert sess.run(size) == 10 - 4


def test_the_programs_own_step_has_a_story_too(records):
    path = records([b"no example"])
    value = tf.TFRecordReader().read(_names([path]))[1]
    parsed = tf.parse_single_example(value, {"x": tf.FixedLenFeature([], tf.int64)})
    notes, _ = _failure(parsed["x"])
    assert f"record {path}:0 is no tf.train.Example: 10 bytes" in notes


def test_the_readers_position_is_asked_without_harm(records):
    """The search adds an op to a finalised graph and leaves it finalised."""
    path = records([b"good"] * 20 + [b"bad"])
    batch = _lengths([path])
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        tf.get_default_graph().finalize()
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            while True:
                sess.run(batch)
        assert f"the record is {path}:400" in notes_of(caught.value)
        assert sess.graph.finalized


@pytest.mark.parametrize("functional", [True, False], ids=["If", "Switch"])
@pytest.mark.parametrize("counted", [True, False])
def test_a_branch_that_counts_is_not_run_again(tmp_path, counted, functional):
    path = tmp_path / "numbers.csv"
    path.write_text("1\n2\n3\n4\nx\n")
    line = tf.TextLineReader().read(_names([str(path)]))[1]
    seen = tf.get_variable("seen", initializer=0, trainable=False, use_resource=functional)

    def branches(line):
        def number():
            # The one changes what others see; the other only makes the branch stateful.
            first = tf.assign_add(seen, 1) if counted else tf.Assert(tf.equal(1, 1), [line])
            with tf.control_dependencies([first]):
                return tf.identity(line)

        return tf.cond(tf.strings.length(line) > 0, number, lambda: "0")

    value = (tf.function(branches) if functional else branches)(line)
    batch = tf.train.batch([tf.string_to_number(value)], 1)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            while True:
                sess.run(batch)
        if counted:
            assert sess.run(seen) == 5
        else:
            assert f"the record is {path}:5" in notes_of(caught.value)
        coord.request_stop()
        with pytest.raises(tf.errors.InvalidArgumentError):
            coord.join(threads)


@pytest.fixture
def one_waits(tmp_path):
    """A step that fails at the record it reads, and a thread that waits in the same reader."""
    path = tmp_path / "lines"
    path.write_text("x\n")
    names = tf.FIFOQueue(2, tf.string, [[]])
    by_hand, close = names.enqueue(str(path)), names.close()
    line = tf.TextLineReader().read(names)[1]
    value = tf.string_to_number(line)

    def waits(fetched):
        with pytest.raises((tf.errors.OutOfRangeError, tf.errors.CancelledError)):
            sess.run(fetched)
        ended.append(threading.current_thread())

    def first(function, fetched):
        """`function`, in front of whose first call the thread begins."""
        waiting = threading.Thread(target=waits, args=[fetched])
        threads.append(waiting)

        def begun(*args):
            if waiting.ident is None:
                waiting.start()
                while not any(each.caller is waiting for each in sess._owner.steps.under_way):
                    threading.Event().wait(0.01)
            return function(*args)

        return begun

    # As where there is but one processor: other sessions have made threads of their number.
    alone = tf.ConfigProto(inter_op_parallelism_threads=1, use_per_session_threads=True)
    sess, ended, threads = tf.Session(config=alone), [], []
    with sess:
        sess.run(by_hand)
        yield types.SimpleNamespace(sess=sess, line=line, value=value, close=close, first=first)
    for thread in threads:
        thread.join(60)
    assert ended == threads


@pytest.mark.parametrize("begins", ["before", "meanwhile"])
@pytest.mark.parametrize("reads", ["the same", "another"])
@pytest.mark.parametrize("ended_by", ["its queue", "the session"])
def test_a_reader_in_which_another_thread_waits_is_not_waited_for(
    one_waits, monkeypatch, begins, reads, ended_by
):
    """It answers nobody until it has the name of a file."""
    sess, value = one_waits.sess, one_waits.value
    fetched = value if reads == "the same" else tf.strings.length(one_waits.line)
    module, name = (diagnosis, "explain") if begins == "before" else (suspects, "_produced")
    monkeypatch.setattr(module, name, one_waits.first(getattr(module, name), fetched))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(value)
    assert "it reads with TextLineReader" in notes_of(caught.value)
    assert sess.run(tf.constant(3)) == 3
    if ended_by == "its queue":
        sess.run(one_waits.close)


@pytest.mark.parametrize("before", ["_candidates", "_produced", "_place"])
def test_a_story_is_told_though_the_session_ends_while_the_record_is_searched_for(
    one_waits, monkeypatch, before
):
    searched, sess = getattr(suspects, before), one_waits.sess
    monkeypatch.setattr(suspects, before, lambda *args: sess.close() or searched(*args))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(one_waits.value)
    assert "it reads with TextLineReader" in notes_of(caught.value)
    assert sess._closed
