"""What `tfqueue.records` raises.

    Exception
    +-- TFQueueError
        +-- RecordsError            anything below
            +-- DamagedRecordError  a file that is not what its writer wrote: file, offset, reason
            +-- ExampleError        a value that fits no Example, or bytes that are none (ValueError)
            +-- SourceError         files, patterns, options or tables that cannot be used (ValueError)

A file that is missing or may not be read raises Python's own `OSError`.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from tfqueue.errors import TFQueueError
from tfqueue.output.printing import printable


@dataclasses.dataclass(frozen=True)
class Damage:
    """What is wrong with one record.

    Attributes:
        kind: One of `cut-header`, `length-crc`, `length`, `cut-payload`, `data-crc`, `stream`
            (the compressed stream around the records) and `no-record` (`check_at` only).
        offset: Byte offset of the record's header; of the uncompressed stream if compressed.
        reason: One line for people, without file name and offset.
        length: What the length field says, in bytes; None when it was not there or has a bad CRC.
    """

    kind: str
    offset: int
    reason: str
    length: int | None = None


class RecordsError(TFQueueError):
    """The base of everything that `tfqueue.records` raises on its own account.

    Its message is one line, whatever the names of files and keys in it hold.
    """

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


class DamagedRecordError(RecordsError):
    """A TFRecord file is damaged or cut.

    Attributes:
        path: The file.
        damage: The `Damage`.
        records: How many good records stand in front of it.

    >>> str(DamagedRecordError("a.tfrecord", Damage("data-crc", 40, "bad data CRC"), 2))
    'a.tfrecord: bad data CRC, at byte 40, after 2 good records'
    """

    def __init__(self, path: str, damage: Damage, records: int) -> None:
        good = "1 good record" if records == 1 else f"{records} good records"
        super().__init__(f"{path}: {damage.reason}, at byte {damage.offset}, after {good}")
        self.path = path
        self.damage = damage
        self.records = records

    @property
    def offset(self) -> int:
        """Byte offset of the damaged record's header."""
        return self.damage.offset

    @property
    def kind(self) -> str:
        """The damage's kind (see `Damage`)."""
        return self.damage.kind

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.damage, self.records)


class ExampleError(RecordsError, ValueError):
    """A dict does not fit an Example, or bytes are none.

    Attributes:
        key: The feature's key, or None where no key is to blame.
    """

    def __init__(self, message: str, key: str | None = None) -> None:
        super().__init__(message)
        self.key = key

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.key)


class SourceError(RecordsError, ValueError):
    """Files, patterns, options or tables that cannot be used; the message says which and why."""
