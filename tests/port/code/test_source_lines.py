"""Who reads the source of a translated program again gets the translated one, line for line."""

import ast
import inspect
import json
import linecache
import pathlib
import textwrap

import pytest

from tests.port.record_python2 import programs
from tests.port.rules.rows_lines import ROWS
from tests.suite import samples
from tfqueue import cli
from tfqueue.port.code import compilation, source_lines
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine
from tfqueue.port.source.files import lines_of

PYTHON2 = WrittenFor(python2=True)
FOLDER = pathlib.Path(__file__).parents[1] / "python2"
PROGRAMS = [
    pytest.param(text, id=name)
    for path in sorted(FOLDER.glob("*.txt"))
    for name, text in programs(path)
    if name != "True as the name of an argument"  # no text of Python 3 has one
]


def shape(node):
    return sorted(map(ast.dump, node.body)) if isinstance(node, ast.Module) else ast.dump(node)


@pytest.mark.parametrize("text", samples.some(PROGRAMS, 3))
def test_each_function_stands_at_its_line(text):
    translation = engine.translate(text, "program.py", written_for=PYTHON2)
    tree = compilation.placed(translation)
    lines = source_lines.aligned(tree, lines_of(text))
    for node in ast.walk(tree):  # those that rules add stand on the line of the head
        if decorators := getattr(node, "decorator_list", None):
            decorators[:] = [one for one in decorators if one.lineno < node.lineno]
    assert shape(ast.parse("".join(lines))) == shape(ast.parse(ast.unparse(tree)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node, *node.decorator_list], key=lambda one: one.lineno).lineno
            block = textwrap.dedent("".join(inspect.getblock(lines[first - 1 :])))
            found, *_ = ast.parse(block).body
            assert shape(found) == shape(ast.parse(ast.unparse(node)).body[0])


@pytest.mark.parametrize(("before", "after"), ROWS, ids=range(len(ROWS)))
def test_each_statement_stands_where_there_is_room_for_it(before, after):
    written_for = WrittenFor(python2=True, given=True)
    tree = compilation.placed(engine.translate(before, "program.py", written_for=written_for))
    assert "".join(source_lines.aligned(tree, lines_of(before))) == after


def test_a_tree_whose_statements_have_no_room():
    """What a rule put in is written behind, and indented where the user has nothing to go by."""
    tree = ast.parse("if a:\n    x = 1\n    if b: y = 2\nz = 3\nmatch c:\n    case 1: w = 4\n")
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1
    assert source_lines.aligned(tree, ["if a: pass\n"]) == [
        "if a:\n",
        "    x = 1\n",
        "    if b: y = 2\n",
        "z = 3\n",
        "match c:\n",
        "    case 1:\n",
        "        w = 4\n",
    ]
    assert source_lines.aligned(ast.parse(""), ["# one\n", "x\n", "\n"]) == ["# one\n", "\n", "\n"]


def test_lines_are_the_users_again_behind_the_block(tmp_path):
    path = str(tmp_path / "shown.py")
    tree = ast.parse("x = 7 // 2\n")
    with source_lines.users_lines():
        assert not source_lines.is_shown(path)
        source_lines.show(path, "x = 7 / 2\n", tree)
        assert source_lines.is_shown(path)
        assert [linecache.getline(path, number) for number in (0, 1, 2)] == ["", "x = 7 / 2\n", ""]
        assert linecache.getlines(path) == ["x = 7 // 2\n"]
        linecache.checkcache(path)
        linecache.cache.pop(path)
        assert linecache.updatecache(path) == ["x = 7 // 2\n"]
        assert linecache.updatecache(str(tmp_path / "none.py")) == []
        assert linecache.getline(__file__, 1).startswith('"""Who reads')
        source_lines.show(path, "y = 1\n")
        assert linecache.getlines(path) == ["y = 1\n"]
    assert not source_lines.is_shown(path)
    assert linecache.getlines(path) == ["y = 1\n"]
    linecache.cache.pop(path)


READ_AGAIN = """\
import inspect, linecache, sys, traceback
import tensorflow as tf


def half(x):
    # whole numbers
    return x * (7 / 2)


class Scale(object):
    @staticmethod
    def apply(x): return x * (9 / 2)


given = tf.constant([1., 2.])
steps = [
    tf.map_fn(half, given),
    tf.map_fn(Scale.apply, given),
    tf.map_fn(lambda x: x * (5 / 2), given), tf.map_fn(
        lambda v: v * (3 / 2), given),
    tf.data.Dataset.range(1).map(lambda i: i + 9 / 2).make_one_shot_iterator().get_next(),
]
with tf.Session() as sess:
    for step in steps: print sess.run(step)
print inspect.getsource(half),
linecache.clearcache()
print linecache.getlines(__file__)[11],
try:
    raise ValueError, 'shown'
except ValueError:
    print traceback.format_exc().splitlines()[-2].strip()
"""
# Python 2.7 with TensorFlow 1.15.5 prints these numbers; what is read again is ours
PRINTED = """\
[3. 6.]
[4. 8.]
[2. 4.]
[1. 2.]
4
def half(x):
    # whole numbers
    return x * (7 // 2)
    def apply(x): return x * (9 // 2)
raise ValueError, 'shown'
"""


def test_who_reads_the_source_again_gets_what_runs(tmp_path, capsys, monkeypatch):
    path = tmp_path / "old.py"
    path.write_text(READ_AGAIN)
    monkeypatch.chdir(tmp_path)
    code = cli.main(["run", "old.py"])
    out, error = capsys.readouterr()
    assert (code, out, error) == (0, PRINTED, "")
    assert linecache.getline(str(path), 7).strip() == "return x * (7 / 2)", "as it was, behind it"


def test_modules_and_cells_are_read_again_as_they_run(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "part.py").write_text("def half(x): return x * (7 / 2)\n")
    cells = [
        "import inspect, part\nimport tensorflow as tf\ndef half(x):\n    return x * (9 / 2)\n",
        "steps = [tf.map_fn(f, tf.constant([1.])) for f in (half, part.half)]\nprint tf.Session().run(steps)",
        "print inspect.getsource(half), part.__loader__.get_source('part')",
    ]
    document = {
        "cells": [
            {"cell_type": "code", "source": cell, "outputs": [], "metadata": {}} for cell in cells
        ],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 2,
    }
    (tmp_path / "old.ipynb").write_text(json.dumps(document))
    assert cli.main(["run", "old.ipynb"]) == 0
    out, _ = capsys.readouterr()
    assert "dtype=float32)]\n" in out
    assert out.startswith("[array([4.], dtype=float32), array([3.], dtype=float32)]\n")
    assert out.endswith("    return x * (9 // 2)\ndef half(x): return x * (7 // 2)\n\n")


def test_a_lambda_within_a_lambda_stands_at_its_line():
    node = ast.parse("f = lambda x: g(\n    x,\n    lambda y: y)\n").body[0]
    text = "lambda x: g(x, \\\n\\\n(lambda y: y))"
    assert source_lines._text(node.value, 1) == text
    assert source_lines._text(node, 1) == f"f = ({text})"
