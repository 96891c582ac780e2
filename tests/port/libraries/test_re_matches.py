"""Patterns that match nothing, as Python 3.6 took them (recorded with 3.6.15)."""

import copy
import pickle
import re

import pytest

from tfqueue import cli
from tfqueue.port.libraries import re_matches
from tfqueue.port.py2 import regex

PROGRAM = """import re
import tensorflow as tf
for line in ["Mary moved to.", "a b"]:
    print(re.split(r"(\\W+)?", line))
"""
RECORDED = [
    ("split", (r"(\W+)?", "a big, world."), ["a", " ", "big", ", ", "world", ".", ""]),
    ("split", ("X*", "axbXc", 0, re.I), ["a", "b", "c"]),
    ("split", ("x*", "axbxc", 1), ["a", "bxc"]),
    ("sub", ("x*", "-", "abxd"), "-a-b-d-"),
    ("sub", ("X*", "-", "axb", 2, re.I), "-a-b"),
    ("subn", (r"\b|:+", "#", "a::bc"), ("#a#:#bc#", 4)),
    ("findall", ("x*", "axbc"), ["", "x", "", "", ""]),
    ("findall", ("X*", "axb", re.I), ["", "x", "", ""]),
    ("findall", (r"\b|\w+", "ab cd"), ["", "b", "", "", "d", ""]),
    ("findall", ("(^)|(a)", "aa"), [("", ""), ("", "a")]),
]


@pytest.mark.parametrize(("name", "args", "expected"), RECORDED)
def test_what_3_6_gave(name, args, expected):
    assert getattr(re_matches, f"re_{name}")(*args) == expected


def test_a_compiled_pattern_is_taken_and_given():
    made = re_matches.re_compile(r"(\s*)")
    assert made.split("a b  c") == ["a", " ", "b", "  ", "c"]
    assert re_matches.re_compile(made) is made
    assert re_matches.re_split(made, "a b") == ["a", " ", "b"]
    assert [found.span() for found in re_matches.re_finditer("x*", "ax")] == [
        (0, 0),
        (1, 2),
        (2, 2),
    ]


@pytest.mark.parametrize("made_by", [re_matches.re_compile, regex.compile])
def test_functions_of_re_and_copies_take_a_compiled_pattern_as_their_own(made_by):
    made = made_by(r"(\W+)?")
    assert isinstance(made, re.Pattern)
    for same in (made, copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert re.split(same, "a big, world.") == ["a", " ", "big", ", ", "world", ".", ""]
    assert re.match(made, "a b").span() == (0, 0)
    assert re.compile(made) is made


@pytest.mark.parametrize(("options", "told"), [([], True), (["--era", "1.15"], False)])
def test_what_differs_is_told_once_unless_the_era_is_given(
    tmp_path, monkeypatch, capsys, options, told
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(PROGRAM)
    assert cli.main(["run", *options, "old.py"]) == 0
    out, said = capsys.readouterr()
    assert ("None" in out) != told
    lines = [line for line in said.splitlines() if "re.split" in line]
    assert len(lines) == told
    assert all(line.startswith("tfqueue: old.py:4: re.split does not split") for line in lines)


@pytest.mark.parametrize(
    ("name", "differs", "same"),
    [
        ("split", ("x*", "axb"), ("x", "axb")),
        ("sub", ("x*", "-", "axb"), ("x", "-", "axb")),
        ("subn", ("x*", "-", "axb"), ("x", "-", "axb")),
        ("findall", (r"^|\w+", "ab"), (r"\w+", "ab")),
    ],
)
def test_only_what_differs_is_told(monkeypatch, name, differs, same):
    told = []
    monkeypatch.setattr(
        re_matches.telling, "tell_release", lambda function, what: told.append(function)
    )
    getattr(re_matches, f"re_{name}")(*same)
    assert told == []
    getattr(re_matches, f"re_{name}")(*differs)
    assert told == [f"re.{name.removesuffix('n')}"]
