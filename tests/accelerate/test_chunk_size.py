"""How many examples a chunk has, as its steps take their time."""

import itertools

import pytest

from tfqueue.accelerate.chunk_size import ChunkSize

SLOW, QUICK, FAIR = 0.1, 0.0001, 0.004


@pytest.mark.parametrize("largest", [1, 3, 7, 8, 12, 1000])
def test_it_is_never_above_its_bound_nor_none(largest):
    for times in itertools.product([SLOW, QUICK], repeat=5):
        size = ChunkSize(None, largest)
        for seconds in times:
            size.took(size.now, size.now, seconds)
            assert 1 <= size.now <= largest


@pytest.mark.parametrize(
    ("largest", "times", "sizes"),
    [
        (1000, [QUICK, QUICK, FAIR, SLOW], [32, 64, 64, 32]),
        (1000, [SLOW, SLOW, QUICK], [8, 8, 16]),
        (24, [QUICK, QUICK, SLOW, SLOW], [24, 24, 12, 8]),
        (5, [SLOW, QUICK], [5, 5]),
    ],
)
def test_it_is_doubled_and_halved(largest, times, sizes):
    size, found = ChunkSize(None, largest), []
    for seconds in times:
        size.took(size.now, size.now, seconds)
        found.append(size.now)
    assert found == sizes


def test_what_is_set_stays():
    size = ChunkSize(5, 3)
    for seconds in (SLOW, QUICK):
        size.took(5, 5, seconds)
        assert (size.now, size.largest) == (5, 5)


def test_a_chunk_of_another_size_or_of_fewer_examples_is_no_reason_to_grow():
    size = ChunkSize(None, 1000)
    size.took(16, 32, QUICK)
    size.took(7, 16, QUICK)
    assert size.now == 16


def test_chunks_of_few_examples_are_counted_in_a_row():
    size = ChunkSize(None, 1000)
    for count, few in ((3, 1), (0, 2), (4, 0), (1, 1)):
        size.took(count, 16, FAIR)
        assert size.few == few
