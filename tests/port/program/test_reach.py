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


HERE = "here()"


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("here()\n", True),
        ("if a: here()\n", False),
        ("if here(): pass\n", True),
        ("if a: pass\nelse: here()\n", False),
        ("for i in here(): pass\n", True),
        ("for i in x: here()\n", True),
        ("for i in x: pass\nelse: here()\n", False),
        ("while here(): pass\n", True),
        ("while a:\n    here()\n", True),
        ("while a:\n    break\n    here()\n", False),
        ("while a:\n    if b: break\n    here()\n", False),
        ("while a:\n    if b: break\nhere()\n", True),
        ("for i in x:\n    if b: continue\n    here()\n", False),
        ("class A:\n    here()\n", True),
        ("class A(here()): pass\n", True),
        ("@here()\ndef f(): pass\n", True),
        ("def f(x=here()): pass\n", True),
        ("def f(*, x=here()): pass\n", True),
        ("def f(*, y, x=here()): pass\n", True),
        ("async def f(x=here()): pass\n", True),
        ("def f(): here()\n", False),
        ("def f(): here()\nf()\n", True),
        ("def f(): here()\nf(f())\n", True),
        ("def f(): here()\nx = [f() for i in y]\n", True),
        ("def f(): here()\nx = [f() for i in y if i]\n", False),
        ("def f(): here()\nx = {f(): 1 for i in y}\n", True),
        ("def f(): here()\nx = {f(): 1 for i in y if i}\n", False),
        ("def f(): here()\nx = (f() for i in y)\n", False),
        ("x = (i for i in here())\n", True),
        ("x = [i for i in here()]\n", True),
        ("x = {i: i for i in here()}\n", True),
        ("def f():\n    return 1\n    here()\nf()\n", False),
        ("def f():\n    if a: return 1\n    here()\nf()\n", False),
        ("def f():\n    for i in x:\n        return 1\n    here()\nf()\n", False),
        ("def f():\n    def g(): return 1\n    here()\nf()\n", True),
        ("def f():\n    yield 1\n    here()\nf()\n", False),
        ("def f():\n    yield from x\n    here()\nf()\n", False),
        ("@d\ndef f(): here()\nf()\n", False),
        ("def f(): here()\ndef f(): pass\nf()\n", False),
        ("def f(): here()\ng = f\ng()\n", False),
        ("def f():\n    f()\n    here()\nf()\n", True),
        ("class A:\n    def __init__(self): here()\nA()\n", True),
        ("class A:\n    def f(self): here()\nA()\n", False),
        ("class A:\n    def f(self): here()\nA().f()\n", False),
        ("x = a and here()\n", False),
        ("x = here() and a\n", True),
        ("x = here() if a else b\n", False),
        ("x = a if here() else b\n", True),
        ("x = a < here() < b\n", True),
        ("x = a < b < here()\n", False),
        ("x = here() < b\n", True),
        ("x = lambda: here()\n", False),
        ("assert here(), b\n", True),
        ("assert a, here()\n", False),
        ("f(x=here())\n", True),
        ("with here(): pass\n", True),
        ("with a as b:\n    here()\n", True),
        ("try: pass\nfinally: here()\n", True),
        ("try: pass\nexcept E: here()\n", False),
        ("try: here()\nexcept E: pass\n", False),
        ("try: here()\nexcept e.E: pass\n", True),
        ("try: here()\nexcept ValueError: pass\n", True),
        ("try: here()\nexcept (ValueError, e.E): pass\n", True),
        ("try: here()\nexcept (ValueError, E): pass\n", False),
        ("try: here()\nexcept ValueError: pass\nexcept NameError: pass\n", False),
        ("if __name__ == '__main__': here()\n", True),
        ("if '__main__' == __name__: here()\n", True),
        ("if __name__ != '__main__': here()\n", False),
        ("if __name__ == '__main__' == a: here()\n", False),
        ("if __name__ == 'main': here()\n", False),
        ("def main(_): here()\ntf.app.run()\n", True),
        ("def main(_): here()\ntf.app.run(main)\n", True),
        ("def go(_): here()\ntf.app.run(main=go)\n", True),
        ("def main(_): here()\ndef go(_): pass\ntf.app.run(go)\n", False),
        ("def main(_): here()\ntf.app.start()\n", False),
    ],
)
def test_what_runs(text, runs):
    found = reach.nodes(Module(text), as_program=True)
    assert any(isinstance(node, ast.Call) and ast.unparse(node) == HERE for node in found) == runs


def test_the_part_below_main_is_for_the_program():
    module = Module("if __name__ == '__main__': here()\n")
    assert module.nodes[ast.Call][0] not in reach.nodes(module, as_program=False)
