"""What in a module shows which Python it was written for."""

import pytest

from tfqueue.port.program import python_signs as signs
from tfqueue.port.program.module import Module

PANDAS = "import pandas as pd\n"


@pytest.mark.parametrize("name", sorted(signs._NAMES))
def test_a_name_of_python_2(name):
    assert signs.of_python2(Module(f"x = 1\n{name}(x)\n")) == [(name, 2)]
    read = signs.of_python2(Module(f"x = {name}\n"))
    assert read == ([] if name in signs._CALLED else [(name, 1)])
    assert signs.of_python2(Module(f"{name} = 1\n{name}(x)\n")) == []
    star = signs.of_python2(Module(f"from a import *\n{name}(x)\n"))
    assert bool(star) == (name in ("xrange", "unicode", "raw_input"))


@pytest.mark.parametrize("name", sorted(signs._METHODS))
def test_a_method_of_python_2(name):
    assert signs.of_python2(Module(f"d.{name}()\n")) == [(f".{name}()", 1)]
    assert signs.of_python2(Module(f"x = d.{name}\n")) == []
    assert signs.of_python2(Module(f"import six\nsix.{name}()\n")) == []
    assert signs.of_python2(Module(f"class D:\n    def {name}(self): pass\nd.{name}()\n")) == []
    assert bool(signs.of_python2(Module(f"{PANDAS}d.{name}()\n"))) == (name != "iteritems")


@pytest.mark.parametrize("name", sorted(signs.MODULES))
def test_a_module_of_python_2(name):
    found = signs.of_python2(
        Module(f"import os, {name}\nfrom {name} import x\nfrom .{name} import y\n")
    )
    assert found == [(f"import {name}", 1), (f"from {name} import", 2)]
    assert signs.of_python2(Module(f"import {name}\nopen('a/{name}.py', 'w')\n")) == []
    assert signs.of_python2(Module(f"from {name} import x\nopen('a/{name}.py', 'w')\n")) == []
    assert signs.of_python2(Module(f"try: import {name}\nexcept ImportError: pass\n")) == []


@pytest.mark.parametrize(
    ("home", "name"),
    [(home, name) for home, names in signs._ONLY.items() for name in sorted(names)],
)
def test_a_name_that_a_module_lost(home, name):
    whole = f"{home}.{name}"
    assert signs.of_python2(Module(f"import {home}\nx = {whole}\n")) == [(whole, 2)]
    assert signs.of_python2(Module(f"from {home} import {name}\n")) == [(whole, 1)]
    assert signs.of_python2(Module(f"import other as {home}\nx = {whole}\n")) == []
    assert signs.of_python2(Module(f"from .{home} import {name}\n")) == []


@pytest.mark.parametrize(
    "text",
    [
        "if sys.version_info[0] < 3: xrange(3)\n",
        "if PY2:\n    xrange(3)\nelse:\n    range(3)\n",
        "x = xrange(3) if six.PY2 else range(3)\n",
        "x = py3 or xrange(3)\n",
        "try: x = xrange(3)\nexcept: x = range(3)\n",
        "def f():\n    try: return unicode(3)\n    except Exception: return str(3)\n",
        "def f():\n    if python_version() < 3: pass\n    return xrange(3)\n",
        "def f(x):\n    return isinstance(x, str) or isinstance(x, unicode)\n",
        "try: xrange\nexcept NameError: pass\n",
    ],
)
def test_a_program_that_looks_at_its_python_shows_nothing(text):
    assert signs.of_python2(Module(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "if a < 3: xrange(3)\n",
        "x = xrange(3) if a else range(3)\n",
        "x = a or xrange(3)\n",
        "def f():\n    return xrange(3)\ndef g():\n    if PY2: pass\n",
        "def f():\n    if PY2: pass\n    def g(): return xrange(3)\n",
        "def f(x):\n    return isinstance(x, bytes) or xrange(3)\n",
        "def f(x):\n    return xrange(3) or isinstance(x, str)\n",
        "if PY2: pass\nxrange(3)\n",
        "try:\n    for i in xrange(3): f(i)\nexcept Exception: pass\n",
        "try:\n    x = 3\n    x = xrange(x)\nexcept: pass\n",
        "try: f()\nexcept Exception: xrange(3)\n",
        "try: xrange(3)\nexcept KeyError: pass\n",
    ],
)
def test_a_test_that_is_about_something_else(text):
    """A `try` around what a program does is none, either."""
    assert [what for what, _ in signs.of_python2(Module(text))] == ["xrange"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("print\n", True),
        ("print >>f, x\n", True),
        ("print ('%d') % 3\n", True),
        ("print (a) == b\n", True),
        ("print (a), b\n", True),
        ("print (a) or print (b)\n", False),
        ("print (a) or b\n", True),
        ("print (a) if b else c\n", True),
        ("print(a) if b else print(c)\n", False),
        ("print (a).b\n", True),
        ("print (a)[0]\n", True),
        ("print (a).b()\n", True),
        ("print(a)\n", False),
        ("print(a, b)\n", False),
        ("print(a, end='') % 3\n", False),
        ("print.a\n", False),
        ("x = print\n", False),
        ("print = f\nprint\n", False),
        ("from __future__ import print_function\nprint\n", False),
        ("other >>f, x\n", False),
    ],
)
def test_what_python_3_takes_for_an_expression(text, shown):
    found = signs.of_python2(Module(text))
    assert [what for what, _ in found] == ["the print statement"] * shown


def test_a_comma_behind_print_is_no_proof():
    """A Python 3 program has it, too, where it was rewritten: it runs."""
    module = Module("print('a'),\n")
    assert signs.of_python2(module) == [(signs.COMMA, 1)]
    assert signs.run_by_python2(module, as_program=True) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = y[:n / 2]\n", "`n / 2` in a slice"),
        ("x = y[n / 2 + 1:]\n", "`n / 2` in a slice"),
        ("x = y[-(n / 2):]\n", "`n / 2` in a slice"),
        ("range(n / 2)\n", "`n / 2` in range()"),
        ("range(0, n / 2 - 1)\n", "`n / 2` in range()"),
        ("[0] * (n / 2)\n", "`n / 2` times a list"),
        ("(n / 2) * [0]\n", "`n / 2` times a list"),
        ("(n / 2) * [0 for i in y]\n", "`n / 2` times a list"),
        ("import tensorflow as tf\ntf.pad(x, [[0, 0], [1] * (n / 2)])\n", "`n / 2` times a list"),
        ("import numpy as np\nnp.zeros([n / 2, 3])\n", "`n / 2` in np.zeros()"),
        ("import numpy as np\nnp.ones((3, n / 2))\n", "`n / 2` in np.ones()"),
        ("import tensorflow as tf\ntf.reshape(x, [n / 2])\n", "`n / 2` in tf.reshape()"),
        ("import tensorflow as tf\ntf.pad(x, [[n / 2, 0]])\n", "`n / 2` in tf.pad()"),
        ("import tensorflow as tf\ntf.zeros([n / 2])\n", "`n / 2` in tf.zeros()"),
        ("import tensorflow as tf\ntf.reshape([n / 2], x)\n", None),
        ("import numpy as np\nnp.zeros(n / 2)\n", None),
        ("import numpy as np\nnp.array([n / 2])\n", None),
        ("from __future__ import division\nrange(n / 2)\n", None),
        ("range(n / 2.)\n", None),
        ("range(f(n) / 2)\n", "`f(n) / 2` in range()"),
        ("x = y[:len(y) / 2]\n", "`len(y) / 2` in a slice"),
        ("x = y[:f(n) / 2]\n", None),
        ("k = len(x) / n\nfor i in range(k): pass\n", "`len(x) / n` in range()"),
        ("def f(n):\n    k = n / 2 - 1\n    return [0] * k\n", "`n / 2` times a list"),
        (
            "class A:\n def f(self): self.k = n / 2\n def g(self): range(self.k)\n",
            "`n / 2` in range()",
        ),
        ("class A:\n def f(self): self.k = n / 2\n def g(self): range(other.k)\n", None),
        ("class A:\n def f(self): self.k = n / 2; self.k = 3\n def g(self): range(self.k)\n", None),
        ("class A:\n def f(self): self.k = n / 2\n def g(self): range(int(self.k))\n", None),
        ("class A:\n def f(self): self.k = n / 2.\n def g(self): range(self.k)\n", None),
        ("k = n / 2\nk = 3\nrange(k)\n", None),
        ("k = n / 2\nx = y[:k]\n", None),
        ("k = int(n / 2)\nrange(k)\n", None),
        ("k = n / 2\nrange(int(k))\n", None),
        ("k = n / 2 * 0.5\nrange(k)\n", None),
        ("range(n // 2)\n", None),
        ("range(int(n / 2))\n", None),
        ("range(n / 2 * 1.5)\n", None),
        ("f(n / 2)\n", None),
        ("x = y[n / 2]\n", None),
        ("x = 2 * (n / 2)\n", None),
        ("x = [n / 2]\n", None),
    ],
)
def test_a_quotient_that_must_be_whole(text, said):
    found = [what for what, _ in signs.of_python2(Module(text))]
    assert found == ([] if said is None else [said])


def test_a_quotient_that_an_object_keeps_is_no_proof():
    """A subclass in another file may set another number."""
    text = "class A:\n  def f(self):\n    self.k = 3 / 2\n    range(self.k)\nA().f()\n"
    assert signs.of_python2(Module(text)) == [("`3 / 2` in range()", 4)]
    assert signs.run_by_python2(Module(text), as_program=True) == []


@pytest.mark.parametrize(
    ("function", "at"),
    [
        *((f"tf.{name}", 0) for name in ("zeros", "ones", "random_normal", "random_uniform")),
        ("tf.truncated_normal", 0),
        *((f"tf.{name}", 1) for name in ("pad", "reshape", "placeholder")),
        *((f"np.{name}", 0) for name in ("zeros", "ones", "empty")),
    ],
)
def test_which_argument_is_a_shape(function, at):
    for place in range(3):
        given = ["x", "y", "z"]
        given[place] = "[n / 2]"
        text = f"import tensorflow as tf, numpy as np\n{function}({', '.join(given)})\n"
        said = [f"`n / 2` in {function}()"] * (place == at)
        assert [what for what, _ in signs.of_python2(Module(text))] == said


@pytest.mark.parametrize("name", ["map", "filter", "zip", "range"])
@pytest.mark.parametrize(
    "use", ["random.shuffle(y)", "np.random.shuffle(y)", "y.append(1)", "y.sort()", "y[0] = 1"]
)
def test_what_is_changed_as_a_list(name, use):
    imports = "import random, numpy as np\n"
    say = [(f"{name}() as a list", 3)]
    assert signs.of_python2(Module(f"{imports}y = {name}(f, x)\n{use}\n")) == say
    for text in (f"y = list({name}(f, x))", f"y = {name}(f, x)\ny = []"):
        assert signs.of_python2(Module(f"{imports}{text}\n{use}\n")) == []
    own = f"{imports}def {name}(*a): pass\ny = {name}(f, x)\n{use}\n"
    assert signs.of_python2(Module(own)) == []


def test_a_range_of_python_3_is_measured_indexed_and_searched():
    text = "y = range(3)\nlen(y), y[0], y.index(2), y.count(2), np.random.permutation(y)\nself.shuffle(y)\n"
    assert signs.of_python2(Module(text)) == []


@pytest.mark.parametrize("name", ["map", "filter", "zip"])
def test_what_is_used_as_a_list(name):
    say = [(f"{name}() as a list", 1)]
    for text in (
        f"len({name}(f, x))\n",
        f"{name}(f, x)[0]\n",
        f"{name}(f, x).sort()\n",
        *(f"{name}(f, x) + {other}\n" for other in ("[1]", "list(y)", "sorted(y)", "[y] * 3")),
        f"[a for a in y] + {name}(f, x)\n",
    ):
        assert signs.of_python2(Module(text)) == say
    for use in ("len(y)", "y[0]", "y.append(1)"):
        found = signs.of_python2(Module(f"y = {name}(f, x)\n{use}\n"))
        assert found == [(f"{name}() as a list", 2)]
        assert signs.of_python2(Module(f"y = {name}(f, x)\ny = 1\n{use}\n")) == []
        between = f"y = 1\ny = {name}(f, x)\nz = y\n{use}\ny = 2\n{use}\n"
        assert signs.of_python2(Module(between)) == [(f"{name}() as a list", 4)]
        either = f"y = 1\nif z:\n    y = {name}(f, x)\n{use}\n"
        assert signs.of_python2(Module(either)) == []
        assert signs.of_python2(Module(f"y = z = {name}(f, x)\n{use}\n")) == []
        assert signs.of_python2(Module(f"def {name}(*a): pass\ny = {name}(f, x)\n{use}\n")) == []
    for text in (
        f"f({name}(f, x))\n",
        f"x[{name}(f, x)]\n",
        f"{name}(f, x).more()\n",
        f"for i in {name}(f, x): pass\n",
        f"{name}(f, x) + y\n",
        f"y += {name}(f, x)\n",
        f"{name}(f, x) * [1]\n",
    ):
        assert signs.of_python2(Module(text)) == []
    assert signs.of_python2(Module(f"y = {name}(f, x)\nlen(z, y=y)\n")) == []


def test_two_variables_that_are_joined():
    """As gradients of some variables and clipped ones of others are."""
    text = "a = [x for x in y]\nb = [x for x in z]\nc, d = zip(*b)\nb = zip(c, d)\ne = a + b\n"
    assert signs.of_python2(Module(text)) == [("zip() as a list", 5)]
    assert signs.of_python2(Module(text.replace("a = [x for x in y]", "a = y"))) == []


def test_signs_stand_in_the_order_of_their_lines():
    text = "raw_input(unicode)\nxrange(basestring)\nxrange(3)\n"
    assert signs.of_python2(Module(text)) == [
        ("raw_input", 1),
        ("unicode", 1),
        ("basestring", 2),
        ("xrange", 2),
        ("xrange", 3),
    ]


@pytest.mark.parametrize(
    ("text", "as_program", "found"),
    [
        ("xrange(3)\n", False, [("xrange", 1)]),
        ("def f(): xrange(3)\n", True, []),
        ("if __name__ == '__main__': xrange(3)\n", True, [("xrange", 1)]),
        ("if __name__ == '__main__': xrange(3)\n", False, []),
        ("import tensorflow as tf\ntf.zeros([n / 2])\n", True, []),
        (
            "import tensorflow as tf\ntf.zeros([n / 2])\nx = y[:n / 2]\n",
            True,
            [("`n / 2` in a slice", 3)],
        ),
        ("import numpy as np\nnp.zeros([n / 2])\n", True, [("`n / 2` in np.zeros()", 2)]),
        ("x = 1\n", True, []),
    ],
)
def test_what_python_3_meets_at_once(text, as_program, found):
    assert signs.run_by_python2(Module(text), as_program=as_program) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = f'{y}'\n", "an f-string"),
        ("x: int = 1\n", "an annotation"),
        ("def f(x: int): pass\n", "an annotation"),
        ("def f() -> int: pass\n", "an annotation"),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n", "nonlocal"),
        ("def f(): yield from x\n", "yield from"),
        ("async def f(): pass\n", "async"),
        ("if (x := 1): pass\n", ":="),
        ("def f(*, x): pass\n", "a keyword-only parameter"),
        ("def f(x, /): pass\n", "a keyword-only parameter"),
        ("raise E from None\n", "raise ... from"),
        ("class A(metaclass=M): pass\n", "a metaclass"),
        ("a, *b = c\n", "a starred target"),
        ("super().f()\n", "super() without arguments"),
        ("print(x, end='')\n", "print(..., keyword=)"),
        ("f(*x)\n", None),
        ("super(A, self).f()\n", None),
        ("super(x=1).f()\n", None),
        ("def super(): pass\nsuper().f()\n", None),
        ("from __future__ import print_function\nprint(x, end='')\n", None),
        ("print(x)\n", None),
        ("def print(**k): pass\nprint(a=1)\n", None),
        ("raise E\n", None),
        ("class A(M): pass\n", None),
        ("def f(x, *y, **z): pass\n", None),
    ],
)
def test_what_only_python_3_has(text, said):
    lines = [
        what
        for what, _ in signs.of_python3(
            Module(f"pass\n{text}" if "__future__" not in text else text)
        )
    ]
    assert lines == ([] if said is None else [said])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("open(p, 'w', encoding='utf-8')\n", "open(encoding=)"),
        ("open(p, newline='')\n", "open(newline=)"),
        ("from __future__ import print_function\nprint(x, flush=True)\n", "print(flush=)"),
        ("import os\nos.makedirs(p, exist_ok=True)\n", "os.makedirs(exist_ok=)"),
        ("import time\ntime.perf_counter()\n", "time.perf_counter"),
        ("from functools import lru_cache\n", "functools.lru_cache"),
        ("import urllib.request\n", "urllib.request"),
        ("from urllib import request\n", "urllib.request"),
        ("from collections.abc import Mapping\n", "collections.abc"),
        ("from io import open\nopen(p, encoding='utf-8')\n", None),
        ("from io import *\nopen(p, encoding='utf-8')\n", None),
        ("import io\nio.open(p, encoding='utf-8')\n", None),
        ("import codecs\ncodecs.open(p, encoding='utf-8')\n", None),
        ("from six.moves.urllib import request\n", None),
        ("from builtins import range\n", None),
        ("try:\n  import urllib.request\nexcept ImportError:\n  import urllib2\n", None),
        ("import sys\nif sys.version_info[0] > 2:\n  open(p, encoding='utf-8')\n", None),
        ("import os\nos.makedirs(p)\nopen(p, 'w')\nprint(x)\n", None),
    ],
)
def test_what_only_python_3_gets_by(text, said):
    assert [what for what, _ in signs.met_by_python3(Module(text))] == ([said] if said else [])


def test_signs_of_python_3_in_order():
    text = "x = [f'{y}', f'{z}']\nprint(1, sep='')\nw: int\n"
    assert signs.of_python3(Module(text)) == [
        ("an f-string", 1),
        ("print(..., keyword=)", 2),
        ("an annotation", 3),
    ]


LOAD, DUMP = (f"pickle.{name} and a file of text" for name in ("load", "dump"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = pickle.load(open(p))\n", [(LOAD, 2)]),
        ("x = pickle.load(open(p, 'r'))\n", [(LOAD, 2)]),
        ("x = pickle.load(file=open(p, mode='rU'))\n", [(LOAD, 2)]),
        ("with open(p) as f:\n    x = pickle.load(f)\n", [(LOAD, 3)]),
        ("f = open(p, 'w')\npickle.dump(x, f, 2)\n", [(DUMP, 3)]),
        ("pickle.dump(x, open(p, 'wb'))\n", []),
        ("x = pickle.load(open(p, 'rb'))\n", []),
        ("x = pickle.load(open(p, mode))\n", []),
        ("x = pickle.load(open(p, encoding='latin1'))\n", []),
        ("x = pickle.load(gzip.open(p))\n", []),
        ("open = f\nx = pickle.load(open(p))\n", []),
        ("f = open(p)\nf = open(p, 'rb')\nx = pickle.load(f)\n", []),
        ("def g(f):\n    return pickle.load(f)\n", []),
        ("for f in open(p):\n    x = pickle.load(f)\n", []),
        ("pickle.dumps(open(p))\n", []),
        ("if sys.version_info[0] < 3:\n    x = pickle.load(open(p))\n", []),
        ("try:\n    x = pickle.load(open(p))\nexcept TypeError:\n    pass\n", []),
    ],
)
def test_a_pickle_in_a_file_of_text(text, found):
    assert signs.of_python2(Module(f"import pickle\n{text}")) == found
    for home in ("import cPickle as pickle", "from six.moves import cPickle as pickle"):
        signs_found = signs.of_python2(Module(f"{home}\n{text}"))
        assert [sign for sign in signs_found if not sign[0].startswith("import")] == found


@pytest.mark.parametrize("opener", ["tf.gfile.Open", "tf.gfile.GFile", "tf.gfile.FastGFile"])
def test_a_pickle_in_a_gfile_of_text(opener):
    """TensorFlow 0.12 to 1.8 raise for Python 3; a gfile takes a pickle whatever its mode."""
    front = "import pickle, tensorflow as tf\n"
    with_it = f"with {opener}(p, 'r') as f:\n    x = pickle.load(f)\n"
    assert signs.of_python2(Module(front + with_it)) == [(LOAD, 3)]
    assert signs.of_python2(Module(f"{front}x = pickle.load({opener}(p))\n")) == [(LOAD, 2)]
    for text in (f"x = pickle.load({opener}(p, 'rb'))\n", f"pickle.dump(x, {opener}(p, 'w'))\n"):
        assert signs.of_python2(Module(front + text)) == []


@pytest.mark.parametrize("name", ["keys", "values", "items"])
def test_a_view_that_is_indexed(name):
    sign = f".{name}() as a list"
    text = f"x = d.{name}()[0]\ny = load(p).{name}()[:2]\n"
    assert signs.of_python2(Module(text)) == [(sign, 1), (sign, 2)]
    assert signs.run_by_python2(Module(text), as_program=True) == [], "some objects give lists"
    for use in ("y[0]", "y.sort()", "random.shuffle(y)", "y + [1]", "[1] + y"):
        assert signs.of_python2(Module(f"import random\ny = d.{name}()\n{use}\n")) == [(sign, 3)]
    assert signs.of_python2(Module(f"y = d.{name}()\nlen(y), y.more()\n")) == []
    for other in (
        f"x = list(d.{name}())[0]\n",
        f"x = d.{name}(a)[0]\n",
        f"x = y[d.{name}()]\n",
        f"{PANDAS}x = d.{name}()[0]\n",
        f"class D:\n    def {name}(self): pass\nd.{name}()[0]\n",
    ):
        assert signs.of_python2(Module(other)) == []


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("f(**a, b=1)\n", "an argument after **"),
        ("f(**a, **b)\n", "an argument after **"),
        ("f(*a, b)\n", "an argument after *"),
        ("x = {**a}\n", "** in a dict"),
        ("y = a @ b\n", "@"),
    ],
)
def test_what_python_2_cannot_parse(text, what):
    assert signs.of_python3(Module(text)) == [(what, 1)]


@pytest.mark.parametrize("text", ["f(b=1, **a)\n", "f(a, *b, c=1, **d)\n", "@a\ndef f(): pass\n"])
def test_arguments_that_both_can_parse(text):
    assert signs.of_python3(Module(text)) == []


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"x = 1\n\n# \xc3\xa9\n", 3),
        (b"# coding: utf-8\n# \xc3\xa9\n", 0),
        (b"#!/usr/bin/python\n# -*- coding: utf8 -*-\n# \xc3\xa9\n", 0),
        (b"\xef\xbb\xbf# \xc3\xa9\n", 0),
        (b"x = 1\n", 0),
    ],
)
def test_python_2_reads_no_text_beyond_ascii_without_an_encoding(tmp_path, data, line):
    path = tmp_path / "a.py"
    path.write_bytes(data)
    text = data.decode("utf-8-sig")
    found = signs.undeclared(text, str(path))
    assert found == ([("text that is not ASCII, without an encoding", line)] if line else [])
    assert signs.undeclared(text, str(tmp_path / "gone.py")) == []
    assert signs.undeclared(text, "<stdin>") == []


_READ = "decode() of text that was read"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("with open(n, 'rt') as f:\n  for l in f:\n    l = l.decode('utf-8')\n", 3),
        ("x = open(p).read().decode('utf8')\n", 1),
        ("f = open(p)\nfor l in f.readlines():\n  l.decode('utf8')\n", 3),
        ("f = open(p, 'rb')\nfor l in f:\n  l.decode('utf8')\n", 0),
        ("for l in open(p, encoding='utf8'):\n  l.decode('utf8')\n", 0),
        ("l = f.read()\nl.decode()\n", 0),
        ("try:\n  x = open(p).read().decode('u')\nexcept E: pass\n", 0),
    ],
)
def test_text_that_was_read_is_decoded_in_python_2_alone(text, line):
    assert signs.of_python2(Module(text)) == ([(_READ, line)] if line else [])
