"""How texts are made to fit, where each character is one unit wide."""

import pytest

from tfqueue.draw.metrics import CELLS, PIXELS, _middle_cut, cells


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


@pytest.mark.parametrize(
    ("char", "columns"),
    [("a", 1), ("~", 1), ("\u00e9", 1), ("\u0301", 0), ("\u961f", 2), ("\uff21", 2), ("\uff71", 1)],
)
def test_columns_of_a_terminal(char, columns):
    assert cells(char) == columns
    assert CELLS.width(f"x{char}{char}", "line") == 1 + 2 * columns


@pytest.mark.parametrize(
    ("text", "hundredths"),
    [
        ("", 0),
        *((char, 36) for char in "ijl|'., I"),
        *((char, 46) for char in 'ft()[]r-/\\":;!'),
        *((char, 100) for char in "mwMW@%+<>=~#_&^"),
        ("\N{HORIZONTAL ELLIPSIS}", 102),
        *((char, 80) for char in "ABZ\u00c9"),
        *((char, 65) for char in "aez09$?\N{MULTIPLICATION SIGN}"),
        *((char, 100) for char in "\u00e9\u961f"),
        ("Image_m", 36 + 100 + 65 + 65 + 65 + 100 + 100),
    ],
)
def test_a_width_in_hundredths_of_a_size(text, hundredths):
    assert PIXELS.width(text, "line") == pytest.approx(hundredths * 11 / 100)
    assert PIXELS.width(text, "label") == pytest.approx(hundredths * 11 / 100)
    assert PIXELS.width(text, "title") == pytest.approx(hundredths * 13 / 100 * 1.1)


@pytest.mark.parametrize(
    ("text", "room", "lines"),
    [
        ("", 5, []),
        ("  one   two ", 7, ["one two"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 6, ["one", "two", "three"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("abcdefgh i", 4, ["abcd", "efgh", "i"]),
        ("abcdef i", 4, ["abcd", "ef i"]),
        ("a bcdefg", 3, ["a", "bcd", "efg"]),
        ("ab", 0, ["a", "b"]),
        ("\u961f\u961f\u961f", 4, ["\u961f\u961f", "\u961f"]),
    ],
)
def test_words_in_lines(text, room, lines):
    assert CELLS.wrap(text, "line", room) == lines


@pytest.mark.parametrize(
    ("kept", "expected"),
    [(5, "ab*def"), (4, "ab*ef"), (3, "a*ef"), (2, "a*f"), (1, "*f"), (0, "*")],
)
def test_a_middle_that_is_cut(kept, expected):
    assert _middle_cut("abcdef", kept) == expected.replace("*", "\N{HORIZONTAL ELLIPSIS}")


def test_a_name_is_cut_by_its_width():
    assert PIXELS.fit("mmmm", "line", 44) == "mmmm"
    assert PIXELS.fit("mmmm", "line", 43.9) == "m\N{HORIZONTAL ELLIPSIS}m"
    assert PIXELS.fit("mmmm", "title", 44) == "m\N{HORIZONTAL ELLIPSIS}m"
    assert PIXELS.fit("mmmm", "line", 0) == "\N{HORIZONTAL ELLIPSIS}m"
    assert CELLS.fit("a", "line", 0) == "\N{HORIZONTAL ELLIPSIS}"
