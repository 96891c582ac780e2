"""What shows that a program is for a later Keras than 2.2, and so for TensorFlow 2: such a program runs as it is.

The names were read from Keras 3 and from tf_keras 2.21, less those of Keras 1.2.2, 2.0.8, 2.1.6 and 2.2.4.
"""

from __future__ import annotations

import ast

from tfqueue.names.libraries import KERAS_LATER, OPTIMIZERS
from tfqueue.port.program.module import Module

_LIBRARIES = frozenset(
    "jax keras_core keras_cv keras_hub keras_nlp keras_rs keras_tuner tf_keras torch".split()
)
_APPLICATIONS = ("ConvNeXt", "EfficientNet", "MobileNetV3", "RegNet", "ResNetRS")
_NAMES = frozenset(
    f"keras.{module}.{name}".replace("..", ".")
    for module, names in KERAS_LATER.items()
    for name in names.split()
)
_WORDS = frozenset("jit_compile run_eagerly steps_per_execution validation_batch_size".split())
"""Arguments of `model.compile` and `model.fit` since Keras 2.3."""
_SYNTAX = (ast.NamedExpr, ast.Match)
"""What Python has since 3.8, for which there is no TensorFlow 1."""


def is_shown_by(module: Module) -> bool:
    """Whether a module has what came after Keras 2.2.

    >>> is_shown_by(Module("from keras import ops"))
    True
    >>> is_shown_by(Module("from keras.layers import Dense"))
    False
    """
    asked = {*asked_accuracies(module)}
    return (
        _has_names(module)
        or _has_arguments(module)
        or (bool(asked) and asked.isdisjoint(("acc", "val_acc")))
        or any(module.nodes[kind] for kind in _SYNTAX)
        or any(node.posonlyargs for node in module.nodes[ast.arguments])
        or any(str(node.value).endswith(".keras") for node in module.nodes[ast.Constant])
    )


def asked_accuracies(module: Module) -> dict[str, int]:
    """The names by which a module asks for the metric `accuracy`, each with a line: `acc` up to Keras 2.2."""
    names = ("acc", "val_acc", "accuracy", "val_accuracy")
    words = [node for node in module.nodes[ast.Constant] if node.value in names]
    listed = {node.value for node in words if isinstance(module.parents.get(node), ast.List)}
    if "accuracy" not in listed or "acc" in listed:
        return {}
    asked: dict[str, int] = {}
    for node in words:
        over = module.parents.get(node)
        monitored = isinstance(over, ast.keyword) and over.arg == "monitor"
        if isinstance(over, ast.Subscript):
            monitored = ast.unparse(over.value).endswith("history")
        if monitored:
            asked.setdefault(node.value, int(node.lineno))
    return asked


def _has_names(module: Module) -> bool:
    """Whether it has a name of a later Keras, or of a library that needs one."""
    for name in {dotted for _, dotted in module.references} | {*module.imported.values()}:
        parts = name.split(".")
        if parts[0] in _LIBRARIES:
            return True
        if parts[0] == "keras":
            if not _NAMES.isdisjoint((".".join(parts[:2]), ".".join(parts[:3]))):
                return True
            if parts[1:2] == ["applications"] and parts[-1].startswith(_APPLICATIONS):
                return True
    return False


def _has_arguments(module: Module) -> bool:
    """Whether it has an argument that Keras 2.2 refused."""
    for call in module.nodes[ast.Call]:
        words = {keyword.arg for keyword in call.keywords}
        home, _, name = (module.dotted(call.func) or "").rpartition(".")
        if home == "keras.optimizers" and name in OPTIMIZERS and "learning_rate" in words:
            return True
        if getattr(call.func, "attr", "") in ("compile", "fit") and not words.isdisjoint(_WORDS):
            return True
    return False
