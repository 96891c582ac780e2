"""The text of a changed tree: what was not changed stays as it was, with its comments and breaks."""

import ast

import pytest

from tfqueue.port.program.module import Module
from tfqueue.port.rules import writer


def replaced(new, at=0):
    return lambda module: module.replace(module.nodes[ast.Call][at], new)


def turned(module):
    module.nodes[ast.Call][0].args.reverse()
    module.changed()


def divided(module):
    quotient = module.nodes[ast.BinOp][0]
    module.replace(quotient, module.call("div", quotient.left, quotient.right))


def floored(module):
    module.nodes[ast.BinOp][0].op = ast.FloorDiv()
    module.changed()


def statement(new):
    """Replaces the first statement of the first `if`."""
    return lambda module: module.replace(module.tree.body[0].body[0], new)


def inserted(at):
    """Inserts a statement into the body of the last statement, or of the module."""

    def change(module):
        body = getattr(module.tree.body[-1], "body", module.tree.body)
        if isinstance(module.tree.body[-1], ast.FunctionDef):
            body = module.tree.body
        (new,) = ast.parse("n = 0").body
        place = body[min(at, len(body) - 1)]
        body.insert(at, new)
        module.settle(new, module.tree, place)

    return change


def decorated(module):
    inner = module.tree.body[-1]
    function = inner.body[0] if isinstance(inner.body[0], ast.FunctionDef) else inner
    function.decorator_list.append(ast.Name("d", ast.Load()))
    module.changed()


def caught_as_n(module):
    module.nodes[ast.ExceptHandler][0].name = "n"
    module.changed()


def formatted(module):
    module.replace(next(n for n in module.nodes[ast.Name] if n.id == "z"), "q")


def imported(**fields):
    def change(module):
        for name, value in fields.items():
            setattr(module.nodes[ast.ImportFrom][0], name, value)
        module.changed()

    return change


def renamed(module):
    module.rename(module.nodes[ast.alias][0], "z")


FUNCTION = "@d\ndef f(): pass\n"
CASES = [
    # what is looser than its place gets parentheses
    ("x = f(1)\n", replaced("g(2)"), "x = g(2)\n"),
    ("x = 1 + f(1)\n", replaced("a or b"), "x = 1 + (a or b)\n"),
    ("x = f(1).y\n", replaced("a + b"), "x = (a + b).y\n"),
    ("x = y[f(1)]\n", replaced("a + b"), "x = y[a + b]\n"),
    ("x = f(1)[y]\n", replaced("a + b"), "x = (a + b)[y]\n"),
    ("x = f(1)(2)\n", replaced("lambda: 0", 1), "x = (lambda: 0)(2)\n"),
    ("x = g(f(1))\n", replaced("a + b", 1), "x = g(a + b)\n"),
    ("x = not f(1)\n", replaced("a if b else c"), "x = not (a if b else c)\n"),
    # comments and breaks stay where they were
    ("x = f(a,  # one\n  b)  # two\n", turned, "x = f(b,  # one\n  a)  # two\n"),
    ("x = f(a, # one\n  b, # two\n  )\n", turned, "x = f(b, # one\n  a, # two\n  )\n"),
    ("x = (a  # one\n  / b)  # two\n", divided, "x = (div(a,  # one\n  b))  # two\n"),
    ("x = (a /  # one\n   b)\n", floored, "x = (a  # one\n   // b)\n"),
    ("x = a / \\\n  b\n", floored, "x = a \\\n  // b\n"),
    # statements in the place of one
    (
        "if x:\n    y = (a  # one\n      / f(1))\n",
        statement("z = 1"),
        "if x:\n    # one\n    z = 1\n",
    ),
    (
        "if x:\n    y = f(  # one\n      1); w = 2\n",
        statement("z = 1\nv = 3"),
        "if x:\n    # one\n    z = 1; v = 3; w = 2\n",
    ),
    ("if x: y = f(  # one\n      1)\n", statement("z = 1\nv = 3"), "if x: z = 1; v = 3\n"),
    (
        "if x:\n    y = f(1)\n",
        statement("if z:\n    v = 3\n    w = 4"),
        "if x:\n    if z:\n        v = 3\n        w = 4\n",
    ),
    # statements between
    ("x = 1\ny = 2\n", inserted(0), "n = 0\nx = 1\ny = 2\n"),
    ("x = 1\ny = 2\n", inserted(1), "x = 1\nn = 0\ny = 2\n"),
    ("x = 1\ny = 2\n", inserted(2), "x = 1\ny = 2\nn = 0\n"),
    ("x = 1; y = 2\n", inserted(0), "n = 0\nx = 1; y = 2\n"),
    ("x = 1; y = 2\n", inserted(1), "x = 1; n = 0; y = 2\n"),
    ("x = 1", inserted(0), "n = 0\nx = 1"),
    ("x = 1", inserted(1), "x = 1\nn = 0"),
    ("x = (1,\n  2)  # c\n", inserted(1), "x = (1,\n  2)  # c\nn = 0\n"),
    (FUNCTION, inserted(0), f"n = 0\n{FUNCTION}"),
    (FUNCTION, inserted(1), f"{FUNCTION}n = 0\n"),
    ("if a:\n    x = 1\n    y = 2\n", inserted(0), "if a:\n    n = 0\n    x = 1\n    y = 2\n"),
    ("if a:\n    x = 1\n    y = 2\n", inserted(1), "if a:\n    x = 1\n    n = 0\n    y = 2\n"),
    ("if a:\n    x = 1\n    y = 2\n", inserted(2), "if a:\n    x = 1\n    y = 2\n    n = 0\n"),
    ("if a: x = 1; y = 2\n", inserted(0), "if a: n = 0; x = 1; y = 2\n"),
    (
        "if a:\n    @d\n    def f(): pass\n",
        inserted(0),
        "if a:\n    n = 0\n    @d\n    def f(): pass\n",
    ),
    (
        "if a:\n    @d\n    def f(): pass\n",
        inserted(1),
        "if a:\n    @d\n    def f(): pass\n    n = 0\n",
    ),
    # heads
    ("def f(): pass\n", decorated, "@d\ndef f(): pass\n"),
    ("@a\ndef f(): pass\n", decorated, "@a\n@d\ndef f(): pass\n"),
    ("class A:\n    def f(self): pass\n", decorated, "class A:\n    @d\n    def f(self): pass\n"),
    ("try: pass\nexcept E as e: pass\n", caught_as_n, "try: pass\nexcept E as n: pass\n"),
    (
        "try: pass\nexcept (E, F) as  e: pass\n",
        caught_as_n,
        "try: pass\nexcept (E, F) as  n: pass\n",
    ),
    # formatted strings that hold nothing new
    ("x = f'{ y }', f'{ z }'\n", formatted, "x = f'{ y }', f'{q}'\n"),
    # imports
    (
        "from a import (b,  # c\n   d)\n",
        imported(module="x.y"),
        "from x.y import (b,  # c\n   d)\n",
    ),
    ("from .a import b\n", imported(module="x", level=0), "from x import b\n"),
    ("from . import b\n", imported(module="x", level=2), "from ..x import b\n"),
    ("from .import b\n", imported(module="x", level=1), "from .x import b\n"),
    ("from a\\\n.b import c\n", imported(module="x"), "from x import c\n"),
    ("from . a import c\n", imported(module=None, level=1), "from . import c\n"),
    ("from a import (b,  # c\n   d)\n", renamed, "from a import (z,  # c\n   d)\n"),
    ("import a.b as c, d\n", renamed, "import z as c, d\n"),
    ("import a.b, d\n", renamed, "import z, d\n"),
    ("x =  1\n", lambda module: None, "x =  1\n"),
]


@pytest.mark.parametrize(("before", "change", "after"), CASES)
def test_what_was_not_changed_stays(before, change, after):
    module = Module(before)
    change(module)
    assert writer.write(module) == after


def test_a_head_that_cannot_be_written_is_told():
    module = Module("def f(): pass\n")
    module.tree.body[0].name = "g"
    module.changed()
    with pytest.raises(AssertionError, match="<string>:1: a head that can't be written"):
        writer.write(module)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x =  [1 ]\ny = f( a, b )\n", "x =  [1 ]\ny = f(b, a)\n"),
        ("if  c :\n  y = f(a,  # one\n    b)\n", "if  c :\n  # one\n  y = f(b, a)\n"),
        ("if  c : y = f(a,  # one\n    b)\n", "if  c : y = f(b, a)\n"),
        ("y = f(a,  # one\n    b)  # two\n", "# one\ny = f(b, a)  # two\n"),
        ("y = f(a,\n    b)\n", "y = f(b, a)\n"),
        ("y = f(a, '# one'\n    , b)\n", "y = f(b, '# one', a)\n"),
    ],
)
def test_what_cannot_keep_its_shape_is_printed_statement_by_statement(before, after):
    module = Module(before)
    turned(module)
    coarse = writer._Writer(module, coarse=True)
    coarse.collect(module.tree)
    assert writer._apply(before, 0, coarse.edits) == after


TEXT = "0123456789"
EDITS = [(2, 4, "ab"), (6, 6, "c"), (10, 10, "d")]


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        (0, 10, "01ab45c6789d"),
        (0, 2, "01"),
        (2, 4, "ab"),
        (0, 3, "01ab"),
        (3, 6, "45"),
        (4, 6, "45"),
        (6, 7, "c6"),
        (6, 6, ""),
        (7, 9, "78"),
        (3, 4, ""),
        (8, 10, "89d"),
        (10, 10, ""),
    ],
)
def test_a_part_of_the_new_text(start, end, found):
    assert writer.part(TEXT, start, end, EDITS) == found
