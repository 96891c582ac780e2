"""Descriptors of a protoc before 3.20, as protobuf of today takes them."""

import types

import pytest

from tfqueue.port.libraries import protobuf_messages


@pytest.mark.parametrize("text", [False, True])
def test_messages_of_a_serialized_file(text):
    from google.protobuf import descriptor_pb2

    name = f"tfq_{text}"
    proto = descriptor_pb2.FileDescriptorProto(name=f"{name}.proto", package=name)
    proto.message_type.add(name="Pair").field.add(name="one", number=1, type=5, label=1)
    proto.enum_type.add(name="Kind").value.add(name="FIRST", number=0)
    data = proto.SerializeToString()
    module = types.ModuleType(name)
    found = protobuf_messages.messages_of(data.decode("latin-1") if text else data, module.__dict__)
    assert found.name == f"{name}.proto"
    assert module.Pair(one=3).one == 3
    assert module.FIRST == 0


@pytest.mark.parametrize("comment", ["\u00ff", "\u0100", "\u20ac"])
def test_messages_of_a_text_that_holds_more_than_bytes(comment):
    """What Python 2 wrote as bytes is decoded where the file that holds it is read."""
    from google.protobuf import descriptor_pb2

    name = f"tfq_text_{ord(comment)}"
    proto = descriptor_pb2.FileDescriptorProto(name=f"{name}.proto", package=name)
    proto.options.java_package = comment
    data = proto.SerializeToString()
    held = data.decode("utf-8") if ord(comment) > 255 else data.decode("latin-1")
    found = protobuf_messages.messages_of(held, types.ModuleType(name).__dict__)
    assert found.GetOptions().java_package == comment
