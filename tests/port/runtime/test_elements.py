"""Arrays of one element that are put into elements of others; values of numpy 1.18 under Python 3.7."""

import collections
import textwrap

import numpy as np
import pytest

from tests.port.rules.test_rules import alone
from tfqueue.port import runtime
from tfqueue.port.rules import engine

HEAD = "import numpy as np\nimport tensorflow as tf\na = np.zeros((2, 2))\n"


def made(text):
    """What the names of a program hold after it was run through the rules."""
    names = {}
    exec(compile(engine.translate(f"{HEAD}{text}", "p.py").text, "p.py", "exec"), names)
    return names


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("b = np.array([1.5])\na[0, 1] = b", [0, 1.5]),
        ("b = np.array([[1.5]])\na[0][1] = max([b, b])", [0, 1.5]),
        ("b = np.array([0.1], np.float32)\na[0, 1] += b\na[0, 0] -= b * 2", [-0.2, 0.1]),
        ("b = np.array([3.0])\na[0, 1] = 2.0\na[0, 1] **= b", [0, 8]),
        ("b = np.array([3.0])\na[0] = b", [3, 3]),
        ("b = np.array([3.0])\na[0] += b", [3, 3]),
        ("b = np.ones((1, 1)) * 2.5\na[0, 1] = b", [0, 2.5]),
        ("a = np.zeros((1, 2), np.int8)\nb = np.array([200])\na[0, 1] = b", [0, -56]),
        ("a = np.zeros((1, 2), np.uint8)\nb = np.array([-1])\na[0, 1] = b", [0, 255]),
        ("a = np.zeros((1, 2), int)\nb = np.array([2.7])\na[0, 1] = b", [0, 2]),
        ("a = np.zeros((1, 2), complex)\nb = np.array([1j])\na[0, 1] = b", [0, 1j]),
        ("b = np.array(['1.5'])\na[0, 1] = b", [0, 1.5]),
    ],
)
def test_the_element_of_an_array_of_one(text, row):
    assert np.allclose(made(text)["a"][0], row, rtol=1e-6)


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("a[0, 0], k, a[0, 1] = f()", [1.5, 2.5]),
        ("[a[0, 0], a[0, 1]] = (np.array([n]) for n in (1, 2))", [1, 2]),
        ("a[0, 0], k = np.array([4.]), 2", [4, 0]),
        ("k, a = np.zeros((1, 2)), np.ones((1, 2))", [1, 1]),
    ],
)
def test_several_are_put_at_once(line, row):
    of = "def f():\n    return np.array([1.5]), np.array([2]), np.array([[2.5]])\n"
    found = made(f"{of}{line}\n")
    assert found["a"][0].tolist() == row
    assert not line.endswith("f()") or found["k"].tolist() == [2], "no element of an array"


def test_as_many_as_there_are():
    for values in ("[1, 2, 3]", "[1]"):
        with pytest.raises(ValueError, match="values to unpack"):
            made(f"v = {values}\na[0, 0], a[0, 1] = v")


def test_a_sum_is_rounded_as_its_array_was():
    single = np.float32(1 / 3)
    given = made("a[0, 1] = 0.1\nb = np.array([1 / 3], np.float32)\na[0, 1] += b\n")["a"][0, 1]
    assert given == np.float32(0.1) + single != 0.1 + np.float64(single)


def test_what_holds_any_object_keeps_the_array():
    one = np.array([1.5])
    for held in (np.empty(2, object), [None, None], {}):
        assert runtime.element(one, held) is one
    assert runtime.element([1.5], np.zeros(2)) == [1.5], "a list failed in numpy 1, too"
    for refused in ("np.ones(2)", "np.array([1j])", "[1.5]"):
        with pytest.raises((ValueError, TypeError)):
            made(f"b = {refused}\na[0, 1] = b")
    with pytest.raises(ValueError):
        made("b = np.array([np.nan])\na = np.zeros((1, 2), int)\na[0, 1] = b")


def test_an_attribute_is_followed():
    text = textwrap.dedent(
        """\
        class Table:
            def __init__(self):
                self.q = np.zeros(3)

            def put(self, state, value):
                self.q[state] = value
        table = Table()
        table.put(1, np.array([2.5]))
        """
    )
    assert made(text)["table"].q.tolist() == [0, 2.5, 0]


@pytest.mark.parametrize(
    "line",
    [
        "a[0, 1] = 3",
        "a[0, 1] = -1.5 * len(x) + float(y)",
        "for i in range(3): a[i, 0] = i",
        "for i, y in enumerate(x): a[i, 0] = 2 * i",
        "a[0, 1] = np.sum(x)",
        "a[0, 1] = np.mean(x) - math.sqrt(2)",
        "n = 4\na[0, 1] = n",
        "a[:, 1] = x",
        "a[[0, 1]] = x",
        "a[a > 0] = x",
        "a[..., 0] = x",
        "a[f()] = x",
        "a[0, 1] /= 2",
        "b['k'] = x",
        "b = {}\nb[0] = x",
        "a = x",
        "a[0, 1] = b = x",
        "a[0, 1], *b = x",
        "a, a[0, 1] = x",
        "b, c = x",
    ],
)
def test_is_left_alone(line):
    text = f"import math\n{HEAD}{line}\n"
    assert alone("np-elements", text).text == text


def test_a_program_of_any_day_is_left_alone():
    text = "import numpy as np\na = np.zeros(2)\na[0] = x\n"
    assert alone("np-elements", text).text == text
    assert "element(x, a)" in alone("np-elements", f"import tensorflow as tf\n{text}").text


@pytest.mark.parametrize(
    ("index", "shape", "total"),
    [
        ([[0, 1], [2, 0]], (2, 4), 92),
        ([[0, 1]], (2, 3, 4), 276),
        ([0, 1], (2, 3, 4), 276),
        ([slice(0, 2), [0, 1]], (2, 2, 4), 152),
        ([None, 0], (1, 3, 4), 66),
        ([..., 1], (2, 3), 66),
        ([np.array(1), np.array(2)], (4,), 86),
        ([(0, 1), 2], (2, 4), 124),
        ([range(2), 1], (2, 4), 92),
        ([[0, 1], [1, 2], [3, 0]], (2,), 27),
        ([], (0, 3, 4), 0),
        ([np.int64(1), 0], (2, 3, 4), 276),
        (([0, 1], [2, 0]), (2, 4), 92),
        ([collections.UserList([0, 1]), [2, 0]], (2, 4), 92),
    ],
)
def test_a_list_of_sequences_is_an_index_like_a_tuple(index, shape, total):
    """Values of numpy 1.16.6."""
    array = np.arange(24).reshape(2, 3, 4)
    found = array[runtime.list_index(index, array)]
    assert (found.shape, found.sum()) == (shape, total)


def test_a_list_is_a_list_for_all_that_is_no_array():
    index = [[0, 1], [2, 0]]
    assert runtime.list_index(index, {}) is index
    assert runtime.list_index(["x", "y"], np.zeros(2, [("x", int), ("y", float)])) == ["x", "y"]
    long = [[0]] * 32
    assert runtime.list_index(long, np.zeros(3)) is long
