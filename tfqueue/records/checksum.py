"""CRC32C (Castagnoli), as TFRecord files use it; computed by google-crc32c."""

from __future__ import annotations

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


__all__ = ["extend", "mask", "masked", "value"]
