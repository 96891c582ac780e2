"""The text of a changed tree: what was not changed stays as it was, with its comments and breaks."""

import ast

import pytest

from tfqueue.port.program.module import Module
from tfqueue.port.rules import writer

LAMBDA = ast.unparse(ast.parse("lambda: 0"))
"""As this Python writes it: 3.10 puts a space in front of the colon."""


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


def in_order(*changes):
    def change(module):
        for one in changes:
            one(module)

    return change


def named(*names):
    """Gives the first call's arguments by position their names."""
    return lambda module: module.name_arguments(module.nodes[ast.Call][0], [*names])


def added(module):
    module.add_argument(module.nodes[ast.Call][0], "d", "g(4)")


def longer(at):
    """Puts an element into the first list."""

    def change(module):
        module.nodes[ast.List][0].elts.insert(at, ast.Constant(9))
        module.changed()

    return change


def own(module):
    """Puts the first call's argument, which is the user's, in the call's place."""
    call = module.nodes[ast.Call][0]
    module.replace(call, call.args[0])


def summed(module):
    first = module.nodes[ast.BoolOp][0].values[0]
    module.replace(first, "a + b")


def respelled(module):
    """Changes a name, and not which node it is."""
    next(n for n in module.nodes[ast.Name] if n.id == "z").id = "q"
    module.changed()


def between(module):
    """Inserts a statement or two before each of the first two, and two at the end."""
    body = module.tree.body
    first, second = body[:2]
    for place, text in ((first, "n"), (first, "m"), (second, "k"), (None, "j"), (None, "i")):
        (new,) = ast.parse(text).body
        body.insert(body.index(place) if place else len(body), new)
        module.settle(new, module.tree, place or second)


FUNCTION = "@d\ndef f(): pass\n"
CASES = [
    # what is looser than its place gets parentheses
    ("x =  1  + f(1)\n", replaced("a or b"), "x =  1  + (a or b)\n"),
    ("x =  y  or not f(1)\n", replaced("a or b"), "x =  y  or not (a or b)\n"),
    ("x =  f(1) .y\n", replaced("a + b"), "x =  (a + b) .y\n"),
    ("x =  (a  and b) or  c\n", summed, "x =  (a + b) or  c\n"),
    ("x = f(1)\n", replaced("g(2)"), "x = g(2)\n"),
    ("x = 1 + f(1)\n", replaced("a or b"), "x = 1 + (a or b)\n"),
    ("x = f(1).y\n", replaced("a + b"), "x = (a + b).y\n"),
    ("x = y[f(1)]\n", replaced("a + b"), "x = y[a + b]\n"),
    ("x = f(1)[y]\n", replaced("a + b"), "x = (a + b)[y]\n"),
    ("x = f(1)(2)\n", replaced("lambda: 0", 1), f"x = ({LAMBDA})(2)\n"),
    ("x = g(f(1))\n", replaced("a + b", 1), "x = g(a + b)\n"),
    ("x = not f(1)\n", replaced("a if b else c"), "x = not (a if b else c)\n"),
    # comments and breaks stay where they were
    ("x = f(a,  # one\n  b)  # two\n", turned, "x = f(b,  # one\n  a)  # two\n"),
    ("x = f(a, # one\n  b, # two\n  )\n", turned, "x = f(b, # one\n  a, # two\n  )\n"),
    ("x = (a  # one\n  / b)  # two\n", divided, "x = (div(a,  # one\n  b))  # two\n"),
    ("x = (a /  # one\n   b)\n", floored, "x = (a  # one\n   // b)\n"),
    ("x = a / \\\n  b\n", floored, "x = a \\\n  // b\n"),
    (
        "x = (a(1,  # two\n  2)  # one\n  / b)\n",
        divided,
        "x = (div(a(1,  # two\n  2),  # one\n  b))\n",
    ),
    # what is printed anew is printed around the user's parts
    ("x = f( 1 ,2 )\n", named("a", "b"), "x = f(a=1, b=2)\n"),
    (
        "x = f(1,  # one\n  2,  # two\n  )\n",
        named("a", "b"),
        "x = f(a=1,  # one\n  b=2  # two\n  )\n",
    ),
    ("x = f(1,  # one\n  2  # two\n  )\n", added, "x = f(1,  # one\n  2,  # two\n  d=g(4))\n"),
    ("x = f(  # one\n  1, 2)\n", added, "x = f(  # one\n  1, 2, d=g(4))\n"),
    ("x = f(1,  # one\n   2). shape\n", named("a", "b"), "x = f(a=1,  # one\n   b=2). shape\n"),
    ("x = [  # one\n  a, b]\n", longer(2), "x = [  # one\n  a, b, 9]\n"),
    ("x = [  # one\n  a, b]\n", longer(0), "x = [9,  # one\n  a, b]\n"),
    ("x = f( (y  :=  1) )\n", named("a"), "x = f(a=(y  :=  1))\n"),
    ("def h(): x = f( (yield  1) )\n", named("a"), "def h(): x = f(a=(yield  1))\n"),
    ("x = f( (p,  q), 1 )\n", named("a", "b"), "x = f(a=(p,  q), b=1)\n"),
    ("x = f(y for y  in z)\n", added, "x = f((y for y  in z), d=g(4))\n"),
    ("x = f( g( 1 ) )\n", own, "x = g( 1 )\n"),
    (
        "x = f( g( 1 ), h( 2 ,3 ) )\n",
        in_order(replaced("z", 2), named("a", "b")),
        "x = f(a=g( 1 ), b=z)\n",
    ),
    (
        "x = f( g( 1 ), h( y() ,3 ) )\n",
        in_order(replaced("z", 3), named("a", "b")),
        "x = f(a=g( 1 ), b=h( z ,3 ))\n",
    ),
    # a statement is printed anew where a part does not fit or means something else
    ("x = f(1) if  c else d\n", replaced("lambda: 0"), f"x = ({LAMBDA}) if c else d\n"),
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
    (
        "if x:\n    y = f(1)\n",
        statement("v = 3\nif z:\n    w = 4"),
        "if x:\n    v = 3\n    if z:\n        w = 4\n",
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
    ("x = 1;  y = 2\n", between, "n\nm\nx = 1;  k; y = 2; j; i\n"),
    ("x =  1\ny =  2\n", between, "n\nm\nx =  1\nk\ny =  2\nj\ni\n"),
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
    ("x =  f'{ y } {z}'\n", respelled, "x =  f'{y} {q}'\n"),
    ("x =  f'{ y } {f(g(z))}'\n", formatted, "x =  f'{y} {f(g(q))}'\n"),
    ("x =  f'{ y }', z\n", formatted, "x =  f'{ y }', q\n"),
    ("x =  f'{ -y + 1 and 2 < 3}', z\n", formatted, "x =  f'{ -y + 1 and 2 < 3}', q\n"),
    # imports
    ("from . a import  b\n", renamed, "from . a import  z\n"),
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
        ("", "from a import b\n"),
        ("# none\n", "# none\nfrom a import b\n"),
        ("# none", "# none\nfrom a import b\n"),
        ("x =  1", "from a import b\nx =  1"),
        ("'Doc.'  # why", "'Doc.'  # why\nfrom a import b"),
    ],
)
def test_an_import_that_a_helper_needs(before, after):
    module = Module(before)
    module.use("a", "b")
    module.add_imports()
    assert writer.write(module) == after


def test_what_no_text_can_say_is_told():
    module = Module("x = f(1)\n", "old.py")
    module.replace(module.nodes[ast.Call][0], ast.Name("a b", ast.Load()))
    with pytest.raises(AssertionError, match=r"old\.py: the ported text is not what `tfqueue run`"):
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
