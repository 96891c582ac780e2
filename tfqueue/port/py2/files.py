"""Python 2's files, which held text and bytes alike, and its print statement."""

from __future__ import annotations

import atexit
import builtins
import codecs
import io
import re
import sys
import weakref
from typing import Any

from tfqueue.port.differences import telling
from tfqueue.port.py2.file_text import file_text
from tfqueue.port.py2.text import encoded, text
from tfqueue.port.py2.wrapping import wrapped

__all__ = [
    *("bytes_of", "file", "flush_lines", "open", "print_function", "print_statement"),
    *("counted_text", "file_texts", "read_gfile", "text_lines", "writer"),
]


# Without those that are found in texts: bell to carriage return, the end of DOS's files, escape.
_CONTROL = re.compile(rb"[\x00-\x06\x0e-\x19\x1c-\x1f]")


class _Lines:
    """What both kinds of files had."""

    softspace = 0
    unbuffered: bool  # said by whoever makes one

    def xreadlines(self) -> Any:
        """The file itself, line by line."""
        return self

    def writelines(self: Any, lines: Any) -> None:
        """Writes each of `lines` as `write` does."""
        for line in lines:
            self.write(line)


class TextFile(_Lines, io.TextIOWrapper):
    """A file opened as text that bytes can be written to.

    It is read as text, unless it begins with bytes that are none, or they have been written to it.
    """

    def read(self, size: int | None = -1) -> Any:
        return file_text(super().read(size))

    def readline(self, size: int = -1) -> Any:  # a loop over the file and `readlines` call it
        return file_text(io.TextIOWrapper.readline(self, size))

    def write(self, data: Any) -> int:
        if isinstance(data, bytes | bytearray | memoryview):
            self.flush()
            if b"\0" in bytes(data) or not _is_text(bytes(data)):
                self.__class__ = _HoldsBytes
            written = self.buffer.write(bytes(data))
        else:
            written = super().write(data)
        if self.unbuffered:
            self.flush()
        return int(written)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Goes to a byte, counted from anywhere: what is text counts from the beginning alone."""
        if offset and whence == io.SEEK_CUR:
            offset += self.tell()
        elif offset and whence == io.SEEK_END:
            self.flush()
            offset = self.buffer.seek(offset, whence)
        else:
            return super().seek(offset, whence)
        return super().seek(offset)


class _HoldsBytes(TextFile):
    """A file opened as text that holds bytes, or was written bytes to: it is read as bytes."""

    def read(self, size: int | None = -1) -> Any:
        return wrapped(self.buffer.read(-1 if size is None else size))

    def readline(self, size: int = -1) -> Any:
        return wrapped(self.buffer.readline(size))

    def readlines(self, hint: int = -1) -> Any:
        return wrapped(self.buffer.readlines(hint))

    def __next__(self) -> Any:
        return wrapped(next(self.buffer))


def _is_text(data: bytes, *, whole: bool = True) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data, whole)
    except UnicodeDecodeError:
        return False
    return True


def _begins_with_bytes(file: io.BufferedReader) -> bool:
    """Whether a file holds a picture, an archive or the like: control codes, and what is no text.

    Text of another encoding has none of them, and is read as text.
    """
    head = b""
    if file.seekable():  # past the buffer: what is written to the file until it is read is seen
        head = file.raw.read(io.DEFAULT_BUFFER_SIZE) or b""
        file.raw.seek(0, io.SEEK_SET)
    return bool(_CONTROL.search(head)) and not _is_text(head, whole=False)


class _TakesText(_Lines):
    """Writes text as the bytes that Python 2 held it in."""

    def write(self: Any, data: Any) -> int:
        written = super().write(encoded(data))
        if self.unbuffered:
            self.flush()
        return int(written)


class BytesFile(_TakesText, io.BufferedWriter):
    """A file opened as bytes that text can be written to."""


class UpdatedBytesFile(_TakesText, io.BufferedRandom):
    """A file opened as bytes, to be read and to be written to, also with text."""


class _ReadBytes(io.BufferedReader):
    """A file opened as bytes, whose lines are a program's `str`; what is read stays plain bytes."""

    def __next__(self) -> Any:
        return wrapped(super().__next__())


def _read_from_the_beginning(file: Any, mode: str) -> Any:
    """A file that was opened with ``a+``: it is read from its beginning, and what is written goes to its end."""
    if mode[0] == "a" and "+" in mode and file.seekable():
        file.seek(0)
    return file


def open(name: Any, mode: str = "r", buffering: int = -1, *more: Any, **words: Any) -> Any:
    """Stands for the builtin `open`.

    Args:
        name: The path.
        mode: As in Python 2; ``U`` reads all line ends as one.
        buffering: As in Python 2; 0 writes through.
        *more: Arguments that only Python 3's `open` has: then it is that one.
        **words: Likewise.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x")
    >>> with open(path, "w") as held:
    ...     _ = held.write("text "), held.write(b"and bytes")
    >>> with open(path) as held:
    ...     held.read()
    'text and bytes'
    """
    if more or words or not isinstance(mode, str):
        return builtins.open(name, mode, buffering, *more, **words)
    plain = mode.replace("U", "")
    plain = plain if plain.strip("bt+") else f"r{plain}"
    if "b" in plain:
        if plain[0] != "r" or "+" in plain:
            raw = io.FileIO(name, plain.replace("b", ""))
            size = io.DEFAULT_BUFFER_SIZE if buffering in (-1, 0, 1) else buffering
            bytes_file: Any = (UpdatedBytesFile if "+" in plain else BytesFile)(raw, size)
            bytes_file.unbuffered = buffering == 0
            return _read_from_the_beginning(bytes_file, plain)
        if buffering == 0:
            return builtins.open(name, plain, 0)
        size = buffering if buffering > 1 else io.DEFAULT_BUFFER_SIZE
        return _ReadBytes(io.FileIO(name, "r"), size)
    binary = builtins.open(  # noqa: SIM115  (handed out)
        name, plain.replace("t", "") + "b", buffering if buffering > 1 else -1
    )
    newline = None if "U" in mode else "\n"
    held = TextFile(
        binary,
        encoding="utf-8",
        errors="surrogateescape",
        newline=newline,
        line_buffering=buffering == 1,
    )
    held.unbuffered = buffering == 0
    held.mode = mode
    _read_from_the_beginning(held, plain)
    # universal line ends are made of whatever it holds
    if "U" not in mode and isinstance(binary, io.BufferedReader) and _begins_with_bytes(binary):
        held.__class__ = _HoldsBytes
    return held


def counted_text(found: Any) -> Any:
    """What a file gave whose characters are counted; it is told where Python 2 counted others.

    >>> counted_text("text")
    'text'
    """
    if isinstance(found, str) and not found.isascii() and len(encoded(found)) != len(found):
        telling.tell_letters()
    return found


def read_gfile(held: Any, *size: int) -> Any:
    """What a file of `tf.gfile` that was opened as text gives: text, or the bytes that are none.

    Args:
        held: The file, of whatever class.
        *size: The argument of its `read`, if any.
    """
    if getattr(held, "mode", "") not in ("r", "r+"):
        return held.read(*size)
    at = held.tell()
    try:
        return file_texts(held.read(*size))
    except UnicodeDecodeError:
        with type(held)(held.name, "rb") as file:
            file.seek(at)
            found = file.read(*size)
        held.seek(at + len(found))
        return wrapped(found)


def file_texts(found: Any) -> Any:
    """What `readline` or `readlines` of a file of `tf.gfile` gave: text as `open` gives it.

    >>> [line.split() for line in file_texts(["a\\u3000b c"])]
    [['a\\u3000b', 'c']]
    """
    if isinstance(found, list):
        return [file_texts(line) for line in found]
    return file_text(found) if isinstance(found, str) else found


def text_lines(held: Any) -> Any:
    """The lines of a file of `tf.gfile` that was opened as text.

    >>> list(text_lines(["a b"]))
    ['a b']
    """
    return map(file_texts, held)


def _is_gfile_of_text(held: Any) -> bool:
    file_io = sys.modules.get("tensorflow.python.lib.io.file_io")
    return file_io is not None and isinstance(held, file_io.FileIO) and held.mode in ("r", "r+")


class _BytesOfGFile:
    """A file of `tf.gfile` that was opened as text, read as bytes from the place where it is."""

    def __init__(self, held: Any) -> None:
        self._held = held
        self._file = type(held)(held.name, "rb")
        self._file.seek(held.tell())

    def read(self, size: int = -1) -> Any:
        return self._moved(self._file.read(size))

    def readline(self) -> Any:
        return self._moved(self._file.readline())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> None:
        self._moved(self._file.seek(offset, whence=whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def _moved(self, found: Any) -> Any:
        """Moves the other file to the same place, and returns what was found in front of that."""
        self._held.seek(self._file.tell())
        return found


def bytes_of(held: Any) -> Any:
    """A file that was opened as text, as the file of bytes that a library reads.

    Args:
        held: A file, or anything else, such as a path.

    Returns:
        For a file of `open`, the file below it at the same place; for one of `tf.gfile`, what reads
        its bytes and moves it on; else `held` itself.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x")
    >>> with open(path, "w") as held:
    ...     _ = bytes_of(held).write(b"bytes")
    >>> with open(path) as held:
    ...     held.read(2), bytes_of(held).read()
    ('by', b'tes')
    >>> bytes_of("a path")
    'a path'
    """
    if not isinstance(held, TextFile):
        return _BytesOfGFile(held) if _is_gfile_of_text(held) else held
    held.flush()
    if held.seekable():
        held.seek(held.tell())  # it has read ahead
    return held.buffer


class _Files(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, io.IOBase)

    def __call__(cls, *args: Any, **words: Any) -> Any:
        return open(*args, **words)


class file(metaclass=_Files):
    """Stands for the builtin `file`, which is `open` and the type of files.

    >>> import io
    >>> isinstance(io.StringIO(), file)
    True
    """


# Files behind whose last line a print statement that ended in a comma has left a blank to write.
_soft: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def _write(out: Any, data: str) -> None:
    if isinstance(out, io.RawIOBase | io.BufferedIOBase):
        out.write(encoded(data))
        return
    try:
        out.write(data)
    except UnicodeEncodeError:
        out.flush()
        out.buffer.write(encoded(data))


def _is_soft(out: Any) -> bool:
    # what can't be referred to weakly can't be remembered
    return _soft.get(out, False) if type(out).__weakrefoffset__ else False


def _set_soft(out: Any, soft: bool) -> None:
    if not type(out).__weakrefoffset__:
        return
    if soft:
        if out is sys.stdout and not _soft:
            atexit.register(flush_lines)
        _soft[out] = True
    else:
        _soft.pop(out, None)


class _BytesWithin:
    """A stream of text as one of the bytes that it writes and reads."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        self._stream.flush()  # what was written as text stands in front of it
        self._stream.buffer.write(data)
        if self._stream.line_buffering:
            self._stream.flush()

    def read(self, size: int = -1) -> bytes:
        return bytes(self._stream.buffer.read(size))

    def readline(self, size: int = -1) -> bytes:
        return bytes(self._stream.buffer.readline(size))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def bytes_within(stream: Any) -> Any:
    """What bytes can be written to and read from: the stream itself, or what a stream of text is made of."""
    return _BytesWithin(stream) if isinstance(stream, io.TextIOWrapper) else stream


def print_statement(*values: Any, end: str = "\n", file: Any = None) -> None:
    r"""Stands for the statement ``print``; ``end=" "`` is the comma at its end.

    A blank is written between what two statements print, and not in front of the end of a line.

    >>> print_statement(0.1 + 0.2, b"x", end=" "); print_statement([1]); print_statement()
    0.3 x [1]
    <BLANKLINE>
    """
    out = sys.stdout if file is None else file
    if out is None:
        return
    pieces = []
    soft = _is_soft(out)
    for value in values:
        shown = text(value)
        pieces.append(f" {shown}" if soft else shown)
        soft = True
        if isinstance(value, str | bytes) and shown[-1:].isspace() and shown[-1:] != " ":
            soft = False
    if end == "\n":
        pieces.append("\n")
        soft = False
    _write(out, "".join(pieces))
    _set_soft(out, soft)


def writer(out: Any) -> Any:
    """Stands for ``sys.stdout.write``: a blank that a print statement has left goes."""

    def write(data: Any) -> None:
        _set_soft(out, False)
        _write(out, text(data) if isinstance(data, bytes) else data)

    return write


def print_function(
    *values: Any,
    sep: str | None = " ",
    end: str | None = "\n",
    file: Any = None,
    flush: bool = False,
) -> None:
    """Stands for the function of ``from __future__ import print_function``.

    >>> print_function(0.1 + 0.2, "a", sep="-")
    0.3-a
    """
    out = sys.stdout if file is None else file
    if out is None:
        return
    between = " " if sep is None else sep
    _write(out, between.join(map(text, values)) + ("\n" if end is None else end))
    if flush:
        out.flush()


def flush_lines() -> None:
    """Ends a line that print statements left open, as Python 2 did at its end."""
    for out in list(_soft):
        if out is sys.stdout and not getattr(out, "closed", False):
            _write(out, "\n")
        _soft.pop(out, None)
