"""Names that TensorFlow 1.0 changed get the name it gave them.

https://github.com/tensorflow/tensorflow/releases/tag/v1.0.0
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.names.forms import RENAMED
from tfqueue.names.moved import BY_OLD_NAME, Moved
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("tensorflow", "tfqueue")


def find(module: Module) -> Iterator[Finding]:
    """Finds old names; the rows are those of `tfqueue.names.moved`."""
    calls = {id(call.func): call for call in module.nodes[ast.Call]}
    for node, dotted in module.references:
        head, _, name = dotted.partition(".")
        row = BY_OLD_NAME.get(name) if head == "tensorflow" else None
        if row is None or row.new.startswith("old_functions."):
            continue
        alias = module.below(node, dotted)
        if alias is None:
            continue
        yield module.finding(node, f"tf.{name} is tf.{row.new} since {_when(row)}")
        words = RENAMED.get(name, {})
        for keyword in calls[id(node)].keywords if id(node) in calls else ():
            if keyword.arg in words:
                module.rename(keyword, words[keyword.arg])
        module.replace(node, module.attribute(alias, row.new))


def _when(row: Moved) -> str:
    return "ever" if row.removed == "never there" else f"TensorFlow {row.removed}"
