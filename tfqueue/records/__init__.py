"""TFRecord files without a graph: read, write, describe, check and save them.

Imports no TensorFlow. Files are checked on the way: whatever is not a good record is an error that
names the file and the byte, never an early end.
"""

from tfqueue.records.errors import (
    Damage,
    DamagedRecordError,
    ExampleError,
    RecordsError,
    SourceError,
)
from tfqueue.records.framing import Report, check_at, verify

__all__ = [
    "Damage",
    "DamagedRecordError",
    "ExampleError",
    "RecordsError",
    "Report",
    "SourceError",
    "check_at",
    "verify",
]
