"""The diagnosis beyond the rows of tests/failures: finding the record, and keeping quiet."""

from __future__ import annotations

import gzip
import itertools
import threading
import time
import warnings

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.pipeline import contents, diagnosis, model, py_errors, shapes, stories, suspects
from tfqueue.session import starvation


@pytest.fixture(autouse=True)
def no_broken_story():
    """A story that failed is seen by nobody; here it fails the test."""
    diagnosis.BROKEN.clear()
    yield
    assert not diagnosis.BROKEN


def notes_of(error):
    return "\n".join(getattr(error, "__notes__", []))


# -- a story never stands in the way -------------------------------------------------------------


def test_a_broken_story_changes_nothing_else(monkeypatch):
    def broken(case):
        raise KeyError("in the story")

    row = stories.Row("-", lambda case: True, broken)
    monkeypatch.setattr(stories, "FAILURES", [row, *stories.FAILURES])
    batch = tf.train.batch([tf.TFRecordReader().read(_names(["/nope"]))[1]], 2)
    with pytest.raises(tf.errors.NotFoundError) as caught, tfqueue.managed_session() as sess:
        sess.run(batch)
    assert "there is no file '/nope'" in notes_of(caught.value)
    assert [str(error) for error in diagnosis.BROKEN] == ["'in the story'"]
    diagnosis.BROKEN.clear()


def test_every_row_has_ids_and_every_warning_its_class():
    for rows in (stories.AT_START, stories.AT_PLAN, stories.AT_END, stories.AT_CLOSE):
        assert all(issubclass(row.category, errors.TFQueueWarning) for row in rows)
    assert all(row.category is None for row in (*stories.FAILURES, *stories.STALLS))
    assert all(row.ids for row in (*stories.FAILURES, *stories.STALLS))


# -- which record it was -------------------------------------------------------------------------


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
    path = records([b"good"] * 500)
    other = records([b"bad"], "other.tfrecord")
    notes, _ = _failure(_lengths([path, path, other]))
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


# -- the records of a reader's files ---------------------------------------------------------------


READERS = {
    "TextLineReader": (lambda: tf.TextLineReader(), b"one\ntwo\r\n\nfour"),
    "header": (lambda: tf.TextLineReader(skip_header_lines=1), b"head\none\ntwo\n"),
    "FixedLengthRecordReader": (lambda: tf.FixedLengthRecordReader(3), b"abcdefgh"),
    "parts": (
        lambda: tf.FixedLengthRecordReader(3, header_bytes=2, footer_bytes=1, hop_bytes=2),
        b"HHabcdefghF",
    ),
    "WholeFileReader": (lambda: tf.WholeFileReader(), b"all of it"),
    "IdentityReader": (lambda: tf.IdentityReader(), b""),
}


def _by_tensorflow(reader, path):
    pair = reader.read(_names([path]))
    with tfqueue.managed_session() as sess:
        found = list(sess.batches(list(pair)))
        kind = next(iter(sess.pipeline.readers.values()))
    return [tuple(item) for item in found], list(contents.records(kind, path))


@pytest.mark.parametrize("name", READERS)
def test_the_same_records_as_tensorflow(name, tmp_path):
    make, data = READERS[name]
    (tmp_path / "file").write_bytes(data)
    expected, found = _by_tensorflow(make(), str(tmp_path / "file"))
    assert found == expected


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_the_same_tfrecords_as_tensorflow(compression, records):
    options = tf.python_io.TFRecordOptions(
        getattr(tf.python_io.TFRecordCompressionType, compression or "NONE")
    )
    path = records([b"one", b"", b"three" * 100], options=options)
    expected, found = _by_tensorflow(tf.TFRecordReader(options=options), path)
    assert found == expected
    assert len(found) == 3


@pytest.mark.parametrize(
    ("cut", "expected"),
    [(0, 0), (1, 0), (4, 0), (19, 0), (20, 11), (30, 1), (31, 0)],
    ids=lambda value: str(value),
)
def test_trailing_bytes(cut, expected, records, tmp_path):
    """Two records of 31 bytes: a cut in the second one's header alone goes unnoticed."""
    path = records([b"x" * 15] * 2)
    with open(path, "rb") as file:
        data = file.read()
    shorter = tmp_path / "cut.tfrecord"
    shorter.write_bytes(data[: len(data) - cut])
    assert contents.trailing_bytes(str(shorter), time.monotonic() + 60) == expected


def test_trailing_bytes_of_other_files(tmp_path):
    until = time.monotonic() + 60
    (tmp_path / "text").write_bytes(b"just some text, and not a little of it\n")
    (tmp_path / "gzip").write_bytes(gzip.compress(b"whatever"))
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "short").write_bytes(b"12345")
    found = {path.name: contents.trailing_bytes(str(path), until) for path in tmp_path.iterdir()}
    assert found == {"text": 0, "gzip": 0, "empty": 0, "short": 5}


# -- correct programs hear nothing -----------------------------------------------------------------


def _range(limit, **kwargs):
    return tf.train.range_input_producer(limit, shuffle=False, **kwargs)


def several_towers(sess_of):
    """A batch for each tower, through shared weights: cifar10_multi_gpu_train."""
    queue = tf.FIFOQueue(20, tf.float32, [[3]])
    runner = tf.train.QueueRunner(queue, [queue.enqueue(tf.ones([3]))])
    tf.train.add_queue_runner(runner)
    weight = tf.Variable(tf.ones([3]))
    losses = [tf.reduce_sum(queue.dequeue_many(2) * weight) for _ in range(3)]
    with sess_of() as sess:
        sess.run([tf.add_n(losses), losses[-1]])


def towers_on_devices(sess_of):
    """A batch for each device."""
    numbers = _range(10)
    taken = []
    for number in range(2):
        with tf.device(f"/cpu:{number}"):
            taken.append(numbers.dequeue())
    config = tf.ConfigProto(device_count={"CPU": 2})
    with tf.Session(config=config) as sess:
        sess.run(tf.local_variables_initializer())
        tf.train.start_queue_runners(sess)
        sess.run(taken)


def cond_with_dequeues_inside(sess_of):
    """Each branch takes from its own queue."""
    first, second = _range(10), _range(20)
    flag = tf.placeholder_with_default(True, [])
    chosen = tf.cond(flag, lambda: first.dequeue(), lambda: second.dequeue())
    with sess_of() as sess:
        assert [sess.run(chosen), sess.run(chosen, {flag: False})] == [0, 0]


def cond_on_what_was_taken(sess_of):
    """The larger of two: both are meant to be taken."""
    a, b = _range(10).dequeue(), _range(20).dequeue()
    larger = tf.cond(a > b, lambda: a + 0, lambda: b + 0)
    with sess_of() as sess:
        sess.run(larger)


def cond_on_one_example(sess_of):
    """An example, turned or not."""
    batch = tf.train.batch([_range(10).dequeue()], 2)
    maybe = tf.cond(tf.random_uniform([]) > 0.5, lambda: batch[::-1], lambda: batch + 0)
    with sess_of() as sess:
        sess.run([batch, maybe])


def same_seed(sess_of):
    """Two producers that shuffle alike."""
    names = [str(number) for number in range(10)]
    a = tf.train.string_input_producer(names, seed=7).dequeue()
    b = tf.train.string_input_producer(names, seed=7).dequeue()
    batch = tf.train.batch([a, b], 10)
    with sess_of() as sess:
        pairs = sess.run(batch)
        assert pairs[0].tolist() == pairs[1].tolist()


def sizes_differ(sess_of):
    """Two data sets mixed on purpose."""
    a = tf.train.string_input_producer(["a"] * 10).dequeue()
    b = tf.train.string_input_producer(["b"] * 11).dequeue()
    batch = tf.train.batch([a, b], 4)
    with sess_of() as sess:
        sess.run(batch)


def one_producer_of_slices(sess_of):
    """Images and labels by one producer, shuffled."""
    pair = tf.train.slice_input_producer([tf.range(10), tf.range(10)])
    batch = tf.train.batch(pair, 5)
    with sess_of() as sess:
        a, b = sess.run(batch)
        assert a.tolist() == b.tolist()


def one_queue_from_two_sources(sess_of):
    """Files of two kinds into one queue: nobody pairs them."""
    a = tf.train.string_input_producer(["a", "b"]).dequeue()
    b = tf.train.string_input_producer(["c", "d"]).dequeue()
    batch = tf.train.batch_join([[a], [b]], 4)
    with sess_of() as sess:
        sess.run(batch)


def training_and_validation(sess_of):
    """Both losses in one run, of as many files each."""
    losses = []
    for name in ("train", "test"):
        value = tf.train.string_input_producer([f"{name}1", f"{name}2"]).dequeue()
        weight = tf.Variable(2.0)
        losses.append(weight * tf.to_float(tf.size(tf.train.batch([value], 2))))
    with sess_of() as sess:
        sess.run(losses)


def loss_now_and_then(sess_of):
    """A step, and every now and then a look at the loss, each on a batch of its own."""
    weight = tf.Variable(1.0)
    loss = tf.reduce_sum(weight * tf.to_float(tf.train.batch([_range(100).dequeue()], 2)))
    step = weight.assign_add(loss)
    with sess_of() as sess:
        for _ in range(3):
            sess.run(step)
            sess.run(loss)


def a_look_first(sess_of):
    """The shape, then image and label together: what follows from what is no torn example."""
    number = _range(10).dequeue()
    image, label = tf.fill([2, 2], number), number % 3
    with sess_of() as sess:
        sess.run(tf.shape(image))
        sess.run(image)
        sess.run([image, label])
        sess.run(label)
        sess.run([image, label])


def two_passes(sess_of):
    """All images, then all labels."""
    number = _range(10).dequeue()
    image, label = tf.fill([2, 2], number), number % 3
    with sess_of() as sess:
        for part in (image, label):
            for _ in range(10):
                sess.run(part)


def one_record_for_ever(sess_of, records):
    """002: one customer, shown field by field; every run shows the same."""
    path = records([b"1,2"])
    value = tf.TFRecordReader().read(_names([path], None))[1]
    fields = tf.decode_csv(value, [[0], [0]])
    with sess_of() as sess:
        assert [sess.run(field) for field in fields] == [1, 2]


def two_dequeue_ops_in_two_runs(sess_of):
    """What a program takes here and what it takes there."""
    numbers = _range(10)
    first, second = numbers.dequeue(), numbers.dequeue_many(2)
    with sess_of() as sess:
        sess.run(first)
        sess.run(second)
        sess.run(first)


def weights_loaded_one_by_one(sess_of):
    """A new op for each variable, once: vgg16's load_weights."""
    weights = [tf.Variable(0.0) for _ in range(30)]
    with sess_of() as sess:
        for number, weight in enumerate(weights):
            sess.run(weight.assign(number))


def a_script_that_builds_as_it_goes(sess_of):
    """Each line builds an op of its own and shows it."""
    with sess_of() as sess:
        x = tf.constant(2)
        lines = "\n".join(f"sess.run(x + {number})" for number in range(20))
        exec(compile(lines, "tutorial.py", "exec"), {"sess": sess, "x": x})


def the_data_fill_the_batches(sess_of):
    """Two epochs of 10 by 4: exact."""
    batch = tf.train.batch([_range(10, num_epochs=2).dequeue()], 4)
    with tfqueue.managed_session() as sess:
        assert len(list(sess.batches(batch))) == 5


def smaller_final_batch(sess_of):
    """The rest is delivered."""
    batch = tf.train.batch([_range(10, num_epochs=1).dequeue()], 4, allow_smaller_final_batch=True)
    with tfqueue.managed_session() as sess:
        assert [len(found) for found in sess.batches(batch)] == [4, 4, 2]


def stopped_by_the_program(sess_of):
    """What is left in the queue when the program has enough was not dropped."""
    batch = tf.train.batch([_range(10, num_epochs=1).dequeue()], 4)
    with tfqueue.managed_session() as sess:
        assert len(list(sess.batches(batch, 1))) == 1


def two_sessions_on_two_graphs(sess_of):
    """Training in one graph, evaluation in another, both at work."""
    with tf.Graph().as_default():
        inner = tf.train.batch([_range(10).dequeue()], 2)
        with tfqueue.managed_session() as evaluation:
            evaluation.run(inner)
            with tf.Graph().as_default():
                batch = tf.train.batch([_range(10).dequeue()], 2)
                with tfqueue.managed_session() as sess:
                    sess.run(batch)


def one_session_after_the_other(sess_of):
    """Each ends before the next."""
    batch = tf.train.batch([_range(10).dequeue()], 2)
    for _ in range(3):
        with sess_of() as sess:
            sess.run(batch)


CORRECT = [
    value
    for value in list(globals().values())
    if getattr(value, "__code__", None) and value.__code__.co_varnames[:1] == ("sess_of",)
]


@pytest.mark.parametrize("managed", [False, True], ids=["plain", "managed"])
@pytest.mark.parametrize("program", CORRECT, ids=lambda program: program.__name__)
def test_a_correct_program_hears_nothing(program, managed, records):
    class Plain(tf.Session):
        """Initialises and starts when entered, so that the programs are the same for both."""

        def __enter__(self):
            entered = super().__enter__()
            self.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            tf.train.start_queue_runners(self)
            return entered

    arguments = [tfqueue.managed_session if managed else Plain]
    if program.__code__.co_argcount == 2:
        arguments.append(records)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program(*arguments)


# -- smaller parts ---------------------------------------------------------------------------------


LOSSES = {
    "DecodeJpeg": lambda: tf.cast(tf.image.decode_jpeg(tf.constant(b"")), tf.float32) / 255.0,
    "PyFunc": lambda: tf.py_func(lambda: 1, [], tf.int64) + 1,
    "Reshape": lambda: tf.reshape(tf.zeros([6]), tf.random_uniform([2], 1, 2, tf.int32)) * 2.0,
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

    wrapped = py_errors.remembering(fails)
    with pytest.raises(ValueError, match="no"):
        wrapped()
    assert py_errors.take("KeyError: no") is None
    assert isinstance(py_errors.take("ValueError: no\nTraceback ..."), ValueError)
    assert py_errors.take("ValueError: no\nTraceback ...") is None


@pytest.mark.parametrize("make", [tf.py_func, tf.numpy_function, tf.py_function])
def test_every_kind_of_python_function_tells_its_exception(make):
    def fails(x):
        raise LookupError(f"about {int(x)}")

    out = make(fails, [3 + 0 * _range(3).dequeue()], tf.int32)
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
        assert "44" in sess._supervision.told  # and is not said again


# -- waits -----------------------------------------------------------------------------------------


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
