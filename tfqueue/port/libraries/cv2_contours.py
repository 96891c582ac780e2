"""`cv2.findContours` of OpenCV 3, which gave the image as well. Translated programs call these."""

from __future__ import annotations

from typing import Any

from tfqueue.port.differences import telling


def find_contours(image: Any, *args: Any, **words: Any) -> tuple[Any, ...]:
    """Stands for ``cv2.findContours`` of OpenCV 3: the image, the contours and their hierarchy."""
    import cv2

    return (image, *cv2.findContours(image, *args, **words)[-2:])


def contours(image: Any, *args: Any, **words: Any) -> Any:
    """Stands for ``cv2.findContours(...)[1]``: the contours, as in OpenCV 3, which is told."""
    telling.tell_contours()
    return find_contours(image, *args, **words)[1]
