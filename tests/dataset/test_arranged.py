"""tfqueue.dataset: what is computed a batch at a time, what side by side, and what is not."""

import itertools

import numpy as np
import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue.dataset import conversion, old_inputs, plan

TEXTS = [b"a", b"bcd", b"ef", b"", b"ghij", b"k", b"l", b"mno"]

pytestmark = pytest.mark.usefixtures("eager")


def listed(dataset):
    return [[np.asarray(part).tolist() for part in element] for element in dataset]


def applied(inputs, **options):
    """The steps of a function's pipeline, as its dataset is built of them, the last first."""
    made, _ = conversion.planned(old_inputs.call(inputs, (), {}), **options)
    return [node for node in plan.walk(made) if isinstance(node, plan.Apply)]


def texts(*more):
    return tf.train.slice_input_producer(
        [tf.constant(TEXTS), *more], num_epochs=1, shuffle=False, name="texts"
    )


# -- examples of different length: a batch of them has one ----------------------------------------


def decoded():
    (text,) = texts()
    return tf.train.batch([text, tf.size(tf.decode_raw(text, tf.uint8))], 4)


def cut():
    (text,) = texts()
    start = tf.decode_raw(tf.string_join([text, "abcd"]), tf.uint8)[:4]
    return tf.train.batch([text, tf.reshape(start, [4])], 4)


def sequences():
    feature = tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True)
    records = []
    for count in range(8):
        values = tf.train.Int64List(value=range(count))
        features = tf.train.Features(feature={"x": tf.train.Feature(int64_list=values)})
        records.append(tf.train.Example(features=features).SerializeToString())
    text, record = texts(tf.constant(records))
    return text, tf.parse_single_example(record, {"x": feature})["x"]


def parsed():
    text, values = sequences()
    return tf.train.batch([text, tf.size(values)], 4)


def in_a_branch():
    (text,) = texts()
    size = tf.cond(tf.equal(text, "k"), lambda: -1, lambda: tf.size(tf.decode_raw(text, tf.uint8)))
    return tf.train.batch([text, size], 4)


def rows():
    text, number = texts(tf.range(8))
    queue = tf.FIFOQueue(20, [tf.string, tf.int32], [[], []])
    put = queue.enqueue_many([tf.stack([text, text]), tf.stack([number, number + 1])])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    text, _ = queue.dequeue()
    return text, tf.decode_raw(text, tf.uint8)


def two_stages():
    """What the second one computes has one shape; what it computes it of has not."""
    (text,) = texts()
    queue = tf.PaddingFIFOQueue(20, [tf.string, tf.uint8], [[], [None]])
    put = queue.enqueue([text, tf.decode_raw(text, tf.uint8)])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    text, raw = queue.dequeue()
    return tf.train.batch([text, tf.size(raw)], 4)


@pytest.mark.parametrize("inputs", [decoded, cut, parsed, in_a_branch, rows, two_stages])
def test_examples_that_differ_in_length_are_computed_one_by_one(inputs):
    assert not any(node.vector for node in applied(inputs))
    assert listed(tfqueue.dataset(inputs)) == listed(tfqueue.dataset(inputs, engine="session"))


def test_an_example_of_a_wrong_length_is_not_filled_up():
    def inputs():
        text, values = sequences()
        return tf.train.batch([text, tf.reshape(values, [7])], 4)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"does not match|has 7"):
        listed(tfqueue.dataset(inputs))


def shaped():
    text, number = texts(tf.range(8))
    raw = tf.decode_raw(tf.as_string(number), tf.uint8)
    return tf.train.batch([text, tf.reshape(tf.cast(raw, tf.int32) * 2, [1])], 4)


def set_shape():
    text, number = texts(tf.range(8))
    raw = tf.cast(tf.decode_raw(tf.as_string(number), tf.uint8), tf.int32)
    raw.set_shape([1])
    return tf.train.batch([text, tf.reduce_sum(raw)], 4)


@pytest.mark.parametrize("inputs", [shaped, set_shape])
def test_a_length_that_is_said_is_that_of_the_batch(inputs):
    assert [node.vector for node in applied(inputs)] == [False, True]
    assert listed(tfqueue.dataset(inputs)) == listed(tfqueue.dataset(inputs, engine="session"))


def test_records_of_one_length_decode_to_one(tmp_path):
    path = tmp_path / "records"
    path.write_bytes(bytes(range(24)))

    def inputs():
        names = tf.train.string_input_producer([str(path)], num_epochs=1)
        record = tf.FixedLengthRecordReader(record_bytes=3).read(names)[1]
        raw = tf.decode_raw(record, tf.uint8)
        return tf.train.batch([raw[0], tf.reduce_max(raw)], 4)

    assert [node.vector for node in applied(inputs)] == [False, True]
    firsts, lasts = np.concatenate(listed(tfqueue.dataset(inputs)), 1)
    assert (firsts.tolist(), lasts.tolist()) == ([*range(0, 24, 3)], [*range(2, 24, 3)])


@pytest.mark.parametrize(("to", "vector"), [(tf.int32, True), (tf.uint8, False)])
def test_what_has_no_true_form_for_many_examples_is_computed_for_each(to, vector):
    """What is out of a small type's range comes out one way in a vector register, another beside it."""

    def inputs():
        number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue()
        return tf.train.batch([number, tf.cast(tf.cast(number, tf.float32) * 1.5, to)], 4)

    assert [node.vector for node in applied(inputs)] == [False, vector]
    expected = [[[0, 1, 2, 3], [0, 1, 3, 4]], [[4, 5, 6, 7], [6, 7, 9, 10]]]
    assert listed(tfqueue.dataset(inputs)) == expected


# -- side by side, or one after the other ---------------------------------------------------------


def drawing(threads=1, shuffle=False, seed=3):
    number = tf.train.range_input_producer(200, num_epochs=1, shuffle=False).dequeue()
    values = [number, tf.random_uniform([], seed=seed), tf.random_normal([2], seed=seed)]
    if shuffle:
        return tf.train.shuffle_batch(values, 4, 60, 20, num_threads=threads)
    return tf.train.batch(values, 4, num_threads=threads)


def test_draws_with_seeds_are_those_of_the_queues():
    fed = listed(tfqueue.dataset(drawing, engine="session"))
    lifted = tfqueue.dataset(drawing)
    assert listed(lifted) == fed
    assert listed(lifted) == fed  # each iterator begins anew
    text = tfqueue.dataset.source(drawing)
    assert "examples = numbers.map(example)\n" in text


@pytest.mark.parametrize("other", [{"threads": 2}, {"shuffle": True}, {"seed": None}], ids=str)
def test_draws_that_nobody_could_repeat_are_made_side_by_side(other):
    one = applied(lambda: drawing(**other))[-1]
    assert one.parallel >= 8
    assert not one.vector
    text = tfqueue.dataset.source(lambda: drawing(**other))
    assert "map(example, num_parallel_calls=" in text


def test_single_examples_are_kept_ahead_and_batches_are_left_to_tf_data():
    assert [node.parallel for node in applied(decoded)] == [None, max(8, conversion.os.cpu_count())]


def test_calls_of_python_are_made_one_after_the_other():
    """A function may count, as it could in a queue runner's only thread."""
    calls = itertools.count()

    def numbered():
        number = tf.train.range_input_producer(40, num_epochs=1, shuffle=False).dequeue()
        count = tf.py_func(lambda _: np.int32(next(calls)), [number], tf.int32)
        count.set_shape([])
        return tf.train.batch([number, count], 4)

    assert [node.parallel for node in applied(numbered, python=True)] == [None, 1]
    for numbers, counts in listed(tfqueue.dataset(numbered, python=True)):
        assert numbers == counts


def test_two_draws_of_one_seed_are_alike_in_each_example():
    """As an image and its mask are cropped alike: also where examples are mixed before."""

    def inputs():
        number = tf.train.range_input_producer(400, num_epochs=1, shuffle=False).dequeue()
        number = tf.train.shuffle_batch([number], 1, 60, 20)[0]
        square = tf.fill([80, 80], tf.cast(number, tf.float32))
        later = tf.cast(tf.minimum(tf.reduce_max(tf.matmul(square, square)), 0.0), tf.int32)
        limits = [tf.constant(1 << 30), later + (1 << 30)]  # the second draw waits for the product
        return [
            number,
            *(tf.random_uniform([], maxval=limit, dtype=tf.int32, seed=3) for limit in limits),
        ]

    assert applied(inputs)[0].parallel == 1
    found = listed(tfqueue.dataset(inputs))
    assert len(found) == 400
    assert all(one == other for _, one, other in found)
