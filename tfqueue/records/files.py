"""Reading and writing whole TFRecord files, or many, with Python objects in and out."""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from tfqueue.output.files import WholeFile
from tfqueue.records import conversion, framing
from tfqueue.records.errors import DamagedRecordError, ExampleError, SourceError
from tfqueue.records.streams import WINDOW_BITS, compression_name

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
Progress = Callable[[int], None]
"""Called now and then with the number of records so far."""


def expand(paths: Paths) -> list[str]:
    """The files that one name, one pattern, or several of either stand for.

    Args:
        paths: A name that exists is that file, whatever characters are in it; a pattern (`*`, `?`,
            `[...]`, `**`) is the files that match, sorted.

    Raises:
        FileNotFoundError: A name without a file.
        OSError: A name that leads to no file: a folder that may not be searched, a link to itself.
        SourceError: A pattern that matches no file, or no path at all.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    names: list[str] = []
    for path in [os.fspath(path) for path in paths]:
        if os.path.exists(path):
            names.append(path)
        elif glob.has_magic(path):
            found = sorted(filter(os.path.isfile, glob.iglob(path, recursive=True)))
            if not found:
                raise SourceError(f"no file matches {path}")
            names += found
        else:
            os.stat(path)  # raises, and says why there is no file
            names.append(path)
    if not names:
        raise SourceError("no file was named")
    return names


def _located(paths: Paths, compression: str | int | None) -> Iterator[tuple[str, int, int, bytes]]:
    """Yields (file, number of the record in it from 0, offset, data)."""
    for path in expand(paths):
        number = 0  # no enumerate: it would hold a record while the next one is read
        for offset, data in framing.records(path, compression):
            yield path, number, offset, data
            del data
            number += 1  # noqa: SIM113


def read(paths: Paths, compression: str | int | None = None) -> Iterator[bytes]:
    """The records of one or more files, in order.

    Args:
        paths: A name, a pattern, or several (see `expand`).
        compression: `"GZIP"`, `"ZLIB"`, `""`; None looks at each file.

    Yields:
        Each record's data.

    Raises:
        DamagedRecordError: Behind the last good record of a damaged or cut file.
        SourceError: A pattern matches nothing.
        OSError: A file is missing or cannot be read.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/a.tfrecord"
    >>> written = write(path, [b"one", b"two"])
    >>> list(read(path))
    [b'one', b'two']
    """
    for _, _, _, data in _located(paths, compression):
        yield data
        del data


def _decoded(
    paths: Paths, compression: str | int | None, decode: Callable[[bytes], Any]
) -> Iterator[Any]:
    for path, number, offset, data in _located(paths, compression):
        try:
            value = decode(data)
        except ExampleError as error:
            where = f"{path}: record {number} at byte {offset}"
            raise ExampleError(f"{where} does not parse: {error}", error.key) from None
        yield value


def examples(paths: Paths, compression: str | int | None = None) -> Iterator[dict[str, Any]]:
    """The Examples of one or more files as dicts (see `decode`).

    Raises:
        ExampleError: A record is no Example; the message names file, record and offset.
        DamagedRecordError, SourceError, OSError: As for `read`.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/a.tfrecord"
    >>> written = write(path, [{"name": "Ada", "year": 1815}, {"name": "Alan", "year": 1912}])
    >>> [example["name"] for example in examples(path)]
    [[b'Ada'], [b'Alan']]
    """
    return _decoded(paths, compression, conversion.decode)


def sequences(
    paths: Paths, compression: str | int | None = None
) -> Iterator[tuple[dict[str, Any], dict[str, list[Any]]]]:
    """The SequenceExamples of one or more files, as (context, feature lists).

    Raises:
        ExampleError: A record is no SequenceExample.
        DamagedRecordError, SourceError, OSError: As for `read`.
    """
    return _decoded(paths, compression, conversion.decode_sequence)


def head(paths: Paths, count: int = 1, compression: str | int | None = None) -> list[Any]:
    """The first records, each as what it is.

    Returns:
        At most `count` of: a dict (Example), a pair of dicts (SequenceExample), or bytes where a
        record is neither.

    Raises:
        As for `read`, if the damage stands in front of the last of these records.
    """
    records = itertools.islice(read(paths, compression), count)
    return [conversion.decode_any(data) for data in records]


def count(
    paths: Paths, compression: str | int | None = None, progress: Progress | None = None
) -> int:
    """How many records one or more files hold; every record is checked.

    Raises:
        As for `read`.
    """
    total = 0
    for path in expand(paths):
        with framing.open_records(path, compression) as stream:
            scanner = framing.Scanner(stream, payloads=False)
            number = -1
            for number, _ in enumerate(scanner):
                if progress and not number & 0xFFF:
                    progress(total + number)
        if scanner.damage:
            raise DamagedRecordError(path, scanner.damage, number + 1)
        total += number + 1
    return total


def serialize(item: Any) -> bytes:
    """One record's data, from any of the forms that `write` takes.

    Raises:
        ExampleError: The form is none of them, or a value does not fit.
    """
    if isinstance(item, (bytes, bytearray, memoryview)):
        return bytes(item)
    if isinstance(item, Mapping):
        return conversion.encode(item)
    if isinstance(item, tuple) and len(item) == 2:
        return conversion.encode_sequence(*item)
    if hasattr(item, "SerializeToString"):
        return item.SerializeToString()
    raise ExampleError(
        "a record is a dict, a pair of dicts, bytes or a protobuf message, "
        f"not {type(item).__name__}: {item!r:.60}"
    )


class RecordFile(WholeFile):
    """A TFRecord file being written; see `WholeFile`."""

    def __init__(self, path: str | os.PathLike[str], compression: str | int | None = None) -> None:
        name = compression_name("" if compression is None else compression)
        self._packer = zlib.compressobj(wbits=WINDOW_BITS[name]) if name else None
        super().__init__(path)

    def write(self, data: bytes) -> None:
        """Appends one record."""
        framed = framing.frame(data)
        super().write(self._packer.compress(framed) if self._packer else framed)

    def _finish(self) -> None:
        if self._packer:
            super().write(self._packer.flush())


def shard_names(path: str | os.PathLike[str], shards: int) -> list[str]:
    """The names of a file's shards, as TensorFlow's own tools number them.

    >>> shard_names("train.tfrecord", 2)
    ['train-00000-of-00002.tfrecord', 'train-00001-of-00002.tfrecord']
    """
    stem, extension = os.path.splitext(os.fspath(path))
    return [f"{stem}-{index:05d}-of-{shards:05d}{extension}" for index in range(shards)]


def write(
    path: str | os.PathLike[str],
    items: Iterable[Any],
    compression: str | int | None = None,
    shards: int | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """Writes a file, or a set of shards, of which each appears only when all are complete.

    Args:
        path: The file; with `shards`, what their names are made of (see `shard_names`).
        items: Per record a dict (an Example), a pair of dicts (a SequenceExample: context, feature
            lists), serialized bytes, or a protobuf message.
        compression: `"GZIP"`, `"ZLIB"`; None and `""` are none.
        shards: How many files; item i goes to shard i modulo their number.
        progress: Called now and then with the number of records written.

    Returns:
        The names of the files.

    Raises:
        ExampleError: An item is none of these; the message says which and names the key.
        SourceError: Unknown compression, or `shards` below 1.
        OSError: A file cannot be written.

    >>> import tempfile
    >>> path = tempfile.mkdtemp() + "/n.tfrecord"
    >>> files = write(path, ({"n": n} for n in range(5)), compression="GZIP", shards=2)
    >>> [example["n"].item() for example in examples(files)]
    [0, 2, 4, 1, 3]
    """
    if shards is not None and shards < 1:
        raise SourceError(f"shards is at least 1, not {shards}")
    if isinstance(items, (Mapping, str, bytes)):
        raise SourceError(
            f"write takes many items, not one {type(items).__name__}: put it in a list"
        )
    names = [os.fspath(path)] if shards is None else shard_names(path, shards)
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(RecordFile(name, compression)) for name in names]
        for number, item in enumerate(items):
            try:
                data = serialize(item)
            except ExampleError as error:
                raise ExampleError(f"example {number}: {error}", error.key) from None
            files[number % len(files)].write(data)
            if progress and not number & 0xFF:
                progress(number)
        for file in files:  # a disk that is full at the last moment leaves none of them
            file.complete()
    return names
