"""Single values of Python 2's library; the expected ones were printed by Python 2.7.18."""

import configparser
import os
import select
import sys
from subprocess import PIPE

import pytest

from tfqueue.port.program import written_for as program
from tfqueue.port.py2 import builtins, methods, modules, text
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


def test_random_numbers_of_a_gamma_distribution():
    found = modules.Random(5)
    drawn = [found.gammavariate(*each) for each in ((1.0, 2.0), (2.5, 2.0), (0.5, 1.0))]
    assert drawn == [0.9467331315195405, 8.474626161237696, 1.6932269767148378]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("%s %(x)s", "{'x': 0.30000000000000004, 'y': 1} 0.3"),
        ("%(x)s %% %(y)d %(x)r", "0.3 % 1 0.30000000000000004"),
        ("%(x)-5s|%(x).1f", "0.3  |0.3"),
    ],
)
def test_a_format_of_a_mapping(form, expected):
    assert text.percent(form, {"x": 0.1 + 0.2, "y": 1}) == expected


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("%(x)s %s", "not enough arguments for format string"),
        ("%s %s %(x)s", "not enough arguments for format string"),
        ("%d %(x)s", "a real number is required|a number is required"),
        ("%*d %(x)s", "[*] wants int"),
    ],
)
def test_a_format_that_takes_more_than_a_mapping(form, said):
    with pytest.raises(TypeError, match=said):
        text.percent(form, {"x": 1})


def test_functions_of_string_that_are_methods_today():
    held = modules.string.replace
    assert [held("aaa", "a", "b", *most) for most in ((), (2,), (-1,))] == ["bbb", "bba", "bbb"]


@pytest.mark.skipif(os.name == "nt", reason="it takes a shell of Unix")
def test_what_a_command_says_and_how_it_ended():
    status = modules.commands.getstatusoutput
    assert status("echo a; exit 3") == (768, "a")
    assert status("kill -9 $$") == (9, "")


def test_a_process_takes_and_gives_text_that_is_bytes():
    copy = "import sys; sys.stdout.write(sys.stdin.read()); sys.stderr.write('e')"
    for given in ("a\u00e9".encode().decode("ascii", "surrogateescape"), None):
        command = [sys.executable, "-c", copy]
        process = modules.subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE)
        out, error = process.communicate(given)
        assert (out, error, process.returncode) == (given or "", "e", 0)
        assert out.count("a") == bool(given)


@pytest.mark.skipif(os.name == "nt", reason="it takes a command of Unix")
@pytest.mark.parametrize(
    ("words", "at_once"),
    [
        ({}, True),
        ({"bufsize": 0}, True),
        ({"bufsize": 1}, True),
        ({"universal_newlines": True}, True),
        ({"bufsize": -1}, False),
        ({"bufsize": 4096}, False),
    ],
)
def test_when_a_process_gets_what_is_written_to_it(words, at_once):
    """What Python 2.7.18 does."""
    with modules.subprocess.Popen(["cat"], stdin=PIPE, stdout=PIPE, **words) as process:
        process.stdin.write("a\n")
        answers, _, _ = select.select([process.stdout], [], [], 60 if at_once else 0)
        assert bool(answers) is at_once
        process.stdin.close()
        assert process.stdout.read() == "a\n"


def test_a_configuration_that_refers_to_itself():
    config = modules.ConfigParser.ConfigParser()
    config.add_section("s")
    for name, value in (("loop", "%(loop)s"), ("a", "%(0)s!"), ("0", "c"), ("plain", "5%d")):
        config.set("s", name, value)
    for number in range(11):
        config.set("s", f"{number + 1}", f"%({number})s")
    found = [config.get("s", name) for name in ("a", "0", "plain", "10")]
    assert found == ["c!", "c", "5%d", "c"]
    for name in ("loop", "11"):
        with pytest.raises(configparser.InterpolationDepthError, match=name):
            config.get("s", name)


class _Keys:
    def keys(self):
        return "mine"

    def iterkeys(self):
        return "own"


class _Dict(dict):
    def keys(self):
        return "own"

    def has_key(self, key):
        return key


def test_methods_that_are_not_called_there():
    assert methods.method(_Keys(), "keys")() == "mine"
    assert methods.method(_Keys(), "iterkeys")() == "own"
    assert methods.method(_Dict(), "keys")() == "own"
    assert methods.method(_Dict(), "has_key")(5) == 5
    assert methods.method(_Dict, "keys")(_Dict()) == "own"
    assert methods.method(iter("ab"), "next")() == "a"


def ran(text):
    written_for = program.WrittenFor(python2=True)
    names = {}
    exec(engine.translate(text, "program.py", written_for=written_for).text, names)
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
