"""What is said of a program: its Python, its TensorFlow, and why."""

import pytest

from tfqueue.port.program import facts, written_for
from tfqueue.port.program.era import Era
from tfqueue.port.program.era import parse as parsed_era
from tfqueue.port.program.module import Module
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.source.parsing import parse

ERA = Era((1, 4), (1, 4), given=True)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (WrittenFor(), "Python 3 (a guess); any TensorFlow before 2"),
        (WrittenFor(True, why=("a", "b")), "Python 2 (a guess): a, b; any TensorFlow before 2"),
        (
            WrittenFor(True, why=tuple("abcde"), proven=True),
            "Python 2: a, b, c, d; any TensorFlow before 2",
        ),
        (
            WrittenFor(True, why=("a",), given=True),
            "Python 2: set by --python; any TensorFlow before 2",
        ),
        (WrittenFor(era=ERA, proven=True), "Python 3; TensorFlow 1.4: set by --era"),
    ],
)
def test_it_is_said(found, said):
    assert str(found) == said


def test_what_the_user_says_takes_its_place():
    old = WrittenFor(True, why=("a",), proven=True)
    assert old.overridden(None, None) == old
    new = old.overridden(3, ERA)
    assert (new.python2, new.why, new.given, new.guessed, new.era) == (False, (), True, False, ERA)
    assert old.overridden(2, None).python2
    assert old.overridden(None, ERA) == WrittenFor(True, ERA, ("a",), proven=True)


def of(text):
    return facts.of_parsed(parse(text, "program.py"))


def test_what_keras_3_refuses_shows_a_program_for_tensorflow_1():
    text = "from keras.optimizers import Adam\nAdam({}=1)\n"
    shown = [
        written_for.of_parsed(parse(text.format(name))).era.shown
        for name in ("lr", "learning_rate")
    ]
    assert shown == [True, False]


@pytest.mark.parametrize(
    ("text", "hard", "soft", "python3"),
    [
        ("print 'a'\n", (("`print`", 1),), (), ()),
        ("exec x\nprint 'a'\n", (("`exec`", 1), ("`print`", 2)), (), ()),
        ("xrange(2)\n", (), (("xrange", 1),), ()),
        ("import cPickle\n", (("import cPickle", 1),), (("import cPickle", 1),), ()),
        ("if x: import cPickle\n", (("import cPickle", 1),), (("import cPickle", 1),), ()),
        ("def f():\n    import cPickle\n", (), (("import cPickle", 2),), ()),
        ("print\n", (("the print statement", 1),), (("the print statement", 1),), ()),
        ("x = f'{y}'\n", (), (), (("an f-string", 1),)),
        ("x = f'{y}'\nimport cPickle\n", (), (("import cPickle", 2),), (("an f-string", 1),)),
        ("x = f'{y}'\nprint\n", (("the print statement", 2),), (("the print statement", 2),), ()),
        ("from tfqueue.port.py2 import div\nxrange(2)\nx = f'{y}'\n", (), (), ()),
    ],
)
def test_what_a_file_shows(text, hard, soft, python3):
    found = of(text)
    if text.startswith("if x"):
        hard = ()
    assert (found.hard, found.soft, found.python3) == (hard, soft, python3)


def test_what_a_file_shows_stands_at_the_users_lines():
    found = of("print '''a\nb'''\nimport tensorflow as tf\ntf.pack(x); xrange(2)\nimport base\n")
    assert found.era == (("tf.pack", 4, (0, 5), (0, 12)),)
    assert found.soft == (("xrange", 4),)
    assert found.run == found.run_as_program == (("xrange", 4),)
    assert found.bare == (("tensorflow", 3), ("base", 5))
    assert found.imports == ((0, "tensorflow"), (0, "base"))
    assert found.two == (False, True)


def test_imports_that_run():
    found = of(
        "import a.b, c\nfrom d import e, f\nfrom . import g\nfrom ..h import i\n"
        "if x: import j\nif __name__ == '__main__': import k\n"
    )
    assert sorted(found.imports) == [
        *((0, name) for name in ("a.b", "c", "d", "d.e", "d.f", "k")),
        *((1, "g"), (2, "h"), (2, "h.i")),
    ]
    assert found.bare == (("a.b", 1), ("c", 1), ("d", 2))


def test_a_file_that_cannot_be_read_shows_nothing(tmp_path):
    assert facts.of_file(str(tmp_path / "none.py")) == facts.Facts()
    assert facts.stamp(str(tmp_path / "none.py")) == ()
    path = tmp_path / "a.py"
    path.write_text("import b\n")
    assert facts.of_file(str(path)).bare == (("b", 1),)
    assert facts.stamp(str(path))[1] == 9
    path.write_text("import longer\n")
    assert facts.of_file(str(path)).bare == (("longer", 1),)


@pytest.mark.parametrize(
    ("files", "python2", "why", "proven"),
    [
        ({"main": "print 1\n"}, True, ("`print` (main.py:1)",), True),
        ({"main": "print(1),\n"}, True, ("a comma behind print() (main.py:1)",), False),
        ({"main": "print(1),\nx = f'{y}'\n"}, False, ("an f-string (main.py:2)",), True),
        (
            {"main": "import lib\nprint(1, 2)\n", "lib": "print(1),\n"},
            False,
            ("print(a, b) (main.py:2)",),
            False,
        ),
        (
            {"main": "#!/usr/bin/env python3\nprint(1),\n"},
            False,
            ("#!/usr/bin/env python3 (main.py:1)",),
            True,
        ),
        (
            {"main": "import lib\nprint(1, 2)\n", "lib": "print(1),\nxrange(2)\n"},
            True,
            ("xrange (lib.py:2)", "a comma behind print() (lib.py:1)"),
            True,
        ),
        (
            {"main": "#!/usr/bin/env python2\nprint(1),\nprint(1, 2)\n"},
            True,
            ("a comma behind print() (main.py:2)",),
            False,
        ),
        (
            {"main": "import lib\n", "lib": "print 1\nxrange(2)\n"},
            True,
            ("`print` (lib.py:1)", "xrange (lib.py:2)"),
            True,
        ),
        (
            {"main": "import lib\nx = f'{y}'\n", "lib": "print 1\n"},
            False,
            ("an f-string (main.py:2)",),
            True,
        ),
        (
            {"main": "import lib\nprint 1\n", "lib": "x = f'{y}'\n"},
            True,
            ("`print` (main.py:2)",),
            True,
        ),
        (
            {"main": "import lib, lob\n", "lib": "x = f'{y}'\n", "lob": "print 1\n"},
            True,
            ("`print` (lob.py:1)",),
            True,
        ),
        (
            {"main": "def f(): xrange(2)\nunicode(3)\n"},
            True,
            ("unicode (main.py:2)", "xrange (main.py:1)"),
            True,
        ),
        ({"main": "def f(): xrange(2)\n"}, True, ("xrange (main.py:1)",), False),
        ({"main": "x = 1\n"}, False, (), False),
        (
            {"main": "#!/usr/bin/env python3\nx = 1 / 2\n"},
            False,
            ("#!/usr/bin/env python3 (main.py:1)",),
            True,
        ),
        (
            {"main": "import lib\n", "lib": "def f(d): os.makedirs(d, exist_ok=True)\nimport os\n"},
            False,
            ("os.makedirs(exist_ok=) (lib.py:1)",),
            False,
        ),
        ({"main": "import lib\n", "lib": "import asyncio\n"}, False, ("asyncio (lib.py:1)",), True),
        (
            {"main": "from future import standard_library\nimport urllib.parse\n"},
            False,
            ("urllib.parse (main.py:2)",),
            False,
        ),
        (
            {"main": "open(x, encoding='utf-8')\ndef f(): xrange(2)\n"},
            False,
            ("open(encoding=) (main.py:1)",),
            True,
        ),
        (
            {"main": "def f(): open(x, encoding='utf-8')\ndef g(): xrange(2)\n"},
            True,
            ("xrange (main.py:2)",),
            False,
        ),
        (
            {"main": "#!/usr/bin/python2.7\nx = 1 / 2\n"},
            True,
            ("#!/usr/bin/python2.7 (main.py:1)",),
            False,
        ),
        ({"main": "import asyncio\n", "asyncio": ""}, False, (), False),
        # the first line of a module says nothing: nobody runs it
        ({"main": "import lib\n", "lib": "#!/usr/bin/python3\n"}, False, (), False),
        ({"main": "#!/opt/python3/bin/python\n"}, False, (), False),
        (  # not read by a shell, and yet it says for whom it is
            {"main": "# -*- coding: utf-8 -*-\n# /usr/bin/python2\n\nx = 1 / 2\n"},
            True,
            ("# /usr/bin/python2 (main.py:2)",),
            False,
        ),
        ({"main": "# /usr/bin/python3\nx = 1 / 2\n"}, False, (), False),
        ({"main": "# see /usr/bin/python2\nx = 1 / 2\n"}, False, (), False),
        ({"main": "x = 1 / 2\n#/usr/bin/python2\n"}, False, (), False),
        (
            {"main": "#!/usr/bin/python3\n#/usr/bin/python2\n"},
            False,
            ("#!/usr/bin/python3 (main.py:1)",),
            True,
        ),
        ({"main": "#!/usr/bin/env python\nx = 1 / 2\n"}, False, (), False),
        (
            {"main": "import Queue, cPickle\n", "Queue": ""},
            True,
            ("import cPickle (main.py:1)",),
            True,
        ),
        ({"main": "from Queue import x\n", "Queue": "x = 1\n"}, False, (), False),
    ],
)
def test_why(files, python2, why, proven, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    found = written_for.of_file(str(tmp_path / "main.py"))
    assert (found.python2, found.why, found.proven) == (python2, why, proven)


def test_the_tensorflow_of_all_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.py").write_text("import lib\nimport tensorflow as tf\ntf.pack(x)\n")
    (tmp_path / "lib.py").write_text("import tensorflow as tf\ntf.mul(x, y)\n")
    found = written_for.of_file(str(tmp_path / "main.py")).era
    assert found.why == ("tf.mul in lib.py (line 2)", "tf.pack (line 3)")
    (tmp_path / "lib.py").write_text("import tensorflow as tf\ntf.function(f)\n")
    assert not written_for.of_file(str(tmp_path / "main.py")).era.two
    (tmp_path / "main.py").write_text("import lib\n")
    found = written_for.of_file(str(tmp_path / "main.py"))
    assert (found.era.two, found.python2, found.proven) == (True, False, False)


def test_a_module_is_old_where_its_program_is(tmp_path, monkeypatch):
    """Also one that imports no TensorFlow, in a program whose names may be of any release."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "main.py").write_text("import lib\nimport tensorflow as tf\n")
    (tmp_path / "lib.py").write_text("import numpy as np\n")
    era = written_for.of_file(str(tmp_path / "main.py")).era
    assert (era.shown, era.shows_tensorflow_1, era.decided) == (True, True, False)
    assert Module("import numpy\n", era=era).is_old
    assert written_for.of_file(str(tmp_path / "lib.py")).era.shown  # it is main.py's
    (tmp_path / "main.py").write_text("import lib\nimport tensorflow as tf\ntf.function(f)\n")
    assert not written_for.of_file(str(tmp_path / "main.py")).era.shown
    assert parsed_era("1.4").shown


@pytest.mark.parametrize(
    ("other", "two"), [("print 'done'\n", True), ("def f(*, a): pass\n", False)]
)
def test_what_a_program_beside_it_proves_is_a_guess(tmp_path, other, two):
    """Both import one module: they are likely from one day."""
    (tmp_path / "reader.py").write_text("def count(): return 105\n")
    (tmp_path / "export.py").write_text(f"import reader\n{other}")
    (tmp_path / "train.py").write_text("import reader\nx = reader.count() / 10\n")
    found = written_for.of_file(str(tmp_path / "train.py"))
    assert (found.python2, found.proven) == (two, False)
    (tmp_path / "reader.py").write_text(f"def count(): return 105\n{other}")
    found = written_for.of_file(str(tmp_path / "train.py"))
    assert (found.python2, found.proven) == (two, True)
