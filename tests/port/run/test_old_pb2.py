"""Modules that a protoc before 3.20 wrote give the messages of their serialized file."""

import pytest
from google.protobuf import descriptor_pb2

from tfqueue import cli

# as protoc 3.0 and 3.6 write it: the descriptors are made one by one
MODULE = """\
import sys
_b=sys.version_info[0]<3 and (lambda x:x) or (lambda x:x.encode('latin1'))
from google.protobuf.internal import enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from google.protobuf import reflection as _reflection
from google.protobuf import symbol_database as _symbol_database
_sym_db = _symbol_database.Default()
{imported}
DESCRIPTOR = _descriptor.FileDescriptor(
  name='{name}', package='mine', syntax='proto3', serialized_pb={literal}{more})
_sym_db.RegisterFileDescriptor(DESCRIPTOR)
_KIND = _descriptor.EnumDescriptor(
  name='Kind', full_name='mine.Kind', filename=None, file=DESCRIPTOR,
  values=[_descriptor.EnumValueDescriptor(name='DOG', index=0, number=0, options=None, type=None)],
  containing_type=None, options=None, serialized_start=1, serialized_end=2)
Kind = enum_type_wrapper.EnumTypeWrapper(_KIND)
DOG = 0
_PET = _descriptor.Descriptor(name='Pet', full_name='mine.Pet', fields=[])
DESCRIPTOR.message_types_by_name['Pet'] = _PET
Pet = _reflection.GeneratedProtocolMessageType('Pet', (_message.Message,), dict(
  DESCRIPTOR = _PET, __module__ = 'x_pb2'))
_sym_db.RegisterMessage(Pet)
PORT = 8500
seen = []
seen.append(Pet)
try:
  import grpc_that_is_not_there
except ImportError:
  served = 'no grpc'
"""
PROGRAM = """\
import {0}_pb2 as pets, {0}_owner_pb2 as owners
pet = pets.Pet(name='Rex', kind=pets.CAT)
owner = owners.Pet(pet=pet)
assert owners.Pet.FromString(owner.SerializeToString()).pet.name == 'Rex'
assert (pets.DOG, pets.Kind.Name(1), pets.served) == (0, 'CAT', 'no grpc')
assert (pets.PORT, pets.seen) == (8500, [pets.Pet])
assert bytearray(pets.Pet.FromString(pet.SerializeToString()).SerializeToString()) == bytearray(
    b'\\n\\x03Rex\\x10\\x01')
print('good')
"""


def file_of(name, message, *, imported=None):
    """A file with a message; the one that imports another has a field of its message."""
    file = descriptor_pb2.FileDescriptorProto(name=name, package=message, syntax="proto3")
    kind = descriptor_pb2.FieldDescriptorProto
    pet = file.message_type.add(name="Pet")
    if imported is None:
        values = file.enum_type.add(name="Kind").value
        values.add(name="DOG", number=0)
        values.add(name="CAT", number=1)
        pet.field.add(name="name", number=1, type=kind.TYPE_STRING, label=1)
        pet.field.add(
            name="kind", number=2, type=kind.TYPE_ENUM, type_name=f".{message}.Kind", label=1
        )
    else:
        file.dependency.append(imported.name)
        owned = f".{imported.package}.Pet"
        pet.field.add(name="pet", number=200, type=kind.TYPE_MESSAGE, type_name=owned, label=1)
    return file


# only Python 2 takes a text for bytes
@pytest.mark.parametrize(("python", "form"), [("2", "_b({!a})"), ("3", "_b({!a})"), ("2", "{!a}")])
def test_the_messages_are_there(tmp_path, monkeypatch, capsys, python, form):
    monkeypatch.chdir(tmp_path)
    stem = f"old{python}{len(form)}"  # protobuf keeps one file of a name in a process
    pets = file_of(f"{stem}.proto", f"{stem}.pets")
    owners = file_of(f"{stem}_owner.proto", f"{stem}.owners", imported=pets)
    for file, imported, more in (
        (pets, "", ""),
        (owners, f"import {stem}_pb2", f", dependencies=[{stem}_pb2.DESCRIPTOR,]"),
    ):
        text = MODULE.format(
            name=file.name,
            literal=form.format(file.SerializeToString().decode("latin-1")),
            imported=imported,
            more=more,
        )
        (tmp_path / file.name.replace(".proto", "_pb2.py")).write_text(text)
    (tmp_path / "main.py").write_text(PROGRAM.format(stem))
    assert cli.main(["check", "main.py"]) == 1
    assert "old-pb2" in capsys.readouterr().out
    assert cli.main(["run", "--python", python, "main.py"]) == 0
    assert capsys.readouterr().out == "good\n"
