"""`tf.train.Example` and `SequenceExample` as protobuf messages, without TensorFlow.

The classes are made at run time, in a descriptor pool of their own, so that TensorFlow's messages
of the same wire format can be registered in the same process, before or after.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from tfqueue.records.errors import ExampleError

Feature = tuple[str, Any]
"""A kind and its values: `"bytes"` and a list of bytes, `"float"` and float32 [n], `"int64"` and
int64 [n], or `"empty"` and `[]`."""

_DTYPES: dict[str, Any] = {"float": np.float32, "int64": np.int64}

_MESSAGES = {
    "BytesList": ("value *bytes",),
    "FloatList": ("value *float",),
    "Int64List": ("value *int64",),
    "Feature": ("bytes_list BytesList", "float_list FloatList", "int64_list Int64List"),
    "Features": ("feature {}Feature",),
    "Example": ("features Features",),
    "FeatureList": ("feature *Feature",),
    "FeatureLists": ("feature_list {}FeatureList",),
    "SequenceExample": ("context Features", "feature_lists FeatureLists"),
}


def _add_field(package: str, message: Any, number: int, name: str, kind: str) -> None:
    Field = descriptor_pb2.FieldDescriptorProto
    field = message.field.add(name=name, number=number, label=Field.LABEL_OPTIONAL)
    if kind.startswith("{}"):
        entry = message.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
        entry.options.map_entry = True
        _add_field(package, entry, 1, "key", "string")
        _add_field(package, entry, 2, "value", kind[2:])
        kind = f"*{message.name}.{entry.name}"
    if kind.startswith("*"):
        field.label, kind = Field.LABEL_REPEATED, kind[1:]
    if kind[0].isupper():
        field.type, field.type_name = Field.TYPE_MESSAGE, f".{package}.{kind}"
    else:
        field.type = getattr(Field, f"TYPE_{kind.upper()}")


def classes(package: str, messages: dict[str, tuple[str, ...]]) -> dict[str, Any]:
    """The classes of messages of proto3, by name.

    Args:
        package: Of the messages.
        messages: Name -> the fields, numbered from 1: name and type, with a star for `repeated` and
            braces for a map from string. A capital begins a message's name. The fields of `Feature`
            are alternatives.
    """
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{package.replace('.', '/')}.proto", package=package, syntax="proto3"
    )
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        for number, field in enumerate(fields, 1):
            _add_field(package, message, number, *field.split())
        if name == "Feature":
            message.oneof_decl.add(name="kind")
            for field in message.field:
                field.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{name}"))
        for name in messages
    }


_made = classes("tfqueue.records", _MESSAGES)
Example, SequenceExample = _made["Example"], _made["SequenceExample"]
_BytesList = _made["BytesList"]
_MANY = 32  # floats from which a call for all of them is faster than one object for each


def read(feature: Any) -> Feature:
    """What a Feature message holds."""
    field = feature.WhichOneof("kind")
    if field is None:
        return "empty", []
    kind = field.removesuffix("_list")
    values = getattr(feature, field).value
    if kind == "bytes":
        return kind, list(values)
    return kind, np.array(values, _DTYPES[kind])


def items(data: bytes) -> tuple[list[tuple[str, Any]], list[tuple[str, Any]] | None]:
    """The features of an Example or a SequenceExample, as messages that `read` takes.

    Args:
        data: The serialized message.

    Returns:
        The features, or the context, in pairs of key and message; and the feature lists in pairs of
        key and messages, or None if the message has no such field, as an Example has none. Both are
        sorted by key.

    Raises:
        ExampleError: It is neither.
        MemoryError: It may be one, and there is not enough memory to tell.
    """
    try:
        # An Example is read by it too: its features have the number of the context.
        message = SequenceExample.FromString(data)
    except DecodeError:
        _require_memory(data)
        raise ExampleError("its bytes are neither an Example nor a SequenceExample") from None
    # A map has no order of its own, and gives all its items faster than each by its key.
    features = sorted(message.context.feature.items(), key=_KEY)
    if not message.HasField("feature_lists"):
        return features, None
    lists = sorted(message.feature_lists.feature_list.items(), key=_KEY)
    return features, [(key, steps.feature) for key, steps in lists]


def parse(data: bytes) -> tuple[dict[str, Feature], dict[str, list[Feature]] | None]:
    """Reads an Example or a SequenceExample.

    Args:
        data: The serialized message.

    Returns:
        The features, or the context, by key; and the feature lists by key, or None if the message
        has no such field.

    Raises:
        ExampleError, MemoryError: As for `items`.
    """
    found, lists = items(data)
    features = {key: read(feature) for key, feature in found}
    if lists is None:
        return features, None
    return features, {key: [read(step) for step in steps] for key, steps in lists}


_KEY = operator.itemgetter(0)
_LARGE = 1 << 20  # bytes of a message whose parsing may fail for want of memory
_GROWTH = 32  # bytes of memory, at the most, for one byte of a message


def _require_memory(data: bytes) -> None:
    """Raises MemoryError if bytes that did not parse may be a message that needs more memory.

    The parser has one error for bytes that are no message and for too little memory.
    """
    if len(data) >= _LARGE and data[:1] in (b"\n", b"\x12"):  # as the two fields begin
        np.empty(_GROWTH * len(data), np.uint8)  # reserved only, and given back


def fill(feature: Any, kind: str, values: Any) -> None:
    """Sets a Feature message that is still empty."""
    if kind != "empty":
        part = getattr(feature, f"{kind}_list")
        if kind == "float" and len(values) > _MANY:
            # Packed floats are one bytes field of the same number.
            octets = values.astype("<f4", copy=False).tobytes()
            part.MergeFromString(_BytesList(value=[octets]).SerializeToString())
        else:
            part.value.extend(values if kind == "bytes" else values.tolist())


def serialize(message: Any) -> bytes:
    """The message's bytes, maps sorted by key: equal messages, equal bytes."""
    return message.SerializeToString(deterministic=True)
