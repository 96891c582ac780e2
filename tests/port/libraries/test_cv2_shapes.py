"""Dimensions of OpenCV's results, on a stand-in. Those of 3.4.18 and of 5.0.0 were looked at."""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import cv2_shapes


@pytest.fixture
def opencv(monkeypatch):
    """Has a function of OpenCV give something."""

    def put(name, result):
        given = {name: lambda image, mask=None: result if mask == 1 else None}
        monkeypatch.setitem(sys.modules, "cv2", types.SimpleNamespace(**given))
        return getattr(cv2_shapes, name)

    return put


@pytest.mark.parametrize(
    ("name", "five", "four"),
    [
        ("calcHist", (256,), (256, 1)),
        ("calcHist", (8, 8), (8, 8)),
        ("findNonZero", (2206, 2), (2206, 1, 2)),
        ("HoughLinesP", (4, 4), (4, 1, 4)),
        ("convexityDefects", (16, 4), (16, 1, 4)),
    ],
)
def test_an_axis_comes_back_and_stays(opencv, name, five, four):
    for shape in (five, four):
        array = np.arange(np.prod(shape)).reshape(shape)
        found = opencv(name, array)(7, mask=1)
        assert found.shape == four
        assert found.ravel().tolist() == array.ravel().tolist()
        assert opencv(name, array)(7) is None
