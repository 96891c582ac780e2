"""CRC32C (Castagnoli), as TFRecord files use it, at the speed the machine allows.

The package `google-crc32c` (a C extension, `pip install 'tfqueue[records]'`) does tens of gigabytes
a second and is used where it is installed. Without it numpy does the work, at several hundred
megabytes a second: a CRC is linear over GF(2), so the CRC of a block is the XOR of one table entry
per byte and position, which numpy gathers and folds for a whole slab of blocks at once.

TensorFlow computes the same sum inside its own library, but exports it only as a mangled C++
symbol that changes with each release, and loading that library costs more than a second.
"""

from __future__ import annotations

import functools
import struct
import warnings
from collections.abc import Callable

import numpy as np

_POLYNOMIAL = 0x82F63B78  # bits reversed
_BLOCK = 1024  # bytes per row; its table (1 MiB) still fits the second-level cache
_SLAB = 64  # rows per numpy call; bounds what the gathered table entries take to a few MiB
_SHORT = 96  # bytes below which a plain loop beats the overhead of numpy's calls


def _byte_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (_POLYNOMIAL if crc & 1 else 0)
        table.append(crc)
    return table


_TABLE = _byte_table()


@functools.cache
def _position_tables() -> tuple[np.ndarray, list[list[int]]]:
    """Tables for whole blocks, made when first needed (a few milliseconds).

    Returns:
        uint32 of shape [_BLOCK, 256]: what a byte at this position of a block adds to the block's
        CRC; and the first four rows as lists, for the CRC so far: its bytes are XORed with the
        first four of the block that follows, so they act like these.
    """
    tables = np.empty((_BLOCK, 256), np.uint32)
    base = np.array(_TABLE, np.uint32)
    row = base
    for position in range(_BLOCK - 1, -1, -1):
        tables[position] = row
        row = base[row & 0xFF] ^ row >> np.uint32(8)
    return tables, tables[:4].tolist()


def _linear(data: np.ndarray, register: int) -> int:
    """The register after `data` (uint8, whole blocks), starting from `register`, not inverted."""
    tables, (shift0, shift1, shift2, shift3) = _position_tables()
    flat, at = tables.ravel(), np.arange(_BLOCK, dtype=np.intp) * 256
    rows = data.reshape(-1, _BLOCK)
    for start in range(0, len(rows), _SLAB):
        entries = flat.take(rows[start : start + _SLAB] + at)
        for crc in np.bitwise_xor.reduce(entries, axis=1).tolist():
            register = crc ^ (
                shift0[register & 255]
                ^ shift1[register >> 8 & 255]
                ^ shift2[register >> 16 & 255]
                ^ shift3[register >> 24]
            )
    return register


def _short(register: int, data: bytes) -> int:
    for byte in data:
        register = _TABLE[(register ^ byte) & 255] ^ register >> 8
    return register


def extend_numpy(crc: int, data: bytes) -> int:
    """CRC32C of some bytes of which all but `data` are already in `crc`; numpy only.

    >>> hex(extend_numpy(0, b"123456789"))
    '0xe3069283'
    """
    register = crc ^ 0xFFFFFFFF
    if len(data) < _SHORT:
        return _short(register, data) ^ 0xFFFFFFFF
    octets = np.frombuffer(data, np.uint8)
    # The first, incomplete block is aligned to the block's end: zeros in front add nothing. Its
    # first four bytes take up the register, which is what a CRC register means. Short data is
    # copied whole, which saves a second round of numpy's calls.
    head = len(data)
    if head > _BLOCK * _SLAB:
        head = head % _BLOCK + _BLOCK
    padded = np.zeros(-(-head // _BLOCK) * _BLOCK, np.uint8)
    start = len(padded) - head
    padded[start:] = octets[:head]
    padded[start : start + 4] ^= np.frombuffer(struct.pack("<I", register), np.uint8)
    register = _linear(padded, 0)
    if head < len(data):
        register = _linear(octets[head:], register)
    return register ^ 0xFFFFFFFF


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
    tables, _ = _position_tables()
    crcs = np.full(len(starts), value(bytes(8)), np.uint32)  # what the inversions contribute
    for position in range(8):
        crcs ^= tables[_BLOCK - 8 + position].take(data[starts + position])
    return crcs


def _pick() -> tuple[str, Callable[[int, bytes], int], Callable[[bytes], int]]:
    """The fastest implementation here: its name, and the functions `extend` and `value`."""
    try:
        with warnings.catch_warnings():
            # Its pure Python fall-back, slower than ours, announces itself with a warning.
            warnings.simplefilter("ignore")
            import google_crc32c
    except ImportError:
        google_crc32c = None
    if google_crc32c is not None and google_crc32c.implementation == "c":
        return "google-crc32c", google_crc32c.extend, google_crc32c.value
    return "numpy", extend_numpy, functools.partial(extend_numpy, 0)


IMPLEMENTATION, extend, value = _pick()


def mask(crc: int) -> int:
    """The masked form that TFRecord stores, so that a CRC of data with CRCs inside stays good.

    >>> hex(mask(0xE3069283))
    '0xc78ab0e5'
    """
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def masked(data: bytes) -> int:
    """Masked CRC32C of `data` (bytes; no other buffer, the C extension takes none).

    >>> hex(masked(bytes(8)))
    '0x7980329'
    """
    return mask(value(data))
