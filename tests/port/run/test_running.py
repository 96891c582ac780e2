"""How `tfqueue run` finds a program and its modules, judges them, and ends."""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import types
import warnings

import pytest

from tests.suite import children
from tfqueue import cli
from tfqueue.commands import check, run
from tfqueue.port.program.written_for import of_parsed
from tfqueue.port.source import files
from tfqueue.port.source.parsing import parse

ROOT = pathlib.Path(__file__).parents[3]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder to work in; modules that are imported from it are forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and str(tmp_path) in str(
            sys.modules[name].__file__
        ):
            del sys.modules[name]


def write(others=(), **files):
    for name, text in {**dict(others), **files}.items():
        path = pathlib.Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(path.name + ".py").write_text(text)


def outcome(capsys, *argv):
    code = cli.main(["run", *argv])
    out, error = capsys.readouterr()
    return code, out, error


@pytest.mark.parametrize(
    "option", [["--steps", "0"], ["--replay", "x"], ["--with-data"], ["--first-step"], ["--yes"]]
)
def test_options_of_a_recording_go_with_it(place, capsys, option):
    write(old="print(1)\n")
    code, out, error = outcome(capsys, *option, "old.py")
    assert (code, out) == (2, "")
    assert error.startswith(f"tfqueue: {option[0]} goes with --record; ")
    assert error.count("\n") == 1


OLD = "def half(n):\n    return n / 2\nprint 'old', __name__\n"

# files, command line, PYTHONPATH, what is printed
FOUND = [
    pytest.param(
        {"tools/main": "import sys\nsys.path.append('../libs')\nimport net\nprint net.half(5)\n"},
        "tools",
        ["main.py"],
        "",
        id="a folder beside, by sys.path.append",
    ),
    pytest.param(
        {"tools/main": "import net\nprint net.half(5)\n"},
        ".",
        ["tools/main.py"],
        "libs",
        id="PYTHONPATH",
    ),
    pytest.param(
        {
            "tools/main": "import os, sys\nhere = os.path.dirname(os.path.abspath(__file__))\n"
            "sys.path.insert(0, os.path.join(here, '..', 'libs'))\nimport net\nprint net.half(5)\n"
        },
        ".",
        ["tools/main.py"],
        "",
        id="a folder computed from the file",
    ),
    pytest.param(
        {
            "tools/main": "name = '../libs'\nimport sys\nsys.path[0:0] = [name]\nimport net\nprint(net.half(5))\n"
        },
        "tools",
        ["main.py"],
        "",
        id="a folder that shows only while it runs",
    ),
]


@pytest.mark.parametrize(("files", "folder", "argv", "path"), FOUND)
def test_modules_are_found_as_python_finds_them(
    files, folder, argv, path, place, monkeypatch, capsys
):
    write({"libs/net": OLD, **files})
    monkeypatch.chdir(folder)
    if path:
        monkeypatch.setenv("PYTHONPATH", path)
        monkeypatch.syspath_prepend(os.path.abspath(path))
    assert outcome(capsys, *argv) == (0, "old net\n2\n", "")


def test_a_module_by_its_name(place, capsys):
    write(
        {
            "pack/__init__": "print 'pack', __name__\n",
            "pack/inner": "def half(n):\n    return n / 2\n",
            "pack/tool": "import sys\nfrom . import inner\nimport inner as same\n"
            "print inner.half(5), same is inner, __name__, __package__, sys.argv[1:], sys.argv[0][-7:]\n",
            "pack/__main__": "import sys\nprint 'main of', __package__, 7 / 2, sys.argv[1:]\n",
        }
    )
    said = "pack pack\n2 True __main__ pack ['-x', '--', 'y'] tool.py\n"
    assert outcome(capsys, "-m", "pack.tool", "-x", "--", "y") == (0, said, "")
    assert outcome(capsys, "-m", "pack") == (0, "pack pack\nmain of pack 3 []\n", "")
    assert outcome(capsys, "-m", "pack.none") == (
        2,
        "",
        "tfqueue: pack.none: no module of this name\n",
    )


def test_a_program_on_stdin(place):
    write(beside=OLD)
    done = children.run(
        ["-m", "tfqueue", "run", "-", "--", "a"],
        given="import sys, beside\nprint beside.half(7), sys.argv, __name__\n",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "old beside\n3 ['-', '--', 'a'] __main__\n"


def test_what_follows_the_program_is_its_own(place, capsys):
    write(old="import sys\nprint(sys.argv)\n")
    argv = ["--", "-x", "--era", "0.12", "-m"]
    assert outcome(capsys, "old.py", *argv) == (0, f"{['old.py', *argv]}\n", "")


def test_an_installed_package_is_left_alone_unless_named(place, capsys, monkeypatch):
    write({"site-packages/sugar": "import tensorflow\nprint 'sugar', 3 / 2\n"})
    write(old="import sys\nsys.path.append('site-packages')\nimport sugar\n")
    code, out, error = outcome(capsys, "old.py")
    assert (code, out) == (1, "")
    assert error.splitlines()[-1] == (
        "tfqueue: sugar is an installed package and was not translated; --also sugar translates it"
    )
    write({"site-packages/sugar": "print 'sugar', 3 / 2\n"})
    assert outcome(capsys, "--also", "sugar", "old.py") == (0, "sugar 1\n", "")
    write({"site-packages/sugar": "import tensorflow\nraise TypeError('its own')\n"})
    code, _, error = outcome(capsys, "--also", "sugar", "old.py")
    assert (code, "--also" in error) == (1, False), "it was given"


def test_an_installed_package_for_tensorflow_1_alone_is_translated_unasked(place, capsys):
    write({"site-packages/tflearn": "import tensorflow\nprint 'flow', 3 / 2\n"})
    folder = os.path.abspath("site-packages")
    write({"edward/main": f"import sys\nsys.path.append({folder!r})\nimport tflearn, mine\n"})
    write({"edward/mine": "print(7 / 2)\n"})
    code, out, error = outcome(capsys, "edward/main.py")
    assert (code, out) == (0, "flow 1\n3.5\n")
    told = "edward/mine.py:1: 7 / 2 is 3.5; in Python 2 it is 3."
    assert told in error, "a module of the program in a folder of that name is the program's"
    write({"site-packages/tflearn": "import tensorflow\nraise TypeError('its own')\n"})
    assert "--also" not in outcome(capsys, "edward/main.py")[2]


def test_a_library_runs_in_the_python_of_the_program(place, capsys):
    folder = os.path.abspath("site-packages")
    write({"site-packages/tflearn/__init__": "import part, new\nprint(3 / 2)\n"})
    write({"site-packages/tflearn/part": "from tfqueue.v1 import constant\n"})
    write({"site-packages/tflearn/new": "def show(x: int):\n    print(f'{x / 2}')\nshow(3)\n"})
    write(old=f"import sys\nsys.path.append({folder!r})\nimport tflearn\nprint 'old'\n")
    assert outcome(capsys, "old.py") == (0, "1.5\n1\nold\n", "")


@pytest.mark.parametrize(
    ("library", "call"),
    [
        ("import tensorflow\ndef show(f):\n    return open('none')\n", "None"),
        ("import tensorflow\ndef show(f):\n    return f()\n", "lambda: int('x')"),
        ("# as tensorflow does\ndef show(f):\n    return int('x')\n", "None"),
    ],
    ids=["no_file", "the_programs_own", "mentions_it"],
)
def test_an_error_that_is_not_about_what_is_old(library, call, place, capsys):
    """Translating the installed package would help against none of these."""
    write({"site-packages/sugar": library})
    folder = os.path.abspath("site-packages")
    write(old=f"import sys\nsys.path.append({folder!r})\nimport sugar\nsugar.show({call})\n")
    code, _, error = outcome(capsys, "old.py")
    assert (code, "--also" in error) == (1, False)


@pytest.mark.parametrize("way", ["PYTHONPATH", "sys.path"])
def test_what_pip_put_into_a_folder_is_left_alone(way, place, capsys, monkeypatch):
    """`pip install --target libs`: a Python 2 program beside does not floor a library's divisions."""
    write(
        {
            "libs/sugar/__init__": "half = 3 / 2\n",
            "libs/sugar/deep/part": "third = 4 / 3 > 1\n",
            "libs/own": "half = 3 / 2\n",
        }
    )
    record = pathlib.Path("libs/sugar-1.0.dist-info/RECORD")
    record.parent.mkdir()
    record.write_text("sugar/__init__.py,sha256=x,12\nsugar/deep/part.py,,\n")
    by_hand = "import sys\nsys.path.append('libs')\n" if way == "sys.path" else ""
    write(old=by_hand + "import sugar, own\nimport sugar.deep.part as p\n"
          "print sugar.half, p.third, own.half\n")  # fmt: skip
    if way == "PYTHONPATH":
        monkeypatch.setenv("PYTHONPATH", "libs")
        monkeypatch.syspath_prepend(os.path.abspath("libs"))
    assert outcome(capsys, "old.py") == (0, "1.5 True 1\n", "")
    assert sorted(files.find(["."])) == ["./libs/own.py", "./old.py"]
    assert sorted(files.find(["libs/sugar"])) == [
        "libs/sugar/__init__.py",
        "libs/sugar/deep/part.py",
    ]


def test_the_sentence_for_what_pip_put_into_a_folder(place, capsys):
    write({"target/sugar": "import tensorflow\nprint 'sugar', 3 / 2\n"})
    write(old="import sys\nsys.path.append('target')\nimport sugar\n")
    record = pathlib.Path("target/sugar-1.0.dist-info/RECORD")
    record.parent.mkdir()
    record.write_text("sugar.py,,\n")
    code, out, error = outcome(capsys, "old.py")
    assert (code, out) == (1, "")
    assert error.splitlines()[-1] == (
        "tfqueue: sugar is an installed package and was not translated; --also sugar translates it"
    )


def test_the_sentence_for_a_package_that_asks_numpy_for_what_is_gone(place, capsys):
    write({"spices/site-packages/spice": "import numpy\nkinds = numpy.float\n"})
    write({"spices/site-packages/salt": "import math\nmath.float\n"})
    write(old="import sys\nsys.path.append('spices/site-packages')\nimport spice\n")
    code, _, error = outcome(capsys, "old.py")
    assert (code, error.splitlines()[-1]) == (
        1,
        "tfqueue: spice is an installed package and was not translated; --also spice translates it",
    )
    assert outcome(capsys, "--also", "spice", "old.py") == (0, "", "")
    write(old="import sys\nsys.path.append('spices/site-packages')\nimport salt\n")
    assert "--also" not in outcome(capsys, "old.py")[2]


def test_a_package_that_no_numpy_of_today_runs_is_translated(place, capsys):
    write({"old/site-packages/imgaug": "import numpy\nkinds = numpy.sctypes['float']\n"})
    write(old="import sys\nsys.path.append('old/site-packages')\nimport imgaug\nprint('done')\n")
    assert outcome(capsys, "old.py") == (0, "done\n", "")


def test_one_verdict_a_program(place, capsys):
    """A sign in one file counts for all; `run`, `check` and `port` agree."""
    write(
        main="import sub.worker as worker\nprint(worker.half(25))\n",
        others={
            "sub/__init__": "",
            "sub/worker": "from .other import size\n\ndef half(n):\n    return n / 2, size\n",
            "sub/other": "size = len([i for i in xrange(5)]) / 2\n",
        },
        apart="print(5 / 2)\n",
    )
    assert outcome(capsys, "main.py") == (0, "(12, 2)\n", "")
    assert check.check("sub/worker.py").python2
    assert not check.check("apart.py").python2
    assert cli.main(["port", "--in-place", "."]) == 0
    assert pathlib.Path("apart.py").read_text() == "print(5 / 2)\n"
    assert "return div(n, 2), size" in pathlib.Path("sub/worker.py").read_text()
    ported = {path: path.read_text() for path in pathlib.Path().rglob("*.py")}
    assert cli.main(["port", "--in-place", "."]) == 0
    assert {path: path.read_text() for path in pathlib.Path().rglob("*.py")} == ported
    done = children.run(["main.py"])
    assert (done.stdout, done.stderr) == ("(12, 2)\n", "")


def test_the_verdict_is_overridden(place, capsys):
    write(old="x = 5\nprint(x / 2)\n")
    assert outcome(capsys, "old.py")[1] == "2.5\n"
    assert outcome(capsys, "--python", "2", "old.py")[1] == "2\n"
    write(new="x = len(range(5)) / 2\nprint(x)\nxrange\n")
    assert outcome(capsys, "new.py")[1] == "2\n"
    assert outcome(capsys, "--python", "3", "new.py")[1] == "2.5\n"


def test_the_evidence_is_printed(place, capsys):
    write(main="import other\nprint(other.x / 2)\n", other="x = 5\nfor i in xrange(x):\n    pass\n")
    assert cli.main(["check", "main.py"]) == 1
    out = capsys.readouterr().out
    assert "main.py: written for Python 2: xrange (other.py:2); any TensorFlow before 2\n" in out
    assert "other.py:2:10: py2-names xrange" in out, "imports that are the user's own are followed"


def test_numbers_that_can_differ_are_not_run_on(place, capsys):
    """What ran as Python 3 before a module showed Python 2 could have been another number."""
    write(
        main="import importlib\nprint(5 / 2)\nimportlib.import_module('la' + 'te')\n",
        late="print 'late'\n",
    )
    code, out, error = outcome(capsys, "main.py")
    assert (code, out) == (1, "2.5\n")
    assert "late.py" in error
    assert "main.py:2 has been run as Python 3" in error
    assert outcome(capsys, "--python", "2", "main.py")[:2] == (0, "2\nlate\n")


def test_an_own_module_with_an_old_name(place, capsys):
    write(
        main="from sub.worker import half\nprint(half(7))\n",
        exceptions="class DataError(Exception): pass\n",
        commands="def go(): return 1\n",
        others={
            "sub/__init__": "",
            "sub/worker": "from exceptions import DataError\nimport commands\n"
            "def half(n): return n / 2, DataError.__name__, commands.go()\n",
        },
    )
    *ended, told = outcome(capsys, "main.py")
    assert ended == [0, "(3.5, 'DataError', 1)\n"]
    assert "worker.py:3: 7 / 2 is 3.5; in Python 2 it is 3." in told


def test_an_own_module_that_the_program_writes(place, capsys):
    write(
        main="with open('exceptions.py', 'w') as f:\n"
        "    f.write('class DataError(Exception): pass\\n')\n"
        "import exceptions\nprint(exceptions.DataError.__name__, 7 / 2)\n",
    )
    *ended, told = outcome(capsys, "main.py")
    assert ended == [0, "DataError 3.5\n"]
    assert "main.py:4: 7 / 2 is 3.5; in Python 2 it is 3." in told
    write(
        old="with open('commands.py', 'w') as f:\n"
        "    f.write('def half(n):\\n    return n / 2\\n')\n"
        "import commands\nprint commands.half(7)\n",
    )
    assert outcome(capsys, "old.py") == (0, "3\n", "")


SPOKEN_OF = {
    "import": "import commands\nprint commands.getoutput('echo hi'), 7 / 2\n",
    "several": "import os, commands as c, Queue\nprint c.getoutput('echo hi'), 7 / 2, Queue.Queue().qsize()\n",
    "from": "from commands import getoutput as out\nprint out('echo hi'), 7 / 2\n",
    "star": "import sys\nfrom commands import *\nprint getoutput('echo hi'), 7 / 2\n",
    "in a function": "def go():\n    find_spec = 1\n    import commands  # why\n"
    "    return commands.getoutput('echo hi')\nprint go(), 7 / 2\n",
}


@pytest.mark.parametrize("how", SPOKEN_OF)
def test_a_module_of_python_2_whose_file_is_only_spoken_of(how, place, capsys):
    """It was taken for one that the program writes, and not found."""
    write(old=f"'commands.py'\n{SPOKEN_OF[how]}")
    printed = "hi 3 0\n" if how == "several" else "hi 3\n"
    assert outcome(capsys, "old.py") == (0, printed, "")
    assert cli.main(["port", "--in-place", "old.py"]) == 0
    text = pathlib.Path("old.py").read_text()
    capsys.readouterr()
    assert outcome(capsys, "old.py") == (0, printed, "")
    assert cli.main(["port", "--in-place", "old.py"]) == 0
    assert pathlib.Path("old.py").read_text() == text, "a second time changes nothing"


@pytest.mark.parametrize("how", SPOKEN_OF)
def test_a_module_that_the_program_writes_however_it_is_imported(how, place, capsys):
    write(
        old="with open('commands.py', 'w') as f:\n"
        "    f.write('def getoutput(n):\\n    return n[:2] + \"!\"\\n')\n"
        f"{SPOKEN_OF[how]}",
    )
    printed = "ec! 3 0\n" if how == "several" else "ec! 3\n"
    assert outcome(capsys, "old.py") == (0, printed, "")
    pathlib.Path("commands.py").unlink()
    assert cli.main(["port", "--in-place", "old.py"]) == 0
    capsys.readouterr()
    assert outcome(capsys, "old.py") == (0, printed, "")


def test_a_module_that_the_program_writes_and_an_import_that_shares_its_line(place, capsys):
    write(
        old="with open('commands.py', 'w') as f:\n    f.write('x = 5')\n"
        "import os; import commands; print commands.x\n"
        "print commands.x / 2; from commands import x\n",
    )
    assert outcome(capsys, "old.py") == (0, "5\n2\n", "")
    assert cli.main(["port", "--in-place", "old.py"]) == 0
    capsys.readouterr()
    assert outcome(capsys, "old.py") == (0, "5\n2\n", "")


def test_a_built_in_module_is_no_file(place, capsys):
    """Neither Python looks for a file of it."""
    built_in = min({*sys.builtin_module_names} - {*sys.modules})
    write(
        old="with open('thread.py', 'w') as f:\n    f.write('x = 5')\n"
        "import thread\nprint hasattr(thread, 'x'), thread.get_ident() > 0\n",
    )
    assert outcome(capsys, "old.py") == (0, "False True\n", "")
    for name in ("old", "new"):
        mark = "print 7 / 2\n" if name == "old" else ""
        write(**{name: f"{mark}import {built_in} as it\nprint(hasattr(it, 'x'))\n"})
    write(**{built_in: "x = 5\n"})
    assert outcome(capsys, "old.py") == (0, "3\nFalse\n", "")
    assert outcome(capsys, "new.py") == (0, "False\n", "")


def test_a_float_where_a_whole_number_is_wanted(place, capsys):
    write(old="n = 198\nx = chr(n / 2)\n")
    code, _, error = outcome(capsys, "old.py")
    assert code == 1
    assert error.splitlines()[-1].startswith("tfqueue: old.py:2: nothing tells whether this is Py")
    assert outcome(capsys, "--python", "2", "old.py") == (0, "", "")


def test_rows_of_an_array_that_map_makes(place, capsys):
    write(
        old="import numpy as np\nrows = [np.zeros(2)]\nrows.append(map(float, ['1', '2']))\n"
        "print(np.array(rows, dtype=np.float32).sum() > 2)\n"
    )
    code, _, error = outcome(capsys, "old.py")
    assert code == 1
    assert error.splitlines()[-1].startswith("tfqueue: old.py:4: nothing tells whether this is Py")
    assert outcome(capsys, "--python", "2", "old.py") == (0, "True\n", "")


def test_text_that_is_decoded_where_nothing_shows_the_python(place, capsys):
    write(old="def f(x):\n    return x.decode('utf-8')\nprint(f('a') == 'a')\n")
    code, _, error = outcome(capsys, "old.py")
    assert code == 1
    assert error.splitlines()[-1].startswith("tfqueue: old.py:2: nothing tells whether this is Py")
    assert outcome(capsys, "--python", "2", "old.py") == (0, "True\n", "")


def test_a_program_whose_stdout_has_no_flush(place, capsys):
    """Python 2 does not flush it at its end."""
    write(
        old="import sys\nclass Shout:\n    def __init__(self, to):\n        self.to = to\n"
        "    def write(self, text):\n        self.to.write(text.upper())\n"
        "sys.stdout = Shout(sys.stdout)\nprint 'a'\n",
    )
    done = children.run(["-m", "tfqueue", "run", "old.py"])
    assert (done.returncode, done.stdout, done.stderr) == (0, "A\n", "")


@pytest.mark.parametrize(
    "error", ["raise TypeError('mine')", "{}['x']", "import nowhere", "None.x", "open('none')"]
)
def test_a_failure_ends_in_its_own_last_line(error, place, capsys):
    """No sentence about something else stands behind it."""
    write(
        old="import os\n\ndef never():\n    import tensorflow.tensorboard\n    return 5 / 2\n"
        f"{error}\n"
    )
    code, _, said = outcome(capsys, "old.py")
    assert code == 1
    assert not said.splitlines()[-1].startswith("tfqueue:")


def test_one_bad_file_does_not_end_a_folder(place, capsys, monkeypatch):
    write(a="print 1\n", b="print 2\n", c="print 3\n")
    from tfqueue.commands import port

    ported = port.port

    def broken(path, **words):
        if path.endswith("b.py"):
            raise AssertionError(f"{path}: broken")
        return ported(path, **words)

    monkeypatch.setattr(port, "port", broken)
    assert cli.main(["port", "--in-place", "."]) == 2
    assert capsys.readouterr().err == "tfqueue: ./b.py: not ported: broken\n"
    assert pathlib.Path("c.py").read_text().endswith("print(3)\n")
    assert pathlib.Path("b.py").read_text() == "print 2\n"


def test_the_first_lines_stay_first(place):
    text = (
        b"#!/usr/bin/env python\n# -*- coding: latin-1 -*-\r\nname = 'Jos\xe9'\r\nprint 5 / n\r\n"
    )
    pathlib.Path("old.py").write_bytes(text.replace(b"\n", b"\r\n").replace(b"\r\r", b"\r"))
    assert cli.main(["port", "--in-place", "old.py"]) == 0
    assert pathlib.Path("old.py").read_bytes() == (
        b"#!/usr/bin/env python\r\n# -*- coding: latin-1 -*-\r\n"
        b"from tfqueue.port.py2 import div, print_statement as print\r\n"
        b"name = 'Jos\xe9'\r\nprint(div(5, n))\r\n"
    )


def test_check_names_what_does_not_exist(place, capsys):
    missing = ("tf.contrib.linalg.NoSuchOperator", "tf.nosuch")
    there = ("tf.nn.relu", "tf.train.batch", "tf.pack", "tf.contrib.slim.conv2d")
    lines = [f"x{n} = {name}\n" for n, name in enumerate(missing + there)]
    write(old="import tensorflow as tf\n" + "".join(lines))
    assert cli.main(["check", "old.py"]) == 2
    said = [line for line in capsys.readouterr().out.splitlines() if "tf-names" in line]
    for name in missing + there:
        assert any(f"{name} does not exist" in line for line in said) == (name in missing), name


def test_check_names_imported_names_that_do_not_exist(place, capsys):
    write(
        old=textwrap.dedent("""
            import tensorflow as tf
            from tensorflow import nosuch, constant
            from tensorflow.contrib import slim, gone
            from tensorflow.contrib.learn.io import other, numpy_input_fn
            from tensorflow.train import QueueRunner, Nobody
            from tensorflow.examples.tutorials.mnist import input_data
            import tensorflow.contrib.none as none, tensorflow.contrib.rnn as rnn
            from tensorflow.contrib.layers import *
            try:
                from tensorflow.contrib import perhaps
            except ImportError:
                perhaps = None
            if hasattr(tf, "later"):
                from tensorflow import later
        """)
    )
    assert cli.main(["check", "old.py"]) == 2
    said = [line for line in capsys.readouterr().out.splitlines() if "tf-names" in line]
    assert [line.split(" exist")[0].removeprefix("old.py:") for line in said] == [
        "3:24: tf-names tf.nosuch does not",
        "4:38: tf-names tf.contrib.gone does not",
        "5:41: tf-names tf.contrib.learn.io.other does not",
        "6:43: tf-names tf.train.Nobody does not",
        "8:8: tf-names tf.contrib.none does not",
    ]


def test_check_names_what_tensorflows_inside_has_lost(place, capsys):
    write(
        old=textwrap.dedent("""
            import tensorflow as tf
            from tensorflow.python.nowhere.inner import head as head_lib
            import tensorflow.python.nowhere as nowhere
            from tensorflow_estimator.python.nowhere import testing
            from tensorflow.python.ops import array_ops, math_ops, no_such_ops
            from tensorflow.python.ops.rnn_cell_impl import _like_rnncell, _SlimRNNCell
            from tensorflow.python.eager.context import in_graph_mode
            from tensorflow.python.ops.nn_ops import *
            try:
                from tensorflow.python.nowhere import perhaps
            except ImportError:
                perhaps = None
        """)
    )
    assert cli.main(["check", "old.py"]) == 2
    said = [line for line in capsys.readouterr().out.splitlines() if "tf-names" in line]
    assert [line.split("tf-names ")[1].split(" exist")[0] for line in said] == [
        "tensorflow.python.nowhere.inner.head does not",
        "tensorflow.python.nowhere does not",
        "tensorflow_estimator.python.nowhere.testing does not",
        "tensorflow.python.ops.no_such_ops does not",
        "tensorflow.python.ops.rnn_cell_impl._SlimRNNCell does not",
    ]


def test_check_binds_methods_and_calls_of_inner_modules(place, capsys):
    write(
        old=textwrap.dedent("""
            import tensorflow as tf
            from tensorflow.contrib.layers.python.layers import layers
            from tensorflow.contrib.slim.python.slim.nets import resnet_utils
            from tensorflow.python.framework import ops
            from tensorflow.python.ops import array_ops, math_ops


            class Model(object):
                def __init__(self, x):
                    self.cell = tf.nn.rnn_cell.BasicLSTMCell(3)
                    self.cell.zero_state(2, tf.float32)
                    self.cell.zero_state(2, tf.float32, 1)
                    tf.train.AdamOptimizer(0.1).minimize(x, step=3)
                    tf.train.AdamOptimizer(0.1).minimize(x, global_step=3)
                    math_ops.reduce_sum(x, keep_dims=True)
                    layers.conv2d(x, 3, [3, 3], activation_fn=None)
                    layers.conv2d(x, 3, 2, kernel=2)
                    ops.convert_to_tensor(x, name="y")
                    ops.convert_to_tensor(x, label="y")
                    array_ops._no_name_of_a_release(x)
                    resnet_utils.resnet_arg_scope(is_training=True)
                    tf.nn.rnn_cell.BasicLSTMCell.zero_state(self.cell, 2, tf.float32)
                    tf.data.Dataset.range(3).range(1, 2, 3).range(1, 2, 3, 4, name="r", other=5)


            saver = tf.train.Saver()
            if saver:
                saver = Model(1)
            saver.save(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
            with tf.Session() as sess:
                sess.run(1, feed={})
                sess.run(1, {})
                sess.run(*[1, 2, 3, 4, 5, 6])
        """)
    )
    assert cli.main(["check", "old.py"]) == 2
    said = [
        line.split("tf-forms ")[1]
        for line in capsys.readouterr().out.splitlines()
        if "no such" in line
    ]
    assert [line.partition(" (can't be helped")[0] for line in said] == [
        f"{name} takes no such call: {why}"
        for name, why in [
            ("tf.nn.rnn_cell.BasicLSTMCell.zero_state", "too many positional arguments"),
            ("tf.train.AdamOptimizer.minimize", "got an unexpected keyword argument 'step'"),
            (
                "tf.contrib.layers.python.layers.layers.conv2d",
                "got an unexpected keyword argument 'kernel'",
            ),
            (
                "tensorflow.python.framework.ops.convert_to_tensor",
                "got an unexpected keyword argument 'label'",
            ),
            ("tf.Session.run", "got an unexpected keyword argument 'feed'"),
        ]
    ]


def test_a_module_of_tensorflow_2_with_the_same_name_is_not_taken(place, capsys):
    """Its names are those of `tf.math` and `tf.strings`, as an attribute gives them."""
    write(
        old=textwrap.dedent("""
            import tensorflow as tf
            from tensorflow.math import reduce_max
            from tensorflow.strings import split
            with tf.Session() as sess:
                print(sess.run(reduce_max([[1, 2], [4, 3]], 1, keep_dims=True)).tolist())
                print(sess.run(split(["a b", "c"])).dense_shape.tolist())
        """)
    )
    assert cli.main(["run", "old.py"]) == 0
    assert capsys.readouterr().out.splitlines() == ["[[2], [4]]", "[2, 2]"]


@pytest.mark.parametrize(
    "how", ["importlib.import_module('tensorflow')", "__import__('tensorflow')"]
)
def test_tensorflow_imported_by_a_call(how, place, capsys):
    write(old=f"import importlib\ntf = {how}\nprint(tf.Session().run(tf.constant(1) + 2))\n")
    assert cli.main(["run", "old.py"]) == 0
    assert capsys.readouterr().out == "3\n"


def test_the_command_line_is_divided_as_python_divides_its_own():
    parser = argparse.ArgumentParser()
    run.add_arguments(parser)
    assert run.divide(parser, ["--also", "a", "--python=2", "x.py", "-m"]) == (
        ["--also", "a", "--python=2", "x.py"],
        ["-m"],
    )


HANGING = """
import signal, sys, threading
threading.Thread(target=threading.Event().wait).start()
print('here', flush=True)
threading.Event().wait()
"""


def test_ctrl_c_ends_a_program_whose_threads_never_end(place):
    write(old=HANGING)
    process = subprocess.Popen(
        [sys.executable, "-m", "tfqueue", "run", "old.py"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "here\n"
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert error.count("Traceback") == 1
    assert error.splitlines()[-1] == "KeyboardInterrupt"


CATCHING = """
import os, signal, time
import tensorflow as tf
with tf.Session() as sess:
    for step in range(3):
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(60)
        except KeyboardInterrupt:
            print("saved", sess.run(tf.constant(step)))
print("end")
"""


def test_a_program_may_catch_every_ctrl_c(place):
    """As in TensorFlow 1.15, where this is printed."""
    write(old=CATCHING)
    done = subprocess.run(
        [sys.executable, "-m", "tfqueue", "run", "old.py"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "saved 0\nsaved 1\nsaved 2\nend\n"
    assert done.returncode == 0
    assert "can't be cancelled" not in done.stderr


STARVING = """\
import tensorflow as tf
queue = tf.FIFOQueue(2, tf.int32, [[]])
sess = tf.Session()
sess.run(queue.enqueue(1))
print sess.run(queue.dequeue())
sess.run(queue.dequeue())
"""


def test_a_program_that_waits_for_ever_is_ended(place):
    write(old=STARVING)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = children.run(["-m", "tfqueue", "run", "old.py"], env=env)
    assert (done.returncode, done.stdout) == (1, "1\n")
    assert done.stderr.startswith("StarvationError: FIFOQueue 'fifo_queue'")


def test_the_verdict_reads_a_text_that_no_file_holds():
    written_for = of_parsed(parse("print 'x'\n"))
    assert (written_for.python2, written_for.why) == (True, ("`print` (<string>:1)",))


def test_classes_are_compared_as_up_to_1_10(place, capsys):
    write(
        old="import tensorflow as tf\n"
        "values = [tf.Variable(1.0), tf.get_variable('g', [2]), tf.constant(1.0), 3]\n"
        "print [type(v) is tf.Variable for v in values]\n"
        "print [v.__class__ in (tf.Tensor, tf.Variable) for v in values]\n"
        "print [type(v).__name__ == 'Tensor' for v in values]\n"
        "print [v.__class__.__name__ == 'Variable' for v in values]\n",
    )
    code, out, _ = outcome(capsys, "old.py")
    assert (code, out.splitlines()) == (
        0,
        [
            "[True, True, False, False]",
            "[True, True, True, False]",
            "[False, False, True, False]",
            "[True, True, False, False]",
        ],
    )


def test_a_program_without_an_extension_is_one_of_its_folder(place, capsys):
    """By its first line; what it imports, and who imports what it does, is judged with it."""
    (place / "bin").mkdir()
    script = "#!/usr/bin/env python\nimport tensorflow as tf\nprint tf.pack([1])\n"
    (place / "bin/train").write_text(script)
    (place / "bin/shell").write_text("#!/bin/sh\necho python\n")
    (place / "bin/data").write_bytes(b"\x89PNG")
    write(lib="import tensorflow as tf\nx = tf.pack([1])\n")
    assert cli.main(["check", "."]) == 1
    assert "2 files: 0 as it is, 2 with changes" in capsys.readouterr().out
    assert cli.main(["port", "--in-place", "."]) == 0
    assert (place / "bin/train").read_text() == (
        "#!/usr/bin/env python\nfrom tfqueue.port.py2 import print_statement as print\n"
        "from tfqueue.release import assume\nimport tfqueue.v1 as tf\nassume('0.12')\nprint(tf.stack([1]))\n"
    )
    assert (place / "bin/shell").read_text() == "#!/bin/sh\necho python\n"


def test_the_compiler_says_nothing_of_old_ways_to_write(place, capsys, recwarn):
    write(main="import part\nx = 'a'\nprint(x is 'a')\n", part="def f(x): return x is 3\n")
    assert outcome(capsys, "main.py") == (0, "True\n", "")
    assert not recwarn.list


def test_check_in_the_folder_of_a_package(place, capsys):
    write(__init__="", other="x = 1\n", main="if 1: import other; print other.x\n")
    assert cli.main(["check", "main.py"]) == 1
    assert "other is a module of this package" in capsys.readouterr().out


@pytest.mark.parametrize("version", ["2.3.1", "3.0.0"])
def test_an_array_that_cannot_be_written_names_the_pandas(tmp_path, monkeypatch, capsys, version):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(__version__=version))
    (tmp_path / "old.py").write_text(
        "import numpy as np\nx = np.zeros(2)\nx.flags.writeable = False\nx[0] = 1\n"
    )
    assert cli.main(["run", "old.py"]) == 1
    said = "old.py:4: an array that pandas 3 gives can't be written"
    assert (said in capsys.readouterr().err) == version.startswith("3")


@pytest.mark.parametrize(
    "shape", ["[3, cell.state_size]", "[batch, cell.state_size]", "(3, 1 * several.state_size)"]
)
def test_a_size_of_a_state_that_is_used_as_a_number_names_the_era(
    tmp_path, monkeypatch, capsys, shape
):
    # as in answers to questions about pictures of 2016: 0.12.1 fails in the same way
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(
        "import tensorflow as tf\nwith tf.Graph().as_default():\n"
        "    cell = tf.nn.rnn_cell.BasicLSTMCell(2)\n"
        "    several = tf.nn.rnn_cell.MultiRNNCell([cell, cell])\n"
        "    batch = tf.shape(tf.zeros([3, 4]))[0]\n"
        f"    print(tf.zeros({shape}).get_shape())\n"
    )
    assert cli.main(["run", "old.py"]) == 1
    said = "tfqueue: old.py:6: up to TensorFlow 0.10 the state of LSTM cells was one tensor, and its size"
    assert said in capsys.readouterr().err
    assert cli.main(["run", "--era", "0.10", "old.py"]) == 0


@pytest.mark.parametrize("told", [True, False])
def test_a_state_that_is_used_as_one_tensor_names_the_era(tmp_path, monkeypatch, capsys, told):
    # as in sketches of strokes of 2016: 1.15.5 fails in the same way, 0.10 does not
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.py").write_text(
        "import tensorflow as tf\nwith tf.Graph().as_default():\n"
        "    cell = tf.nn.rnn_cell.BasicLSTMCell(2)\n"
        "    _, state = cell(tf.zeros([3, 4]), cell.zero_state(3, tf.float32))\n"
        "    print(state.get_shape())\n"
        + ("" if told else "    tf.global_variables_initializer()\n")
    )
    assert cli.main(["run", "old.py"]) == 1
    said = capsys.readouterr().err
    assert ("tfqueue: old.py:5: up to TensorFlow 0.10 the state of LSTM cells" in said) == told
    if told:
        assert cli.main(["run", "--era", "0.10", "old.py"]) == 0
        assert "(3, 4)" in capsys.readouterr().out


# the rates that Adagrad begins with in 1.12.3 and in 1.15.5; _parse_flags went with 1.5
@pytest.mark.parametrize(
    ("option", "more", "rate"),
    [
        (["--era", "1.12"], "", "0.01"),
        (["--era", "1.15"], "", "0.001"),
        ([], "", "0.001"),
        ([], "f = lambda: tf.app.flags.FLAGS._parse_flags()\n", "0.01"),
    ],
)
def test_what_runs_knows_the_release_of_the_program(place, capsys, option, more, rate):
    pytest.importorskip("tf_keras")
    write(
        main="def f():\n    import tensorflow as tf\n    return tf\ntf = f()\n"
        f"{more}print(tf.keras.optimizers.Adagrad().get_config()['learning_rate'])\n"
    )
    assert outcome(capsys, *option, "main.py") == (0, f"{rate}\n", "")


def test_a_library_that_is_translated_too_does_not_tell_its_own(place, capsys, monkeypatch):
    library = place / "installed" / "site-packages"
    library.mkdir(parents=True)
    (library / "layers_of_old.py").write_text(
        "import tensorflow as tf\ndef f():\n    return tf.mul(2, 3), tf.pack([1])\n"
    )
    monkeypatch.syspath_prepend(str(library))
    write(
        main="import layers_of_old\nimport tensorflow as tf\nprint(tf.reverse([1, 2], [*map(bool, [1])]))\n"
    )
    code, _, err = outcome(capsys, "--also", "layers_of_old", "main.py")
    assert code == 1
    assert "tf.reverse takes the dimensions to reverse, not [True]" in err


def test_what_python_deprecates_is_no_concern_of_the_programs_user(place, capsys):
    write(main="import warnings\nwarnings.warn('old', DeprecationWarning)\nprint('on')\n")
    filters = list(warnings.filters)
    assert outcome(capsys, "main.py") == (0, "on\n", "")
    assert warnings.filters == filters


def test_a_user_who_asks_for_warnings_gets_them(place, capsys, monkeypatch):
    monkeypatch.setattr(sys, "warnoptions", ["error"])
    write(main="import warnings\nwarnings.warn('old', DeprecationWarning)\n")
    code, _, error = outcome(capsys, "main.py")
    assert code == 1
    assert "DeprecationWarning: old" in error
