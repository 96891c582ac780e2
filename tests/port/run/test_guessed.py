"""Which Python a program is for: proof, and what is told where there is none.

The values of both Pythons are those of Python 2.7.18 and 3.11.
"""

import json
import pathlib

import pytest

from tests.suite import children
from tfqueue import cli
from tfqueue.port.program.written_for import of_file

MAIN = "if __name__ == '__main__':\n  main(0)\n"
MAIN_OF_TF = "if __name__ == '__main__':\n  tf.app.run()\n"
HALF = "def half(n): return n / 2\n"
SUPER = "class A(object): pass\nclass B(A):\n    def __init__(self): super().__init__()\nB()\n"


def write(folder, files):
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def ran(tmp_path, monkeypatch, capsys):
    """Writes files, runs main.py; gives the exit code, what is printed, and what is said."""
    monkeypatch.chdir(tmp_path)

    def run(*options, **files):
        write(tmp_path, files)
        code = cli.main(["run", *options, "main.py"])
        return code, *capsys.readouterr()

    return run


# the files, whether it is Python 2, and whether that is proof
VERDICTS = {
    "super() in main beside unicode in a library": (
        {"main": f"import lib\n{SUPER}", "lib": "def t(x): return type(x) == unicode\n"},
        False,
        True,
    ),
    "nonlocal in a module": (
        {
            "main": "import lib, names\n",
            "lib": "def f():\n  x = 1\n  def g():\n    nonlocal x\n",
            "names": "xrange(3)\n",
        },
        False,
        True,
    ),
    "a print statement in another program that shares a module": (
        {"main": f"import lib\n{SUPER}", "lib": HALF, "older": "import lib\nprint 'old'\n"},
        False,
        True,
    ),
    "a print statement in a module": ({"main": "import lib\n", "lib": "print 1\n"}, True, True),
    "a print statement beside a library with an f-string": (
        {"main": "import lib\nprint 1\n", "lib": "x = 1\ny = f'{x}'\n"},
        True,
        True,
    ),
    "a module that only Python 2 has": ({"main": "import cPickle\n"}, True, True),
    "the same behind try": (
        {"main": "try: import cPickle\nexcept ImportError: import pickle\n"},
        False,
        False,
    ),
    "the same, and the program's own": (
        {"main": "import Queue\n", "Queue": "x = 1\n"},
        False,
        False,
    ),
    "a neighbour by its bare name": (
        {
            "main": "from models import net\n",
            "models/__init__": "",
            "models/base": "N = 2\n",
            "models/net": "from base import N\n",
        },
        True,
        True,
    ),
    "the same as a dotted name": (
        {
            "main": "import a.b\n",
            "a/__init__": "",
            "a/b": "import c.d as d\n",
            "a/c/__init__": "",
            "a/c/d": "",
        },
        True,
        True,
    ),
    "the same, in a folder that the program adds": (
        {
            "main": "import sys\nsys.path.append('models')\nfrom models import net\n",
            "models/__init__": "",
            "models/base": "N = 2\n",
            "models/net": "from base import N\n",
        },
        False,
        False,
    ),
    "names": ({"main": "for i in xrange(3): pass\n"}, True, True),
    "names in a function that nothing calls": (
        {"main": "def f():\n  for i in xrange(3): pass\n"},
        True,
        False,
    ),
    "names in a function that the program calls": (
        {"main": f"def main(_):\n  train(3)\ndef train(n):\n  return n * unicode(n)\n{MAIN}"},
        True,
        True,
    ),
    "names in what tf.app.run calls": (
        {"main": f"import tensorflow as tf\ndef main(_): raw_input()\n{MAIN_OF_TF}"},
        True,
        True,
    ),
    "names in a class that the program makes": (
        {"main": "class A:\n  def __init__(self, d): d.iteritems()\na = A({})\n"},
        True,
        True,
    ),
    "names in a method": (
        {"main": "class A:\n  def f(self, d): d.iteritems()\na = A()\n"},
        True,
        False,
    ),
    "names in a function that may return before": (
        {"main": "def f(x):\n  if x: return\n  return unicode(x)\nf(1)\n"},
        True,
        False,
    ),
    "names behind an if": ({"main": "import sys\nif sys.argv[1:]: xrange(3)\n"}, True, False),
    "names in a loop that is left before": (
        {"main": "for i in (1, 2):\n  if i: continue\n  unicode(i)\n"},
        True,
        False,
    ),
    "names in a module that the program imports": (
        {"main": f"import lib\n{HALF}", "lib": "N = map(str, xrange(3))\n"},
        True,
        True,
    ),
    "names below __main__ of a module that the program imports": (
        {"main": f"import lib\n{HALF}", "lib": "if __name__ == '__main__': xrange(3)\n"},
        True,
        False,
    ),
    "names in a module that is imported behind an if": (
        {"main": f"{HALF}if half(1):\n  import lib\n", "lib": "xrange(3)\n"},
        True,
        False,
    ),
    "a quotient as a dimension, which TensorFlow took": (
        {"main": "import tensorflow as tf\nn = 8\ntf.placeholder(tf.float32, [None, n / 2])\n"},
        True,
        False,
    ),
    "names in a module that is not imported": (
        {"main": "import lib\n", "lib": HALF, "other": "import lib\nfor i in xrange(3): pass\n"},
        False,
        False,
    ),
    "names behind an or": (
        {"main": "def t(x): return type(x) == str or type(x) == unicode\n"},
        False,
        False,
    ),
    "nothing": ({"main": "print(7 / 2)\n"}, False, False),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_what_it_is_written_for(name, tmp_path, monkeypatch):
    files, python2, proven = VERDICTS[name]
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    written_for = of_file("main.py")
    assert (written_for.python2, written_for.proven) == (python2, proven), written_for
    assert ("a guess" in str(written_for)) is not proven


# a program of neither Python, what it prints as Python 3, and what is told with the line
TOLD = {
    "/": ("x = 7\nprint(x / 2)\n", "3.5\n", "main.py:2: 7 / 2 is 3.5; in Python 2 it is 3."),
    "negative": ("print(-7 / 2)\n", "-3.5\n", "main.py:1: -7 / 2 is -3.5; in Python 2 it is -4."),
    "/=": ("x = 7\nx /= 2\nprint(x)\n", "3.5\n", "main.py:2: 7 / 2 is 3.5; in Python 2 it is 3."),
    "an item /=": ("x = [7]\nx[0] /= 2\nprint(x)\n", "[3.5]\n", "main.py:2: 7 / 2"),
    "an array": (
        "import numpy as np\nprint((np.arange(3) / 2).tolist())\n",
        "[0.0, 0.5, 1.0]\n",
        "main.py:2: a division of whole numbers",
    ),
    "numpy's numbers": (
        "import numpy as np\nprint(float(np.int32(3) / 2))\n",
        "1.5\n",
        "main.py:2: a div",
    ),
    "round": ("print(round(2.5))\n", "2\n", "main.py:1: round(2.5) is 2; in Python 2 it is 3.0."),
    "round to digits": (
        "print(round(0.125, 2))\n",
        "0.12\n",
        "round(0.125, 2) is 0.12; in Python 2 it is 0.13.",
    ),
    "map again": (
        "m = map(int, '12')\nprint(sum(m), sum(m))\n",
        "3 0\n",
        "main.py:2: a map is gone through again and is empty; in Python 2 it is a list.",
    ),
    "zip again": (
        "z = zip('ab', 'cd')\nfor i in (1, 2):\n  for a, b in z: print(i, a)\n",
        "1 a\n1 b\n",
        "main.py:3: a zip",
    ),
    "an empty filter": (
        "f = filter(None, [])\nprint(3 if f else 4)\n",
        "3\n",
        "main.py:2: a filter is true",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_a_difference_is_told_when_it_happens(name, ran):
    text, printed, told = TOLD[name]
    code, out, error = ran(main=text)
    assert (code, out) == (0, printed)
    assert told in error
    assert error.count("\n") == 1
    assert "--python 2" in error
    assert ran("--python", "3", main=text) == (0, printed, "")
    assert ran(main=f"{SUPER}{text}") == (0, printed, ""), "it is proven"


NEVER = "def never(): return unicode(1)\n"
# a program that only a name it never runs makes one of Python 2: what that prints, and what is told
TOLD_OF_PYTHON2 = {
    "/": ("x = 7\nprint(x / 2)\n", "3\n", "main.py:3: 7 / 2 is 3; in Python 3 it is 3.5."),
    "seen to be whole": (
        "print(len('abc') / 2)\n",
        "1\n",
        "main.py:2: 3 / 2 is 1; in Python 3 it is 1.5.",
    ),
    "/=": ("x = 7\nx /= 2\nprint(x)\n", "3\n", "main.py:3: 7 / 2 is 3; in Python 3 it is 3.5."),
    "an item /=": (
        "f = lambda: 0\nx = [-7]\nx[f()] /= 2\nprint(x)\n",
        "[-4]\n",
        "main.py:4: -7 / 2 is -4;",
    ),
    "an array": (
        "import numpy as np\nprint((np.arange(3) / 2).tolist())\n",
        "[0, 0, 1]\n",
        "main.py:3: a division of whole numbers gives whole numbers;",
    ),
    "numpy.divide": (
        "import numpy as np\nprint(np.divide([7], 2).tolist())\n",
        "[3]\n",
        "main.py:3: a division of whole numbers gives whole numbers;",
    ),
    "round": ("print(round(2.5))\n", "3.0\n", "main.py:2: round(2.5) is 3.0; in Python 3 it is 2."),
    "round to digits": (
        "print(round(0.125, 2))\n",
        "0.13\n",
        "round(0.125, 2) is 0.13; in Python 3 it is 0.12.",
    ),
    "print": (
        "print('a', 3)\n",
        "('a', 3)\n",
        "main.py:2: print(...) with several values in its brackets shows a tuple; in Python 3 it",
    ),
    "print()": (
        "print()\n",
        "()\n",
        "main.py:2: print() shows a tuple; in Python 3 it shows nothing",
    ),
}


def test_names_of_variables_that_another_release_gave_are_told_before_the_program_runs(ran):
    text = (
        "import tensorflow as tf\n"
        "class Variable: name = 'cell/kernel:0'\n"
        "print('Bias' in Variable.name)\n"
        "print('Matrix' in Variable.name)\n"
    )
    code, out, error = ran(main=text)
    assert (code, out) == (0, "False\nFalse\n")
    assert "main.py:3: up to TensorFlow 0.12 cells called their variables" in error
    assert error.count("\n") == 1
    assert ran("--era", "1.4", main=text) == (code, out, "")
    assert ran("--era", "0.12", main=text) == (code, out, "")


@pytest.mark.parametrize("name", TOLD_OF_PYTHON2)
def test_a_difference_of_python3_is_told_when_it_happens(name, ran):
    text, printed, told = TOLD_OF_PYTHON2[name]
    code, out, error = ran(main=NEVER + text)
    assert (code, out) == (0, printed)
    assert told in error
    assert error.count("\n") == 1
    assert "--python 3 runs it as Python 3, --python 2 says that this is right" in error
    assert ran("--python", "2", main=NEVER + text) == (0, printed, "")
    assert ran(main=f"{NEVER}{text}never()\n") == (0, printed, ""), "it is proven"


@pytest.mark.parametrize(
    "text",
    [
        "from __future__ import division\nprint(7 / 2)\n",
        "print(7 / 2.0)\nprint(8 / 2)\nprint(round(2.6))\nprint((1, 2))\n",
        "print(7 // 2)\nx = 7\nx //= 2\n",
        "from __future__ import print_function\nprint('a', 3)\n",
        "import numpy as np\nprint(np.arange(4) * 2 / 2)\nprint(np.ones(2) / 2)\n",
    ],
)
def test_where_python3_agrees_nothing_is_told(text, ran):
    lines = text.splitlines(keepends=True)
    at = 1 if lines[0].startswith("from __future__") else 0
    code, _, error = ran(main="".join([*lines[:at], NEVER, *lines[at:]]))
    assert (code, error) == (0, "")


def test_each_kind_is_told_once_in_each_module(ran):
    lib = "def half(n): return n / 2\nhalf(5)\nhalf(7)\n"
    for more in ("", NEVER):
        code, _, error = ran(main=f"import lib\n{more}lib.half(9)\nprint(9 / 2)\n", lib=lib)
        assert code == 0
        assert [line.split(": ")[1] for line in error.splitlines()] == [
            "lib.py:1",
            f"main.py:{4 if more else 3}",
        ]


@pytest.mark.parametrize(
    "text",
    [
        "from __future__ import division\nprint(7 / 2)\n",
        "print(7 / 2.0, 8 / 2, round(2.6), round(2))\n",
        "for a, b in zip('ab', 'cd'): print(a)\nprint(list(map(int, '12')))\n",
        "m = map(int, '12')\nnext(m)\nfor x in m: print(x)\n",
        "round = int\nmap = list\nprint(round(2.5), map('a'), map('a'))\n",
        "import numpy as np\nprint(np.arange(4) * 2 / 2, np.ones(2) / 2)\n",
    ],
)
def test_where_the_pythons_agree_nothing_is_told(text, ran):
    code, _, error = ran(main=text)
    assert (code, error) == (0, "")


def test_each_kind_is_told_once_in_each_run(ran):
    text = "for i in range(5): print(i / 2, round(i + 0.5))\nprint(7 / 2)\n"
    for _ in range(2):
        _, _, error = ran(main=text)
        assert error.count("tfqueue:") == 2


@pytest.mark.parametrize(
    "text",
    [
        "k = (lambda: {1: 2}.keys())\nprint(k()[0])\n",
        "k = [{1: 2}.keys()]\nk[0].sort()\n",
        "k = (lambda: {1: 2}.items())\nk() + [1]\n",
        "r = (lambda: range(3))\nr()[0] = 1\n",
        "m = (lambda: map(int, '12'))\nprint(m()[0])\n",
    ],
)
def test_a_list_that_is_none_is_explained(text, ran):
    code, _, error = ran(main=text)
    assert code == 1
    assert error.splitlines()[-1].startswith("tfqueue: main.py:")
    assert "run with --python 2 if it is" in error
    assert "tfqueue:" not in ran(main=f"{SUPER}{text}")[2], "it is proven"


def test_an_error_in_a_thread_is_explained_once(tmp_path):
    (tmp_path / "old.py").write_text(
        "import threading\n\n\ndef work():\n    keys = {1: 2}.keys()\n    keys.sort()\n\n\n"
        "threads = [threading.Thread(target=work) for _ in range(3)]\n"
        "for thread in threads:\n    thread.start()\n"
        "for thread in threads:\n    thread.join()\n"
        "print('done')\n"
    )
    done = children.run(["-m", "tfqueue", "run", "old.py"], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "done\n")
    assert done.stderr.count("has no attribute 'sort'") == 3
    assert done.stderr.count("tfqueue: old.py:6: nothing tells whether this is Python 2") == 1


def test_in_a_notebook_the_cell_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cells = [
        {"cell_type": "code", "source": source, "outputs": [], "metadata": {}}
        for source in ("def half(n):\n    return n / 2", "print(half(7))")
    ]
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 2}
    pathlib.Path("nb.ipynb").write_text(json.dumps(document))
    assert cli.main(["run", "nb.ipynb"]) == 0
    out, error = capsys.readouterr()
    assert out == "3.5\n"
    assert "nb.ipynb[1]:2: 7 / 2 is 3.5; in Python 2 it is 3." in error
