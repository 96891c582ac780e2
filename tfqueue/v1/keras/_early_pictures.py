"""What `ImageDataGenerator` draws for a picture in programs for Keras 1 and for TensorFlow up to 1.10.

There an option that is not used draws nothing, each channel is shifted by a number of its own, and shears were radians
(up to 1.5); a picture that is turned took the nearest pixels (up to 1.7) and is scaled along its channels (up to 1.4).
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue import release
from tfqueue.v1 import _call_forms


def install(image: Any, public: Any) -> None:
    """Has pictures be drawn for as they were.

    Args:
        image: The module of pictures.
        public: The one that programs see.
    """
    generator = image.ImageDataGenerator
    generator.get_random_transform = _drawn(generator.get_random_transform)
    generator.standardize = _along_channels(generator.standardize)
    for module in (image, public):
        module.apply_channel_shift = _of_each_channel(module.apply_channel_shift)
        module.random_channel_shift = _drawn_for_each(module, module.random_channel_shift)
        for name in ("random_rotation", "random_shift", "random_shear", "random_zoom"):
            setattr(module, name, _turned(getattr(module, name)))


def reaches(last: str) -> bool:
    """Whether the program can be for `last`, or is for Keras 1."""
    return _call_forms.reaches(last) or release.shows_keras_1()


def order_of(order: int) -> int:
    """The order of the splines between pixels: up to 1.7 there was none."""
    return 0 if reaches("1.7") else order


def _drawn(original: Callable[..., Any]) -> Callable[..., Any]:
    """`ImageDataGenerator.get_random_transform`, which finds what is done to a picture."""

    @functools.wraps(original)
    def drawn(self: Any, img_shape: Any, seed: Any = None) -> Any:
        if not reaches("1.10"):
            return original(self, img_shape, seed)
        if seed is not None:
            np.random.seed(seed)
        found = {"theta": _within(self.rotation_range)}
        found["tx"] = _shift(self.height_shift_range, img_shape[self.row_axis - 1])
        found["ty"] = _shift(self.width_shift_range, img_shape[self.col_axis - 1])
        shear = _within(self.shear_range)
        found["shear"] = np.rad2deg(shear) if reaches("1.5") else shear
        low, high = self.zoom_range
        found["zx"], found["zy"] = (1, 1) if low == high == 1 else np.random.uniform(low, high, 2)
        if self.channel_shift_range:
            most, channels = self.channel_shift_range, img_shape[self.channel_axis - 1]
            found["channel_shift_intensity"] = np.random.uniform(-most, most, channels)
        found["flip_horizontal"] = bool(self.horizontal_flip) and np.random.random() < 0.5
        found["flip_vertical"] = bool(self.vertical_flip) and np.random.random() < 0.5
        if self.brightness_range is not None:
            found["brightness"] = np.random.uniform(*self.brightness_range)
        return found

    return drawn


def _within(most: Any) -> Any:
    return np.random.uniform(-most, most) if most else 0


def _shift(most: Any, size: int) -> Any:
    """How far a picture is shifted along an axis of a size."""
    if np.ndim(most) or (isinstance(most, int) and most and not reaches("1.8")):
        found = np.random.choice(most) * np.random.choice([-1, 1])
    else:
        found = _within(most)
    return found * size if np.max(most) < 1 or reaches("1.4") else found


def _along_channels(standardize: Callable[..., Any]) -> Callable[..., Any]:
    """`ImageDataGenerator.standardize`, whose mean of a picture was that of each pixel's channels up to 1.4."""

    @functools.wraps(standardize)
    def standardized(self: Any, x: Any) -> Any:
        center, deviation = self.samplewise_center, self.samplewise_std_normalization
        if not reaches("1.4") or not (center or deviation):
            return standardize(self, x)
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x *= self.rescale
        axis = self.channel_axis - 1
        if center:
            x -= np.mean(x, axis=axis, keepdims=True)
        if deviation:
            x /= np.std(x, axis=axis, keepdims=True) + 1e-7
        rest: dict[str, Any] = dict.fromkeys(
            (
                "preprocessing_function",
                "rescale",
                "samplewise_center",
                "samplewise_std_normalization",
            )
        )
        before = {name: vars(self)[name] for name in rest}
        vars(self).update(rest)
        try:
            return standardize(self, x)
        finally:
            vars(self).update(before)

    return standardized


def _of_each_channel(shift: Callable[..., Any]) -> Callable[..., Any]:
    """`apply_channel_shift`, which takes a number for each channel, too."""

    @functools.wraps(shift)
    def shifted(x: Any, intensity: Any, channel_axis: int = 0) -> Any:
        if not np.ndim(intensity):
            return shift(x, intensity, channel_axis)
        shape = [1] * np.ndim(x)
        shape[channel_axis] = -1
        return np.clip(x + np.reshape(intensity, shape), np.min(x), np.max(x))

    return shifted


def _drawn_for_each(module: Any, shift: Callable[..., Any]) -> Callable[..., Any]:
    """`random_channel_shift`, which draws for each channel."""

    @functools.wraps(shift)
    def shifted(x: Any, intensity_range: Any, channel_axis: int = 0) -> Any:
        if not reaches("1.10"):
            return shift(x, intensity_range, channel_axis)
        drawn = np.random.uniform(-intensity_range, intensity_range, x.shape[channel_axis])
        return module.apply_channel_shift(x, drawn, channel_axis)

    return shifted


def _turned(original: Callable[..., Any]) -> Callable[..., Any]:
    """`random_rotation` and its kin; since 1.11 all but `random_shift` took the first two axes for the picture's, whatever they were told."""
    signature, name = inspect.signature(original), original.__name__

    @functools.wraps(original)
    def turned(*args: Any, **words: Any) -> Any:
        bound = signature.bind(*args, **words)
        if not reaches("1.10") and name != "random_shift":
            bound.arguments |= {"row_axis": 0, "col_axis": 1}
        if name == "random_shear" and reaches("1.5"):
            bound.arguments["intensity"] = np.rad2deg(bound.arguments["intensity"])
        return original(*bound.args, **bound.kwargs)

    return turned
