"""`raw_input()` becomes `input()`.

https://docs.python.org/3/whatsnew/3.0.html#builtins
"""

import ast

# A rule of its own, and after lib2to3's: that would take the new `input` for Python 2's.
WORDS = ("raw_input",)
PYTHON2 = True


def find(module):
    """Finds the builtin `raw_input`."""
    for node in module.nodes[ast.Name]:
        if module.is_builtin(node, "raw_input") and isinstance(node.ctx, ast.Load):
            yield module.finding(
                node, "raw_input is input in Python 3", [module.replace(node, "input")]
            )
