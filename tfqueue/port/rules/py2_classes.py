"""`__nonzero__`, `next`, `__div__`, `__cmp__`, `__getslice__`: special methods that changed.

https://docs.python.org/3/whatsnew/3.0.html#operators-and-special-methods
"""

import ast

WORDS = ("class",)
PYTHON2 = True
_METHODS = frozenset(
    [
        *("__nonzero__", "__div__", "__rdiv__", "__idiv__", "__cmp__", "__getslice__"),
        *("__setslice__", "__eq__", "next"),
    ]
)


def find(module):
    """Finds classes that need the methods of today beside their own."""
    for node in module.nodes[ast.ClassDef]:
        names = {inner.name for inner in node.body if isinstance(inner, ast.FunctionDef)}
        for inner in node.body:
            if isinstance(inner, ast.Assign):
                names |= {target.id for target in inner.targets if isinstance(target, ast.Name)}
        if names & _METHODS:
            first = sorted(names & _METHODS)[0]
            yield module.finding(node, f"a class with {first}: it gets today's methods, too")
            decorator = module.use("tfqueue.port.py2", "old_class")
            node.decorator_list.append(decorator)
            module.settle(decorator, node, node)
