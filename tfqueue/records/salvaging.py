"""Saves what is good of a damaged TFRecord file."""

from __future__ import annotations

import array
import contextlib
import dataclasses
import functools
import operator
import os
import tempfile
from collections.abc import Iterator
from typing import BinaryIO, cast

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
    used = (size.bit_length() + 7) // 8
    likely = np.ones(positions, bool)
    for byte in range(used, 8):
        likely &= window[byte : byte + positions] == 0
    # Where nothing but zeros is, the length is 0 too, and its checksum is not.
    likely &= np.logical_or.reduce(
        [window[byte : byte + positions] != 0 for byte in (*range(used), 8)]
    )
    found = np.flatnonzero(likely)
    if len(found):
        crc = eight_byte_crcs(window, found)
        masked = (crc >> np.uint32(15) | crc << np.uint32(17)) + np.uint32(0xA282EAD8)
        stored = sum(window[found + 8 + byte].astype(np.uint32) << (8 * byte) for byte in range(4))
        found = found[masked == stored]
    return found


class _Headers:
    """Finds the good headers of a file whose records it holds, wherever they stand.

    The headers of the last stretch that was searched are kept: a file can be made so that each
    header leads nowhere, and the next one is asked for behind every one of them.

    Attributes:
        size: Bytes of the file, as it was at the beginning.
    """

    def __init__(self, stream: PlainStream, progress: Progress | None) -> None:
        self.size = stream.size()
        self._stream = stream
        self._progress = progress
        self._start, self._end = 0, 0  # the stretch whose headers are known
        self._found = np.empty(0, np.int64)

    def next(self, start: int) -> int:
        """Offset of the first good header from `start` on, or the end of the file."""
        while start < self.size:
            if not self._start <= start < self._end:
                self._search(start)
            at = int(np.searchsorted(self._found, start))
            if at < len(self._found):
                return int(self._found[at])
            start = self._end
        return self.size

    def _search(self, start: int) -> None:
        if self._progress:
            self._progress(start)
        self._stream.seek(start)
        window = self._stream.read(_SEARCH + framing.HEADER - 1)
        self._start = start
        # A file that has become shorter has no headers behind its end.
        whole = len(window) == _SEARCH + framing.HEADER - 1
        self._end = start + _SEARCH if whole else self.size
        self._found = np.empty(0, np.int64)
        if window.count(0) == len(window):  # holes, and disks that lost what was written
            return
        octets = np.frombuffer(window, np.uint8)
        found = _headers(octets, self.size)
        lengths = np.zeros(len(found), np.uint64)
        for byte in range(8):
            lengths |= octets[found + byte].astype(np.uint64) << np.uint64(8 * byte)
        room = self.size - start - found - (framing.HEADER + framing.FOOTER)
        fits = (room >= 0) & (lengths <= np.maximum(room, 0).astype(np.uint64))
        self._found = found[fits] + start


class _Checksums:
    """CRC32C of any stretch of a file, each in the same short time however long it is.

    The CRC of everything in front is kept for one place in `_STEP` bytes; that of a stretch
    follows from two of them, as a CRC is linear. So the file is read once for all stretches.
    """

    def __init__(self, stream: PlainStream) -> None:
        self._stream = stream
        self._front = array.array("I", [0])  # the CRC of the first n * _STEP bytes

    def of(self, start: int, end: int) -> int:
        """The CRC of the bytes from `start` to `end`, which the file holds."""
        if end - start <= 2 * _STEP:
            return checksum.value(self._read(start, end))
        return self._upto(end) ^ _followed_by_zeros(self._upto(start), end - start)

    def _upto(self, end: int) -> int:
        whole = end // _STEP
        while len(self._front) <= whole:
            at = (len(self._front) - 1) * _STEP
            piece = self._read(at, min(at + BLOCK, whole * _STEP))
            if not piece:
                raise _changed(self._stream)
            for step in range(0, len(piece), _STEP):
                self._front.append(checksum.extend(self._front[-1], piece[step : step + _STEP]))
        return checksum.extend(self._front[whole], self._read(whole * _STEP, end))

    def _read(self, start: int, end: int) -> bytes:
        self._stream.seek(start)
        return self._stream.read(end - start)

    def proves(self, start: int, length: int) -> bool:
        """Whether the checksum of the `length` bytes from `start` on stands behind them."""
        end = start + length
        footer = self._read(end, end + framing.FOOTER)
        return footer == checksum.mask(self.of(start, end)).to_bytes(4, "little")


def _changed(stream: PlainStream) -> SourceError:
    return SourceError(f"{stream.path}: it changed while it was read")


_STEP = 1 << 12


@functools.cache
def _zeros_tables(power: int) -> list[list[int]]:
    """What `2 ** power` zero bytes behind data make of each byte of its CRC, for the four bytes."""

    def after(crc: int) -> int:
        # `extend` turns a CRC around before and after, which adds that of the zeros alone.
        if power < 10:
            zeros = bytes(1 << power)
            return checksum.extend(crc, zeros) ^ checksum.extend(0, zeros)
        half = _zeros_tables(power - 1)
        return _applied(half, _applied(half, crc))

    bits = [after(1 << bit) for bit in range(32)]
    return [
        [
            functools.reduce(
                operator.xor, (bits[8 * byte + bit] for bit in range(8) if value >> bit & 1), 0
            )
            for value in range(256)
        ]
        for byte in range(4)
    ]


def _applied(tables: list[list[int]], crc: int) -> int:
    first, second, third, fourth = tables
    return first[crc & 255] ^ second[crc >> 8 & 255] ^ third[crc >> 16 & 255] ^ fourth[crc >> 24]


def _followed_by_zeros(crc: int, count: int) -> int:
    """What a CRC contributes to the CRC of data that goes on for `count` bytes.

    >>> whole = checksum.value(b"one" + b"two")
    >>> checksum.value(b"two") == whole ^ _followed_by_zeros(checksum.value(b"one"), 3)
    True
    """
    for power in range(count.bit_length()):
        if count >> power & 1:
            crc = _applied(_zeros_tables(power), crc)
    return crc


class _Finder:
    """Finds the records behind and inside of the damage of a file."""

    def __init__(self, stream: PlainStream, progress: Progress | None) -> None:
        self.stream = stream
        self.headers = _Headers(stream, progress)
        self.checksums = _Checksums(stream)

    def repaired(self, offset: int) -> bytes | None:
        """The data of a record whose header is bad, if the data's own checksum proves it good.

        The stream is left behind the record.
        """
        stream = self.stream
        stream.seek(offset)
        # The stored length may be right and only its checksum damaged, or the next record (or the
        # end) tells the true one. An empty record's checksum proves nothing.
        length = int.from_bytes(stream.read(framing.HEADER)[:8], "little")
        start, size = offset + framing.HEADER, self.headers.size
        if 0 < length <= size - start - framing.FOOTER and self.checksums.proves(start, length):
            return self._data(start, length)
        end = offset
        for _ in range(_TRIES):
            end = self.headers.next(end + 1)
            length = end - framing.FOOTER - start
            if length > 0 and self.checksums.proves(start, length):
                data = self._data(start, length)
                # A record's header is itself eight bytes with their checksum behind them.
                return None if length == framing.HEADER - framing.FOOTER else data
            if end >= size:
                break
        return None

    def _data(self, start: int, length: int) -> bytes:
        self.stream.seek(start)
        data = self.stream.read(length)
        if self.stream.read(framing.FOOTER) != checksum.masked(data).to_bytes(4, "little"):
            raise _changed(self.stream)
        return data

    def after(self, damage: Damage) -> tuple[int, bool]:
        """Where to go on after `damage`; and whether that was searched for and may be no record."""
        if damage.kind == "data-crc" and damage.length is not None:
            # The length is proved: what follows the record is the next one, or the end. If it is
            # not, bytes have been lost or inserted, and headers inside the data count.
            end = damage.offset + framing.HEADER + damage.length + framing.FOOTER
            if self._begins(end):
                return self._whole_before(damage.offset + 1, end), False
        # A compressed stream may have broken between two records.
        return self.headers.next(damage.offset + (damage.kind != "stream")), True

    def _begins(self, offset: int) -> bool:
        """Whether a record, or the end of the file, is at `offset`."""
        self.stream.seek(offset)
        header = self.stream.read(framing.HEADER)
        return not header or framing.good_header(header)

    def _whole_before(self, start: int, end: int) -> int:
        """Where the records begin that are whole and end at `end`; `end` if there are none.

        The bytes up to `end` should be one record with damaged data. If as many bytes were lost
        inside of it as some records behind it have, its length spans these. They are told from
        records that are part of the data by where they end: behind data comes its checksum, before
        `end`.
        """
        while (first := self.headers.next(start)) < end:
            following = first
            while following < end and self._begins(following):
                start = following + 1  # what this chain leads to is not tried again
                self.stream.seek(following)
                length = int.from_bytes(self.stream.read(8), "little")
                following += framing.HEADER + length + framing.FOOTER
            if following == end:
                return first
        return end


def _seekable(stream: Stream, stack: contextlib.ExitStack) -> PlainStream:
    """The stream's whole content as one that can go back: itself, or a temporary file."""
    if isinstance(stream, PlainStream):
        return stream
    damage = None
    try:
        spool = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        with framing.open_records(stream.path, stream.compression) as again:
            while True:
                while piece := again.read(BLOCK):
                    spool.write(piece)
                damage = damage or again.damage
                if not (isinstance(again, InflateStream) and again.damage and again.resume()):
                    break
        spool.seek(0)
    except OSError as error:
        error.filename = error.filename or tempfile.gettempdir()
        raise
    plain = PlainStream(stream.path, cast(BinaryIO, spool))  # on Windows a wrapper of one
    plain.damage = damage
    return plain


class _Salvager:
    """Goes through a file's good records, keeping account of the rest.

    Args:
        stream: The file.
        stack: Closes the temporary file of a compressed one.
        progress: Called now and then with the number of bytes that have been gone through.
    """

    def __init__(
        self, stream: Stream, stack: contextlib.ExitStack, progress: Progress | None
    ) -> None:
        self.stream = stream
        self.progress = progress
        self.repaired = 0
        self.lost: list[Loss] = []
        self.reason: str | None = None
        self._stack = stack
        self._searched = -1  # where a search has ended that may have found no record

    def __iter__(self) -> Iterator[bytes]:
        scanner = framing.Scanner(self.stream)
        yield from self._told(scanner)
        self.reason = self.stream.damage
        if scanner.damage is None:
            return
        stream = _seekable(self.stream, self._stack)
        self.reason = self.reason or stream.damage
        finder = _Finder(stream, self.progress)
        damage: Damage | None = scanner.damage
        while damage is not None:
            if damage.kind == "length-crc" and (data := finder.repaired(damage.offset)) is not None:
                self.repaired += 1
                yield data
            else:
                end, searched = finder.after(damage)
                self._lose(damage, end)
                if end >= finder.headers.size:
                    return
                self._searched = end if searched else -1
                stream.seek(end)
            scanner = framing.Scanner(stream, proves=finder.checksums.proves)
            yield from self._told(scanner)
            damage = scanner.damage

    def _told(self, scanner: framing.Scanner) -> Iterator[bytes]:
        """The data of a scanner's records, with a call of `progress` for each 256."""
        for number, (offset, _, data) in enumerate(scanner, 1):
            if self.progress and not number & 0xFF:
                self.progress(offset)
            yield data
            data = None  # not to be held while the next one is read

    def _lose(self, damage: Damage, end: int) -> None:
        """Notes that nothing was had up to `end`."""
        if self.lost and damage.offset == self._searched:
            # The header there was found by a search, and belonged to nothing.
            self.lost[-1] = dataclasses.replace(self.lost[-1], end=end)
        elif end > damage.offset:
            self.lost.append(Loss(damage.offset, end, damage.reason))


def salvage(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
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
        progress: Called now and then with the number of bytes of the unpacked file that have been
            gone through.

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
    with framing.open_records(path, compression) as stream, contextlib.ExitStack() as stack:
        salvager = _Salvager(stream, stack, progress)
        if output_compression is None:
            output_compression = stream.compression
        with RecordFile(output, output_compression) as file:
            for data in salvager:
                file.write(data)
                records += 1
    return Salvage(
        os.fspath(path),
        os.fspath(output),
        records,
        salvager.repaired,
        tuple(salvager.lost),
        salvager.reason,
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
