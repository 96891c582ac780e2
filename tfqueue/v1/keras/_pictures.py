"""`ImageDataGenerator` and its functions, which turn, shift, shear, zoom, light and whiten pictures as up to TensorFlow 1.15.

Today's Keras turns the other way, takes the first axis for the columns, and turns around another point: with one seed each picture is
another one. It lights a picture without stretching it to 0 to 255 first, and whitens only along the directions that the data has.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tfqueue._tensorflow import patches
from tfqueue.v1.keras import _early_pictures


def install(keras: Any) -> None:
    """Gives the module of pictures what it computed with.

    Args:
        keras: The module of Keras 2.
    """
    image: Any = importlib.import_module("tf_keras.src.preprocessing.image")
    lighten: Callable[..., Any] = image.apply_brightness_shift

    def apply_brightness_shift(x: Any, brightness: Any, scale: bool = True) -> Any:
        """A picture that is stretched to 0 to 255 and lit, whatever `scale` says."""
        return lighten(x, brightness)

    for module in (image, keras.preprocessing.image):
        module.apply_affine_transform = apply_affine_transform
        module.apply_brightness_shift = apply_brightness_shift
    _early_pictures.install(image, keras.preprocessing.image)
    generator = image.ImageDataGenerator
    fit: Callable[..., None] = generator.fit

    def _fit(self: Any, x: Any, augment: bool = False, rounds: int = 1, seed: Any = None) -> None:
        """Learns the mean, the deviation and the directions of whitening (`ImageDataGenerator.fit`)."""
        linalg = patches.copy_of(np.linalg, svd=_directions(self.zca_epsilon))
        image.np = patches.copy_of(np, linalg=linalg)
        rescale = self.rescale
        if _early_pictures.reaches("1.10"):
            self.rescale = None  # the mean was that of the pictures as they are
        try:
            fit(self, x, augment, rounds, seed)
        finally:
            image.np, self.rescale = np, rescale
        if self.zca_whitening:
            self.zca_whitening_matrix = self.zca_whitening_matrix.astype(self.dtype)

    generator.fit = _fit


def apply_affine_transform(
    x: Any,
    theta: float = 0,
    tx: float = 0,
    ty: float = 0,
    shear: float = 0,
    zx: float = 1,
    zy: float = 1,
    row_axis: int = 0,
    col_axis: int = 1,
    channel_axis: int = 2,
    fill_mode: str = "nearest",
    cval: float = 0.0,
    order: int = 1,
) -> Any:
    """A picture that is turned, shifted, sheared and zoomed (`tf.keras.preprocessing.image.apply_affine_transform`).

    Args:
        theta: How far it is turned, in degrees.
        tx: How far it is shifted along its rows' axis, and `ty` along its columns'.
        shear: In degrees.
        zx: The zoom along its rows' axis, and `zy` along its columns'.
        order: Of the splines between pixels.
    """
    if (theta, tx, ty, shear, zx, zy) == (0, 0, 0, 0, 1, 1):
        return x
    turn, lean = np.deg2rad(theta), np.deg2rad(shear)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    offset = matrix @ [tx, ty]
    matrix = matrix @ [[1, -np.sin(lean)], [0, np.cos(lean)]] @ np.diag([zx, zy])
    center = np.array([x.shape[row_axis], x.shape[col_axis]]) / 2 + 0.5
    offset = offset + center - matrix @ center
    order = _early_pictures.order_of(order)
    move = (
        _moved
        if fill_mode == "reflect"
        else importlib.import_module("scipy.ndimage").affine_transform
    )
    channels = [
        move(one, matrix, offset, order=order, mode=fill_mode, cval=cval)
        for one in np.moveaxis(x, channel_axis, 0)
    ]
    return np.moveaxis(np.stack(channels), 0, channel_axis)


def _moved(picture: Any, matrix: Any, offset: Any, order: int, **_words: Any) -> Any:
    """`scipy.ndimage.affine_transform` with the mode `reflect` as up to scipy 1.5.

    It reflected places, and then mirrored the pixels between which they fell, that of the edge left out.
    """
    places = matrix @ np.indices(picture.shape).reshape(2, -1) + offset[:, None]
    folded = [_reflected(row, size) for row, size in zip(places, picture.shape, strict=True)]
    ndimage = importlib.import_module("scipy.ndimage")
    found = ndimage.map_coordinates(picture, folded, order=order, mode="mirror")
    return found.reshape(picture.shape)


def _reflected(places: Any, size: int) -> Any:
    """Places along an axis, those beyond its first and last pixel reflected."""
    inside = np.mod(places, 2 * size)
    inside = np.where(inside >= size, 2 * size - 1 - inside, inside)
    return np.where((places < 0) | (places > size - 1), inside, places)


def _directions(epsilon: float) -> Callable[..., tuple[Any, Any, None]]:
    """What finds the directions that a generator whitens along, the empty ones too.

    It stands where Keras takes `numpy.linalg.svd`, and divides the root of the number of examples by `lengths + epsilon`.
    """

    def svd(examples: Any, **how: Any) -> tuple[Any, Any, None]:
        count = examples.shape[1]
        directions, variances, _ = np.linalg.svd(examples @ examples.T / count)
        return directions, np.sqrt(count * (variances + epsilon)) - epsilon, None

    return svd
