"""The records of a reader's files, read again without TensorFlow, for whoever looks for one.

After a failure the record that was being read is gone: only its file is still
there. What is yielded here is what the reader gave, keys included.
"""

import itertools
import mmap
import os
import struct
import time

from tfqueue.records import framing

_length = struct.Struct("<Q").unpack_from
_COMPRESSED_BYTES = 1 << 20
"""Up to what size a compressed file is unpacked to see how it ends: some tens of milliseconds."""
FRAME = framing.HEADER + framing.FOOTER


def records(reader, path, skip=0):
    """The records of one file, as a reader gives them.

    Args:
      reader: A model `Reader`.
      path: The file.
      skip: How many to leave out at its beginning.

    Yields:
      `(key, value)`, both bytes.

    Raises:
      OSError: If the file cannot be read.
      RecordsError: If it is a damaged, compressed TFRecord file.
    """
    name = os.fsencode(path)
    if _is_plain(reader):
        for offset, data, length in itertools.islice(frames(path), skip, None):
            start = offset + framing.HEADER
            yield b"%s:%d" % (name, offset), data[start : start + length]
    elif reader.kind in _READ:
        for place, value in itertools.islice(_READ[reader.kind](reader.op, path), skip, None):
            yield (name if place is None else b"%s:%d" % (name, place)), value


def count(reader, path, until):
    """How many records a file has, as far as it can be gone through in time.

    Args:
      reader: A model `Reader`.
      path: The file.
      until: `time.monotonic()` at which to give up.

    Raises:
      OSError, RecordsError: As for `records`.
    """
    number = 0
    for _ in frames(path) if _is_plain(reader) else records(reader, path):
        number += 1
        if not number & 0xFFF and time.monotonic() > until:
            break
    return number


def _is_plain(reader):
    return reader.kind == "TFRecordReader" and not reader.op.get_attr("compression_type")


def _compressed(op, path):
    return framing.records(path, op.get_attr("compression_type").decode())


def _lines(op, path):
    header = op.get_attr("skip_header_lines")
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if number > header:
                # TensorFlow drops every carriage return, wherever it stands.
                yield number, line.rstrip(b"\n").replace(b"\r", b"")


def _fixed(op, path):
    if op.get_attr("encoding"):
        return
    start, size, end = (op.get_attr(f"{part}_bytes") for part in ("header", "record", "footer"))
    hop = op.get_attr("hop_bytes") or size
    total = os.path.getsize(path) - end
    with open(path, "rb") as file:
        for number in itertools.count():
            at = start + number * hop
            if at + size > total:
                return
            file.seek(at)
            yield number, file.read(size)


def _whole(op, path):
    with open(path, "rb") as file:
        yield None, file.read()


_READ = {
    "TFRecordReader": _compressed,
    "TextLineReader": _lines,
    "FixedLengthRecordReader": _fixed,
    "WholeFileReader": _whole,
    "IdentityReader": lambda op, path: [(None, os.fsencode(path))],
}


def frames(path):
    """The records of an uncompressed TFRecord file by their lengths alone, no checksum looked at.

    Args:
      path: The file.

    Yields:
      `(offset, map, length)`: where a record's header stands, the file's bytes, and how many
      bytes of data it has, as far as whole records go.
    """
    with open(path, "rb") as file:
        if not os.fstat(file.fileno()).st_size:
            return
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    offset, size = 0, len(data)
    while offset + FRAME <= size:
        length = _length(data, offset)[0]
        if offset + FRAME + length > size:
            return
        yield offset, data, length
        offset += FRAME + length


def trailing_bytes(path, until, compression=""):
    """How many bytes stand behind the last whole record of a TFRecord file, up to 11.

    So many TensorFlow takes for the end of the file: it is cut inside a header.

    Args:
      path: The file.
      until: `time.monotonic()` at which to give up.
      compression: `""`, `"GZIP"` or `"ZLIB"`.

    Returns:
      1 to 11; 0 if the file ends well, is cut elsewhere, is no such file, or
      could not be gone through in time. Of a large compressed file always 0.
    """
    if compression:
        if os.path.getsize(path) > _COMPRESSED_BYTES or time.monotonic() > until:
            return 0
        found = framing.verify(path, compression)
        return found.trailing_bytes if found.kind == "cut-header" else 0
    end = 0
    for count, (offset, _, length) in enumerate(frames(path)):
        end = offset + FRAME + length
        if not count & 0xFF and time.monotonic() > until:
            return 0
    rest = os.path.getsize(path) - end
    return rest if rest < framing.HEADER else 0
