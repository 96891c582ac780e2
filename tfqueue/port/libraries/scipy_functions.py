"""Functions of scipy as release 1.2 had them, where today's give something else.

Ported programs from before TensorFlow 2 call them in place of scipy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
"""A `numpy.ndarray`."""
_JACCARD = ("jaccard", "jacc", "ja", "j")


def jaccard(u: Any, v: Any, w: Any = None) -> float:
    """The share of places where two vectors differ, of those where one is not zero.

    Since scipy 1.15 a number counts as a bool: 1 and 2 differ here, and do not there.

    Args:
        u: `[n]`.
        v: `[n]`.
        w: `[n]`, what each place counts; None for 1.

    >>> float(jaccard([1, 2, 0, 4], [1, 3, 0, 0]))
    0.6666666666666666
    """
    return float(_jaccard(np.atleast_1d(u), np.atleast_1d(v), w))


def _jaccard(u: Array, v: Array, w: Any) -> Array:
    counts = np.ones(u.shape[-1]) if w is None else np.asarray(w, float)
    either = (u != 0) | (v != 0)
    differing, all_ = ((where * counts).sum(-1) for where in (either & (u != v), either))
    return np.divide(differing, all_, out=np.zeros_like(all_ * 1.0), where=all_ != 0)


def _is_jaccard(metric: Any) -> bool:
    return metric is jaccard or (isinstance(metric, str) and metric.lower() in _JACCARD)


def cdist(XA: Any, XB: Any, metric: Any = "euclidean", *args: Any, **kwargs: Any) -> Array:
    """Distances of the rows of two arrays, `[m, n]` and `[k, n]`, as `[m, k]`; see `jaccard`."""
    from scipy.spatial import distance

    if not _is_jaccard(metric) or args or kwargs.keys() - {"w"}:
        return distance.cdist(XA, XB, metric, *args, **kwargs)
    XA, XB = np.asarray(XA), np.asarray(XB)
    if XA.ndim != 2 or XB.ndim != 2 or XA.shape[1] != XB.shape[1]:
        return distance.cdist(XA, XB, metric)  # which says what is wrong
    rows = [_jaccard(row, XB, kwargs.get("w")) for row in XA]
    return np.array(rows).reshape(len(XA), len(XB))


def pdist(X: Any, metric: Any = "euclidean", *args: Any, **kwargs: Any) -> Array:
    """Distances of each two rows of `[m, n]`, as `[m * (m - 1) / 2]`; see `jaccard`."""
    from scipy.spatial import distance

    if not _is_jaccard(metric) or args or kwargs.keys() - {"w"}:
        return distance.pdist(X, metric, *args, **kwargs)
    X = np.asarray(X)
    if X.ndim != 2:
        return distance.pdist(X, metric)  # which says what is wrong
    rows = [_jaccard(row, X[place + 1 :], kwargs.get("w")) for place, row in enumerate(X)]
    return np.concatenate([np.zeros(0), *rows])


def _flat(vector: Any) -> Any:
    return vector if vector is None else np.asarray(vector).ravel()


def toeplitz(c: Any, r: Any = None) -> Array:
    """A Toeplitz matrix of a column and a row; arrays of several dimensions are one vector each.

    >>> toeplitz([[1, 2], [3, 4]])[0].tolist()
    [1, 2, 3, 4]
    """
    from scipy import linalg

    return linalg.toeplitz(_flat(c), _flat(r))


def circulant(c: Any) -> Array:
    """A circulant matrix of a vector; an array of several dimensions is one, too."""
    from scipy import linalg

    return linalg.circulant(_flat(c))


def medfilt(volume: Any, kernel_size: Any = None) -> Array:
    """A median filter, whose result is of float64 whatever it is given.

    >>> medfilt([1, 5, 2], 3).tolist()
    [1.0, 2.0, 2.0]
    """
    from scipy import signal

    return signal.medfilt(np.asarray(volume).astype(np.float64), kernel_size)


def mirrors(order: int, mode: str) -> bool:
    """Whether `map_coordinates` mirrored the values beside a place at the edge up to scipy 1.5, and does not today."""
    return mode == "reflect" or (mode == "nearest" and order > 1)


def map_coordinates(
    input: Any,
    coordinates: Any,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Array:
    """Values of an array at places between its own (`scipy.ndimage.map_coordinates`).

    Up to scipy 1.5 places were reflected (`mode="reflect"`) or drawn to the edge (`"nearest"`), and then the values beside them were
    mirrored at the edge, which stood there once, whatever the mode.

    >>> map_coordinates([1.0, 2, 4], [[-0.25, 2.75]], order=1, mode="reflect").tolist()
    [1.75, 2.5]
    """
    from scipy import ndimage

    if mirrors(order, mode):
        sizes = np.shape(input)
        rows = np.asarray(coordinates, float)
        fold = _reflected if mode == "reflect" else lambda row, size: np.clip(row, 0, size - 1)
        coordinates = np.stack([fold(row, size) for row, size in zip(rows, sizes, strict=True)])
        mode = "mirror"
    return ndimage.map_coordinates(input, coordinates, output, order, mode, cval, prefilter)


def _reflected(places: Array, size: int) -> Array:
    """Places along an axis, those beyond its first and last value reflected."""
    inside = np.mod(places, 2 * size)
    inside = np.where(inside >= size, 2 * size - 1 - inside, inside)
    return np.where((places < 0) | (places > size - 1), inside, places)
