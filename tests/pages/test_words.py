"""How numbers, times and names are written."""

import pytest

from tfqueue.pages import words


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (0.999, "1"),
        (1, "1"),
        (1.25, "1.2"),
        (9.94, "9.9"),
        (9, "9"),
        (10, "10"),
        (10.4, "10"),
        (999_999, "999,999"),
        (1_000_000, "1M"),
        (1_250_000, "1.25M"),
        (-2.5, "-2.5"),
    ],
)
def test_a_number(value, said):
    assert words.number(value) == said
    assert words.rate(value) == f"{said}/s"


def test_a_rate_that_is_not_known():
    assert words.rate(None) == "-"


@pytest.mark.parametrize(
    ("seconds", "clock", "duration"),
    [
        (0.5, "0:00", "500 ms"),
        (0.9994, "0:00", "999 ms"),
        (1, "0:01", "1.0 s"),
        (59.9, "0:59", "59.9 s"),
        (60, "1:00", "1:00 min"),
        (3599, "59:59", "59:59 min"),
        (3600, "1:00:00", "1:00:00 h"),
        (3661, "1:01:01", "1:01:01 h"),
    ],
)
def test_a_time(seconds, clock, duration):
    assert words.clock(seconds) == clock
    assert words.duration(seconds) == duration


@pytest.mark.parametrize(
    ("text", "width", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "ab…ef"),
        ("abcdef", 4, "ab…f"),
        ("abcdef", 3, "a…f"),
        ("abcdef", 2, "ab"),
        ("abcdef", 0, ""),
    ],
)
def test_a_name_that_is_too_long(text, width, short):
    assert words.shortened(text, width) == short


@pytest.mark.parametrize(
    ("size", "capacity", "said"),
    [(None, 5, "-"), (1200, 5000, "1,200/5,000"), (0, 0, "0/0"), (7, -1, "7")],
)
def test_how_full_a_queue_is(size, capacity, said):
    assert words.level(size, capacity) == said
