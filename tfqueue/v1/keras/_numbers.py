"""Names and numbers of `tf.keras` that changed after TensorFlow 1.15: of layers, losses, metrics, callbacks and the backend."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow

_tf = _tensorflow.compat_v1()
_OF_THE_BACKEND = {
    "control_flow_ops": "tensorflow.python.ops.control_flow_ops",
    "ctc": "tensorflow.python.ops.ctc_ops",
    "functional_ops": "tensorflow.python.ops.functional_ops",
    "moving_averages": "tensorflow.python.training.moving_averages",
    "np": "numpy",
    "tensor_array_ops": "tensorflow.python.ops.tensor_array_ops",
    "tf": "tfqueue.v1",
}
"""Modules that `keras.backend` of the package keras had besides, because it imported all of its TensorFlow backend."""


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
    losses: Any = importlib.import_module("tf_keras.src.losses")
    for new, old in (("kl_divergence", "kullback_leibler_divergence"), ("log_cosh", "logcosh")):
        getattr(losses, new).__name__ = old  # the name of the metric in logs and in `history`
    losses.Huber.call = _of_each_element(losses.Huber.call)
    for name in ("SensitivityAtSpecificity", "SpecificityAtSensitivity"):
        getattr(keras.metrics, name)._find_max_under_constraint = _at_the_nearest
    keras.callbacks.ModelCheckpoint.on_train_batch_end = _save_after_examples
    regularizers: Any = importlib.import_module("tf_keras.src.regularizers")
    regularizers.L1.l2 = regularizers.L2.l1 = np.zeros((), "float32")
    backends: tuple[Any, ...] = (importlib.import_module("tf_keras.src.backend"), keras.backend)
    for module in backends:
        module.batch_dot = _of_matrices(module.batch_dot)
        module.bias_add = _of_rows(module.bias_add)
        module.ctc_decode = _as_wide_as_the_longest(module.ctc_decode)
        module.softmax = _of_vectors(module.softmax)
        module.switch = _by_rows(module.switch)
    for name, home in _OF_THE_BACKEND.items():
        setattr(keras.backend, name, importlib.import_module(home))
    keras.backend._BACKEND = "tensorflow"  # keras had it
    keras.backend.function = _updating_last(keras.backend.function)
    function = backends[0].GraphExecutionFunction
    function.__call__ = _of_whole_lists(function.__call__)


def snake_case(name: str) -> str:
    """What a layer is called by its class, `conv_lst_m2d` for `ConvLSTM2D`."""
    apart = re.sub("(.)([A-Z][a-z0-9]+)", r"\1_\2", name)
    apart = re.sub("([a-z])([A-Z])", r"\1_\2", apart).lower()
    return f"private{apart}" if apart.startswith("_") else apart


def _of_rows(bias_add: Callable[..., Any]) -> Callable[..., Any]:
    """`K.bias_add`, which took rows whatever the order of a picture's axes was."""

    @functools.wraps(bias_add)
    def added(x: Any, bias: Any, data_format: Any = None) -> Any:
        if x.shape.rank is not None and x.shape.rank < 3:
            data_format = "channels_last"
        return bias_add(x, bias, data_format)

    return added


def _with_inputs(add_update: Callable[..., None]) -> Callable[..., None]:
    """`Layer.add_update`, which takes the inputs that the updates depend on."""

    @functools.wraps(add_update)
    def added(self: Any, updates: Any, inputs: Any = None) -> None:
        add_update(self, updates)

    return added


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


def _as_wide_as_the_longest(decode: Callable[..., Any]) -> Callable[..., Any]:
    """`K.ctc_decode`, whose rows are as long as the longest sequence and not as the input."""

    @functools.wraps(decode)
    def decoded(*args: Any, **kwargs: Any) -> Any:
        found, scores = decode(*args, **kwargs)
        lengths = [_tf.reduce_sum(_tf.cast(rows >= 0, _tf.int32), axis=1) for rows in found]
        cut = [rows[:, : _tf.reduce_max(n)] for rows, n in zip(found, lengths, strict=True)]
        return cut, scores

    return decoded


def _of_matrices(batch_dot: Callable[..., Any]) -> Callable[..., Any]:
    """`K.batch_dot`, which of four dimensions and more multiplied the matrices in the last two."""

    @functools.wraps(batch_dot)
    def dotted(x: Any, y: Any, axes: Any = None) -> Any:
        ranks = x.shape.rank, y.shape.rank
        if None in ranks or max(ranks) < 4:
            return batch_dot(x, y, axes)
        first, second = (axes, axes) if isinstance(axes, int) else axes or (ranks[0] - 1, -2)
        last = max(ranks) - 1
        x, y = (
            one[(...,) + (None,) * (last + 1 - rank)]
            for one, rank in zip((x, y), ranks, strict=True)
        )
        found = _tf.matmul(x, y, adjoint_a=first != last, adjoint_b=second == last)
        more = abs(ranks[0] - ranks[1])
        begin = sum(ranks) - 3 if ranks[0] > ranks[1] else ranks[0] - 1
        return _tf.squeeze(found, list(range(begin, begin + more))) if more else found

    return dotted


def _updating_last(function: Callable[..., Any]) -> Callable[..., Any]:
    """`K.function`, which may have no outputs, and whose updates come behind all of them: today's behind the first."""

    @functools.wraps(function)
    def made(inputs: Any, outputs: Any, updates: Any = None, name: Any = None, **more: Any) -> Any:
        listed = isinstance(outputs, list | tuple)
        if not updates or not listed or len(outputs) == 1 or _tf.executing_eagerly():
            return function(inputs, outputs, updates=updates, name=name, **more)
        if not outputs:
            step = function(inputs, [_tf.constant(0)], updates=updates, name=name, **more)
            return lambda given: step(given)[1:]
        outputs = [one if _is_sparse(one) else _tf.convert_to_tensor(one) for one in outputs]
        if not _is_sparse(outputs[0]):
            with _tf.control_dependencies([one.op for one in outputs]):
                outputs[0] = _tf.identity(outputs[0])
        return function(inputs, outputs, updates=updates, name=name, **more)

    return made


def _of_whole_lists(call: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the backend takes a list of rows for an input as an array: today's takes them for many inputs."""

    @functools.wraps(call)
    def called(self: Any, inputs: Any) -> Any:
        if type(inputs) in (list, tuple) and len(inputs) == len(self.inputs):
            inputs = [np.asarray(one) if type(one) in (list, tuple) else one for one in inputs]
        return call(self, inputs)

    return called


def _is_sparse(tensor: Any) -> bool:
    return isinstance(tensor, _tf.SparseTensor)


def _of_vectors(softmax: Callable[..., Any]) -> Callable[..., Any]:
    """`K.softmax`, which takes vectors."""

    @functools.wraps(softmax)
    def of_any(x: Any, axis: int = -1) -> Any:
        return (
            _tf.nn.softmax(x, axis)
            if _tf.convert_to_tensor(x).shape.rank == 1
            else softmax(x, axis)
        )

    return of_any


def _by_rows(switch: Callable[..., Any]) -> Callable[..., Any]:
    """`K.switch`, whose vector of conditions chooses rows."""

    @functools.wraps(switch)
    def chosen(condition: Any, then_expression: Any, else_expression: Any) -> Any:
        if len(getattr(condition, "shape", ())) == 1:
            then = then_expression() if callable(then_expression) else then_expression
            if len(then.shape) > 1:
                condition = _tf.reshape(condition, [-1] + [1] * (len(then.shape) - 1))
            then_expression = then
        return switch(condition, then_expression, else_expression)

    return chosen
