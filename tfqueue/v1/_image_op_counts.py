"""How many ops changes of images were in TensorFlow 1.4 to 1.15, of images whose rank is known: `_op_counts` says what for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tensorflow.python import tf2
from tensorflow.python.eager import context
from tensorflow.python.framework import dtypes, ops, tensor_shape, tensor_util
from tensorflow.python.ops import image_ops_impl, math_ops

from tfqueue import _tensorflow, release
from tfqueue._tensorflow import seeds
from tfqueue.v1._random_ops import ours


def _shape(image: Any) -> tensor_shape.TensorShape:
    return tensor_shape.TensorShape(getattr(image, "shape", ()))


def _unknown_sizes(image: Any) -> int:
    """How many of height and width are not known."""
    shape = _shape(image)
    return 2 if shape.rank is None else sum(size is None for size in shape.as_list()[-3:-1])


def _dtype(image: Any) -> dtypes.DType:
    return dtypes.as_dtype(getattr(image, "dtype", dtypes.float32))


def _with_more(original: Callable[..., Any], how_many: Callable[..., int]) -> Callable[..., Any]:
    """A function of an image that counts as so many ops more than it makes; it is asked with the arguments."""
    signature = inspect.signature(_tensorflow.undecorated(original))

    @ours(original)
    def function(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        if not (tf2.enabled() or context.executing_eagerly()):
            seeds.more(how_many(*signature.bind(*args, **kwargs).args))
        return result

    return function


def _of_checks(original: Callable[..., Any]) -> Callable[..., Any]:
    """The check: it was left out only where all of the shape is known, the size of a batch too."""

    @ours(original)
    def _CheckAtLeast3DImage(image: Any, require_static: bool = True) -> Any:
        if tf2.enabled() or context.executing_eagerly() or _shape(image).is_fully_defined():
            return original(image, require_static)
        with seeds.standing_for(
            8 if release.before("1.14") else 20 if release.before("1.15") else 22
        ):
            return original(image, require_static)

    return _CheckAtLeast3DImage


def _standardized(image: Any) -> int:
    if release.before("1.13"):
        return -4
    dtype = _dtype(image)
    if release.before("1.15") or dtype == dtypes.float16:
        return 0
    return 9 if dtype.is_integer else 1


def _centre(image: Any, central_fraction: Any) -> int:
    if tensor_util.is_tf_type(central_fraction) or central_fraction == 1.0:
        return 0
    unknown = _unknown_sizes(image)
    return (39, 19, 5)[unknown] if release.before("1.9") else -unknown


def _cropped_or_padded(image: Any, target_height: Any, target_width: Any) -> int:
    """Sizes that are computed were compared."""
    computed = any(map(tensor_util.is_tf_type, (target_height, target_width)))
    return 4 if computed or _unknown_sizes(image) else 0


def _adjusted(image: Any, *args: Any) -> int:
    """Also what is a float was made one."""
    return int(_dtype(image) in (dtypes.float16, dtypes.float32) and release.before("1.14"))


def _of_colours(early: int) -> Callable[..., int]:
    """The same of what knows colours, which was as many ops more up to 1.4."""

    def how_many(image: Any, *args: Any) -> int:
        return _adjusted(image) + (early if release.before("1.5") else 0)

    return how_many


def _raised(image: Any, *args: Any) -> int:
    return 2 * _adjusted(image)


def _turned(image: Any, *args: Any) -> int:
    return 14 if release.before("1.5") else 0


def _to_grey(images: Any, *args: Any) -> int:
    if not release.before("1.6"):
        return 0
    return -6 if _shape(images).is_fully_defined() else -34


def _to_colours(images: Any, *args: Any) -> int:
    known = _shape(images).is_fully_defined()
    if release.before("1.14"):
        return -1 if known else -35
    return -4 if release.before("1.15") and not known else 0


def _saturated(original: Callable[..., Any]) -> Callable[..., Any]:
    """Each bound that the new type has was an op and its number."""

    @ours(original)
    def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
        value = ops.convert_to_tensor(value, name="value")
        old, new = value.dtype, dtypes.as_dtype(dtype).base_dtype
        if old.is_complex or new.is_complex or context.executing_eagerly():
            return original(value, dtype, name)
        bounds = int(old.min < new.min) + int(old.max > new.max)
        with seeds.standing_for(2 * bounds + (old != new)):
            return original(value, dtype, name)

    return saturate_cast


_MORE: dict[str, Callable[..., int]] = {
    "adjust_brightness": lambda image, *args: (
        0 if _dtype(image) == dtypes.float16 else _adjusted(image)
    ),
    "adjust_contrast": _adjusted,
    "adjust_gamma": _raised,
    "adjust_hue": _of_colours(15),
    "adjust_saturation": _of_colours(17),
    "central_crop": _centre,
    "crop_to_bounding_box": lambda *args: -12,
    "decode_image": lambda *args: (
        65 if release.before("1.7") else 68 if release.before("1.10") else 75
    ),
    "grayscale_to_rgb": _to_colours,
    "per_image_standardization": _standardized,
    "random_hue": lambda *args: 2 if release.before("1.5") else 0,
    "resize_image_with_crop_or_pad": _cropped_or_padded,
    "rgb_to_grayscale": _to_grey,
    "rot90": _turned,
}
_IMAGES = {
    name: _with_more(getattr(image_ops_impl, name), how_many) for name, how_many in _MORE.items()
}
saturate_cast = _saturated(math_ops.saturate_cast)
FUNCTIONS = {
    **{f"image.{name}": function for name, function in _IMAGES.items()},
    "image.resize_with_crop_or_pad": _IMAGES["resize_image_with_crop_or_pad"],
    "saturate_cast": saturate_cast,
    "dtypes.saturate_cast": saturate_cast,
}
"""By their names below `tf`."""


def install() -> None:
    """Puts them where TensorFlow's own functions look for them."""
    vars(image_ops_impl).update(_IMAGES)
    image_ops_impl._CheckAtLeast3DImage = _of_checks(image_ops_impl._CheckAtLeast3DImage)
    math_ops.saturate_cast = saturate_cast
