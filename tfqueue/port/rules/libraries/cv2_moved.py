"""OpenCV: constants of the module `cv2.cv`, three results of `findContours`, numbers beside images, axes.

https://docs.opencv.org/4.x/db/dfa/tutorial_transition_guide.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("cv2",)
_HOME = "tfqueue.port.libraries.cv2_contours"
_CAPTURE = (
    "BRIGHTNESS CONTRAST EXPOSURE FORMAT FPS FOURCC FRAME_COUNT FRAME_HEIGHT FRAME_WIDTH GAIN HUE MODE "
    "POS_AVI_RATIO POS_FRAMES POS_MSEC SATURATION"
)
_COLORS = (
    "BGR2GRAY BGR2HLS BGR2HSV BGR2Lab BGR2RGB BGR2YCrCb BGR2YUV BGRA2BGR GRAY2BGR GRAY2RGB HSV2BGR HSV2RGB "
    "Lab2BGR RGB2BGR RGB2GRAY RGB2HSV RGB2Lab RGB2YCrCb YCrCb2BGR YUV2BGR"
)
_SAME = (
    "ADAPTIVE_THRESH_GAUSSIAN_C ADAPTIVE_THRESH_MEAN_C CHAIN_APPROX_NONE CHAIN_APPROX_SIMPLE FILLED "
    "FONT_HERSHEY_SIMPLEX INTER_AREA INTER_CUBIC INTER_LANCZOS4 INTER_LINEAR INTER_NN RETR_CCOMP RETR_EXTERNAL "
    "RETR_LIST RETR_TREE THRESH_BINARY THRESH_BINARY_INV THRESH_OTSU TM_CCOEFF_NORMED WINDOW_AUTOSIZE "
    "WINDOW_NORMAL"
)
_OTHER = {"INTER_NN": "INTER_NEAREST"}
_HOMES = ("cv2.cv.CV", "cv2.CV")
_ROWS = {
    **{f"cv2.CV_LOAD_IMAGE_{n}": f"cv2.IMREAD_{n}" for n in ("COLOR", "GRAYSCALE", "UNCHANGED")},
    **{f"cv2.cv.CV_LOAD_IMAGE_{n}": f"cv2.IMREAD_{n}" for n in ("COLOR", "GRAYSCALE", "UNCHANGED")},
    **{f"{home}_FOURCC": "cv2.VideoWriter_fourcc" for home in _HOMES},
    **{f"{home}_AA": "cv2.LINE_AA" for home in _HOMES},
    **{
        f"{home}_{name}": f"cv2.{_OTHER.get(name, name)}"
        for home in _HOMES
        for name in _SAME.split()
    },
    **{f"{home}_CAP_PROP_{n}": f"cv2.CAP_PROP_{n}" for home in _HOMES for n in _CAPTURE.split()},
    **{f"{home}_{name}": f"cv2.COLOR_{name}" for home in _HOMES for name in _COLORS.split()},
    "cv2.cv.BoxPoints": "cv2.boxPoints",
    "cv2.xfeatures2d.SIFT_create": "cv2.SIFT_create",
}
_SCALARS = {
    f"cv2.{name}": f"tfqueue.port.libraries.cv2_scalars.{name}"
    for name in ("absdiff", "add", "divide", "multiply", "subtract")
}
_SHAPES = {
    f"cv2.{name}": f"tfqueue.port.libraries.cv2_shapes.{name}"
    for name in ("HoughLinesP", "calcHist", "convexityDefects", "findNonZero")
}


def find(module: Module) -> Iterator[Finding]:
    """Finds old constants, arithmetic, and `findContours` where a program takes what OpenCV 3 gave."""
    for call, dotted in module.calls:
        parent = module.parents[call]
        if dotted != "cv2.findContours" or not module.is_old:
            continue
        if isinstance(parent, ast.Assign) and _is_triple(parent.targets[0]):
            yield module.finding(call, "findContours has two results since OpenCV 4.0")
            module.replace(call.func, module.use(_HOME, "find_contours"))
        elif isinstance(parent, ast.Subscript) and getattr(parent.slice, "value", None) == 1:
            yield module.finding(call, "findContours gave the contours second in OpenCV 3")
            module.replace(call.func, module.use(_HOME, "contours"))
            module.replace(parent, call)
    yield from moved_names.find(module, _ROWS)
    if module.is_old:
        why = (
            "a number beside an image is each channel's in OpenCV 5; up to 4 it was the first one's"
        )
        yield from moved_names.find(module, _SCALARS, why)
        why = "the result has an axis less in OpenCV 5"
        yield from moved_names.find(module, _SHAPES, why)


def _is_triple(target: ast.expr) -> bool:
    return isinstance(target, ast.Tuple | ast.List) and len(target.elts) == 3
