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


def test_a_long_text_is_joined_of_pieces():
    text = "".join(map(str, range(200)))
    names: dict = {}
    laid_out = layout.laid_out(f"x = {text!r}")
    exec(laid_out, names)
    assert names["x"] == text
    assert max(map(len, laid_out.splitlines())) <= 100
