"""`tfqueue check` says once what is the matter with a name."""

import json
import pathlib

import pytest

from tests.suite import children
from tfqueue import cli


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("tf.nope(1)", "tf.nope does not exist"),
        ("tf.contrib.foo.bar(2)", "tf.contrib.foo.bar does not exist"),
        ("tf.contrib.boosted_trees.dataset.x(1)", "tf.contrib.boosted_trees is gone"),
        ("tf.nope.more(1)", "tf.nope.more does not exist"),
    ],
)
def test_one_name(tmp_path, capsys, line, said):
    (tmp_path / "old.py").write_text(f"import tensorflow as tf\n{line}\n")
    assert cli.main(["check", "--json", str(tmp_path / "old.py")]) == 2
    (file,) = json.loads(capsys.readouterr().out)["files"]
    found = [each["message"] for each in file["findings"] if each["line"] == 2]
    assert len(found) == 1
    assert found[0].startswith(said)


def findings(path, capsys, *options):
    code = cli.main(["check", "--json", *options, str(path)])
    (file,) = json.loads(capsys.readouterr().out)["files"]
    return code, [(each["line"], each["message"]) for each in file["findings"] if each["helpless"]]


def test_a_call_is_bound_against_the_forms_of_all_releases(tmp_path, capsys):
    """Each line that runs today is in the form of some release; the others are a TypeError."""
    lines = {
        "import tensorflow as tf": None,
        "x = tf.ones([2])": None,
        "tf.nn.softmax(x, 'prob')": None,
        "tf.reduce_sum(x, reduction_indices=0, keep_dims=True)": None,
        "tf.app.flags.DEFINE_string(flag_name='a', default_value='b', docstring='c')": None,
        "tf.nn.relu(x, 'relu', 3)": "tf.nn.relu takes no such call: too many positional arguments",
        "tf.train.Saver(max_keep=3)": "tf.train.Saver takes no such call: "
        "got an unexpected keyword argument 'max_keep'",
        "tf.layers.dense(x, units=3, use_biases=True)": "tf.layers.dense takes no such call: "
        "got an unexpected keyword argument 'use_biases'",
        "from tensorflow.contrib import slim": None,
        "from tensorflow.contrib.layers.python.layers.layers import conv2d": None,
        "with slim.arg_scope([slim.conv2d], kernel_size=3): slim.conv2d(x, 16, stride=2)": None,
        "conv2d(x, stride=2)": None,  # the scope may stand where this is called
        "slim.l2_regularizer()": "tf.contrib.slim.l2_regularizer takes no such call: "
        "missing a required argument: 'scale'",
        "slim.conv2d(x, 16, strides=2)": "tf.contrib.slim.conv2d takes no such call: "
        "got an unexpected keyword argument 'strides'",
        "tf.nn.relu(*[x, 'relu', 3])": None,
        "try: tf.nn.relu(x, 'relu', 3)\nexcept TypeError: pass": None,
    }
    path = tmp_path / "old.py"
    path.write_text("\n".join(lines))
    code, found = findings(path, capsys)
    said = [(number, why) for number, why in enumerate(lines.values(), 1) if why]
    assert (code, found) == (2, said)


def test_what_a_name_was_bound_to_again_is_looked_up(tmp_path, capsys):
    (tmp_path / "old.py").write_text(
        "import tensorflow as tf\nfrom tensorflow.python.ops import rnn_cell_impl\n"
        "zero = rnn_cell_impl._zero_state_tensors\nprint(zero, rnn_cell_impl._like_rnncell)\n"
        "rnn_cell_impl._nothing\n"
    )
    _, found = findings(tmp_path / "old.py", capsys)
    assert [line for line, _ in found] == [5]


def test_a_placeholder_as_a_condition(tmp_path, capsys):
    path = tmp_path / "old.py"
    path.write_text(
        "import tensorflow as tf\nx, given = tf.placeholder(tf.bool), True\ny = tf.placeholder(tf.bool)\n"
        "if given: pass\nif y: pass\nif not y: pass\nif y is not None: pass\n"
    )
    assert [line for line, _ in findings(path, capsys)[1]] == [5, 6]
    assert findings(path, capsys, "--era", "0.7") == (1, [])


def test_the_modules_that_a_notebook_imports(tmp_path, capsys):
    cells = ["import tensorflow as tf\nimport near\n", "from inner import far\n"]
    book = {
        "cells": [
            {"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    (tmp_path / "old.ipynb").write_text(json.dumps(book))
    (tmp_path / "near.py").write_text("import tensorflow as tf\ntf.nope(1)\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "__init__.py").write_text("")
    (tmp_path / "inner" / "far.py").write_text("x = (\n")
    assert cli.main(["check", str(tmp_path / "old.ipynb")]) == 2
    out, error = capsys.readouterr()
    assert "near.py:2:1: tf-names tf.nope does not exist" in out
    assert "far.py:" in error
    assert "can't be parsed" in error
    assert out.splitlines()[-1].endswith("1 with what can't be helped, 1 can't be read")


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("def f(x):\n    if x:\n        continue\n", 3, "'continue' not properly in loop"),
        ("print 1\nbreak\n", 2, "'break' outside loop"),
        ("if 1:\n    return 2\n", 2, "'return' outside function"),
        ("def f():\n    a = 1\n    global a\n", 3, "name 'a' is assigned to before global"),
        ("def f():\n    print a\n    global a\n", 3, "name 'a' is used prior to global"),
        ("def f(x):\n    return [(yield i) for i in x]\n", 2, "'yield' inside list comprehension"),
        (
            "import os\nfrom __future__ import division\n",
            2,
            "from __future__ imports must occur at",
        ),
        (
            "from __future__ import divisions\nprint 1\n",
            1,
            "future feature divisions is not defined",
        ),
    ],
)
def test_what_cannot_be_compiled_is_told(tmp_path, capsys, text, line, why):
    (tmp_path / "old.py").write_text("import tensorflow as tf\nimport near\n")
    (tmp_path / "near.py").write_text(text)
    assert cli.main(["check", str(tmp_path / "old.py")]) == 2
    assert f"near.py:{line}: it can't be compiled: {why}" in capsys.readouterr().err


def test_a_module_that_two_programs_import_is_told_once(tmp_path, capsys):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("import tensorflow as tf\nimport shared\n")
    (tmp_path / "shared.py").write_text("import tensorflow as tf\nimport shared\ntf.nope(1)\n")
    programs = [str(tmp_path / f"{name}.py") for name in ("one", "two")]
    assert cli.main(["check", "--json", *programs]) == 2
    files = json.loads(capsys.readouterr().out)["files"]
    assert [pathlib.Path(file["path"]).name for file in files] == ["one.py", "two.py", "shared.py"]


def test_a_module_is_judged_with_the_program_that_imports_it(tmp_path, capsys):
    (tmp_path / "train.py").write_text("from __future__ import print_function\nimport data\n")
    (tmp_path / "data.py").write_text("def show(x):\n    print(str(x))\n")
    (tmp_path / "decode.py").write_text("import data\nraw_input()\n")  # another program, Python 2
    assert cli.main(["check", "--json", str(tmp_path / "train.py")]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [file["python2"] for file in files] == [False, False]


def test_it_says_whether_the_program_gets_to_what_cannot_be_helped(tmp_path, capsys):
    path = tmp_path / "old.py"
    path.write_text(
        "import tensorflow as tf\n"
        "from tensorflow.contrib import boosted_trees\n"
        "def build(flags):\n"
        "    if flags.gpus > 1:\n"
        "        return tf.contrib.nccl.all_sum(flags)\n"
        "    return tf.nope()\n"
        "class Model(object):\n"
        "    def loss(self):\n"
        "        return boosted_trees.x(tf.nope())\n"
        "try:\n"
        "    from tensorflow.contrib import timeseries\n"
        "except ImportError:\n"
        "    timeseries = None\n"
        "build(tf.flags.FLAGS)\n"
    )
    assert cli.main(["check", str(path)]) == 2
    said = [line.split(":") for line in capsys.readouterr().out.splitlines() if "helped" in line]
    ends = {int(line[1]): line[-1].rpartition(" (can't")[2] for line in said[:-1]}
    assert ends == {
        2: " be helped)",
        5: " it stops if it gets to this line)",
        6: " it stops if it gets to this line)",
        9: " it stops if it gets to this line)",
    }
    cli.main(["check", "--json", str(path)])
    (file,) = json.loads(capsys.readouterr().out)["files"]
    found = {each["line"]: each["reached"] for each in file["findings"] if each["helpless"]}
    assert found == {2: True, 5: False, 6: False, 9: False}


IGNORING = """
import multiprocessing, signal
from tfqueue.commands import check
context = multiprocessing.get_context("spawn")
with check._ignoring_interrupts(context):
    context.Lock()
    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


def test_processes_ignore_ctrl_c_though_a_lock_of_theirs_is_the_first():
    """The first lock starts a process of Python's own, behind which Ctrl-C is let through again."""
    done = children.run(["-c", IGNORING])
    assert done.stdout.split() == ["True", "False"], done.stderr
