"""What is said of a failure beyond the rows of tests/failures, and that saying it harms nothing."""

from __future__ import annotations

import gzip
import itertools
import zlib

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.explain import diagnosis, python_errors, stories
from tfqueue.explain.failure import Failure, RunnerFacts
from tfqueue.graph import model, shapes
from tfqueue.graph.tasks import Cluster


def notes_of(error):
    return "\n".join(getattr(error, "__notes__", []))


def _names(paths, epochs=1, shuffle=False):
    return tf.train.string_input_producer(paths, num_epochs=epochs, shuffle=shuffle)


def _range(limit, **kwargs):
    return tf.train.range_input_producer(limit, shuffle=False, **kwargs)


def test_a_broken_story_changes_nothing_else(monkeypatch):
    def broken(case):
        raise KeyError("in the story")

    row = stories.Row(("none",), lambda case: True, broken)
    monkeypatch.setattr(stories, "FAILURES", [row, *stories.FAILURES])
    batch = tf.train.batch([tf.TFRecordReader().read(_names(["/nope"]))[1]], 2)
    with pytest.raises(tf.errors.NotFoundError) as caught, tfqueue.managed_session() as sess:
        sess.run(batch)
    assert "there is no file '/nope'" in notes_of(caught.value)
    assert [str(error) for error in diagnosis.BROKEN] == ["'in the story'"]
    diagnosis.BROKEN.clear()


def test_every_row_names_its_failures_and_every_warning_has_its_class():
    for rows in (stories.AT_START, stories.AT_PLAN, stories.AT_END, stories.AT_CLOSE):
        assert all(issubclass(row.category, errors.TFQueueWarning) for row in rows)
    assert all(row.category is None for row in (*stories.FAILURES, *stories.STALLS))
    assert all(row.failures for row in (*stories.FAILURES, *stories.STALLS))


def test_a_wait_for_a_runner_that_was_stopped_is_told():
    _range(3)
    pipeline = tfqueue.pipeline()
    [queue] = pipeline.queues.values()
    stopped = RunnerFacts(queue.name, queue.name, (), 2, working=False, ended=False, closed=True)
    failure = Failure(
        pipeline, Cluster({}, None), size=lambda queue: 1, queue=queue, runners=(stopped,)
    )
    error = diagnosis.starved(failure)
    assert isinstance(error, errors.StarvationError)
    assert f"'{queue.name}'" in str(error)
    assert "its QueueRunner was stopped; it holds 1 element" in str(error)


LOSSES = {
    "DecodeJpeg": lambda: tf.cast(tf.image.decode_jpeg(tf.constant(b"")), tf.float32) / 255.0,
    "PyFunc": lambda: tf.py_func(lambda: 1, [], tf.int64) + 1,
    "Reshape": lambda: tf.reshape(tf.zeros([6]), tf.random_uniform([2], 1, 2, tf.int32)) * 2.0,
    "Fill": lambda: tf.fill(tf.placeholder(tf.int32, [None]), 1.0),
    "DecodeRaw": lambda: tf.reshape(tf.decode_raw(tf.constant(b""), tf.uint8), [-1, 3]),
    "Placeholder": lambda: tf.expand_dims(tf.placeholder(tf.float32, [None]), 0),
}


@pytest.mark.parametrize("expected", LOSSES)
def test_the_op_that_lost_the_shape(expected):
    tensor = LOSSES[expected]()
    assert shapes.losing_op(tensor).type == expected
    assert shapes.unknown([[tensor], {"fine": tf.zeros([2])}])[0].count("test_diagnosis.py") == 1


def test_an_exception_of_a_function_is_given_out_once():
    def fails():
        raise ValueError("no")

    wrapped = python_errors.keeping_errors(fails)
    with pytest.raises(ValueError, match="no"):
        wrapped()
    assert python_errors.take("KeyError: no") is None
    assert isinstance(python_errors.take("ValueError: no\nTraceback ..."), ValueError)
    assert python_errors.take("ValueError: no\nTraceback ...") is None


@pytest.mark.parametrize("by_name", [False, True])
@pytest.mark.parametrize("make", [tf.py_func, tf.numpy_function, tf.py_function])
def test_every_kind_of_python_function_tells_its_exception(make, by_name):
    def fails(x):
        raise LookupError(f"about {int(x)}")

    inputs = [3 + 0 * _range(3).dequeue()]
    named = {"func": fails, "inp": inputs, "Tout": tf.int32}
    out = make(**named) if by_name else make(*named.values())
    with tfqueue.managed_session() as sess:
        for _ in range(2):
            with pytest.raises(tf.errors.OpError) as caught:
                sess.run(out)
            assert isinstance(caught.value.__cause__, LookupError)


def test_a_row_is_said_once_for_a_session():
    numbers = _range(100)
    pairs = [[numbers.dequeue(), numbers.dequeue()] for _ in range(3)]
    with tfqueue.managed_session() as sess:
        with pytest.warns(errors.TwoDequeuesWarning):
            sess.run(pairs[0])
        for pair in pairs:
            sess.run(pair)  # a warning would be an error


def test_the_model_knows_the_pieces(records):
    """What the stories read: the pattern of match_filenames_once stands in the graph."""
    found = tf.train.match_filenames_once("/some/*.tfrecord")
    tf.train.string_input_producer(found)
    pipeline = model.Pipeline()
    assert list(pipeline.queues) == ["input_producer"]
    assert len(pipeline.queues["input_producer"].enqueues) == 1


def test_a_cut_file_is_told_of_at_the_end_of_the_data(records):
    """And not only when the session is closed."""
    path = records([b"good"] * 4)
    with open(path, "ab") as file:
        file.write(b"1234567")
    batch = tf.train.batch([tf.TFRecordReader().read(_names([path]))[1]], 2)
    with tfqueue.managed_session() as sess:
        with pytest.warns(errors.TruncatedFileWarning, match="7 trailing bytes"):
            assert len(list(sess.batches(batch))) == 2
        assert ("cut_header",) in sess._owner.warned_of  # and is not said again


@pytest.mark.parametrize("compression", ["GZIP", "ZLIB"])
def test_a_compressed_file_that_is_cut_is_told_of(compression, tmp_path):
    """TensorFlow 1.15 gave the same six records of the two files, and saw the end of the data."""
    packer = zlib.compressobj(9, zlib.DEFLATED, {"GZIP": 31, "ZLIB": 15}[compression])
    head = packer.compress(b"aaaabbbb") + packer.flush(zlib.Z_SYNC_FLUSH)
    whole = head + packer.compress(b"ccccdddd") + packer.flush()
    for name, content in {"cut": head, "whole": whole}.items():
        (tmp_path / name).write_bytes(content)
    paths = [str(tmp_path / name) for name in ("cut", "whole")]
    reader = tf.FixedLengthRecordReader(4, encoding=compression)
    batch = tf.train.batch([reader.read(_names(paths))[1]], 2)
    said = f"cut: the end of its {compression} stream is missing, file truncated"
    with tfqueue.managed_session() as sess:
        with pytest.warns(errors.TruncatedFileWarning, match=said):
            found = [list(rows) for rows in sess.batches(batch)]
    assert list(itertools.chain(*found)) == [b"aaaa", b"bbbb", b"aaaa", b"bbbb", b"cccc", b"dddd"]


def test_bytes_that_end_with_zeros_are_counted_whole(records):
    names = tf.train.string_input_producer([records([np.array([80, 90, 3], np.int32).tobytes()])])
    raw = tf.decode_raw(tf.TFRecordReader().read(names)[1], tf.int64)
    with tf.Session() as sess:
        tf.train.start_queue_runners(sess)
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            sess.run(raw)
    assert any("12 bytes = 3 float32 or int32" in note for note in caught.value.__notes__)


def _read_all(paths):
    """What is said of TFRecord files that are none, read in an order that is not known."""
    with tf.Graph().as_default():
        names = tf.train.string_input_producer(paths, num_epochs=1, shuffle=True)
        record = tf.train.batch([tf.TFRecordReader().read(names)[1]], 1)
        with pytest.raises(tf.errors.DataLossError) as caught, tfqueue.managed_session() as sess:
            for _ in sess.batches(record):
                pass
    return notes_of(caught.value)


def test_the_only_file_of_another_kind_is_named(records, tmp_path):
    (tmp_path / "a.txt").write_text("some text that is no record\n")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"x" * 1000))
    good, text, packed = records([b"x"] * 9), str(tmp_path / "a.txt"), str(tmp_path / "b.gz")
    assert f"{text} is not a TFRecord file (it begins like text)" in _read_all([good, text])
    assert "TFRecordCompressionType.GZIP" in _read_all([good, packed])
    assert "is not a TFRecord file" not in _read_all([good, text, packed])


# -- mistakes of a beginner ------------------------------------------------------------------------


def failed(batch, steps=10):
    with tfqueue.managed_session() as sess:
        for _ in range(steps):
            sess.run(batch)


def test_slices_of_lists_of_different_lengths():
    rows = tf.train.slice_input_producer([np.zeros([10, 4]), np.arange(9)], shuffle=False)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        failed(tf.train.batch(rows, 2))
    assert "this one has 9 rows, another has 10" in notes_of(caught.value)


def test_one_index_that_is_too_large_says_nothing_of_other_lists():
    number = _range(5).dequeue()
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in") as caught:
        failed(tf.train.batch([tf.gather(np.arange(3), number)], 2))
    assert "of different lengths" not in notes_of(caught.value)


def test_columns_are_not_taken_for_rows_of_other_lists():
    """One index takes columns of a table and rows of a list that is longer."""
    number = _range(5).dequeue()
    columns = tf.gather(tf.zeros([9, 3]), number, axis=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in") as caught:
        failed(tf.train.batch([columns, tf.gather(np.arange(7), number)], 2))
    assert "of different lengths" not in notes_of(caught.value)


def test_a_python_function_of_another_dtype():
    mean = tf.py_func(lambda n: float(n), [_range(5).dequeue()], tf.float32)
    mean.set_shape([])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        failed(tf.train.batch([mean], 2))
    assert "returned a float64 and was declared to return a float32" in notes_of(caught.value)


def plain_session(batch, coord):
    sess = tf.Session()
    sess.run(tf.local_variables_initializer())
    tf.train.start_queue_runners(sess, coord)
    sess.run(batch)
    return sess


def test_the_end_of_the_data_says_that_it_is_that():
    with plain_session(_range(2, num_epochs=1).dequeue(), tf.train.Coordinator()) as sess:
        with pytest.raises(tf.errors.OutOfRangeError) as caught:
            for _ in range(3):
                sess.run("input_producer_Dequeue:0")
    assert "the data has ended" in notes_of(caught.value)


def test_a_step_behind_a_stop_is_not_at_the_end_of_the_data():
    coord = tf.train.Coordinator()
    with plain_session(_range(2).dequeue(), coord) as sess:
        coord.request_stop()
        with pytest.raises(tf.errors.OutOfRangeError) as caught:
            while True:
                sess.run("input_producer_Dequeue:0")
    assert "closed by a stop" in notes_of(caught.value)


def test_the_end_of_a_dataset_is_no_queue_s():
    last = tf.data.make_one_shot_iterator(tf.data.Dataset.range(1)).get_next()
    with tf.Session() as sess, pytest.raises(tf.errors.OutOfRangeError) as caught:
        while True:
            sess.run(last)
    assert notes_of(caught.value) == ""


def test_dropped_rows_are_not_counted_against_steps():
    """How many rows a step puts is not known before it."""
    with tf.Graph().as_default():
        step = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
        rows = tf.where(tf.range(3) <= tf.minimum(step, 0) + 1)[:, 0]
        batch = tf.train.batch([rows], 4, enqueue_many=True, name="rows")
        warned = pytest.warns(
            errors.DroppedElementsWarning, match="^2 examples were dropped by rows"
        )
        with tf.Session() as sess:
            sess.run(tf.local_variables_initializer())
            tf.train.start_queue_runners(sess)
            assert sess.run(batch).tolist() == [0, 1, 0, 1]
            with warned, pytest.raises(tf.errors.OutOfRangeError):
                sess.run(batch)
