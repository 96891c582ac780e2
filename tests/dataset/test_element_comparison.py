"""`tfqueue.dataset.check` tells each way in which two pipelines can differ."""

import numpy as np
import pytest

import tfqueue.v1 as tf
from tfqueue.dataset import element_comparison, plan

IN_ORDER = plan.Rows([np.arange(3)], 1, False)
MIXED = plan.Rows([np.arange(3)], 1, True)
NAN = float("nan")


def element(*parts):
    return tuple(part if isinstance(part, np.ndarray | bytes) else np.array(part) for part in parts)


@pytest.mark.parametrize("node", [IN_ORDER, MIXED], ids=["in order", "in any order"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([[1.0, NAN]], [[1.0, NAN]]),
        ([[1.0, 2.0]], [[1.0, 2.0 + 1e-6]]),
        ([b"a\0"], [b"a\0"]),
        ([np.array([b"a", b"b"])], [np.array([b"a", b"b"], object)]),
        ([3, True], [3, True]),
    ],
    ids=["nan", "rounded otherwise", "one string", "strings", "numbers"],
)
def test_what_is_the_same(node, one, other):
    found = element_comparison.compare([element(*one)], [element(*other)], node, 10)
    assert found, str(found)
    assert found.steps == 1


@pytest.mark.parametrize("node", [IN_ORDER, MIXED], ids=["in order", "in any order"])
@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ([[1.0, 2.0]], [[1.0, 2.001]], "component 0 at [1]: 2.0, in the lift 2.001"),
        ([[1.0, 2.0]], [[1.0, NAN]], "component 0 at [1]: 2.0, in the lift nan"),
        ([b"a\0"], [b"a"], "component 0 at []: b'a\\x00', in the lift b'a'"),
        (
            [np.array([b"a", b"b"])],
            [np.array([b"a", b"c"], object)],
            "component 0 at [1]: b'b', in the lift b'c'",
        ),
        ([0, [1, 2]], [0, [1, 3]], "component 1 at [1]: 2, in the lift 3"),
        ([[1, 2]], [[1, 2, 2]], "component 0 has shape (2,), in the lift (3,)"),
    ],
    ids=["a float", "nan", "a last zero byte", "a string", "a number", "a shape"],
)
def test_what_differs(node, one, other, said):
    found = element_comparison.compare([element(*one)], [element(*other)], node, 10)
    assert not found
    if node is IN_ORDER:
        assert (found.first, found.difference) == (0, said)
        assert str(found) == f"different (1 elements, compared in order): element 0: {said}"
    else:
        assert "not in the" in found.difference


@pytest.mark.parametrize("node", [IN_ORDER, MIXED], ids=["in order", "in any order"])
@pytest.mark.parametrize(
    ("one", "other"), [([1], [1.0]), ([1], [[1]]), ([b"1"], [1])], ids=["dtype", "rank", "kind"]
)
def test_a_form_that_differs_does_so_in_any_order(node, one, other):
    found = element_comparison.compare([element(*one)], [element(*other)], node, 10)
    assert not found
    assert found.first == 0
    assert "component 0 is" in found.difference


def failing(count, error):
    for number in range(count):
        yield (np.array(number),)
    raise error(None, None, "failed")


@pytest.mark.parametrize("node", [IN_ORDER, MIXED], ids=["in order", "in any order"])
def test_ends_are_compared(node):
    lost, missing = tf.errors.DataLossError, tf.errors.NotFoundError
    assert (
        element_comparison.compare(failing(2, lost), failing(2, lost), node, 10).error
        == "DataLossError"
    )
    found = element_comparison.compare(failing(2, lost), failing(2, missing), node, 10)
    assert not found
    assert "ended with DataLossError, the lift with NotFoundError" in found.difference
    found = element_comparison.compare(failing(2, lost), [(np.array(0),), (np.array(1),)], node, 10)
    assert not found
    assert "the lift with the data" in found.difference
    found = element_comparison.compare([(np.array(0),)], failing(2, lost), node, 10)
    assert not found
    assert "the queues gave 1, the lift 2 and then DataLossError" in found.difference


def test_where_there_is_no_order_each_example_counts_as_often_as_it_is_there():
    one, other = np.array([1, 2, 2]), np.array([2, 1, 2])
    assert element_comparison.compare([(one,)], [(other,)], MIXED, 10)
    assert not element_comparison.compare([(one,)], [(np.array([1, 1, 2]),)], MIXED, 10)
    assert not element_comparison.compare([(one,)], [(other,)], IN_ORDER, 10)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ([1, 2, 3], [1, 2], "1 examples of the queues are not in the lift"),
        ([1, 2], [1, 2, 2], "1 examples of the lift are not in the queues"),
    ],
)
def test_neither_may_have_more(one, other, said):
    found = element_comparison.compare([(np.array(one),)], [(np.array(other),)], MIXED, 10)
    assert str(found) == f"different (1 elements, compared in any order): {said}"


PICTURE = np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4)
CENTRED = PICTURE - PICTURE.mean()


def nearly(array):
    """The array with another last digit everywhere."""
    return np.nextafter(array, np.float32(9), dtype=np.float32)


@pytest.mark.parametrize(
    "picture", [PICTURE, CENTRED, 1e-6 * PICTURE], ids=["sum", "none", "small"]
)
def test_floats_may_differ_in_their_last_digits_in_any_order(picture):
    one = np.stack([picture, picture * 2, picture[::-1]])
    found = element_comparison.compare([(one,)], [(nearly(one[[2, 0, 1]]),)], MIXED, 10)
    assert found, str(found)
    labels = np.arange(3)
    assert element_comparison.compare(
        [(one, labels)], [(nearly(one)[::-1], labels[::-1])], MIXED, 10
    )
    assert not element_comparison.compare([(one, labels)], [(nearly(one)[::-1], labels)], MIXED, 10)


@pytest.mark.parametrize(
    "other",
    [PICTURE[::-1], PICTURE.reshape(4, 3), PICTURE + np.float32(0.001)],
    ids=["flipped", "another shape", "another value"],
)
def test_pictures_with_the_same_sums_are_told_apart_in_any_order(other):
    found = element_comparison.compare([(PICTURE[None],)], [(nearly(other)[None],)], MIXED, 10)
    assert not found


def test_values_that_round_differently_are_the_same_in_any_order():
    one = np.array([0.00004999, 1.0], np.float64)
    assert element_comparison.compare([(one,)], [((one + 2e-8)[::-1],)], MIXED, 10)


def test_of_many_floats_that_are_nearly_the_same_each_is_matched_with_its_own():
    one = 1 + 3e-6 * np.arange(1000)
    assert element_comparison.compare([(one,)], [(one[::-1] + 1e-9,)], MIXED, 10)
    other = np.append(one[1:], 0.5 * one[0])
    assert not element_comparison.compare([(one,)], [(other[::-1] + 1e-9,)], MIXED, 10)
