"""`type(x) is tf.Variable`, `type(x).__name__ == "Tensor"`: classes that TensorFlow derived from later.

https://github.com/tensorflow/tensorflow/releases/tag/v1.11.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("type", "__class__")
_VARIABLES = frozenset(["tensorflow.Variable", "tensorflow.compat.v1.Variable"])
_VARIABLES_SINCE = (1, 11)
_HOME = "tfqueue.port.runtime"


def find(module: Module) -> Iterator[Finding]:
    """Finds comparisons of an object's class, or of its name, with a class of TensorFlow."""
    if module.era.two or module.ported or module.packages.isdisjoint(("tensorflow", "tfqueue")):
        return
    old = module.era.low < _VARIABLES_SINCE
    classes = {node for node, dotted in module.references if dotted in _VARIABLES and old}
    names = {"Tensor", "Variable"} if old else {"Tensor"}
    for node in module.nodes[ast.Compare]:
        if not isinstance(
            node.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq | ast.In | ast.NotIn
        ):
            continue
        if len(node.ops) > 1:
            continue
        for one, other in [(node.left, node.comparators[0]), (node.comparators[0], node.left)]:
            choices = other.elts if isinstance(other, ast.Tuple | ast.List | ast.Set) else [other]
            asked = _asked(module, one)
            if asked is not None and classes & set(choices):
                yield module.finding(
                    one, "a variable's class is no longer tf.Variable itself: left to run time"
                )
                module.replace(one, module.call("class_of", asked, home=_HOME))
            elif (
                isinstance(one, ast.Attribute)
                and one.attr == "__name__"
                and names & {_text(choice) for choice in choices}
                and (asked := _asked(module, one.value)) is not None
            ):
                yield module.finding(one, "TensorFlow's classes have other names: left to run time")
                module.replace(one, module.call("class_name", asked, home=_HOME))


def _asked(module: Module, node: ast.AST) -> ast.expr | None:
    """The expression whose class a node is, or None."""
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return node.value
    if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
        return None
    return node.args[0] if module.is_builtin(node.func, "type") else None


def _text(node: ast.AST) -> str | None:
    value = getattr(node, "value", None)
    return value if isinstance(node, ast.Constant) and isinstance(value, str) else None
