"""`tfqueue port` of a folder that a signal ends: each file is the old one or the new one, and whole."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

from tfqueue import cli

TEXT = "import tensorflow as tf\n" + "print tf.mul(1, 2)\n" * 20
COUNT = 20


@pytest.fixture
def folder(tmp_path):
    found = tmp_path / "old"
    found.mkdir()
    for number in range(COUNT):
        (found / f"m{number:02}.py").write_text(TEXT)
    return found


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_each_file_is_whole(sent, folder, tmp_path):
    done = tmp_path / "done"
    shutil.copytree(folder, done)
    assert cli.main(["port", str(done), "--in-place"]) == 0
    names = sorted(os.listdir(folder))
    new = (done / names[0]).read_text()
    assert new != TEXT
    command = [sys.executable, "-m", "tfqueue", "port", str(folder), "--in-place"]
    process = subprocess.Popen(command, preexec_fn=children_hear_interrupts)
    while process.poll() is None and (folder / names[0]).read_text() == TEXT:
        pass
    process.send_signal(sent)
    process.wait()
    assert sorted(os.listdir(folder)) == names
    assert {(folder / name).read_text() for name in names} <= {TEXT, new}
    assert (folder / names[0]).read_text() == new


def children_hear_interrupts():
    signal.signal(signal.SIGINT, signal.default_int_handler)
