"""The variables of cells had other names up to TensorFlow 0.12, and in 1.0 and 1.1, than since 1.2.

https://github.com/tensorflow/tensorflow/releases/tag/v1.2.0
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("Bias", "Matrix", "biases", "weights")
_MESSAGE = (
    "up to TensorFlow {0} cells called their variables {1} (--era {0} gives these names), since 1.2 kernel and bias, "
    "as here: {2!r} is in none of the names of their variables"
)
_UNTIL_0_12 = re.compile(r"(?<![A-Za-z])(Matrix|Bias)(?![A-Za-z])")
_UNTIL_1_1 = re.compile(r"(?<![A-Za-z])(weights|biases)(?![A-Za-z])")
_SINCE_1_2 = re.compile(r"(?<![A-Za-z])(kernel|bias)(?![A-Za-z])")
_OF_CELLS = re.compile(r"tensorflow\..*(Cell|rnn)$")
_OF_LAYERS = re.compile(r"tensorflow\.contrib\.(layers|slim)\b")
_METHODS = ("count", "endswith", "find", "startswith")
_PATTERNS = ("re.findall", "re.match", "re.search")


def find(module: Module) -> Iterator[Finding]:
    """Finds names of variables that are looked for by what cells of another release called them."""
    low, high = module.era.low, module.era.high
    if low < (1, 0) <= high:
        yield from _named(module, _UNTIL_0_12, "0.12", "Matrix and Bias")
    dotted = [name for _, name in module.references]
    of_cells = any(_OF_CELLS.match(name) for name in dotted)
    if low < (1, 2) <= high and of_cells and not any(_OF_LAYERS.match(name) for name in dotted):
        yield from _named(module, _UNTIL_1_1, "1.1", "weights and biases")


def _named(module: Module, pattern: re.Pattern[str], last: str, names: str) -> Iterator[Finding]:
    nodes = [*module.nodes[ast.Compare], *module.nodes[ast.Call]]
    texts = {text for node in nodes for text in _asked(module, node)}
    if any(_SINCE_1_2.search(str(text.value)) for text in texts):
        return  # it looks for the names of either
    asked = {text for text in texts if pattern.search(str(text.value))}
    others = [node for node in module.nodes[ast.Constant] if node not in asked]
    if any(pattern.search(str(node.value)) for node in others):
        return  # the program gives such names itself
    for number, text in enumerate(sorted(asked, key=lambda text: (text.lineno, text.col_offset))):
        message = _MESSAGE.format(last, names, text.value)
        yield module.finding(text, message, changed=False, told=not number)


def _asked(module: Module, node: ast.AST) -> Iterator[ast.Constant]:
    """The texts that are looked for in `something.name`."""
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and module.dotted(node.func) in _PATTERNS:
        sides = list(node.args)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        sides = [node.func.value, *node.args] if node.func.attr in _METHODS else []
    else:
        return
    parts = [part for side in sides for part in ast.walk(side)]
    if not any(isinstance(part, ast.Attribute) and part.attr == "name" for part in parts):
        return
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part
