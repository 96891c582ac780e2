"""The wire format of `tf.train.Example` and `SequenceExample`, read and written directly.

The messages are three levels of two fields each. Reading them here spares `tfqueue records` the
import of TensorFlow (the generated classes bring all of it, several seconds) and gives numpy arrays
at once. Rules are protobuf's: unknown fields are skipped, a repeated message is merged, of a
oneof the last kind counts, of a map key the last entry, and lists come packed or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tfqueue.records.errors import ExampleError

BYTES, FLOAT, INT64 = 1, 2, 3  # field numbers of Feature's oneof; 0 stands for none of them
KIND_NAMES = {0: "empty", BYTES: "bytes", FLOAT: "float", INT64: "int64"}

_VARINT, _FIXED64, _CHUNK, _GROUP, _GROUP_END, _FIXED32 = range(6)
_FEW = 24  # bytes below which a loop over varints beats numpy

# A value as it is read: list of bytes, float32 [n], int64 [n]; with its kind in front.
Feature = tuple[int, Any]


def _varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """The varint at `at`, and where it ends."""
    result = shift = 0
    while at < end:
        byte = data[at]
        at += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result & 0xFFFFFFFFFFFFFFFF, at  # protobuf drops what is beyond 64 bits
        shift += 7
        if shift > 63:
            break
    raise ExampleError("a number in it is cut or too long")


def _skip_group(data: bytes, at: int, end: int, number: int, depth: int) -> int:
    """Where the group `number`, which begins at `at`, ends."""
    for field, wire, _, stop in _fields(data, at, end, depth + 1):
        if wire == _GROUP_END:
            if field != number:
                break
            return stop
    raise ExampleError("a group in it does not end")


def _fields(data: bytes, at: int, end: int, depth: int = 0) -> Iterator[tuple[int, int, int, int]]:
    """Yields (field number, wire type, start, stop) of a message; a varint's start is its value."""
    if depth > 95:
        raise ExampleError("it is nested too deep")
    while at < end:
        tag = data[at]
        if tag < 0x80:
            at += 1
        else:
            start = at
            tag, at = _varint(data, at, end)
            if at - start > 5 or tag > 0xFFFFFFFF:
                raise ExampleError("a field's tag in it is too long")
        number, wire = tag >> 3, tag & 7
        if not number:
            raise ExampleError("a field in it has the number 0")
        if wire == _CHUNK:
            length, start = _varint(data, at, end)
            at = start + length
        elif wire == _VARINT:
            start, at = _varint(data, at, end)
        elif wire == _FIXED32:
            start, at = at, at + 4
        elif wire == _FIXED64:
            start, at = at, at + 8
        elif wire == _GROUP:
            start, at = at, _skip_group(data, at, end, number, depth)
        elif wire == _GROUP_END:
            if not depth:
                raise ExampleError("a group in it ends that never began")
            yield number, wire, at, at
            return
        else:
            raise ExampleError(f"a field in it has the wire type {wire}, which there is not")
        if at > end:
            raise ExampleError("a field in it reaches beyond its end")
        yield number, wire, start, at


def _varints(data: bytes, at: int, end: int) -> np.ndarray:
    """Packed varints as int64."""
    if end - at < _FEW:
        values = []
        while at < end:
            value, at = _varint(data, at, end)
            values.append(value)
        return np.array(values, np.uint64).view(np.int64)
    octets = np.frombuffer(data, np.uint8, end - at, at)
    last = octets < 0x80
    if last.all():
        return octets.astype(np.int64)
    stops = np.flatnonzero(last)
    starts = np.concatenate(([0], stops[:-1] + 1))
    sizes = stops - starts + 1
    if not last[-1] or sizes.max() > 10:
        raise ExampleError("a number in it is cut or too long")
    shifts = (np.arange(len(octets)) - np.repeat(starts, sizes)).astype(np.uint64) * np.uint64(7)
    parts = (octets & 0x7F).astype(np.uint64) << shifts
    return np.bitwise_or.reduceat(parts, starts).view(np.int64)


def _values(data: bytes, at: int, end: int, kind: int) -> Any:
    """The values of a BytesList, FloatList or Int64List."""
    if kind == BYTES:
        return [
            data[start:stop]
            for number, wire, start, stop in _fields(data, at, end)
            if number == 1 and wire == _CHUNK
        ]
    parts = []
    for number, wire, start, stop in _fields(data, at, end):
        if number != 1:
            continue
        if kind == INT64 and wire == _CHUNK:
            parts.append(_varints(data, start, stop))
        elif kind == INT64 and wire == _VARINT:
            parts.append(np.array([start], np.uint64).view(np.int64))
        elif kind == FLOAT and wire == _CHUNK:
            if (stop - start) % 4:
                raise ExampleError("a list of floats in it is cut")
            parts.append(np.frombuffer(data, "<f4", (stop - start) // 4, start))
        elif kind == FLOAT and wire == _FIXED32:
            parts.append(np.frombuffer(data, "<f4", 1, start))
    dtype = np.int64 if kind == INT64 else np.float32
    if len(parts) == 1:
        # A copy where it would be a view: it is to be written to, and not to hold the record.
        return parts[0].astype(dtype, copy=kind == FLOAT)
    return np.concatenate(parts).astype(dtype) if parts else np.empty(0, dtype)


def _feature(data: bytes, at: int, end: int, feature: Feature = (0, [])) -> Feature:
    """A Feature, merged into one that was there before."""
    kind, values = feature
    for number, wire, start, stop in _fields(data, at, end):
        if wire == _CHUNK and number in (BYTES, FLOAT, INT64):
            more = _values(data, start, stop, number)
            if number != kind:
                kind, values = number, more
            else:
                values = values + more if kind == BYTES else np.concatenate((values, more))
    return kind, values


def _entry(data: bytes, at: int, end: int, read: Any, empty: Any) -> tuple[str | None, Any]:
    """An entry of a map from string to a message that `read` reads.

    The key is None if there is an unknown field in it: protobuf (upb) then keeps the entry among
    the unknown fields, out of the map.
    """
    key, value, known = "", empty, True
    for number, wire, start, stop in _fields(data, at, end):
        if wire == _CHUNK and number == 1:
            try:
                key = data[start:stop].decode("utf-8")
            except UnicodeDecodeError:
                raise ExampleError("a key in it is no UTF-8") from None
        elif wire == _CHUNK and number == 2:
            value = read(data, start, stop, value)
        else:
            known = False
    return key if known else None, value


def _feature_list(data: bytes, at: int, end: int, before: list[Feature]) -> list[Feature]:
    return before + [
        _feature(data, start, stop)
        for number, wire, start, stop in _fields(data, at, end)
        if number == 1 and wire == _CHUNK
    ]


def _map(data: bytes, at: int, end: int, into: dict, read: Any, empty: Any) -> None:
    for number, wire, start, stop in _fields(data, at, end):
        if number == 1 and wire == _CHUNK:
            key, value = _entry(data, start, stop, read, empty)
            if key is not None:
                into[key] = value


def parse(data: bytes) -> tuple[dict[str, Feature], dict[str, list[Feature]] | None]:
    """Reads an Example or a SequenceExample.

    Args:
        data: The serialized message.

    Returns:
        The features, or the context, by key; and the feature lists by key, or None if the message
        has no such field, as an Example has none. A feature is its kind and its values.

    Raises:
        ExampleError: It is neither; protobuf would not parse it.
    """
    features: dict[str, Feature] = {}
    lists: dict[str, list[Feature]] | None = None
    for number, wire, start, stop in _fields(data, 0, len(data)):
        if wire == _CHUNK and number == 1:
            _map(data, start, stop, features, _feature, (0, []))
        elif wire == _CHUNK and number == 2:
            lists = {} if lists is None else lists
            _map(data, start, stop, lists, _feature_list, [])
    return features, lists


def _pack(number: int) -> bytes:
    """A non-negative number as a varint."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def chunk(number: int, *parts: bytes) -> bytes:
    """A length-delimited field."""
    size = sum(map(len, parts))
    return b"".join((_pack(number << 3 | _CHUNK), _pack(size), *parts))


def _pack_all(values: np.ndarray) -> bytes:
    """int64 [n] as packed varints."""
    numbers = values.astype(np.int64, copy=False).view(np.uint64)
    if not len(numbers) or numbers.max() < 0x80:
        return numbers.astype(np.uint8).tobytes()
    if len(numbers) == 1:
        return _pack(int(numbers[0]))
    pieces = []
    for start in range(0, len(numbers), 1 << 14):  # ten columns each: kept small
        rows = numbers[start : start + (1 << 14), None] >> np.arange(0, 70, 7, dtype=np.uint64)
        there = rows > 0
        there[:, 0] = True
        octets = (rows & np.uint64(0x7F)).astype(np.uint8)
        octets[:, :-1] |= there[:, 1:].astype(np.uint8) << 7
        pieces.append(octets[there].tobytes())
    return b"".join(pieces)


def build_feature(kind: int, values: Any) -> bytes:
    """A serialized Feature: `values` is a list of bytes, float32 [n] or int64 [n]."""
    if kind == BYTES:
        return chunk(BYTES, *(chunk(1, value) for value in values))
    if kind == FLOAT:
        packed = values.astype("<f4", copy=False).tobytes()
    elif kind == INT64:
        packed = _pack_all(values)
    else:
        return b""
    return chunk(kind, chunk(1, packed)) if packed else chunk(kind)


def build_map(entries: dict[str, bytes]) -> bytes:
    """A serialized Features or FeatureLists, from serialized values by key.

    Sorted by key, as protobuf sorts when asked to be deterministic: equal dicts, equal bytes.
    """
    return b"".join(
        chunk(1, chunk(1, key.encode("utf-8")), chunk(2, entries[key])) for key in sorted(entries)
    )
