"""Each row of the list (README.md), in each way of running a pipeline that it makes sense in."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import signal
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import pytest

import tfqueue
import tfqueue.v1 as tf
from tests.suite import children
from tfqueue import errors
from tfqueue.explain import diagnosis, stories

from . import plain
from .kit import Row, Stage, told
from .processes import BEGINNING, PROCESSES, Process
from .rows import ELSEWHERE, OPEN, closed, rows

ROOT = Path(tfqueue.__file__).resolve().parents[1]
LONG = 50
"""A row takes no longer than so many sound pipelines, built and run to their end."""

CASES = [
    pytest.param(row, way, id=f"{row.name}-{row.program.__name__}-{way}")
    for row in sorted(rows(), key=lambda row: row.name)
    for way in row.ways
]


def a_sound_pipeline(tmp_path: Path, way: str) -> float:
    """How long one that nothing is wrong with takes from its graph to its end, in seconds."""
    began = time.monotonic()
    with tf.Graph().as_default():
        stage = Stage(tmp_path, way)
        stage.run(stage.shuffled(stage.numbers(), 1))
    return time.monotonic() - began


@functools.cache
def a_sound_pipeline_before(way: str) -> float:
    """The same, measured once."""
    with tempfile.TemporaryDirectory() as folder:
        return a_sound_pipeline(Path(folder), way)


def is_slow(row: Row, way: str, tmp_path: Path) -> bool:
    """Whether a row takes longer than it may, each of three times: a machine may be held up once."""
    for number in range(3):
        folder = tmp_path / f"again_{number}"
        folder.mkdir()
        began = time.monotonic()
        with tf.Graph().as_default(), warnings.catch_warnings(), contextlib.suppress(Exception):
            warnings.simplefilter("ignore")
            row.program(Stage(folder, way))
        if time.monotonic() - began < LONG * a_sound_pipeline(folder, way):
            return False
    return True


@pytest.mark.parametrize(("row", "way"), CASES)
def test_row(row: Row, way: str, tmp_path: Path, record_property) -> None:
    """The right class with the right words, in time; no warning but the row's own."""
    diagnosis.BROKEN.clear()
    stage, raised, value, began = Stage(tmp_path, way), None, None, time.monotonic()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("error")
        warnings.simplefilter("always", errors.TFQueueWarning)
        try:
            value = row.program(stage)
        except Exception as error:  # noqa: BLE001  (whether it is the right one is asked below)
            raised = error
    took = time.monotonic() - began
    assert not diagnosis.BROKEN, told(diagnosis.BROKEN[0])
    ours = [each for each in heard if issubclass(each.category, errors.TFQueueWarning)]
    assert row.problems(stage, raised, value, ours) == [], told(raised)
    assert all(each.filename.startswith(str(Path(__file__).parent)) for each in ours), ours
    assert took < LONG * a_sound_pipeline_before(way) or not is_slow(row, way, tmp_path)
    record_property("failure_row", row.name)


def interrupted(arguments, env) -> subprocess.CompletedProcess:
    """Runs Python, and sends it Ctrl-C as soon as it has printed a line."""
    reader, writer = os.pipe()
    with open(reader) as out, tempfile.TemporaryFile("w+") as err:
        files = (subprocess.DEVNULL, writer, err)
        with children.started(arguments, env=env, files=files) as program:
            os.close(writer)
            printed = out.readline()
            program.send_signal(signal.SIGINT)
            printed += out.read()
            status = program.wait()
        err.seek(0)
        return subprocess.CompletedProcess(arguments, status, printed, err.read())


@pytest.mark.xdist_group("children")
@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.name)
def test_process(process: Process, records, record_property) -> None:
    """It exits, with the right status, and prints what it should and nothing else."""
    path = records([b"%02d" % i for i in range(40)])
    arguments = ["-c", BEGINNING + process.program, path]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = interrupted if process.interrupt else children.run
    done = run(arguments, env=environment)
    assert process.problems(done.stdout, done.returncode, done.stderr) == [], done.stderr
    record_property("failure_row", process.name)


ON_PLAIN = plain.recorded()


PLAIN_CASES = [
    *(
        (plain.name_of(row, way), row.fine_today)
        for row in rows()
        for way in row.ways
        if way != "managed"
    ),
    *((plain.name_of_process(process), process.fine_today) for process in PROCESSES),
]


@pytest.mark.parametrize("case", PLAIN_CASES, ids=lambda case: case[0])
def test_a_row_fails_on_plain_tensorflow(case) -> None:
    """As `plain.py` recorded it; a program that has changed since must be recorded anew."""
    name, fine_today = case
    assert name in ON_PLAIN, "python -m tests.failures.plain"
    assert (ON_PLAIN[name] == []) is bool(fine_today), ON_PLAIN[name]


def listed() -> set[str]:
    """The names in the list's tables."""
    text = Path(__file__).with_name("README.md").read_text("utf-8")
    return set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))


def test_every_failure_of_the_list_has_its_place() -> None:
    """It is tested here, shown elsewhere, or open for a reason."""
    assert closed().isdisjoint({*OPEN, *ELSEWHERE})
    assert closed() | {*OPEN, *ELSEWHERE} == listed()


def test_what_is_said_is_said_of_failures_of_the_list() -> None:
    """Each row of the stories names failures that are there."""
    told = [
        *stories.FAILURES,
        *stories.STALLS,
        *stories.AT_START,
        *stories.AT_PLAN,
        *stories.AT_END,
        *stories.AT_CLOSE,
    ]
    assert {name for each in told for name in each.failures} <= listed()


def test_what_is_shown_elsewhere_is_there():
    root = Path(__file__).parents[2]
    for where in ELSEWHERE.values():
        path, _, test = where.partition(": ")
        assert (root / path.partition(" ")[0]).exists(), where
        if test.startswith("test_"):
            assert f"def {test}(" in (root / path).read_text("utf-8"), where
