"""Each row of FAILURES.md, in each way of running a pipeline that it makes sense in."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

import tfqueue
import tfqueue.v1 as tf
from tfqueue import errors
from tfqueue.explain import diagnosis

from .kit import Row, Stage, told
from .processes import BEGINNING, PROCESSES, Process
from .rows import ELSEWHERE, OPEN, closed, rows

ROOT = Path(tfqueue.__file__).resolve().parents[1]
SECONDS = 5.0
"""A row takes a tenth of that; on a machine where it does not, a sound pipeline takes long too."""

CASES = [
    pytest.param(row, way, id=f"{row.id}-{row.program.__name__}-{way}")
    for row in sorted(rows(), key=lambda row: row.id)
    for way in row.ways
]


def a_sound_pipeline(tmp_path: Path, way: str) -> float:
    """How long one that nothing is wrong with takes from its graph to its end, in seconds."""
    began = time.monotonic()
    with tf.Graph().as_default():
        stage = Stage(tmp_path, way)
        stage.run(stage.shuffled(stage.numbers(), 1))
    return time.monotonic() - began


@pytest.mark.parametrize(("row", "way"), CASES)
def test_row(row: Row, way: str, tmp_path: Path, record_property) -> None:
    """The right class with the right words, in time; no warning but the row's own."""
    diagnosis.BROKEN.clear()
    raised, value, began = None, None, time.monotonic()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("error")
        warnings.simplefilter("always", errors.TFQueueWarning)
        try:
            value = row.program(Stage(tmp_path, way))
        except Exception as error:
            raised = error
            if row.raises is None or not isinstance(error, row.raises):
                raise
    took = time.monotonic() - began
    assert not diagnosis.BROKEN, told(diagnosis.BROKEN[0])
    ours = [each for each in heard if issubclass(each.category, errors.TFQueueWarning)]
    text = told(raised) + "\n".join(str(each.message) for each in ours)
    if row.raises is None:
        assert raised is None
    else:
        assert raised is not None, "it ended as if all were well"
        assert row.raises is tf.errors.OutOfRangeError or not isinstance(
            raised, tf.errors.OutOfRangeError
        )
    expected = [] if row.warns is None else [row.warns]
    assert [each.category for each in ours] == expected, text
    assert all(each.filename.startswith(str(Path(__file__).parent)) for each in ours), ours
    assert not [words for words in row.says if words not in text], text
    if row.cause is not None:
        behind = raised.__cause__
        assert isinstance(behind, row.cause)
        assert behind.__traceback__ is not None
    if row.gives is not ...:
        assert value == row.gives
    assert took < SECONDS or took < 50 * a_sound_pipeline(tmp_path, way)
    record_property("failure_row", row.id)


@pytest.mark.parametrize("process", PROCESSES, ids=lambda process: process.id)
def test_process(process: Process, records, record_property) -> None:
    """It exits, with the right status, and prints what it should and nothing else."""
    path = records([b"%02d" % i for i in range(40)])
    environment = {k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}
    program = subprocess.Popen(
        [sys.executable, "-c", BEGINNING + process.program, path],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment | {"PYTHONPATH": str(ROOT)},
    )
    try:
        printed = ""
        if process.interrupt:
            printed = program.stdout.readline()
            program.send_signal(signal.SIGINT)
        rest, said = program.communicate()
    finally:
        program.kill()
        program.wait()
    assert (printed + rest).strip() == process.prints
    assert program.returncode == process.ends_with, said
    if process.says:
        assert process.says in said
        assert not re.search(r"Cancelled|Exception in thread|Error in ", said), said
    else:
        assert said == ""
    record_property("failure_row", process.id)


def test_every_row_has_its_place() -> None:
    """The 70 rows: tested here, shown elsewhere, or open for a reason."""
    assert closed().isdisjoint({*OPEN, *ELSEWHERE})
    assert closed() | {*OPEN, *ELSEWHERE} == {f"{number:02}" for number in range(70)}


def test_the_rows_are_those_of_the_list() -> None:
    """As the list itself has them, where it is at hand."""
    path = ROOT.parent / "shared" / "FAILURES.md"
    if not path.exists():
        pytest.skip(f"no {path}")
    listed = set(re.findall(r"^\| (\d\d) \|", path.read_text(encoding="utf-8"), re.MULTILINE))
    assert closed() | {*OPEN, *ELSEWHERE} == listed
