"""Arrays beside lists and text (recorded with numpy 1.16.6 and 1.18.5)."""

import numpy as np
import pytest

from tfqueue.port import py2, runtime

# (array, list, `==`, its truth or None where it has none, the truth of `!=`)
RECORDED = [
    (np.zeros((2, 3)), [], False, False, True),
    (np.zeros(1), [], [], False, False),
    (np.zeros(0), [], [], False, False),
    (np.zeros(0), [1, 2], False, False, True),
    (np.float32(1), (), [], False, False),
    (np.array([1.0, 2.0, 3.0]), [1, 2], False, False, True),
    (np.arange(4), [0, 1, 2, 3], [True] * 4, None, None),
    (np.arange(1), [0], [True], True, False),
    (np.array(["a", "b", "c"]), [1, 2], False, False, True),
    (np.array(["a"]), [], False, False, True),
    (np.array(["a", "b"]), ["a"], [True, False], None, None),
    (np.array([b"a", b"b"]), ["a"], False, False, True),
    (np.zeros(3), ["a"], False, False, True),
    (np.str_("a"), ["a"], False, False, True),
    (np.array([None, 1, 2], object), [1, 2], False, False, True),
    (np.array([None], object), [None], [True], True, False),
    (np.array([None], object), [[1], [1, 2]], [False, False], None, None),
    (np.zeros(4), [[1], [1, 2]], False, False, True),
    (np.arange(3), "a", False, False, True),
    (np.zeros(2), b"a", False, False, True),
    (np.zeros(0), "", False, False, True),
    (np.float32(3), "3", False, False, True),
    (np.array([True, False]), "True", False, False, True),
    (np.array(["2001-01-01"], "M8[D]"), "a", False, False, True),
    (np.array(["a", "b"]), "a", [True, False], None, None),
    (np.array(["a", "b"]), b"a", False, False, True),
    (np.array([b"a", b"b"]), b"a", [True, False], None, None),
    (np.array("a"), "a", True, True, False),
    (np.array(["a", 1], object), "a", [True, False], None, None),
    (np.str_("a"), "a", True, True, False),
    (np.zeros((2, 3)), np.zeros((3, 2)), False, False, True),
    (np.zeros((2, 3)), np.zeros(2), False, False, True),
    (np.zeros((0, 2)), np.zeros(3), False, False, True),
    (np.array(["a"]), np.arange(3), False, False, True),
    (np.array(["a"]), np.float32(3), False, False, True),
    (np.zeros(2), np.array(["2001-01-01"], "M8[D]"), False, False, True),
    (np.zeros((2, 1)), np.zeros(2), [[True, True]] * 2, None, None),
    (np.zeros(2, [("a", int)]), np.zeros(2), False, False, True),
    ([], [], True, True, False),
    (None, [], False, False, True),
]


@pytest.mark.parametrize(("array", "other", "equal", "truth", "unequal"), RECORDED, ids=str)
def test_a_comparison_gives_what_numpy_1_gave(array, other, equal, truth, unequal):
    for sides in ((array, other), (other, array)):
        found = runtime.array_eq(*sides)
        assert np.shape(found) == np.shape(equal)
        assert np.array_equal(found, equal)
    same, differs = runtime.array_eq(array, other), runtime.array_ne(array, other)
    if truth is None:
        for value in (same, differs):
            with pytest.raises(ValueError, match="ambiguous"):
                bool(runtime.truth(value))
    else:
        assert bool(runtime.truth(same)) is truth
        assert bool(runtime.truth(differs)) is unequal


@pytest.mark.parametrize(
    ("value", "texts", "found"),
    [
        (np.arange(3), ["a", "b"], False),
        (np.array([b"a"]), ["a"], False),
        (np.array(["b"]), ["a", "b"], True),
        ("b", ["a", "b"], True),
        (3, ["a"], False),
    ],
    ids=str,
)
def test_an_array_among_texts(value, texts, found):
    assert runtime.array_in(value, texts) is found


def test_an_array_of_texts_among_texts_was_an_error_and_is_one():
    with pytest.raises(ValueError, match="ambiguous"):
        runtime.array_in(np.array(["a", "b"]), ["a", "b"])


# (array, text, `==`): recorded with numpy 1.16.6 under Python 2.7, where `str` was bytes
RECORDED_PYTHON2 = [
    (np.array([b"a", b"b"]), "a", [True, False]),
    (np.array([b"a", b"b"]), "3", [False, False]),
    (np.array(b"a"), "a", True),
    (np.arange(3), "a", False),
    (np.array(["a", "b"]), "a", [True, False]),
    ("a", "a", True),
]


@pytest.mark.parametrize(("array", "text", "equal"), RECORDED_PYTHON2, ids=str)
def test_bytes_of_python_2_are_text(array, text, equal):
    for sides in ((array, text), (text, array)):
        found = py2.array_eq(*sides)
        assert np.shape(found) == np.shape(equal)
        assert np.array_equal(found, equal)
        assert np.array_equal(py2.array_ne(*sides), np.logical_not(equal))


def test_what_is_no_array_compares_itself():
    class Column:
        def __eq__(self, other):
            return "own"

    assert runtime.array_eq(Column(), np.float32(1)) == "own"


def test_texts_of_two_lengths_were_an_error_and_are_one():
    with pytest.raises(ValueError, match="could not be broadcast"):
        runtime.array_eq(np.array(["a", "b"]), ["a", "b", "c"])


class Unset:
    """Is equal to None, and not identical."""

    def __eq__(self, other):
        return other is None

    __hash__ = object.__hash__


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, True),
        (Unset(), True),
        (0, False),
        ([], False),
        (np.zeros(3), False),
        (np.zeros(0), False),
        (np.zeros(1), False),
        (np.array([None, None]), False),
    ],
    ids=["none", "own", "number", "list", "array", "empty", "single", "objects"],
)
def test_beside_none_an_array_has_one_answer_and_a_class_its_own(value, expected):
    assert bool(runtime.is_none(value)) is expected
    assert bool(runtime.is_not_none(value)) is not expected
