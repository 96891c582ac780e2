"""OpenCV's arithmetic of an image and a number, as it was up to 4. Translated programs call these.

Up to four a number beside an image stood for the scalar (number, 0, 0, 0): only the first of the image's
channels had it. Since 5 it is each channel's.
"""

from __future__ import annotations

import functools
import numbers
from typing import Any

_SIDES = ("src1", "src2")


def _scalar(side: Any) -> Any:
    return (float(side), 0, 0, 0) if isinstance(side, numbers.Real) else side


def _call(name: str, *args: Any, **words: Any) -> Any:
    import cv2

    sides = [*args[:2], *map(words.get, _SIDES)]
    if any(getattr(side, "ndim", 0) == 3 and side.shape[2] > 1 for side in sides):
        args = (*map(_scalar, args[:2]), *args[2:])
        words |= {word: _scalar(words[word]) for word in _SIDES if word in words}
    return getattr(cv2, name)(*args, **words)


add, subtract, multiply, divide, absdiff = (
    functools.partial(_call, name) for name in ("add", "subtract", "multiply", "divide", "absdiff")
)
