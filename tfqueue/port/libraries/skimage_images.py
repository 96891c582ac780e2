"""scikit-image as it was up to 0.14: colors, ranges, noise and segments.

Translated programs call these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfqueue.port.differences import telling


def gray2rgb(image: Any, alpha: bool | None = None) -> Any:
    """Stands for ``skimage.color.gray2rgb``, which left an image with colors as it was."""
    import skimage.util as util

    image = np.asanyarray(image)
    axes = np.squeeze(image).ndim
    if axes not in (1, 2, 3):
        raise ValueError("gray2rgb: the image has to have up to three axes")
    opaque = util.dtype_limits(image, clip_negative=False)[1]
    if axes == 3 and image.shape[2] in (3, 4):
        if alpha is False:
            return image[..., :3]
        if alpha is not True or image.shape[2] == 4:
            return image
        return np.concatenate([image, np.ones_like(image[..., :1]) * opaque], 2)
    layers = [image[..., None]] * 3
    return np.concatenate(layers + [np.ones_like(layers[0]) * opaque] * bool(alpha), -1)


def separate_stains(rgb: Any, conv_matrix: Any) -> Any:
    """Stands for ``skimage.color.separate_stains``: of the logarithm of a color and 2."""
    import skimage.util as util

    rgb = util.img_as_float(rgb)
    return np.reshape(-np.log(rgb + 2).reshape(-1, 3) @ conv_matrix, rgb.shape)


def combine_stains(stains: Any, conv_matrix: Any) -> Any:
    """Stands for ``skimage.color.combine_stains``: colors from -1 to 1."""
    import skimage.util as util

    stains = util.img_as_float(stains)
    found = np.exp(-stains.reshape(-1, 3) @ conv_matrix) - 2
    return np.clip(found.reshape(stains.shape), -1, 1)


def rgb2hed(rgb: Any) -> Any:
    """Stands for ``skimage.color.rgb2hed``."""
    from skimage import color

    return separate_stains(rgb, color.hed_from_rgb)


def hed2rgb(hed: Any) -> Any:
    """Stands for ``skimage.color.hed2rgb``."""
    from skimage import color

    return combine_stains(hed, color.rgb_from_hed)


def adjust_gamma(image: Any, gamma: float = 1, gain: float = 1) -> Any:
    """Stands for ``skimage.exposure.adjust_gamma``: a byte has its fraction cut off."""
    from skimage import exposure

    if image.dtype != np.uint8:
        return exposure.adjust_gamma(image, gamma, gain)
    if gamma < 0:
        raise ValueError("adjust_gamma: gamma is 0 or more")
    return ((image / 255.0) ** gamma * 255.0 * gain).astype(int).astype(np.uint8)


def rescale_intensity(image: Any, in_range: Any = "image", out_range: Any = "dtype") -> Any:
    """Stands for ``skimage.exposure.rescale_intensity``: of the image's dtype."""
    from skimage.exposure.exposure import intensity_range

    low, high = intensity_range(image, in_range)
    first, last = intensity_range(image, out_range, clip_negative=low >= 0)
    share = (np.clip(image, low, high) - low) / float(high - low)
    return (share * (last - first) + first).astype(image.dtype)


def hessian_matrix(
    image: Any, sigma: Any = 1, mode: str = "constant", cval: float = 0, order: str | None = None
) -> list[Any]:
    """Stands for ``skimage.feature.hessian_matrix``, whose `"rc"` went by the last axis first."""
    import itertools

    import skimage.util as util
    from scipy import ndimage

    image = util.img_as_float(image)
    slopes = np.gradient(ndimage.gaussian_filter(image, sigma, mode=mode, cval=cval))
    axes = range(image.ndim)
    if order == "rc" or (order is None and image.ndim != 2):
        axes = axes[::-1]
    pairs = itertools.combinations_with_replacement(axes, 2)
    return [np.gradient(slopes[one], axis=other) for one, other in pairs]


def _generator(**methods: Any) -> Any:
    """A generator with methods of another one."""
    kind = type("_Generator", (np.random.Generator,), methods)
    return kind(np.random.PCG64(0))


def random_noise(
    image: Any, mode: str = "gaussian", seed: int | None = None, clip: bool = True, **words: Any
) -> Any:
    """Stands for ``skimage.util.random_noise``: draws from numpy's global generator, which it seeds."""
    import skimage.util as util

    drawing = _generator(
        normal=np.random.normal, poisson=np.random.poisson, random=np.random.random_sample
    )
    if seed is not None:
        np.random.seed(seed)
    noisy = util.random_noise(image, mode, drawing, clip, **words)
    if mode.lower() in ("salt", "pepper"):
        np.random.random_sample(np.shape(image))  # for the choice between them, too
    return noisy


def medial_axis(image: Any, mask: Any = None, return_distance: bool = False) -> Any:
    """Stands for ``skimage.morphology.medial_axis``, whose order of equal pixels was always the same."""
    import skimage.morphology as morphology

    same = _generator(permutation=np.random.RandomState(0).permutation)
    objects = np.asarray(image, bool)
    if objects[[0, -1]].any() or objects[:, [0, -1]].any():
        telling.tell_values(
            "medial_axis",
            "medial_axis keeps other pixels than scikit-image 0.14 did, where an object is at the image's border",
        )
    return morphology.medial_axis(image, mask, return_distance, rng=same)


def active_contour(
    image: Any,
    snake: Any,
    alpha: float = 0.01,
    beta: float = 0.1,
    w_line: float = 0,
    w_edge: float = 1,
    gamma: float = 0.01,
    bc: str = "periodic",
    max_px_move: float = 1.0,
    max_iterations: int = 2500,
    convergence: float = 0.1,
) -> Any:
    """Stands for ``skimage.segmentation.active_contour``: the places are x and y."""
    import skimage.util as util
    from skimage import filters, segmentation

    image = util.img_as_float(image).astype(float)
    force = w_line * (image.sum(2) if image.ndim == 3 else image)
    if w_edge != 0:
        for layer in np.moveaxis(image, 2, 0) if image.ndim == 3 else [image]:
            # Those of the pixels at the sides are their neighbors'.
            force = force + w_edge * np.pad(filters.sobel(layer)[1:-1, 1:-1], 1, mode="edge")
    words = {"w_line": 1, "w_edge": 0, "boundary_condition": bc, "max_px_move": max_px_move}
    words |= {"max_num_iter": max_iterations, "convergence": convergence}
    places = np.asarray(snake, float)[:, ::-1]
    found = segmentation.active_contour(force, places, alpha, beta, gamma=gamma, **words)
    return found[:, ::-1]


def slic(
    image: Any,
    n_segments: int = 100,
    compactness: float = 10.0,
    max_iter: int = 10,
    sigma: Any = 0,
    spacing: Any = None,
    multichannel: bool = True,
    convert2lab: bool | None = None,
    enforce_connectivity: bool = True,
    min_size_factor: float = 0.5,
    max_size_factor: float = 3,
    slic_zero: bool = False,
) -> Any:
    """Stands for ``skimage.segmentation.slic``: of colors as they are, from 0."""
    import skimage.util as util
    from scipy import ndimage
    from skimage import color, segmentation

    image = util.img_as_float(image).astype(float)
    flat = image.ndim == 2 or (image.ndim == 3 and multichannel)
    colors = image.ndim > 2 and multichannel
    gaps = np.ones(3) if spacing is None else np.asarray(spacing, float)
    widths = np.full(3, sigma) / gaps if np.ndim(sigma) == 0 else np.asarray(sigma, float)
    if (widths > 0).any():
        image = ndimage.gaussian_filter(image, [*widths[int(flat) :], *[0] * colors])
    if colors and (convert2lab or convert2lab is None):
        if image.shape[-1] == 3:
            image = color.rgb2lab(image)
        elif convert2lab:
            raise ValueError("slic: an image for Lab has three colors")
    # Today's release stretches an image from 0 to 1, which a smaller compactness undoes, and takes shares
    # of the size that the segments have at first; it was of the size that was asked for.
    stretch = np.ptp(image) or 1.0
    pixels = image[..., 0] if colors else image
    pixels = pixels[None] if flat else pixels
    begun = pixels[util.regular_grid(pixels.shape, n_segments)].size
    sizes = [int(one * pixels.size / n_segments) for one in (min_size_factor, max_size_factor)]
    smallest, largest = ((size + 0.5) * begun / pixels.size for size in sizes)
    return segmentation.slic(
        image,
        n_segments,
        compactness / stretch,
        max_num_iter=max_iter,
        spacing=gaps[int(flat) :],
        convert2lab=False,
        enforce_connectivity=enforce_connectivity,
        min_size_factor=smallest,
        max_size_factor=largest,
        slic_zero=slic_zero,
        start_label=0,
        channel_axis=-1 if colors else None,
    )
