"""How many ops TensorFlow 1 made where TensorFlow 2 makes another number: the seeds of the random ops behind them count these.

`_tensorflow.seeds` says how. The numbers are those of 1.4 to 1.15. What makes another number and does not stand here
is named in docs/limits.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorflow.python import tf2
from tensorflow.python.framework import ops, tensor_shape
from tensorflow.python.keras.layers import convolutional, core
from tensorflow.python.ops import (
    array_ops,
    math_ops,
    standard_ops,
    tensor_array_ops,
)
from tensorflow.python.ops.losses import losses_impl

from tfqueue import release
from tfqueue._tensorflow import seeds
from tfqueue.v1._random_ops import ours


def _with_more(original: Callable[..., Any], how_many: Callable[..., int]) -> Callable[..., Any]:
    """A function that counts as so many ops more than it makes; it is asked with the arguments."""

    @ours(original)
    def function(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        seeds.more(how_many(*args, **kwargs))
        return result

    return function


def _convolution(layer: Any, *args: Any, **kwargs: Any) -> int:
    """The op `dilation_rate`, and up to 1.2 another one."""
    if set(layer.dilation_rate) != {1}:
        return 0
    return 2 if release.before("1.3") else 1


def _transposed_convolution(layer: Any, *args: Any, **kwargs: Any) -> int:
    return (10 if layer.padding == "valid" else 6) + (0 if release.before("1.13") else 4)


def _flattened(layer: Any, inputs: Any, *args: Any, **kwargs: Any) -> int:
    """It was a reshape to what the shape's op says."""
    known = tensor_shape.dimension_value(inputs.shape[0]) is not None and not release.before("1.13")
    return 0 if known else 6


def _weighted_loss(*args: Any, **kwargs: Any) -> int:
    return 7 if release.before("1.13") else -3


def _tensordot(original: Callable[..., Any]) -> Callable[..., Any]:
    """It transposed and reshaped even where that changes nothing."""

    @ours(original)
    def tensordot(*args: Any, **kwargs: Any) -> Any:
        graph = ops.get_default_graph()
        before = len(graph.get_operations())
        result = original(*args, **kwargs)
        types = [op.type for op in graph.get_operations()[before:]]
        if types:  # none in eager mode
            left_out = 2 * (2 - types.count("Transpose")) + 2 * (3 - types.count("Reshape"))
            if "Prod" in types and release.before("1.12"):
                left_out += 14 if release.before("1.5") else 16
            seeds.more(left_out)
        return result

    return tensordot


def _split(original: Callable[..., Any]) -> Callable[..., Any]:
    """A number of pieces was made a tensor, which nothing read."""

    @ours(original)
    def split(*args: Any, **kwargs: Any) -> Any:
        pieces = args[1] if len(args) > 1 else kwargs.get("num_or_size_splits")
        if isinstance(pieces, int) and not (tf2.enabled() or release.before("1.1")):
            ops.convert_to_tensor(pieces)
        return original(*args, **kwargs)

    return split


def _size(original: Callable[..., Any]) -> Callable[..., Any]:
    """The size of a `TensorArray` was an op of its own, also where it is known."""

    @ours(original)
    def size(self: Any, *args: Any, **kwargs: Any) -> Any:
        with seeds.standing_for(1):
            return original(self, *args, **kwargs)

    return size


def normalization(fused: bool, training: bool | None, variables: int) -> int:
    """Of batch normalization.

    Args:
        fused: Whether it is the fused op.
        training: Whether it takes the batch's moments, None where a tensor says so.
        variables: How many of `gamma` and `beta` it has.

    Returns:
        How many ops more it was.
    """
    fixed = training is not None
    early = release.before("1.5")
    if fused:
        if not fixed:
            return (4 if early else 3) - variables
        return (1 if training and not early else -1) - variables
    return (-4 if fixed else 11 if early else 15) - 2 * variables


compute_weighted_loss = _with_more(losses_impl.compute_weighted_loss, _weighted_loss)
tensordot = _tensordot(math_ops.tensordot)
split = _split(array_ops.split)
FUNCTIONS = {
    "losses.compute_weighted_loss": compute_weighted_loss,
    **dict.fromkeys(("tensordot", "linalg.tensordot"), tensordot),
    "split": split,
}
"""By their names below `tf`."""


def install() -> None:
    """Puts them where TensorFlow's own functions look for them."""
    losses_impl.compute_weighted_loss = compute_weighted_loss
    math_ops.tensordot = standard_ops.tensordot = tensordot
    array_ops.split = split
    array = tensor_array_ops._GraphTensorArray
    array.size = _size(array.size)
    for layer, how_many in (
        (convolutional.Conv, _convolution),
        (convolutional.Conv2DTranspose, _transposed_convolution),
        (core.Flatten, _flattened),
    ):
        layer.call = _with_more(layer.call, how_many)
