"""Single values of Python 2's library; the expected ones were printed by Python 2.7.18."""

import pytest

from tfqueue.port.program import verdict as program
from tfqueue.port.py2 import builtins, methods, modules
from tfqueue.port.rules import engine


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((), 3527539),
        ((1,), 3430019387558),
        ((1, 2), 3713081631934410656),
        ((-1, 3), -3713082714465710744),
        (("a",), 12418971936901571),
        (((1, 2), "b", 2.5), 7785718701177617992),
    ],
)
def test_a_hash(value, expected):
    assert builtins.hash(value) == expected


def test_random_numbers_of_a_range():
    found = modules.Random(5)
    assert [found.randrange(7) for _ in range(8)] == [4, 5, 5, 6, 5, 6, 0, 3]
    assert [found.randrange(3, 30, 4) for _ in range(8)] == [27, 19, 27, 3, 15, 7, 15, 19]
    with pytest.raises(ValueError, match=r"empty range for randrange\(\)"):
        found.randrange(3, 3)


def ran(text):
    verdict = program.Verdict(python2=True)
    names = {}
    exec(engine.translate(text, "program.py", verdict=verdict).text, names)
    return names


def test_a_range_is_a_list_where_one_use_of_several_needs_it():
    assert ran("for i in range(2): pass\nx = range(3)\nx[0] = 7\n")["x"] == [7, 1, 2]


def test_tuples_among_the_parameters_of_a_lambda():
    text = "tfq_1 = 9\nf = lambda a, (b, c), (d, (e, g)): (a, b, c, d, e, g, tfq_1)\n"
    assert ran(text + "x = f(1, (2, 3), (4, (5, 6)))\n")["x"][:6] == (1, 2, 3, 4, 5, 6)


def test_a_tab_is_eight_columns():
    assert ran("if True:\n        x = 1\n\ty = 2\n")["y"] == 2


def test_characters_are_left_out_of_bytes_and_text():
    assert methods.translate(b"a-b\xff-", None, b"-") == b"ab\xff"
    upper = bytes(range(97)) + b"ABC" + bytes(range(100, 256))
    assert methods.translate(b"abc-d", upper, b"-b") == b"ACd"
    assert methods.translate("abc-d", {97: "A", 98: "B", 99: "C"}, "-b") == "ACd"
