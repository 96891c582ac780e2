"""What a file is that is not what was expected, and the name that was probably meant."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable

from tfqueue.records import framing

# What files of other kinds begin with. Two bytes would be found by chance in damaged files.
_BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "a PNG",
    b"\xff\xd8\xff": "a JPEG",
    b"GIF87a": "a GIF",
    b"GIF89a": "a GIF",
    b"PK\x03\x04": "a ZIP archive, or an .npz file",
    b"\x93NUMPY": "an .npy file",
    b"\x89HDF\r\n\x1a\n": "an HDF5 file",
    b"\x1f\x8b\x08": "a gzip file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ\x00": "an xz file",
    b"%PDF": "a PDF",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet file",
    b"\x00\x00\x08\x03": "MNIST's images in IDX format",
    b"\x00\x00\x08\x01": "MNIST's labels in IDX format",
}
_LOOKED_AT = 512


def other_kind(start: bytes) -> str | None:
    """What a file is that begins with these bytes, if that is no TFRecord file; None if unknown.

    A good record header decides: nothing else begins with its checksum by chance.

    >>> other_kind(b"\\x89PNG\\r\\n\\x1a\\n....")
    'a PNG'
    >>> other_kind(b"5.1,3.5,setosa")
    'text'
    >>> other_kind(framing.frame(b"data")), other_kind(bytes(12))
    (None, None)
    """
    if framing.good_header(start[: framing.HEADER]):
        return None
    for beginning, name in _BEGINNINGS.items():
        if start.startswith(beginning):
            return name
    text = start.decode("utf-8", "replace")
    odd = sum(not (char.isprintable() or char in "\t\r\n") or char == "\ufffd" for char in text)
    # The last character may have been cut in two.
    return "text" if len(text) >= 8 and odd <= (len(start) == _LOOKED_AT) else None


def kind_of_file(path: str | os.PathLike[str]) -> str | None:
    """As `other_kind`, for a file.

    Raises:
        OSError: It cannot be read.
    """
    with open(path, "rb") as file:
        return other_kind(file.read(_LOOKED_AT))


def closest(wanted: str, names: Iterable[str]) -> str | None:
    """The one of `names` that was probably meant, or None.

    >>> closest("trian-0", ["train-0", "test-0"]), closest("x", ["train-0"])
    ('train-0', None)
    """
    found = difflib.get_close_matches(wanted, list(names), 1, 0.7)
    return found[0] if found else None


def similar_file(path: str) -> str | None:
    """The path of a file beside a missing one whose name is nearly the same, or None.

    Args:
        path: The name of a file that does not exist.
    """
    folder, name = os.path.split(path)
    try:
        # A link that leads nowhere has the missing file's name.
        names = [each for each in os.listdir(folder or os.curdir) if each != name]
    except OSError:
        return None
    stem = os.path.splitext(name)[0]
    # Two names are not alike for having the same extension.
    found = closest(name, (each for each in names if closest(stem, [os.path.splitext(each)[0]])))
    return os.path.join(folder, found) if found else None


def did_you_mean(path: str) -> str:
    """` (did you mean 'train-0'?)` for a missing file, or nothing."""
    found = similar_file(path)
    return f" (did you mean {found!r}?)" if found else ""
