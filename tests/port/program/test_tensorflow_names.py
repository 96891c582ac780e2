"""Which names and calls below `tf` a program asks for, and which of them there are."""

import importlib.util

import pytest

from tfqueue.port.program import tensorflow_names as names
from tfqueue.port.rules import engine

TF = "import tensorflow as tf\n"


def translated(text):
    return engine.translate(text, "program.py")


def asked(text):
    found = translated(text)
    return [row[1:] for row in names.asked(found.module, found.lines)]


def called(text):
    found = translated(text)
    names.asked(found.module, found.lines)
    return [row[1:] for row in names.called(found.module, found.lines)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{TF}x = tf.nn.relu\n", [(2, 5, "tensorflow.nn.relu")]),
        (f"{TF}y = 1; x = tf.nope(1)\n", [(2, 12, "tensorflow.nope")]),
        (f"{TF}tf.mine = 1\nx = tf.mine\n", []),
        (f"{TF}tf.mine = 1\nx = tf.mine.more, tf.mines\n", [(3, 19, "tensorflow.mines")]),
        (f"{TF}try: x = tf.nope\nexcept AttributeError: pass\n", []),
        (f"{TF}if hasattr(tf, 'nope'): x = tf.nope\n", []),
        (f"{TF}x = tf.nope if tf.__version__ < '1' else 2\n", []),
        (f"{TF}if tf.VERSION > '1': x = tf.nope\n", []),
        (f"{TF}if 1: x = tf.nope\n", [(2, 11, "tensorflow.nope")]),
        (
            "from tensorflow import nope, nn as n\n",
            [
                (1, 24, "tensorflow.nope"),
                (1, 30, "tensorflow.nn"),
            ],
        ),
        ("import tensorflow.contrib.nope\n", [(1, 8, "tensorflow.contrib.nope")]),
        ("from tensorflow.contrib import *\n", []),
        ("try: from tensorflow import nope\nexcept ImportError: pass\n", []),
        ("from tensorflow.python.ops import nope\n", [(1, 35, "tensorflow.python.ops.nope")]),
        ("from tensorflow.python.ops import *\n", [(1, 35, "tensorflow.python.ops")]),
        (f"{TF}x = tf.python.ops.nope\n", []),
        ("import numpy\nx = numpy.nope\n", []),
        (f"{TF}x = tf.function(f)\ny = tf.nope\n", []),
        (
            "import tensorflow\nx = tensorflow.core.nope, tensorflow.tools.nope, tensorflow.nope\n",
            [(2, 50, "tensorflow.nope")],
        ),
        (
            f"{TF}import tensorflow.python.ops.nope as n\nx = n.more\n",
            [(2, 8, "tensorflow.python.ops.nope")],
        ),
        (f"{TF}import numpy as np\nx = np.nope, tf.nope\n", [(3, 14, "tensorflow.nope")]),
        (f"{TF}if ready: x = tf.nope\nelse: y = 1\n", [(2, 15, "tensorflow.nope")]),
    ],
)
def test_what_a_program_reads(text, found):
    assert asked(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{TF}tf.nn.relu(1)\n", []),
        (f"{TF}tf.nn.relu(1, features=2)\n", [(2, 1, "tensorflow.nn.relu", (1, ("features",)))]),
        (f"{TF}tf.nn.relu(1, 2, 3, 4)\n", [(2, 1, "tensorflow.nn.relu", (4, ()))]),
        (f"{TF}tf.nn.relu(nope=2)\n", [(2, 1, "tensorflow.nn.relu", (0, ("nope",)))]),
        (f"{TF}tf.nn.relu(*a, nope=2)\n", []),
        (f"{TF}tf.nn.relu(nope=2, **a)\n", []),
        (f"{TF}relu(1, 2, 3, 4)\n", []),
        (f"{TF}try: tf.nn.relu(nope=2)\nexcept TypeError: pass\n", []),
        (f"{TF}try: tf.nn.relu(nope=2)\nexcept: pass\n", []),
        (
            f"{TF}try: tf.nn.relu(nope=2)\nexcept OSError: pass\n",
            [
                (2, 6, "tensorflow.nn.relu", (0, ("nope",))),
            ],
        ),
        (f"{TF}if tf.__version__ > '1': tf.nn.relu(nope=2)\n", []),
        (f"{TF}tf.function(f)\ntf.nn.relu(nope=2)\n", []),
        (f"{TF}tf.nope(1, 2)\n", []),
        (
            f"{TF}f(1)\ntf.nn.relu(1)\ntf.nn.relu(nope=2)\n",
            [(4, 1, "tensorflow.nn.relu", (0, ("nope",)))],
        ),
        (
            f"{TF}s = tf.train.Saver()\ns.restore(1, 2)\ns.restore(1, 2, 3)\n",
            [(4, 1, "tensorflow.train.Saver.restore", (4, ()))],
        ),
        (
            f"{TF}s = tf.train.Saver()\ns.restore()\n",
            [(3, 1, "tensorflow.train.Saver.restore", (1, ()))],
        ),
    ],
)
def test_calls_that_1_15_would_not_take(text, found):
    assert called(text) == found


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("tensorflow.nn", True),
        ("tensorflow.nn.relu", True),
        ("tensorflow.nn.nope", False),
        ("tensorflow.nope", False),
        ("tensorflow.nope.relu", False),
        ("tensorflow.Session", True),
        ("tensorflow.Session.anything", True),
        ("tensorflow.nn.relu.nope", False),
        ("tensorflow.float32.name", False),
        ("tensorflow.pack", True),
        ("tensorflow.train.batch", True),
        ("tensorflow.python.ops", True),
        ("tensorflow.python.ops.array_ops", True),
        ("tensorflow.python.ops.array_ops.concat", True),
        ("tensorflow.python.ops.array_ops.nope_at_all", False),
        ("tensorflow.python.nope.more", False),
        ("tensorflow.contrib.nope", False),
        ("tensorflow.python.nope", False),
        ("tensorflow.python.ops.nope.more", False),
    ],
)
def test_what_the_files_of_tensorflow_show(name, there):
    assert names._is_there(name) == there


def test_what_is_gone_and_moved_is_looked_up():
    both = [name for name in names.moved.BY_OLD_NAME if name in names.gone.BY_NAME]
    assert all(not names._is_there(f"tensorflow.{name}") for name in both)


def test_where_tensorflow_is_not_installed_nothing_is_missing(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    names._folder.cache_clear()
    try:
        assert names._folder() is None
        assert names._is_inside("tensorflow.python.nope")
        assert names.missing(["tensorflow.nope"]) == ({}, {})
    finally:
        names._folder.cache_clear()
    assert names._bound("no/such/folder") == frozenset()


def test_what_is_missing_is_told_by_a_process(asks_a_new_interpreter):
    relu = ("a.py", 1, 1, "tensorflow.nn.relu", (1, ("features",)))
    softmax = ("a.py", 2, 1, "tensorflow.nn.softmax", (2, ()))
    asked_for = ["tensorflow.train.batches", "tensorflow.nn.relu", "tensorflow.contrib.timeseries"]
    gone, refused = names.missing(asked_for, [relu, softmax])
    assert gone.pop("tensorflow.train.batches") == "tf.train has no batches"
    ((name, said),) = gone.items()
    assert name == "tensorflow.contrib.timeseries"
    assert "tf.contrib.timeseries is gone" in said
    assert refused == {relu: "multiple values for argument 'features'"}
    assert names.missing(["tensorflow.nn.relu"]) == ({}, {})


def test_without_an_answer_of_the_process_nothing_is_missing(asks_a_new_interpreter, monkeypatch):
    monkeypatch.setattr(names.sys, "executable", "/bin/false")
    assert names.missing(["tensorflow.train.batches"]) == ({}, {})
