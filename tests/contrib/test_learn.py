"""`tf.contrib.learn`: readers of files in batches, and running a graph a few times."""

import numpy as np
import pytest
from tfqueue.v1.contrib import learn

import tfqueue
import tfqueue.v1 as tf

FEATURES = {"x": tf.FixedLenFeature([], tf.int64), "v": tf.VarLenFeature(tf.int64)}


@pytest.fixture
def pattern(records, tmp_path):
    """Two files of five examples: `x` is 0 to 9, `v` has as many zeros as the record's number."""
    for number in (0, 1):
        payloads = []
        for position in range(5):
            example = tf.train.Example()
            example.features.feature["x"].int64_list.value.append(number * 5 + position)
            example.features.feature["v"].int64_list.value.extend([0] * position)
            payloads.append(example.SerializeToString())
        records(payloads, f"{number}.tfrecord")
    return str(tmp_path / "*.tfrecord")


def read_x(serialized):
    return tf.parse_single_example(serialized, FEATURES)["x"]


def all_batches(tensor):
    with tfqueue.managed_session() as sess:
        return [np.asarray(batch).tolist() for batch in sess.batches(tensor)]


def test_in_order_one_epoch_ends_with_a_smaller_batch(pattern):
    batch = learn.read_batch_examples(
        pattern, 4, tf.TFRecordReader, randomize_input=False, num_epochs=1, parse_fn=read_x
    )
    assert all_batches(batch) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]


@pytest.mark.parametrize("read_batch_size", [1, 3])
def test_mixed_every_example_comes_once_an_epoch(pattern, read_batch_size):
    keys, examples = learn.read_keyed_batch_examples(
        pattern,
        4,
        tf.TFRecordReader,
        num_epochs=2,
        queue_capacity=50,
        read_batch_size=read_batch_size,
        seed=1,
    )
    x = tf.parse_example(examples, FEATURES)["x"]
    with tfqueue.managed_session() as sess:
        pairs = [pair for batch in sess.batches([keys, x]) for pair in zip(*batch, strict=True)]
    assert sorted(int(x) for _, x in pairs) == sorted([*range(10)] * 2)
    assert [int(x) for _, x in pairs] != [*range(10)] * 2
    by_file = {int(x) // 5 for key, x in pairs if b"/1.tfrecord:" in key}
    assert by_file == {1}


def test_a_parsed_dict_comes_back_without_the_key(pattern):
    keys, parsed = learn.read_keyed_batch_examples(
        pattern,
        5,
        tf.TFRecordReader,
        randomize_input=False,
        num_epochs=1,
        parse_fn=lambda serialized: {"x": read_x(serialized)},
    )
    assert set(parsed) == {"x"}
    assert all_batches(parsed["x"]) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert keys.dtype == tf.string


def test_features_are_parsed_in_whole_batches_dense_and_sparse(pattern):
    keys, features = learn.read_keyed_batch_features(
        pattern,
        5,
        FEATURES,
        tf.TFRecordReader,
        randomize_input=False,
        num_epochs=1,
        num_enqueue_threads=1,
    )
    assert isinstance(features["v"], tf.SparseTensor)
    [first, second] = learn.run_n({"k": keys, "x": features["x"], "v": features["v"]}, n=2)
    assert first["x"].tolist() == [0, 1, 2, 3, 4]
    assert first["v"].dense_shape.tolist() == [5, 4]
    assert len(first["v"].values) == 10
    assert second["x"].tolist() == [5, 6, 7, 8, 9]
    assert second["k"][0].endswith(b"1.tfrecord:0")


@pytest.mark.parametrize(
    "read",
    [
        lambda pattern: learn.read_batch_features(
            pattern, 5, FEATURES, tf.TFRecordReader, num_epochs=1, queue_capacity=20
        ),
        lambda pattern: learn.read_batch_record_features(
            pattern, 5, FEATURES, num_epochs=1, queue_capacity=20
        ),
        lambda pattern: learn.read_keyed_batch_features_shared_queue(
            pattern, 5, FEATURES, tf.TFRecordReader, num_epochs=1, queue_capacity=20
        )[1],
        lambda pattern: {
            "x": tf.parse_example(
                learn.read_keyed_batch_examples_shared_queue(
                    pattern, 5, tf.TFRecordReader, num_epochs=1, queue_capacity=20
                )[1],
                FEATURES,
            )["x"]
        },
    ],
)
def test_the_other_readers_bring_every_example_once(pattern, read):
    batches = all_batches(read(pattern)["x"])
    assert sorted(x for batch in batches for x in batch) == list(range(10))


def test_the_runners_are_ours(pattern):
    learn.read_batch_record_features(pattern, 5, FEATURES, queue_capacity=20)
    runners = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
    assert len(runners) == 3
    assert all(isinstance(runner, tf.train.QueueRunner) for runner in runners)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"file_pattern": "no/such/*.tfrecord"}, "No files match"),
        ({"file_pattern": []}, "No files given"),
        ({"batch_size": 0}, "Invalid batch_size 0"),
        ({"batch_size": 100, "queue_capacity": 100}, "Invalid batch_size 100, with queue_capacity"),
        ({"queue_capacity": 0}, "Invalid queue_capacity 0"),
        ({"num_threads": 0}, "Invalid num_threads 0"),
        ({"num_epochs": 0}, "Invalid num_epochs 0"),
        ({"read_batch_size": None}, "Invalid read_batch_size None"),
    ],
)
def test_what_makes_no_sense_is_refused(pattern, change, says):
    arguments = {"file_pattern": pattern, "batch_size": 2, "reader": tf.TFRecordReader, **change}
    with pytest.raises(ValueError, match=says):
        learn.read_batch_examples(**arguments)


def test_run_n_runs_the_queues_and_ends_them():
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    assert learn.run_n({"n": number}, n=2) == [{"n": 0}, {"n": 1}]


def test_run_n_says_when_the_data_ends_before_it_does():
    number = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
    with pytest.raises(tf.errors.OutOfRangeError):
        learn.run_n({"n": number}, n=4)


def test_run_feeds_and_infer_from_a_checkpoint(tmp_path):
    variable = tf.get_variable("v", initializer=2.0)
    x = tf.placeholder(tf.float32, [])
    out = {"y": variable * x}
    with tf.Session() as sess:
        sess.run(variable.assign(5.0))
        path = tf.train.Saver().save(sess, str(tmp_path / "model"))
    assert learn.run_feeds(out, [{x: 1.0}, {x: 3.0}]) == [{"y": 2.0}, {"y": 6.0}]
    assert learn.infer(path, out, {x: 2.0}) == {"y": 10.0}
    with pytest.raises(ValueError, match="output_dict is invalid"):
        learn.run_n({})


def test_tables_from_csv(tmp_path):
    base = learn.datasets.base
    with_header, without = tmp_path / "a.csv", tmp_path / "b.csv"
    with_header.write_text("2,3,what,ever\n1,2,3,0\n4,5,6,1\n")
    without.write_text("0,1.5\n1,2.5\n2,3.5\n")
    table = base.load_csv_with_header(str(with_header), np.int64, np.float32)
    assert table.data.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert table.target.tolist() == [0, 1]
    table = base.load_csv_without_header(str(without), np.int64, np.float64, target_column=0)
    assert table.data.tolist() == [[1.5], [2.5], [3.5]]
    assert table.target.tolist() == [0, 1, 2]
    base.shrink_csv(str(without), 2)
    assert (tmp_path / "b_small.csv").read_text().split() == ["0,1.5", "2,3.5"]


def test_what_is_not_brought_back_says_what_to_use():
    with pytest.raises(AttributeError, match=r"tf\.contrib\.learn\.SVM is gone since"):
        learn.SVM  # noqa: B018
    with pytest.raises(ImportError, match="managed_session, or Keras"):
        from tfqueue.v1.contrib.learn import DNNEstimator  # noqa: F401
    with pytest.raises(AttributeError, match=r"sklearn\.datasets\.load_iris"):
        learn.datasets.load_iris  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        learn.no_such_name  # noqa: B018


ROWS = [
    ["a", 3, 1.5],
    ["b", 3, float("nan")],
    [float("nan"), 4, 1.5],
    ["a", 3, 2.5],
    ["c", 5, 1.5],
]
UNSEEN = [["zz", 4, float("nan")], ["b", 5, 2.5]]


# What 1.15.5 gives: how it is made; the numbers of ROWS and of UNSEEN; the vocabularies' sizes.
@pytest.mark.parametrize(
    ("given", "known", "unseen", "sizes"),
    [
        (
            {},
            [[1, 1, 1], [2, 1, 0], [0, 2, 1], [1, 1, 2], [3, 3, 1]],
            [[0, 2, 0], [2, 3, 2]],
            [4, 4, 3],
        ),
        (
            {"share": True},
            [[1, 2, 3], [4, 2, 0], [0, 5, 3], [1, 2, 6], [7, 8, 3]],
            [[0, 5, 0], [4, 8, 6]],
            [9, 9, 9],
        ),
        (
            {"min_frequency": 1},
            [[1, 1, 1], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 0, 1]],
            [[0, 0, 0], [0, 0, 0]],
            [2, 2, 2],
        ),
        (
            {"min_frequency": 1, "share": True},
            [[3, 2, 1], [0, 2, 0], [0, 0, 1], [3, 2, 0], [0, 0, 1]],
            [[0, 0, 0], [0, 0, 0]],
            [4, 4, 4],
        ),
    ],
)
def test_categories_become_numbers(given, known, unseen, sizes):
    processor = tf.contrib.learn.preprocessing.CategoricalProcessor(**given)
    rows = list(processor.fit_transform(ROWS))
    assert [row.tolist() for row in rows] == known
    assert {row.dtype for row in rows} == {np.dtype(np.int64)}
    assert [row.tolist() for row in processor.transform(UNSEEN)] == unseen
    assert [len(vocabulary) for vocabulary in processor.vocabularies_] == sizes


def test_the_categories_of_an_array_and_of_a_table():
    rows = np.array([["x", "y"], ["y", "x"], ["x", "x"]])

    class Table:  # what is asked of a pandas DataFrame; its own iterator gives the columns' names
        columns = ("first", "second")

        def to_numpy(self):
            return rows

    for given in (rows, Table()):
        processor = tf.contrib.learn.preprocessing.CategoricalProcessor(share=True)
        assert [row.tolist() for row in processor.fit_transform(given)] == [[1, 2], [2, 1], [1, 1]]


def test_what_is_no_table_is_taken_row_by_row():
    class Rows(list):
        def to_numpy(self):
            raise AssertionError("a table has columns")

    processor = tf.contrib.learn.preprocessing.CategoricalProcessor()
    found = processor.fit_transform(Rows([["x"], ["y"], ["x"]]))
    assert [row.tolist() for row in found] == [[1], [2], [1]]


def test_documents_become_bytes():
    processor = tf.contrib.learn.preprocessing.ByteProcessor(6)
    documents = ["abc", b"longer than six", "h\u00e9llo w", "", b"\xff\xfe", "a\0b"]
    arrays = list(processor.transform(documents))
    assert [array.tolist() for array in arrays] == [
        [97, 98, 99, 0, 0, 0],
        [108, 111, 110, 103, 101, 114],
        [104, 195, 169, 108, 108, 111],
        [0, 0, 0, 0, 0, 0],
        [255, 254, 0, 0, 0, 0],
        [97, 0, 98, 0, 0, 0],
    ]
    assert {array.dtype for array in arrays} == {np.dtype(np.uint8)}
    assert list(processor.reverse(arrays)) == ["abc", "longer", "h\u00e9llo", "", "", "a\0b"]
    assert processor.fit(documents) is None
    assert [array.tolist() for array in processor.fit_transform(documents)] == [
        array.tolist() for array in arrays
    ]


def test_a_mode_that_is_none():
    for mode in ("train", "eval", "infer"):
        learn.ModeKeys.validate(mode)
    with pytest.raises(ValueError, match="Invalid mode test"):
        learn.ModeKeys.validate("test")
