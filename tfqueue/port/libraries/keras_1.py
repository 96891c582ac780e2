"""Keras 1 and 2.0: what `tf.keras` lacks of it. Translated programs call these."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from tfqueue.names.libraries import OTHER_RATES

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


def get_variable_shape(x: Any) -> Any:
    """Stands for ``keras.backend.get_variable_shape``."""
    return _keras().backend.int_shape(x)


def optimizer(given: Any) -> Any:
    """What ``model.compile`` is given as its optimizer: a name stands for one that begins as it did."""
    name = given.capitalize() if isinstance(given, str) else ""
    if name not in OTHER_RATES:
        return given
    import tfqueue.v1

    return getattr(tfqueue.v1.contrib.keras.optimizers, name)()


def batch_normalization(*args: Any, **words: Any) -> Any:
    """Stands for ``keras.layers.BatchNormalization``: what differs is told."""
    if not _told:
        _told.add("BatchNormalization")
        sys.stderr.write(
            "tfqueue: BatchNormalization of Keras 2.2 corrected the averages of its first steps, and that of "
            "tf.keras does not: after some hundred steps they agree, before that predictions differ\n"
        )
    return _keras().layers.BatchNormalization(*args, **words)


def kernel(rows: Any, columns: Any) -> tuple[Any, ...]:
    """Arguments behind the first of a convolution: the size of a kernel, and strides unless it was of two numbers.

    >>> kernel(3, 5), kernel((3, 5), 2)
    (((3, 5),), ((3, 5), 2))
    """
    whole = isinstance(rows, int) and isinstance(columns, int)
    return ((rows, columns),) if whole else (rows, columns)


def merge(
    inputs: Any,
    mode: Any = "sum",
    dot_axes: Any = -1,
    concat_axis: int = -1,
    output_shape: Any = None,
    name: str | None = None,
    **_words: Any,
) -> Any:
    """Stands for ``keras.layers.merge``, the function of Keras 1."""
    layers = _keras().layers
    if callable(mode):
        return layers.Lambda(mode, output_shape=output_shape, name=name)(inputs)
    if mode not in _MERGES:
        raise ValueError(f"merge has no mode {mode!r} here; there are {', '.join(_MERGES)}")
    words: dict[str, Any] = {"name": name}
    if mode == "concat":
        words["axis"] = concat_axis
    elif mode == "dot":
        words["axes"] = dot_axes
    return getattr(layers, _MERGES[mode])(inputs, **words)


def method(model: Any, name: str) -> Callable[..., Any]:
    """Stands for ``model.predict_classes`` and ``model.predict_proba`` where a model has none."""
    own = getattr(model, name, None)
    if own is not None:
        return own  # type: ignore[no-any-return]
    return model.predict if name == "predict_proba" else functools.partial(_classes, model)


def _classes(model: Any, *args: Any, **words: Any) -> Any:
    found = model.predict(*args, **words)
    return found.argmax(axis=-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32")
