"""imageio as it was up to 2.27: what it wrote of arrays that are not of bytes, or have one channel.

Translated programs call these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_OF_BYTES = ("png", "jpg", "jpeg", "gif", "bmp")
"""Kinds of files whose images are of bytes."""


def _kind(path: Any, format: str | None) -> str:
    """The kind of a file by its format, or else by the end of its name."""
    return (format or str(path).rpartition(".")[2]).lower().partition("-")[0]


def _scaled(image: Any, path: Any, format: str | None) -> Any:
    """An array as it was written to a file of bytes: what is not of bytes is scaled to them, one channel is gray."""
    from imageio.core.util import image_as_uint

    image = np.asarray(image)
    kind = _kind(path, format)
    if kind not in _OF_BYTES:
        return image
    if image.ndim == 3 and image.shape[-1] == 1:
        image = image[:, :, 0]
    wide = kind == "png" and image.dtype == np.uint16 and image.ndim == 2
    return image_as_uint(image, bitdepth=16 if wide else 8)


def _in_milliseconds(uri: Any, words: dict[str, Any]) -> dict[str, Any]:
    if "duration" not in words or not str(uri).lower().endswith(".gif"):
        return words
    return {**words, "duration": (np.asarray(words["duration"]) * 1000.0).tolist()}


def imwrite(uri: Any, im: Any, format: str | None = None, **words: Any) -> None:
    """Stands for ``imageio.imwrite``, which scaled what is not of bytes up to imageio 2.27."""
    from imageio import v2

    v2.imwrite(uri, _scaled(im, uri, format), format, **words)


def mimwrite(uri: Any, ims: Any, format: str | None = None, **words: Any) -> None:
    """Stands for ``imageio.mimwrite``: what is not of bytes was scaled, a GIF's `duration` is in seconds."""
    from imageio import v2

    v2.mimwrite(
        uri, [_scaled(im, uri, format) for im in ims], format, **_in_milliseconds(uri, words)
    )


def get_writer(uri: Any, format: str | None = None, mode: str = "?", **words: Any) -> Any:
    """Stands for ``imageio.get_writer``: what is not of bytes was scaled, a GIF's `duration` is in seconds."""
    from imageio import v2

    writer: Any = v2.get_writer(uri, format, mode, **_in_milliseconds(uri, words))
    if _kind(uri, format) in _OF_BYTES:
        append = writer.append_data
        writer.append_data = lambda im, *meta, **also: append(
            _scaled(im, uri, format), *meta, **also
        )
    return writer
