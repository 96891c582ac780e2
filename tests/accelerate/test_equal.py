"""A pipeline run in chunks means what it means run one example a step: generated proofs.

Seeded random pipelines over what input code uses, a bad record in every
position, a stop at any point; always against the enqueue op itself.
"""

import collections
import random
import re

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite import samples
from tfqueue import accelerate
from tfqueue.accelerate import Strategy

RECORDS = 41

# That the last batch did not fill is what some of these pipelines are about.
pytestmark = pytest.mark.filterwarnings("ignore::tfqueue.errors.DroppedElementsWarning")


def example(rng, i):
    """A serialized `Example` with one of everything."""
    feature = tf.train.Feature
    values = {
        "bytes": feature(bytes_list=tf.train.BytesList(value=[rng.bytes(12)])),
        "text": feature(bytes_list=tf.train.BytesList(value=[b" %d.5 " % rng.integers(1000)])),
        "label": feature(int64_list=tf.train.Int64List(value=[i])),
        "floats": feature(float_list=tf.train.FloatList(value=rng.standard_normal(5))),
        "some": feature(int64_list=tf.train.Int64List(value=range(i % 4))),
    }
    return tf.train.Example(features=tf.train.Features(feature=values)).SerializeToString()


def write_files(folder, lengths=(17, 1, 23)):
    """TFRecord, CSV and fixed-length files with the same number of records each."""
    rng, files = np.random.default_rng(1), collections.defaultdict(list)
    for number, length in enumerate(lengths):
        paths = {kind: str(folder / f"{number}.{kind}") for kind in ("tfrecord", "csv", "raw")}
        with tf.python_io.TFRecordWriter(paths["tfrecord"]) as writer:
            for i in range(length):
                writer.write(example(rng, i))
        with open(paths["csv"], "w") as out:
            out.write("a,b,name\n")
            for i in range(length):
                out.write(f"{rng.random():.4f},{i},{'yes' if rng.random() < 0.5 else 'no'}\n")
        with open(paths["raw"], "wb") as out:
            out.write(rng.bytes(20 * length))
        for kind, path in paths.items():
            files[kind].append(path)
    return files


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_files(tmp_path_factory.mktemp("records"))


# -- sources: a dict of tensors of one example, with an `id` that is its own ----------------------


def from_tfrecord(files, epochs):
    names = tf.train.string_input_producer(files["tfrecord"], num_epochs=epochs, shuffle=False)
    key, value = tf.TFRecordReader().read(names)
    fixed = tf.FixedLenFeature
    parsed = tf.parse_single_example(
        value,
        {
            "bytes": fixed([], tf.string),
            "text": fixed([], tf.string),
            "label": fixed([], tf.int64),
            "floats": fixed([5], tf.float32),
        },
    )
    raw = tf.decode_raw(parsed["bytes"], tf.uint8)
    raw.set_shape([12])
    image = tf.reshape(raw, [2, 2, 3])
    return {"id": key, "floats": parsed["floats"], "text": parsed["text"], "image": image}


def from_csv(files, epochs):
    names = tf.train.string_input_producer(files["csv"], num_epochs=epochs, shuffle=False)
    key, line = tf.TextLineReader(skip_header_lines=1).read(names)
    a, b, name = tf.decode_csv(line, [[1.0], [1], [""]])
    floats = tf.stack([a, tf.cast(b, tf.float32), a * 2, a + 1, 1 - a])
    image = tf.cast(tf.fill([2, 2, 3], b % 200), tf.uint8)
    return {"id": key, "floats": floats, "text": tf.as_string(a), "image": image, "name": name}


def from_raw(files, epochs):
    names = tf.train.string_input_producer(files["raw"], num_epochs=epochs, shuffle=False)
    key, record = tf.FixedLengthRecordReader(20).read(names)
    numbers = tf.decode_raw(record, tf.uint8)
    numbers.set_shape([20])
    image = tf.reshape(tf.slice(numbers, [8], [12]), [2, 2, 3])
    floats = tf.cast(tf.strided_slice(numbers, [0], [5]), tf.float32) / 17.0
    return {"id": key, "floats": floats, "text": tf.as_string(numbers[0]), "image": image}


def from_slices(files, epochs):
    rng = np.random.default_rng(2)
    ids, floats = tf.train.slice_input_producer(
        [np.arange(RECORDS), rng.random((RECORDS, 5), np.float32)],
        num_epochs=epochs,
        shuffle=False,
        capacity=9,
    )
    image = tf.cast(tf.fill([2, 2, 3], ids % 200), tf.uint8)
    return {"id": ids, "floats": floats, "text": tf.as_string(ids), "image": image}


SOURCES = [from_tfrecord, from_csv, from_raw, from_slices]

# -- what input code does with them ---------------------------------------------------------------

STEPS = [
    lambda x: {"floats": tf.sqrt(tf.abs(x["floats"])) * 2},
    lambda x: {"floats": tf.cond(x["floats"][0] > 0.5, lambda: x["floats"], lambda: -x["floats"])},
    lambda x: {"floats": tf.one_hot(tf.argmax(x["floats"]), 5) + x["floats"]},
    lambda x: {"floats": tf.concat([x["floats"][2:], x["floats"][:2]], 0)},
    lambda x: {"floats": tf.where(x["floats"] > 0, x["floats"], tf.zeros_like(x["floats"]))},
    lambda x: {"floats": tf.reverse(x["floats"], [0]) - tf.reduce_mean(x["floats"])},
    lambda x: {"floats": tf.clip_by_value(tf.cumsum(x["floats"]), -3, 3)},
    lambda x: {"image": tf.image.flip_left_right(x["image"])},
    lambda x: {"image": tf.image.transpose_image(x["image"])},
    lambda x: {"image": tf.image.resize_image_with_crop_or_pad(x["image"], 2, 2)},
    lambda x: {"image": tf.reverse(x["image"], [2])},
    lambda x: {"floats": x["floats"] + tf.image.per_image_standardization(x["image"])[0, 0, 0]},
    lambda x: {"floats": x["floats"] + tf.image.rgb_to_grayscale(_scaled(x))[1, 1, 0]},
    lambda x: {"floats": x["floats"] + tf.image.adjust_brightness(_scaled(x), 0.2)[0, 0, 1]},
    lambda x: {"floats": x["floats"] + tf.image.resize_images(_scaled(x), [3, 3])[2, 2, 0]},
    lambda x: {"floats": x["floats"] * tf.string_to_number(x["text"])},
    lambda x: {"text": tf.string_strip(x["text"])},
    lambda x: {"text": tf.string_join([x["text"], "!"])},
    lambda x: {"text": tf.regex_replace(x["text"], "[0-4]", "x"), "floats": x["floats"]},
    lambda x: {"number": tf.string_to_hash_bucket_fast(x["text"], 10)},
    lambda x: {"number": tf.cast(tf.strings.length(x["text"]), tf.int64)},
    lambda x: {"text": tf.substr(tf.string_join([x["text"], "0000"]), 0, 3)},
]
UNTIL_TEXT_CHANGES = 15


def _scaled(x):
    return tf.cast(x["image"], tf.float32) / 255.0


def pipeline(seed, files):
    """`(tensors to fetch, whether the order is defined)` of a random pipeline."""
    draw = random.Random(seed)
    x = SOURCES[seed % len(SOURCES)](files, draw.choice([1, 2]))
    x["floats"].set_shape([5])
    for step in draw.sample(STEPS[: UNTIL_TEXT_CHANGES + 1], 3) + draw.sample(STEPS[16:], 1):
        x = x | step(x)
    names = sorted(x)
    tensors = [x[name] for name in names]
    kind = draw.choice(["batch", "batch", "shuffle", "threads", "pad"])
    size, capacity = draw.choice([1, 4, 7]), draw.choice([10, 40])
    smaller = draw.random() < 0.7
    if kind == "shuffle":
        out = tf.train.shuffle_batch(
            tensors, size, capacity + 10, 8, allow_smaller_final_batch=smaller
        )
    else:
        out = tf.train.batch(
            tensors,
            size,
            num_threads=3 if kind == "threads" else 1,
            capacity=capacity,
            dynamic_pad=kind == "pad",
            allow_smaller_final_batch=smaller,
        )
    return dict(zip(names, out, strict=True)), kind in ("batch", "pad"), smaller or size == 1


def run(build, setting):
    """All elements of a pipeline, by component, and how its last runner was run."""
    with tf.Graph().as_default() as graph:
        batch, ordered, whole = build()
        with tfqueue.managed_session(chunks=setting) as sess:
            got = list(sess.batches(batch))
        (strategy, text), *_ = list(accelerate.reports_of(graph).values())[-1].values()
    joined = {name: np.concatenate([part[name] for part in got]) for name in batch}
    if not ordered:
        order = np.argsort(joined["id"], kind="stable")
        joined = {name: column[order] for name, column in joined.items()}
    return joined, ordered or whole, (strategy, text)


@pytest.mark.parametrize("seed", samples.some(range(24), 3))
def test_chunks_give_what_single_examples_give(seed, files):
    """Same elements, dtypes, shapes, and order where there is one."""
    expected, comparable, _ = run(lambda: pipeline(seed, files), False)
    setting = [3, 16, 64, True][seed // 4 % 4]
    found, _, (strategy, text) = run(lambda: pipeline(seed, files), setting)
    assert found.keys() == expected.keys()
    # Where a float decides that is rounded in another way, no chunk is made.
    if setting is not True and not ("may jump" in text and strategy == Strategy.LOOP):
        assert strategy == Strategy.CHUNK, text
    for name, column in expected.items():
        assert found[name].dtype == column.dtype
        assert found[name].shape == column.shape, name
        if not comparable:
            continue  # which elements fall out of the last batch is chance
        if column.dtype.kind == "f":
            np.testing.assert_allclose(found[name], column, rtol=1e-5, atol=1e-5)
        else:
            np.testing.assert_array_equal(found[name], column)


# -- a bad record costs what it cost --------------------------------------------------------------


def outcome(build, setting, steps=1000):
    """What was delivered, and the class and the message of what ended it."""
    with tf.Graph().as_default():
        fetches = build()
        delivered, error = [], None
        try:
            with tfqueue.managed_session(chunks=setting) as sess:
                for _ in range(steps):
                    delivered.append(sess.run(fetches))
        except tf.errors.OpError as caught:
            error = caught
    if error is None:
        return delivered, None
    # The numbers in "_2_batch/fifo_queue" depend on the session.
    return delivered, (type(error), re.sub(r"_\d+_", "_N_", error.message), error.op.name)


def parsed_numbers(path, size=1):
    def build():
        names = tf.train.string_input_producer([path], num_epochs=1, shuffle=False, name="names")
        key, value = tf.TFRecordReader(name="reader").read(names)
        number = tf.string_to_number(value, name="number")
        return tf.train.batch([key, number * 2], size, capacity=30)

    return build


POSITIONS = 11


@pytest.mark.parametrize("setting", [3, 8])
@pytest.mark.parametrize("bad", samples.some(range(POSITIONS), 2))
def test_a_bad_record_in_every_position(bad, setting, records):
    """All in front of it is delivered, and the error is the per-example one."""
    path = records([b"oops" if i == bad else b"%d" % i for i in range(POSITIONS)])
    delivered, error = outcome(parsed_numbers(path), setting)
    expected, per_example = outcome(parsed_numbers(path), False)
    assert delivered == expected
    assert len(delivered) == bad
    assert error == per_example
    assert error[0] is tf.errors.InvalidArgumentError
    assert error[2] == "number"


@pytest.mark.parametrize("bad", range(POSITIONS))
def test_a_damaged_record_in_every_position(bad, records):
    """What the reader had read of the chunk before the damage is not lost with it."""
    payloads = [b"%d" % i for i in range(POSITIONS)]
    path = records(payloads)
    with open(path, "r+b") as file:
        file.seek(sum(16 + len(p) for p in payloads[:bad]) + 12)
        file.write(b"~")
    for setting in (4, 64):
        delivered, error = outcome(parsed_numbers(path), setting)
        expected, per_example = outcome(parsed_numbers(path), False)
        assert delivered == expected
        assert len(delivered) == bad
        assert error == per_example
        assert error[0] is tf.errors.DataLossError


def damaged_sevens(records, name):
    """A file of nine records of one byte each, of which the seventh is damaged."""
    path = records([b"7"] * 9, name)
    with open(path, "r+b") as file:
        file.seek(17 * 6 + 12)
        file.write(b"~")
    return path


def same_in_chunks(first, second, chunks):
    """What two files of numbers deliver, and what ends it: in chunks as one by one."""

    def build():
        names = tf.train.string_input_producer([first, second], num_epochs=1, shuffle=False)
        key, value = tf.TFRecordReader().read(names)
        return tf.train.batch([key, tf.string_to_number(value)], 1, capacity=60)

    found = outcome(build, chunks)
    assert found == outcome(build, False)
    return found


def test_a_damaged_second_file(records):
    """Damage in a file behind others, whose lengths make the chunks end anywhere."""
    for length in range(1, 10):
        first = records([b"%d" % i for i in range(length)], f"first{length}")
        delivered, error = same_in_chunks(first, damaged_sevens(records, f"second{length}"), 4)
        assert len(delivered) == length + 6
        assert error[0] is tf.errors.DataLossError


@pytest.mark.filterwarnings("ignore::tfqueue.errors.TruncatedFileWarning")
@pytest.mark.parametrize("rest", [1, 5, 11, 12, 15])
def test_a_file_cut_in_its_header_in_front_of_a_damaged_one(rest, records):
    """TensorFlow takes the cut for the end of the file and goes on with the next one."""
    header = len(b"7777").to_bytes(8, "little") + b"crc!" + b"777"
    for length in (1, 4, 9, 18):
        first = records([b"%d" % i for i in range(length)], f"cut{length}")
        with open(first, "ab") as file:
            file.write(header[:rest])
        delivered, _ = same_in_chunks(first, damaged_sevens(records, f"damaged{length}"), 8)
        assert len(delivered) == (length + 6 if rest < 12 else length)


def test_a_missing_file_behind_a_good_one(records, tmp_path):
    """The next chunk's file cannot be opened: what was read is delivered, and the name is told."""
    path = records([b"%d" % i for i in range(7)])
    delivered, error = same_in_chunks(path, str(tmp_path / "missing"), 4)
    assert len(delivered) == 7
    assert error[0] is tf.errors.NotFoundError


def test_a_loop_fails_at_the_very_example(records):
    """Looped in the graph, of a compressed file, the same holds."""
    rng = np.random.default_rng(3)
    payloads = [example(rng, i) for i in range(9)]
    gzip = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    path = records(payloads[:6] + [b"oops"] + payloads[6:], options=gzip)

    def build():
        names = tf.train.string_input_producer([path], num_epochs=1, shuffle=False)
        key, value = tf.TFRecordReader(options=gzip).read(names)
        some = tf.parse_single_example(
            value, {"some": tf.VarLenFeature(tf.int64)}, name="one/parse"
        )
        return tf.train.batch([key, tf.reduce_sum(some["some"].values)], 1, capacity=30)

    delivered, error = outcome(build, 4)
    expected, per_example = outcome(build, False)
    assert delivered == expected
    assert len(delivered) == 6
    assert error == per_example


# -- a stop at any point --------------------------------------------------------------------------


@pytest.mark.parametrize("setting", [3, 16, True])
def test_a_stop_at_any_point_delivers_nothing_twice(setting, files):
    """What was delivered until then is the beginning of what there is."""
    draw = random.Random(5)
    everything, _, _ = run(lambda: (*_keys(files, 1), True), False)
    for _ in range(6):
        steps = draw.randrange(1, RECORDS)
        with tf.Graph().as_default():
            fetches, _ = _keys(files, 1)
            with tfqueue.managed_session(chunks=setting) as sess:
                got = [sess.run(fetches)["id"][0] for _ in range(steps)]
        assert got == everything["id"][:steps].tolist()


def _keys(files, threads):
    names = tf.train.string_input_producer(files["tfrecord"], num_epochs=1, shuffle=False)
    key, value = tf.TFRecordReader().read(names)
    key, _ = tf.train.batch([key, value], 1, capacity=5, num_threads=threads)
    return {"id": key}, threads == 1


@pytest.mark.parametrize("setting", [2, 16, True])
def test_exactly_once_with_several_threads_and_readers(setting, files):
    """Each record once an epoch: threads on one reader, and readers on one queue of names."""
    all_keys, _, _ = run(lambda: (*_keys(files, 1), True), False)
    found, _, _ = run(lambda: (*_keys(files, 4), True), setting)
    assert sorted(found["id"]) == sorted(all_keys["id"])

    def joined():
        names = tf.train.string_input_producer(files["tfrecord"], num_epochs=2, shuffle=True)
        pairs = [tf.TFRecordReader().read(names) for _ in range(3)]
        key, _ = tf.train.shuffle_batch_join(pairs, 4, 30, 10, allow_smaller_final_batch=True)
        return {"id": key}, False, True

    found, _, _ = run(joined, setting)
    assert sorted(found["id"]) == sorted([*all_keys["id"], *all_keys["id"]])


def test_the_queue_says_the_truth(files):
    """`size()` never exceeds the capacity, and the reader's count is that of the records."""
    names = tf.train.string_input_producer(files["tfrecord"], num_epochs=1, shuffle=False)
    reader = tf.TFRecordReader()
    _, value = reader.read(names)
    queue = tf.FIFOQueue(12, tf.string, shapes=[[]])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([value])]))
    one, size = queue.dequeue(), queue.size()
    produced = reader.num_records_produced()
    with tfqueue.managed_session(chunks=6) as sess:
        taken = 0
        for _ in sess.batches(one):
            taken += 1
            assert sess.run(size) <= 12
        assert taken == RECORDS
        assert sess.run(produced) == RECORDS


def test_random_ops_draw_for_each_example():
    """In a chunk no two examples share a draw, and the distribution is the op's."""
    ids = tf.train.range_input_producer(4000, num_epochs=1, shuffle=False).dequeue()
    drawn = tf.random_uniform([], 2.0, 3.0)
    side = tf.cond(tf.random_uniform([]) < 0.25, lambda: 1.0, lambda: 0.0)
    batch = tf.train.batch([ids, drawn, side], 100, capacity=300)
    with tfqueue.managed_session(chunks=50) as sess:
        _, drawn, side = (np.concatenate(part) for part in zip(*sess.batches(batch), strict=True))
    assert len(set(drawn)) > 3900
    assert drawn.min() >= 2
    assert drawn.max() < 3
    assert abs(drawn.mean() - 2.5) < 0.03
    assert abs(side.mean() - 0.25) < 0.04


def test_sequences_of_different_length_are_padded_as_before(records):
    """`dynamic_pad` pads to the longest of each batch, whatever chunk it came in."""
    feature = tf.train.Feature
    payloads = []
    for i in range(RECORDS):
        items = [feature(int64_list=tf.train.Int64List(value=[i, k])) for k in range(i % 5 + 1)]
        payloads.append(
            tf.train.SequenceExample(
                feature_lists=tf.train.FeatureLists(
                    feature_list={"items": tf.train.FeatureList(feature=items)}
                )
            ).SerializeToString()
        )
    path = records(payloads)

    def build():
        names = tf.train.string_input_producer([path], num_epochs=1, shuffle=False)
        key, value = tf.TFRecordReader().read(names)
        _, found = tf.parse_single_sequence_example(
            value, sequence_features={"items": tf.FixedLenSequenceFeature([2], tf.int64)}
        )
        return tf.train.batch(
            [key, found["items"]], 4, capacity=20, dynamic_pad=True, allow_smaller_final_batch=True
        )

    one_by_one, _ = outcome(build, False)
    in_chunks, _ = outcome(build, 8)
    assert len(one_by_one) == len(in_chunks)
    for a, b in zip(one_by_one, in_chunks, strict=True):
        np.testing.assert_array_equal(a[0], b[0])
        np.testing.assert_array_equal(a[1], b[1])


def test_images_of_different_size_go_one_by_one(records):
    """Vectorising fails when it runs: the chunk is replayed, and then the op left as it was."""
    payloads = [bytes(range(3 * (i % 4 + 1))) for i in range(RECORDS)]
    path = records(payloads)

    def build():
        names = tf.train.string_input_producer([path], num_epochs=1, shuffle=False)
        key, value = tf.TFRecordReader().read(names)
        total = tf.reduce_sum(tf.cast(tf.decode_raw(value, tf.uint8), tf.int32))
        return tf.train.batch([key, total], 1, capacity=20)

    one_by_one, end = outcome(build, False)
    in_chunks, chunk_end = outcome(build, 8)
    assert one_by_one == in_chunks
    assert end is None
    assert chunk_end is None
