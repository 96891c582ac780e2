"""Names and keywords that scikit-image changed.

https://scikit-image.org/docs/stable/release_notes/release_0.19.html
"""

from tfqueue.port import moves
from tfqueue.port.edits import Edit

WORDS = ("skimage",)
_ROWS = {
    "skimage.measure.compare_ssim": "skimage.metrics.structural_similarity",
    "skimage.measure.compare_psnr": "skimage.metrics.peak_signal_noise_ratio",
    "skimage.measure.compare_mse": "skimage.metrics.mean_squared_error",
    "skimage.measure.compare_nrmse": "skimage.metrics.normalized_root_mse",
    "skimage.util.pad": "numpy.pad",
}
_WHY = {old: f"{old} is {new} today" for old, new in _ROWS.items()}


def find(module):
    """Finds old names, `as_grey=` and `multichannel=`."""
    yield from moves.find(module, _ROWS, _WHY)
    for call, dotted in module.calls:
        if not dotted.startswith("skimage."):
            continue
        for keyword in call.keywords:
            start = module.start(keyword)
            if keyword.arg == "as_grey":
                edit = Edit(start, start + len("as_grey"), "as_gray")
                yield module.finding(keyword, "as_grey is as_gray since scikit-image 0.16", [edit])
            elif keyword.arg == "multichannel" and getattr(keyword.value, "value", 0) in (
                True,
                False,
            ):
                new = "channel_axis=-1" if keyword.value.value else "channel_axis=None"
                edit = Edit(start, module.end(keyword), new)
                message = "multichannel is channel_axis since scikit-image 0.19"
                yield module.finding(keyword, message, [edit])
