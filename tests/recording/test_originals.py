"""What the original releases computed is what is computed today: recordings that they made.

`make golden-recordings` makes `originals/` anew.
"""

from __future__ import annotations

import pathlib

import pytest

from tests.recording import kit
from tfqueue.recording import comparison, recording

ORIGINALS = pathlib.Path(__file__).with_name("originals")


@pytest.mark.parametrize("name", ["115_py37", "115_py27", "141_py36"])
def test_the_original_and_today_are_the_same(tmp_path, name):
    old = recording.read(ORIGINALS / f"{name}.recording")
    new = kit.recorded(tmp_path, "training.py", options=("--first-step",))
    found = comparison.compare(old, new)
    assert found.same, str(found)
    assert found.compared["elements in order"] == 120
    assert found.compared["files"] == 2
    assert found.compared["steps"] == 16


def test_a_replay_compares_what_is_drawn(tmp_path):
    path = ORIGINALS / "012_py27.recording"
    old = recording.read(path)
    assert old.releases["tensorflow"] == "0.12.1"
    assert old.releases["python"].startswith("2.7")
    replayed = kit.recorded(tmp_path, "early.py", options=(f"--replay={path}",))
    found = comparison.compare(old, replayed)
    assert found.same, str(found)
    assert not found.not_compared
    assert found.compared["values"] == 10
    assert found.compared["variables at the end"] == 3


def test_without_a_replay_what_is_drawn_is_counted(tmp_path):
    old = recording.read(ORIGINALS / "012_py27.recording")
    found = comparison.compare(old, kit.recorded(tmp_path, "early.py"))
    assert found.same, str(found)
    assert found.compared["elements in any order"] == 80
    assert found.not_compared["values that depend on draws without a seed"] == 10


def test_seeds_that_tensorflow_derives_are_compared_where_they_are_the_same(tmp_path):
    old = recording.read(ORIGINALS / "seeds_115_py37.recording")
    assert {each.second for each in old.seeds.values()} == {None}
    found = comparison.compare(old, kit.recorded(tmp_path, "seeds.py"))
    assert found.same, str(found)
    assert not found.not_compared
    assert found.compared["values"] == 5
    assert found.compared["initial values"] == 4


def test_seeds_that_tensorflow_derives_accuse_nobody_where_they_are_others(tmp_path):
    old = recording.read(ORIGINALS / "seeds_115_py37.recording")
    found = comparison.compare(old, kit.recorded(tmp_path, "seeds.py", "7"))
    assert found.same, str(found)
    assert found.not_compared["values that depend on seeds which TensorFlow counts by its ops"] == 5
