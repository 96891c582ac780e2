"""The image functions that `scipy.misc` had until scipy 1.3, on Pillow and numpy.

Ported programs call them where the originals are gone. They take and give numpy arrays: uint8,
``[height, width]`` or ``[height, width, channels]``. They need the extra ``images``.
"""

from __future__ import annotations

from typing import Any

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
    import numpy as np

    data = np.asarray(data)
    if data.dtype == np.uint8:
        return data
    cmin = data.min() if cmin is None else cmin
    cmax = data.max() if cmax is None else cmax
    span = float(cmax) - float(cmin)
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
) -> Any:
    """Makes a Pillow image of an array, scaled to bytes (`scipy.misc.toimage`).

    Colours may stand in the first, second or last dimension, as scipy allowed.

    >>> toimage([[0, 255], [255, 0]]).size
    (2, 2)
    """
    import numpy as np

    data = np.asarray(arr)
    image = _pillow()
    if data.ndim == 3:
        # as scipy looked for it, also where the last dimension would do
        axis = next((a for size in (3, 4) for a in range(3) if data.shape[a] == size), None)
        if axis is None:
            raise ValueError(f"an image has 3 or 4 channels; this array has shape {data.shape}")
        data = np.moveaxis(data, axis, 2)
    elif data.ndim != 2:
        raise ValueError(f"an image has 2 or 3 dimensions; this array has shape {data.shape}")
    if mode == "F":
        return image.fromarray(data.astype(np.float32))
    if mode == "I" and data.ndim == 2:
        cmin = data.min() if cmin is None else cmin
        cmax = data.max() if cmax is None else cmax
        scaled = (data * 1.0 - cmin) * (high - low) / (cmax - cmin) + low
        return image.fromarray(scaled.astype(np.int32))
    picture = image.fromarray(bytescale(data, cmin, cmax, high, low))
    return picture.convert(mode) if mode else picture


def fromimage(im: Any, flatten: bool = False, mode: str | None = None) -> Array:
    """Makes an array of a Pillow image (`scipy.misc.fromimage`).

    Args:
        im: The image.
        flatten: Whether to give one channel of float32.
        mode: The Pillow mode to convert to first.
    """
    import numpy as np

    if mode is not None and mode != im.mode:
        im = im.convert(mode)
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
    import numpy as np

    image = _pillow()
    picture = toimage(arr, mode=mode)
    if isinstance(size, int | np.integer):
        new = tuple((np.array(picture.size) * (size / 100.0)).astype(int))
    elif isinstance(size, float | np.floating):
        new = tuple((np.array(picture.size) * size).astype(int))
    else:
        new = (int(size[1]), int(size[0]))
    names = {"cubic": "bicubic", "antialias": "lanczos"}
    how = getattr(image.Resampling, names.get(interp, interp).upper())
    return fromimage(picture.resize(tuple(int(n) for n in new), resample=how))


def imrotate(arr: Any, angle: float, interp: str = "bilinear") -> Array:
    """Turns an image counter-clockwise by ``angle`` degrees (`scipy.misc.imrotate`)."""
    image = _pillow()
    names = {"cubic": "bicubic"}
    how = getattr(image.Resampling, names.get(interp, interp).upper())
    return fromimage(toimage(arr).rotate(angle, resample=how))


def imshow(arr: Any) -> None:
    """Shows an image in a window of the system's own viewer (`scipy.misc.imshow`)."""
    toimage(arr).show()


def __getattr__(name: str) -> Any:
    # scipy.misc had these before scipy.special
    if name in _SPECIAL:
        import scipy.special

        return getattr(scipy.special, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}: scipy.misc is gone")
