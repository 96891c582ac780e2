"""`tf.compat.v1.x` becomes `tf.x`: `tf` is TensorFlow 1 already.

https://www.tensorflow.org/guide/migrate/tf1_vs_tf2
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("compat.v1",)


def find(module: Module) -> Iterator[Finding]:
    """Finds `tf.compat.v1` in front of a name."""
    for node in module.nodes[ast.Attribute]:
        inner = node.value
        if (
            node.attr == "v1"
            and isinstance(inner, ast.Attribute)
            and inner.attr == "compat"
            and isinstance(inner.value, ast.Name)
            and module.imported.get(inner.value.id)
            in ("tensorflow", "tfqueue.v1", "tensorflow.compat.v1")
            and isinstance(module.parents[node], ast.Attribute)
        ):
            text = inner.value.id
            yield module.finding(node, f"{text}.compat.v1 is {text} itself")
            module.replace(node, inner.value)
