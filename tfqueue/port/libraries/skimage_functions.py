"""scikit-image as it was up to 0.14: functions that are gone or give something else.

Translated programs call these. `multichannel` says whether the last axis is one of colors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfqueue.port.libraries import skimage_shapes, skimage_warps


def resize(
    image: Any,
    output_shape: Any,
    order: int = 1,
    mode: str | None = None,
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
) -> Any:
    """Stands for ``skimage.transform.resize``: zeros around an image, which nothing smooths before."""
    from scipy import ndimage
    from skimage import transform

    image, mode = np.asarray(image), mode or "constant"
    shape = tuple(int(size) for size in output_shape)
    image = image.reshape(image.shape + (1,) * (len(shape) - image.ndim))
    shape += image.shape[len(shape) :][:1]
    factors = np.divide(image.shape, shape)
    if anti_aliasing:
        sigma = (factors - 1) / 2 if anti_aliasing_sigma is None else anti_aliasing_sigma
        image = ndimage.gaussian_filter(image, np.maximum(0, sigma), cval=cval, mode=mode)
    if image.dtype == bool:
        image = image.astype(float)
    if len(shape) > 3 or shape[2:] != image.shape[2:]:
        return transform.resize(
            image, shape, order, mode, cval, clip, preserve_range, anti_aliasing=False
        )
    across, down = factors[1], factors[0]
    matrix = [[across, 0, across / 2 - 0.5], [0, down, down / 2 - 0.5], [0, 0, 1]]
    return skimage_warps.warp(
        image, np.array(matrix), None, shape, order, mode, cval, clip, preserve_range
    )


def rescale(
    image: Any,
    scale: Any,
    order: int = 1,
    mode: str | None = None,
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    multichannel: bool | None = None,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
) -> Any:
    """Stands for ``skimage.transform.rescale``; an image of three axes has colors where nothing is said."""
    image = np.asarray(image)
    colors = image.ndim == 3 if multichannel is None else multichannel
    scales = np.atleast_1d(scale)
    if len(scales) > 1 and len(scales) != image.ndim - bool(colors):
        raise ValueError("rescale: give a single scale, or one for each axis but that of colors")
    shape = np.round(
        np.append(scales, 1) * image.shape
        if len(scales) < image.ndim and len(scales) > 1
        else scales * image.shape
    )
    if colors:
        shape[-1] = image.shape[-1]
    return resize(
        image, shape, order, mode, cval, clip, preserve_range, anti_aliasing, anti_aliasing_sigma
    )


def _range(image: Any) -> float:
    if image.dtype.kind == "f":
        return 2.0  # from -1 to 1
    limits = np.iinfo(image.dtype)
    return float(limits.max) - float(limits.min)


def compare_ssim(
    X: Any,
    Y: Any,
    win_size: int | None = None,
    gradient: bool = False,
    data_range: float | None = None,
    multichannel: bool = False,
    gaussian_weights: bool = False,
    full: bool = False,
    **words: Any,
) -> Any:
    """Stands for ``skimage.measure.compare_ssim``: floating-point images go from -1 to 1."""
    from skimage import metrics

    return metrics.structural_similarity(
        X,
        Y,
        win_size=None if gaussian_weights else win_size,
        gradient=gradient,
        data_range=_range(np.asarray(X)) if data_range is None else data_range,
        channel_axis=-1 if multichannel else None,
        gaussian_weights=gaussian_weights,
        full=full,
        **words,
    )


def compare_psnr(im_true: Any, im_test: Any, data_range: float | None = None) -> Any:
    """Stands for ``skimage.measure.compare_psnr``."""
    from skimage import metrics

    return metrics.peak_signal_noise_ratio(im_true, im_test, data_range=data_range)


def compare_nrmse(im_true: Any, im_test: Any, norm_type: str = "Euclidean") -> Any:
    """Stands for ``skimage.measure.compare_nrmse``."""
    from skimage import metrics

    return metrics.normalized_root_mse(im_true, im_test, normalization=norm_type.lower())


def gaussian(
    image: Any,
    sigma: Any = 1,
    output: Any = None,
    mode: str = "nearest",
    cval: float = 0,
    multichannel: bool | None = None,
    preserve_range: bool = False,
    truncate: float = 4.0,
) -> Any:
    """Stands for ``skimage.filters.gaussian``; three of a last axis are colors where nothing is said."""
    from skimage import filters

    image = np.asarray(image)
    guess = image.ndim == 3 and image.shape[-1] == 3
    return filters.gaussian(
        image,
        sigma,
        mode=mode,
        cval=cval,
        channel_axis=-1 if (guess if multichannel is None else multichannel) else None,
        preserve_range=preserve_range,
        truncate=truncate,
        **({} if output is None else {"out": output}),
    )


def threshold_adaptive(
    image: Any,
    block_size: int,
    method: str = "gaussian",
    offset: float = 0,
    mode: str = "reflect",
    param: Any = None,
) -> Any:
    """Stands for ``skimage.filters.threshold_adaptive``."""
    from skimage import filters

    return image > filters.threshold_local(image, block_size, method, offset, mode, param)


def label(
    input: Any,
    neighbors: int | None = None,
    background: Any = None,
    return_num: bool = False,
    connectivity: int | None = None,
) -> Any:
    """Stands for ``skimage.measure.label``: of 4 or 8 neighbors."""
    from skimage import measure

    if background is not None and np.asarray(input).dtype == bool:
        input = np.asarray(input, int)
    if neighbors is not None and connectivity is None:
        connectivity = 1 if neighbors == 4 else np.ndim(input)
    return measure.label(input, background, return_num, connectivity)


def circle(r: float, c: float, radius: float, shape: Any = None) -> Any:
    """Stands for ``skimage.draw.circle``."""
    from skimage import draw

    return draw.disk((r, c), radius, shape=shape)


def marching_cubes(
    volume: Any,
    level: float | None = None,
    spacing: Any = (1.0, 1.0, 1.0),
    gradient_direction: str = "descent",
) -> Any:
    """Stands for ``skimage.measure.marching_cubes_classic``: the vertices and the faces."""
    from skimage import measure

    words = {"spacing": spacing, "gradient_direction": gradient_direction}
    return measure.marching_cubes(volume, level, method="lorensen", **words)[:2]


def marching_cubes_lewiner(
    volume: Any,
    level: float | None = None,
    spacing: Any = (1.0, 1.0, 1.0),
    gradient_direction: str = "descent",
    step_size: int = 1,
    allow_degenerate: bool = True,
    use_classic: bool = False,
) -> Any:
    """Stands for ``skimage.measure.marching_cubes_lewiner``."""
    from skimage import measure

    return measure.marching_cubes(
        volume,
        level,
        spacing=spacing,
        gradient_direction=gradient_direction,
        step_size=step_size,
        allow_degenerate=allow_degenerate,
        method="lorensen" if use_classic else "lewiner",
    )


def rgb2gray(rgb: Any) -> Any:
    """Stands for ``skimage.color.rgb2gray``, which left a gray image as it is and had no use for alpha."""
    from skimage import color

    rgb = np.asanyarray(rgb)
    return rgb if rgb.ndim == 2 else color.rgb2gray(rgb[..., :3])


def register_translation(
    src_image: Any,
    target_image: Any,
    upsample_factor: float = 1,
    space: str = "real",
    return_error: bool = True,
) -> Any:
    """Stands for ``skimage.feature.register_translation``."""
    from skimage import registration

    found = registration.phase_cross_correlation(
        src_image,
        target_image,
        upsample_factor=upsample_factor,
        space=space,
        normalization=None,
    )
    return found if return_error else found[0]


class _Region:
    """One region of an image of two axes."""

    def __init__(self, region: Any) -> None:
        self._region = region

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from skimage.measure import _regionprops

        today = _regionprops.PROPS.get(name, name)
        return getattr(self if hasattr(type(self), today) else self._region, today)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._region)

    @property
    def image_convex(self) -> Any:
        """Which pixels of the bounding box are in the convex hull."""
        return skimage_shapes.convex_hull_image(self.image)

    @property
    def area_convex(self) -> int:
        """The number of pixels in the convex hull."""
        return int(self.image_convex.sum())

    @property
    def solidity(self) -> float:
        """The share of the convex hull's pixels that are the region's."""
        return float(self.area / self.area_convex)

    @property
    def euler_number(self) -> int:
        """1 less the number of holes, whose pixels touch at corners, too."""
        from skimage import measure

        return int(1 - measure.label(self.filled_image != self.image, connectivity=2).max())


class _Turned(_Region):
    """Its moments, inertia and orientation go by x and y, as they did up to 0.15."""

    _TURNED = frozenset(["moments", "moments_central", "moments_normalized"])

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        if name == "inertia_tensor":
            return value[::-1, ::-1]
        return value.T if name in self._TURNED else value

    @property
    def moments_hu(self) -> Any:
        """The seven moments of Hu."""
        from skimage import measure

        return measure.moments_hu(self.moments_normalized)

    @property
    def orientation(self) -> float:
        """The angle between the x-axis and the longer axis, counterclockwise, from -pi/2 to pi/2."""
        (one, both), (_, other) = self.inertia_tensor
        if one == other:
            return -math.pi / 4 if both < 0 else math.pi / 4
        return -math.atan2(-2 * both, other - one) / 2


def regionprops(
    label_image: Any,
    intensity_image: Any = None,
    cache: bool = True,
    coordinates: str | None = None,
) -> list[Any]:
    """Stands for ``skimage.measure.regionprops``, whose angles and moments were by x and y."""
    from skimage import measure

    found = measure.regionprops(label_image, intensity_image, cache)
    if label_image.ndim > 2:
        return list(found)
    return [(_Region if coordinates == "rc" else _Turned)(one) for one in found]


def imsave(fname: Any, arr: Any, plugin: str | None = None, **words: Any) -> None:
    """Stands for ``skimage.io.imsave``, which wrote floating-point images as whole numbers."""
    import skimage.io as io
    import skimage.util as util

    arr = np.asarray(arr)
    if arr.dtype.kind == "f" and str(fname).lower().endswith((".png", ".jpg", ".jpeg", ".bmp")):
        gray = arr.ndim == 2 and str(fname).lower().endswith(".png")
        arr = (util.img_as_uint if gray else util.img_as_ubyte)(arr)
    io.imsave(fname, arr, **({} if plugin is None else {"plugin": plugin}), **words)


def _ones(name: str) -> Callable[..., Any]:
    def function(width: int, height: int | None = None, dtype: Any = "uint8") -> Any:
        if name == "rectangle":
            return np.ones((width, height), dtype)
        return np.ones((width,) * (3 if name == "cube" else 2), dtype if height is None else height)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``skimage.morphology.{name}``."
    return function


square, rectangle, cube = map(_ones, ("square", "rectangle", "cube"))


def _colored(name: str) -> Callable[..., Any]:
    def function(image: Any, *args: Any, **words: Any) -> Any:
        from skimage import transform

        colors = words.pop("multichannel", args[6] if len(args) > 6 else None)
        guess = np.ndim(image) == 3
        words["channel_axis"] = -1 if (guess if colors is None else colors) else None
        return getattr(transform, name)(image, *args[:6], **words)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``skimage.transform.{name}``; three axes are an image in color."
    return function


_PYRAMIDS = ("pyramid_reduce", "pyramid_expand", "pyramid_gaussian", "pyramid_laplacian")
pyramid_reduce, pyramid_expand, pyramid_gaussian, pyramid_laplacian = map(_colored, _PYRAMIDS)


def _edges(name: str) -> Callable[..., Any]:
    def function(image: Any, *args: Any, **words: Any) -> Any:
        from skimage import filters

        found = getattr(filters, name)(image, *args, **words)
        if words.get("mask", args[-1] if args[name == "laplace" :] else None) is None:
            for side in (0, -1):
                found[side] = 0
                found[:, side] = 0
        return found

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``skimage.filters.{name}``, which gave zeros at the four sides."
    return function


sobel, sobel_h, sobel_v, prewitt, prewitt_h, prewitt_v, scharr, scharr_h, scharr_v = map(
    _edges,
    "sobel sobel_h sobel_v prewitt prewitt_h prewitt_v scharr scharr_h scharr_v".split(),
)
roberts, roberts_pos_diag, roberts_neg_diag, laplace = map(
    _edges, ("roberts", "roberts_pos_diag", "roberts_neg_diag", "laplace")
)


def _without_small(name: str, size: str) -> Callable[..., Any]:
    def function(
        ar: Any,
        min_size: int = 64,
        connectivity: int = 1,
        in_place: bool = False,
        area_threshold: int | None = None,
    ) -> Any:
        import inspect

        import skimage.morphology as morphology

        smallest = min_size if area_threshold is None else area_threshold
        today = getattr(morphology, name)
        words = {size: smallest}
        if "max_size" in inspect.signature(today).parameters:
            words = {"max_size": smallest - 1}  # since 0.26
        found = today(ar, connectivity=connectivity, **words)
        if in_place:
            ar[...] = found
            return ar
        return found

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``skimage.morphology.{name}``: what is smaller goes."
    return function


remove_small_objects = _without_small("remove_small_objects", "min_size")
remove_small_holes = _without_small("remove_small_holes", "area_threshold")
