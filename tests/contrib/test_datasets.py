"""`tf.contrib.data.Dataset`: what 1.2.1, 1.3.0 and 1.4.1 gave."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue import release

Dataset = tf.contrib.data.Dataset
ROWS, NUMBERS = np.arange(6).reshape(3, 2), np.arange(3.0)


def elements(dataset):
    """What the iterator of a dataset gives, as lists."""
    following, found = dataset.make_one_shot_iterator().get_next(), []
    with tf.Session() as sess:
        while True:
            try:
                found.append(sess.run(following))
            except tf.errors.OutOfRangeError:
                return found


def plain(value):
    """Tuples for tuples, lists for arrays."""
    return tuple(map(plain, value)) if isinstance(value, tuple) else value.tolist()


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default():
        yield


def test_a_list_that_is_no_tensor_is_a_structure_as_in_1_2():
    pairs = [([0, 1], 0.0), ([2, 3], 1.0), ([4, 5], 2.0)]
    assert [plain(one) for one in elements(Dataset.from_tensor_slices([ROWS, NUMBERS]))] == pairs
    nested = elements(Dataset.from_tensor_slices((NUMBERS, [ROWS, ROWS])))
    assert plain(nested[1]) == (1.0, ([2, 3], [2, 3]))
    assert plain(elements(Dataset.from_tensors([ROWS, NUMBERS]))[0]) == (
        *([[0, 1], [2, 3], [4, 5]], [0.0, 1.0, 2.0]),
    )
    zipped = elements(Dataset.zip([Dataset.range(2), Dataset.range(2)]))
    assert [plain(one) for one in zipped] == [(0, 0), (1, 1)]


def test_tensors_of_several_dtypes_or_shapes_are_a_structure_and_others_one_tensor():
    whole, real = tf.constant([1, 2]), tf.constant([0.5, 1.5])
    mixed = elements(Dataset.from_tensor_slices([whole, real]))
    assert [plain(one) for one in mixed] == [(1, 0.5), (2, 1.5)]
    other = Dataset.from_tensors([whole, tf.constant([1, 2, 3])])
    assert plain(elements(other)[0]) == ([1, 2], [1, 2, 3])
    assert plain(elements(Dataset.from_tensors([whole, whole]))[0]) == [[1, 2], [1, 2]]
    assert plain(elements(Dataset.from_tensors([whole, [3, 4]]))[0]) == [[1, 2], [3, 4]]
    words = Dataset.from_tensor_slices(["a", "b"])
    assert elements(words) == [b"a", b"b"]


def test_in_1_2_each_list_was_a_structure():
    former = release.assume("1.2")
    try:
        assert plain(elements(Dataset.from_tensors([1, 2]))[0]) == (1, 2)
        both = elements(Dataset.from_tensor_slices([tf.constant([1, 2]), tf.constant([3, 4])]))
        assert [plain(one) for one in both] == [(1, 3), (2, 4)]
    finally:
        release.assume(former)


def test_methods_that_are_functions_today():
    windows = Dataset.range(6).group_by_window(lambda x: x % 2, lambda _, some: some.batch(2), 2)
    assert [one.tolist() for one in elements(windows)] == [[0, 2], [1, 3], [4], [5]]
    rows = Dataset.range(3).map(lambda x: tf.reshape(x, [1]))
    sparse = elements(rows.dense_to_sparse_batch(2, [3]))
    assert plain(sparse[0]) == ([[0, 0], [1, 0]], [0, 1], [2, 3])
    assert plain(sparse[1]) == ([[0, 0]], [2], [1, 3])
    checked = Dataset.from_tensor_slices(np.array([1.0, 0.0, 2.0]))
    checked = checked.map(lambda x: tf.check_numerics(1 / x, "not finite")).ignore_errors()
    assert [float(one) for one in elements(checked)] == [1.0, 0.5]


def test_every_dataset_is_one():
    assert isinstance(Dataset.range(3).batch(2), Dataset)
    assert isinstance(tf.data.Dataset.range(3), Dataset)
    assert not isinstance(ROWS, Dataset)


@pytest.mark.parametrize(
    ("era", "shapes"),
    [
        ("1.7", [(3, 3), (2, 6)]),
        ("1.9", [(3, 3), (2, 6)]),
        ("1.10", [(3, 2), (2, 5)]),
        (None, [(3, 2), (2, 5)]),
    ],
)
def test_buckets_are_padded_to_their_boundary_up_to_1_9(era, shapes):
    former = release.assume(era)
    lengths = tf.data.Dataset.range(20).map(lambda x: tf.range(x % 5))
    batches = lengths.apply(
        tf.contrib.data.bucket_by_sequence_length(
            tf.size, [3, 6], [3, 2, 2], pad_to_bucket_boundary=True
        )
    )
    found = elements(batches)
    release.assume(former)
    assert [one.shape for one in found[:2]] == shapes
    # which elements are in a batch does not change
    assert found[0][:, :2].tolist() == [[0, 0], [0, 0], [0, 1]]


@pytest.mark.parametrize(("era", "drawn"), [("1.13", 0.23904), ("1.4", 0.23904), (None, 0.38752)])
def test_the_seed_of_the_graph_counts_in_functions_of_datasets_since_1_14(era, drawn):
    former = release.assume(era)
    tf.set_random_seed(5)
    numbers = tf.data.Dataset.range(3)
    draws = numbers.map(lambda x: tf.random_uniform([], seed=1))
    found = elements(draws)[0]
    inner = elements(numbers.flat_map(lambda x: tf.data.Dataset.range(9).shuffle(9, seed=2)))[0]
    release.assume(former)
    assert round(float(found), 5) == drawn
    assert inner == (2 if era is None else 8)
    assert tf.get_default_graph().seed == 5


@pytest.mark.filterwarnings("ignore:Seed 5 from outer graph:UserWarning")  # as 1.15 says it
@pytest.mark.parametrize(("era", "seeded"), [("1.13", False), (None, True)])
def test_what_has_no_seed_in_a_function_is_left_to_chance_up_to_1_13(era, seeded):
    former = release.assume(era)
    tf.set_random_seed(5)
    first, second = (
        elements(tf.data.Dataset.range(4).map(lambda x: tf.random_uniform([]))) for _ in range(2)
    )
    release.assume(former)
    assert (first == second) is seeded
