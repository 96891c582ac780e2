"""What stands for matplotlib's old functions; the densities are those of matplotlib 2.2.5."""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import matplotlib_functions


@pytest.mark.parametrize(
    ("args", "words", "value"),
    [
        ((1.0, 2.0), {}, 0.013064233284684921),
        ((0.0, 0.0, 2.0), {}, 0.07957747154594767),
        ((-1.0, 0.5), {"sigmaxy": -0.3}, 0.0989936325441632),
        ((1.0, 2.0, 1.5, 2.0, 0.5, -1.0, 0.7), {}, 0.017709661803664428),
    ],
)
def test_a_density_of_two(args, words, value):
    assert matplotlib_functions.bivariate_normal(*args, **words) == pytest.approx(value, rel=1e-14)


def test_a_density_of_one():
    assert matplotlib_functions.normpdf(3.0, 1.0, 2.0) == pytest.approx(
        0.12098536225957168, rel=1e-14
    )


def test_the_bytes_of_a_canvas():
    old = types.SimpleNamespace(tostring_rgb=lambda: bytearray(b"rgb"))
    assert matplotlib_functions.canvas_rgb(old) == b"rgb"
    shown = np.arange(8, dtype=np.uint8).reshape(1, 2, 4)
    assert (
        matplotlib_functions.canvas_rgb(types.SimpleNamespace(buffer_rgba=lambda: shown))
        == b"\0\1\2\4\5\6"
    )


@pytest.mark.parametrize(
    ("backend", "force", "used", "told"),
    [("TkAgg", True, ["TkAgg", "agg"], True), ("TkAgg", False, ["TkAgg"], False)]
    + [("agg", True, ["agg"], False), ("sys", True, ["sys"], False)],
)
def test_a_backend_that_cannot_be_had(backend, force, used, told, monkeypatch, capsys):
    asked = []

    def use(name, force=True):
        asked.append(name)
        if name != "agg":
            raise ImportError(name)

    monkeypatch.setitem(sys.modules, "matplotlib", types.SimpleNamespace(use=use))
    matplotlib_functions.use(backend, force)
    assert asked == used
    said = f"tfqueue: matplotlib can't draw with {backend} here: Agg draws, and shows no window\n"
    assert capsys.readouterr().err == (said if told else "")


def test_axes_of_a_projection_are_made_where_there_are_none():
    class Figure:
        axes = ()

        def gca(self):
            return types.SimpleNamespace(name="polar")

        def add_subplot(self, **words):
            return words

    figure = Figure()
    assert matplotlib_functions.gca(figure, projection="polar") == {"projection": "polar"}
    figure.axes = ("one",)
    assert matplotlib_functions.gca(figure, projection="polar").name == "polar"
    assert matplotlib_functions.gca(figure, projection="3d") == {"projection": "3d"}
    assert (
        matplotlib_functions.gca(types.SimpleNamespace(gcf=lambda: figure), projection="polar").name
        == "polar"
    )


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        (
            "contour",
            [
                (9, [5, 4, 5, 4], 8.044373, [0.267, 0.0049, 0.3294, 1.0], 1),
                (10, [9, 9, 9, 9], -8.994198, [0.2162, 0.3515, 0.5506, 1.0], 2),
                (8, [10, 12, 19, 17], -3.512756, [0.1276, 0.5669, 0.5506, 1.0], 3),
                (8, [8, 8, 8, 8], -10.281056, [0.3041, 0.7647, 0.4199, 1.0], 4),
                (3, [5, 19, 5], 2.561348, [0.9932, 0.9062, 0.1439, 1.0], 5),
            ],
        ),
        (
            "contourf",
            [
                (10, [17, 17, 30, 28], 9.391726, [0.2762, 0.1901, 0.493, 0.5], 1),
                (1, [360], -23.392644, [0.1681, 0.46, 0.5581, 0.5], 1),
                (8, [22, 23, 142, 42], -17.993374, [0.1433, 0.6695, 0.5112, 0.5], 1),
                (8, [13, 13, 96, 17], -24.826962, [0.6369, 0.8565, 0.2166, 0.5], 1),
            ],
        ),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_levels_of_contours_are_artists(way, expected, turned):
    """The numbers are those that matplotlib 3.0.3 gives; one area there has four holes."""
    pyplot = pytest.importorskip("matplotlib.pyplot")
    x = np.linspace(-3, 3, 25)
    x, y = np.meshgrid(x, x[::-1] if turned else x)
    z = np.sin(x * 2) * np.cos(y * 2) + np.exp(-(x**2 + y**2))
    axes = pyplot.figure().gca()
    words = {"linewidths": [1, 2, 3, 4, 5]} if way == "contour" else {"alpha": 0.5}
    drawn = getattr(axes, way)(x, y, z, [-0.8, -0.3, 0.1, 0.5, 1.0], **words)
    found = matplotlib_functions.collections(drawn)
    for one, (pieces, lengths, total, color, width) in zip(found, expected, strict=True):
        vertices = [path.vertices for path in one.get_paths()]
        assert (len(vertices), [len(each) for each in vertices[:4]]) == (pieces, lengths)
        if not turned:
            assert sum(each.sum() for each in vertices) == pytest.approx(total, abs=1e-5)
        shown = one.get_edgecolor() if way == "contour" else one.get_facecolor()
        assert shown == pytest.approx(np.array([color]), abs=1e-4)
        assert one.get_linewidth() == [width]
        assert one in list(axes.collections)
    assert not drawn.get_visible()
    pyplot.close("all")


def test_other_collections_are_their_owners():
    owner = types.SimpleNamespace(collections=[3])
    assert matplotlib_functions.collections(owner) == [3]
    with pytest.raises(AttributeError, match="'int' object has no attribute 'collections'"):
        matplotlib_functions.collections(3)
