"""What OpenCV up to 4 added to an image where it was given a number, on a stand-in."""

import sys
import types

import numpy as np
import pytest

from tfqueue.port.libraries import cv2_scalars

COLORS = np.zeros((2, 2, 3))
GRAY = np.zeros((2, 2))
ONE = np.zeros((2, 2, 1))


@pytest.fixture(autouse=True)
def cv2(monkeypatch):
    """OpenCV, which gives what it is given."""
    names = ("add", "subtract", "multiply", "divide", "absdiff")
    given = {name: lambda *args, name=name, **words: (name, args, words) for name in names}
    monkeypatch.setitem(sys.modules, "cv2", types.SimpleNamespace(**given))


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "absdiff"])
def test_a_number_beside_colors_is_the_first_channels(name):
    call = getattr(cv2_scalars, name)
    assert call(COLORS, 3) == (name, (COLORS, (3.0, 0, 0, 0)), {})
    assert call(2.5, COLORS, None) == (name, ((2.5, 0, 0, 0), COLORS, None), {})
    assert call(COLORS, src2=np.float64(4)) == (name, (COLORS,), {"src2": (4.0, 0, 0, 0)})
    words = {"src1": (True, 0, 0, 0), "src2": COLORS, "dtype": 6}
    assert call(src1=True, src2=COLORS, dtype=6) == (name, (), words)


@pytest.mark.parametrize(
    "sides", [(GRAY, 3), (ONE, 3), (COLORS, COLORS), (COLORS, (1, 2, 3)), (3, 4)]
)
def test_other_sides_stay(sides):
    _, args, words = cv2_scalars.add(*sides, dst=None)
    assert all(one is other for one, other in zip(args, sides, strict=True))
    assert words == {"dst": None}
