"""Every subcommand with bad input: one line on stderr, and a code that a script can use."""

import os
import random
import re
import subprocess
import sys

import pytest

from tests import command_lines
from tfqueue import cli

LEAVES = {
    ("run",): [],
    ("check",): [],
    ("port",): [],
    ("draw",): [],
    ("records", "head"): [],
    ("records", "schema"): [],
    ("records", "count"): [],
    ("records", "verify"): [],
    ("records", "salvage"): ["-o", "saved.tfrecord"],
    ("records", "images"): ["-o", "sheet.png"],
    ("records", "write"): ["-o", "written.tfrecord"],
    ("compare",): [],
}
"""What each needs besides its input."""
OF_FOLDERS = (("check",), ("port",))
OTHERS = (("completion",), ("bench",), ("recorder",))
"""Commands without an input."""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with what nobody can use."""
    monkeypatch.chdir(tmp_path)
    noise = random.Random(1).randbytes(3000)
    for name in ("noise.py", "noise.ipynb", "noise.csv", "noise.npy"):
        (tmp_path / name).write_bytes(noise)
    (tmp_path / "folder").mkdir()
    return tmp_path


def line_of(argv, capsys):
    """Exit code and the one line on stderr."""
    code = cli.main(argv)
    error = capsys.readouterr().err
    assert error.count("\n") == 1, error
    assert error.startswith("tfqueue")
    assert "Traceback" not in error
    return code, error


def test_every_command_stands_here():
    found = {words for words, _ in command_lines.nodes()}
    known = found - {words[:-1] for words in found}
    assert known - set(OTHERS) == set(LEAVES)


@pytest.mark.parametrize("leaf", LEAVES, ids=" ".join)
@pytest.mark.parametrize("name", ["absent.py", "no/such/folder.py", "", "*.nothing"])
def test_a_missing_file(leaf, name, place, capsys):
    assert line_of([*leaf, name, *LEAVES[leaf]], capsys)[0] == 2


@pytest.mark.parametrize("leaf", [leaf for leaf in LEAVES if leaf not in OF_FOLDERS], ids=" ".join)
def test_a_folder_in_place_of_a_file(leaf, place, capsys):
    assert line_of([*leaf, "folder", *LEAVES[leaf]], capsys)[0] == 2


@pytest.mark.parametrize("leaf", [*LEAVES, *OTHERS[:1]], ids=" ".join)
def test_an_unknown_option(leaf, place, capsys):
    code, error = line_of([*leaf, "--bogus", *LEAVES.get(leaf, [])], capsys)
    assert code == 2
    assert f"(see tfqueue {' '.join(leaf)} --help)" in error or "--bogus" in error


@pytest.mark.parametrize("leaf", LEAVES, ids=" ".join)
@pytest.mark.parametrize("name", ["noise.py", "noise.ipynb", "noise.csv", "noise.npy"])
def test_a_file_of_noise(leaf, name, place, capsys):
    code = cli.main([*leaf, name, *LEAVES[leaf]])
    out, error = capsys.readouterr()
    # As records it is damaged ones, which is what `records` is asked to tell.
    assert code == (1 if leaf[0] == "records" and leaf[1] != "write" else 2)
    assert len((error or out).splitlines()) in (1, 2)
    assert "Traceback" not in error


REFUSED = [
    *(("draw", name) for name in ("absent.py", "noise.py", "text.py", "text.ipynb", "folder")),
    *(("run", name) for name in ("absent.py", "noise.py", "text.py", "text.ipynb", "folder")),
    ("draw", "good.py", "-o", "p.gif"),
    ("draw", "good.py", "--era", "9"),
    ("bench", "absent.py"),
]


def test_a_refusal_and_a_help_load_no_tensorflow(place):
    """Nor do `check`, `port` and `records`, whatever they do."""
    for name in ("text.py", "text.ipynb"):
        (place / name).write_text("no program, but prose\n")
    (place / "good.py").write_text("import tensorflow as tf\n")
    helps = [(*words, "--help") for words, _ in command_lines.nodes()]
    fine = [("check", "good.py"), ("port", "good.py"), ("completion", "bash"), ("--version",)]
    code = f"""
import contextlib, io, sys
from tfqueue import cli
for argv in {[*REFUSED, *helps, *fine]!r}:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = cli.main(list(argv))
    assert (code == 2) == (argv in {REFUSED!r}), (argv, code, said.getvalue())
    assert "tensorflow" not in sys.modules, argv
"""
    root = os.path.dirname(os.path.dirname(cli.__file__))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root reads everything")
@pytest.mark.parametrize("leaf", LEAVES, ids=" ".join)
def test_a_file_that_may_not_be_read(leaf, place, capsys):
    (place / "secret.py").touch(mode=0o000)
    code, error = line_of([*leaf, "secret.py", *LEAVES[leaf]], capsys)
    assert code == 2
    assert "ermission denied" in error


@pytest.mark.parametrize("option", ["--report", "--summaries"])
def test_what_cannot_be_written_is_said_before_the_program_runs(option, place, capsys):
    (place / "old.py").write_text("print 'not run'\n")
    argv = ["run", option, "noise.py/below", "old.py"]
    assert cli.main(argv) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error == "tfqueue: noise.py/below: not a directory\n"


@pytest.mark.parametrize(
    "argv",
    [
        ["--help"],
        ["--version"],
        ["check", "old.py"],
        ["check", "--json", "old.py"],
        ["port", "old.py"],
        ["records", "--help"],
        ["completion", "bash"],
    ],
    ids=" ".join,
)
def test_whoever_reads_may_have_read_enough(argv, place):
    (place / "old.py").write_text("import tensorflow as tf\nprint tf.pack([1])\n" * 500)
    reader, writer = os.pipe()
    os.close(reader)
    root = os.path.dirname(os.path.dirname(cli.__file__))
    done = subprocess.run(
        [sys.executable, "-m", "tfqueue", *argv],
        stdout=writer,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    )
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode in (0, 1)


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "argv",
    [
        ["--help"],
        ["--version"],
        ["check", "old.py"],
        ["check", "--json", "old.py"],
        ["port", "old.py"],
        ["records", "count", "a.tfrecord"],
        ["completion", "bash"],
    ],
    ids=" ".join,
)
def test_a_full_disk_is_one_line(argv, unbuffered, place):
    (place / "old.py").write_text("import tensorflow as tf\nprint tf.pack([1])\n")
    (place / "a.tfrecord").touch()
    root = os.path.dirname(os.path.dirname(cli.__file__))
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tfqueue", *argv],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": root, "PYTHONUNBUFFERED": unbuffered},
            text=True,
        )
    assert done.returncode == 2
    assert re.fullmatch(r"tfqueue( records)?: No space left on device\n", done.stderr)


def test_an_error_of_a_file_that_no_command_expects_is_raised(monkeypatch):
    def fails(*_):
        raise PermissionError(13, "Permission denied", "inside.txt")

    monkeypatch.setattr(cli, "_main", fails)
    with pytest.raises(PermissionError, match=r"inside\.txt"):
        cli.main([])
