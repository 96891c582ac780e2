"""Input functions of as many kinds: queues, lift and written program give the same elements."""

import numpy as np
import pytest
import tensorflow

import tfqueue
from tests.dataset import inputs
from tests.dataset.lifted import three_ways
from tests.suite import samples
from tfqueue.dataset import element_comparison, plan

# What does not fill the last batch is dropped, as the functions say.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::tfqueue.errors.DroppedElementsWarning"),
    pytest.mark.filterwarnings("ignore::tfqueue.errors.WaitingWarning"),
    pytest.mark.filterwarnings("ignore::tfqueue.errors.EagerCondWarning"),
    # Some take at several places of a queue, in the order that chance gives; they are `loose`.
    pytest.mark.filterwarnings("ignore::tfqueue.errors.TwoDequeuesWarning"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("inputs")
    inputs.write(made)
    return made


@pytest.mark.parametrize("name", samples.some(inputs.FUNCTIONS, 2))
def test_give_the_same(name, folder):
    python = name in inputs.PYTHON
    for found in three_ways(inputs.FUNCTIONS[name], folder, python=python):
        assert found.steps or found.error
        assert (found.how == "by dtype and shape") == (name in inputs.LOOSE)


def test_they_are_of_many_kinds():
    assert len(inputs.FUNCTIONS) >= 80


@pytest.mark.parametrize("name", ["many_and_one", "one_and_one", "two_reads_of_one_reader"])
def test_a_step_that_takes_at_several_places_takes_in_order(name, folder):
    with tfqueue.eager():
        found = list(tfqueue.dataset(inputs.FUNCTIONS[name], folder).as_numpy_iterator())
    if name == "many_and_one":
        found = [[*many.tolist(), int(one)] for many, one in found]
        assert found == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    elif name == "one_and_one":
        assert [[part[-1:] for part in pair] for pair in found] == [[b"a", b"b"], [b"c", b"d"]]
    else:
        assert [int(part) for pair in found for part in pair] == list(range(12))


@pytest.mark.parametrize("name", ["two_batches_of_one_read", "two_mixed_batches_of_one_read"])
def test_consumers_of_one_read_share_its_examples(name, folder):
    with tfqueue.eager():
        dataset = tfqueue.dataset(inputs.FUNCTIONS[name], folder)
        for _ in range(2):
            parts = [part for pair in dataset.as_numpy_iterator() for part in pair]
            came = [int(number) for part in parts for number in part.ravel()]
            assert sorted(came) == list(range(12))


def test_a_program_of_tensorflow_2_may_have_set_its_seed_to_0(folder):
    """Then TensorFlow compares a seed that is a tensor with a number, as if it were known."""
    tensorflow.random.set_seed(0)
    try:
        with tfqueue.eager():
            dataset = tfqueue.dataset(inputs.FUNCTIONS["two_mixed_batches_of_one_read"], folder)
            parts = [part for pair in dataset.as_numpy_iterator() for part in pair]
    finally:
        tensorflow.random.set_seed(None)
    assert sorted(int(number) for part in parts for number in part.ravel()) == list(range(12))


@pytest.mark.parametrize(("smaller", "left"), [(False, 2), (True, 0)])
@pytest.mark.parametrize("others", range(4))
def test_where_elements_are_mixed_only_what_is_left_over_may_differ(smaller, left, others):
    """Of eight numbers in batches of three chance drops two, and other ones in the lift."""
    rows = plan.Rows([np.arange(8)], 1, False)
    node = plan.Batch(plan.Shuffle(rows, 8, None), 3, smaller)
    queues = [[np.array([0, 1, 2])], [np.array([3, 4, 5])]]
    lifted = [[np.array([5, 4, 3])], [np.array([2, 1, 0])]]
    lifted[0][0][:others] += 100
    assert bool(element_comparison.compare(queues, lifted, node, 100)) == (others <= left)


def test_what_is_left_over_in_order_is_known():
    node = plan.Batch(plan.Rows([np.arange(4)], 1, False), 3, False)
    numbers = [np.array([0, 1, 2])]
    assert element_comparison.compare([numbers], [numbers], node, 100)
    assert not element_comparison.compare([numbers], [[np.array([0, 1, 3])]], node, 100)
