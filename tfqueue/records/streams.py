"""A file's bytes in order, uncompressed, in memory bounded by what was asked for and is there."""

from __future__ import annotations

import abc
import contextlib
import io
import logging
import os
import selectors
import stat
import sys
import zlib
from threading import Timer
from typing import IO, TYPE_CHECKING

from tfqueue.output.printing import printable
from tfqueue.records.errors import SourceError

if TYPE_CHECKING:
    from typing_extensions import Self

BLOCK = 1 << 18  # bytes of one piece of work: read, decompressed or skipped at a time
_SILENT_SECONDS = 1.0  # after which it is said that nothing comes from a pipe
_LARGE = 1 << 24  # bytes from which a compressed stream is measured before it is kept

# What zlib calls each format, by TensorFlow's names and TFRecordCompressionType's numbers.
WINDOW_BITS = {"ZLIB": zlib.MAX_WBITS, "GZIP": 16 + zlib.MAX_WBITS}
_ALIASES = {"NONE": "", 0: "", 1: "ZLIB", 2: "GZIP"}
GZIP_MAGIC = b"\x1f\x8b\x08"


def compression_name(compression: str | int) -> str:
    """TensorFlow's name of a compression: `""`, `"GZIP"` or `"ZLIB"`.

    Args:
        compression: Such a name in any case, `"NONE"`, or a `TFRecordCompressionType` number.

    Raises:
        SourceError: It is none of these.

    >>> compression_name("gzip"), compression_name(1), compression_name("none")
    ('GZIP', 'ZLIB', '')
    """
    name = compression.upper() if isinstance(compression, str) else compression
    name = _ALIASES.get(name, name)
    if (name and name not in WINDOW_BITS) or not isinstance(name, str):
        raise SourceError(f"compression is GZIP, ZLIB or NONE, not {compression!r}")
    return name


def require_regular(path: str | os.PathLike[str]) -> None:
    """Refuses what cannot be read twice.

    Raises:
        SourceError: It is a pipe, a socket or a device. A file that is missing and a folder are
            left to who opens it.
    """
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise SourceError(f"{os.fspath(path)}: no regular file; it cannot be read twice")


class _Stream(abc.ABC):
    """A file that is read from its beginning to its end.

    Attributes:
        path: Its name.
        offset: Bytes handed out or skipped so far.
        damage: Why the stream ended early, or None; an uncompressed one always ends well.
    """

    def __init__(self, path: str, file: IO[bytes]) -> None:
        self.path = path
        self.offset = 0
        self.damage: str | None = None
        self._file = file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._file.close()

    def read(self, count: int) -> bytes:
        """The next `count` bytes, fewer only at the end.

        Raises:
            MemoryError: There is not enough memory; the message names the file.
        """
        try:
            return self._read(count)
        except MemoryError:
            message = f"{self.path}: a record of {count:,} bytes does not fit in memory"
            raise MemoryError(message) from None

    @abc.abstractmethod
    def _read(self, count: int) -> bytes:
        """As `read`."""


class PlainStream(_Stream):
    """An uncompressed file."""

    compression = ""

    def __init__(self, path: str, file: IO[bytes]) -> None:
        super().__init__(path, file)
        self._regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        self._back = b""  # bytes given back to a pipe

    def size(self) -> int:
        """Size of a regular file as it is now, in bytes."""
        return os.fstat(self._file.fileno()).st_size

    def left(self) -> int | None:
        """Bytes from here to the end as the file stands now; None if that is not known."""
        return self.size() - self.offset if self._regular else None

    def holds(self, count: int) -> bool:
        """False if fewer than `count` bytes are certain to be left."""
        left = self.left()
        return left is None or left >= count

    def _read(self, count: int) -> bytes:
        data, self._back = self._back[:count], self._back[count:]
        if self._regular:
            # One system call and one allocation, never more than is there.
            count = min(count, max(self.size() - self.offset, 0))
            data = self._file.read(count)
        if len(data) < count:  # a pipe, or more than one call gives (2 GiB)
            pieces = io.BytesIO()
            pieces.write(data)
            while pieces.tell() < count:
                piece = self._file.read(min(count - pieces.tell(), BLOCK))
                if not piece:
                    break
                pieces.write(piece)
            data = pieces.getvalue()
        self.offset += len(data)
        return data

    def unread(self, data: bytes) -> None:
        """Gives back the last bytes read."""
        self.offset -= len(data)
        if self._regular:
            self._file.seek(self.offset)
        else:
            self._back = data + self._back

    def seek(self, offset: int) -> None:
        """Goes to an offset of a regular file."""
        self.offset = offset
        self._file.seek(offset)

    def skip(self, count: int) -> int:
        """Goes `count` bytes on, or to the end; returns how far it went."""
        if not self._regular:
            return _drain(self, count)
        count = min(count, max(self.size() - self.offset, 0))
        self.offset += count
        self._file.seek(self.offset)
        return count


class InflateStream(_Stream):
    """A compressed file's content: GZIP of one or more members, or ZLIB.

    Damage in the compressed bytes ends the stream after the last byte that can still be had, and
    `damage` says what it was.

    Attributes:
        cut: Whether that is that the file ends before the stream does.
    """

    def __init__(self, path: str, file: IO[bytes], compression: str) -> None:
        super().__init__(path, file)
        self.cut = False
        self.compression = compression
        self._bits = WINDOW_BITS[compression]
        self._inflater = zlib.decompressobj(self._bits)
        self._taken = 0  # bytes read from the file
        self._member = 0  # offset in the file at which the current member begins
        self._input = b""
        self._ready = b""  # decompressed, from _at on not yet handed out
        self._at = 0
        self._ended = False

    def left(self) -> None:
        """Not known without decompressing the rest."""
        return None

    def holds(self, count: int) -> bool:
        """False if fewer than `count` bytes are certain to be left.

        A large count is tried on a copy of the decompressor, in constant memory: the length field
        of a forged file must not make a small file fill the machine.
        """
        ready = len(self._ready) - self._at
        if count <= max(_LARGE, ready) or not self._file.seekable():
            return True
        here = self._file.tell()
        probe = InflateStream(self.path, self._file, self.compression)
        probe._inflater, probe._input, probe._ended = (
            self._inflater.copy(),
            self._input,
            self._ended,
        )
        found = ready + _drain(probe, count - ready)
        self._file.seek(here)
        return found >= count

    def _read(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._ready) and count <= BLOCK:
            self._ready, self._at = self._ready[self._at :] + self._inflate(), 0
            end = count
        if end <= len(self._ready):
            data = self._ready[self._at : end]
            self._at = end
        else:
            pieces = io.BytesIO()
            pieces.write(self._ready[self._at :])
            self._ready, self._at = b"", 0
            while pieces.tell() < count and (piece := self._inflate()):
                need = count - pieces.tell()
                pieces.write(piece[:need])
                if len(piece) > need:
                    self._ready, self._at = piece, need
            data = pieces.getvalue()
        self.offset += len(data)
        return data

    def unread(self, data: bytes) -> None:
        """Gives back the last bytes read."""
        self.offset -= len(data)
        self._ready, self._at = data + self._ready[self._at :], 0

    def skip(self, count: int) -> int:
        """Goes `count` bytes on, or to the end; returns how far it went."""
        return _drain(self, count)

    def _inflate(self) -> bytes:
        """The next decompressed piece, at most BLOCK bytes; empty only at the end."""
        while not self._ended:
            if not self._input:
                self._input = self._fetch()
            if self._inflater.eof:
                if not self._next_member():
                    break
                continue
            exhausted = not self._input
            piece = self._careful(self._input)
            if exhausted and not (piece or self._ended or self._inflater.eof):
                self._ended = True
                if self._taken:  # a file of no bytes is a file of no records
                    self.cut = True
                    self.damage = f"the {self.compression} stream is cut"
            if piece:
                return piece
        return b""

    def _careful(self, data: bytes) -> bytes:
        """Decompresses; of damaged data the part before the damage, which zlib alone would drop."""
        before = self._inflater.copy()
        try:
            piece = self._inflater.decompress(data, BLOCK)
        except zlib.error as error:
            self._inflater, self._ended = before, True
            said = str(error).rpartition(": ")[2]
            self.damage = f"the {self.compression} stream is damaged ({said})"
            return self._before_damage(data)
        self._input = self._inflater.unused_data or self._inflater.unconsumed_tail
        return piece

    def _before_damage(self, data: bytes) -> bytes:
        """What can be decompressed of `data`, in which the stream breaks."""
        pieces = []
        # By input first: a checksum at the end breaks behind all data only if it is read alone.
        # The call that failed gave at most BLOCK bytes, so this gives no more.
        step = len(data)
        while step:
            attempt = self._inflater.copy()
            try:
                piece = attempt.decompress(data[:step])
            except zlib.error:
                step //= 2
                continue
            self._inflater, data = attempt, data[step:]
            pieces.append(piece)
        # Then by output: the byte at which it breaks may end some codes before that.
        byte, step = data[:1], BLOCK
        while step:
            attempt = self._inflater.copy()
            try:
                piece = attempt.decompress(byte, step)
            except zlib.error:
                step //= 2
                continue
            if not piece:
                break
            self._inflater, byte = attempt, attempt.unconsumed_tail
            pieces.append(piece)
        return b"".join(pieces)

    def resume(self) -> bool:
        """Goes on behind damage in a regular file: at the next GZIP member.

        A member that was cut swallows the beginning of the next one before it breaks. So the
        search begins where the broken member does.

        Returns:
            False if there is none.
        """
        self._taken = self._file.seek(self._member + 1)
        window = b""
        while self.compression == "GZIP" and (piece := self._fetch()):
            window = window[1 - len(GZIP_MAGIC) :] + piece
            at = window.find(GZIP_MAGIC)
            if at >= 0:
                self._begin_member(window[at:])
                self._ended, self.damage, self.cut = False, None, False
                return True
        return False

    def _begin_member(self, data: bytes) -> None:
        self._inflater, self._input = zlib.decompressobj(self._bits), data
        self._member = self._taken - len(data)

    def _fetch(self) -> bytes:
        piece = self._file.read(BLOCK)
        self._taken += len(piece)
        return piece

    def _next_member(self) -> bool:
        """After the end of a member: whether another one follows."""
        # gzip allows zero padding behind a member; anything else is not ours to skip.
        while self._input and not self._input.strip(b"\0"):
            self._input = self._fetch()
        rest = self._input.lstrip(b"\0")
        if self.compression == "GZIP" and rest.startswith(GZIP_MAGIC[:2]):
            self._begin_member(rest)
            return True
        self._ended = True
        if rest:
            self.damage = f"bytes that do not belong to it follow the {self.compression} stream"
        return False


Stream = PlainStream | InflateStream


def _drain(stream: Stream, count: int) -> int:
    gone = 0
    while gone < count and (piece := stream.read(min(BLOCK, count - gone))):
        gone += len(piece)
    return gone


def _opened(path: str) -> IO[bytes]:
    """Opens a file. A pipe is opened once something has come from it, or nothing will."""
    try:
        is_pipe = sys.platform != "win32" and stat.S_ISFIFO(os.stat(path).st_mode)
    except OSError:
        is_pipe = False  # whoever opens it says what is wrong
    if not is_pipe:
        return open(path, "rb", buffering=0)
    with (
        contextlib.ExitStack() as stack,
        _TellingOfSilence(path),
        selectors.DefaultSelector() as selector,
    ):
        file = stack.enter_context(open(path, "rb", buffering=0))
        selector.register(file, selectors.EVENT_READ)
        selector.select()
        stack.pop_all()
        return file


class _TellingOfSilence:
    """Logs a warning if the block, which waits for a pipe, takes long.

    It is no generator: one that Ctrl-C leaves in front of the block would go on when the process ends.
    """

    def __init__(self, path: str) -> None:
        words = "%s is a pipe, and nothing has come from it yet; waiting for what writes to it"
        log = logging.getLogger("tfqueue")
        self._timer = Timer(_SILENT_SECONDS, log.warning, [words, printable(path)])
        self._timer.daemon = True

    def __enter__(self) -> None:
        self._timer.start()

    def __exit__(self, *error: object) -> None:
        self._timer.cancel()
        self._timer.join()


def open_stream(path: str | os.PathLike[str], compression: str) -> Stream:
    """Opens a file to be read once, from its start.

    Args:
        path: The file.
        compression: `""`, `"GZIP"` or `"ZLIB"`.

    Raises:
        OSError: It is missing, a folder, or may not be read.
    """
    path = os.fspath(path)
    file = _opened(path)
    return InflateStream(path, file, compression) if compression else PlainStream(path, file)
