"""Ctrl-C in the commands that read and write files.

Each is held at a known point, inside its work, by a pipe that the test opens and does not fill.
"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import threading

import pytest

from tests import damaged_files
from tfqueue import cli, records
from tfqueue.records.files import RecordFile

ROOT = pathlib.Path(__file__).parent.parent


def interrupted(folder, pipe, *argv, before=b""):
    """Sends Ctrl-C once the command has opened `pipe`; returns its code, stdout and stderr."""
    os.mkfifo(pipe)
    command = subprocess.Popen(
        [sys.executable, "-m", "tfqueue", *argv],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    opened = threading.Event()

    def let_go():
        """Ends the wait below for a command that ends without opening the pipe."""
        command.wait()
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        opened.wait()
        os.close(reader)

    helper = threading.Thread(target=let_go)
    helper.start()
    with open(pipe, "wb", buffering=0) as held:  # waits for the command to open it
        opened.set()
        if command.poll() is None:
            held.write(before)
            # as a terminal does it: to the command and to all that it has started
            os.killpg(command.pid, signal.SIGINT)
    try:
        out, error = command.communicate()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(command.pid, signal.SIGKILL)
    helper.join()
    return command.returncode, out, error


@pytest.mark.parametrize("command", ["head", "schema", "count", "verify", "images"])
def test_records_that_are_read(command, tmp_path):
    more = ["-o", "sheet.png"] if command == "images" else []
    found = interrupted(
        tmp_path,
        tmp_path / "pipe",
        *("records", command, "pipe", *more),
        before=damaged_files.record(b"one") * 2,
    )
    assert found == (-signal.SIGINT, "", "")
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize("shards", [[], ["--shards", "2"]], ids=["one file", "shards"])
def test_records_that_are_written(shards, tmp_path):
    (tmp_path / "photos" / "cats").mkdir(parents=True)
    (tmp_path / "photos" / "cats" / "0.png").write_bytes(b"first")
    (tmp_path / "old.tfrecord").write_bytes(b"from before")
    found = interrupted(
        tmp_path,
        tmp_path / "photos" / "cats" / "1.png",
        *("records", "write", "photos", "-o", "old.tfrecord", *shards),
    )
    assert found == (-signal.SIGINT, "", "")
    assert sorted(os.listdir(tmp_path)) == ["old.tfrecord", "photos"]
    assert (tmp_path / "old.tfrecord").read_bytes() == b"from before"


def interrupt(count):
    signal.raise_signal(signal.SIGINT)


def test_a_salvage(tmp_path):
    (tmp_path / "damaged").write_bytes(damaged_files.record(b"data") * 2000 + b"~")
    with pytest.raises(KeyboardInterrupt):
        records.salvage(tmp_path / "damaged", tmp_path / "saved", progress=interrupt)
    assert os.listdir(tmp_path) == ["damaged"]


def test_a_file_that_is_being_packed(tmp_path, monkeypatch):
    """What a compressed file still has to write, it writes at its very end."""
    file = RecordFile(tmp_path / "packed", "GZIP")
    monkeypatch.setattr(file, "_finish", lambda: interrupt(0))
    with pytest.raises(KeyboardInterrupt), file:
        file.write(b"data")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("files", [1, 200], ids=["one process", "several"])
def test_check(files, tmp_path):
    (tmp_path / "programs").mkdir()
    for number in range(files):
        (tmp_path / "programs" / f"{number}.py").write_text("import tensorflow as tf\n")
    found = interrupted(tmp_path, tmp_path / "pipe.py", "check", "programs", "pipe.py")
    assert found == (-signal.SIGINT, "", "")


def test_other_errors_are_still_shown(monkeypatch):
    """Only the one that ended the command goes without a traceback."""
    shown = []
    monkeypatch.setattr(sys, "excepthook", lambda *raised: shown.append(raised[1]))
    monkeypatch.setattr(cli, "_main", lambda argv, own: interrupt(0))
    with pytest.raises(KeyboardInterrupt) as caught:
        cli.main([])
    another = KeyboardInterrupt()
    for error in (caught.value, another):
        sys.excepthook(type(error), error, None)
    assert shown == [another]
