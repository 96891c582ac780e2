"""What a module is asked: names, scopes, places, and what a rule puts into it."""

import ast

import pytest

from tfqueue.port.program import module as modules
from tfqueue.port.program.era import UNKNOWN
from tfqueue.port.program.module import Module


def test_what_is_not_said_is_taken_for_unknown():
    module = Module("x = 1\n")
    assert (module.path, module.era, module.python2, module.package) == (
        "<string>",
        UNKNOWN,
        False,
        None,
    )
    assert not module.ported
    assert module.changes == 0
    assert not module.has_own("x")
    assert module.tree in module.before
    assert Module("x = 1\n", read_only=True).before == {}


@pytest.mark.parametrize(
    ("text", "imported"),
    [
        ("import a.b\n", {"a": "a"}),
        ("import a.b as c\n", {"c": "a.b"}),
        ("import a.b, c as d\n", {"a": "a", "d": "c"}),
        ("import a\nimport b as a\n", {"a": "a"}),
        ("from a import b\n", {"b": "a.b"}),
        ("from a import b as c\n", {"c": "a.b"}),
        ("from . import b\nfrom ..a import c\n", {"b": "..b", "c": "..a.c"}),
        ("import a\nb = a.c\n", {"a": "a", "b": "a.c"}),
        ("import a\nb = a.c\nb = 2\n", {"a": "a"}),
        ("import a\nb = c = a.d\n", {"a": "a"}),
        ("import a\na = a.b\n", {"a": "a.b"}),
        ("import a\ndef f():\n    a = a.b\n", {"a": "a"}),
        ("import a\na = 1\n", {"a": "a"}),
        ("b = a.c\n", {}),
    ],
)
def test_what_names_stand_for(text, imported):
    assert Module(text).imported == imported


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        ("x = f(y.z)\n", {"x", "f", "y"}),
        ("import a.b\nfrom c import d as e\n", {"a", "e"}),
        ("def f(g, *h, i=1, **j):\n    global k\n", {"f", "g", "h", "i", "j", "k"}),
        ("class A:\n    pass\ntry: pass\nexcept E as e: pass\n", {"A", "E", "e"}),
        ("async def f(): pass\n", {"f"}),
    ],
)
def test_which_names_are_taken(text, identifiers):
    assert Module(text).identifiers == identifiers


@pytest.mark.parametrize(
    ("text", "ported"),
    [
        ("import tensorflow as tf\n", False),
        ("import os\nimport tfqueue.v1 as tf\n", True),
        ("import tfqueue.v1 as tf\nimport os\n", True),
        ("import tfqueue\n", False),
        ("from tfqueue import v1\n", True),
    ],
)
def test_what_was_ported_imports_tfqueue_in_the_place_of_tensorflow(text, ported):
    assert Module(text).ported == ported


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("import tensorflow as tf\nx = tf.train.batch\n", ["tensorflow.train.batch"]),
        ("import tensorflow as tf\ntf.x = 1\n", []),
        ("import a\nf(a)\n", ["a"]),
        ("import a\nf(a.b[0].c)\n", ["a.b"]),
        ("import a\ndef f(a):\n    return a.b\n", []),
        ("import a\ndef f():\n    a = 1\n    return a.b\nx = a.c\n", ["a.c"]),
        ("import a\ndef f():\n    return a.b\n", ["a.b"]),
        ("import a\nclass C:\n    a = 1\n    def f(self):\n        return a.b\n", ["a.b"]),
        ("import a\na = 1\nx = a.b\n", []),
        ("import tensorflow as tf\ntf = wrap(tf)\nx = tf.b\n", ["tensorflow.b", "tensorflow"]),
        ("import a\na = a.b\nx = a.c\n", ["a.b", "a.b.c"]),
        ("import a\ndef f():\n    global a\n    a = 1\nx = a.c\n", ["a.c"]),
        ("import a\n[a.b for a in y]\n", []),
        ("import a\nf = lambda a: a.b\n", []),
        ("import a\ndef f(x=a.b): pass\n", ["a.b"]),
        ("import a\n@a.b\ndef f(a): pass\n", ["a.b"]),
        ("import a\nclass C(a.b):\n    a = 1\n", ["a.b"]),
    ],
)
def test_references_know_their_scope(text, references):
    found = Module(text).references
    assert [dotted for _, dotted in found] == references


@pytest.mark.parametrize(
    ("text", "builtin"),
    [
        ("map(x)\n", True),
        ("def f():\n    map(x)\n", True),
        ("def f(map):\n    map(x)\n", False),
        ("from a import map\nmap(x)\n", False),
        ("def map(x): pass\nmap(x)\n", False),
        ("class map: pass\nmap(x)\n", False),
        ("async def map(x): pass\nmap(x)\n", False),
        ("class C:\n    def map(self): map(x)\n", True),
        ("class C:\n    map = f\n    map(x)\n", False),
        ("try: pass\nexcept E as map: map(x)\n", False),
        ("a.map(x)\n", False),
        ("def f():\n    map = g\nmap(x)\n", True),
        ("for map in y: map(x)\n", False),
    ],
)
def test_a_builtin_is_one_where_nothing_it_sees_has_its_name(text, builtin):
    module = Module(text)
    call = next(c for c in module.nodes[ast.Call] if "map" in ast.unparse(c.func))
    assert module.is_builtin(call.func, "map") == builtin


def test_uses_and_bindings_of_a_variable():
    module = Module("x = 1\nx = 2\nf(x)\ndef g(x):\n    return x\ndef h():\n    return x\n")
    first = module.nodes[ast.Name][0]
    assert [use.lineno for use in module.uses(first, "x")] == [3, 7]
    assert [one.lineno for one in module.bindings(first, "x")] == [1, 2]
    assert module.bindings(first, "len") == []


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("here()\n", False),
        ("try:\n    here()\nfinally: pass\n", False),
        ("try:\n    here()\nexcept: pass\n", False),
        ("try:\n    here()\nexcept ImportError: pass\n", True),
        ("try:\n    here()\nexcept (ValueError, NameError): pass\n", True),
        ("try:\n    here()\nexcept ValueError: pass\n", False),
        ("try:\n    here()\nexcept ValueError: pass\nexcept AttributeError: pass\n", True),
        ("try:\n    here()\nexcept Exception: pass\n", False),
        ("try:\n    here()\nexcept tf.errors.NotFoundError: pass\n", False),
        ("try:\n    here()\nexcept builtins.NameError: pass\n", True),
        ("try:\n    try: here()\n    except ValueError: pass\nexcept ImportError: pass\n", True),
        ("def f():\n    try:\n        here()\n    except AException: pass\n", False),
    ],
)
def test_what_a_try_guards(text, guarded):
    module = Module(text)
    assert module.guarded(module.nodes[ast.Call][0]) == guarded


@pytest.mark.parametrize("caught", ["", " Exception", " BaseException", " (Exception, A)"])
@pytest.mark.parametrize(
    ("body", "guarded"),
    [
        ("here", True),
        ("x = here", True),
        ("x = here.a; import b; pass", True),
        ("x = [here, f()]", False),
        ("f(here)", False),
        ("x = here\n    while x: y = x", False),
        ("f(); import here", True),
        ("f(); from a import here", True),
    ],
)
def test_a_try_that_catches_everything_guards_imports_and_names_alone(caught, body, guarded):
    module = Module(f"try:\n    {body}\nexcept{caught}: pass\n")
    nodes = [*module.nodes[ast.alias], *module.nodes[ast.Name]]
    [node] = [one for one in nodes if "here" in (getattr(one, "id", ""), getattr(one, "name", ""))]
    assert module.guarded(node) == guarded


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("here()\n", True),
        ("    \nhere()  # why\n", True),
        ("x = 1; here()\n", False),
        ("here(); x = 1\n", False),
        ("if 1: here()\n", False),
        ("if 1:\n    here()\n", True),
        ("here(\n); x\n", False),
    ],
)
def test_whether_a_statement_has_its_line_for_itself(text, has):
    module = Module(text)
    statement = module.parents[module.nodes[ast.Call][0]]
    assert module.has_its_line(statement) == has


def test_places_are_counted_in_characters():
    module = Module("x = 'é', here(1)\ny = here(\n  2)\n")
    first, second = sorted(module.nodes[ast.Call], key=lambda call: call.lineno)
    assert module.source(first) == "here(1)"
    assert module.source(second) == "here(\n  2)"
    assert (module.start(first), module.end(first)) == (9, 16)
    finding = module.finding(first, "said")
    assert (finding.line, finding.col, finding.message) == (1, 10, "said")
    assert (finding.changed, finding.helpless, finding.rule) == (True, False, "")
    helpless = module.finding(second, "no", helpless=True)
    assert (helpless.changed, helpless.helpless) == (False, True)
    whole = module.finding(module.tree, "all", changed=False)
    assert (whole.line, whole.col, whole.changed) == (1, 1, False)


def test_the_function_around_a_node():
    text = "one()\ndef f():\n    two()\n    async def g():\n        three()\nclass C:\n    four()\n"
    module = Module(text)
    found = {ast.unparse(c.func): module.enclosing(c) for c in module.nodes[ast.Call]}
    assert found == {"one": "<module>", "two": "f", "three": "g", "four": "<module>"}


def test_the_part_of_a_reference_that_is_tensorflow():
    module = Module(
        "import tensorflow as tf\nfrom tensorflow import train\nx = tf.nn.relu, train.batch\n"
    )
    (one, dotted), (other, named) = module.references
    assert module.below(one, dotted).id == "tf"
    assert module.below(other, named) is None
    assert module.below(one, "numpy.nn.relu") is None
    assert ast.unparse(module.base(one, dotted, "tensorflow.nn")) == "tf.nn"
    assert ast.unparse(module.base(one, dotted, "tensorflow")) == "tf"
    assert ast.unparse(module.base(other, named, "tensorflow")) == "train"


@pytest.mark.parametrize(
    ("text", "home", "name", "first"),
    [
        ("x = 1\n", "a.b", "c", "from a.b import c"),
        ("c = 1\n", "a.b", "c", "from a.b import c as tfq_c"),
        ("from d import *\n", "a.b", "c", "from a.b import c as tfq_c"),
        ("x = 1\n", "a.b", "map", "from a.b import map as tfq_map"),
        ("x = 1\n", "tfqueue.port.py2", "map", "from tfqueue.port.py2 import map"),
        ("map = 1\n", "tfqueue.port.py2", "map", "from tfqueue.port.py2 import map"),
        ("x = 1\n", "a.b", None, "import a.b"),
    ],
)
def test_a_helper_is_imported_under_a_name_that_is_free(text, home, name, first):
    module = Module(f'"""Doc."""\nfrom __future__ import division\n{text}')
    used = module.use(home, name) if name else module.use_module(home)
    assert module.changes == 1
    module.add_imports()
    assert module.changes == 2
    lines = ast.unparse(module.tree).splitlines()
    assert lines[:3] == ['"""Doc."""', "from __future__ import division", first]
    place = module.tree.body[2]
    assert (place.lineno, place.end_lineno) == (3, 3), "where the next statement stands"
    assert used is None or first.endswith(f" {used.id}")


def test_imports_come_in_the_order_of_their_homes():
    module = Module("x = 1\n")
    module.use("b", "z")
    module.use("b", "y")
    module.use("a", "w")
    module.add_imports()
    assert ast.unparse(module.tree) == "from a import w\nfrom b import y, z\nx = 1"


@pytest.mark.parametrize("text", ["", '"""Doc."""\n'])
def test_an_import_into_a_module_without_statements(text):
    module = Module(text)
    module.use("a", "b")
    module.add_imports()
    new = module.tree.body[-1]
    assert ast.unparse(new) == "from a import b"
    assert (new.lineno, new.col_offset, new.end_lineno, new.end_col_offset) == (1, 0, 1, 0)


def test_a_node_is_replaced_where_it_stands():
    module = Module("x = [f(1), g(2)]\nif x: y = 3\n")
    f, g = module.nodes[ast.Call]
    module.replace(f, "h(4)")
    module.replace(g, ast.Name("i", ast.Load()))
    module.replace(module.tree.body[1], "z = 1\nw = 2")
    assert ast.unparse(module.tree) == "x = [h(4), i]\nz = 1\nw = 2"
    assert [node.lineno for node in module.tree.body] == [1, 1, 2][:1] + [
        node.lineno for node in module.tree.body[1:]
    ]
    assert module.parents[module.tree.body[1]] is module.tree


def test_arguments_get_their_names():
    module = Module("f(1, 2, c=3)\n")
    (call,) = module.nodes[ast.Call]
    module.name_arguments(call, ["a", "b"])
    module.add_argument(call, "d", "g(4)")
    assert ast.unparse(call) == "f(a=1, b=2, c=3, d=g(4))"


@pytest.mark.parametrize(
    ("text", "position", "names", "found"),
    [
        ("f(1, 2)", 1, (), "2"),
        ("f(1, b=2)", 1, ("b",), "2"),
        ("f(1, b=2)", 1, ("a", "b"), "2"),
        ("f(1)", 1, ("b",), None),
        ("f(*x, 2)", 1, (), None),
        ("f(1, *x)", 0, (), "1"),
        ("f(1, 2, *x)", 1, (), "2"),
        ("f(*x)", 0, (), None),
        ("f(**x)", 0, ("x",), None),
    ],
)
def test_an_argument_by_position_or_name(text, position, names, found):
    call = ast.parse(text).body[0].value
    value = modules.argument(call, position, *names)
    assert (value and ast.unparse(value)) == found
