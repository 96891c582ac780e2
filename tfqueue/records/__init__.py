"""TFRecord files without a graph: read, write, describe, check and save them.

    from tfqueue import records

    records.write("train.tfrecord", [{"image": b"...", "label": 3}, ...])
    for example in records.examples("train-*.tfrecord"):
        example["label"]                    # array([3])
    print(records.schema("train.tfrecord"))     # features={...}, ready to paste
    records.verify("train.tfrecord").good

Imports no TensorFlow, and a module only when a name of it is used. Files are checked on the way:
whatever is not a good record is an error that names the file and the byte, never an early end. On
the command line: `tfqueue records --help`.

* `framing` takes records out of the bytes that `streams` brings, `checksum` holds them to their sum,
  `salvaging` saves what is good.
* `files` reads and writes whole files, `messages` and `conversion` are what is in a record, `schemas` what
  is in a file.
* `sources` are what can be written, `sheet` is the contact sheet, `suggestions` what a file is that is no
  TFRecord file.
* `endings` finds files that are cut where TensorFlow sees the end of the data.
* `cli` is the command, `display` how it shows what it found, `errors` what is raised.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tfqueue.records.conversion import (
        decode,
        decode_any,
        decode_sequence,
        encode,
        encode_sequence,
        from_example,
        from_sequence_example,
        to_example,
        to_sequence_example,
    )
    from tfqueue.records.errors import (
        Damage,
        DamagedRecordError,
        ExampleError,
        RecordsError,
        SourceError,
    )
    from tfqueue.records.files import count, examples, expand, head, read, sequences, write
    from tfqueue.records.framing import Report, check_at, records, verify
    from tfqueue.records.salvaging import Loss, Salvage, salvage
    from tfqueue.records.schemas import FeatureSchema, Schema, schema
    from tfqueue.records.sheet import images
    from tfqueue.records.sources import from_csv, from_folder, from_numpy

__all__ = [
    "Damage",
    "DamagedRecordError",
    "ExampleError",
    "FeatureSchema",
    "Loss",
    "RecordsError",
    "Report",
    "Salvage",
    "Schema",
    "SourceError",
    "check_at",
    "count",
    "decode",
    "decode_any",
    "decode_sequence",
    "encode",
    "encode_sequence",
    "examples",
    "expand",
    "from_csv",
    "from_example",
    "from_folder",
    "from_numpy",
    "from_sequence_example",
    "head",
    "images",
    "read",
    "records",
    "salvage",
    "schema",
    "sequences",
    "to_example",
    "to_sequence_example",
    "verify",
    "write",
]

# Which module defines what.
_NAMES = {
    "conversion": (
        "decode",
        "decode_any",
        "decode_sequence",
        "encode",
        "encode_sequence",
        "from_example",
        "from_sequence_example",
        "to_example",
        "to_sequence_example",
    ),
    "schemas": ("FeatureSchema", "Schema", "schema"),
    "errors": ("Damage", "DamagedRecordError", "ExampleError", "RecordsError", "SourceError"),
    "files": ("count", "examples", "expand", "head", "read", "sequences", "write"),
    "framing": ("Report", "check_at", "records", "verify"),
    "salvaging": ("Loss", "Salvage", "salvage"),
    "sheet": ("images",),
    "sources": ("from_csv", "from_folder", "from_numpy"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
