"""`xrange` that is not called on the spot becomes `range`.

https://docs.python.org/3/whatsnew/3.0.html#views-and-iterators-instead-of-lists
"""

import ast

# lib2to3 sees to the calls (py2-lists), and leaves `r = xrange` alone.
WORDS = ("xrange",)
PYTHON2 = True


def find(module):
    """Finds the name by itself."""
    for node in module.nodes[ast.Name]:
        if module.is_builtin(node, "xrange") and isinstance(node.ctx, ast.Load):
            yield module.finding(
                node, "xrange is range in Python 3", [module.replace(node, "range")]
            )
