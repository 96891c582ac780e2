"""Where the items that `write` takes can come from: image folders, tables, numpy files.

Each function checks its source first and then yields dicts, one per record, so that any amount of
data passes through in the memory of one record.
"""

from __future__ import annotations

import csv
import os
import random
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from tfqueue.records.errors import SourceError
from tfqueue.records.streams import require_regular

_IMAGES = (".jpg", ".jpeg", ".png", ".gif", ".bmp")  # what tf.image.decode_image reads


class Items:
    """Items whose number is known beforehand, for the progress and the numbering of shards.

    Attributes:
        count: How many there are.
        classes: The classes by label, for an image folder; else empty.
    """

    def __init__(
        self, count: int, make: Callable[[], Iterator[dict[str, Any]]], classes: Sequence[str] = ()
    ) -> None:
        self.count = count
        self.classes = list(classes)
        self._make = make

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._make()


def from_folder(folder: str | os.PathLike[str], seed: int | None = None) -> Items:
    """Images in one subfolder per class, as they are (encoded).

    Args:
        folder: Its subfolders are the classes, sorted; labels count from 0.
        seed: Shuffle the images with this seed; None: in the order of the classes and names.

    Returns:
        Items with `image` (the file's bytes), `label` (int64), `class` and `file` (names).

    Raises:
        SourceError: There is no subfolder, or no JPEG, PNG, GIF or BMP file in any.
        OSError: The folder is missing.
    """
    folder = os.fspath(folder)
    classes = sorted(
        entry.name
        for entry in os.scandir(folder)
        if os.path.isdir(entry) and not entry.name.startswith(".")
    )
    if not classes:
        raise SourceError(f"{folder}: no subfolder; each class of images is one")
    found = [
        (label, name, os.path.join(name, file))
        for label, name in enumerate(classes)
        for file in sorted(os.listdir(os.path.join(folder, name)))
        if file.lower().endswith(_IMAGES)
    ]
    if not found:
        raise SourceError(f"{folder}: no {', '.join(_IMAGES)} file in its subfolders")
    if seed is not None:
        random.Random(seed).shuffle(found)

    def items() -> Iterator[dict[str, Any]]:
        for label, name, file in found:
            with open(os.path.join(folder, file), "rb") as image:
                yield {"image": image.read(), "label": label, "class": name, "file": file}

    return Items(len(found), items, classes)


def _number(kind: type, text: str) -> bool:
    try:
        value = kind(text)
    except ValueError:
        return False
    return "_" not in text and (kind is float or -(1 << 63) <= value < 1 << 63)


def _rows(file: Iterable[str], path: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, each with the number of its last line."""
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if row:
                yield reader.line_num, row
    except (csv.Error, UnicodeDecodeError) as error:
        raise SourceError(f"{path}:{reader.line_num + 1}: {error}") from None


def _columns(path: str, header: bool, delimiter: str) -> tuple[list[str], list[type], int]:
    """The keys and kinds of a CSV file's columns, and the number of its rows without the header."""
    keys: list[str] = []
    kinds: list[list[type]] = []
    count = 0
    with open(path, encoding="utf-8-sig", newline="") as file:
        for line, row in _rows(file, path, delimiter):
            if not keys:
                keys = row if header else [f"column_{index}" for index in range(len(row))]
                kinds = [[int, float] for _ in keys]
                if len(set(keys)) < len(keys):
                    raise SourceError(f"{path}:{line}: a column's name stands there twice")
                if header:
                    continue
            if len(row) != len(keys):
                raise SourceError(f"{path}:{line}: {len(row)} columns where {len(keys)} are due")
            count += 1
            for field, possible in zip(row, kinds, strict=True):
                while field and possible and not _number(possible[0], field):
                    del possible[0]
    if not count:
        raise SourceError(f"{path}: no row")
    return keys, [possible[0] if possible else str for possible in kinds], count


def from_csv(path: str | os.PathLike[str], header: bool = True, delimiter: str = ",") -> Items:
    """The rows of a CSV file (RFC 4180, UTF-8).

    A column whose fields are all integers is int64, all numbers float, anything else bytes. An
    empty field of a column of numbers is left out of its record.

    Args:
        path: The file. It is read twice: to learn the columns' kinds, then row by row.
        header: The first row holds the keys; if not, they are `column_0`, `column_1`, ...
        delimiter: One character.

    Returns:
        Items with one feature per column.

    Raises:
        SourceError: No row, a row of another length (with its line), no UTF-8, or a key twice; a
            pipe or a device, which cannot be read twice.
        OSError: The file cannot be read.
    """
    path = os.fspath(path)
    require_regular(path)
    if len(delimiter) != 1 or delimiter in '"\r\n':
        raise SourceError(f"a delimiter is one character, not {delimiter!r}, a quote or a line end")

    keys, converters, count = _columns(path, header, delimiter)

    def items() -> Iterator[dict[str, Any]]:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = _rows(file, path, delimiter)
            if header:
                next(lines)
            for _, row in lines:
                yield {
                    key: convert(field)
                    for key, convert, field in zip(keys, converters, row, strict=True)
                    if field or convert is str
                }

    return Items(count, items)


def from_numpy(path: str | os.PathLike[str], raw: bool = False, key: str = "data") -> Items:
    """The rows of a `.npy` file, or of all arrays of an `.npz` file together.

    Args:
        path: The file. A `.npy` file is mapped, not read into memory.
        raw: Store each row of numbers as its bytes (little-endian, C order), for `tf.decode_raw`,
            instead of as a list of int64 or float.
        key: The key of a `.npy` file's array; in an `.npz` file each array has its own name.

    Returns:
        Items with one feature per array: row i of each.

    Raises:
        SourceError: No numpy file, Python objects in it, no rows, or arrays of different lengths; a
            pipe or a device.
        OSError: The file cannot be read.
    """
    path = os.fspath(path)
    require_regular(path)
    try:
        with open(path, "rb") as file:  # numpy leaves it open when it is a broken archive
            if file.read(2) == b"PK":
                file.seek(0)
                with np.load(file, allow_pickle=False) as archive:
                    arrays = {name: archive[name] for name in archive.files}
            else:
                arrays = {key: np.load(path, mmap_mode="r", allow_pickle=False)}
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise SourceError(f"{path}: {' '.join(str(error).split())}") from None
    if not arrays or any(array.ndim == 0 for array in arrays.values()):
        raise SourceError(f"{path}: an array without rows")
    if not any(map(len, arrays.values())):
        raise SourceError(f"{path}: no rows")
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise SourceError(f"{path}: arrays of different lengths: {found}")

    def feature(row: Any) -> Any:
        if not raw or row.dtype.kind in "SU" or not np.ndim(row):
            return row
        return row.astype(row.dtype.newbyteorder("<"), copy=False).tobytes()

    def items() -> Iterator[dict[str, Any]]:
        for index in range(count):
            yield {name: feature(array[index]) for name, array in arrays.items()}

    count = next(iter(lengths.values()))
    return Items(count, items)
