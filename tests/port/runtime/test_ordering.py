"""Orders of equal elements; values of numpy 1.18.5, which computes them the same on every processor."""

import numpy as np
import pytest

from tests.port.runtime.test_elements import made
from tfqueue.port import runtime

DRAWN = np.random.RandomState(0).randint(0, 5, 40)
ORDER = "17 31 26 23 21 14 10 9 35 1 34 32 18 16 15 27 13 33 5 24 12 36 7 30 29 28 22 25 3 4 20 38 6 2 39 37 0 8 11 19"
BY_ROW = "1 3 15 6 11 7 14 13 12 16 4 0 9 18 8 5 2 10 19 17"
SELECTED = "10 17 31 26 23 21 1 14 35 9 32 5"


@pytest.mark.parametrize("kind", ["i4", "i8", "u4", "u8", "f4", "f8", "i2", "f2"])
def test_equal_elements_stand_as_in_numpy_1_18(kind):
    array = DRAWN.astype(kind)
    assert runtime.argsort(array).tolist() == [*map(int, ORDER.split())]
    assert runtime.argsort(list(array)).tolist() == [*map(int, ORDER.split())]
    for rows in (array.reshape(2, 20), array.reshape(2, 20).view(np.memmap)):
        row = np.asarray(runtime.argsort(rows, axis=1))[1]
        assert row.tolist() == [*map(int, BY_ROW.split())]
    assert runtime.argpartition(array, 10)[:12].tolist() == [*map(int, SELECTED.split())]


def test_a_partition_keeps_its_type():
    found = runtime.partition((np.arange(40) * 7 % 40).astype("f4"), 20)
    assert found.dtype == np.float32
    assert found[:12].tolist() == [11, 0, 12, 5, 10, 3, 2, 9, 8, 1, 7, 6]


def test_whole_numbers_of_64_bits_are_told_apart():
    large = np.array([2**62 + 1, 2**62, 2**62 + 2, -(2**63)])
    assert runtime.argsort(large).tolist() == [3, 1, 0, 2]
    assert runtime.argsort(large.astype("u8")).tolist() == [1, 0, 2, 3]


def test_other_kinds_and_owners_are_asked_themselves():
    class Owner(list):
        def argsort(self, *args, **words):
            return args or words

    assert runtime.argsort(Owner(), 3) == (3,)
    assert runtime.argsort(Owner(), a=3) == {"a": 3}
    assert runtime.argsort(a=[1, 0], axis=0).tolist() == [1, 0]
    assert runtime.argsort(range(3, 0, -1)).tolist() == [2, 1, 0]
    masked = np.ma.array([2, 1, 0], mask=[0, 0, 1])
    assert runtime.argsort(masked).tolist() == [1, 0, 2]
    assert runtime.argsort(DRAWN, kind="stable")[:3].tolist() == [1, 9, 10]
    assert runtime.argsort(DRAWN, -1, "mergesort")[:3].tolist() == [1, 9, 10]
    assert runtime.argsort(np.array(["b", "a"])).tolist() == [1, 0]
    assert runtime.argsort(DRAWN.reshape(2, 20), axis=None).tolist() == [*map(int, ORDER.split())]


def test_a_program_sorts_by_functions_methods_and_names():
    names = made(
        "from numpy import argpartition as select\n"
        "a = np.random.RandomState(0).randint(0, 5, 40)\n"
        "x, y, z = a.argsort(), np.argsort(a), select(a, 10)[:12]\n"
        "[w] = map(np.argsort, [a])\n"
    )
    for name in "wxy":
        assert names[name].tolist() == [*map(int, ORDER.split())]
    assert names["z"].tolist() == [*map(int, SELECTED.split())]
