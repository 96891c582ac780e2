"""`if grad:` becomes `if grad is not None:`: a tensor has no truth value since TensorFlow 0.8.

https://github.com/tensorflow/tensorflow/releases/tag/v0.8.0
"""

import ast

from tfqueue.port.edits import Edit

WORDS = ("compute_gradients",)


def find(module):
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
                end = module.end(test)
                message = "a tensor has no truth value since TensorFlow 0.8"
                yield module.finding(test, message, [Edit(end, end, " is not None")])


def _gradients(module, loop):
    """Whether what is gone through is seen to be what `compute_gradients` gave."""
    values = [loop.iter]
    if isinstance(loop.iter, ast.Name):
        values = [
            assign.value
            for assign in module.nodes[ast.Assign]
            for target in assign.targets
            if isinstance(target, ast.Name) and target.id == loop.iter.id
        ]
    return any(
        isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "compute_gradients"
        for value in values
    )


def _tests(loop):
    if isinstance(loop, ast.comprehension):
        return loop.ifs
    return [node.test for node in ast.walk(loop) if isinstance(node, ast.If)]
