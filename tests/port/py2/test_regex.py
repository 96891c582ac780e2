"""Patterns that match nothing, as Python 2.7.18 took them (recorded with it)."""

import pickle
import re

import pytest

from tfqueue.port.program.patterns import may_match_nothing
from tfqueue.port.py2 import regex

# pattern, string, what split, sub and subn's count gave, and where finditer found matches
RECORDED = [
    (
        "\\W*",
        "hello big world",
        ["hello", "big", "world"],
        "-h-e-l-l-o-b-i-g-w-o-r-l-d-",
        14,
        [
            (0, 0),
            (1, 1),
            (2, 2),
            (3, 3),
            (4, 4),
            (5, 6),
            (6, 6),
            (7, 7),
            (8, 8),
            (9, 10),
            (10, 10),
            (11, 11),
            (12, 12),
            (13, 13),
            (14, 14),
            (15, 15),
        ],
    ),
    ("b*", "abc", ["a", "c"], "-a-c-", 3, [(0, 0), (1, 2), (2, 2), (3, 3)]),
    ("^|\\w+", "two words", ["t", " ", ""], "-t- -", 3, [(0, 0), (1, 3), (4, 9)]),
    ("x?", "abxd", ["ab", "d"], "-a-b-d-", 4, [(0, 0), (1, 1), (2, 3), (3, 3), (4, 4)]),
    ("(b)?", "abc", ["a", "b", "c"], "-a-c-", 3, [(0, 0), (1, 2), (2, 2), (3, 3)]),
    ("(?=b)", "abc", ["abc"], "a-bc", 1, [(1, 1)]),
    ("\\s*", "a b", ["a", "b"], "-a-b-", 3, [(0, 0), (1, 2), (2, 2), (3, 3)]),
    ("(\\W)*", "a, b", ["a", " ", "b"], "-a-b-", 3, [(0, 0), (1, 3), (3, 3), (4, 4)]),
    ("$", "abc", ["abc"], "abc-", 1, [(3, 3)]),
    ("\\b", "two words", ["two words"], "-two- -words-", 4, [(0, 0), (3, 3), (4, 4), (9, 9)]),
    ("", "ab", ["ab"], "-a-b-", 3, [(0, 0), (1, 1), (2, 2)]),
    ("", "", [""], "-", 1, [(0, 0)]),
    ("b+?", "abbc", ["a", "", "c"], "a--c", 2, [(1, 2), (2, 3)]),
    ("[ ,]*", "a ,b", ["a", "b"], "-a-b-", 3, [(0, 0), (1, 3), (3, 3), (4, 4)]),
    ("x*", "axxb", ["a", "b"], "-a-b-", 3, [(0, 0), (1, 3), (3, 3), (4, 4)]),
]


@pytest.mark.parametrize(("pattern", "string", "split", "sub", "count", "spans"), RECORDED)
def test_recorded(pattern, string, split, sub, count, spans):
    made = regex.compile(pattern)
    for home, first in ((regex, (pattern,)), (made, ()), (regex, (re.compile(pattern),))):
        assert home.split(*first, string) == split
        assert home.sub(*first, "-", string) == sub
        assert home.sub(*first, lambda match: "-", string) == sub
        assert home.subn(*first, "-", string) == (sub, count)
        assert [match.span() for match in home.finditer(*first, string)] == spans


def test_arguments_are_taken_as_in_python_2():
    assert regex.split("x*", "axbxc", 1) == ["a", "bxc"]
    assert regex.split("X*", "axbXc", flags=re.I) == ["a", "b", "c"]
    assert regex.sub("X*", "-", "axb", count=2) == "-a-xb"
    assert regex.findall("X*", "axb", re.I) == ["", "x", "", ""]
    assert regex.findall("(a)(b)?", "abac") == [("a", "b"), ("a", "")]
    made = regex.compile("x*")
    assert made.findall("axxb", 1) == ["xx", "", ""]
    assert made.findall("axxb", 1, 3) == ["xx", ""]
    assert made.sub(r"<\g<0>>", "axb") == "<>a<x>b<>"
    assert made.split(b"axb".decode()) == ["a", "b"]


def test_a_compiled_pattern_is_one_for_all_else():
    made = regex.compile(r"(?P<n>x*)", re.I)
    assert made.match("XX").group("n") == "XX"
    assert (made.pattern, made.groups, made.flags & re.I) == (r"(?P<n>x*)", 1, re.I)
    assert regex.compile(made) is made
    assert regex.match(made, "xx").span() == regex.search(made, "xxa").span() == (0, 2)
    assert "x*" in repr(made)
    assert pickle.loads(pickle.dumps(made)).split("axb") == ["a", "x", "b"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [(r"\W+", False), (r"\W*", True), ("a|", True), ("(", True), (b"", True)],
)
def test_whether_a_pattern_may_match_nothing(pattern, expected):
    assert may_match_nothing(pattern) == expected


def test_a_text_is_looked_for_in_bytes_as_in_python_2():
    text = "caf\xc3\xa9 12".encode("latin-1")  # as read from a file of bytes
    assert regex.sub(r"[^\x00-\x7F]", "", text) == "caf 12"
    assert regex.subn(r"\d", lambda match: "<" + match.group() + ">", text)[0].endswith("<1><2>")
    assert regex.findall(r"(\w)(\d)", text) == [("1", "2")]
    assert regex.split("\xe9 ", text) == ["caf", "12"]
    assert [match.group() for match in regex.finditer(r"\w+", text)] == ["caf", "12"]
    made = regex.compile(r"(?P<n>\d+)")
    found = made.search(text)
    assert (found.group("n"), found.groups(), found[0], found.span()) == (
        "12",
        ("12",),
        "12",
        (6, 8),
    )
    assert (found.groupdict(), found.string) == ({"n": "12"}, text)
    assert made.match(text) is None
    assert made.match(text, 6).expand(r"<\1>") == "<12>"
    assert regex.compile(b"1").sub(b"2", text).endswith(b"22")


def test_bytes_are_looked_for_in_text_as_in_python_2():
    words = regex.compile(b"([.,!?])")
    assert words.split("a, b.") == ["a", ",", " b", ".", ""]
    assert words.split(b"a, b.") == [b"a", b",", b" b", b".", b""]
    assert regex.sub(rb"\d", b"0", "w12") == regex.sub(rb"\d", "0", "w12") == "w00"
    assert regex.subn(rb"\d", lambda match: b"<" + match.group().encode() + b">", "w1") == (
        "w<1>",
        1,
    )
    assert regex.findall(rb"\w+", "caf\xe9 \u0661 1") == ["caf", "1"]
    assert regex.search(rb"(?i)(?P<n>B)", "ab", 0).groupdict() == {"n": "b"}
    assert words.pattern == b"([.,!?])"
    with pytest.raises(TypeError, match="bytes pattern on a string-like"):
        regex.search("\xe9".encode(), "caf\xe9")
