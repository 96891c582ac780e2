"""A contact sheet: the images in TFRecord files on one PNG."""

from __future__ import annotations

import io
import itertools
import math
import os
from typing import Any

import numpy as np

from tfqueue.errors import MissingExtraError
from tfqueue.output.files import write_whole
from tfqueue.records.errors import SourceError
from tfqueue.records.files import Paths, examples
from tfqueue.records.schemas import looks_like

_ENCODED = ("JPEG", "PNG", "GIF", "BMP", "RIFF")
_SIDES = (("height", "rows"), ("width", "cols", "columns"), ("depth", "channels"))
_CAPTIONS = ("class", "label", "text")
_NAMED = 50  # features that an error lists
_MARGIN = 4  # pixels around each image
_CAPTION = 14  # pixels of height for its caption
_PAPER, _INK = (255, 255, 255), (40, 40, 40)


def _pillow() -> tuple[Any, Any]:
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise MissingExtraError(
            "the contact sheet needs Pillow: pip install 'tfqueue[images]'"
        ) from None
    return Image, ImageDraw


def _side(example: dict[str, Any], names: tuple[str, ...]) -> int | None:
    """A side's length by other features of the example, such as `height` or `image/height`."""
    for key, value in example.items():
        last = key.lower().replace("_", "/").rpartition("/")[2]
        if last in names and isinstance(value, np.ndarray) and value.size == 1:
            return int(value[0])
    return None


def _guess(count: int, example: dict[str, Any]) -> tuple[int, int, int] | None:
    """Height, width and channels of `count` values in all, if anything tells."""
    height, width, depth = (_side(example, names) for names in _SIDES)
    for channels in (depth,) if depth and depth > 0 else (1, 3, 4):
        pixels, rest = divmod(count, channels)
        if rest or not pixels:
            continue
        if height and width:
            if height * width == pixels:
                return height, width, channels
        elif math.isqrt(pixels) ** 2 == pixels:
            return math.isqrt(pixels), math.isqrt(pixels), channels
    return None


def _array(
    value: Any, example: dict[str, Any], shape: tuple[int, ...] | None, dtype: np.dtype
) -> np.ndarray:
    """An unencoded image as uint8 [height, width, channels]."""
    if isinstance(value, bytes):
        if len(value) % dtype.itemsize:
            raise ValueError(f"{len(value)} bytes are no whole number of {dtype}")
        value = np.frombuffer(value, dtype)
    shape = shape or _guess(value.size, example)
    if shape is None:
        raise ValueError(
            f"{value.size} values of {value.dtype} are not square, and no height and width "
            "features fit them; give the shape, or another dtype"
        )
    if math.prod(shape) != value.size:
        raise ValueError(f"{value.size} values do not make the shape {list(shape)}")
    image = value.reshape(*shape, 1) if len(shape) == 2 else value.reshape(shape)
    if image.dtype == np.uint8:
        return image
    image = np.nan_to_num(image.astype(np.float64))
    low, high = image.min(), image.max()
    if low < 0 or high > 255:  # standardised, say: show its whole range
        image = (image - low) * (255 / (high - low))
    elif image.dtype.kind == "f" and value.dtype.kind == "f" and high <= 1:
        image = image * 255
    return image.round().astype(np.uint8)


def _picture(
    value: Any, example: dict[str, Any], shape: tuple[int, ...] | None, dtype: np.dtype
) -> Any:
    Image, _ = _pillow()
    if isinstance(value, bytes) and looks_like(value) in _ENCODED:
        with Image.open(io.BytesIO(value)) as image:
            return image.convert("RGB")
    array = _array(value, example, shape, dtype)
    if array.shape[2] not in (1, 3, 4):
        raise ValueError(f"an image has 1, 3 or 4 channels, not {array.shape[2]}")
    return Image.fromarray(array[:, :, 0] if array.shape[2] == 1 else array).convert("RGB")


def _candidates(example: dict[str, Any]) -> list[str]:
    """Keys by how likely they hold an image: encoded, then named so, then of a fitting size."""
    ranks = {}
    for key, value in example.items():
        if isinstance(value, list):
            if len(value) != 1:
                continue
            look = looks_like(value[0])
            if look in _ENCODED:
                ranks[key] = 0
            elif look == "raw" or "image" in key.lower():
                ranks[key] = 1 if "image" in key.lower() else 2
        elif value.size >= 16 and _guess(value.size, example):
            ranks[key] = 3
    return sorted(ranks, key=ranks.__getitem__)


def _keys(example: dict[str, Any]) -> str:
    keys = sorted(example)
    return f"{keys[:_NAMED]}" + (f", ... ({len(keys):,} in all)" if len(keys) > _NAMED else "")


def _caption(example: dict[str, Any], key: str) -> str:
    for name in _CAPTIONS:
        for other, value in example.items():
            if other != key and other.lower().rpartition("/")[2] == name and len(value) == 1:
                item = value[0]
                if not isinstance(item, bytes):
                    return f"{item:g}"
                text = item.decode("utf-8", "replace")
                return "".join(char if char.isprintable() else " " for char in text)
    return ""


def _little_endian(name: str) -> np.dtype:
    """The dtype of a name, as its bytes stand in a file."""
    try:
        return np.dtype(name).newbyteorder("<")
    except TypeError:
        raise SourceError(f"numpy knows no dtype {name!r}") from None


def _single(value: Any, key: str, number: int) -> Any:
    """The one value of a bytes feature, or the array of any other."""
    if not isinstance(value, list):
        return value
    if len(value) != 1:
        raise SourceError(f"record {number}: {key!r} holds {len(value)} values, not 1")
    return value[0]


def _scaled(picture: Any, size: int) -> Any:
    """A picture whose longer side has `size` pixels."""
    Image, _ = _pillow()
    scale = size / max(picture.size)
    new = [max(1, round(side * scale)) for side in picture.size]
    # Enlarged pixels stay pixels; a smaller picture is smoothed.
    how = Image.Resampling.NEAREST if scale > 1 else Image.Resampling.LANCZOS
    return picture.resize(new, how)


def _sheet(tiles: list[tuple[Any, str]], columns: int | None, size: int) -> Any:
    """A picture of all tiles, each with its caption below it."""
    Image, ImageDraw = _pillow()
    columns = min(columns or math.ceil(math.sqrt(len(tiles))), len(tiles))
    wide, high = size + 2 * _MARGIN, size + 2 * _MARGIN + _CAPTION
    sheet = Image.new("RGB", (columns * wide, -(-len(tiles) // columns) * high), _PAPER)
    draw = ImageDraw.Draw(sheet)
    for index, (tile, caption) in enumerate(tiles):
        left, top = index % columns * wide, index // columns * high
        sheet.paste(tile, (left + (wide - tile.width) // 2, top + (wide - tile.height) // 2))
        while caption and draw.textlength(caption) > wide - 2:
            caption = caption.rstrip("…")[:-1].rstrip() + "…" if len(caption) > 2 else ""
        draw.text((left + wide / 2, top + high - 2), caption, _INK, anchor="mb")
    return sheet


def images(
    paths: Paths,
    output: str | os.PathLike[str],
    key: str | None = None,
    limit: int = 64,
    columns: int | None = None,
    size: int = 96,
    shape: tuple[int, ...] | None = None,
    dtype: str = "uint8",
    compression: str | int | None = None,
) -> int:
    """Draws the images of the first records as a contact sheet, with their labels.

    Args:
        paths: A name, a pattern, or several (see `expand`).
        output: The PNG file.
        key: The feature; None: the likeliest of the first record.
        limit: How many images at most.
        columns: Images per row; None: as many rows as columns.
        size: Pixels of an image's longer side on the sheet.
        shape: [height, width] or [height, width, channels] of unencoded images; None: as features
            named height, width, depth say, or square.
        dtype: Of unencoded images in bytes.
        compression: `"GZIP"`, `"ZLIB"`, `""`; None looks at each file.

    Returns:
        How many images are on the sheet.

    Raises:
        SourceError: No record, no such key, or bytes that are no image; it names the record.
        MissingExtraError: Pillow is not installed.
        DamagedRecordError, ExampleError, OSError: As for `examples`.
    """
    Image, _ = _pillow()
    pixel = _little_endian(dtype)
    tiles = []
    for number, example in enumerate(itertools.islice(examples(paths, compression), limit)):
        if key is None:
            likely = _candidates(example)
            if not likely:
                raise SourceError(f"no image among the features {_keys(example)}; give the key")
            key = likely[0]
        if key not in example:
            raise SourceError(f"record {number} has no feature {key!r}, only {_keys(example)}")
        value = _single(example[key], key, number)
        try:
            picture = _picture(value, example, shape, pixel)
        except (ValueError, OSError, SyntaxError, Image.DecompressionBombError) as error:
            # All of them are what Pillow says of bytes that are no picture, or of no sane size.
            raise SourceError(f"record {number}: {key!r} is no image: {error}") from None
        tiles.append((_scaled(picture, size), _caption(example, key)))
    if not tiles:
        raise SourceError("no record in these files")
    sheet = _sheet(tiles, columns, size)
    data = io.BytesIO()
    sheet.save(data, "PNG")
    write_whole(output, data.getvalue())
    return len(tiles)
