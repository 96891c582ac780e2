"""Python 2's syntax, part by part, and what cannot be read."""

import pytest

from tfqueue.port.source import python2_syntax as syntax


@pytest.mark.parametrize(
    ("default", "more"),
    [
        ("[1, 2]", "b={3: 4, 5: 6}"),
        ("','", "b"),
        ('",("', "b"),
        ("'\"'", "b"),
        ('"\'"', "b"),
        (r"'\''", "b=1"),
        ("')'", "b=f(c=1)"),
        ("lambda x, y=1: x", "*b"),
    ],
)
def test_parameters_are_divided_at_their_commas(default, more):
    found = syntax.convert(f"f = lambda a={default}, (c, d)=(1, 2), {more}: a\n")[0]
    assert found == f"f = lambda a={default}, tfq_2=(1, 2), {more}: (lambda c, d: a)(*tfq_2)\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f = lambda (a, b): a\n", "f = lambda tfq_1: (lambda a, b: a)(*tfq_1)\n"),
        ("f = lambda x, (a, b)=(1, 2): a\n", "f = lambda x, tfq_2=(1, 2): (lambda a, b: a)(*tfq_2)\n"),
        (
            "f = lambda (a, (b, c)): a\n",
            "f = lambda tfq_1: (lambda a, tfq_in_2: (lambda b, c: a)(*tfq_in_2))(*tfq_1)\n",
        ),
        ("f = lambda (a): a; print\n", "f = lambda a: a; print()\n"),
        ("f = lambda ((a)): a; print\n", "f = lambda a: a; print()\n"),
        ("f = lambda (a,): a; print\n", "f = lambda tfq_1: (lambda a: a)(*tfq_1); print()\n"),
        ("f = lambda x=',(': x; print\n", "f = lambda x=',(': x; print()\n"),
        ("f = lambda *a, **k: a; print\n", "f = lambda *a, **k: a; print()\n"),
        ("print 1\nx = 2", "print(1)\nx = 2"),
        ("'x'; from __future__ import print_function\nprint(07, file=f)\n",
         "'x'; from __future__ import print_function\nprint(0o7, file=f)\n"),
        ("from __future__ import print_function\nexec 'x'\n", "from __future__ import print_function\nexec('x')\n"),
        ("x = u'\\u0041' + '\\u0041'; print\n", "x = u'\\u0041' + '\\\\u0041'; print()\n"),
        ("x = '\\\\u0041\\N{DASH}\\U'; print\n", "x = '\\\\u0041\\\\N{DASH}\\\\U'; print()\n"),
        ("x = '\\xc3\\xa9\\x41'; print\n", "x = '\\u00e9\\x41'; print()\n"),
        ("x = '\\303\\251\\xff'; print\n", "x = '\\u00e9\\udcff'; print()\n"),
        ("x = '\\xf0\\x9f\\x98\\x80'; print\n", "x = '\\U0001f600'; print()\n"),
        ("x = '\\xef\\xbf\\xbd\\xf0\\x90\\x80\\x80'; print\n", "x = '\\ufffd\\U00010000'; print()\n"),
        ("x = b'\\xc3\\u', r'\\u', ur'\\d', UR'''\\d'''; print\n", "x = b'\\xc3\\u', r'\\u', r'\\d', r'''\\d'''; print()\n"),
        (
            "from __future__ import unicode_literals\nx = '\\u0041\\xc3'; print 1\n",
            "from __future__ import unicode_literals\nx = '\\u0041\\xc3'; print(1)\n",
        ),
        ("try: pass\nexcept A, e: pass\nexcept B: pass\nexcept C as d: pass\nexcept E, (f, g): x\n",
         "try: pass\nexcept A as e: pass\nexcept B: pass\nexcept C as d: pass\n"
         "except E as tfq_caught_1: (f, g) = tfq_caught_1.args; x\n"),
        ("try: pass\nexcept A, (b, c):\n    x\nexcept E, (f, g): x\n",
         "try: pass\nexcept A as xxx_todo_changeme:\n    (b, c) = xxx_todo_changeme.args\n    x\n"
         "except E as tfq_caught_1: (f, g) = tfq_caught_1.args; x\n"),
        ("try: pass\nexcept E as (f, g): x\nexcept E as [h]:\n    x\n",
         "try: pass\nexcept E as tfq_caught_1: (f, g) = tfq_caught_1.args; x\n"
         "except E as xxx_todo_changeme:\n    [h] = xxx_todo_changeme.args\n    x\n"),
    ],
)  # fmt: skip
def test_what_becomes_of_it(before, after):
    assert syntax.convert(before)[0] == after


def test_findings_have_their_places():
    text = "x = 1\nprint x; y = 0777\nf = lambda (a, b): a\nx = '\\u'\nif 1:\n    raise E, 'm'\n"
    _, found, lines = syntax.convert(text)
    assert sorted((one.rule, one.line, one.col) for one in found) == [
        ("py2-numbers", 2, 14),
        ("py2-parameters", 3, 5),
        ("py2-print", 2, 1),
        ("py2-raise", 6, 5),
        ("py2-text", 4, 5),
    ]
    assert all(one.changed for one in found)
    assert lines[:6] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("print 1\n", [1, 2]),
        ("\n\nprint '''a\nb\nc'''\nx\n", [1, 1, 3, 4, 5, 6, 7]),
        ("try: pass\nexcept A, (b, c):\n    x\ny\n", [1, 2, 3, 3, 4, 5]),
        ("x = (1,\n  # two\n  2); print\ny\n", [1, 1, 3, 4, 5]),
    ],
)
def test_each_line_knows_its_old_one(text, lines):
    assert syntax.convert(text)[2] == lines


@pytest.mark.parametrize(
    ("text", "line"), [("x = (\n", 1), ("def f(:\n", 3), ("print 1\nx = = 2\n", 0)]
)
def test_what_is_neither(text, line):
    error = SyntaxError("why")
    error.lineno = line or None
    with pytest.raises(syntax.NotPython2) as caught:
        syntax.convert(text, error)
    assert caught.value.line == line
    assert caught.value.reason == "can't be parsed, neither as Python 3 nor as Python 2: why"
    assert str(caught.value) == caught.value.reason


def test_what_is_nested_too_deeply(monkeypatch):
    def deep(*_):
        raise RecursionError

    monkeypatch.setattr(syntax, "_strings", deep)
    with pytest.raises(syntax.NotPython2, match="is nested too deeply to be parsed") as caught:
        syntax.convert("print 1\n")
    assert caught.value.line == 0


def test_without_a_library_it_says_what_to_install(monkeypatch):
    def absent(name):
        raise ImportError(name)

    monkeypatch.setattr(syntax.importlib, "import_module", absent)
    syntax._library.cache_clear()
    try:
        with pytest.raises(syntax.NotPython2, match=r"pip install 'tfqueue\[port\]'") as caught:
            syntax.convert("print 1\n")
    finally:
        syntax._library.cache_clear()
    assert caught.value.line == 0


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from __future__ import a\n", "a"),
        ("x = 1\nfrom __future__ import a, b\nfrom __future__ import c\n", "a b c"),
        ("from __future__ import (a,\n  b)\n", "a b"),
        ("from __future__ import a, \\\n  b\nc\n", "a b"),
        ("  from __future__ import a\n", ""),
        ("from __future__ import a # b\n", "a"),
        ("from __future__ import a # b\nfrom __future__ import (c, # d\n e)\n", "a c e"),
    ],
)
def test_names_from_the_future(text, names):
    assert sorted(syntax.future_of(text)) == names.split()


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("if a:\n\tb\n        c\n", "if a:\n        b\n        c\n"),
        ("if a:\n  \tb\n", "if a:\n        b\n"),
        ("if a:\n\tb = 'c\td'\t# e\n", "if a:\n        b = 'c\td'\t# e\n"),
        ("if a:\n\tb = '''\n\tc\n\t'''\n\td\n", "if a:\n        b = '''\n\tc\n\t'''\n        d\n"),
    ],
)
def test_tabs_that_indent_are_eight_columns(text, after):
    assert syntax.detab(text) == after


def test_tabs_are_told_where_they_were():
    error = TabError("inconsistent")
    error.lineno = 3
    new, found, _ = syntax.convert("if a:\n\tb\n        c\n", error)
    assert new == "if a:\n        b\n        c\n"
    assert [(one.rule, one.line, one.col, one.changed) for one in found] == [
        ("py2-tabs", 3, 1, True)
    ]
    assert syntax.convert("if a:\n        c\n", error)[1] == []
