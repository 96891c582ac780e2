"""What OpenCV 3 gave for contours, on a stand-in."""

import sys
import types

import pytest

from tfqueue.port.differences import telling
from tfqueue.port.libraries import cv2_contours


@pytest.fixture(autouse=True, params=[2, 3])
def cv2(monkeypatch, request):
    """OpenCV, with two results as in 2 and 4, or three as in 3."""

    def find(image, mode, method):
        return ("changed", [mode], method)[-request.param :]

    monkeypatch.setitem(sys.modules, "cv2", types.SimpleNamespace(findContours=find))
    telling.forget()


def test_contours_have_their_image_before_them():
    assert cv2_contours.find_contours("image", 1, method=2) == ("image", [1], 2)


def test_contours_alone_are_told(capsys):
    assert [cv2_contours.contours("image", 1, 2) for _ in range(2)] == [[1], [1]]
    (line,) = capsys.readouterr().err.splitlines()
    assert "cv2.findContours(...)[1] is the contours, as in OpenCV 3" in line
