"""Modules that a protoc before 3.20 wrote (`_pb2.py`), whose descriptors protobuf 4 refuses. Translated programs import this."""

from __future__ import annotations

from typing import Any


def messages_of(serialized: bytes | str, names: dict[str, Any]) -> Any:
    """Makes the messages and enums of a serialized `.proto` file, as a `_pb2.py` of today does.

    Args:
        serialized: The file; a text of Python 2 holds a byte in each character.
        names: The namespace of the `_pb2.py`, where they go.

    Returns:
        The file's descriptor.
    """
    from google.protobuf import descriptor_pool
    from google.protobuf.internal import builder

    if isinstance(serialized, str):
        plain = all(ord(char) < 256 for char in serialized)
        serialized = (
            serialized.encode("latin-1") if plain else serialized.encode("utf-8", "surrogateescape")
        )
    file = descriptor_pool.Default().AddSerializedFile(serialized)
    builder.BuildMessageAndEnumDescriptors(file, names)
    builder.BuildTopDescriptorsAndMessages(file, names["__name__"], names)
    return file
