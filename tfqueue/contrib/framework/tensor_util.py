"""`tf.contrib.framework`'s functions of tensors, where TensorFlow has others of the name."""

from __future__ import annotations

from typing import Any

import numpy as np
from tensorflow.python.ops import confusion_matrix

from tfqueue import _tensorflow
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()


def remove_squeezable_dimensions(
    predictions: Any, labels: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Predictions and labels of one rank (`tf.contrib.framework.remove_squeezable_dimensions`).

    TensorFlow's own function of this name takes and gives the labels first.

    Args:
        predictions: A tensor.
        labels: One whose rank is the same, or one more or less; the last dimension of the longer one is dropped if it is 1.

    Returns:
        The predictions, and the labels.
    """
    with _tf.name_scope(name, "remove_squeezable_dimensions", [predictions, labels]):
        labels, predictions = confusion_matrix.remove_squeezable_dimensions(labels, predictions)
    return predictions, labels


def with_same_shape(expected_tensor: Tensor, tensor: Tensor) -> Tensor:
    """`tensor`, which has to have the shape of another (`tf.contrib.framework.with_same_shape`).

    Args:
        expected_tensor: A tensor of the shape.
        tensor: A tensor.

    Raises:
        ValueError: The shapes are known and differ.
    """
    with _tf.name_scope(f"{tensor.op.name}/", values=[expected_tensor, tensor]):
        known = expected_tensor.shape
        expected = known.as_list() if known.is_fully_defined() else _tf.shape(expected_tensor)
        return with_shape(expected, tensor)


def with_shape(expected_shape: Any, tensor: Tensor) -> Tensor:
    """`tensor`, which has to have a shape (`tf.contrib.framework.with_shape`).

    What is known while the graph is built is compared then; otherwise an op does it.

    Args:
        expected_shape: A list or array of int32 numbers, or an int32 tensor of them.
        tensor: A tensor of any type.

    Returns:
        The tensor; behind an assertion, of the shape asked for, if its own is not known.

    Raises:
        ValueError: The shapes are known and differ, or `expected_shape` is of another type.
        tf.errors.InvalidArgumentError: In the session, if the shapes differ.

    >>> import tfqueue.v1 as tf
    >>> tf.contrib.framework.with_shape([2], tf.constant([3, 4])).shape.as_list()
    [2]
    """
    if isinstance(tensor, _tf.SparseTensor):
        raise ValueError("SparseTensor not supported.")
    if not _tf.is_tensor(expected_shape):
        if isinstance(expected_shape, _tf.TensorShape):
            expected_shape = expected_shape.as_list()
        numbers = np.asarray(expected_shape)
        if not isinstance(expected_shape, np.ndarray):  # numbers of Python's are int32
            small = numbers.size == 0 or np.issubdtype(numbers.dtype, np.integer)
            numbers = numbers.astype(np.int32) if small else numbers
        dtype: Any = numbers.dtype
    else:
        numbers, dtype = _tf.get_static_value(expected_shape), expected_shape.dtype
    if dtype != np.int32:
        raise ValueError(
            f"Invalid dtype {dtype} for shape {expected_shape} expected of tensor {tensor.name}."
        )
    static = tensor.shape
    if numbers is not None and static.is_fully_defined() and not _tf.is_tensor(expected_shape):
        if static.as_list() != numbers.tolist():
            raise ValueError(
                f"Invalid shape for tensor {tensor.name}, expected {numbers}, got {static}."
            )
        return tensor
    with _tf.name_scope(f"{tensor.op.name}/"):
        wanted = _tf.convert_to_tensor(expected_shape if numbers is None else numbers)
        actual = _tf.shape(tensor)
        equal = _tf.raw_ops.Equal(x=wanted, y=actual, incompatible_shape_error=False)
        same = _tf.reduce_all(equal)
        told = [f"Wrong shape for {tensor.name} [expected] [actual].", wanted, actual]
        with _tf.control_dependencies([_tf.Assert(same, told, name="assert_shape")]):
            checked = _tf.identity(tensor, name="Identity")
    if numbers is not None and static.is_compatible_with(numbers.tolist()):
        checked.set_shape(numbers.tolist())
    return checked


def assert_scalar_int(tensor: Any, name: str | None = None) -> Tensor:
    """`tensor`, which has to be a whole number (`tf.contrib.framework.assert_scalar_int`).

    Args:
        tensor: An int32 or int64 tensor of shape `()`, or what becomes one.
        name: Name of the scope of the op for a number of Python's.

    Raises:
        ValueError: It is of another type or shape.
    """
    with _tf.name_scope(name, "assert_scalar_int", [tensor]) as scope:
        tensor = _tf.convert_to_tensor(tensor)
        if tensor.dtype.base_dtype not in (_tf.int32, _tf.int64):
            raise ValueError(
                f"Expected integer type for {tensor.name}, received type: {tensor.dtype}."
            )
        return _tf.debugging.assert_scalar(tensor, name=scope)


def reduce_sum_n(tensors: list[Tensor], name: str | None = None) -> Tensor:
    """The sum of all numbers of some tensors (`tf.contrib.framework.reduce_sum_n`).

    Args:
        tensors: Tensors of one numeric type and any shapes.
        name: Name of the op.

    Returns:
        A tensor of shape `()`.

    Raises:
        ValueError: There is no tensor.
    """
    if not tensors:
        raise ValueError("No tensors provided.")
    with _tf.name_scope(name, "reduce_sum_n", tensors) as scope:
        sums = [_tf.reduce_sum(each, name=f"{each.op.name}/sum") for each in tensors]
        return sums[0] if len(sums) == 1 else _tf.add_n(sums, name=scope)


def get_placeholders(graph: Any) -> list[Tensor]:
    """The placeholders of a graph, in the order they were made (`tf.contrib.framework.get_placeholders`).

    Args:
        graph: A `tf.Graph`.
    """
    return [
        output for op in graph.get_operations() if op.type == "Placeholder" for output in op.outputs
    ]
