"""Builtins of Python 2 on single values, as Python 2.7.18 gave them."""

import math
import re

import pytest

from tfqueue.port.py2 import builtins, modules, operators, regex

HASHES = [
    (0.0, 0),
    (-0.0, 0),
    (math.inf, 314159),
    (-math.inf, -271828),
    (math.nan, 0),
    (0.5, 1073741824),
    (-0.5, -1073741824),
    (2.0**63, -(2**63)),
    (2.0**64, 1),
    (1e300, 8474648701417850880),
    (2**63 - 1, 2**63 - 1),
    (2**63, -(2**63)),
    (-(2**63), -(2**63)),
    (-(2**63) - 1, 2**63 - 1),
    (2**64 - 1, -2),
    (2**64, 1),
    (-(2**64 - 1), 1),
    (-1, -2),
    (-1.0, -2),
    ("", 0),
    ("a", 12416037344),
    (b"a", 12416037344),
    ("\u00e9", 24960149699224354),
    ("a\u00e9", 1453079729091098058),
    ("a\u20ac", -2835874963634601685),
    ("\udce9a", 29824178921268248),
    (b"\xc3\xa9", 24960149699224354),
    ((), 3527539),
    ((1,), 3430019387558),
    (("a", 2.5), -3827962010249251933),
]


@pytest.mark.parametrize(("value", "expected"), HASHES)
def test_the_hash_of_a_value(value, expected):
    assert builtins.hash(value) == expected


@pytest.mark.parametrize(
    ("left", "right", "order"),
    [
        ({1: 2}, {1: 2, 3: 4}, -1),
        ({5: 1}, {1: 2, 3: 4}, -1),
        ({1: 2, 3: 4}, {5: 1}, 1),
        ({1: 2}, {1: 3}, -1),
        ({2: 2}, {1: 3}, 1),
        ({}, {}, 0),
    ],
)
def test_dicts_are_ordered_by_their_size_then_by_the_least_key_that_differs(left, right, order):
    assert operators.compare(left, right) == order


SAMPLES = {  # on both sides of where the elements are no longer copied
    (21, 2): [13, 14],
    (22, 2): [13, 16],
    (22, 5): [13, 16, 17, 20, 0],
    (85, 6): [52, 62, 66, 77, 59, 73],
    (86, 6): [53, 63, 68, 81, 79, 2],
    (300, 6): [186, 222, 238, 282, 221, 276],
    (277, 22): [172, 204, 218, 258, 201, 250, 7, 125, 253, 173, 240, 30, 124, 65, 143, 150, 3, 56]
    + [72, 236, 196, 40],
    (278, 22): [173, 206, 221, 262, 205, 256, 8, 129, 180, 250, 31, 130, 68, 151, 159, 3, 60, 77]
    + [254, 212, 44, 38],
}


@pytest.mark.parametrize(("size", "count"), SAMPLES)
def test_a_sample_with_seed_5(size, count):
    assert modules.Random(5).sample(range(size), count) == SAMPLES[size, count]


def test_a_sample_of_everything_of_nothing_and_of_too_much():
    assert sorted(modules.Random(5).sample(range(3), 3)) == [0, 1, 2]
    assert modules.Random(5).sample(range(3), 0) == []
    for count in (4, -1):
        with pytest.raises(ValueError, match="sample larger than population"):
            modules.Random(5).sample(range(3), count)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("sub", ("b", "abAB", 0, re.I), (("b", "abAB", 0), re.I)),
        ("subn", ("b", "abAB", 0, re.I), (("b", "abAB", 0), re.I)),
        ("split", ("abAB", 0, re.I), (("abAB", 0), re.I)),
        ("match", ("abAB", re.I), (("abAB",), re.I)),
        ("subn", ("b", "abAB", 1), (("b", "abAB", 1), 0)),
        ("split", ("abAB",), (("abAB",), 0)),
    ],
)
def test_flags_by_position(name, args, expected):
    assert regex.flags_of(name, args, 0) == expected


@pytest.mark.parametrize(
    "text", ["[(1, -2.5), [True, None]]", " 1e3 ", "-3j", "()", b"[10, 7]", "[1,\n 2]"]
)
def test_text_that_is_data_is_evaluated_without_a_translation(text, monkeypatch):
    from tfqueue.port.code import compilation

    translated = builtins.eval(
        compilation.compile_text(
            text.decode() if isinstance(text, bytes) else text.strip(),
            "",
            "eval",
            compilation.PYTHON2,
        )
    )
    monkeypatch.setattr(compilation, "compile_text", None)
    assert repr(builtins.eval(text)) == repr(translated)


@pytest.mark.parametrize(
    "text", ["7 / 2", "010", "3L", "x", "'a'", "[i for i in (1, 2)]", "{1: 2}"]
)
def test_other_text_is_translated(text):
    assert builtins._data(text) is None
