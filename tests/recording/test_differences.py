"""In what two values differ, in words for each; and what is kept of an array."""

import dataclasses

import numpy as np
import pytest

from tfqueue.recording import record_tf1, tolerances
from tfqueue.recording.recording import Value

BASE = Value(
    "float32",
    (100,),
    "ab",
    sample=(0.0, 1.0, 2.0),
    moments=(0.0, 2.0, 100.0, 150.0, 300.0, 0.0, 5.0),
)


def other(**fields):
    return dataclasses.replace(BASE, digest="cd", **fields)


def moment(place, value):
    return tuple(value if at == place else each for at, each in enumerate(BASE.moments))


@pytest.mark.parametrize(
    ("new", "told"),
    [
        (BASE, None),
        (other(), None),
        (other(dtype="float64"), ("float32", "float64")),
        (other(shape=(4, 25)), ("of shape (100)", "of shape (4, 25)")),
        (other(sample=()), ("digest ab", "digest cd")),
        (other(sample=(0.0, 1.0)), ("digest ab", "digest cd")),
        (other(sample=(0.0, 1.5, 2.0)), ("1", "1.5")),
        (other(sample=(0.0, 1.000001, 2.0)), None),
        (other(sample=(0.0, 1.0, float("nan"))), ("2", "nan")),
        (other(moments=()), None),
        (other(moments=moment(5, 3.0)), ("with 0 not finite", "with 3 not finite")),
        (other(moments=moment(0, -1.0)), ("of minimum 0", "of minimum -1")),
        (other(moments=moment(1, 3.0)), ("of maximum 2", "of maximum 3")),
        (other(moments=moment(2, 101.0)), ("of sum 100", "of sum 101")),
        (other(moments=moment(2, 100.001)), None),
        (other(moments=moment(6, 6.0)), ("of sum by place 5", "of sum by place 6")),
        (other(moments=moment(6, 5.001)), None),
        (other(moments=BASE.moments[:6]), None),
    ],
)
def test_in_what_two_values_differ(new, told):
    assert tolerances.difference(BASE, new, 1e-5) == told


def test_more_updates_round_more():
    new = other(sample=(0.0, 1.00004, 2.0))
    assert tolerances.difference(BASE, new, 1e-5) == ("1", "1.00004")
    assert tolerances.difference(BASE, new, 1e-5, updates=9) is None


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ([1.0, 2.0], [1.0, 2.0], None),
        ([1.0, 2.0], [1.0, 2.00001], None),
        ([1.0, 2.0], [1.1, 2.1], 0),
        ([1.0, np.nan], [1.0, np.nan], None),
        ([1.0, np.nan], [1.0, 2.0], 1),
        ([np.inf, 1.0], [np.inf, 1.1], 1),
        ([1, 2], [1, 3], 1),
        ([1, 2], [1, 2], None),
        ([b"a", b"b"], [b"a", b"c"], 1),
        ([1j, 2j], [1j, 3j], 1),
    ],
)
def test_the_first_value_that_is_apart(old, new, place):
    assert tolerances.first_apart(np.array(old), np.array(new), 1e-5) == place


def test_near_what_is_large_much_is_near():
    old, new = np.array([0.0]), np.array([0.001])
    assert tolerances.first_apart(old, new, 1e-5) == 0
    assert tolerances.first_apart(old, new, 1e-5, scale=1000.0) is None
    assert tolerances.largest(np.array([1.0, -3.0, np.inf, np.nan])) == 3.0
    assert tolerances.largest(np.array([])) == 0.0


SIZES = [1, 2, record_tf1.BLOCK, record_tf1.BLOCK + 1, 3 * record_tf1.BLOCK + 7]


@pytest.mark.parametrize("size", SIZES)
def test_what_is_kept_of_an_array(size):
    array = np.random.RandomState(size).uniform(-1, 1, size).astype(np.float32)
    wide = array.astype(np.float64)
    found = record_tf1.moments(array)
    weights = np.concatenate(
        [
            record_tf1.WEIGHTS[2731 * block % record_tf1.BLOCK :][: record_tf1.BLOCK]
            for block in range(1 + size // record_tf1.BLOCK)
        ]
    )[:size]
    expected = [wide.min(), wide.max(), wide.sum(), (wide**2).sum(), (wide**4).sum(), 0]
    np.testing.assert_allclose(found, [*expected, wide.dot(weights)], rtol=1e-9)


def test_what_is_not_finite_is_counted():
    array = np.array([1.0, np.nan, 3.0, np.inf, -np.inf])
    low, high, total, squares, fourths, odd, _ = record_tf1.moments(array)
    assert (low, high, total, squares, fourths, odd) == (1, 3, 4, 10, 82, 3)
    assert record_tf1.moments(np.array([np.nan, np.inf]))[:6] == [0, 0, 0, 0, 0, 2]
    assert record_tf1.moments(np.array([]))[:6] == [0] * 6
