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
