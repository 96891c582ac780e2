"""Single cases of rules: what stands beside something that a rule leaves alone is still changed."""

import pytest

from tfqueue.port.program import written_for as program
from tfqueue.port.program.written_for import WrittenFor
from tfqueue.port.rules import engine


def translated(text):
    written_for = program.WrittenFor(python2=True)
    return engine.translate(text, "program.py", written_for=written_for).text


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


@pytest.mark.parametrize(
    ("beside", "helped"),
    [
        ("", True),
        ("def start(s):\n    s.run(tf.initialize_local_variables())\n", False),
        ("supervisor = tf.train.Supervisor\n", False),
    ],
)
def test_epochs_that_a_module_beside_counts_are_initialised(tmp_path, beside, helped):
    inputs = "def names():\n    return tf.train.string_input_producer(['a'], num_epochs=2)\n"
    (tmp_path / "inputs.py").write_text(f"import tensorflow as tf\n{inputs}{beside}")
    program = tmp_path / "program.py"
    before = "import tensorflow as tf\nimport inputs\ni = tf.initialize_all_variables()\n"
    program.write_text(before)
    after = engine.translate(before, str(program)).text
    assert ("tf.local_variables_initializer()" in after) == helped


def test_a_sum_of_a_sessions_numbers_is_shown_as_a_number():
    """What one rule has put in the place of `+=` is seen by the next: an array of one number is shown."""
    before = "import tensorflow as tf\nx = 0.\n_, y = sess.run(f)\nx += y\nprint('%.5f' % x)\n"
    after = engine.translate(before, "program.py").text
    assert "x = np_iadd(x, y)\nprint('%.5f' % scalar(x))\n" in after


def test_a_finding_has_its_column_behind_a_line_that_was_translated():
    text = "print 'a'\nmap_of = len(map(f, [1]))\n"
    found = engine.translate(text, "program.py", written_for=WrittenFor(python2=True)).findings
    assert [(one.line, one.col) for one in found] == [(1, 1), (1, 1), (2, 14)]
