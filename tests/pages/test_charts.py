"""Where the lines of a chart have their numbers."""

import pytest

from tfqueue.pages import charts


@pytest.mark.parametrize(
    ("low", "high", "most", "found"),
    [
        (0, 10, 5, [0, 2, 4, 6, 8, 10]),
        (0, 1, 4, [0, 0.5, 1]),
        (0.1, 0.5, 4, [0.1, 0.2, 0.3, 0.4, 0.5]),
        (-3, 3, 3, [-2, 0, 2]),
        (5, 5, 4, [5]),
        (0, 60_000, 6, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]),
        (1, 9, 4, [2, 4, 6, 8]),
    ],
)
def test_ticks_are_round_and_inside(low, high, most, found):
    assert charts._ticks(low, high, most) == found


@pytest.mark.parametrize(
    ("value", "said"), [(0, "0 s"), (2.5, "2.5 s"), (59, "59 s"), (60, "1:00")]
)
def test_seconds_and_minutes(value, said):
    assert charts._seconds(value) == said


def test_a_value_has_its_place():
    place = charts._scale(2, 4, 100, 50)
    assert [place(value) for value in (2, 3, 4)] == [100, 75, 50]
