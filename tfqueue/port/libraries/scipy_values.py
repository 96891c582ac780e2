"""Functions of scipy as release 1.1 had them: arguments, tests, integrals and names that are gone.

Ported programs from before TensorFlow 2 call them in place of scipy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tfqueue.port.libraries.scipy_functions import map_coordinates, mirrors

Array = Any
"""A `numpy.ndarray`."""


class Result(NamedTuple):
    """What a test of scipy gives."""

    statistic: float
    pvalue: float


def mannwhitneyu(
    x: Any, y: Any, use_continuity: bool = True, alternative: str | None = None
) -> Result:
    """Stands for ``scipy.stats.mannwhitneyu``: by the normal distribution, one-sided where nothing is said.

    >>> round(mannwhitneyu([1, 2, 3, 4], [3, 4, 5, 6]).pvalue, 6)
    0.054032
    """
    from scipy import stats

    x, y = np.asarray(x), np.asarray(y)
    ranks = stats.rankdata(np.concatenate([x, y]))
    product, total = x.size * y.size, x.size + y.size
    first = product + x.size * (x.size + 1) / 2.0 - ranks[: x.size].sum()
    second = product - first
    ties = stats.tiecorrect(ranks)
    if ties == 0:
        raise ValueError("All numbers are identical in mannwhitneyu")
    compared = {"less": first, "greater": second}.get(alternative or "", max(first, second))
    middle = product / 2.0 + 0.5 * use_continuity
    distance = (compared - middle) / np.sqrt(ties * product * (total + 1) / 12.0)
    if alternative in ("less", "greater"):
        return Result(second, stats.norm.sf(distance))
    if alternative == "two-sided":
        return Result(second, 2 * stats.norm.sf(abs(distance)))
    if alternative is not None:
        raise ValueError("alternative should be None, 'less', 'greater' or 'two-sided'")
    return Result(min(first, second), stats.norm.sf(abs(distance)))


def wilcoxon(x: Any, y: Any = None, zero_method: str = "wilcox", correction: bool = False) -> Any:
    """Stands for ``scipy.stats.wilcoxon``: by the normal distribution, however few there are."""
    from scipy import stats

    return stats.wilcoxon(x, y, zero_method, correction, method="asymptotic")


def ks_2samp(data1: Any, data2: Any) -> Result:
    """Stands for ``scipy.stats.ks_2samp``: by the limit of the distribution, however few there are."""
    from scipy import stats

    distance = stats.ks_2samp(data1, data2, method="asymp").statistic
    many = np.sqrt(np.size(data1) * np.size(data2) / (np.size(data1) + np.size(data2)))
    return Result(distance, stats.kstwobign.sf((many + 0.12 + 0.11 / many) * distance))


def binom_test(x: Any, n: Any = None, p: float = 0.5, alternative: str = "two-sided") -> float:
    """Stands for ``scipy.stats.binom_test``.

    >>> round(binom_test(7, 10), 5)
    0.34375
    """
    from scipy import stats

    if np.size(x) == 2:
        x, n = x[0], x[0] + x[1]
    return float(stats.binomtest(int(np.squeeze(x)), int(n), p, alternative).pvalue)


def itemfreq(a: Any) -> Array:
    """Stands for ``scipy.stats.itemfreq``.

    >>> itemfreq([1, 1, 2]).tolist()
    [[1, 2], [2, 1]]
    """
    return np.array(np.unique(np.ravel(a), return_counts=True)).T


def simps(y: Any, x: Any = None, dx: float = 1, axis: int = -1, even: str = "avg") -> Any:
    """Stands for ``scipy.integrate.simps``: an even number of points has one trapezoid, first or last.

    >>> round(float(simps([1, 4, 9, 16])), 4)
    21.1667
    """
    from scipy import integrate

    y = np.asarray(y)
    count = y.shape[axis]
    if count % 2:
        return integrate.simpson(y, x=x, dx=dx, axis=axis)
    if even not in ("avg", "first", "last"):
        raise ValueError("Parameter 'even' must be 'avg', 'last', or 'first'.")

    def part(begin: int, end: int) -> Any:
        taken = np.take(y, range(begin, end), axis)
        places = None
        if x is not None:
            given = np.asarray(x)
            places = (
                given[begin:end] if given.ndim == 1 else np.take(given, range(begin, end), axis)
            )
        if end - begin == 1:
            return taken.sum(axis) * 0.0
        of = integrate.trapezoid if end - begin == 2 else integrate.simpson
        return of(taken, x=places, dx=dx, axis=axis)

    first = part(0, count - 1) + part(count - 2, count)
    last = part(0, 2) + part(1, count)
    return {"first": first, "last": last, "avg": (first + last) / 2.0}[even]


class interp2d:
    """Stands for ``scipy.interpolate.interp2d``: splines through numbers on a grid, or at places.

    >>> interp2d([0, 1, 2], [0, 1], [[0.0, 1, 2], [1, 2, 3]])([0.5, 1.5], 0.5).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        z: Any,
        kind: str = "linear",
        copy: bool = True,
        bounds_error: bool = False,
        fill_value: Any = None,
    ) -> None:
        from scipy import interpolate

        x, y, z = np.ravel(x), np.ravel(y), np.asarray(z)
        orders = {"linear": 1, "cubic": 3, "quintic": 5}
        if kind not in orders:
            raise ValueError("Unsupported interpolation type.")
        order = orders[kind]
        if z.size == len(x) * len(y):
            if z.ndim == 2 and z.shape != (len(y), len(x)):
                raise ValueError("a grid's z must have the shape (len(y), len(x))")
            columns, rows = np.argsort(x, kind="stable"), np.argsort(y, kind="stable")
            grid = z.reshape(len(y), len(x)) if z.ndim == 2 else z.reshape(len(x), len(y)).T
            fitted = interpolate.RectBivariateSpline(
                x[columns], y[rows], grid[rows][:, columns].T, kx=order, ky=order, s=0
            )
            self.tck = (*fitted.tck, order, order)
        else:
            if not len(x) == len(y) == z.size:
                raise ValueError("x, y and z must have equal lengths where they are no grid")
            self.tck = interpolate.bisplrep(x, y, z.ravel(), kx=order, ky=order, s=0.0)
        self.bounds_error, self.fill_value = bounds_error, fill_value
        self.x, self.y, self.z = x, y, z
        self.x_min, self.x_max, self.y_min, self.y_max = x.min(), x.max(), y.min(), y.max()

    def __call__(
        self, x: Any, y: Any, dx: int = 0, dy: int = 0, assume_sorted: bool = False
    ) -> Array:
        """The values on the grid of `x` and `y`, [len(y), len(x)], or [len(x)] of one `y`."""
        from scipy import interpolate

        x, y = np.atleast_1d(x), np.atleast_1d(y)
        if x.ndim != 1 or y.ndim != 1:
            raise ValueError("x and y should both be 1-D arrays")
        if not assume_sorted:
            x, y = np.sort(x), np.sort(y)
        out_x, out_y = (x < self.x_min) | (x > self.x_max), (y < self.y_min) | (y > self.y_max)
        if self.bounds_error and (out_x.any() or out_y.any()):
            raise ValueError(
                f"Values out of range; x must be in {(self.x_min, self.x_max)}, "
                f"y in {(self.y_min, self.y_max)}"
            )
        found = np.atleast_2d(interpolate.bisplev(x, y, self.tck, dx, dy))
        found = found.reshape(len(x), len(y)).T.copy()
        if self.fill_value is not None:
            found[:, out_x] = self.fill_value
            found[out_y] = self.fill_value
        return found[0] if len(found) == 1 else found


def ricker(points: int, a: float) -> Array:
    """Stands for ``scipy.signal.ricker``: the wavelet that is called Mexican hat."""
    squares = (np.arange(points) - (points - 1.0) / 2) ** 2 / a**2
    return 2 / (np.sqrt(3 * a) * np.pi**0.25) * (1 - squares) * np.exp(-squares / 2)


def morlet(M: int, w: float = 5.0, s: float = 1.0, complete: bool = True) -> Array:
    """Stands for ``scipy.signal.morlet``."""
    places = np.linspace(-s * 2 * np.pi, s * 2 * np.pi, M)
    waves = np.exp(1j * w * places)
    if complete:
        waves -= np.exp(-0.5 * w**2)
    return waves * np.exp(-0.5 * places**2) * np.pi ** (-0.25)


def cwt(data: Any, wavelet: Callable[..., Any], widths: Any) -> Array:
    """Stands for ``scipy.signal.cwt``: each row is the data with the wavelet of one width."""
    from scipy import signal

    found = np.zeros([len(widths), len(data)])
    for row, width in enumerate(widths):
        found[row] = signal.convolve(data, wavelet(min(10 * width, len(data)), width), mode="same")
    return found


def firwin(
    numtaps: int,
    cutoff: Any,
    width: Any = None,
    window: Any = "hamming",
    pass_zero: Any = True,
    scale: bool = True,
    nyq: Any = None,
    fs: Any = None,
) -> Array:
    """Stands for ``scipy.signal.firwin``, which could be told half of `fs`."""
    from scipy import signal

    fs = 2 * nyq if nyq is not None else fs
    return signal.firwin(
        numtaps, cutoff, width=width, window=window, pass_zero=pass_zero, scale=scale, fs=fs
    )


def sph_harm(m: Any, n: Any, theta: Any, phi: Any) -> Any:
    """Stands for ``scipy.special.sph_harm``: the angles, and order and degree, in the other order."""
    from scipy import special

    return np.asarray(special.sph_harm_y(n, m, phi, theta))[()]


def comb(N: Any, k: Any, exact: bool = False, repetition: bool = False) -> Any:
    """Stands for ``scipy.special.comb``."""
    from scipy import special

    return special.comb(N, k, exact=exact, repetition=repetition)


def find(A: Any) -> tuple[Array, Array, Array]:
    """Stands for ``scipy.sparse.find``, which went column by column."""
    from scipy import sparse

    rows, columns, values = sparse.find(A)
    order = np.lexsort((rows, columns))
    return rows[order], columns[order], values[order]


def _solver(name: str) -> Callable[..., Any]:
    def function(
        A: Any,
        b: Any,
        x0: Any = None,
        tol: float = 1e-5,
        maxiter: Any = None,
        M: Any = None,
        callback: Any = None,
        atol: Any = None,
    ) -> Any:
        from scipy.sparse import linalg

        words = {"maxiter": maxiter, "M": M, "callback": callback}
        atol = 0.0 if atol in (None, "legacy") else atol
        return getattr(linalg, name)(A, b, x0, rtol=tol, atol=atol, **words)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Stands for ``scipy.sparse.linalg.{name}``, whose `rtol` was `tol`."
    return function


bicg, bicgstab, cg, cgs = map(_solver, ("bicg", "bicgstab", "cg", "cgs"))


def gmres(
    A: Any,
    b: Any,
    x0: Any = None,
    tol: float = 1e-5,
    restart: Any = None,
    maxiter: Any = None,
    M: Any = None,
    callback: Any = None,
    restrt: Any = None,
    atol: Any = None,
) -> Any:
    """Stands for ``scipy.sparse.linalg.gmres``, whose `rtol` was `tol`, and `restart` also `restrt`."""
    from scipy.sparse import linalg

    words = {"maxiter": maxiter, "M": M, "callback": callback, "callback_type": "legacy"}
    restart = restrt if restart is None else restart
    atol = 0.0 if atol in (None, "legacy") else atol
    return linalg.gmres(A, b, x0, rtol=tol, atol=atol, restart=restart, **words)


def lsqr(
    A: Any,
    b: Any,
    damp: float = 0.0,
    atol: float = 1e-8,
    btol: float = 1e-8,
    *args: Any,
    **words: Any,
) -> Any:
    """Stands for ``scipy.sparse.linalg.lsqr``, which went on until it was nearer."""
    from scipy.sparse import linalg

    return linalg.lsqr(A, b, damp, atol, btol, *args, **words)


def zoom(
    input: Any,
    zoom: Any,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Array:
    """Stands for ``scipy.ndimage.zoom``."""
    from scipy import ndimage

    given = np.asarray(input)
    if not (prefilter and mirrors(order, mode)):
        return ndimage.zoom(given, zoom, output, order, mode, cval, prefilter)
    factors = np.zeros(given.ndim) + zoom
    sizes = [round(n * factor) for n, factor in zip(given.shape, factors, strict=True)]
    steps = [
        (n - 1) / (size - 1) if size > 1 else 1 for n, size in zip(given.shape, sizes, strict=True)
    ]
    places = np.indices(sizes) * np.reshape(steps, (-1,) + (1,) * given.ndim)
    return map_coordinates(given, places, output, order, mode, cval)


def shift(
    input: Any,
    shift: Any,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Array:
    """Stands for ``scipy.ndimage.shift``."""
    from scipy import ndimage

    given = np.asarray(input)
    if not (prefilter and mirrors(order, mode)):
        return ndimage.shift(given, shift, output, order, mode, cval, prefilter)
    steps = np.zeros(given.ndim) + shift
    places = np.indices(given.shape) - steps.reshape((-1,) + (1,) * given.ndim)
    return map_coordinates(given, places, output, order, mode, cval)


def rotate(
    input: Any,
    angle: float,
    axes: Any = (1, 0),
    reshape: bool = True,
    output: Any = None,
    order: int = 3,
    mode: str = "constant",
    cval: float = 0.0,
    prefilter: bool = True,
) -> Array:
    """Stands for ``scipy.ndimage.rotate``."""
    from scipy import ndimage

    given = np.asarray(input)
    if not (prefilter and mirrors(order, mode)) or given.ndim < 2:
        return ndimage.rotate(given, angle, axes, reshape, output, order, mode, cval, prefilter)
    first, second = sorted(axis % given.ndim for axis in axes)
    sizes = ndimage.rotate(np.zeros(given.shape, bool), angle, axes, reshape, order=0).shape
    places = np.indices(sizes).astype(float)
    middle = (given.shape[first] - 1) / 2, (given.shape[second] - 1) / 2
    rows = places[first] - (sizes[first] - 1) / 2
    columns = places[second] - (sizes[second] - 1) / 2
    cosine, sine = np.cos(np.pi / 180 * angle), np.sin(np.pi / 180 * angle)
    places[first] = cosine * rows + sine * columns + middle[0]
    places[second] = cosine * columns - sine * rows + middle[1]
    return map_coordinates(given, places, output, order, mode, cval)
