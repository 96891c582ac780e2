"""What of a module runs whenever the module is run."""

import ast

import pytest

from tfqueue.port.program import reach
from tfqueue.port.program.module import Module


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("with tf.Session() as sess:\n  xrange(3)\n", True),
        ("with suppress(NameError):\n  xrange(3)\n", False),
        ("with contextlib.suppress(NameError), tf.Session():\n  xrange(3)\n", False),
        ("with pytest.raises(NameError):\n  xrange(3)\n", False),
        ("class Quiet:\n  pass\nwith Quiet():\n  xrange(3)\n", False),
        ("def quiet():\n  pass\nwith open(quiet()):\n  xrange(3)\n", False),
        ("try:\n  xrange(3)\nfinally:\n  pass\n", True),
        ("try:\n  xrange(3)\nexcept tf.errors.OutOfRangeError:\n  pass\n", True),
        ("try:\n  xrange(3)\nexcept (IOError, KeyError):\n  pass\n", True),
        ("try:\n  xrange(3)\nexcept:\n  pass\n", False),
        ("try:\n  xrange(3)\nexcept (IOError, Exception) as error:\n  pass\n", False),
        ("try:\n  xrange(3)\nexcept StandardError:\n  pass\n", False),
        ("def f():\n  xrange(3)\ntry:\n  f()\nexcept NameError:\n  pass\n", False),
    ],
)
def test_what_stands_in_a_block_that_drops_errors_may_not_run(text, runs):
    found = reach.nodes(Module(text), as_program=True)
    assert any(isinstance(node, ast.Name) and node.id == "xrange" for node in found) == runs
