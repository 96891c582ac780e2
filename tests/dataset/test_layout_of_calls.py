"""Where a long expression of a written program is broken over lines."""

import ast
import subprocess
import sys

import pytest

from tfqueue.dataset import layout

LONG = "a" * 30


@pytest.mark.parametrize(
    "text",
    [
        f"x = call({LONG}, {LONG}, {LONG}, key={LONG})",  # too long even for a line of its own
        f"x = call({LONG[2:]}, {LONG[2:]}, key={LONG[2:]})",  # its arguments fit into a line
        f"x = [{LONG}, {LONG}, {LONG}]",
        f"x = {{1: {LONG}, 2: {LONG}, 3: {LONG}}}",
        "x = call(1)",
        f"x = {LONG * 4}",
        f"x = {10**110}",
        f"x = call({LONG * 3}, 'short', {LONG})",
        "x = a[1:2:3, b[::2], c[:, None], [1, 2], []]",
        "x = a[..., 1], (a,), (1, 2), [(1, 2)], {1: (2,)}, -a, a.b[0](**c), call(*a, b=1)",
        f"x = ({LONG}, {LONG}, {LONG}, {LONG})",
        f"x = call(({LONG}, {LONG}), ({LONG}, ({LONG}, {LONG})))",
        f"x = call(*[{LONG}, {LONG}], **{{1: {LONG}, 2: {LONG}}})",
        f"x = call(lambda a, *b: other({LONG}, {LONG}, {LONG}, a={LONG}), lambda: 1)",
        f"x = call({LONG * 4})",
        f"x = call([{LONG}, {LONG}, {LONG}, {LONG}])",
        f"x = call(key=({LONG}, {LONG}, {LONG}, {LONG}), other=({LONG}, {LONG}))",
        f"x = call(call(key=[{LONG}, {LONG}, {LONG}, {LONG}]))",
        f"x = {{'a': {LONG}, 'b': ({LONG}, {LONG}), 'c': [{LONG}]}}",
        f"x = call(key={{'a': [{LONG}, {LONG}], b'b': ({LONG}, {LONG})}})",
        r"""x = ['a\'b', 'a"b', 'a', b'a', b'\x00"', 'a\'"b', 'a\'\'"b']""",
        "x = {'a': b'a'} if 'a' in b['c'] else ['d' + e]",
        f"x = call({LONG[1:]}, {LONG}, {LONG[:28]})",  # 100 characters
        f"x = call({LONG[1:]}, {LONG}, {LONG[:29]})",
        f"x = longer_call({LONG}, {LONG}, {LONG}aa)",  # 100 characters behind four blanks
        f"x = longer_call({LONG}, {LONG}, {LONG}aaa)",
        '"""A docstring."""\nimport a\nimport b\nx = 1\ny = 2',
        '"""A docstring."""\nx = 1',
        "import a\nfrom b import c\ndef f(): return a\ndef g(x): return x\ny = 1",
        "@a.b\n@c(1)\ndef f(x, *, y): return x",
        "def f(x, *y, z):\n  a = 1\n  def g(*b): return b\n  c = g(a)\n  return c",
        "def f(x):\n  with a.b('c'):\n    d = 1\n    e = 2\n  return d, e",
        f"def f({LONG}, {LONG}b, *, {LONG}c): return 1",
        f"def f({LONG}, {LONG}b, *, {LONG}c, d, e): return 1",
        f"def f({LONG}, {LONG}b, *, {LONG}c, {LONG}d): return 1",
        f"def f(a):\n  with call({LONG}, {LONG}, {LONG}):\n    return {LONG}, {LONG}, {LONG}, [a]",
    ],
)
def test_it_is_laid_out_as_ruff_does(text):
    laid_out = layout.laid_out(text)
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "100", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert laid_out == done.stdout


def test_a_docstring_of_any_letters():
    text = 'a \\ and a "quote", größe, \x1b and \u202e'
    laid_out = layout.laid_out(f"{text!r}\nx = 1")
    assert ast.get_docstring(ast.parse(laid_out), clean=False) == text
    assert laid_out.startswith('"""a')
    assert "größe" in laid_out
    assert "\x1b" not in laid_out
    assert "\u202e" not in laid_out


TEXT = "".join(map(str, range(200)))


@pytest.mark.parametrize("text", [TEXT, TEXT.encode()])
def test_a_long_text_is_joined_of_pieces(text):
    names: dict = {}
    laid_out = layout.laid_out(
        f"x = {text!r}\ny = [{text!r}]\nz = dict(a={text!r}, b={{1: {text!r}}})"
    )
    exec(laid_out, names)
    assert (names["x"], names["y"], names["z"]) == (text, [text], {"a": text, "b": {1: text}})
    assert max(map(len, laid_out.splitlines())) <= 100
    lines = [line.strip(" ,") for line in laid_out.splitlines()]
    pieces = [ast.literal_eval(line) for line in lines if line.endswith('"')]
    assert [len(piece) for piece in pieces if len(piece) > 2] == 4 * [*[60] * 8, 10]


@pytest.mark.parametrize(("length", "is_joined"), [(74, False), (75, True)])
def test_which_texts_fit_wherever_they_stand(length, is_joined):
    for text in ("a" * length, b"a" * (length - 1)):
        assert (".join(" in layout.laid_out(f"x = {text!r}")) is is_joined
