"""Which functions of a program give what is taken from its queues."""

import ast

import pytest

from tfqueue.port.program import inputs


@pytest.mark.parametrize("name", sorted(inputs._TAKES))
def test_each_function_that_takes(name):
    text = f"def f(x):\n    return tf.train.{name}([x], 2)\ndef g(x):\n    return {name}([x], 2)\n"
    assert [one.name for one in inputs.builders(text)] == ["f"]


@pytest.mark.parametrize(("name", "least"), inputs._TAKES_BY_METHOD.items())
def test_each_method_that_takes(name, least):
    arguments = ["1", "n=2", "name='x'"]
    for given in range(3):
        for words in (arguments[:given], arguments[3 - given :]):
            text = f"def f(q):\n    return q.{name}({', '.join(words)})\n"
            assert bool(inputs.builders(text)) == (given >= least), text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(q):\n    q.dequeue()\n", []),
        ("def f(q):\n    return\n    q.dequeue()\n", []),
        ("def f(q):\n    x = q.dequeue()\n    return x\n", ["f"]),
        ("def f(q):\n    def g():\n        return q.dequeue()\n    g()\n", []),
        ("def f(q):\n    g = lambda: q.dequeue()\n    return g\n", ["f"]),
        ("def f(q):\n    class A:\n        def g(self): return q.dequeue()\n", []),
        ("def f(q):\n    if q:\n        return q.dequeue()\n", ["f"]),
        ("def f(q):\n    return q.size()\n", []),
        ("class A:\n    def f(self, q):\n        return q.dequeue()\n", []),
        ("def f(q):\n    return q.dequeue()\ndef g(q):\n    return q.dequeue()\n", ["f", "g"]),
        ("def g(q):\n    return f(q)\ndef f(q):\n    return q.dequeue()\n", ["g"]),
        ("def f(q):\n    return q.dequeue()\ndef g(q):\n    x = f(q)\n", ["f"]),
        ("def f(q):\n    return q.dequeue()\ndef g(q):\n    return a.f(q)\n", ["f"]),
        ("def f(q):\n    return q.dequeue() or f(q)\n", ["f"]),
        ("def a(q):\n    q.dequeue()\ndef b(q):\n    a(q)\ndef c(q):\n    return b(q)\n", ["c"]),
        ("def f(q):\n    return helper(q)\n", []),
    ],
)
def test_the_outermost_that_returns_something(text, names):
    assert [one.name for one in inputs.builders(text)] == names


@pytest.mark.parametrize(
    ("parameters", "names"),
    [
        ("", []),
        ("a, b", ["a", "b"]),
        ("a, b=1", ["a"]),
        ("a=1, b=2", []),
        ("a, /, b, c=3, *d, e, f=4, **g", ["a", "b", "e"]),
    ],
)
def test_which_parameters_have_no_default(parameters, names):
    (function,) = ast.parse(f"def f({parameters}): pass").body
    assert inputs.required(function) == names
