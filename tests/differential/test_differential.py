"""Every program of the corpus does on tfqueue what it does on plain TensorFlow."""

from __future__ import annotations

import contextlib
import signal
import threading
import warnings

import pytest

import tfqueue.v1 as tf

from . import kit, programs  # noqa: F401
from .known import EVERY, HANGS, KNOWN

PATIENCE = 240
"""Seconds after which a program is said to hang; a program takes a tenth of one."""
ONE_BY_ONE = 8
"""Each so-manieth program runs with the chunks switched off, too: all begin without them."""

GOLDEN = kit.golden()


def marks(name, chunks):
    """A strict xfail for what is known to differ."""
    settings, why = KNOWN.get(name, ((), ""))
    return [pytest.mark.xfail(reason=why, run=why != HANGS)] if chunks in settings else []


CASES = [
    pytest.param(program, chunks, id=f"{name}-{chunks}", marks=marks(name, chunks))
    for number, (name, program) in enumerate(kit.PROGRAMS.items())
    for chunks in EVERY
    if chunks != "0" or name in KNOWN or number % ONE_BY_ONE == 0
]


class Hang(BaseException):
    """A program does not end; no handler of a program catches this."""


@contextlib.contextmanager
def ends(seconds):
    """Raises `Hang` in the main thread if the block does not end by itself."""

    def interrupt(*_):
        raise Hang

    before = signal.signal(signal.SIGALRM, interrupt)
    # Again and again: what closes the session may wait for what hangs, too.
    signal.setitimer(signal.ITIMER_REAL, seconds, 5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(("program", "chunks"), CASES)
def test_it_does_the_same(program, chunks, tmp_path, monkeypatch):
    if chunks == "default":
        monkeypatch.delenv("TFQUEUE_CHUNKS", raising=False)
    else:
        monkeypatch.setenv("TFQUEUE_CHUNKS", chunks)
    # What a program's own thread fails with is part of its outcome, where it is seen.
    monkeypatch.setattr(threading, "excepthook", lambda failed: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with ends(PATIENCE):
                actual = kit.perform(tf, program, tmp_path)
        except Hang:
            pytest.fail(f"{program.name} hangs", pytrace=True)
    expected, found = GOLDEN[program.name], kit.condensed(program, actual)
    if not kit.same(program, expected, found):
        # The whole of it, as a digest tells little.
        (tmp_path / "actual").write_text("\n".join(actual))
        assert found == expected, f"all that it did is in {tmp_path / 'actual'}"


def test_each_program_has_its_golden():
    assert GOLDEN.keys() == kit.PROGRAMS.keys()
    assert len(GOLDEN) >= 150
    assert not [name for name, outcome in GOLDEN.items() if "HANGS" in outcome]
    assert KNOWN.keys() <= GOLDEN.keys()


def test_programs_show_something():
    """A program that only fails to be built would compare nothing."""
    assert [name for name, outcome in GOLDEN.items() if outcome[0].startswith("raised")] == []
