"""Names and keywords that scikit-image changed.

https://scikit-image.org/docs/stable/release_notes/release_0.19.html
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfqueue.port.program.module import Module
from tfqueue.port.rules import moved_names
from tfqueue.port.source.finding import Finding

WORDS = ("skimage",)
_METRICS = {
    "ssim": "structural_similarity",
    "psnr": "peak_signal_noise_ratio",
    "mse": "mean_squared_error",
    "nrmse": "normalized_root_mse",
}
_ROWS = {
    **{f"skimage.measure.compare_{old}": f"skimage.metrics.{new}" for old, new in _METRICS.items()},
    "skimage.util.pad": "numpy.pad",
}


def find(module: Module) -> Iterator[Finding]:
    """Finds old names, `as_grey=` and `multichannel=`."""
    for call, dotted in module.calls:
        if not dotted.startswith("skimage."):
            continue
        for keyword in call.keywords:
            if keyword.arg == "as_grey":
                yield module.finding(keyword, "as_grey is as_gray since scikit-image 0.16")
                module.rename(keyword, "as_gray")
            elif keyword.arg == "visualise" and dotted == "skimage.feature.hog":
                yield module.finding(keyword, "visualise is visualize since scikit-image 0.16")
                module.rename(keyword, "visualize")
            elif keyword.arg == "multichannel" and isinstance(keyword.value, ast.Constant):
                yield module.finding(
                    keyword, "multichannel is channel_axis since scikit-image 0.19"
                )
                module.rename(keyword, "channel_axis")
                module.replace(keyword.value, "-1" if keyword.value.value else "None")
    yield from moved_names.find(module, _ROWS)
