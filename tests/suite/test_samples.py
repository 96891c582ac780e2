import pytest

from tests.suite import samples


def kept(cases):
    return [
        case.values for case in cases if not any(mark.name == "exhaustive" for mark in case.marks)
    ]


def test_one_case_in_some_is_for_ci_and_all_are_there():
    cases = samples.some(range(7), 3, first=1)
    assert [case.values for case in cases] == [(n,) for n in range(7)]
    assert kept(cases) == [(1,), (4,)]
    assert kept(samples.some([("a", 1), ("b", 2), ("c", 3)], 2)) == [("a", 1), ("c", 3)]


def test_what_a_case_has_stays():
    slow = pytest.param(1, 2, id="one", marks=pytest.mark.slow)
    (first, second) = samples.some([slow, slow], 2)
    assert (first.id, first.values) == ("one", (1, 2))
    assert [mark.name for mark in first.marks] == ["slow"]
    assert [mark.name for mark in second.marks] == ["slow", "exhaustive"]
