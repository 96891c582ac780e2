"""What is told of a difference between the Pythons: once for each kind in a module, with its line."""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.code import source_lines
from tfqueue.port.differences import python3, telling


def in_module(name, text):
    """Runs lines as a module of this file name."""
    with source_lines.users_lines():
        source_lines.show(name, text)
        exec(compile(text, name, "exec"), {"python3": python3, "telling": telling, "np": np})


def told(text, capsys, name="old.py"):
    in_module(name, text)
    return capsys.readouterr().err


FLAGS = "--python 2 runs it as Python 2, --python 3 says that this is right"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\nx = python3.div(7, 2)\n", "old.py:2: 7 / 2 is 3.5; in Python 2 it is 3."),
        ("x = python3.div(-7, 2)\n", "old.py:1: -7 / 2 is -3.5; in Python 2 it is -4."),
        (
            "x = python3.div(np.arange(3), 2)\n",
            "old.py:1: a division of whole numbers has the remainder in its result; in Python 2 it gives whole numbers.",
        ),
        ("x = python3.divisor(7, 2)\n", "old.py:1: 7 / 2 is 3.5; in Python 2 it is 3."),
        ("x = python3.round(2.5)\n", "old.py:1: round(2.5) is 2; in Python 2 it is 3.0."),
        ("x = python3.round(0.25, 1)\n", "old.py:1: round(0.25, 1) is 0.2; in Python 2 it is 0.3."),
        ("x = python3.round(-0.5)\n", "old.py:1: round(-0.5) is 0; in Python 2 it is -1.0."),
        (
            "x = python3.map(abs, [1])\nif x: pass\n",
            "old.py:2: a map is true, whatever is in it; in Python 2 it is a list.",
        ),
        (
            "x = python3.zip([1])\nlist(x); list(x)\n",
            "old.py:2: a zip is gone through again and is empty; in Python 2 it is a list.",
        ),
        (
            "x = python3.filter(None, [1])\nfor y in x: pass\nfor y in x: pass\n",
            "old.py:3: a filter is gone through again and is empty; in Python 2 it is a list.",
        ),
        (
            "x = python3.map(abs, [1])\ns = str(x)\n",
            "old.py:2: a map is shown without what is in it; in Python 2 it is a list.",
        ),
    ],
)
def test_each_difference_is_told_with_its_line(text, said, capsys):
    err = told(text, capsys)
    assert err.startswith(f"tfqueue: {said} Nothing proves")
    assert err.endswith(f"{FLAGS}\n")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "x = python3.div(6, 2)",
        "x = python3.div(7.0, 2)",
        "x = python3.div(np.array([2, 4]), 2)",
        "x = python3.divisor(6, 2)",
        "x = python3.round(2.6), python3.round(1.5), python3.round(7)",
        "x = python3.round(3.5), python3.round(0.26, 1)",
        "x = list(python3.map(abs, [1]))",
        "x = python3.zip([1]); y = x is None",
    ],
)
def test_what_is_the_same_is_not_told(text, capsys):
    assert told(text, capsys) == ""


@pytest.mark.parametrize("name", ["map", "filter", "zip"])
def test_an_iterator_is_shown_as_python_shows_it(name):
    shown = repr(getattr(python3, name)([1], [1]))
    assert shown.startswith(f"<{name} object at 0x")


def test_a_difference_is_told_once_in_a_module(capsys):
    assert told("x = python3.div(7, 2), python3.div(9, 2)\n", capsys).count("\n") == 1
    assert told("x = python3.div(5, 2)\n", capsys) == ""
    assert "round" in told("x = python3.round(0.5)\n", capsys)
    assert "other.py:1: 5 / 2" in told("x = python3.div(5, 2)\n", capsys, "other.py")
    telling.forget()
    assert "old.py:1: 5 / 2" in told("x = python3.div(5, 2)\n", capsys)


@pytest.mark.parametrize(
    ("python", "said"),
    [
        (3, "7 / 2 is 3.5; in Python 2 it is 3."),
        (2, "7 / 2 is 3; in Python 3 it is 3.5."),
    ],
)
def test_a_division_is_told_by_the_python_that_runs(python, said, capsys):
    text = f"def div(): telling.tell_division(7, 2, {python})\ndiv()\n"
    err = told(text, capsys)
    assert said in err
    assert f"--python {5 - python} runs it as Python {5 - python}, --python {python} says" in err


def test_arrays_are_told_by_the_python_that_runs(capsys):
    err = told("def div(): telling.tell_division(np.arange(2), 2, 2)\ndiv()\n", capsys)
    assert "whole numbers gives whole numbers; in Python 3 it has the remainder" in err


def test_results_are_those_of_python_3(capsys):
    assert [python3.div(7, 2), python3.divisor(7, 2), python3.round(2.5)] == [3.5, 2, 2]
    assert python3.round(0.25, 1) == 0.2
    made = python3.map(abs, [-1])
    assert isinstance(made, map)
    assert [list(made), list(made), bool(made)] == [[1], [], True]
    assert [kind.__name__ for kind in (python3.map, python3.filter, python3.zip)] == [
        "map",
        "filter",
        "zip",
    ]
    capsys.readouterr()


def test_an_older_meaning_is_told_with_the_era(capsys):
    text = "def split(): telling.tell_release('re.split', 'does so')\ndef f(): split()\nf()\n"
    assert told(text, capsys) == (
        "tfqueue: old.py:2: re.split does so, as before Python 3.7; "
        "--era 1.15 runs it as Python has it since\n"
    )


@pytest.mark.parametrize(
    ("left", "right", "leaves"),
    [
        (7, 2, True),
        (8, 2, False),
        (7, 0, False),
        (7, 2.0, False),
        (np.int64(7), 2, True),
        (np.int64(8), 2, False),
        (np.float32(7), 2, False),
        (np.array([1, 2]), np.array([1, 0]), False),
        (np.array([1, 3]), np.array([1, 2]), True),
        ("a", 2, False),
    ],
)
def test_which_divisions_leave_a_remainder(left, right, leaves):
    assert bool(telling.leaves_remainder(left, right)) is leaves


def test_a_tensor_of_whole_numbers_may_leave_one():
    tensor = types.SimpleNamespace(dtype=types.SimpleNamespace(is_integer=True), graph=1)

    class Tensor(types.SimpleNamespace):
        def __mod__(self, other):
            return tensor

    assert telling.leaves_remainder(Tensor(dtype=tensor.dtype), 2) is True
    assert (
        telling.leaves_remainder(Tensor(dtype=types.SimpleNamespace(is_integer=False)), 2) is False
    )


def test_without_numpy_nothing_is_asked_of_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "numpy")
    assert telling.leaves_remainder(True, 2) is True
    assert telling.leaves_remainder(False, 2) is False
