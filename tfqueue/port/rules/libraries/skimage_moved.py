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
_ROWS = {
    "skimage.measure.compare_ssim": "skimage.metrics.structural_similarity",
    "skimage.measure.compare_psnr": "skimage.metrics.peak_signal_noise_ratio",
    "skimage.measure.compare_mse": "skimage.metrics.mean_squared_error",
    "skimage.measure.compare_nrmse": "skimage.metrics.normalized_root_mse",
    "skimage.util.pad": "numpy.pad",
}
_WHY = {old: f"{old} is {new} today" for old, new in _ROWS.items()}


def find(module: Module) -> Iterator[Finding]:
    """Finds old names, `as_grey=` and `multichannel=`."""
    for call, dotted in module.calls:
        if not dotted.startswith("skimage."):
            continue
        for keyword in call.keywords:
            if keyword.arg == "as_grey":
                yield module.finding(keyword, "as_grey is as_gray since scikit-image 0.16")
                module.rename(keyword, "as_gray")
            elif keyword.arg == "multichannel" and isinstance(keyword.value, ast.Constant):
                yield module.finding(
                    keyword, "multichannel is channel_axis since scikit-image 0.19"
                )
                module.rename(keyword, "channel_axis")
                module.replace(keyword.value, "-1" if keyword.value.value else "None")
    yield from moved_names.find(module, _ROWS, _WHY)
