"""The image functions that `scipy.misc` had until scipy 1.3, on Pillow and numpy.

Ported programs call them where the originals are gone. They take and give numpy arrays: uint8,
``[height, width]`` or ``[height, width, channels]``. They need the extra ``images``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tfqueue.port.libraries import pil_images

__all__ = [
    "bytescale",
    "fromimage",
    "imread",
    "imresize",
    "imrotate",
    "imsave",
    "imshow",
    "toimage",
]
Array = Any
"""A `numpy.ndarray`; numpy is imported when a function needs it."""
_MODES = {3: ("RGB", "YCbCr"), 4: ("RGBA", "CMYK")}
"""By the number of channels, the modes; the first one is the default."""
_RESAMPLING = ("nearest", "lanczos", "bilinear", "bicubic")
_SPECIAL = frozenset(["comb", "factorial", "factorial2", "logsumexp"])


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(
            "scipy.misc's image functions need Pillow: pip install 'tfqueue[images]'"
        ) from None
    return Image


def bytescale(
    data: Any, cmin: Any = None, cmax: Any = None, high: int = 255, low: int = 0
) -> Array:
    """Scales an array to uint8, its minimum to ``low`` and its maximum to ``high``.

    >>> bytescale([[0.0, 1.0]]).tolist()
    [[0, 255]]
    """
    data = np.asarray(data)
    if data.dtype == np.uint8:
        return data
    if not 0 <= low <= high <= 255:
        raise ValueError(f"low and high are {low} and {high}, not 0 <= low <= high <= 255")
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    span = float(cmax) - float(cmin)
    if span < 0:
        raise ValueError(f"cmax is {cmax}, less than cmin, {cmin}")
    scaled = (data.astype(float) - cmin) * ((high - low) / (span or 1.0)) + low
    return (scaled.clip(low, high) + 0.5).astype(np.uint8)


def toimage(
    arr: Any,
    high: int = 255,
    low: int = 0,
    cmin: Any = None,
    cmax: Any = None,
    pal: Any = None,
    mode: str | None = None,
    channel_axis: int | None = None,
) -> Any:
    """Makes a Pillow image of an array, scaled to bytes (`scipy.misc.toimage`).

    Colours may stand in the first, second or last dimension, as scipy allowed.

    Args:
        high: The largest byte.
        low: The smallest one.
        cmin: The value that becomes `low`; the array's least by default.
        cmax: The value that becomes `high`; the array's greatest by default.
        pal: The palette of an image with one channel, ``[256, 3]``.
        mode: The Pillow mode that the array has; its values are not converted.
        channel_axis: The dimension with the colours.

    Raises:
        ValueError: The array has no such shape, or is of complex numbers.

    >>> toimage([[0, 255], [255, 0]]).size
    (2, 2)
    """
    data = np.asarray(arr)
    if np.iscomplexobj(data):
        raise ValueError("an array of complex numbers is no image")
    if data.ndim == 2:
        return _one_channel(data, high, low, cmin, cmax, pal, mode)
    if data.ndim != 3:
        raise ValueError(f"an image has 2 or 3 dimensions; this array has shape {data.shape}")
    if channel_axis is None:
        # as scipy looked for it, also where the last dimension would do
        found = (a for size in (3, 4) for a in range(3) if data.shape[a] == size)
        channel_axis = next(found, 0)
    channels = data.shape[channel_axis]
    if channels not in _MODES:
        raise ValueError(f"an image has 3 or 4 channels; this array has shape {data.shape}")
    mode = mode or _MODES[channels][0]
    if mode not in _MODES[channels]:
        raise ValueError(f"an array with {channels} channels has no mode {mode!r}")
    data = np.moveaxis(bytescale(data, cmin, cmax, high, low), channel_axis, 2)
    return _pillow().frombytes(mode, data.shape[1::-1], data.tobytes())


def _one_channel(
    data: Array, high: int, low: int, cmin: Any, cmax: Any, pal: Any, mode: str | None
) -> Any:
    image = _pillow()
    if mode == "F":
        return image.fromarray(data.astype(np.float32))
    if mode == "I":
        cmin = data.min() if cmin is None else cmin
        cmax = data.max() if cmax is None else cmax
        scaled = (data * 1.0 - cmin) * (high - low) / (cmax - cmin) + low
        return image.fromarray(scaled.astype(np.int32))
    if mode not in (None, "L", "P", "1"):
        raise ValueError(f"an array with one channel has no mode {mode!r}")
    data = bytescale(data, cmin, cmax, high, low)
    if mode == "1":
        return image.fromarray(data > high)
    picture = image.fromarray(data)
    if mode == "P" and pal is None:
        pal = np.arange(256)[:, None].repeat(3, axis=1)
    if pal is not None:
        picture.putpalette(np.asarray(pal, np.uint8).tobytes())
    return picture


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> Array:
    """Makes an array of a Pillow image (`scipy.misc.fromimage`).

    Args:
        flatten: Whether to give one channel of float32.
        mode: The Pillow mode to convert to first.
    """
    if mode is not None:
        im = pil_images.convert(im, mode)
    elif im.mode == "P":
        im = im.convert("RGBA" if "transparency" in im.info else "RGB")
    elif im.mode == "1":
        im = im.convert("L")
    return np.array(im.convert("F") if flatten else im)


def imread(name: Any, flatten: bool = False, mode: str | None = None) -> Array:
    """Reads an image file (`scipy.misc.imread`).

    Args:
        name: Path, or a file opened in binary mode.
        flatten: Whether to give one channel of float32.
        mode: The Pillow mode to convert to (``"RGB"``, ``"L"``).

    Raises:
        OSError: The file is missing, or is no image.
    """
    with _pillow().open(name) as picture:
        return fromimage(picture, flatten=flatten, mode=mode)


def imsave(name: Any, arr: Any, format: str | None = None) -> None:
    """Writes an array as an image, scaled to bytes (`scipy.misc.imsave`)."""
    toimage(arr).save(name, **({"format": format} if format else {}))


def imresize(arr: Any, size: Any, interp: str = "bilinear", mode: str | None = None) -> Array:
    """Resizes an image (`scipy.misc.imresize`).

    Args:
        arr: The image; it is scaled to bytes.
        size: int, a percentage; float, a factor; or (height, width) in pixels.
        interp: nearest, lanczos, bilinear, bicubic or cubic.
        mode: The Pillow mode to work in.

    >>> imresize([[0, 255], [255, 0]], (4, 6)).shape
    (4, 6)
    """
    picture = toimage(arr, mode=mode)
    if isinstance(size, int | np.integer):
        new = tuple((np.array(picture.size) * (size / 100.0)).astype(int))
    elif isinstance(size, float | np.floating):
        new = tuple((np.array(picture.size) * size).astype(int))
    else:
        new = (int(size[1]), int(size[0]))
    return fromimage(picture.resize(tuple(int(n) for n in new), resample=_resampling(interp)))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Array:
    """Turns an image counter-clockwise by ``angle`` degrees (`scipy.misc.imrotate`)."""
    return fromimage(toimage(arr).rotate(angle, resample=_resampling(interp)))


def _resampling(interp: str) -> Any:
    """Pillow's constant for a name.

    Raises:
        KeyError: The name is unknown.
    """
    name = "bicubic" if interp == "cubic" else interp
    if name not in _RESAMPLING:
        raise KeyError(interp)
    return getattr(_pillow().Resampling, name.upper())


def imshow(arr: Any) -> None:
    """Shows an image in a window of the system's own viewer (`scipy.misc.imshow`)."""
    toimage(arr).show()


def __getattr__(name: str) -> Any:
    # scipy.misc had these before scipy.special
    if name in _SPECIAL:
        import scipy.special

        return getattr(scipy.special, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}: scipy.misc is gone")
