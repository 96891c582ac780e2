"""Damaged TFRecord files, from seeds: what tests and the stress suite try readers on.

    for case in damaged_files.cases(range(1000)):
        path.write_bytes(case.data)
        ...

Each `Case` knows what a correct reader must make of it. The framing here is written out anew, with
a bitwise CRC, so that it shares no mistake with the code under test.
"""

from __future__ import annotations

import dataclasses
import functools
import gzip
import random
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator

LENGTHS = (
    *(2**64 - 1, 2**64 - 4, 2**64 - 12, 2**64 - 16, 2**63, 2**63 - 1, 2**63 - 16, 2**62),
    *(2**53, 2**48, 2**42, 2**40, 2**33, 2**32, 2**32 - 1, 2**31, 2**31 - 1, 10**9, 2**24),
)
"""Values for a length field; each is far more than any file here holds."""


@functools.cache
def _table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


@functools.lru_cache(4096)
def masked_crc(data: bytes) -> int:
    """Masked CRC32C, byte by byte."""
    table, crc = _table(), 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def header(length: int) -> bytes:
    """A record's good header, whatever length it claims."""
    packed = struct.pack("<Q", length)
    return packed + struct.pack("<I", masked_crc(packed))


def record(data: bytes) -> bytes:
    """A good record."""
    return header(len(data)) + data + struct.pack("<I", masked_crc(data))


def parse(data: bytes) -> tuple[tuple[bytes, ...], bool]:
    """The records up to the first bad one, and whether there is none: slow, and plainly right."""
    found, at = [], 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 8], "little")
        end = at + 12 + length
        whole = end + 4 <= len(data) and data[at : at + 12] == header(length)
        if not whole or data[at : end + 4] != record(data[at + 12 : end]):
            return tuple(found), False
        found.append(data[at + 12 : end])
        at = end + 4
    return tuple(found), True


@dataclasses.dataclass(frozen=True)
class Case:
    """A file and what is to be found in it.

    Attributes:
        seed: What it was made from.
        kind: The name of the damage (a key of `KINDS`), behind `packed-` if it was done to the
            compressed bytes.
        compression: `""`, `"GZIP"` or `"ZLIB"`.
        data: The file's bytes.
        records: The records before the damage was done, in order.
        front: How many records stand wholly in front of it: at least so many must be delivered,
            and they are the first of `records`. Of `packed-` damage, 0: that cannot be said.
        clean: True if the file is good in spite of everything (nothing damaged, or a cut between
            two records); False if a reader must report it; None if that cannot be said.
        delivered: Exactly what a reader must deliver, by `parse`; None of `packed-` damage.
    """

    seed: int
    kind: str
    compression: str
    data: bytes
    records: tuple[bytes, ...]
    front: int
    clean: bool | None
    delivered: tuple[bytes, ...] | None

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.kind} {self.compression or 'plain'}"


class _File:
    """A file being damaged: its bytes, and where each record begins and ends."""

    def __init__(self, rng: random.Random, records: list[bytes]) -> None:
        self.rng = rng
        framed = [record(data) for data in records]
        self.data = bytearray(b"".join(framed))
        self.ends = [sum(map(len, framed[: index + 1])) for index in range(len(framed))]
        self.starts = [0, *self.ends][:-1]

    def anywhere(self) -> int:
        """An offset; headers are small, so half of them are in or about one."""
        if self.rng.random() < 0.5:
            near = self.rng.choice(self.starts) + self.rng.randrange(-4, 14)
            return min(max(near, 0), len(self.data) - 1)
        return self.rng.randrange(len(self.data))


# Each damages the file and returns the offset of the first byte that is not what it was (for a cut
# the new end), and whether the result is good (None: cannot be said).
Damager = Callable[[_File], tuple[int, bool | None]]


def _none(file: _File) -> tuple[int, bool | None]:
    return len(file.data), True


def _flip(file: _File) -> tuple[int, bool | None]:
    # At most three: CRC32C finds any three in a record, whatever its length here.
    places = {file.anywhere() for _ in range(file.rng.choice((1, 1, 1, 2, 3)))}
    for place in places:
        file.data[place] ^= 1 << file.rng.randrange(8)
    return min(places), False


def _cut(file: _File) -> tuple[int, bool | None]:
    end = file.anywhere()
    del file.data[end:]
    return end, end in (0, *file.ends)


def _cut_header(file: _File) -> tuple[int, bool | None]:
    end = file.rng.choice(file.starts) + file.rng.randrange(1, 12)
    del file.data[end:]
    return end, False


def _length(file: _File) -> tuple[int, bool | None]:
    """A length field beyond all bounds, its own CRC as it was."""
    at = file.rng.choice(file.starts)
    file.data[at : at + 8] = struct.pack("<Q", file.rng.choice(LENGTHS))
    return at, False


def _forged_length(file: _File) -> tuple[int, bool | None]:
    """The same with a CRC that fits: only the file's size can tell."""
    at = file.rng.choice(file.starts)
    file.data[at : at + 12] = header(file.rng.choice(LENGTHS))
    return at, False


def _near_length(file: _File) -> tuple[int, bool | None]:
    """A length that ends about where the file does, with a CRC that fits."""
    index = file.rng.randrange(len(file.starts))
    at = file.starts[index]
    true = file.ends[index] - at - 16
    length = max(len(file.data) - at - 16 + file.rng.randrange(-3, 20), 0)
    length += length == true
    file.data[at : at + 12] = header(length)
    return at, False


def _garbage(file: _File) -> tuple[int, bool | None]:
    at = file.rng.choice((file.anywhere(), file.rng.choice(file.starts)))
    file.data[at:at] = file.rng.randbytes(file.rng.choice((1, 3, 12, 16, 100, 5000)))
    return at, False


def _trailing(file: _File) -> tuple[int, bool | None]:
    at = len(file.data)
    file.data += file.rng.randbytes(file.rng.choice((1, 4, 11, 12, 13, 16, 40)))
    return at, False


def _removed(file: _File) -> tuple[int, bool | None]:
    at = file.anywhere()
    count = min(file.rng.choice((1, 2, 8, 16, 300)), len(file.data) - at)
    del file.data[at : at + count]
    # Whole records may be what was taken, or as good as them.
    return at, None


def _zeros(file: _File) -> tuple[int, bool | None]:
    """A block of zeros, as a machine leaves that lost its power."""
    at = file.anywhere()
    count = min(file.rng.choice((1, 8, 64, 4096)), len(file.data) - at)
    changed = [place for place in range(at, at + count) if file.data[place]]
    file.data[at : at + count] = bytes(count)
    return (changed[0], False) if changed else (len(file.data), True)


def _swapped(file: _File) -> tuple[int, bool | None]:
    """Two bytes exchanged."""
    one, other = sorted((file.anywhere(), file.anywhere()))
    if file.data[one] == file.data[other]:
        return len(file.data), True
    file.data[one], file.data[other] = file.data[other], file.data[one]
    return one, False


KINDS: dict[str, Damager] = {
    "none": _none,
    "flip": _flip,
    "cut": _cut,
    "cut-header": _cut_header,
    "length": _length,
    "forged-length": _forged_length,
    "near-length": _near_length,
    "garbage": _garbage,
    "trailing": _trailing,
    "removed": _removed,
    "zeros": _zeros,
    "swapped": _swapped,
}

_PACKED = ("flip", "cut", "garbage", "removed", "zeros", "swapped")


def compress(data: bytes, compression: str) -> bytes:
    """As TensorFlow writes it."""
    if compression == "GZIP":
        return gzip.compress(data, mtime=0)
    return zlib.compress(data) if compression == "ZLIB" else data


def _records(rng: random.Random) -> list[bytes]:
    sizes = (0, 1, 4, 12, 40, 200, 3000)
    made = []
    for _ in range(rng.randrange(1, 12)):
        size = rng.choice(sizes)
        kind = rng.random()
        made.append(
            bytes(size)
            if kind < 0.15
            else b"".join(map(record, made[-2:]))  # records inside a record
            if kind < 0.25 and sum(map(len, made[-2:])) < 4000
            else rng.randbytes(size)
        )
    return made


def case(seed: int) -> Case:
    """One damaged file; the same for the same seed, everywhere."""
    rng = random.Random(seed)
    records = _records(rng)
    file = _File(rng, records)
    compression = rng.choice(("", "", "", "GZIP", "ZLIB"))
    if compression and rng.random() < 0.5:
        kind = rng.choice(_PACKED)
        packed = _File(rng, [b""])
        packed.data = bytearray(compress(bytes(file.data), compression))
        packed.starts, packed.ends = [0], [len(packed.data)]
        KINDS[kind](packed)
        clean = True if packed.data == compress(bytes(file.data), compression) else None
        front = len(records) if clean else 0
        return Case(
            seed,
            f"packed-{kind}",
            compression,
            bytes(packed.data),
            tuple(records),
            front,
            clean,
            tuple(records) if clean else None,
        )
    kind = rng.choice(list(KINDS))
    before = bytes(file.data)
    first, clean = KINDS[kind](file)
    if bytes(file.data) == before:
        first, clean = len(before), True
    front = sum(end <= first for end in file.ends)
    delivered, good = parse(bytes(file.data))
    # Said twice: by what was done, and by what came of it.
    assert clean in (None, good), f"seed {seed}: {kind} damaged nothing, or too much"
    assert delivered[:front] == tuple(records[:front]), f"seed {seed}: {kind}"
    packed_data = compress(bytes(file.data), compression)
    return Case(seed, kind, compression, packed_data, tuple(records), front, good, delivered)


def cases(seeds: Iterable[int]) -> Iterator[Case]:
    """One `Case` per seed."""
    return map(case, seeds)
