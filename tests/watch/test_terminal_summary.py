"""The summary of a whole run: one title a session, what held it back if anything did, what failed."""

import io
import types

import pytest
from rich.console import Console

from tests.watch import watched
from tfqueue.watch import terminal


def summary_of(*logs, broken=None, width=80):
    sessions = [types.SimpleNamespace(log=log) for log in logs]
    watch = types.SimpleNamespace(sessions=sessions, clock=lambda: 5.0, broken=broken)
    return terminal.summary(watch, Console(file=io.StringIO(), width=width), width)


def log_of(number):
    log = watched.log_of(watched.STARVED)
    log.number = number
    return log


def test_one_session_has_no_number():
    lines = summary_of(log_of(1))
    assert lines[0].startswith("tfqueue, 5.0 s, first batch after 100 ms ")
    assert lines[1:3] == [
        "names  64 in, 32 out    capacity 32",
        "batch  500 in, 500 out  capacity 100",
    ]
    assert " ".join(lines[3:]).startswith("reading and parsing held it back: batch was empty")


def test_a_queue_has_one_line_however_narrow_the_terminal_is():
    lines = summary_of(log_of(1), width=30)
    assert [line[:2] for line in lines[:4]] == ["tf", "na", "ba", "re"]


@pytest.mark.parametrize("count", [2, 3])
def test_several_sessions_have_numbers(count):
    titles = [line for line in summary_of(*map(log_of, range(1, count + 1))) if "tfqueue" in line]
    assert [line.partition(",")[0] for line in titles] == [
        f"tfqueue: session {number}" for number in range(1, count + 1)
    ]


def test_a_run_in_which_no_step_takes_has_no_bottleneck():
    log = log_of(1)
    del log.places["batch/fifo_queue"]
    assert len(summary_of(log)) == 2


def test_a_watch_that_failed_says_so():
    assert summary_of(log_of(1), broken=ValueError("odd"))[-1] == (
        "tfqueue: the watch itself failed: ValueError: odd"
    )
