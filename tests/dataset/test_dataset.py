"""tfqueue.dataset: what is lifted, what is refused, and what a dataset is good for afterwards."""

import collections
import gc
import gzip
import os

import numpy as np
import pytest
import tensorflow

import tfqueue
import tfqueue.v1 as tf
from tests.dataset.lifted import line_of, values
from tfqueue import errors
from tfqueue.dataset import conversion, lift, old_inputs, plan
from tfqueue.records import framing

pytestmark = pytest.mark.usefixtures("eager")


def planned(inputs, *args, **kwargs):
    """The plan of a function's pipeline, as the dataset is built of it."""
    return conversion.planned(old_inputs.call(inputs, args, kwargs))[0]


def nodes(inputs, *args):
    return [type(node).__name__ for node in plan.walk(planned(inputs, *args))]


# -- files that are cut ---------------------------------------------------------------------------


def _tfrecords(paths, compression=""):
    options = tf.python_io.TFRecordOptions(compression)
    names = tf.train.string_input_producer(paths, num_epochs=1, shuffle=False)
    return tf.TFRecordReader(options=options).read(names)[1]


def test_files_that_end_the_dataset_in_silence_are_told_of(tmp_path):
    good = framing.frame(b"one") + framing.frame(b"two")
    packed = gzip.compress(good)
    contents = {"good": good, "cut": good + b"1234567", "whole.gz": packed, "cut.gz": packed[:-2]}
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    paths = {name: str(tmp_path / name) for name in contents}

    def fixed():
        names = tf.train.string_input_producer([paths["cut.gz"]], num_epochs=1, shuffle=False)
        return tf.FixedLengthRecordReader(19, encoding="GZIP").read(names)[1]

    def plain():
        return _tfrecords([paths["good"], paths["cut"]])

    with pytest.warns(errors.TruncatedFileWarning, match="cut: 7 trailing bytes") as caught:
        dataset = tfqueue.dataset(plain)
    assert caught[0].filename == __file__
    assert len(list(dataset)) == 4
    missing = "cut.gz: the end of its GZIP stream is missing"
    with pytest.warns(errors.TruncatedFileWarning, match=missing):
        assert len(list(tfqueue.dataset(_tfrecords, [paths["cut.gz"]], "GZIP"))) == 2
    with pytest.warns(errors.TruncatedFileWarning, match=missing):
        assert len(list(tfqueue.dataset(fixed))) == 2
    with pytest.warns(errors.TruncatedFileWarning, match="7 trailing bytes") as caught:
        tfqueue.dataset.source(plain)
    assert caught[0].filename == __file__
    for files in (["good"], ""), (["whole.gz"], "GZIP"):  # a warning would be an error
        tfqueue.dataset(_tfrecords, [paths[name] for name in files[0]], files[1])


def test_a_file_that_is_too_short_for_its_header_ends_in_an_error(tmp_path):
    """As in the queues; one that has no more than the header is none of its failures there."""
    contents = [b"HHHHaabb", b"HHHHa", b"HHHH", b"HHH", b"HHHHcc"]
    paths = [str(tmp_path / str(number)) for number in range(len(contents))]
    for path, content in zip(paths, contents, strict=True):
        with open(path, "wb") as file:
            file.write(content)

    def inputs():
        names = tf.train.string_input_producer(paths, num_epochs=1, shuffle=False)
        return tf.FixedLengthRecordReader(2, header_bytes=4).read(names)[1]

    found = []
    with pytest.raises(tensorflow.errors.InvalidArgumentError, match="is cut inside its header"):
        for record in tfqueue.dataset(inputs):
            found.append(record.numpy())
    assert found == [b"aa", b"bb"]


# -- what comes out -------------------------------------------------------------------------------


def structures():
    number = tf.train.range_input_producer(6, num_epochs=1, shuffle=False).dequeue()
    pair = collections.namedtuple("Pair", "a b")
    sparse = tf.sparse.from_dense(tf.stack([number, 0, number + 1]))
    return {
        "alone": number,
        "list": [number, tf.cast(number, tf.float32)],
        "nested": ({"x": number}, pair(number, tf.zeros([2, 3]))),
        "sparse": sparse,
    }


@pytest.mark.parametrize("key", ["alone", "list", "nested", "sparse"])
def test_structure_dtypes_and_shapes_are_those_of_the_tensors(key):
    dataset = tfqueue.dataset(lambda: structures()[key])
    with tf.Graph().as_default():
        returned = structures()[key]
        returned = tuple(returned) if isinstance(returned, list) else returned
        expected = tensorflow.nest.map_structure(tensorflow.type_spec_from_value, returned)
    assert dataset.element_spec == expected
    assert len(list(dataset)) == 6


def test_epochs_run_into_each_other_and_the_rest_is_dropped(files):
    def inputs(smaller):
        number = line_of(files, num_epochs=2, shuffle=False)
        return tf.train.batch([number], 5, allow_smaller_final_batch=smaller)

    expected = [*range(12), *range(12)]
    assert values(tfqueue.dataset(inputs, True)) == expected
    assert values(tfqueue.dataset(inputs, False)) == expected[:20]


def test_no_limit_on_epochs_is_no_end(files):
    def inputs():
        return tf.train.batch([line_of(files, shuffle=False)], 4)

    dataset = tfqueue.dataset(inputs)
    assert dataset.cardinality() == tensorflow.data.INFINITE_CARDINALITY
    assert values(dataset, steps=6) == [*range(12), *range(12)]


def test_files_without_records_do_not_spin(tmp_path):
    (tmp_path / "empty.txt").write_text("")
    dataset = tfqueue.dataset(lambda: line_of([str(tmp_path / "empty.txt")]))
    assert values(dataset) == []


def test_shuffling_keeps_its_buffer_seed_and_changes_every_epoch(files):
    def inputs(seed=None):
        number = tf.train.range_input_producer(64, num_epochs=1, shuffle=False).dequeue()
        return tf.train.shuffle_batch([number], 4, 60, 20, seed=seed)

    (mixed,) = [n for n in plan.walk(planned(inputs)) if isinstance(n, plan.Shuffle)]
    assert mixed.buffer == 24  # min_after_dequeue and a batch
    dataset = tfqueue.dataset(inputs)
    first, second = values(dataset), values(dataset)
    assert sorted(first) == sorted(second) == list(range(64))
    assert first != second
    assert max(k - n for k, n in enumerate(first)) > 20  # further than a batch
    assert values(tfqueue.dataset(inputs, 3)) == values(tfqueue.dataset(inputs, 3))


def test_producers_shuffle_anew_in_each_epoch():
    def inputs():
        return tf.train.range_input_producer(50, num_epochs=2).dequeue()

    found = values(tfqueue.dataset(inputs))
    assert sorted(found[:50]) == sorted(found[50:]) == list(range(50))
    assert found[:50] != found[50:]


def test_a_seed_without_end_gives_the_order_of_the_queues(files):
    def numbers():
        return tf.train.slice_input_producer([np.arange(6)], shuffle=True, seed=7)[0]

    def lines():
        names = tf.train.string_input_producer(files, shuffle=True, seed=7)
        return tf.string_to_number(tf.TextLineReader().read(names)[1], tf.int32)

    dataset = tfqueue.dataset(numbers)
    first = [*dataset.take(18).as_numpy_iterator()]
    # as TensorFlow 1.15.5 prints it
    assert first == [3, 0, 1, 4, 2, 5, 2, 4, 0, 1, 5, 3, 4, 0, 5, 1, 2, 3]
    assert first == [*dataset.take(18).as_numpy_iterator()]
    assert dataset.cardinality() == tensorflow.data.INFINITE_CARDINALITY
    assert tfqueue.dataset.check(lines, steps=40)


@pytest.mark.parametrize("seed", [None, 7])
@pytest.mark.parametrize("epochs", [1, 3, None])
@pytest.mark.parametrize("keys", [False, True])
def test_one_shuffled_file_comes_as_often_as_there_are_epochs(files, seed, epochs, keys):
    def inputs():
        names = tf.train.string_input_producer(files[:1], num_epochs=epochs, seed=seed)
        key, line = tf.TextLineReader().read(names)
        return (key, line) if keys else line

    def row():
        names = [np.arange(1) + 4]
        return tf.train.slice_input_producer(names, num_epochs=epochs, seed=seed)[0]

    dataset, expected = tfqueue.dataset(inputs), (epochs or 5)
    assert len([*dataset.take(4 * 5)]) == 4 * expected  # the file has four lines
    assert [*tfqueue.dataset(row).take(5).as_numpy_iterator()] == [4] * expected
    assert tfqueue.dataset.check(inputs, steps=None if epochs else 12)


def test_several_readers_share_the_files_each_record_once(files):
    def inputs():
        names = tf.train.string_input_producer(files, num_epochs=2, shuffle=False)
        lists = [[tf.TextLineReader().read(names)[1]] for _ in range(3)]
        lines = tf.train.batch_join(lists, 4, allow_smaller_final_batch=True)
        return tf.string_to_number(lines, tf.int32)

    found = values(tfqueue.dataset(inputs))
    assert sorted(found) == sorted([*range(12), *range(12)])
    assert found[:3] == [0, 4, 7]  # in turns
    assert next(n for n in plan.walk(planned(inputs)) if isinstance(n, plan.Read)).files == 3


@pytest.mark.parametrize("seed", [5, None])
def test_numbers_that_are_shared_come_in_the_order_of_their_seed(seed):
    def inputs():
        number = tf.train.range_input_producer(30, num_epochs=2, shuffle=False).dequeue()
        mixed = tf.RandomShuffleQueue(60, 20, [tf.int32], [[]], seed=seed)
        shared = tf.FIFOQueue(9, [tf.int32], [[]])
        tf.train.add_queue_runner(tf.train.QueueRunner(mixed, [mixed.enqueue(number)]))
        tf.train.add_queue_runner(tf.train.QueueRunner(shared, [shared.enqueue(mixed.dequeue())]))
        return tf.train.batch_join([[shared.dequeue()], [shared.dequeue() + 100]], 4)

    found = [values(tfqueue.dataset(inputs)) for _ in range(2)]
    assert sorted(n % 100 for n in found[0]) == sorted([*range(30)] * 2)
    assert (found[0] == found[1]) is (seed is not None)


def test_readers_that_do_different_things_share_the_files_too(files):
    def inputs():
        names = tf.train.string_input_producer(files, num_epochs=1, shuffle=False)
        one = tf.string_to_number(tf.TextLineReader().read(names)[1], tf.int32)
        other = tf.string_to_number(tf.TextLineReader().read(names)[1], tf.int32) + 100
        return tf.train.batch_join([[one], [other]], 12)

    found = values(tfqueue.dataset(inputs))
    assert sorted(n % 100 for n in found) == list(range(12))
    assert {n >= 100 for n in found} == {True, False}


def test_queues_in_a_row_and_two_batches_at_once(files):
    def inputs():
        number = line_of(files, num_epochs=1, shuffle=False)
        queue = tf.FIFOQueue(10, [tf.int32], [[]])
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(number * 2)]))
        doubled = tf.train.batch([queue.dequeue() + 1], 3)
        others = tf.train.range_input_producer(30, num_epochs=1, shuffle=False).dequeue_many(2)
        return doubled, others

    elements = [(a.numpy().tolist(), b.numpy().tolist()) for a, b in tfqueue.dataset(inputs)]
    assert elements == [
        ([1, 3, 5], [0, 1]),
        ([7, 9, 11], [2, 3]),
        ([13, 15, 17], [4, 5]),
        ([19, 21, 23], [6, 7]),
    ]


def test_conds_loops_tables_and_constants(files):
    mean = np.arange(2000, dtype=np.float32)

    def inputs():
        number = line_of(files, num_epochs=1, shuffle=False)
        sign = tf.cond(number % 2 > 0, lambda: -1, lambda: 1)
        total = tf.while_loop(lambda i, s: i < number, lambda i, s: (i + 1, s + i), [0, 0])[1]
        squares = tf.reduce_sum(tf.map_fn(lambda i: i * i, tf.range(number)))
        table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer([1, 2, 3], ["one", "two", "three"], tf.int32), "-"
        )
        return tf.train.batch(
            [number * sign, total, squares, table.lookup(number), tf.constant(mean)[number]], 4
        )

    n = np.arange(12)
    names = np.array([b"-", b"one", b"two", b"three"] + [b"-"] * 8)
    expected = [
        n * np.where(n % 2, -1, 1),
        n * (n - 1) // 2,
        [sum(i * i for i in range(k)) for k in n],
    ]
    found = list(zip(*((part.numpy() for part in e) for e in tfqueue.dataset(inputs)), strict=True))
    for column, right in zip(found, [*expected, names, mean[:12]], strict=True):
        np.testing.assert_array_equal(np.concatenate(column), right)


def test_random_ops_draw_anew():
    def inputs():
        number = tf.train.range_input_producer(8, num_epochs=1, shuffle=False).dequeue()
        return tf.train.batch([number, tf.random_uniform([])], 4)

    drawn = np.concatenate([noise.numpy() for _, noise in tfqueue.dataset(inputs)])
    assert len(set(drawn.tolist())) == 8


def test_examples_are_parsed_a_batch_at_a_time_and_mixed_before(records):
    path = records([tf.train.Example().SerializeToString()] * 4)

    def inputs():
        names = tf.train.string_input_producer([path], num_epochs=1)
        features = {"x": tf.FixedLenFeature([2], tf.float32, default_value=[1, 2])}
        x = tf.parse_single_example(tf.TFRecordReader().read(names)[1], features)["x"]
        return tf.train.shuffle_batch([x * 2], 2, 20, 10)

    assert nodes(inputs) == ["Apply", "Apply", "Batch", "Shuffle", "Read", "Rows"]
    _, parsing, *_ = plan.walk(planned(inputs))
    assert parsing.vector
    np.testing.assert_array_equal(next(iter(tfqueue.dataset(inputs))), [[2, 4]] * 2)


def test_what_draws_by_two_seeds_draws_by_both():
    def inputs():
        each = [[tf.random_uniform([], seed=seed)] for seed in (1, 2)]
        return tf.train.batch_join(each, 4)

    text = tfqueue.dataset.source(inputs)
    assert "seed2=1" in text
    assert "seed2=2" in text


Pair = collections.namedtuple("Pair", "first second")
Other = collections.namedtuple("Other", "first")
Other.__name__ = "no name"


def of_pairs(x, y):
    return Pair(x, Pair(y, x)), Other(y)


def of_long_pairs(x, y):
    long = tf.sqrt(tf.to_float(x)) + tf.sqrt(tf.to_float(y))
    return {"the first, of a very long name": (long, y), "the second of them": (y, x)}


def of_ordered_dicts(x, y):
    return collections.OrderedDict([("b", x), ("a", {"c": y})])


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (of_pairs, (Pair(3, Pair(4, 3)), Other(4))),
        (
            of_long_pairs,
            {"the first, of a very long name": (2 + 3**0.5, 4), "the second of them": (4, 3)},
        ),
        (lambda x, y: (x,), (3,)),
        (lambda x, y: (x, (y,)), (3, (4,))),
        (of_ordered_dicts, collections.OrderedDict([("b", 3), ("a", {"c": 4})])),
        (lambda x, y: {"a": x}, {"a": 3}),
    ],
)
def test_the_structure_of_an_element_is_kept(build, expected):
    def inputs():
        x = tf.train.range_input_producer(9, shuffle=False).dequeue() + 3
        return build(x, x + 1)

    with tfqueue.eager():
        element = next(iter(tfqueue.dataset(inputs)))
        tf.nest.assert_same_structure(element, expected)
        assert type(element) is type(expected)
        found = [each.numpy() for each in tf.nest.flatten(element)]
    assert np.allclose(found, tf.nest.flatten(expected))
    assert ("import collections" in tfqueue.dataset.source(inputs)) is (
        build in (of_pairs, of_ordered_dicts)
    )


def test_ragged_tensors_are_given_as_such():
    def inputs():
        x = tf.train.range_input_producer(3, shuffle=False, num_epochs=1).dequeue()
        return tf.RaggedTensor.from_row_lengths(tf.range(3) + x, [1, 2])

    with tfqueue.eager():
        found = [element.to_list() for element in tfqueue.dataset(inputs)]
    assert found == [[[k], [k + 1, k + 2]] for k in range(3)]


# -- what cannot be lifted ------------------------------------------------------------------------


def by_python(number):
    return tf.py_func(lambda n: np.int32(n + 1), [number], tf.int32)


def by_placeholder(number):
    return number + tf.placeholder(tf.int32, [], name="offset")


def by_variable(number):
    count = tf.get_variable("count", [], tf.int32, trainable=False)
    count.assign_add(1)
    return number + count


def by_table(number):
    table = tf.raw_ops.HashTableV2(key_dtype=tf.int32, value_dtype=tf.int32, name="table")
    for key in (1, 2):
        tf.raw_ops.InitializeTableV2(table_handle=table, keys=[key], values=[10 * key])
    return tf.raw_ops.LookupTableFindV2(table_handle=table, keys=number, default_value=-1)


def by_priority(number):
    queue = tf.PriorityQueue(10, [tf.int32], [[]], name="urgent")
    put = queue.enqueue([tf.cast(number, tf.int64), number])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put]))
    return queue.dequeue()[1]


def by_hand(number):
    queue = tf.RandomShuffleQueue(10, 2, [tf.int32], [[]], name="mine")
    queue.enqueue(number, name="put")
    return queue.dequeue()


def by_a_loop_of_its_own(number):
    queue = tf.FIFOQueue(10, [tf.int32], [[]], name="mine")
    own = type("First", (tf.train.QueueRunner,), {"_run": lambda *_: None})
    tf.train.add_queue_runner(own(queue, [queue.enqueue(number)]))
    return queue.dequeue()


def by_hand_besides(number):
    queue = tf.FIFOQueue(10, [tf.int32], [[]], name="mine")
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(number)]))
    queue.enqueue(7, name="extra")
    return queue.dequeue()


def by_parity(number):
    """As `tf.contrib.training.bucket` does it, but the buckets give single elements."""
    queues = [tf.FIFOQueue(10, [tf.int32], [[]], name=f"bucket_{i}") for i in range(2)]
    which = number % 2
    puts = [
        tf.cond(tf.equal(which, i), lambda queue=queue: queue.enqueue(number), tf.no_op)
        for i, queue in enumerate(queues)
    ]
    closes = tf.group(*(queue.close() for queue in queues))
    tf.train.add_queue_runner(tf.train.QueueRunner(queues[0], [tf.group(*puts)], closes))
    sorted_out = tf.FIFOQueue(10, [tf.int32, tf.int32], [[], []], name="sorted_out")
    each = [sorted_out.enqueue([i, queue.dequeue()]) for i, queue in enumerate(queues)]
    tf.train.add_queue_runner(tf.train.QueueRunner(sorted_out, each))
    return sorted_out.dequeue()[1]


REFUSED = {
    by_parity: r"FIFOQueue 'bucket_0' is filled on a condition",
    by_python: r"PyFunc 'PyFunc' calls Python",
    by_placeholder: r"placeholder 'offset' is fed by hand .*argument of the function",
    by_variable: r"variable 'count' has a value in a session only",
    by_table: r"table 'table' is filled by 2 ops",
    by_priority: r"PriorityQueue 'urgent' gives elements by their priority",
    by_hand: r"RandomShuffleQueue 'mine' has no QueueRunner",
    by_a_loop_of_its_own: r"'mine' is filled by a runner of the class First, which has a '_run'",
    by_hand_besides: r"FIFOQueue 'mine' is filled by hand, with QueueEnqueueV2 'extra'",
}


@pytest.mark.parametrize("change", REFUSED, ids=lambda change: change.__name__)
def test_refused_by_name(change, files):
    with pytest.raises(errors.CannotLiftError, match=REFUSED[change]) as caught:
        tfqueue.dataset(lambda: change(line_of(files)))
    assert "engine='session'" in str(caught.value)
    assert f"{os.path.basename(__file__)}:" in str(caught.value)


def test_what_one_side_of_a_cond_gives_is_refused(files):
    def inputs():
        number, given = line_of(files), []

        def usual():
            given.append(number * 2)
            return given[0]

        tf.cond(number < 9, usual, lambda: number)
        return given[0]

    with pytest.raises(errors.CannotLiftError, match=r"'.*mul:0' is there on one side of"):
        tfqueue.dataset(inputs)


def test_what_is_no_tensor_is_told():
    with pytest.raises(TypeError, match=r"returned int 5 at its result\[1\], not a tensor"):
        tfqueue.dataset(lambda: (tf.constant(1), 5))
    with pytest.raises(ValueError, match="'lift' or 'session'"):
        tfqueue.dataset(lambda: tf.constant(1), engine="fast")


# -- what a dataset is good for -------------------------------------------------------------------


def pairs(count=40, epochs=1, batch=4):
    number = tf.train.range_input_producer(count, num_epochs=epochs).dequeue()
    x = tf.cast(tf.stack([number, number + 1, 1]), tf.float32)
    return tf.train.shuffle_batch([x, tf.cast(number % 2, tf.float32)], batch, 40, 20)


def test_keras_fits():
    model = tensorflow.keras.Sequential([tensorflow.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    history = model.fit(tfqueue.dataset(pairs), epochs=2, verbose=0, shuffle=False)
    assert len(history.history["loss"]) == 2
    assert model.optimizer.iterations == 20


def test_in_a_function_of_tensorflow():
    @tensorflow.function
    def total(dataset):
        found = tensorflow.constant(0.0)
        for x, _ in dataset:
            found += tensorflow.reduce_sum(x[:, 0])
        return found

    assert total(tfqueue.dataset(pairs)) == sum(range(40))


def test_shards_are_the_whole(files):
    def inputs():
        return tf.train.batch([line_of(files, num_epochs=2)], 4, allow_smaller_final_batch=True)

    shards = [values(tfqueue.dataset(inputs, shard=(2, i))) for i in range(2)]
    assert sorted(shards[0]) == sorted([*range(4), *range(7, 12)] * 2)  # files 0 and 2
    assert sorted(shards[1]) == sorted([*range(4, 7)] * 2)
    dataset = tfqueue.dataset(inputs)
    assert sum(len(values(dataset.shard(3, i))) for i in range(3)) == 24


@pytest.mark.parametrize("policy", ["OFF", "FILE", "DATA"])
def test_distributed(policy, files):
    def inputs():
        return tf.train.batch([line_of(files, num_epochs=1)], 4)

    options = tensorflow.data.Options()
    options.experimental_distribute.auto_shard_policy = getattr(
        tensorflow.data.experimental.AutoShardPolicy, policy
    )
    strategy = tensorflow.distribute.MirroredStrategy(["CPU:0"])
    dataset = tfqueue.dataset(inputs).with_options(options)
    found = [
        n for b in strategy.experimental_distribute_dataset(dataset) for n in b.numpy().tolist()
    ]
    assert sorted(found) == list(range(12))


def test_saved_and_loaded(tmp_path, files):
    dataset = tfqueue.dataset(lambda: line_of(files, num_epochs=1, shuffle=False))
    dataset.save(str(tmp_path / "saved"))
    assert values(tensorflow.data.Dataset.load(str(tmp_path / "saved"))) == list(range(12))


def test_an_iterator_goes_on_from_its_checkpoint(tmp_path):
    dataset = tfqueue.dataset(pairs)
    iterator = iter(dataset)
    checkpoint = tensorflow.train.Checkpoint(iterator=iterator)
    first = [next(iterator)[0].numpy() for _ in range(3)]
    path = checkpoint.save(str(tmp_path / "iterator"))
    rest = [x.numpy() for x, _ in iterator]
    again = iter(dataset)
    tensorflow.train.Checkpoint(iterator=again).restore(path)
    restored = [x.numpy() for x, _ in again]
    np.testing.assert_array_equal(rest, restored)
    assert sorted(np.concatenate([*first, *rest])[:, 0]) == list(range(40))


def test_a_table_lives_as_long_as_its_dataset(files):
    def inputs():
        number = line_of(files, num_epochs=1, shuffle=False)
        fill = tf.lookup.KeyValueTensorInitializer(tf.range(12), tf.range(12) * 10)
        return tf.lookup.StaticHashTable(fill, -1).lookup(number)

    dataset = tfqueue.dataset(inputs).batch(3)
    gc.collect()  # whatever Python held of the table is gone
    assert values(dataset) == [n * 10 for n in range(12)]


def test_nothing_of_python_is_in_the_graph(files):
    """So it can be saved, sent to a service, and run without this process's Python."""

    def inputs():
        return tf.train.shuffle_batch([line_of(files)], 4, 40, 20)

    graph = tfqueue.dataset(inputs)._as_serialized_graph().numpy()
    assert b"PyFunc" not in graph
    assert b"Queue" not in graph
    assert b"TextLineDataset" in graph


def test_lift_asks_the_model_only_for_what_is_fetched():
    def inputs():
        by_placeholder(tf.constant(1))  # elsewhere in the graph, and no part of it
        return tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()

    assert values(tfqueue.dataset(inputs)) == [0, 1, 2]
    assert callable(lift.lift)


def test_a_name_that_is_missing_is_told_with_how_the_function_gets_it():
    def old():
        return tensorflow.pack([1, 2])

    with (
        tfqueue.eager(),
        pytest.raises(AttributeError, match=r"tensorflow.* has no attribute 'pack'") as caught,
    ):
        tfqueue.dataset(old)
    [note] = caught.value.__notes__
    assert f"tfqueue.dataset('{__file__}:old', ...), or let the module import tfqueue.v1" in note


def test_another_name_that_is_missing_is_told_as_it_is():
    with tfqueue.eager(), pytest.raises(AttributeError, match="no attribute 'rows'") as caught:
        tfqueue.dataset(lambda: object().rows)
    assert not hasattr(caught.value, "__notes__")
