"""Files that are cut where TensorFlow's readers see the end of the data."""

from __future__ import annotations

import mmap
import os
import struct
import sys
import time
from collections.abc import Iterable, Iterator

from tfqueue.records import framing, streams

FRAME = framing.HEADER + framing.FOOTER
SECONDS = 0.3
"""How long the ends of all files of a pipeline are looked at."""
_NAMED = 3
"""How many files are named."""
_length = struct.Struct("<Q").unpack_from


def frames(path: str | os.PathLike[str]) -> Iterator[tuple[int, mmap.mmap, int]]:
    """The records of an uncompressed TFRecord file by their lengths alone, no checksum looked at.

    Yields:
        `(offset, map, length)`: where a record's header stands, the file's bytes, and how many
        bytes of data it has, as far as whole records go.
    """
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    offset, size = 0, len(data)
    while offset + FRAME <= size:
        length = _length(data, offset)[0]
        if offset + FRAME + length > size:
            return
        yield offset, data, length
        offset += FRAME + length


def trailing_bytes(path: str, until: float, compression: str = "") -> int:
    """How many bytes stand behind the last whole record of a TFRecord file, up to 11.

    So many TensorFlow takes for the end of the file: it is cut inside a header.

    Args:
        until: `time.monotonic()` at which to give up.
        compression: `""`, `"GZIP"` or `"ZLIB"`.

    Returns:
        1 to 11; 0 if the file ends well, is cut elsewhere, is no such file, or
        could not be gone through in time.
    """
    if compression:
        return compressed_end(path, until, compression)[0]
    end = 0
    for count, (offset, _, length) in enumerate(frames(path)):
        end = offset + FRAME + length
        if not count & 0xFF and time.monotonic() > until:
            return 0
    rest = os.path.getsize(path) - end
    return rest if rest < framing.HEADER else 0


def compressed_end(
    path: str, until: float, compression: str, framed: bool = True
) -> tuple[int, bool]:
    """How a compressed file ends, where TensorFlow takes it for the end of the data.

    Args:
        until: `time.monotonic()` at which to give up.
        compression: `"GZIP"` or `"ZLIB"`.
        framed: Whether it holds TFRecord records; else the bytes themselves are read.

    Returns:
        How many bytes stand behind the last whole record, and whether the compressed stream is
        cut. `(0, False)` where the file ends well, TensorFlow fails on it, or it could not be
        gone through in time.
    """
    with streams.open_stream(path, compression) as stream:
        rest = _behind_records(stream, until) if framed else _drained(stream, sys.maxsize, until)
    cut = isinstance(stream, streams.InflateStream) and stream.cut
    if rest is None or (stream.damage and not cut):
        return 0, False
    return rest if framed else 0, cut


def _behind_records(stream: streams.Stream, until: float) -> int | None:
    """Bytes behind the last whole record of a stream; None where it is cut or damaged elsewhere."""
    while len(header := stream.read(framing.HEADER)) == framing.HEADER:
        size = _length(header)[0] + framing.FOOTER
        if not framing.good_header(header) or _drained(stream, size, until) != size:
            return None
    return len(header)


def _drained(stream: streams.Stream, size: int, until: float) -> int | None:
    """How many of so many bytes there are, which it goes past; None where it takes too long."""
    gone = 0
    while gone < size and (some := stream.skip(min(size - gone, streams.BLOCK))):
        gone += some
        if time.monotonic() > until:
            return None
    return gone


def cut_files(files: Iterable[tuple[str, str, bool]], until: float) -> dict[str, str]:
    """The files that are cut where TensorFlow takes it for the end of the data.

    Args:
        files: `(path, compression, framed)`, as for `compressed_end`.
        until: `time.monotonic()` at which to give up.

    Returns:
        A dict from path to how the file ends, for people.
    """
    found = {}
    for path, compression, framed in files:
        if time.monotonic() > until:
            break
        rest, cut = 0, False
        try:
            if compression:
                rest, cut = compressed_end(path, until, compression, framed)
            elif framed:
                rest = trailing_bytes(path, until)
        except (OSError, ValueError):
            continue  # gone, or not on a disk
        if cut:
            found[path] = f"the end of its {compression} stream is missing"
        elif rest:
            found[path] = f"{rest} trailing byte{'s' * (rest > 1)}"
    return found


def cut_text(found: dict[str, str]) -> str:
    """What to say of what `cut_files` gives, if anything is in it."""
    named = [f"{path}: {how}" for path, how in found.items()]
    more = f", ... ({len(named)} in all)" if len(named) > _NAMED else ""
    return (
        f"{', '.join(named[:_NAMED])}{more}, file truncated: it ends where "
        "TensorFlow sees the end of the data. What stood behind is lost"
    )
