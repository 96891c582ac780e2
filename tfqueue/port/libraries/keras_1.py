"""Keras 1 and 2.0: what `tf.keras` lacks of it. Translated programs call these."""

from __future__ import annotations

import functools
import importlib
import inspect
import itertools
import numbers
import sys
from collections.abc import Callable
from typing import Any

from tfqueue import release
from tfqueue.names.keras import KERAS_STEPS, OTHER_RATES

_ORDERINGS = {"channels_first": "th", "channels_last": "tf"}
_FORMATS = {old: new for new, old in _ORDERINGS.items()}
_MERGES = {
    "sum": "add",
    "mul": "multiply",
    "ave": "average",
    "max": "maximum",
    "concat": "concatenate",
    "dot": "dot",
}
_RENAMED = {
    "max_q_size": "max_queue_size",
    "nb_epoch": "epochs",
    "nb_worker": "workers",
    "pickle_safe": "use_multiprocessing",
}
_OF_COUNTING = ("val_samples", "max_q_size", "nb_worker", "pickle_safe")
_OF_FITTING = (
    *("samples_per_epoch", "epochs", "verbose", "callbacks", "validation_data", "nb_val_samples"),
    *("class_weight", "max_q_size", "nb_worker", "pickle_safe", "initial_epoch"),
)
"""The arguments of Keras 1 behind the generator, in their order."""
_BEHIND_THE_TARGETS = (
    *("batch_size", "epochs", "verbose", "callbacks", "validation_split", "validation_data"),
)
"""Arguments of `fit` behind the first two, in their order."""
_told: set[str] = set()


def _keras() -> Any:
    import tfqueue.v1

    return tfqueue.v1.keras


def image_dim_ordering() -> str:
    """Stands for ``keras.backend.image_dim_ordering``: ``"tf"``, or ``"th"`` for Theano's order."""
    return _ORDERINGS[_keras().backend.image_data_format()]


def set_image_dim_ordering(dim_ordering: str) -> None:
    """Stands for ``keras.backend.set_image_dim_ordering``."""
    _keras().backend.set_image_data_format(_FORMATS[dim_ordering])


def data_format(dim_ordering: Any) -> Any:
    """What `data_format` is for a `dim_ordering`.

    >>> data_format("th"), data_format("channels_last"), data_format("default")
    ('channels_first', 'channels_last', None)
    """
    return None if dim_ordering == "default" else _FORMATS.get(dim_ordering, dim_ordering)


def get_variable_shape(x: Any) -> Any:
    """Stands for ``keras.backend.get_variable_shape``."""
    return _keras().backend.int_shape(x)


def asymmetric_temporal_padding(x: Any, left_pad: int = 1, right_pad: int = 1) -> Any:
    """Stands for ``keras.backend.asymmetric_temporal_padding`` of Keras 1."""
    return _keras().backend.temporal_padding(x, (left_pad, right_pad))


def asymmetric_spatial_2d_padding(
    x: Any,
    top_pad: int = 1,
    bottom_pad: int = 1,
    left_pad: int = 1,
    right_pad: int = 1,
    dim_ordering: Any = "default",
) -> Any:
    """Stands for ``keras.backend.asymmetric_spatial_2d_padding`` of Keras 1."""
    sides = ((top_pad, bottom_pad), (left_pad, right_pad))
    return _keras().backend.spatial_2d_padding(x, sides, data_format(dim_ordering))


def optimizer(given: Any) -> Any:
    """What ``model.compile`` is given as its optimizer: a name stands for one that begins as it did."""
    name = given.capitalize() if isinstance(given, str) else ""
    if name not in OTHER_RATES:
        return given
    import tfqueue.v1

    return getattr(tfqueue.v1.contrib.keras.optimizers, name)()


def batch_normalization(*args: Any, mode: int = 0, **words: Any) -> Any:
    """Stands for ``keras.layers.BatchNormalization`` of Keras 1.

    Args:
        mode: 0; also 1, of each example by itself, or 2, of each batch by itself in predictions, too.
    """
    if mode:
        return importlib.import_module("tfqueue.port.libraries.keras_gone").MODES[mode](
            *args, **words
        )
    return _keras().layers.BatchNormalization(*args, **words)


def output_first(name: str, place: str) -> Callable[..., Any]:
    """Stands for a cross entropy of ``keras.backend`` that a program gives the output before the target: that is told.

    Up to Keras 2.0.6 this was the order.

    Args:
        name: The function's.
        place: The file and line of the call.
    """

    def computed(output: Any, target: Any, *args: Any, **words: Any) -> Any:
        if name not in _told:
            _told.add(name)
            sys.stderr.write(
                f"tfqueue: {place}: the output comes before the target in K.{name}, as up to Keras 2.0.6, and is "
                "read so; since 2.0.7 the target comes first, and Keras took the one for the other\n"
            )
        return getattr(_keras().backend, name)(target, output, *args, **words)

    return computed


def input_of(shape: Any = None, batch_shape: Any = None, **words: Any) -> Any:
    """Stands for ``keras.layers.Input``, whose `shape` did not count where there was a `batch_shape`."""
    given = {"batch_shape": batch_shape} if batch_shape else {"shape": shape}
    return _keras().layers.Input(**given, **words)


def kernel(rows: Any, columns: Any) -> tuple[Any, ...]:
    """Arguments behind the first of a convolution: the size of a kernel, and strides unless it was of two numbers.

    Keras 1 took two numbers alone.

    >>> kernel(3, 5), kernel((3, 5), 2)
    (((3, 5),), ((3, 5), 2))
    """
    whole = isinstance(rows, numbers.Integral) and isinstance(columns, numbers.Integral)
    return ((rows, columns),) if whole or release.shows_keras_1() else (rows, columns)


def merge(
    inputs: Any,
    mode: Any = "sum",
    concat_axis: int = -1,
    dot_axes: Any = -1,
    output_shape: Any = None,
    output_mask: Any = None,
    arguments: dict[str, Any] | None = None,
    name: str | None = None,
) -> Any:
    """Stands for ``keras.layers.merge``, the function of Keras 1."""
    layers = _keras().layers
    if callable(mode):
        words: dict[str, Any] = {"output_shape": output_shape, "name": name}
        if output_mask is not None:
            words["mask"] = functools.partial(_mask_of, output_mask)
        if "mask" in inspect.signature(mode).parameters:
            mode = _told_of_masks(mode)
        return layers.Lambda(mode, arguments=arguments, **words)(inputs)
    if mode not in _MERGES:
        raise ValueError(f"merge has no mode {mode!r} here; there are {', '.join(_MERGES)}")
    words = {"name": name}
    if mode == "concat":
        words["axis"] = concat_axis
    elif mode == "dot":
        words["axes"] = dot_axes
    return getattr(layers, _MERGES[mode])(inputs, **words)


def _told_of_masks(mode: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is given a list of masks, also where no input has one."""

    @functools.wraps(mode)
    def merged(inputs: Any, mask: Any = None, **arguments: Any) -> Any:
        return mode(inputs, mask=[None] * len(inputs) if mask is None else mask, **arguments)

    return merged


def _mask_of(output_mask: Any, _inputs: Any, masks: Any) -> Any:
    """What a merged tensor is masked with: nothing where no input has a mask."""
    if masks is None or all(mask is None for mask in masks):
        return None
    return output_mask(masks) if callable(output_mask) else output_mask


def keras_shape(x: Any, *default: Any) -> Any:
    """Stands for ``x._keras_shape``; with a default for ``getattr(x, "_keras_shape", default)``."""
    if default and not has_keras_shape(x):
        return default[0]
    given = getattr(x, "_keras_shape", None)
    return get_variable_shape(x) if given is None else given


def has_keras_shape(x: Any) -> bool:
    """Stands for ``hasattr(x, "_keras_shape")``: what layers give, placeholders and variables had one."""
    from tfqueue import _tensorflow

    if hasattr(x, "_keras_shape") or hasattr(x, "_keras_history"):
        return True
    tf = _tensorflow.compat_v1()
    of = x.op.type if isinstance(x, tf.Tensor) else ""
    return isinstance(x, tf.Variable) or of in ("Placeholder", "PlaceholderWithDefault")


def method(model: Any, name: str) -> Callable[..., Any]:
    """Stands for a method of a model that took other arguments or did something else."""
    if name == "compile":
        return functools.partial(_compile, model)
    found: Callable[..., Any] = getattr(model, name)
    if not _is_of_keras(found):
        return found
    own: dict[str, Callable[..., Any]]
    own = {"add_loss": _add_loss, "fit": _fit, "fit_generator": _fit_generator}
    if name in own:
        return functools.partial(own[name], model)
    return functools.partial(_with_a_generator, model, name)


def counting(model: Any, name: str) -> Callable[..., Any]:
    """Stands for a method in a program of Keras 1: generators are counted in examples, and `fit` trains for ten epochs."""
    found: Callable[..., Any] = getattr(model, name)
    if not _is_of_keras(found):
        return found
    if name == "fit":
        taken = inspect.signature(found).parameters  # a generator of pictures is fitted, too
        return functools.partial(_fit_ten_times, model) if "epochs" in taken else found
    tell(name, f"the second argument of {name} counts examples")
    return functools.partial(_with_a_generator, model, name)


def _is_of_keras(method: Callable[..., Any]) -> bool:
    """Whether this is no method of the program's own, or of another library."""
    return (getattr(method, "__module__", None) or "").startswith(("tf_keras.", "tfqueue."))


def _fit_ten_times(model: Any, *args: Any, **words: Any) -> Any:
    if len(args) < 4 and "epochs" not in words:
        tell("fit", "fit trains for 10 epochs")
        words["epochs"] = 10
    return _fit(model, *args, **words)


def tell(name: str, what: str) -> None:
    """Says once what a program's arguments of Keras 1 mean, which a program for Keras 2 could have, too."""
    if name not in _told:
        _told.add(name)
        sys.stderr.write(
            f"tfqueue: the program shows Keras 1, where {what}; in Keras 2 it is otherwise\n"
        )


def _compile(model: Any, *args: Any, **words: Any) -> Any:
    compiles = model.compile
    made = getattr(compiles, "__self__", None)  # what `super().compile` is of
    if hasattr(type(made), "_prepare_total_loss"):
        vars(made)["_prepare_total_loss"] = functools.partial(_total_loss, made)
        words.update(zip(("optimizer", "loss", "metrics"), args, strict=False))
        args = args[3:]
        words["optimizer"] = optimizer(words.get("optimizer"))
    from tfqueue.v1.keras import _models

    with _models.no_layers_of_ops():  # of a loss that calls a layer, as in Keras 2.2
        return compiles(*args, **words)


def _add_loss(model: Any, losses: Any, *args: Any, **words: Any) -> None:
    """Adds losses to a model: of the tensors that they are, as in Keras 2.2, and not of layers made of their ops."""
    listed = losses if isinstance(losses, list | tuple) else [losses]
    if not getattr(model, "_is_graph_network", False) or any(callable(one) for one in listed):
        model.add_loss(losses, *args, **words)
        return
    for loss in listed:
        loss._unconditional_loss = True
        model._losses.append(loss)


def _fit(model: Any, x: Any = None, y: Any = None, *args: Any, **words: Any) -> Any:
    """Fits a model; its callbacks have the data of the validation, as in Keras 2.2."""
    given = {**dict(zip(_BEHIND_THE_TARGETS, args, strict=False)), **words}
    _give_validation_data(
        given.get("callbacks"),
        given.get("validation_data"),
        given.get("validation_split", 0),
        (x, y),
    )
    return model.fit(x, y, *args, **words)


def _fit_generator(model: Any, generator: Any, *args: Any, **words: Any) -> Any:
    """Fits a model of batches; its callbacks have the data of the validation, where these are arrays."""
    data = words.get("validation_data")
    if isinstance(data, list | tuple):
        _give_validation_data(words.get("callbacks"), data)
    if words.keys().isdisjoint(KERAS_STEPS):
        return model.fit_generator(generator, *args, **words)
    return _with_a_generator(model, "fit_generator", generator, *args, **words)


def _give_validation_data(callbacks: Any, data: Any, share: Any = 0, trained: Any = ()) -> None:
    """Gives callbacks the arrays that a model is validated with.

    Args:
        callbacks: Some callbacks, or None.
        data: Inputs, targets and perhaps weights, or None.
        share: How much of the end of `trained` they are, if they are none of their own.
        trained: Inputs and targets.
    """
    parts = [list(one) if isinstance(one, list | tuple) else [one] for one in data or trained]
    arrays = [one for part in parts for one in part]
    if (data or share) and all(hasattr(one, "shape") for one in arrays):
        if not data:
            arrays = [one[int(len(one) * (1 - share)) :] for one in arrays]
        if len(parts) == 2:  # no weights
            import numpy as np

            arrays += [np.ones(len(one), "float32") for one in arrays[-len(parts[1]) :]]
        for callback in callbacks or ():
            callback.validation_data = arrays


def activity(regularizer: Any) -> Any:
    """What a layer is given as its `activity_regularizer`: in Keras 1 these had names of their own."""
    if isinstance(regularizer, str):
        regularizer = regularizer.removeprefix("activity_").replace("l1l2", "l1_l2")
    return _keras().regularizers.get(regularizer)


def _total_loss(model: Any, masks: Any) -> Any:
    """The loss as of Keras 2.2, whatever the release of TensorFlow."""
    from tfqueue.v1.keras import _models

    original = type(model)._prepare_total_loss.__wrapped__
    return _models.total_loss(
        functools.partial(original, model), model, masks, lambda end: _models.shares_that_count
    )


def _with_a_generator(model: Any, name: str, generator: Any, *args: Any, **words: Any) -> Any:
    """A call of Keras 1, which counted examples where Keras 2 counts steps."""
    found: Callable[..., Any] = getattr(model, name)
    if not _is_of_keras(found):
        return found(generator, *args, **words)
    words.update(zip(_OF_FITTING if name == "fit_generator" else _OF_COUNTING, args, strict=False))
    for old, new in _RENAMED.items():
        if old in words:
            words[new] = words.pop(old)
    for old, new in (("samples_per_epoch", "steps_per_epoch"), ("val_samples", "steps")):
        if old in words:
            generator, words[new] = steps(generator, words.pop(old))
    examples, data = words.pop("nb_val_samples", None), words.get("validation_data")
    validates_a_part = not isinstance(data, list | tuple | None)  # arrays are all validated
    if examples is not None and validates_a_part:
        words["validation_data"], words["validation_steps"] = steps(data, examples)
    return found(generator, **words)


def steps(generator: Any, examples: int) -> tuple[Any, int]:
    """A generator, and in how many of its batches there are so many examples.

    >>> again, count = steps(iter([([[1], [2]], [0, 1]), ([[3]], [1])]), 3)
    >>> next(again), count
    (([[1], [2]], [0, 1]), 2)
    """
    if hasattr(generator, "batch_size"):
        return generator, _full_batches(generator, examples)
    first = next(generator)
    inputs = first[0] if isinstance(first, tuple) else first
    while isinstance(inputs, dict) or (isinstance(inputs, list) and hasattr(inputs[0], "shape")):
        inputs = next(iter(inputs.values())) if isinstance(inputs, dict) else inputs[0]
    return itertools.chain([first], generator), -(-examples // len(inputs))


def _full_batches(generator: Any, examples: int) -> int:
    """How many batches of an iterator that says how long they are have so many examples.

    Keras 1 went on until it had seen them all, the short batch at the end of the data, too; Keras 2 left out what was no full batch.
    """
    size: int = generator.batch_size
    if not release.shows_keras_1():
        return max(1, examples // size)
    data: int = generator.n if hasattr(generator, "index_array") else examples  # one of Keras
    return examples // data * -(-data // size) + -(-(examples % data) // size)
