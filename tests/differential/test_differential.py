"""Every program of the corpus does on tfqueue what it does on plain TensorFlow."""

from __future__ import annotations

import threading
import warnings

import pytest

import tfqueue.v1 as tf
from tfqueue.accelerate import tuner

from . import kit, programs  # noqa: F401
from .known import HANGS, KNOWN

PATIENCE = 120
"""Seconds after which a program is said to hang; a program takes a tenth of one."""

GOLDEN = kit.golden()


def marks(name):
    """A strict xfail for what is known to differ."""
    if name not in KNOWN:
        return []
    return [pytest.mark.xfail(reason=KNOWN[name], run=KNOWN[name] != HANGS)]


CASES = [
    pytest.param(program, id=name, marks=marks(name)) for name, program in kit.PROGRAMS.items()
]
PARTLY = [
    pytest.param(
        *case.values,
        id=case.id,
        marks=[*case.marks, pytest.mark.exhaustive if place % 3 else pytest.mark.slow],
    )
    for place, case in enumerate(CASES)
]


@pytest.fixture
def went_over(monkeypatch):
    """The names of the enqueue ops that have gone over from one example a step to another way."""
    names = []

    def change_over(mover, original=tuner.TunedMover._change_over):
        names.append(mover._tuner.op.name)
        original(mover)

    monkeypatch.setattr(tuner.TunedMover, "_change_over", change_over)
    return names


@pytest.mark.parametrize("program", CASES)
def test_it_does_the_same(program, tmp_path, monkeypatch, went_over):
    """In chunks of 32; then without chunks, unless it ran one example a step anyway."""
    for chunks in ("32", "0"):
        monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
        folder = tmp_path / chunks
        folder.mkdir()
        does_the_same(program, folder, monkeypatch)
        if chunks == "32" and not went_over:
            break


@pytest.mark.parametrize("program", PARTLY)
def test_it_does_the_same_as_the_tuner_decides(program, tmp_path, monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "auto")
    does_the_same(program, tmp_path, monkeypatch)


def does_the_same(program, folder, monkeypatch):
    # What a program's own thread fails with is part of its outcome, where it is seen.
    monkeypatch.setattr(threading, "excepthook", lambda failed: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with kit.ends(PATIENCE):
                actual = kit.perform(tf, program, folder)
        except kit.Hang:
            pytest.fail(f"{program.name} hangs", pytrace=True)
    expected, found = GOLDEN[program.name], kit.condensed(program, actual)
    if not kit.same(program, expected, found):
        # The whole of it, as a digest tells little.
        (folder / "actual").write_text("\n".join(actual))
        assert found == expected, f"all that it did is in {folder / 'actual'}"


def test_each_program_has_its_golden():
    assert GOLDEN.keys() == kit.PROGRAMS.keys()
    assert len(GOLDEN) >= 150
    assert not [name for name, outcome in GOLDEN.items() if "HANGS" in outcome]
    assert KNOWN.keys() <= GOLDEN.keys()


def test_programs_show_something():
    """A program that only fails to be built would compare nothing."""
    assert [name for name, outcome in GOLDEN.items() if outcome[0].startswith("raised")] == []
