"""`tfqueue compare` and `tfqueue.recording.check`, each way to compare, in processes of their own."""

from __future__ import annotations

import argparse
import os
import shutil
import types

import pytest

import tfqueue
from tests.recording import kit
from tests.suite import children
from tfqueue import cli
from tfqueue.commands import compare
from tfqueue.recording import again, record_tf1, recording

PROGRAM = """
import sys
import numpy as np
import tensorflow as tf
def inputs():
    names = tf.train.range_input_producer(12, shuffle=False, num_epochs=1, capacity=20)
    return tf.train.batch([names.dequeue(), tf.constant(2.0) * 1.5], 4)
if __name__ == "__main__":
    numbers, floats = inputs()
    total = tf.reduce_sum(tf.cast(numbers, tf.float32) * floats * SCALE, name="total")
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            while True:
                sess.run(total)
        except tf.errors.OutOfRangeError:
            pass
        coord.request_stop()
        coord.join(threads)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a program, its recording, and what is like it or not."""
    folder = tmp_path_factory.mktemp("compare")
    same, other = PROGRAM.replace("SCALE", "1.0"), PROGRAM.replace("SCALE", "1.001")
    for name, text in (("old", same), ("other", other)):
        (folder / f"{name}.py").write_text(text, "utf-8")
        line = ["-m", "tfqueue", "run", "--record", f"{name}.recording", f"{name}.py"]
        done = children.run(line, cwd=str(folder))
        assert done.returncode == 0, done.stderr
    ported = same.replace("import tensorflow as tf", "import tfqueue.v1 as tf")
    (folder / "ported.py").write_text(ported, "utf-8")
    renamed = ported.replace('name="total"', 'name="sum"')
    (folder / "renamed.py").write_text(renamed, "utf-8")
    return folder


@pytest.fixture
def here(folder, monkeypatch):
    monkeypatch.chdir(folder)


def _compared(folder, *words):
    done = children.run(["-m", "tfqueue", "compare", *words], cwd=str(folder))
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def compared(here, monkeypatch, capfd):
    """Runs `tfqueue compare` in this process, and the program in one that is forked."""

    def run(command, check):
        return children.run(command[1:], cwd=os.getcwd())

    def compared(*words):
        status = cli.main(["compare", *words])
        return status, *capfd.readouterr()

    monkeypatch.setattr(again, "subprocess", types.SimpleNamespace(run=run))
    return compared


def test_the_recorded_program_is_run(folder):
    status, said, _ = _compared(folder, "old.recording")
    assert status == 0
    assert said.startswith("the same: ")
    assert "12 elements in order, 3 values, 4 steps" in said


def test_another_program_differs_and_its_line_is_named(compared):
    status, said, _ = compared("old.recording", "--first-step", "other.py")
    assert status == 1
    assert "step 0: total:0 (other.py:10) is " in said


@pytest.mark.parametrize("name", ["ported.py", "renamed.py"])
def test_a_port(compared, name):
    status, said, stderr = compared("old.recording", "--ported", name)
    assert status == 0, said + stderr
    assert "12 elements in order, 3 values, 4 steps" in said


def test_only_some_steps(compared):
    status, said, _ = compared("--steps", "2", "old.recording")
    assert status == 0
    assert "8 elements in order, 2 values, 2 steps" in said


def test_two_recordings_are_compared_and_nothing_is_run(here, capsys):
    assert cli.main(["compare", "old.recording", "--with", "old.recording"]) == 0
    assert cli.main(["compare", "old.recording", "--with", "other.recording"]) == 1
    assert "total:0 (other.py:10)" in capsys.readouterr().out
    assert cli.main(["compare", "old.recording", "--with", "other.recording", "--rtol", ".1"]) == 0


def test_two_recordings_are_compared_up_to_a_step(here, capsys):
    words = ["compare", "old.recording", "--steps", "2", "--with"]
    assert cli.main([*words, "old.recording"]) == 0
    assert ", 2 values, 2 steps" in capsys.readouterr().out
    assert cli.main([*words, "other.recording"]) == 1
    assert "number of steps" not in capsys.readouterr().out


@pytest.mark.parametrize("ways", [["short", "old"], ["old", "short"], ["short", "short"]])
def test_a_recording_of_some_steps_is_compared_up_to_there(here, capsys, ways):
    short = recording.beginning(recording.read("old.recording"), 2)
    (one, other), found = ways, {"old": recording.read("old.recording"), "short": short}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recording, "read", found.__getitem__)
        assert cli.main(["compare", one, "--with", other]) == 0
    assert ", 2 values, 2 steps" in capsys.readouterr().out


def test_a_program_that_the_recorder_ended_is_ended_there_again(folder, compared):
    words = ["run", "--record", "short.recording", "--steps", "2", "old.py"]
    done = children.run(["-m", "tfqueue", *words], cwd=str(folder))
    assert done.returncode == 0, done.stderr
    status, said, stderr = compared("short.recording")
    assert status == 0, said + stderr
    assert ", 2 values, 2 steps" in said


@pytest.mark.parametrize("option", ["--with", "--dataset"])
@pytest.mark.parametrize("more", ["--replay", "--first-step", "PROGRAM"])
def test_nothing_says_how_a_program_is_run_that_is_not(here, capsys, option, more):
    words = ["compare", option, "other", "old.recording", more]
    assert cli.main(words) == 2
    assert capsys.readouterr().err == f"tfqueue: {option} runs no program, so it takes no {more}\n"


def test_a_lift_gives_the_same_elements(folder):
    status, said, stderr = _compared(folder, "old.recording", "--dataset", "old.py:inputs")
    assert status == 0, said + stderr
    assert "12 elements in order" in said


def test_a_page_is_written(here, tmp_path, capsys):
    path = tmp_path / "page.html"
    words = ["compare", "old.recording", "--with", "other.recording", "--report", str(path)]
    assert cli.main(words) == 1
    text = path.read_text("utf-8")
    assert "Different." in text
    assert "total:0" in text
    assert text.count("<polyline") == 2
    assert "other.py:10" in text


def test_check_says_what_compare_says(compared):
    tfqueue.recording.check("old.recording")
    with pytest.raises(AssertionError, match=r"different: step 0: total:0 \(other.py:10\)"):
        tfqueue.recording.check("old.recording", "other.py", steps=2)
    with pytest.raises(tfqueue.recording.RecordingError, match="without --with-data"):
        tfqueue.recording.check("old.recording", replay=True)


def test_the_script_that_is_written_records(folder, tmp_path, capsys):
    path = tmp_path / "record_tf1.py"
    assert cli.main(["recorder", "-o", str(path)]) == 0
    with open(record_tf1.__file__, encoding="utf-8") as file:
        assert path.read_text("utf-8") == file.read()
    assert cli.main(["recorder", "-o", str(path)]) == 2
    assert "it is there already" in capsys.readouterr().err
    program = tmp_path / "ends.py"
    shutil.copy(kit.PROGRAMS / "ends.py", program)
    done = children.run(["record_tf1.py", "ends.py", "well"], cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    status, said, _ = _compared(tmp_path, "ends.recording", "--ported", "ends.py", "well")
    assert status == 0
    assert "2 steps" in said


@pytest.mark.parametrize(
    ("line", "own"),
    [
        (["old.recording"], (["old.recording"], [])),
        (["old.recording", "--steps", "5"], (["--steps", "5", "old.recording"], [])),
        (["--first-step"], (["--first-step"], [])),
        (["a", "--rtol", "1", "b", "-x", "c"], (["--rtol", "1", "a", "b"], ["-x", "c"])),
    ],
)
def test_what_stands_behind_the_program_is_its_own(line, own):
    parser = argparse.ArgumentParser()
    compare.add_arguments(parser)
    assert compare.divide(parser, line) == own
