"""scikit-image as it was up to 0.14: peaks and corners, in the order of their places from the last one.

Translated programs call these.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def _are_peaks(
    image: Any, distance: int, above: Any, share: Any, border: Any, footprint: Any
) -> Any:
    """Which pixels are the largest around them, also where others are as large."""
    from scipy import ndimage

    if (image == image.flat[0]).all():
        return np.zeros(image.shape, bool)
    around = {"size": 2 * distance + 1} if footprint is None else {"footprint": footprint}
    found = image == ndimage.maximum_filter(image, mode="constant", **around)
    if border is True:
        border = distance
    for axis in range(image.ndim if border else 0):
        width = 2 * border if footprint is None else footprint.shape[axis]
        side = np.moveaxis(found, axis, 0)
        side[: width // 2] = side[-width // 2 :] = False
    above = image.min() if above is None else above
    return found & (image > (above if share is None else max(above, share * image.max())))


def _strongest(image: Any, mask: Any, most: float) -> Any:
    places = np.argwhere(mask)
    if len(places) > most:
        places = places[np.argsort(image[mask])][-int(most) :]
    return places[::-1]


def peak_local_max(
    image: Any,
    min_distance: int = 1,
    threshold_abs: Any = None,
    threshold_rel: Any = None,
    exclude_border: Any = True,
    indices: bool = True,
    num_peaks: float = math.inf,
    footprint: Any = None,
    labels: Any = None,
    num_peaks_per_label: float = math.inf,
) -> Any:
    """Stands for ``skimage.feature.peak_local_max``: places, or with `indices=False` a mask."""
    image = np.asarray(image)
    words = min_distance, threshold_abs, threshold_rel, exclude_border, footprint
    if labels is None:
        mask = _are_peaks(image, *words)
    else:
        mask = np.zeros(image.shape, bool)
        for label in np.unique(labels)[np.unique(labels) > 0]:
            part = image * (labels == label)
            mask[tuple(_strongest(part, _are_peaks(part, *words), num_peaks_per_label).T)] = True
    places = _strongest(image, mask, num_peaks)
    if indices:
        return places
    found = mask if labels is not None else np.zeros(image.shape, bool)
    found[tuple(places.T)] = True
    return found


def corner_peaks(
    image: Any,
    min_distance: int = 1,
    threshold_abs: Any = None,
    threshold_rel: Any = 0.1,
    exclude_border: Any = True,
    indices: bool = True,
    num_peaks: float = math.inf,
    footprint: Any = None,
    labels: Any = None,
) -> Any:
    """Stands for ``skimage.feature.corner_peaks``: of near ones the first."""
    words = threshold_abs, threshold_rel, exclude_border, False, num_peaks, footprint, labels
    found = peak_local_max(image, min_distance, *words)
    for row, column in np.argwhere(found) if min_distance > 0 else ():
        if found[row, column]:
            around = (slice(one - min_distance, one + min_distance + 1) for one in (row, column))
            found[tuple(around)] = False
            found[row, column] = True
    return np.argwhere(found) if indices else found
