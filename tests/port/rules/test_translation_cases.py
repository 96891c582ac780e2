"""Single cases of rules: what stands beside something that a rule leaves alone is still changed."""

import pytest

from tfqueue.port.program import verdict as program
from tfqueue.port.rules import engine


def translated(text):
    verdict = program.Verdict(python2=True)
    return engine.translate(text, "program.py", verdict=verdict).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = (7 - 2) / 2\n", "x = (7 - 2) // 2\n"),
        ("x = 1 + 6 / 4\n", "x = 1 + 6 // 4\n"),
        ("x = (2 - 3) / (1 + 1)\n", "x = (2 - 3) // (1 + 1)\n"),
        ("x = 1.0 / 2\n", "x = 1.0 / 2\n"),
        ("x = 3 / 2.0\n", "x = 3 / 2.0\n"),
    ],
)
def test_whole_numbers_are_divided_as_python_2_did(before, after):
    assert translated(before) == after


@pytest.mark.parametrize(
    "first", ["a < b", "a < b < c", "a is b is c", "type(a) == type(b) == c", "a == 'Tensor'"]
)
def test_a_class_is_compared_behind_a_comparison_of_another_kind(first):
    before = f"import tensorflow as tf\ny = {first}\nx = type(v) is tf.Variable\nold = tf.pack\n"
    after = engine.translate(before, "program.py").text
    assert "class_of(v)" in after
    assert f"y = {first}\n" in after
