"""TFRecord framing: records out of a file, and what is wrong where they are not records.

A record is a length (uint64, little-endian), the length's masked CRC32C, the data, the data's
masked CRC32C: 16 bytes more than the data. Nothing is believed before its CRC has been seen to
match, and a length never beyond what the file holds, so that a damaged file costs an error and
no memory. Offsets are of the uncompressed stream, as TensorFlow's reader keys are.
"""

from __future__ import annotations

import dataclasses
import os
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tfqueue.records import checksum
from tfqueue.records.errors import Damage, DamagedRecordError
from tfqueue.records.streams import (
    GZIP_MAGIC,
    PlainStream,
    Stream,
    compression_name,
    open_stream,
)

HEADER = 12  # bytes: length and its CRC
FOOTER = 4  # bytes: the data's CRC
_BLOCK = 1 << 18  # bytes read at a time; a longer record is read by itself
_FIRST = 1 << 12  # bytes read at first behind damage; twice as many each time
_ABSURD = 1 << 42  # bytes that no record was ever written with

_header = struct.Struct("<QI")
_length = struct.Struct("<Q")
_crc = struct.Struct("<I")


@dataclasses.dataclass(frozen=True)
class Report:
    """What `verify` found.

    Attributes:
        path: The file.
        compression: `""`, `"GZIP"` or `"ZLIB"`.
        records: Good records, up to the first bad one.
        bytes: Size of their data, in bytes.
        largest: Size of the largest of them, in bytes.
        file_bytes: Size of the file as it lies on the disk; None for a pipe.
        first_bad: Offset of the first bad record's header; None if the file is good.
        kind: `Damage.kind` of the first bad record, else None.
        reason: What is wrong there, for people; None if the file is good.
        trailing_bytes: Bytes from `first_bad` to the end of the (uncompressed) stream; 0 if the
            file is good, None for a damaged pipe or device, which is not read to its end.
    """

    path: str
    compression: str
    records: int
    bytes: int
    largest: int
    file_bytes: int | None
    first_bad: int | None = None
    kind: str | None = None
    reason: str | None = None
    trailing_bytes: int | None = 0

    @property
    def good(self) -> bool:
        """True if every byte of the file belongs to a good record."""
        return self.first_bad is None


def frame(data: bytes) -> bytes:
    """The record that holds `data`, as it stands in a file.

    >>> len(frame(b"abc"))
    19
    """
    head = _length.pack(len(data))
    return b"".join(
        (head, _crc.pack(checksum.masked(head)), data, _crc.pack(checksum.masked(data)))
    )


def good_header(header: bytes) -> bool:
    """Whether 12 bytes are a record's header, by its CRC."""
    return len(header) == HEADER and checksum.masked(header[:8]) == _header.unpack(header)[1]


def detect_compression(path: str | os.PathLike[str]) -> str:
    """How a file is compressed, by its first bytes: `""`, `"GZIP"` or `"ZLIB"`.

    A good record header decides for `""`. What is none of the three, being damaged, counts as
    uncompressed, so that its damage is found where it is.

    Raises:
        OSError: The file cannot be read.
    """
    with open_stream(path, "") as stream:
        start = stream.read(HEADER)
    if good_header(start):
        return ""
    if start.startswith(GZIP_MAGIC):
        return "GZIP"
    if len(start) >= 2 and start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0:
        with open_stream(path, "ZLIB") as stream:
            if stream.read(1) or not stream.damage:
                return "ZLIB"
    return ""


def open_records(path: str | os.PathLike[str], compression: str | int | None = None) -> Stream:
    """The file's uncompressed bytes; `compression=None` looks at the file (not at a pipe)."""
    if compression is None:
        compression = detect_compression(path) if os.path.isfile(path) else ""
    return open_stream(path, compression_name(compression))


def _cut(stream: Stream, what: str, offset: int, reason: str, length: int | None) -> Damage:
    if stream.damage:
        return Damage("stream", offset, f"{stream.damage}: {reason}", length)
    return Damage(what, offset, f"the file is cut: {reason}", length)


def _cut_header(stream: Stream, offset: int, found: int) -> Damage | None:
    """What it means that fewer than 12 bytes stand at `offset`; None if it is a clean end."""
    if not found:
        return Damage("stream", offset, stream.damage) if stream.damage else None
    plural = "s" if found > 1 else ""
    reason = f"{found} trailing byte{plural} where a record's header has {HEADER}"
    return _cut(stream, "cut-header", offset, reason, None)


def _beyond(stream: Stream, offset: int, length: int) -> Damage:
    """What it means that `length` bytes of data and a CRC do not stand behind a good header."""
    if length >= _ABSURD:
        return Damage("length", offset, f"the record claims to hold {length} bytes", length)
    reason = f"it ends inside a record of {length} bytes"
    return _cut(stream, "cut-payload", offset, reason, length)


_BAD_LENGTH = "the checksum of a record's length does not match"
_COMPRESSED = "; it begins like a gzip file: name its compression, GZIP"
_BAD_DATA = "the checksum of a record's data does not match"


class Scanner:
    """Goes through a stream's records; afterwards `damage` says how it ended.

    Attributes:
        stream: What is read.
        payloads: Whether the data is wanted; if not, a large record is checked piece by piece.
        proves: Says of the data at an offset, of so many bytes, whether its checksum is good, so
            that a large record with bad data is not read; None where nothing knows it.
        damage: None while records come and at a clean end, else what ended them.
    """

    def __init__(
        self,
        stream: Stream,
        payloads: bool = True,
        proves: Callable[[int, int], bool] | None = None,
    ) -> None:
        self.stream = stream
        self.payloads = payloads
        self.proves = proves
        self.damage: Damage | None = None

    def __iter__(self) -> Iterator[tuple[int, int, Any]]:
        """Yields (offset, length in bytes, data as bytes; None for a large record if not `payloads`)."""
        stream, value, unpack_header, unpack_crc = (
            self.stream,
            checksum.value,
            _header.unpack_from,
            _crc.unpack_from,
        )
        buffer, at, size, offset = b"", 0, 0, stream.offset
        # Behind damage the next one may be near, and most of a large block would be read twice.
        block = _BLOCK if self.proves is None else _FIRST
        while True:
            start = at + HEADER
            if start > size:
                buffer = buffer[at:] + stream.read(block)
                block = min(2 * block, _BLOCK)
                at, start, size = 0, HEADER, len(buffer)
                if size < HEADER:
                    self.damage = _cut_header(stream, offset, size)
                    return
            length, stored = unpack_header(buffer, at)
            crc = value(buffer[at : at + 8])
            # checksum.mask, written out here and below: a call would cost a tenth of the speed.
            if stored != ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF:
                # A regular file's compression is looked at; a pipe's has to be named.
                gzip = offset == 0 and buffer.startswith(GZIP_MAGIC)
                self.damage = Damage("length-crc", offset, _BAD_LENGTH + _COMPRESSED * gzip)
                return
            end = start + length
            if end + FOOTER > size:
                if length <= block and (more := stream.read(block)):
                    buffer = buffer[at:] + more
                    block = min(2 * block, _BLOCK)
                    at, size = 0, len(buffer)
                    continue
                stream.unread(buffer[at:])
                data = self._long(offset, length)
                if self.damage:
                    return
                buffer, at, size = b"", 0, 0
            else:
                data = buffer[start:end]
                crc = value(data)
                if unpack_crc(buffer, end)[0] != (
                    ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
                ):
                    self.damage = Damage("data-crc", offset, _BAD_DATA, length)
                    return
                at = end + FOOTER
            yield offset, length, data
            data = None  # not to be held while the next one is read; so below, and in `files`
            offset += HEADER + length + FOOTER

    def _long(self, offset: int, length: int) -> bytes | None:
        """The data of a record that the buffer does not hold, the stream standing before it."""
        stream = self.stream
        if length >= _ABSURD or not stream.holds(HEADER + length + FOOTER):
            self.damage = _beyond(stream, offset, length)
            return None
        start = stream.offset
        if self.proves is not None:
            assert isinstance(stream, PlainStream), "only a file that can go back proves anything"
            good = self.proves(offset + HEADER, length)
            stream.seek(start)
            if not good:
                self.damage = Damage("data-crc", offset, _BAD_DATA, length)
                return None
        stream.read(HEADER)
        if self.payloads or length <= _BLOCK:
            data = stream.read(length)
            crc, found = checksum.value(data), len(data)
        else:
            data, crc, found = None, 0, 0
            while found < length and (piece := stream.read(min(_BLOCK, length - found))):
                crc = checksum.extend(crc, piece)
                found += len(piece)
        footer = stream.read(FOOTER) if found == length else b""
        if len(footer) < FOOTER:
            self.damage = _beyond(stream, offset, length)
        elif _crc.unpack(footer)[0] != checksum.mask(crc):
            self.damage = Damage("data-crc", offset, _BAD_DATA, length)
        return data


def records(
    path: str | os.PathLike[str], compression: str | int | None = None
) -> Iterator[tuple[int, bytes]]:
    """Reads one file.

    Args:
        path: The file.
        compression: `"GZIP"`, `"ZLIB"`, `""`, a `TFRecordCompressionType` number; None looks.

    Yields:
        Byte offset of the record, and its data.

    Raises:
        DamagedRecordError: After the last good record, if the file does not end cleanly there; a
            file cut inside a header too, which TensorFlow takes for a normal end.
        OSError: The file cannot be read.
    """
    count = 0
    with open_records(path, compression) as stream:
        scanner = Scanner(stream)
        for offset, _, data in scanner:
            yield offset, data
            del data
            count += 1
    if scanner.damage:
        raise DamagedRecordError(stream.path, scanner.damage, count)


def verify(
    path: str | os.PathLike[str],
    compression: str | int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Checks every CRC of a file, up to the first damage, in constant memory.

    Args:
        path: The file.
        compression: As for `records`.
        progress: Called now and then with the number of good records so far.

    Returns:
        A `Report`. Damage is not an exception here.

    Raises:
        OSError: The file cannot be read.
    """
    count = total = largest = 0
    with open_records(path, compression) as stream:
        file_bytes = os.path.getsize(path) if os.path.isfile(path) else None
        scanner = Scanner(stream, payloads=False)
        for _, length, _ in scanner:
            count += 1
            total += length
            largest = max(largest, length)
            if progress and not count & 0xFFF:
                progress(count)
        report = Report(stream.path, stream.compression, count, total, largest, file_bytes)
        damage = scanner.damage
        if damage is None:
            return report
        trailing = None
        if file_bytes is not None:  # a device may have no end
            # What has been read past the damage, and what has not.
            trailing = stream.offset - damage.offset + stream.skip(sys.maxsize)
    return dataclasses.replace(
        report,
        first_bad=damage.offset,
        kind=damage.kind,
        reason=damage.reason,
        trailing_bytes=trailing,
    )


def check_at(
    path: str | os.PathLike[str], offset: int, compression: str | int | None = None
) -> Damage | None:
    """What is wrong with the record at one place, for a failure that names only its offset.

    Args:
        path: The file.
        offset: Byte offset of the record's header (TensorFlow's reader key without the name).
        compression: As for `records`.

    Returns:
        None if the record is good; a `Damage` if not. Kind `no-record`: nothing stands there.

    Raises:
        OSError: The file cannot be read.
        ValueError: The offset is negative.
    """
    if offset < 0:
        raise ValueError(f"an offset is at least 0, not {offset}")
    with open_records(path, compression) as stream:
        gone = stream.skip(offset)
        scanner = Scanner(stream, payloads=False)
        if gone == offset:
            for _ in scanner:
                return None
        return scanner.damage or Damage("no-record", offset, f"the file ends at byte {gone}")
