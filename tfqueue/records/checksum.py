"""CRC32C (Castagnoli), as TFRecord files use it; computed by google-crc32c."""

from __future__ import annotations

import functools

import numpy as np
from google_crc32c import extend, value


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


@functools.cache
def _eight_byte_tables() -> np.ndarray:
    """uint32 of shape [8, 256]: what a byte at a position adds to the CRC of eight bytes.

    A CRC is linear over GF(2): the CRC of eight bytes is that of eight zeros XOR one entry a byte.
    """
    zeros = value(bytes(8))
    entries = [
        value(bytes(position) + bytes([byte]) + bytes(7 - position)) ^ zeros
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
    crcs = np.full(len(starts), value(bytes(8)), np.uint32)
    for position, table in enumerate(_eight_byte_tables()):
        crcs ^= table.take(data[starts + position])
    return crcs


__all__ = ["eight_byte_crcs", "extend", "mask", "masked", "value"]
