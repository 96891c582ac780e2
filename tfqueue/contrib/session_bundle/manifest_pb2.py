"""`tf.contrib.session_bundle.manifest_pb2`: the messages of a bundle, with the numbers of fields that they had."""

from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_MESSAGES = {
    "TensorBinding": {"tensor_name": "str"},
    "AssetFile": {"tensor_binding": "TensorBinding", "filename": "str"},
    "RegressionSignature": {"input": "TensorBinding", "output": "TensorBinding"},
    "ClassificationSignature": {
        "input": "TensorBinding",
        "classes": "TensorBinding",
        "scores": "TensorBinding",
    },
    "GenericSignature": {"map": "str TensorBinding"},
    "Signature": {
        "regression_signature": "RegressionSignature",
        "classification_signature": "ClassificationSignature",
        "generic_signature": "GenericSignature",
    },
    "Signatures": {"default_signature": "Signature", "named_signatures": "str Signature"},
}
"""Message -> its fields in order, the first one of number 1; a map's type is that of its values behind `str`."""

__all__ = list(_MESSAGES)
_PACKAGE = "tensorflow.serving"


def _add(message: Any, number: int, name: str, kind: str) -> Any:
    field = message.field.add(
        name=name, number=number, label=descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL
    )
    if kind == "str":
        field.type = field.TYPE_STRING
        return field
    key, _, value = kind.rpartition(" ")
    field.type, field.type_name = field.TYPE_MESSAGE, f".{_PACKAGE}.{value}"
    if key:  # protobuf keeps a map as a list of pairs
        pair = message.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
        pair.options.map_entry = True
        _add(pair, 1, "key", key)
        _add(pair, 2, "value", value)
        field.label = field.LABEL_REPEATED
        field.type_name = f".{_PACKAGE}.{message.name}.{pair.name}"
    return field


def _file() -> Any:
    made = descriptor_pb2.FileDescriptorProto(
        name="tensorflow/contrib/session_bundle/manifest.proto", package=_PACKAGE, syntax="proto3"
    )
    for name, fields in _MESSAGES.items():
        message = made.message_type.add(name=name)
        for number, (field, kind) in enumerate(fields.items(), 1):
            added = _add(message, number, field, kind)
            if name == "Signature":
                added.oneof_index = 0
        if name == "Signature":
            message.oneof_decl.add(name="type")
    return made


_pool = descriptor_pool.Default()
_pool.AddSerializedFile(_file().SerializeToString())
(
    TensorBinding,
    AssetFile,
    RegressionSignature,
    ClassificationSignature,
    GenericSignature,
    Signature,
    Signatures,
) = (
    message_factory.GetMessageClass(_pool.FindMessageTypeByName(f"{_PACKAGE}.{name}"))
    for name in _MESSAGES
)
