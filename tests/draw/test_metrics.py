"""How texts are made to fit, where each character is one unit wide."""

import pytest

from tfqueue.draw.metrics import CELLS


@pytest.mark.parametrize(
    ("text", "room", "expected"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two thr\N{HORIZONTAL ELLIPSIS}"),
        ("one two three", 8, "one two\N{HORIZONTAL ELLIPSIS}"),
        ("one, two three", 6, "one\N{HORIZONTAL ELLIPSIS}"),
        ("one two three", 1, "\N{HORIZONTAL ELLIPSIS}"),
        ("one two three", 0, "\N{HORIZONTAL ELLIPSIS}"),
        ("FixedLengthRecordReader", 23, "FixedLengthRecordReader"),
    ],
)
def test_a_sentence_loses_its_end(text, room, expected):
    assert CELLS.fit(text, "line", room) == expected


@pytest.mark.parametrize("room", range(3, 23))
def test_a_name_loses_its_middle(room):
    name = "FixedLengthRecordReader"
    begin, end = CELLS.fit(name, "line", room).split("\N{HORIZONTAL ELLIPSIS}")
    assert len(begin) + len(end) == room - 1
    assert name.startswith(begin)
    assert name.endswith(end)
