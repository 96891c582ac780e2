"""Names and numbers of `tf.keras` that changed after TensorFlow 1.15: of layers, losses, metrics and callbacks."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.v1 import _call_forms

_tf = _tensorflow.compat_v1()


def install(keras: Any) -> None:
    """Has them be and compute what they were in 1.15.

    Args:
        keras: The module of Keras 2.
    """
    utils: Any = importlib.import_module("tf_keras.src.utils.generic_utils")
    utils.to_snake_case = snake_case
    for name in ("base_layer", "base_layer_v1"):
        base: Any = importlib.import_module(f"tf_keras.src.engine.{name}")
        base.Layer.add_update = _with_inputs(base.Layer.add_update)
    base.Layer._maybe_build = _of_floatx(base.Layer._maybe_build)
    base.Layer.add_weight = _floats_where_needed(base.Layer.add_weight)
    losses: Any = importlib.import_module("tf_keras.src.losses")
    for new, old in (("kl_divergence", "kullback_leibler_divergence"), ("log_cosh", "logcosh")):
        getattr(losses, new).__name__ = old  # the name of the metric in logs and in `history`
    losses.Huber.call = _of_each_element(losses.Huber.call)
    for name in ("SensitivityAtSpecificity", "SpecificityAtSensitivity"):
        getattr(keras.metrics, name)._find_max_under_constraint = _at_the_nearest
    keras.callbacks.ModelCheckpoint.on_train_batch_end = _save_after_examples
    regularizers: Any = importlib.import_module("tf_keras.src.regularizers")
    regularizers.L1.l2 = regularizers.L2.l1 = np.zeros((), "float32")


def snake_case(name: str) -> str:
    """What a layer is called by its class, `conv_lst_m2d` for `ConvLSTM2D`."""
    apart = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    apart = re.sub("([a-z])([A-Z])", r"\1_\2", apart).lower()
    return f"private{apart}" if apart.startswith("_") else apart


def _is_of_tf_layers(layer: Any) -> bool:
    legacy: Any = importlib.import_module("tf_keras.src.legacy_tf_layers.base")
    return isinstance(layer, legacy.Layer)


def _of_floatx(build: Callable[..., Any]) -> Callable[..., Any]:
    """Weights of a layer that is given no dtype: those of `floatx` in Keras and up to 1.8, of its first input's since."""

    @functools.wraps(build)
    def _maybe_build(self: Any, inputs: Any) -> Any:
        unknown = not self.built and self._dtype_policy.compute_dtype is None
        if unknown and not _is_of_tf_layers(self) and _call_forms.reaches("1.8", keras=True):
            self._set_dtype_policy(_floatx())
        return build(self, inputs)

    return _maybe_build


def _floats_where_needed(add_weight: Callable[..., Any]) -> Callable[..., Any]:
    """A weight of a layer that is called on whole numbers is a float where its initializer makes no whole numbers, as up to 1.8."""

    @functools.wraps(add_weight)
    def added(
        self: Any,
        name: str | None = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        *args: Any,
        **words: Any,
    ) -> Any:
        own = _tf.as_dtype(self.dtype or "float32")
        if dtype is None and initializer is not None and not own.is_floating:
            dtype = None if _makes(initializer, shape, own) else _floatx()
        return add_weight(self, name, shape, dtype, initializer, *args, **words)

    return added


def _makes(initializer: Any, shape: Any, dtype: Any) -> bool:
    """Whether an initializer has values of a dtype."""
    initializers: Any = importlib.import_module("tf_keras.src.initializers")
    with _tf.Graph().as_default():
        try:
            initializers.get(initializer)(shape, dtype=dtype)
        except (TypeError, ValueError):
            return False
    return True


def _floatx() -> str:
    backend: Any = importlib.import_module("tf_keras.src.backend")
    return str(backend.floatx())


def _with_inputs(add_update: Callable[..., None]) -> Callable[..., None]:
    """`Layer.add_update`, which takes the inputs that the updates depend on, and pairs of a variable and its new value.

    A pair was an assignment in the package keras and up to 1.6. Since then it is a tensor, and assigns nothing.
    """

    @functools.wraps(add_update)
    def added(self: Any, updates: Any, inputs: Any = None) -> None:
        if _call_forms.reaches("1.6", keras=True):
            listed = updates if isinstance(updates, list) else [updates]
            updates = [_tf.assign(*one) if _is_pair(one) else one for one in listed]
        add_update(self, updates)

    return added


def _is_pair(update: Any) -> bool:
    return isinstance(update, tuple) and len(update) == 2 and isinstance(update[0], _tf.Variable)


def _of_each_element(call: Callable[..., Any]) -> Callable[..., Any]:
    """`Huber.call`, which gives a loss for each element: with `reduction="sum"` all are summed."""

    @functools.wraps(call)
    def elements(self: Any, y_true: Any, y_pred: Any) -> Any:
        return call(self, _tf.expand_dims(y_true, -1), _tf.expand_dims(y_pred, -1))

    return elements


def _at_the_nearest(self: Any, constrained: Any, dependent: Any, predicate: Any) -> Any:
    """The value at the threshold where the other one is nearest to what is asked for."""
    return dependent[_tf.argmin(_tf.abs(constrained - self.value))]


def _save_after_examples(self: Any, batch: int, logs: Any = None) -> None:
    """`ModelCheckpoint`, which saves after `save_freq` examples, not batches."""
    if self.save_freq == "epoch":
        return
    logs = logs or {}
    self._batches_seen_since_last_saving += logs.get("size", 1)
    if self._batches_seen_since_last_saving >= self.save_freq:
        self._save_model(epoch=self._current_epoch, batch=batch, logs=logs)
        self._batches_seen_since_last_saving = 0
