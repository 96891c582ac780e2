"""What shows that a program which imports keras, and not TensorFlow, is for a later Keras than 2.2.

Such a program runs as it is.
"""

from __future__ import annotations

import ast

from tfqueue.names.keras import KERAS_LATER, OPTIMIZERS
from tfqueue.port.program import keras_signs
from tfqueue.port.program.module import Module

_LIBRARIES = frozenset(
    "keras_core keras_cv keras_hub keras_nlp keras_rs keras_tuner kerastuner tf_keras".split()
)
"""Libraries that need a later Keras, or are one."""
_APPLICATIONS = ("convnext", "efficientnet", "mobilenetv3", "mobilenet_v3", "regnet", "resnetrs")
_BACKENDS = ("jax", "openvino", "torch")
_NAMES = frozenset(
    f"keras.{module}.{name}".replace("..", ".")
    for module, names in KERAS_LATER.items()
    for name in names.split()
)
_STARRED = frozenset(KERAS_LATER["layers"].split())
_WORDS = frozenset("jit_compile run_eagerly steps_per_execution validation_batch_size".split())
"""Arguments of a model's `compile` and `fit` since Keras 2.3."""
_OF_FILES = ("ModelCheckpoint", "load_model", "save", "save_model")
_SYNTAX = (ast.NamedExpr, ast.Match)
"""What Python has since 3.8, for which there is no TensorFlow 1."""


def is_shown_by(module: Module) -> bool:
    """Whether a module has what came after Keras 2.2.

    >>> is_shown_by(Module("from keras import ops"))
    True
    >>> is_shown_by(Module("from keras.layers import Dense"))
    False
    """
    asked = keras_signs.accuracies(module)
    return (
        _has_names(module)
        or _has_calls(module)
        or _has_backend(module)
        or (bool(asked) and asked.keys().isdisjoint(("acc", "val_acc")))
        or any(module.nodes[kind] for kind in _SYNTAX)
        or any(node.posonlyargs for node in module.nodes[ast.arguments])
    )


def _has_names(module: Module) -> bool:
    """Whether it has a name of a later Keras, or of one of `_LIBRARIES`, and not only tries to import it."""
    tried = {
        f"{getattr(node, 'module', '')}.{alias.name}".lstrip(".")
        for node in module.nodes[ast.ImportFrom] + module.nodes[ast.Import]
        if module.guarded(node)
        for alias in node.names
    }
    for name in ({dotted for _, dotted in module.references} | {*module.imported.values()}) - tried:
        parts = name.split(".")
        if parts[0] in _LIBRARIES:
            return True
        if parts[0] == "keras":
            if not _NAMES.isdisjoint((".".join(parts[:2]), ".".join(parts[:3]))):
                return True
            if parts[1:2] == ["applications"] and parts[-1].lower().startswith(_APPLICATIONS):
                return True
    stars = [node.module for node in module.nodes[ast.ImportFrom] if node.names[0].name == "*"]
    return "keras.layers" in stars and any(
        node.id in _STARRED and not module.binder(node, node.id) for node in module.nodes[ast.Name]
    )


def _has_calls(module: Module) -> bool:
    """Whether it has a call that Keras 2.2 refused, or a file of a later Keras."""
    for call in module.nodes[ast.Call]:
        words = {keyword.arg for keyword in call.keywords}
        home, _, name = (module.dotted(call.func) or "").rpartition(".")
        attribute = getattr(call.func, "attr", "")
        if home == "keras.optimizers" and name in OPTIMIZERS and "learning_rate" in words:
            return True
        if attribute in ("compile", "fit") and not words.isdisjoint(_WORDS):
            return True
        if (attribute in _OF_FILES or name in _OF_FILES) and _names_file(call):
            return True
        layers: list[ast.expr] = [*call.args] if attribute == "add" else []
        if name == "Sequential" and home.startswith("keras") and call.args:
            layers = getattr(call.args[0], "elts", [])
        if any(_is_input(module, layer) for layer in layers):
            return True
    return False


def _names_file(call: ast.Call) -> bool:
    """Whether the first argument of a call, or `filepath`, is text that ends in `.keras` behind a name."""
    given = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "filepath")]
    texts = [str(node.value) for node in given if isinstance(node, ast.Constant)]
    return any(text.endswith(".keras") and text[-7:-6] not in ("", "/") for text in texts)


def _is_input(module: Module, layer: ast.expr) -> bool:
    """Whether a layer of a `Sequential` is what `keras.Input` gives, which Keras 2.2 refused there."""
    dotted = (module.dotted(layer.func) or "") if isinstance(layer, ast.Call) else ""
    return dotted.startswith("keras.") and dotted.endswith(".Input")


def _has_backend(module: Module) -> bool:
    """Whether it chooses a backend that only Keras 3 has: `os.environ["KERAS_BACKEND"] = "jax"`."""
    return any(
        isinstance(node.value, ast.Constant)
        and node.value.value in _BACKENDS
        and any("KERAS_BACKEND" in ast.unparse(target) for target in node.targets)
        for node in module.nodes[ast.Assign]
    )
