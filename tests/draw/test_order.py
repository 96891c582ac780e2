"""tfqueue.draw.order: which card stands where, of small graphs whose best order is plain."""

import pytest

from tfqueue.draw import order

A, B, C, D, E = "abcde"


def pairs(text):
    """Edges from text such as `ab bc`."""
    return [tuple(each) for each in text.split()]


@pytest.mark.parametrize(
    ("cards", "edges", "expected"),
    [
        ("abc", "ab bc", [("abc", [0, 1])]),
        ("abc", "", [("a", []), ("b", []), ("c", [])]),
        ("abcde", "ac bd de", [("ac", [0]), ("bde", [1, 2])]),
        ("abcde", "ba ca cb", [("abc", [0, 1, 2]), ("d", []), ("e", [])]),
        ("abcdefgh", "gh ef cd ab bc fg dh", [("abcdefgh", [0, 1, 2, 3, 4, 5, 6])]),
        ("a", "aa", [("a", [0])]),
    ],
)
def test_parts_that_hang_together(cards, edges, expected):
    found = order.components(cards, pairs(edges))
    assert [("".join(part.keys), part.edges) for part in found] == expected


@pytest.mark.parametrize(
    ("keys", "edges", "columns", "back"),
    [
        ("abc", "ab bc", "012", ""),
        ("abcd", "ab bc ac cd", "0123", ""),
        ("abcd", "ab bc dc", "0121", ""),
        ("abcde", "ab bc cd ed", "01232", ""),
        ("abcde", "ab bc cd ed eb", "01230", ""),
        ("abc", "ab bc ca", "012", "ca"),
        ("abc", "ab bc cb", "012", "cb"),
        ("ab", "aa ab", "01", "aa"),
        ("abcd", "ba cb dc", "3210", ""),
        ("abcd", "ab ac bd cd", "0112", ""),
        ("abcd", "ab bd ac cb cd", "0213", ""),
        ("ab", "", "00", ""),
    ],
)
def test_columns(keys, edges, columns, back):
    place, closing = order.columns(keys, pairs(edges))
    assert place == {key: int(column) for key, column in zip(keys, columns, strict=True)}
    assert closing == set(pairs(back))


@pytest.mark.parametrize(
    ("columns", "links", "expected"),
    [
        ({A: 0, B: 0, C: 1, D: 1}, "ad bc", ["ab", "dc"]),
        ({A: 0, B: 0, C: 1, D: 1}, "ac bd", ["ab", "cd"]),
        ({A: 0, B: 0, C: 0, D: 1, E: 1}, "ae bd ce", ["bac", "de"]),
        ({A: 0, B: 1, C: 1, D: 2, E: 2}, "ab ac be cd", ["a", "bc", "ed"]),
        ({A: 0, B: 0, C: 1}, "bc", ["ab", "c"]),
    ],
)
def test_few_arrows_cross(columns, links, expected):
    found = order.arrange(list(columns), columns, pairs(links))
    assert ["".join(row) for row in found] == expected


def test_each_sweep_goes_the_other_way():
    columns = {A: 0, B: 0, C: 1, D: 1, E: 2, "f": 2}
    links = pairs("ad bd bc ce df")
    given = list(columns), columns, links
    assert order.arrange(*given, sweeps=0) == [[A, B], [C, D], [E, "f"]]
    assert order.arrange(*given, sweeps=1) == [[A, B], [D, C], ["f", E]]
    back = order.arrange([A, B, C, D], {A: 0, B: 0, C: 1, D: 1}, pairs("ad bc"), sweeps=2)
    assert back == [[A, B], [D, C]]
    first = order.arrange([A, B, C], {A: 0, B: 0, C: 1}, pairs("ac bc"), sweeps=6)
    assert first == [[A, B], [C]]
    assert order.arrange([], {}, []) == []


@pytest.mark.parametrize(
    ("wanted", "room", "placed"),
    [
        ([3], [], [3.0]),
        ([0, 4], [4], [0.0, 4.0]),
        ([0, 3], [4], [-0.5, 3.5]),
        ([0, 9], [4], [0.0, 9.0]),
        ([4, 0], [4], [0.0, 4.0]),
        ([0, 0, 0], [4, 2], [-10 / 3, 2 / 3, 8 / 3]),
        ([0, 10, 10], [4, 4], [0.0, 8.0, 12.0]),
        ([0, 10, 2], [4, 4], [0.0, 4.0, 8.0]),
    ],
)
def test_places_near_what_is_wanted(wanted, room, placed):
    assert order.settle(wanted, room) == pytest.approx(placed)
