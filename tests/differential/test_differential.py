"""Every program of the corpus does on tfqueue what it does on plain TensorFlow."""

from __future__ import annotations

import threading
import warnings

import pytest

import tfqueue.v1 as tf
from tests.suite import samples

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


@pytest.mark.parametrize("program", samples.some(CASES, 2))
def test_it_does_the_same_in_chunks(program, tmp_path, monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "32")
    does_the_same(program, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("program", samples.some(CASES, 3, 1))
def test_it_does_the_same_without_chunks(program, tmp_path, monkeypatch):
    monkeypatch.setenv("TFQUEUE_CHUNKS", "0")
    does_the_same(program, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("program", samples.some(CASES, 3))
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
