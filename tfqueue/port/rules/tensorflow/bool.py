"""`if grad:` becomes `if grad is not None:`: a tensor has no truth value since TensorFlow 0.8.

https://github.com/tensorflow/tensorflow/releases/tag/v0.8.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("compute_gradients", "placeholder")


def find(module: Module) -> Iterator[Finding]:
    """Finds tests of a gradient among the (gradient, variable) pairs of an optimizer."""
    for loop in [*module.nodes[ast.For], *module.nodes[ast.comprehension]]:
        pair = loop.target
        if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2 or not _gradients(module, loop):
            continue
        if not isinstance(pair.elts[0], ast.Name):
            continue
        name = pair.elts[0].id
        for test in _tests(loop):
            if isinstance(test, ast.Name) and test.id == name:
                yield module.finding(test, "a tensor has no truth value since TensorFlow 0.8")
                module.replace(test, module.expression("x is not None", x=test))
    if module.era.high >= (0, 8):
        yield from _placeholders(module)


def _placeholders(module: Module) -> Iterator[Finding]:
    """Tests of a name that is a placeholder and nothing else: they end the program."""
    tests = [node.test for kind in (ast.If, ast.IfExp, ast.While) for node in module.nodes[kind]]
    tests += [node.operand for node in module.nodes[ast.UnaryOp] if isinstance(node.op, ast.Not)]
    for test in tests:
        places = module.bindings(test, test.id) if isinstance(test, ast.Name) else []
        made = [getattr(module.parents[place], "value", None) for place in places]
        if made and all(
            isinstance(value, ast.Call) and module.dotted(value.func) == "tensorflow.placeholder"
            for value in made
        ):
            message = (
                "a tensor has no truth value since TensorFlow 0.8; up to 0.7 it is true: --era 0.7"
            )
            yield module.finding(test, message, helpless=True)


def _gradients(module: Module, loop: ast.For | ast.comprehension) -> bool:
    """Whether a loop certainly goes over the result of `compute_gradients`."""
    values = [loop.iter]
    if isinstance(loop.iter, ast.Name):
        places = [module.parents.get(p) for p in module.bindings(loop.iter, loop.iter.id)]
        values = [place.value for place in places if isinstance(place, ast.Assign)]
    return any(
        isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "compute_gradients"
        for value in values
    )


def _tests(loop: ast.For | ast.comprehension) -> list[ast.expr]:
    if isinstance(loop, ast.comprehension):
        return list(loop.ifs)
    return [node.test for node in ast.walk(loop) if isinstance(node, ast.If)]
