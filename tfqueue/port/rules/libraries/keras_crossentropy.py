"""`K.binary_crossentropy(y_pred, y_true)`: up to Keras 2.0.6 the output came first, since 2.0.7 the target does.

https://github.com/keras-team/keras/releases/tag/2.0.7
"""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator

from tfqueue.port.program import tensorflow_signs
from tfqueue.port.program.module import Module
from tfqueue.port.source.finding import Finding

WORDS = ("_crossentropy",)
_HOME = "tfqueue.port.libraries.keras_1"
_NAMES = ("binary_crossentropy", "categorical_crossentropy", "sparse_categorical_crossentropy")
_OUTPUT = re.compile(r"pred|output|logit|prob|decoded", re.IGNORECASE)
_TARGET = re.compile(r"true|target|label|truth", re.IGNORECASE)


def find(module: Module) -> Iterator[Finding]:
    """Finds calls of Keras's backend whose arguments by position are an output and a target: by their names, or in a program of Keras 1."""
    if not module.is_old or module.has_own("keras") or tensorflow_signs.is_keras_3(module):
        return
    first = module.era.shows_keras_1
    for call, dotted in module.calls:
        home, _, name = dotted.rpartition(".")
        if name not in _NAMES or home not in ("keras.backend", "keras.backend.tensorflow_backend"):
            continue
        if len(call.args) < 2:
            continue
        output, target = call.args[:2]
        named = _is_output(output) and _is_target(target)
        if not named and (not first or _is_target(output) or _is_output(target)):
            continue
        yield module.finding(call, f"K.{name} took the output first up to Keras 2.0.6")
        place = ast.Constant(f"{pathlib.Path(module.path).name}:{call.lineno}")
        function = module.call("output_first", ast.Constant(name), place, home=_HOME)
        module.replace(call.func, function)


def _is_output(given: ast.expr) -> bool:
    text = ast.unparse(given)
    return bool(_OUTPUT.search(text)) and not _TARGET.search(text)


def _is_target(given: ast.expr) -> bool:
    text = ast.unparse(given)
    return bool(_TARGET.search(text)) and not _OUTPUT.search(text)
