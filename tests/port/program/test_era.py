"""Which releases of TensorFlow a program can be from: what is said, and how evidence narrows it."""

import pytest

from tfqueue.port.program import era
from tfqueue.port.program.era import FIRST, LAST, Era

OLD, EDGE, LATE = (
    ("pack", 3, FIRST, (0, 12)),
    ("stack", 2, (0, 12), LAST),
    ("data", 9, (1, 4), LAST),
)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Era(), "any TensorFlow before 2"),
        (Era(two=True), "TensorFlow 2"),
        (Era((1, 4), (1, 4)), "TensorFlow 1.4"),
        (Era(FIRST, (0, 12)), "TensorFlow up to 0.12"),
        (Era((1, 2), LAST), "TensorFlow 1.2 or later"),
        (Era((1, 0), (1, 1)), "TensorFlow 1.0 to 1.1"),
        (
            Era((1, 0), (1, 1), ("a (line 1)", "b (line 2)")),
            "TensorFlow 1.0 to 1.1: a (line 1), b (line 2)",
        ),
        (Era((1, 4), LAST, tuple("abcdef")), "TensorFlow 1.4 or later: a, b, c, d"),
        (Era((1, 4), (1, 4), ("a",), given=True), "TensorFlow 1.4: set by --era"),
    ],
)
def test_it_says_its_range_and_why(found, said):
    assert str(found) == said


@pytest.mark.parametrize(
    ("text", "low", "high", "old", "new"),
    [
        ("0.12", (0, 12), (0, 12), True, False),
        ("0.8.0", (0, 8), (0, 8), True, False),
        ("0.x", FIRST, (0, 12), True, False),
        ("1.x", (1, 0), LAST, False, True),
        ("1.0", (1, 0), (1, 0), False, True),
        ("1.15.5", (1, 15), (1, 15), False, True),
    ],
)
def test_an_era_that_is_given(text, low, high, old, new):
    found = era.parse(text)
    assert (found.low, found.high, found.old, found.new) == (low, high, old, new)
    assert (found.given, found.two, found.why, found.decided) == (True, False, (), True)


@pytest.mark.parametrize("text", ["2.0", "x", "1", "1.4.x", "0,12", "1.x.x", ""])
def test_what_is_no_release(text):
    with pytest.raises(ValueError, match=r"is not a TensorFlow release before 2\.0, such as"):
        era.parse(text)


@pytest.mark.parametrize(
    ("found", "low", "high", "why"),
    [
        ([], FIRST, LAST, ()),
        ([OLD], FIRST, (0, 12), ("pack (line 3)",)),
        ([LATE, EDGE], (1, 4), LAST, ("data (line 9)",)),
        ([OLD, EDGE], (0, 12), (0, 12), ("stack (line 2)", "pack (line 3)")),
        # by majority; where there is none, what is older has it
        ([OLD, LATE], FIRST, (0, 12), ("pack (line 3)",)),
        ([OLD, LATE, ("layers", 1, (1, 0), LAST)], (1, 4), LAST, ("data (line 9)",)),
        # evidence of either side of a range that has nothing in common
        ([("a", 1, FIRST, (0, 11)), EDGE], (0, 12), (0, 12), ("stack (line 2)",)),
        ([("a", 1, (1, 0), (1, 1)), LATE], (1, 4), (1, 4), ("data (line 9)",)),
    ],
)
def test_evidence_narrows_the_range(found, low, high, why):
    told = era.narrowed(found)
    assert (told.low, told.high, told.why) == (low, high, why)
    assert (told.given, told.two) == (False, False)
    assert told.decided == bool(found)
