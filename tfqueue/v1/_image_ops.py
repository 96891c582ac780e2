"""Functions whose results had a static shape up to 1.15, and programs build on it.

`tf.image.decode_image` gives no static shape. Up to 1.15 a flip behind it gave `(?, ?, ?)`, which
`resize_images` and what follows build on; since 2.0 a flip takes batches, too, and says nothing.
A transposed convolution had the shape that it is told; today the batch is that of its input, even
where this is not known.

Beside these are two functions of `tf.image` whose arguments have become narrower.
"""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import _tensorflow
from tfqueue.v1 import _image_op_counts
from tfqueue.v1._types import Tensor

_tf = _tensorflow.compat_v1()

_FLIPS = (
    "flip_left_right flip_up_down random_flip_left_right random_flip_up_down rot90 transpose "
    "transpose_image"
)


def _of_rank_3(name: str) -> Callable[..., Tensor]:
    counted = _image_op_counts.FUNCTIONS.get(f"image.{name}")
    function = counted or getattr(_tf.image, name)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Tensor:
        result = function(*args, **kwargs)
        if result.shape.rank is None:
            result.set_shape([None, None, None])
        return result

    wrapper.__module__ = __name__
    vars(wrapper)["__signature__"] = inspect.signature(_tensorflow.undecorated(function))
    wrapper.__doc__ = (
        f"`tf.image.{name}`; of an image whose shape is not known, of the shape `(?, ?, ?)`.\n"
    )
    return wrapper


def _of_the_shape_told(name: str, argument: str) -> Callable[..., Tensor]:
    function = getattr(_tf.nn, name)
    signature = inspect.signature(_tensorflow.undecorated(function))

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Tensor:
        result = function(*args, **kwargs)
        told = signature.bind(*args, **kwargs).arguments.get(argument)
        if _tf.is_tensor(told):
            told = _tf.get_static_value(told)
        if told is not None and not any(_tf.is_tensor(size) for size in told):
            result.set_shape([None if int(size) < 0 else int(size) for size in told])
        return result

    wrapper.__module__ = __name__
    vars(wrapper)["__signature__"] = signature
    wrapper.__doc__ = f"`tf.nn.{name}`, of the static shape that it is told.\n"
    return wrapper


def adjust_contrast(images: Any, contrast_factor: Any) -> Tensor:
    """Moves each pixel away from its channel's mean (`tf.image.adjust_contrast`).

    Images of float16 are computed in float32, as up to 1.15: today that has no kernel for the CPU.

    Args:
        images: `[..., height, width, channels]`.
        contrast_factor: What the distance from the mean is multiplied by.

    Returns:
        Tensor of the shape and dtype of `images`.
    """
    images = _tf.convert_to_tensor(images)
    adjust = _image_op_counts.FUNCTIONS["image.adjust_contrast"]
    if images.dtype != _tf.float16:
        return adjust(images, contrast_factor)
    adjusted = adjust(_tf.cast(images, _tf.float32), contrast_factor)
    return _tf.cast(adjusted, _tf.float16)


def encode_png(image: Any, compression: int = -1, name: str | None = None) -> Tensor:
    """Encodes an image (`tf.image.encode_png`).

    What is no tensor is an image of uint8, as up to 1.15, whatever numbers an array or list has.

    Args:
        image: `[height, width, channels]` of uint8 or uint16.
        compression: From 0 to 9, or -1 for the usual.

    Returns:
        Tensor of a string.

    >>> import tfqueue.v1 as tf
    >>> tf.image.encode_png([[[3]]]).dtype
    tf.string
    """
    if not any(map(_tf.is_tensor, _tf.nest.flatten(image))):
        image = np.asarray(image).astype(np.uint8)
    return _tf.image.encode_png(image, compression, name)


FUNCTIONS = {
    **{f"image.{name}": _of_rank_3(name) for name in _FLIPS.split()},
    "image.adjust_contrast": adjust_contrast,
    **{f"{space}.encode_png": encode_png for space in ("image", "io")},
    "nn.atrous_conv2d_transpose": _of_the_shape_told("atrous_conv2d_transpose", "output_shape"),
    "nn.conv2d_transpose": _of_the_shape_told("conv2d_transpose", "output_shape"),
    "nn.conv2d_backprop_input": _of_the_shape_told("conv2d_backprop_input", "input_sizes"),
}
"""Dotted name below `tf` -> what is laid over it."""
