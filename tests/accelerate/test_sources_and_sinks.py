"""Producer by producer, reader by reader, queue by queue: in chunks the same elements come out."""

import random
import threading

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import accelerate
from tfqueue.accelerate import Strategy

COUNT = 23

pytestmark = pytest.mark.filterwarnings("ignore::tfqueue.errors.DroppedElementsWarning")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Paths by kind; every kind holds the numbers up to COUNT as text, in two files."""
    folder = tmp_path_factory.mktemp("kinds")
    paths = {kind: [] for kind in ("plain", "GZIP", "ZLIB", "text", "fixed", "whole")}
    for number, part in enumerate((range(9), range(9, COUNT))):
        for kind in ("plain", "GZIP", "ZLIB"):
            path = str(folder / f"{number}.{kind}")
            kinds = tf.python_io.TFRecordCompressionType
            options = tf.python_io.TFRecordOptions(getattr(kinds, kind, kinds.NONE))
            with tf.python_io.TFRecordWriter(path, options=options) as writer:
                for i in part:
                    writer.write(b"%03d" % i)
            paths[kind].append(path)
        for kind, end in (("text", "\n"), ("fixed", "")):
            path = folder / f"{number}.{kind}"
            path.write_text("".join(f"{i:03}{end}" for i in part))
            paths[kind].append(str(path))
        for i in part:
            path = folder / f"{i}.whole"
            path.write_text(f"{i:03}")
            paths["whole"].append(str(path))
    return paths


def _names(paths, shuffle=False):
    return tf.train.string_input_producer(paths, num_epochs=2, shuffle=shuffle)


def _number(value):
    return tf.string_to_number(value, tf.int64)


def _read(reader, kind):
    def build(files):
        return _number(reader().read(_names(files[kind]))[1])

    return build


def _compressed(kind):
    def build(files):
        options = tf.python_io.TFRecordOptions(getattr(tf.python_io.TFRecordCompressionType, kind))
        return _number(tf.TFRecordReader(options=options).read(_names(files[kind]))[1])

    return build


def _identity(files):
    texts = [f"{i:03}" for i in range(COUNT)]
    return _number(tf.IdentityReader().read(_names(texts))[1])


def _slices(files):
    numbers = list(range(COUNT))
    return tf.train.slice_input_producer([numbers], num_epochs=2, shuffle=False)[0]


def _range(files):
    return tf.train.range_input_producer(COUNT, num_epochs=2, shuffle=False).dequeue()


def _queue_of(make):
    """A queue of one's own, filled by a runner, in front of the batch."""

    def build(files):
        queue = make()
        put = queue.enqueue([_read(tf.TFRecordReader, "plain")(files)])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
        return queue.dequeue()

    return build


def _by_priority(files):
    """A `PriorityQueue` gives what is there in its own order, so only the set is compared."""
    queue = tf.PriorityQueue(100, [tf.int64], [[]])
    number = _read(tf.TFRecordReader, "plain")(files)
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([number, number])]))
    return queue.dequeue()[1]


SOURCES = {
    "TFRecord": _read(tf.TFRecordReader, "plain"),
    "text": _read(tf.TextLineReader, "text"),
    "fixed": _read(lambda: tf.FixedLengthRecordReader(3), "fixed"),
    "whole": _read(tf.WholeFileReader, "whole"),
    "GZIP": _compressed("GZIP"),
    "ZLIB": _compressed("ZLIB"),
    "identity": _identity,
    "slices": _slices,
    "range": _range,
    "FIFOQueue": _queue_of(lambda: tf.FIFOQueue(8, tf.int64, [[]])),
    "PaddingFIFOQueue": _queue_of(lambda: tf.PaddingFIFOQueue(8, tf.int64, [[]])),
    "RandomShuffleQueue": _queue_of(lambda: tf.RandomShuffleQueue(9, 3, tf.int64, [[]])),
    "PriorityQueue": _by_priority,
}
WITHOUT_ORDER = {"PriorityQueue", "RandomShuffleQueue"}

SMALLER = {"allow_smaller_final_batch": True}


def _joined(batch):
    return lambda x: batch([[x * 2], [x * 2]])


SINKS = {
    "batch": lambda x: tf.train.batch([x * 2], 4, capacity=20, **SMALLER),
    "padded": lambda x: tf.train.batch([x * 2], 4, capacity=20, dynamic_pad=True, **SMALLER),
    "many": lambda x: tf.train.batch([[x * 2]], 4, capacity=20, enqueue_many=True, **SMALLER),
    "maybe": lambda x: tf.train.maybe_batch([x * 2], x % 3 > 0, 4, capacity=20, **SMALLER),
    "threads": lambda x: tf.train.batch([x * 2], 4, num_threads=3, capacity=20, **SMALLER),
    "join": _joined(lambda pairs: tf.train.batch_join(pairs, 4, capacity=20, **SMALLER)),
    "shuffle": lambda x: tf.train.shuffle_batch([x * 2], 4, 30, 7, **SMALLER),
    "shuffle join": _joined(lambda pairs: tf.train.shuffle_batch_join(pairs, 4, 30, 7, **SMALLER)),
}
IN_ORDER = {"batch", "padded", "many", "maybe"}


def elements(source, sink, files, setting):
    with tf.Graph().as_default():
        batch = SINKS[sink](tf.to_int32(SOURCES[source](files)))
        with tfqueue.managed_session(chunks=setting) as sess:
            return [int(x) for part in sess.batches(batch) for x in part.ravel()]


def expected(sink):
    numbers = [i for _ in range(2) for i in range(COUNT)]
    return [2 * i for i in numbers if sink != "maybe" or i % 3 > 0]


def check(source, sink, files, setting):
    found = elements(source, sink, files, setting)
    if sink in IN_ORDER and source not in WITHOUT_ORDER:
        assert found == expected(sink)
    else:
        assert sorted(found) == sorted(expected(sink))


@pytest.mark.parametrize("setting", [False, 5])
@pytest.mark.parametrize("source", SOURCES)
def test_every_source(source, setting, files):
    """With a sink that is drawn for it, and always in order."""
    check(source, "batch", files, setting)
    other = random.Random(source).choice([sink for sink in SINKS if sink not in IN_ORDER])
    check(source, other, files, setting)


@pytest.mark.parametrize("setting", [False, 5])
@pytest.mark.parametrize("sink", SINKS)
def test_every_sink(sink, setting, files):
    check("TFRecord", sink, files, setting)


@pytest.mark.parametrize("seed", range(6))
def test_a_bad_record_at_a_random_place_with_threads(seed, tmp_path):
    """With several threads what one of them holds may pass it; nothing comes twice."""
    draw = random.Random(seed)
    bad, threads, setting = draw.randrange(60), draw.choice([2, 3]), draw.choice([3, 16])
    path = tmp_path / "lines"
    path.write_text("".join("oops\n" if i == bad else f"{i}\n" for i in range(100_000)))
    names = tf.train.string_input_producer([str(path)], num_epochs=1)
    _, line = tf.TextLineReader().read(names)
    batch = tf.train.batch([_number(line)], 1, num_threads=threads, capacity=30)
    got = []
    with (
        pytest.raises(tf.errors.InvalidArgumentError, match="oops"),
        tfqueue.managed_session(chunks=setting) as sess,
    ):
        while True:
            got.append(int(sess.run(batch)[0]))
    assert len(set(got)) == len(got)
    assert bad not in got
    # A thread stops at the bad record; the others bring home the chunk that they hold, and few more.
    assert set(range(max(0, bad - threads * setting))) <= set(got)
    assert len(got) < 50_000


def test_no_element_waits_for_what_a_shuffling_queue_keeps_back(monkeypatch):
    """Two of twelve stay in it, and a chunk that asked for them would hold the others back."""
    monkeypatch.setenv("TFQUEUE_CHUNKS", "8")
    hand = tf.FIFOQueue(20, tf.int32, [[]])
    fill = hand.enqueue_many([tf.range(12)])
    mixed = tf.RandomShuffleQueue(20, 2, tf.int32, [[]])
    first = tf.train.QueueRunner(mixed, [mixed.enqueue(hand.dequeue())])
    tf.train.add_queue_runner(first)
    taken = tf.train.batch([mixed.dequeue() * 2], 1, capacity=20)
    size, pause = mixed.size(), threading.Event()
    with tf.Session() as sess:
        sess.run(fill)
        first.create_threads(sess, start=True)
        while sess.run(size) < 12:
            pause.wait(0.01)
        tf.train.start_queue_runners(sess)
        found = [int(sess.run(taken)[0]) for _ in range(10)]
        assert len({*found} & {*range(0, 24, 2)}) == 10
        sess.run(fill)
        for _ in range(12):
            sess.run(taken)
        (told,) = accelerate.reports_of(sess.graph)["batch/fifo_queue"].values()
        assert told[0] == Strategy.CHUNK, told
