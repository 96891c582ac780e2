"""Functions of `keras.backend`, and the softmax of activations, as `tf.keras` and the package keras had them.

Which numbers a cross entropy of a softmax or sigmoid is made of, and where a pixel's corner is in `resize_images`, changed
with the release: what `tf.keras` did up to one, the package keras did up to 2.2.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow, release
from tfqueue.v1 import _call_forms

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
    """Has them compute what they did.

    Args:
        keras: The module of Keras 2.
    """
    backend: Any = importlib.import_module("tf_keras.src.backend")
    for module in (backend, keras.backend):
        module.arange = _of_tensors(module.arange)
        module.batch_dot = _of_matrices(module.batch_dot)
        module.bias_add = _of_rows(module.bias_add)
        module.ctc_decode = _as_wide_as_the_longest(module.ctc_decode)
        module.moving_average_update = _of_early_releases(module.moving_average_update)
        module.resize_images = _from_the_corner(module.resize_images)
        module.softmax = _of_vectors(module.softmax)
        module.switch = _by_rows(module.switch)
        for name in ("spatial_2d_padding", "spatial_3d_padding", "temporal_padding"):
            setattr(module, name, _on_both_sides(getattr(module, name)))
    backend._get_logits = _of_the_op
    backend.separable_conv1d = functools.partial(_separable_conv1d, backend)
    activations: Any = importlib.import_module("tf_keras.src.activations")
    activations.softmax = keras.activations.softmax = _divided(activations.softmax)
    for name, home in _OF_THE_BACKEND.items():
        setattr(keras.backend, name, importlib.import_module(home))
    keras.backend._BACKEND = "tensorflow"  # keras had it
    keras.backend.function = _updating_last(keras.backend.function)
    function = backend.GraphExecutionFunction
    function.__call__ = _of_whole_lists(function.__call__)


def _of_the_op(output: Any, from_logits: bool, op_type: str, _name: str) -> tuple[Any, bool]:
    """What a cross entropy is made of: since 1.14 the numbers that a softmax or sigmoid was given, before that what it gave, clipped.

    Args:
        output: What a model gave.
        from_logits: Whether it is said to be what a softmax or sigmoid is to be given; so it is, then.
        op_type: `"Softmax"` or `"Sigmoid"`.

    Returns:
        The numbers, and whether they are to be taken for logits.
    """
    if from_logits or _tf.executing_eagerly() or _call_forms.reaches("1.13", keras=True):
        return output, from_logits
    divided = getattr(output, "_keras_logits", output) is None
    if isinstance(output, _tf.Variable) or output.op.type != op_type or divided:
        return output, False
    return output.op.inputs[0], True


def _divided(softmax: Callable[..., Any]) -> Callable[..., Any]:
    """`activations.softmax`, which of three axes and more divided by a sum: a cross entropy finds no softmax there."""

    @functools.wraps(softmax)
    def divided(x: Any, axis: int = -1) -> Any:
        found = softmax(x, axis)
        if x.shape.rank is not None and x.shape.rank > 2:
            found._keras_logits = None
        return found

    return divided


def _from_the_corner(resize_images: Callable[..., Any]) -> Callable[..., Any]:
    """`K.resize_images`, whose bilinear pictures began in a pixel's corner up to 1.14; since then it is the middle."""

    @functools.wraps(resize_images)
    def resized(
        x: Any,
        height_factor: int,
        width_factor: int,
        data_format: str,
        interpolation: str = "nearest",
    ) -> Any:
        if interpolation != "bilinear" or not _call_forms.reaches("1.14", keras=True):
            return resize_images(x, height_factor, width_factor, data_format, interpolation)
        first = data_format == "channels_first"
        pictures = _tf.transpose(x, [0, 2, 3, 1]) if first else x
        size = pictures.shape[1:3]
        sides = size.as_list() if size.is_fully_defined() else _tf.shape(pictures)[1:3]
        found = _tf.image.resize_bilinear(
            pictures, _tf.multiply(sides, [height_factor, width_factor])
        )
        return _tf.transpose(found, [0, 3, 1, 2]) if first else found

    return resized


def _of_tensors(arange: Callable[..., Any]) -> Callable[..., Any]:
    """`K.arange`, which takes a tensor alone, too."""

    @functools.wraps(arange)
    def ranged(start: Any, stop: Any = None, step: Any = 1, dtype: str = "int32") -> Any:
        if stop is None and _tf.is_tensor(start):
            start, stop = 0, _tf.maximum(start, 0)
        return arange(start, stop, step, dtype)

    return ranged


def _of_early_releases(update: Callable[..., Any]) -> Callable[..., Any]:
    """`K.moving_average_update`, which up to 1.5 and in Keras 1 did not correct the first averages."""

    @functools.wraps(update)
    def averaged(x: Any, value: Any, momentum: Any) -> Any:
        if _call_forms.reaches("1.5") or release.shows_keras_1():
            averages: Any = importlib.import_module(_OF_THE_BACKEND["moving_averages"])
            return averages.assign_moving_average(x, value, momentum, zero_debias=False)
        return update(x, value, momentum)

    return averaged


def _separable_conv1d(
    backend: Any,
    x: Any,
    depthwise_kernel: Any,
    pointwise_kernel: Any,
    strides: Any = 1,
    padding: str = "valid",
    data_format: str | None = None,
    dilation_rate: Any = 1,
) -> Any:
    """`K.separable_conv1d`, of pictures of one row; today's gives TensorFlow an order of axes that it does not know."""
    axis = 2 if (data_format or backend.image_data_format()) == "channels_first" else 1
    stride, rate = (one if isinstance(one, int) else one[0] for one in (strides, dilation_rate))
    rows = [_tf.expand_dims(one, 0) for one in (depthwise_kernel, pointwise_kernel)]
    pictures = _tf.expand_dims(x, axis)
    found = backend.separable_conv2d(
        pictures, *rows, (stride, stride), padding, data_format, (1, rate)
    )
    return _tf.squeeze(found, [axis])


def _of_matrices(batch_dot: Callable[..., Any]) -> Callable[..., Any]:
    """`K.batch_dot`, which of three dimensions and more multiplied the matrices in the last two, and of two summed along an axis."""

    @functools.wraps(batch_dot)
    def dotted(x: Any, y: Any, axes: Any = None) -> Any:
        ranks = x.shape.rank, y.shape.rank
        if None in ranks:
            return batch_dot(x, y, axes)
        first, second = (
            (axes, axes) if isinstance(axes, int) else axes or (ranks[0] - 1, ranks[1] - 2)
        )
        if max(ranks) == 2:
            found = _tf.reduce_sum((x if first == second else _tf.transpose(x)) * y, second)
        else:
            found = _product(x, y, first, second)
        return _tf.expand_dims(found, 1) if found.shape.rank == 1 else found

    return dotted


def _product(x: Any, y: Any, first: int, second: int) -> Any:
    ranks = x.shape.rank, y.shape.rank
    last = max(ranks) - 1
    x, y = (
        one[(...,) + (None,) * (last + 1 - rank)] for one, rank in zip((x, y), ranks, strict=True)
    )
    found = _tf.matmul(x, y, adjoint_a=first != last, adjoint_b=second == last)
    more = abs(ranks[0] - ranks[1])
    begin = sum(ranks) - 3 if ranks[0] > ranks[1] else ranks[0] - 1
    return _tf.squeeze(found, list(range(begin, begin + more))) if more else found


def _of_rows(bias_add: Callable[..., Any]) -> Callable[..., Any]:
    """`K.bias_add`, which took rows whatever the order of a picture's axes was."""

    @functools.wraps(bias_add)
    def added(x: Any, bias: Any, data_format: Any = None) -> Any:
        if x.shape.rank is not None and x.shape.rank < 3:
            data_format = "channels_last"
        return bias_add(x, bias, data_format)

    return added


def _as_wide_as_the_longest(decode: Callable[..., Any]) -> Callable[..., Any]:
    """`K.ctc_decode`, whose rows are as long as the longest sequence and not as the input."""

    @functools.wraps(decode)
    def decoded(*args: Any, **kwargs: Any) -> Any:
        found, scores = decode(*args, **kwargs)
        lengths = [_tf.reduce_sum(_tf.cast(rows >= 0, _tf.int32), axis=1) for rows in found]
        cut = [rows[:, : _tf.reduce_max(n)] for rows, n in zip(found, lengths, strict=True)]
        return cut, scores

    return decoded


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


def _on_both_sides(pad: Callable[..., Any]) -> Callable[..., Any]:
    """A padding of `keras.backend`, which took one number for both sides of a dimension in Keras 1."""

    @functools.wraps(pad)
    def padded(x: Any, *args: Any, **kwargs: Any) -> Any:
        given = args[0] if args else kwargs.get("padding")
        if given is None or not release.imports_keras():
            return pad(x, *args, **kwargs)
        if isinstance(given, int):  # of a sequence
            given = (given, given)
        elif pad.__name__.startswith("spatial"):
            given = tuple((one, one) if isinstance(one, int) else one for one in given)
        kwargs.pop("padding", None)
        return pad(x, given, *args[1:], **kwargs)

    return padded


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
