"""Where a program that nothing proves to be for either Python is watched."""

import ast

import pytest

from tfqueue.port.code import told_differences
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine


def places(text, python2=False):
    translation = engine.translate(text, "program.py", written_for=WrittenFor(python2=python2))
    find = told_differences._functions2 if python2 else told_differences._functions
    return sorted((node.lineno, name) for node, name in find(translation).items())


@pytest.mark.parametrize("name", ["map", "filter", "zip"])
def test_a_list_is_watched_unless_it_is_gone_through_at_once(name):
    call = f"{name}(f, x)"
    for taken in (
        f"for i in {call}: pass\n",
        f"[i for i in {call}]\n",
        f"{{i for i in {call}}}\n",
        f"f(*{call})\n",
        f"[*{call}]\n",
        f"''.join({call})\n",
        *(f"{taker}({call})\n" for taker in sorted(told_differences._TAKERS)),
        f"np.sum({call})\n",
    ):
        assert places(taken) == [], taken
    for kept in (
        f"{call}\n",
        f"y = {call}\n",
        f"f({call})\n",
        f"f(list={call})\n",
        f"list(key={call})\n",
        f"for i in f({call}): pass\n",
        f"[{call} for i in y]\n",
        f"[i for i in y if {call}]\n",
        f"for i in y: {call}\n",
        f"x.append({call})\n",
        f"x[0]({call})\n",
        f"y = [{call}]\n",
    ):
        assert places(kept) == [(1, name)], kept
    assert places(f"def {name}(*a): pass\n{call}\n") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = a / b\n", [(1, "div")]),
        ("x = a / 2.0\n", []),
        ("x = a // b\n", []),
        ("x = a * b\n", []),
        ("from __future__ import division\nx = a / b\nx /= b\n", []),
        ("x /= b\n", [(1, "divisor")]),
        ("x[0] /= b\n", [(1, "divisor")]),
        ("x[f()] /= b\n", []),
        ("x *= b\n", []),
        ("round(x)\n", [(1, "round")]),
        ("round(x, 2)\n", [(1, "round")]),
        ("list(round(x))\n", [(1, "round")]),
        ("a.round(x)\n", []),
        ("from __future__ import division\nround(x)\n", [(2, "round")]),
    ],
)
def test_numbers(text, found):
    assert places(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("print('a', 3)\n", [(1, "printed")]),
        ("print()\n", [(1, "printed")]),
        ("print('a')\n", []),
        ("print(('a', 3))\n", []),
        ("from __future__ import print_function\nprint('a', 3)\nx = len(y) / 2\n", [(3, "div")]),
        ("x = len(y) / 2\n", [(1, "div")]),
        ("x = len(y) // 2\n", []),
        ("if x:\n    print('a', 3); print('b')\n", [(2, "printed")]),
        ("f('a', 3)\n", []),
    ],
)
def test_of_python_2(text, found):
    assert places(text, python2=True) == found


@pytest.mark.parametrize(
    ("text", "python2", "watched"),
    [
        ("x = a / b\n", False, "from {3} import div as tfq_told_div\nx = tfq_told_div(a, b)"),
        (
            '"""Doc."""\nfrom __future__ import print_function\nx = a / b\n',
            False,
            '"""Doc."""\nfrom __future__ import print_function\n'
            "from {3} import div as tfq_told_div\nx = tfq_told_div(a, b)",
        ),
        (
            "x /= b\n",
            False,
            "from {3} import divisor as tfq_told_divisor\nx /= tfq_told_divisor(x, b)",
        ),
        (
            "y = map(f, x)\nround(y)\n",
            False,
            "from {3} import map as tfq_told_map, round as tfq_told_round\n"
            "y = tfq_told_map(f, x)\ntfq_told_round(y)",
        ),
        ("x = 1\n", False, "x = 1"),
        ("x = a / b\n", True, "from {2} import div as div\nx = div(a, b)"),
        (
            "x = a / b\nprint(1)\n",
            True,
            "from {2} import div as div\nfrom tfqueue.port.py2 import print_statement as print\n"
            "x = div(a, b)\nprint(1)",
        ),
    ],
)
def test_the_tree_that_is_run(text, python2, watched):
    translation = engine.translate(text, "program.py", written_for=WrittenFor(python2=python2))
    before = ast.dump(translation.tree)
    new = told_differences.watched(translation, translation.tree)
    homes = [None, None, told_differences._HOMES[2], told_differences._HOMES[3]]
    assert ast.unparse(new) == watched.format(*homes)
    assert ast.dump(translation.tree) == before
    compile(new, "program.py", "exec")
