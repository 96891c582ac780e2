"""Saves what is good of a damaged TFRecord file."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import struct
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from tfqueue.records import checksum, framing
from tfqueue.records.errors import Damage, SourceError
from tfqueue.records.files import Progress, RecordFile
from tfqueue.records.streams import BLOCK, InflateStream, PlainStream, Stream, require_regular

_SEARCH = 1 << 20  # positions searched for a header at a time
_TRIES = 16  # headers that may stand inside a record's data before the one that follows it


@dataclasses.dataclass(frozen=True)
class Loss:
    """A stretch of a file that no record could be had from.

    Attributes:
        start: Offset of its first byte.
        end: Offset behind its last byte, where the next good header or the end of the file is.
        reason: What was wrong at its start.
    """

    start: int
    end: int
    reason: str


@dataclasses.dataclass(frozen=True)
class Salvage:
    """What `salvage` did.

    Attributes:
        path: The damaged file.
        output: The new file.
        records: How many records it holds.
        repaired: How many of these had a damaged header; their data is proved good by its own
            checksum.
        lost: The stretches left out, in order.
        reason: What was wrong with the compressed stream itself, or None.
    """

    path: str
    output: str
    records: int
    repaired: int
    lost: tuple[Loss, ...]
    reason: str | None = None

    @property
    def lost_bytes(self) -> int:
        """Bytes left out, headers included, of the uncompressed stream as far as it was there."""
        return sum(loss.end - loss.start for loss in self.lost)

    @property
    def good(self) -> bool:
        """True if nothing was wrong."""
        return not (self.lost or self.repaired or self.reason)


def _headers(window: np.ndarray, size: int) -> np.ndarray:
    """Positions in `window` (uint8) at which a good header with a length up to `size` begins."""
    positions = len(window) - framing.HEADER + 1
    if positions <= 0:
        return np.empty(0, np.intp)
    # Lengths that the file can hold have zeros at their end: this leaves few positions to check.
    likely = np.ones(positions, bool)
    for byte in range((size.bit_length() + 7) // 8, 8):
        likely &= window[byte : byte + positions] == 0
    found = np.flatnonzero(likely)
    if len(found):
        crc = eight_byte_crcs(window, found)
        masked = (crc >> np.uint32(15) | crc << np.uint32(17)) + np.uint32(0xA282EAD8)
        stored = sum(window[found + 8 + byte].astype(np.uint32) << (8 * byte) for byte in range(4))
        found = found[masked == stored]
    return found


def _next_header(stream: PlainStream, start: int) -> int:
    """Offset of the first good header from `start` on whose record the file holds, or its end."""
    stream.seek(start)
    size = stream.size()
    window = b""
    while piece := stream.read(_SEARCH):
        window += piece
        base = stream.offset - len(window)
        for at in _headers(np.frombuffer(window, np.uint8), size).tolist():
            length = struct.unpack_from("<Q", window, at)[0]
            if base + at + framing.HEADER + length + framing.FOOTER <= size:
                return base + at
        window = window[-framing.HEADER + 1 :]
    return size


def _repair(stream: PlainStream, offset: int) -> bytes | None:
    """The data of a record whose header is bad, if the data's own checksum proves it good."""
    stream.seek(offset)
    # The stored length may be right and only its checksum damaged, or the next record (or the
    # end) tells the true one. An empty record's checksum proves nothing.
    length = int.from_bytes(stream.read(framing.HEADER)[:8], "little")
    possible = length and stream.holds(length + framing.FOOTER)
    if possible and (data := _proved(stream, length)) is not None:
        return data
    start = at = offset + framing.HEADER
    end, size, crc = offset, stream.size(), 0
    for _ in range(_TRIES):
        end = _next_header(stream, end + 1)
        stop = end - framing.FOOTER
        if stop > start:
            stream.seek(at)
            while at < stop:
                piece = stream.read(min(BLOCK, stop - at))
                crc = checksum.extend(crc, piece)
                at += len(piece)
            footer = stream.read(framing.FOOTER)
            if footer == checksum.mask(crc).to_bytes(4, "little"):
                stream.seek(start)
                data = _proved(stream, stop - start)
                # A record's header is itself eight bytes with their checksum behind them.
                return None if data is None or framing.good_header(data + footer) else data
        if end >= size:
            break
    return None


def _proved(stream: PlainStream, length: int) -> bytes | None:
    """The next `length` bytes if their checksum stands behind them; kept only once that is known."""
    start, crc, left = stream.offset, 0, length
    while left and (piece := stream.read(min(BLOCK, left))):
        crc = checksum.extend(crc, piece)
        left -= len(piece)
    if left or stream.read(framing.FOOTER) != checksum.mask(crc).to_bytes(4, "little"):
        return None
    stream.seek(start)
    data = stream.read(length)
    stream.read(framing.FOOTER)
    return data


def _after(stream: PlainStream, damage: Damage) -> int:
    """Where to go on after `damage`."""
    if damage.kind == "data-crc" and damage.length is not None:
        # The length is proved: what follows the record is the next one, or the end. If it is not,
        # bytes have been lost or inserted, and headers inside the data count.
        end = damage.offset + framing.HEADER + damage.length + framing.FOOTER
        if _begins(stream, end):
            return _whole_before(stream, damage.offset + 1, end)
    # A compressed stream may have broken between two records.
    return _next_header(stream, damage.offset + (damage.kind != "stream"))


def _begins(stream: PlainStream, offset: int) -> bool:
    """Whether a record, or the end of the file, is at `offset`."""
    stream.seek(offset)
    header = stream.read(framing.HEADER)
    return not header or framing.good_header(header)


def _whole_before(stream: PlainStream, start: int, end: int) -> int:
    """Where the records begin that are whole and end at `end`; `end` if there are none.

    The bytes up to `end` should be one record with damaged data. If as many bytes were lost inside
    of it as some records behind it have, its length spans these. They are told from records that
    are part of the data by where they end: behind data comes its checksum, before `end`.
    """
    while (first := _next_header(stream, start)) < end:
        following = first
        while following < end and _begins(stream, following):
            start = following + 1  # what this chain leads to is not tried again
            stream.seek(following)
            length = int.from_bytes(stream.read(8), "little")
            following += framing.HEADER + length + framing.FOOTER
        if following == end:
            return first
    return end


def _seekable(stream: Stream, spool: BinaryIO) -> PlainStream:
    """The stream's whole content as one that can go back: itself, or a temporary file."""
    if isinstance(stream, PlainStream):
        return stream
    damage = None
    with framing.open_records(stream.path, stream.compression) as again:
        while True:
            while piece := again.read(BLOCK):
                spool.write(piece)
            damage = damage or again.damage
            if not (isinstance(again, InflateStream) and again.damage and again.resume()):
                break
        spool.seek(0)
        plain = PlainStream(stream.path, spool)
        plain.damage = damage
    return plain


class _Rescuer:
    """Goes through a file's good records, keeping account of the rest."""

    def __init__(self, stream: Stream, spool: BinaryIO) -> None:
        self.stream = stream
        self.spool = spool
        self.repaired = 0
        self.lost: list[Loss] = []
        self.reason: str | None = None

    def __iter__(self) -> Iterator[bytes]:
        stream = self.stream
        while True:
            scanner = framing.Scanner(stream)
            for _, _, data in scanner:
                yield data
            self.reason = self.reason or stream.damage
            damage = scanner.damage
            if damage is None:
                return
            stream = _seekable(stream, self.spool)
            if damage.kind == "length-crc" and (data := _repair(stream, damage.offset)) is not None:
                self.repaired += 1
                yield data
                continue
            size = stream.size()
            end = _after(stream, damage)
            if end > damage.offset:
                self.lost.append(Loss(damage.offset, end, damage.reason))
            if end >= size:
                return
            stream.seek(end)


def salvage(
    path: str | os.PathLike,
    output: str | os.PathLike,
    compression: str | int | None = None,
    output_compression: str | int | None = None,
    progress: Progress | None = None,
) -> Salvage:
    """Copies the good records of a file to a new one.

    Behind a damaged record, reading goes on at the next header whose checksum is good; behind damage
    in a GZIP stream, at its next member. Memory is
    bounded by one record; a damaged compressed file is unpacked into a temporary file.

    Args:
        path: The damaged file; it is not changed.
        output: The new file.
        compression: Of the damaged file; None looks.
        output_compression: Of the new file; None: the same.
        progress: Called now and then with the number of records saved.

    Returns:
        A `Salvage`.

    Raises:
        SourceError: Both names are the same file, or the damaged one is a pipe or a device.
        OSError: A file cannot be read or written.
    """
    require_regular(path)
    with contextlib.suppress(FileNotFoundError):  # the new file, most often
        if os.path.samefile(path, output):
            raise SourceError(f"{os.fspath(output)}: the new file must not be the damaged one")
    records = 0
    with framing.open_records(path, compression) as stream, tempfile.TemporaryFile() as spool:
        rescuer = _Rescuer(stream, spool)
        if output_compression is None:
            output_compression = stream.compression
        with RecordFile(output, output_compression) as file:
            for data in rescuer:
                file.write(data)
                records += 1
                if progress and not records & 0xFF:
                    progress(records)
    return Salvage(
        os.fspath(path),
        os.fspath(output),
        records,
        rescuer.repaired,
        tuple(rescuer.lost),
        rescuer.reason,
    )


@functools.cache
def _eight_byte_tables() -> np.ndarray:
    """uint32 of shape [8, 256]: what a byte at a position adds to the CRC of eight bytes.

    A CRC is linear over GF(2): the CRC of eight bytes is that of eight zeros XOR one entry a byte.
    """
    zeros = checksum.value(bytes(8))
    entries = [
        checksum.value(bytes(position) + bytes([byte]) + bytes(7 - position)) ^ zeros
        for position in range(8)
        for byte in range(256)
    ]
    return np.array(entries, np.uint32).reshape(8, 256)


def eight_byte_crcs(data: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """CRC32C of the eight bytes at each of many places of `data`.

    Args:
        data: uint8 [n].
        starts: int [m], each at most n - 8.

    Returns:
        uint32 [m].

    >>> [hex(crc) for crc in eight_byte_crcs(np.arange(9, dtype=np.uint8), np.array([0, 1]))]
    ['0x8a2cbc3b', '0x46891f81']
    """
    crcs = np.full(len(starts), checksum.value(bytes(8)), np.uint32)
    for position, table in enumerate(_eight_byte_tables()):
        crcs ^= table.take(data[starts + position])
    return crcs
