"""matplotlib as it was: what only run time can tell of its old calls. Translated programs call these."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def use(backend: str, force: bool = True) -> None:
    """Stands for ``matplotlib.use(backend)``: a backend that can't be had here is Agg, and that is told.

    >>> use("agg")
    """
    import matplotlib

    try:
        matplotlib.use(backend, force=force)
    except (ImportError, ValueError):
        if backend in sys.modules or not force:
            return
        sys.stderr.write(
            f"tfqueue: matplotlib can't draw with {backend} here: Agg draws, and shows no window\n"
        )
        matplotlib.use("agg")


class _NotAvailable(KeyError, RuntimeError):
    """A writer of films that is not there: a KeyError up to matplotlib 2.2, then a RuntimeError."""


class _Writers:
    """Stands for ``matplotlib.animation.writers``: one that is not there is no ValueError.

    >>> try:
    ...     writer = writers["avconv"]
    ... except KeyError:
    ...     print("ffmpeg", writers.is_available("avconv"))
    ffmpeg False
    """

    def __getitem__(self, name: str) -> Any:
        from matplotlib import animation

        try:
            return animation.writers[name]
        except (RuntimeError, ValueError) as error:
            raise _NotAvailable(f"Requested MovieWriter ({name}) not available") from error

    def __iter__(self) -> Any:
        from matplotlib import animation

        return iter(animation.writers)

    def __getattr__(self, name: str) -> Any:
        from matplotlib import animation

        return getattr(animation.writers, name)


writers = _Writers()


def gca(owner: Any, **words: Any) -> Any:
    """Stands for ``gca(projection=...)``, of `pyplot` or a figure, gone since matplotlib 3.6.

    >>> use("agg")
    >>> import matplotlib.pyplot as plt
    >>> axes = gca(plt.figure(), projection="polar")
    >>> axes.name, gca(plt, projection="polar") is axes
    ('polar', True)
    >>> plt.close("all")
    """
    figure = owner if hasattr(owner, "add_subplot") else owner.gcf()
    if figure.axes and figure.gca().name == words.get("projection"):
        return figure.gca()
    return figure.add_subplot(**words)


def equal_axes(axes: Any) -> Any:
    """Stands for ``axes.axis("equal")``, which axes that share both their limits refuse since matplotlib 2.2.

    They get other boxes then, and keep their limits: up to 2.1 it was the other way round.

    >>> use("agg")
    >>> import matplotlib.pyplot as plt
    >>> figure, both = plt.subplots(2, 2, sharex=True, sharey=True)
    >>> limits = equal_axes(both[0, 0])
    >>> figure.canvas.draw()
    >>> both[0, 0].get_adjustable(), len(limits)
    ('box', 4)
    >>> plt.close("all")
    """
    limits = axes.axis("equal")
    shared = [getattr(axes, f"get_shared_{one}_axes", None) for one in "xy"]
    if all(found and len(found().get_siblings(axes)) > 1 for found in shared):
        axes.set_adjustable("box")
    return limits


def place(position: Any) -> Any:
    """The place that `subplot` or `add_subplot` is given: a text of three digits up to matplotlib 3.3, too.

    >>> place("181"), place(181)
    (181, 181)
    """
    return int(position) if isinstance(position, str) else position


def register_cmap(name: Any = None, cmap: Any = None, data: Any = None, lut: Any = None) -> None:
    """Stands for ``register_cmap`` of `pyplot` and `cm`, gone since matplotlib 3.9.

    >>> import matplotlib
    >>> steps = {one: [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)] for one in ("red", "green", "blue")}
    >>> register_cmap("grey_again", data=steps, lut=4)
    >>> matplotlib.colormaps["grey_again"].N
    4
    """
    import matplotlib
    from matplotlib import colors

    if not isinstance(cmap, colors.Colormap):
        lut = matplotlib.rcParams["image.lut"] if lut is None else lut
        cmap = colors.LinearSegmentedColormap(name, data, lut)
    matplotlib.colormaps.register(cmap, name=name, force=True)


def canvas_rgb(canvas: Any) -> bytes:
    """Stands for ``canvas.tostring_rgb()``, gone since matplotlib 3.10.

    >>> use("agg")
    >>> import matplotlib.pyplot as plt
    >>> canvas = plt.figure(figsize=(1, 1), dpi=4).canvas
    >>> canvas.draw()
    >>> canvas_rgb(canvas) == bytes([255] * 4 * 4 * 3)
    True
    >>> plt.close("all")
    """
    if hasattr(canvas, "tostring_rgb"):
        return bytes(canvas.tostring_rgb())
    return np.asarray(canvas.buffer_rgba())[..., :3].tobytes()


def collections(drawn: Any) -> Any:
    """Stands for ``drawn.collections``, which contours had up to matplotlib 3.9: one for each level.

    Today all levels are one artist. Where they are asked for they are drawn in its place, as they were
    up to 3.7; a label that is put on later leaves no gap in its line.

    >>> use("agg")
    >>> import matplotlib.pyplot as plt
    >>> lines = plt.contour([[0, 1], [1, 0]], [0.25, 0.5, 0.75])
    >>> [len(one.get_paths()) for one in collections(lines)]
    [2, 2, 2]
    >>> collections(lines) is collections(lines), collections(lines)[0] in plt.gca().collections
    (True, True)
    >>> plt.close("all")
    """
    from matplotlib import contour

    if hasattr(drawn, "collections") or not isinstance(drawn, contour.ContourSet):
        return drawn.collections
    levels = vars(drawn).setdefault("_tfqueue_levels", [])
    if not levels:
        levels += [_level(drawn, number) for number in range(len(drawn.get_paths()))]
        drawn.set_visible(False)
        for one in levels:
            drawn.axes.add_collection(one, autolim=False)
    return levels


def _level(drawn: Any, number: int) -> Any:
    """One level of contours: lines, or areas with their holes."""
    from matplotlib import collections as kinds
    from matplotlib.path import Path

    def of_it(values: Any) -> Any:
        return values[number % len(values)] if len(values) else "none"

    whole = drawn.get_paths()[number]
    pieces = [whole]
    if whole.codes is not None:
        starts = np.flatnonzero(whole.codes == Path.MOVETO)[1:]
        parts = (np.split(values, starts) for values in (whole.vertices, whole.codes))
        pieces = [Path(*each) for each in zip(*parts, strict=True)]
    words = {
        "linewidths": of_it(drawn.get_linewidths()),
        "alpha": drawn.get_alpha(),
        "transform": drawn.get_transform(),
        "zorder": drawn.get_zorder(),
    }
    if not drawn.filled:
        segments = [piece.vertices for piece in pieces if len(piece.vertices)]
        lines = kinds.LineCollection(segments, colors=[of_it(drawn.get_edgecolors())], **words)
        lines.set_linestyle([of_it(drawn.get_linestyles())])
        lines.set_label("_nolegend_")
        return lines
    areas: list[list[Any]] = []
    for piece in pieces:
        # a hole runs the other way round than what it is in, which stands before it
        if areas and _turns(piece) != _turns(areas[0][0]):
            areas[-1].append(piece)
        elif len(piece.vertices):
            areas.append([piece])
    joined = [Path.make_compound_path(*area) for area in areas]
    made = kinds.PathCollection(joined, edgecolors="none", **words)
    made.set_facecolor(of_it(drawn.get_facecolors()))
    made.set_hatch(drawn.hatches[number % len(drawn.hatches)])
    return made


def _turns(path: Any) -> bool:
    """Whether a closed line runs anticlockwise."""
    x, y = path.vertices.T
    return bool((x[:-1] * y[1:] - x[1:] * y[:-1]).sum() > 0)


def normpdf(x: Any, mu: Any, sigma: Any) -> Any:
    """Stands for ``matplotlib.mlab.normpdf``, gone since matplotlib 3.1.

    >>> round(float(normpdf(1.0, 0.0, 2.0)), 6)
    0.176033
    """
    return 1.0 / (np.sqrt(2 * np.pi) * sigma) * np.exp(-0.5 * (1.0 / sigma * (x - mu)) ** 2)


def bivariate_normal(
    X: Any,
    Y: Any,
    sigmax: float = 1.0,
    sigmay: float = 1.0,
    mux: float = 0.0,
    muy: float = 0.0,
    sigmaxy: float = 0.0,
) -> Any:
    """Stands for ``matplotlib.mlab.bivariate_normal``, gone since matplotlib 3.1.

    >>> round(float(bivariate_normal(1.0, 2.0, 1.0, 2.0, sigmaxy=0.5)), 6)
    0.036929
    """
    x, y = X - mux, Y - muy
    rho = sigmaxy / (sigmax * sigmay)
    z = x**2 / sigmax**2 + y**2 / sigmay**2 - 2 * rho * x * y / (sigmax * sigmay)
    scale = 2 * np.pi * sigmax * sigmay * np.sqrt(1 - rho**2)
    return np.exp(-z / (2 * (1 - rho**2))) / scale
