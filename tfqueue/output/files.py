"""Where something is written to: a file, which is replaced whole, or a stream, which goes on."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from types import FrameType
from typing import BinaryIO, NoReturn, TypeVar

_OPEN_FILES = re.compile(r"/proc/(\d+)(?:/task/\d+)?/fd|/dev/fd")
"""The folders whose entries are the open files of a process."""
_LINKS = 40  # followed at the most, as Linux does
_PART = ".tfqueue.part-"
"""What the name of a file begins with that is not complete. It is short, as names have a limit."""


def _open_file(path: str) -> str | None:
    """The link below `/proc` to an open file that a path names or leads to, such as `/dev/stdout`."""
    for _ in range(_LINKS):
        folder, name = os.path.split(os.path.abspath(path))
        folder = os.path.realpath(folder)
        path = os.path.join(folder, name)
        if name.isdecimal() and _OPEN_FILES.fullmatch(folder):
            return path if os.path.lexists(path) else None
        if not os.path.islink(path):
            return None
        path = os.path.join(folder, os.readlink(path))
    return None


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a device, a pipe, a socket or an open file (`/dev/stdout`, `/dev/fd/3`).

    Nothing can take the place of these; what is written is added. What a path is, its file type
    tells: a file below `/dev/shm` is a file.

    >>> is_stream("/dev/null"), is_stream("."), is_stream("absent.txt")
    (True, False, False)
    """
    path = os.fspath(path)
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        return True
    return _open_file(path) is not None


def _opened_stream(path: str) -> BinaryIO:
    """A stream to be written to. An open file of this process goes on at the place where it is."""
    link = _open_file(path)
    owner = _OPEN_FILES.fullmatch(os.path.dirname(link)) if link else None
    if link and owner and owner[1] in (None, str(os.getpid())):
        return os.fdopen(os.dup(int(os.path.basename(link))), "wb")
    return open(path, "ab")


class WholeFile:
    """A file being written, which gets its name only when it is complete.

    Use it as a context manager: at the end of the block the file is there; after an exception
    there is none, and a file that had the name before is still the old one. The new file has the
    mode and, as far as that is allowed, the owner of the one that it replaces. A link stays one:
    what it leads to is replaced. A stream (see `is_stream`) is written to as it is.

    Args:
        path: The file.

    Raises:
        OSError: The file cannot be written; `filename` is the path. So do all its methods.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._target = ""
        self._draft: str | None = None
        self._file: BinaryIO | None = None

    def _open(self) -> BinaryIO:
        if is_stream(self.path):
            return _opened_stream(self.path)
        try:
            before = os.stat(self.path)
        except FileNotFoundError:
            before = None
        if not os.path.basename(self.path) or (before and stat.S_ISDIR(before.st_mode)):
            code = errno.EISDIR if self.path else errno.ENOENT
            raise OSError(code, os.strerror(code), self.path)
        if before and not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), self.path)
        self._target = os.path.realpath(self.path)
        self._draft = os.path.join(os.path.dirname(self._target), _PART + secrets.token_hex(8))
        # Nobody else may open a file whose data replaces what only its owner could read.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(self._draft, flags, 0o600 if before else 0o666), "wb")
        if before:
            with contextlib.ExitStack() as stack:
                stack.callback(file.close)
                self._take_over(before)
                stack.pop_all()
        return file

    def _take_over(self, before: os.stat_result) -> None:
        """Gives the new file the owner and the mode of the one before it."""
        draft = self._draft or ""
        if sys.platform != "win32":
            new = os.stat(draft)
            if (new.st_uid, new.st_gid) != (before.st_uid, before.st_gid):
                with contextlib.suppress(PermissionError):  # only root may give files away
                    os.chown(draft, before.st_uid, before.st_gid)
        os.chmod(draft, stat.S_IMODE(before.st_mode))

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """An error of the disk names the file that the user knows."""
        try:
            yield
        except OSError as error:
            error.filename, error.filename2 = self.path, None
            raise

    def __enter__(self: _File) -> _File:
        try:
            with self._named():
                self._file = self._open()
        except BaseException:
            self._discard()
            raise
        return self

    def write(self, data: bytes) -> None:
        """Appends bytes."""
        assert self._file is not None, "a WholeFile is written to inside of its block"
        try:  # no `_named`: once a record, it would be felt
            self._file.write(data)
        except OSError as error:
            error.filename = self.path
            raise

    def complete(self) -> None:
        """Writes what is still to come, so that the end of the block has only to give the name."""
        if self._file is not None and not self._file.closed:
            with self._named(), self._file:
                self._finish()

    def __exit__(self, kind: type | None, error: object, traceback: object) -> None:
        try:
            if kind is None:
                self.complete()
                if self._draft:
                    with self._named():
                        os.replace(self._draft, self._target)
        finally:
            # After an error of the block, and where the disk was full at the last moment.
            self._discard()

    def _discard(self) -> None:
        """Removes what is not complete."""
        with contextlib.suppress(OSError):  # what a full disk did not take is not wanted any more
            if self._file is not None:
                self._file.close()
        if self._draft:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._draft)

    def _finish(self) -> None:
        """Writes what is still to come."""


_File = TypeVar("_File", bound=WholeFile)


class _Ended(BaseException):
    """A signal that ends the process has come."""


@contextlib.contextmanager
def ended_in_order() -> Iterator[None]:
    """Lets SIGTERM and SIGHUP end the process only when the block has cleaned up behind itself; Ctrl-C is an exception and needs nothing.

    Each that would end the process raises an exception in the block instead, and ends the process
    behind it, so that its exit status is the same. For blocks of our own code alone: a program's
    code could catch the exception. Does nothing in another thread than the main one, which alone
    receives signals, and for a signal that is ignored or that the program handles.
    """
    came: list[int] = []

    def unwind(number: int, frame: FrameType | None) -> NoReturn:
        for each in handled:
            signal.signal(each, signal.SIG_IGN)  # what is cleaned up is cleaned up once
        came.append(number)
        raise _Ended

    handled: list[int] = []
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
        handled = [n for n in numbers if n and signal.getsignal(n) is signal.SIG_DFL]
    try:
        for number in handled:
            signal.signal(number, unwind)
        with contextlib.suppress(_Ended):
            yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
        if came:
            signal.raise_signal(came[0])


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Writes a file whose content is known: whole or not at all (see `WholeFile`).

    Raises:
        OSError: It cannot be written; `filename` is the path.

    >>> import pathlib, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.txt")
    >>> write_whole(path, b"text")
    >>> pathlib.Path(path).read_text(), os.listdir(os.path.dirname(path))
    ('text', ['a.txt'])
    """
    with ended_in_order(), WholeFile(path) as file:
        file.write(data)


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raises what `write_whole` would raise for a path, and writes nothing.

    Raises:
        OSError: As `write_whole`, but for a disk that is full.
    """
    with contextlib.suppress(_NotKept), ended_in_order(), WholeFile(path):
        raise _NotKept


class _NotKept(Exception):
    """Ends the block of a file that is not to be kept."""
