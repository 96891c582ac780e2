"""Which Keras a module shows that imports the package keras: 1, 2 or, as both took most arguments, neither."""

from __future__ import annotations

import ast
from typing import NamedTuple

from tfqueue.names.keras import KERAS_STEPS, KERAS_WORDS
from tfqueue.port.program.module import Module

KERNELS = (
    "AtrousConv2D AtrousConvolution2D Conv2D Conv2DTranspose ConvLSTM2D Convolution2D Convolution2DTranspose Deconv2D Deconvolution2D "
    "LocallyConnected2D SeparableConv2D SeparableConvolution2D Conv3D Convolution3D"
).split()
"""Layers whose kernel has a size on each axis, which were arguments of their own in Keras 1."""
GENERATORS = frozenset(["evaluate_generator", "fit_generator", "predict_generator"])
"""Methods of a model that take batches of a generator."""
_OF_EPOCHS = ("evaluate", "fit", "predict")
_STEPS = ("epochs", "max_queue_size", "steps_per_epoch", "use_multiprocessing", "validation_steps")
_SHAPES = ("compute_output_shape", "get_output_shape_for")
_OF_LAYERS = (
    "consume_less",
    "forget_bias_init",
    "get_output_shape_for",
    "inner_activation",
    "inner_init",
    "set_param",
)
"""Attributes of layers that Keras 1 alone had."""
_SINCE_2 = frozenset(
    (
        "Add Average Concatenate Conv2DTranspose CuDNNGRU CuDNNLSTM Dot MaxPool2D Maximum Multiply RNN "
        "StackedRNNCells Subtract add average base_layer concatenate dot initializers losses maximum multi_gpu_model "
        "multiply plot_model subtract"
    ).split()
)
"""Names below `keras` that Keras 1 had not, but in its backend."""
_IN_BOTH = (
    *("Highway", "MaxoutDense", "ReduceLROnPlateau", "_obtain_input_shape", "one_hot"),
    "text_to_word_sequence",
)
"""What Keras 2.0 took those arguments of, too, so that they show nothing."""
_ACCURACIES = ("acc", "val_acc", "accuracy", "val_accuracy")
_BACKEND = "keras.backend"
_KEPT = ("axis", "inputs", "outputs", "pool_size", "size", "strides", "x")
"""Names of arguments that Keras 1 had, too, or that functions of both have."""


class Signs(NamedTuple):
    """What a module shows of the package keras."""

    imported: bool = False
    """Whether it imports it."""
    first: bool = False
    """Whether its calls or layers are of Keras 1, which 2 mostly took, too."""
    second: bool = False
    """Whether anything of it is of Keras 2 alone."""


def is_imported(module: Module) -> bool:
    """Whether a module imports the package keras, or a star of it."""
    starred = [node.module for node in module.nodes[ast.ImportFrom] if not node.level]
    homes = [*module.imported.values(), *map(str, starred)]
    return "keras" in {home.partition(".")[0] for home in homes}


def of_module(module: Module) -> Signs:
    """What a module shows.

    >>> of_module(Module("from keras.layers import Dense\\nx = Dense(output_dim=3)\\n"))
    Signs(imported=True, first=True, second=False)
    """
    if not is_imported(module):
        return Signs(second=_has_generators(module))
    methods = {node.name for node in module.nodes[ast.FunctionDef]}
    old = any(node.attr in _OF_LAYERS for node in module.nodes[ast.Attribute])
    old = old or methods & {*_SHAPES} == {_SHAPES[1]}
    new = any(
        not _SINCE_2.isdisjoint((*str(node.module).split("."), *(one.name for one in node.names)))
        for node in module.nodes[ast.ImportFrom]
        if f"{node.module}.".startswith("keras.") and not node.module.startswith(_BACKEND)
    )
    for call in module.nodes[ast.Call]:
        dotted = module.dotted(call.func) or ""
        name = dotted.rpartition(".")[2] if dotted.startswith("keras.") else ""
        table = {} if name in _IN_BOTH else KERAS_WORDS.get(name, {})
        words = {keyword.arg for keyword in call.keywords}
        if getattr(call.func, "attr", "").startswith(_OF_EPOCHS):
            old = old or not words.isdisjoint(("nb_epoch", *KERAS_STEPS))
            new = new or not words.isdisjoint(_STEPS)
        sizes = call.args[1:3] if name in KERNELS else []
        numbers = [isinstance(one, ast.Constant) for one in sizes]
        old = old or not words.isdisjoint(table) or numbers == [True, True]
        new = new or (name in _SINCE_2 and not dotted.startswith(_BACKEND))
        new = new or not words.isdisjoint({*table.values()} - {*_KEPT})
        new = new or any(isinstance(one, ast.Tuple | ast.List) for one in sizes[:1])
    return Signs(True, old, new)


def _has_generators(module: Module) -> bool:
    """Whether a model that another file made is trained by a generator, as in Keras 2."""
    return any(
        getattr(call.func, "attr", "") in GENERATORS
        and not {keyword.arg for keyword in call.keywords}.isdisjoint(_STEPS)
        for call in module.nodes[ast.Call]
    )


def accuracies(module: Module) -> dict[str, int]:
    """The names by which a module asks a history or a callback for the metric `accuracy`, each with a line.

    Up to Keras 2.2 they are `acc` and `val_acc`, since 2.3 `accuracy` and `val_accuracy`.
    """
    words = [node for node in module.nodes[ast.Constant] if node.value in _ACCURACIES]
    listed = {
        word.value
        for keyword in module.nodes[ast.keyword]
        if keyword.arg == "metrics" and isinstance(keyword.value, ast.List)
        for word in keyword.value.elts
        if isinstance(word, ast.Constant)
    }
    if "accuracy" not in listed or "acc" in listed:
        return {}
    asked: dict[str, int] = {}
    for node in words:
        over = module.parents.get(node)
        monitored = isinstance(over, ast.keyword) and over.arg == "monitor"
        if isinstance(over, ast.Subscript):
            monitored = isinstance(over.value, ast.Attribute) and over.value.attr == "history"
        if monitored:
            asked.setdefault(node.value, int(node.lineno))
    return asked
