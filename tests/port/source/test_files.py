"""Odd files, and odd places to write to: what `check`, `port` and `run` make of them."""

import os
import pathlib
import subprocess
import sys

import pytest

from tfqueue import cli
from tfqueue.commands import check
from tfqueue.port.rules import engine
from tfqueue.port.source import files

OLD = "import tensorflow as tf\nx = tf.pack([1])\n"
NEW = "from tfqueue.release import assume\nimport tfqueue.v1 as tf\nassume('0.12')\nx = tf.stack([1])\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder to work in, with one old program."""
    monkeypatch.chdir(tmp_path)
    pathlib.Path("old.py").write_text(OLD)
    return tmp_path


# Characters at which str.splitlines divides and Python's parser does not.
@pytest.mark.parametrize("odd", ["\f", "\v", "\x1c", "\x85", "\u2028"])
def test_a_line_ends_where_python_says(odd, place, capsys):
    text = f'"""{odd}"""\n# {odd}\nimport os\n\ndef half(a):\n    return a / b\n'
    ported = engine.translate(text + "print half(1)\n").text
    assert ported.split("\n")[:4] == [
        f'"""{odd}"""',
        f"# {odd}",
        "from tfqueue.port.py2 import div, print_statement as print",
        "import os",
    ]
    pathlib.Path("odd.py").write_text(f"# {odd}{odd}\n# {odd}\n\nimport os\n1 / 0  # here\n")
    assert cli.main(["run", "odd.py"]) == 1
    assert "line 5, in <module>\n    1 / 0  # here\n" in capsys.readouterr().err
    pathlib.Path("diff.py").write_text(f"# {odd}\n{OLD}")
    assert cli.main(["port", "diff.py"]) == 0
    assert capsys.readouterr().out.split("\n")[3] == f" # {odd}"


def test_null_bytes_behind_the_end_are_no_part_of_a_program(place, capsys):
    pathlib.Path("copied.py").write_bytes(b"print('copied')\n" + b"\0" * 512)
    assert cli.main(["run", "copied.py"]) == 0
    assert capsys.readouterr().out == "copied\n"
    pathlib.Path("broken.py").write_bytes(b"print('a')\n\0\0print('b')\n")
    assert cli.main(["run", "broken.py"]) == 2
    assert "holds null bytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    "future",
    [
        "from __future__ import division, print_function\n",
        "from __future__ import (division,\n    print_function)\n",
        "from __future__ import division, \\\n    print_function\n",
        "from  __future__  import(print_function)\n",
    ],
)
def test_print_is_a_function_where_the_file_says_so(future):
    text = future + 'try:\n    print("a", "b")\nexcept Exception, e:\n    print()\n'
    mine = "from tfqueue.port.py2 import print_function as print\n"
    assert (
        engine.translate(text).text
        == future + mine + text.replace("Exception, e", "Exception as e")[len(future) :]
    )


def test_tabs_and_spaces_mixed_behind_a_print():
    text = "if 1:\n\tprint 1\n        print 2\n"
    assert engine.translate(text).text == (
        "from tfqueue.port.py2 import print_statement as print\n"
        "if 1:\n        print(1)\n        print(2)\n"
    )


def test_a_link_to_a_program_finds_the_modules_of_the_program(place, capsys):
    os.mkdir("home")
    pathlib.Path("home/helper.py").write_text("def half(x):\n    return x / 2\n")
    pathlib.Path("home/main.py").write_text("import helper\nprint helper.half(5)\n")
    os.symlink("home/main.py", "link.py")
    assert cli.main(["run", "link.py"]) == 0
    assert capsys.readouterr().out == "2\n"


def test_what_lies_beside_programs_is_no_program(place, capsys):
    for folder in (".ipynb_checkpoints", ".tox/py"):
        os.makedirs(folder)
        pathlib.Path(folder, "copy.py").write_text(OLD)
    os.symlink("user@host.1234:5678", ".#old.py")  # as Emacs locks a file
    pathlib.Path("._old.py").write_bytes(b"\0\5\26\7")  # as macOS keeps its attributes
    assert cli.main(["check", "."]) == 1
    out, error = capsys.readouterr()
    assert out.splitlines()[-1].startswith("1 file: 0 as it is, 1 with changes")
    assert error == ""


def test_a_link_that_leads_to_itself_is_told_once(place):
    pathlib.Path("link.py").symlink_to("link.py")
    pathlib.Path("z.py").write_text(NEW)
    for older in (True, False):  # an entry comes before the link, or none
        if not older:
            pathlib.Path("old.py").unlink()
            os.rename("z.py", "a.py")
        told, *programs = sorted(files.find(["."]), key=lambda found: isinstance(found, str))
        assert isinstance(told, files.Unreadable)
        assert (told.path, told.reason) == ("./link.py", "too many levels of symbolic links")
        assert programs == (["./old.py", "./z.py"] if older else ["./a.py"])


def test_a_module_of_ones_own_is_none_of_python_2s(place, capsys):
    pathlib.Path("exceptions.py").write_text("class Mine(Exception):\n    pass\n")
    os.mkdir("commands")
    pathlib.Path("commands/__init__.py").write_text("def half(x):\n    return x / 2\n")
    pathlib.Path("main.py").write_text(
        "import exceptions\nfrom exceptions import Mine\nfrom commands import half\n"
        "print(exceptions.Mine is Mine, half(5), 5 / 2)\n"
    )
    assert cli.main(["run", "main.py"]) == 0
    assert capsys.readouterr().out == "True 2.5 2.5\n"
    assert cli.main(["check", "main.py"]) == 0


def test_two_files_do_not_become_one(place, capsys):
    os.mkdir("deep")
    pathlib.Path("deep/old.py").write_text("import tensorflow as tf  # another\n")
    assert cli.main(["port", "old.py", "deep/old.py", "-o", "new"]) == 2
    assert capsys.readouterr().err == (
        "tfqueue: deep/old.py: not written: new/old.py is what old.py became\n"
    )
    assert pathlib.Path("new/old.py").read_text() == NEW


def test_a_folder_that_cannot_be_made_is_one_line(place, capsys):
    assert cli.main(["port", "old.py", "-o", "old.py/below/new.py"]) == 2
    assert capsys.readouterr().err == (
        "tfqueue: old.py/below/new.py: can't be written: not a directory\n"
    )


@pytest.mark.parametrize("name", ["/dev/stdout", "-"])
@pytest.mark.parametrize("to", ["pipe", "file"])
def test_ported_to_what_is_open_already(to, name, place):
    root = os.path.dirname(os.path.dirname(cli.__file__))
    with open("all", "w+b", buffering=0) as file:
        file.write(b"before\n")
        done = subprocess.run(
            [sys.executable, "-m", "tfqueue", "port", "old.py", "-o", name],
            stdout=file if to == "file" else subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": root},
        )
        assert (done.returncode, done.stderr) == (0, b"")
    written = pathlib.Path("all").read_bytes() + (done.stdout or b"")
    assert written.decode() == "before\n" + NEW


def test_a_name_that_is_no_text(place):
    os.rename("old.py", b"caf\xe9.py")
    root = os.path.dirname(os.path.dirname(cli.__file__))
    done = subprocess.run(
        [sys.executable, "-m", "tfqueue", "check", "."],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict", "PYTHONPATH": root},
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.startswith(b"./caf\xe9.py:1:1: tf-release")


def test_a_process_that_cannot_start_or_is_killed_costs_no_file(place):
    for number in range(check._MANY):
        pathlib.Path(f"f{number}.py").write_text(OLD)
    # The children run this file again, as it does not look whether it is the main program.
    pathlib.Path("caller").write_text(
        "import os, sys\nos.cpu_count = lambda: 2\n"
        f"sys.path.insert(0, {os.path.dirname(os.path.dirname(cli.__file__))!r})\n"
        "from tfqueue import cli\nsys.exit(cli.main(['check', '.']))\n"
    )
    done = subprocess.run([sys.executable, "caller"], capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"{check._MANY + 1} files: 0 as it is, {check._MANY + 1} with changes")
