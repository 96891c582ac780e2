"""Results of OpenCV with the dimensions that they had up to 4. Translated programs call these.

Since 5 a histogram has one dimension, and points and lines have no axis of size 1 in the middle.
"""

from __future__ import annotations

import functools
from typing import Any

_DIMENSIONS = {"HoughLinesP": 3, "calcHist": 2, "convexityDefects": 3, "findNonZero": 3}


def _call(name: str, *args: Any, **words: Any) -> Any:
    import cv2

    found = getattr(cv2, name)(*args, **words)
    if found is None or found.ndim != _DIMENSIONS[name] - 1:
        return found  # nothing is found, a histogram of two channels, or OpenCV 4
    return found[:, None]


HoughLinesP, calcHist, convexityDefects, findNonZero = (
    functools.partial(_call, name) for name in _DIMENSIONS
)
