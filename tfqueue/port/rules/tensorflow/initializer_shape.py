"""`tf.zeros_initializer([n])` of 1.0 and 1.1 took the list for a dtype that it never read.

https://github.com/tensorflow/tensorflow/releases/tag/v1.0.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module, argument
from tfqueue.port.source.finding import Finding

WORDS = ("zeros_initializer", "ones_initializer")
_INITIALIZERS = ("tensorflow.zeros_initializer", "tensorflow.ones_initializer")


def find(module: Module) -> Iterator[Finding]:
    """Finds them where a variable has a shape of its own: a tensor, as up to 0.12, is refused there."""
    for call, dotted in module.calls:
        for given in _initializers(call, dotted):
            if not isinstance(given, ast.Call) or module.dotted(given.func) not in _INITIALIZERS:
                continue
            if given.keywords or [type(one) for one in given.args] not in ([ast.List], [ast.Tuple]):
                continue
            yield module.finding(given, "an initializer gets its shape from the variable")
            module.replace(given, ast.Call(given.func, [], []))


def _initializers(call: ast.Call, dotted: str) -> list[ast.expr | None]:
    if dotted == "tensorflow.get_variable":
        shape = argument(call, 1, "shape")
        has_one = shape is not None and ast.unparse(shape) != "None"
        return [argument(call, 3, "initializer")] if has_one else []
    if dotted.startswith("tensorflow.layers."):
        return [word.value for word in call.keywords if str(word.arg).endswith("_initializer")]
    return []
