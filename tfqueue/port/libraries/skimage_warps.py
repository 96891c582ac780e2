"""scikit-image as it was up to 0.14: warped and turned images, and sums along lines.

Images were computed with in float64. Translated programs call these.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

# What scipy calls them
_MODES = {"edge": "nearest", "symmetric": "reflect", "reflect": "mirror"}


def _as_float(image: Any, preserve_range: bool) -> Any:
    import skimage.util as util

    image = np.asarray(image)
    if preserve_range:
        return image if image.dtype.kind == "f" else image.astype(float)
    return util.img_as_float(image)


def _clipped(image: Any, warped: Any, mode: str, cval: float) -> Any:
    """Cut to the range of an image; what is exactly `cval`, the value around it, stays."""
    low, high = image.min(), image.max()
    cut = np.clip(warped, low, high)
    return np.where(warped == cval, warped, cut) if mode == "constant" else cut


def _interpolated(image: Any, places: Any, order: int, mode: str, cval: float) -> Any:
    """As of scipy 1.2: what is beyond the middle of the outermost pixels is `cval`."""
    from scipy import ndimage

    splines = ndimage.spline_filter(image, order) if order > 1 else image
    words = {"order": order, "mode": mode, "cval": cval, "prefilter": False}
    return ndimage.map_coordinates(splines, places, image.dtype, **words)


def _nearest(image: Any, matrix: Any, shape: Any, mode: str, cval: float) -> Any:
    """The image's pixel that is nearest to each place, where a half goes away from 0."""
    from skimage import transform

    rows, columns = np.mgrid[: int(shape[0]), : int(shape[1])]
    x, y, scale = (one[0] * columns + one[1] * rows + one[2] for one in matrix)
    places = np.trunc([one + np.copysign(0.5, one) for one in (y / scale, x / scale)])
    layers = image[..., None] if image.ndim == 2 else image
    found = [
        transform.warp(layers[..., n], places, order=0, mode=mode, cval=cval, clip=False)
        for n in range(layers.shape[2])
    ]
    return found[0] if image.ndim == 2 else np.dstack(found)


def warp(
    image: Any,
    inverse_map: Any,
    map_args: Any = None,
    output_shape: Any = None,
    order: int = 1,
    mode: str = "constant",
    cval: float = 0.0,
    clip: bool = True,
    preserve_range: bool = False,
) -> Any:
    """Stands for ``skimage.transform.warp``: numbers from 0 to 1 of any image, also a mask."""
    from skimage import transform

    image = _as_float(image, preserve_range)
    matrix = getattr(inverse_map, "params", inverse_map)
    fast = order in (0, 1, 3) and not map_args and np.shape(matrix) == (3, 3)
    shape = image.shape if output_shape is None else tuple(int(size) for size in output_shape)
    if fast and order:
        words = {"order": order, "mode": mode, "cval": cval, "clip": False, "preserve_range": True}
        warped = transform.warp(image.astype(float), np.array(matrix, float), None, shape, **words)
    elif fast:
        return _nearest(image.astype(float), np.asarray(matrix, float), shape, mode, cval)
    else:
        if isinstance(inverse_map, np.ndarray) and inverse_map.shape == (3, 3):
            inverse_map = transform.ProjectiveTransform(inverse_map)
        if callable(inverse_map):
            shape = shape if len(shape) == image.ndim else (*shape, *image.shape[2:])
            asked = functools.partial(inverse_map, **(map_args or {}))
            inverse_map = transform.warp_coords(asked, shape)
        warped = _interpolated(image, inverse_map, order, _MODES.get(mode, mode), cval)
    return _clipped(image, warped, mode, cval) if clip and order else warped


def rotate(
    image: Any,
    angle: float,
    resize: bool = False,
    center: Any = None,
    order: int = 1,
    mode: str = "constant",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
) -> Any:
    """Stands for ``skimage.transform.rotate``; `resize` makes room for each pixel that is begun."""
    from skimage import transform

    image = np.asarray(image)
    rows, columns = image.shape[:2]
    middle = np.array((columns, rows)) / 2.0 - 0.5 if center is None else np.asarray(center)
    moved = transform.SimilarityTransform
    whole = moved(translation=-middle) + moved(rotation=np.deg2rad(angle))
    whole = whole + moved(translation=middle)
    shape = None
    if resize:
        corners = [[0, 0], [0, rows - 1], [columns - 1, rows - 1], [columns - 1, 0]]
        places = transform.matrix_transform(np.array(corners), np.linalg.inv(whole.params))
        size = places.max(0) - places.min(0) + 1
        shape = np.ceil(size[::-1]).astype(int)
        whole = moved(translation=places.min(0)) + whole
    matrix = whole.params.copy()
    matrix[2] = 0, 0, 1
    return warp(image, matrix, None, shape, order, mode, cval, clip, preserve_range)


def swirl(
    image: Any,
    center: Any = None,
    strength: float = 1,
    radius: float = 100,
    rotation: float = 0,
    output_shape: Any = None,
    order: int = 1,
    mode: str | None = None,
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
) -> Any:
    """Stands for ``skimage.transform.swirl``: zeros around the image."""
    image = np.asarray(image)
    x0, y0 = np.array(image.shape)[1::-1] / 2 if center is None else center
    reach = radius / 5 * np.log(2)

    def source(places: Any) -> Any:
        x, y = places.T
        far = np.sqrt((x - x0) ** 2 + (y - y0) ** 2)
        angle = rotation + strength * np.exp(-far / reach) + np.arctan2(y - y0, x - x0)
        return np.column_stack([x0 + far * np.cos(angle), y0 + far * np.sin(angle)])

    mode = mode or "constant"
    return warp(image, source, None, output_shape, order, mode, cval, clip, preserve_range)


def radon(image: Any, theta: Any = None, circle: bool | None = None) -> Any:
    """Stands for ``skimage.transform.radon``: sums of the pixels as they are, of the whole image."""
    from skimage import transform

    return transform.radon(np.asarray(image, float), theta, bool(circle))


def hough_line(image: Any, theta: Any = None) -> tuple[Any, Any, Any]:
    """Stands for ``skimage.transform.hough_line``: an even number of distances."""
    from skimage import transform

    angles = np.linspace(-np.pi / 2, np.pi / 2, 180) if theta is None else theta
    found, angles, distances = transform.hough_line(np.asarray(image), angles)
    if len(distances) % 2 == 0:
        return found, angles, distances  # of a release that still gives them
    half = len(distances) // 2
    return found[:-1], angles, np.linspace(-half, half, 2 * half)


def profile_line(
    image: Any,
    src: Any,
    dst: Any,
    linewidth: int = 1,
    order: int = 1,
    mode: str = "constant",
    cval: float = 0.0,
) -> Any:
    """Stands for ``skimage.measure.profile_line``: zeros beyond the middle of the outermost pixels."""
    start, end = np.asarray(src, float), np.asarray(dst, float)
    length = int(np.ceil(np.hypot(*(end - start)) + 1))
    angle = np.arctan2(*(end - start))
    half = (linewidth - 1) / 2 * np.array([np.cos(angle), np.sin(-angle)])
    line = np.linspace(start, end, length)
    places = np.moveaxis(np.linspace(line - half, line + half, linewidth, axis=1), -1, 0)
    layers = np.moveaxis(image, 2, 0) if image.ndim == 3 else [image]
    found = [_interpolated(layer, places, order, mode, cval).mean(1) for layer in layers]
    return np.stack(found, -1) if image.ndim == 3 else found[0]
