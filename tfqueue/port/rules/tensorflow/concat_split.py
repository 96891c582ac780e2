"""`tf.concat` and `tf.split` took the axis first until TensorFlow 1.0.

https://github.com/tensorflow/tensorflow/releases/tag/v1.0.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.era import Era
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("concat", "split")
_OLD = {
    "tensorflow.concat": (("concat_dim", "axis"), ("values", "values"), ("name", "name")),
    "tensorflow.split": (
        ("split_dim", "axis"),
        ("num_split", "num_or_size_splits"),
        ("value", "value"),
        ("name", "name"),
    ),
}


def _number(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _many(node: ast.AST) -> bool:
    return isinstance(node, ast.List | ast.Tuple | ast.ListComp)


def _is_old(call: ast.Call, dotted: str, era: Era) -> bool | None:
    """Whether a call has the old order; None where nothing shows it."""
    words = {keyword.arg for keyword in call.keywords}
    if words & {"concat_dim", "split_dim", "num_split"}:
        return True
    if words & {"axis", "num_or_size_splits"} or not call.args:
        return False
    first = call.args[0]
    if dotted == "tensorflow.concat":
        if _number(first):
            return True
        if _many(first) or (len(call.args) > 1 and _number(call.args[1])):
            return False
        if len(call.args) > 1 and _many(call.args[1]):
            return True
    elif len(call.args) >= 3:
        if _number(first):
            return True
        if _number(call.args[2]):
            return False
    elif len(call.args) == 2 and "value" not in words:
        return False
    return True if era.old else False if era.new else None


def find(module: Module) -> Iterator[Finding]:
    """Finds calls in the old order and gives each argument its new name."""
    for call, inner in module.calls:
        dotted = inner.replace("tensorflow.python.ops.array_ops.", "tensorflow.")
        if dotted not in _OLD or any(isinstance(arg, ast.Starred) for arg in call.args):
            continue
        name = dotted.rpartition(".")[2]
        old = _is_old(call, dotted, module.era)
        if old is None and not module.ported:
            message = f"tf.{name}: nothing tells whether the axis comes first; taken as in 1.0"
            yield module.finding(call, f"{message} (--era 0.12 says otherwise)", changed=False)
        parameters = _OLD[dotted]
        if not old or len(call.args) > len(parameters):
            continue
        yield module.finding(call, f"tf.{name} took the axis first until TensorFlow 1.0")
        renamed = dict(parameters)
        for keyword in call.keywords:
            word = keyword.arg or ""
            if renamed.get(word, word) != word:
                module.rename(keyword, renamed[word])
        module.name_arguments(call, [new for _, new in parameters])
