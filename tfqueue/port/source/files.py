"""Finds, reads and writes programs: encodings, line ends, folders.

A file that cannot be read raises `Unreadable`, whose text is one line for the user.
"""

from __future__ import annotations

import codecs
import csv
import dataclasses
import functools
import io
import os
import re
import tokenize
from collections.abc import Iterable, Iterator

from tfqueue.output.files import write_whole
from tfqueue.output.printing import printable

SUFFIXES = (".py", ".ipynb")
# Folders that hold libraries, history or copies, never the user's own program.
SKIPPED = frozenset(
    {
        *(".git", ".hg", ".svn", "__pycache__", "node_modules", "site-packages", "dist-packages"),
        *(".ipynb_checkpoints", ".tox", ".nox", ".eggs"),
    }
)
# An editor's lock (a link that leads nowhere), and what macOS keeps of a file on foreign disks.
_BESIDE = (".#", "._")
_COOKIE = re.compile(
    rb"(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)"
)
_SHEBANG = re.compile(rb"#!.*\bpython[\d.]*\b")
_SPLIT = re.compile(r"\r\n|\r|\n")


class Unreadable(Exception):
    """A file that can't be read, parsed or written; ``str()`` is the one line to show.

    Attributes:
        path: The file, as the user named it.
        line: The 1-based line, or 0 where there is none.
        reason: What is the matter, without the path.
    """

    def __init__(self, path: str, reason: str, line: int = 0) -> None:
        place = f"{path}:{line}" if line else path
        meant = ""
        if not line and not os.path.lexists(path):
            from tfqueue.records import suggestions  # with numpy, only where it is needed

            meant = suggestions.did_you_mean(path)
        super().__init__(printable(f"{place}: {reason}{meant}"))
        self.path, self.reason, self.line = path, reason, line


@dataclasses.dataclass(frozen=True)
class Source:
    """A file's text, and what it takes to write it back the way it was.

    Attributes:
        path: The file.
        text: Its text, every line ending in ``\\n``, without a byte order mark.
        encoding: The encoding that it declares, or UTF-8.
        newline: The line end that it uses.
        bom: Whether it began with a byte order mark.
    """

    path: str
    text: str
    encoding: str = "utf-8"
    newline: str = "\n"
    bom: bool = False

    def encoded(self, text: str) -> bytes:
        """Returns ``text`` as the bytes of a file of this kind.

        >>> Source("x.py", "", newline="\\r\\n").encoded("a\\nb\\n")
        b'a\\r\\nb\\r\\n'
        """
        data = text.replace("\n", self.newline).encode(self.encoding)
        return b"\xef\xbb\xbf" + data if self.bom else data


def lines_of(text: str) -> list[str]:
    """The lines of a program, each with its line end, as Python's parser counts them.

    ``str.splitlines`` also divides at form feeds and other characters that stand inside a line.

    >>> lines_of("a = 1\\n\\f\\nb")
    ['a = 1\\n', '\\x0c\\n', 'b']
    """
    return list(io.StringIO(text))


def declares_encoding(data: bytes) -> bool:
    """Whether a file's first bytes say its encoding, by a comment or by a byte order mark.

    >>> declares_encoding(b"#!/usr/bin/python\\n# -*- coding: utf-8 -*-\\n"), declares_encoding(b"x = 1\\n")
    (True, False)
    """
    return data.startswith(codecs.BOM_UTF8) or _COOKIE.match(data) is not None


def decode(data: bytes, path: str) -> Source:
    """Decodes a program's bytes as Python would.

    Args:
        data: The bytes of the file.
        path: The name to use in messages.

    Raises:
        Unreadable: The encoding is unknown, or is not the encoding of the bytes.

    >>> decode(b"# coding: latin-1\\nx = '\\xe9'\\n", "x.py").text
    "# coding: latin-1\\nx = 'é'\\n"
    """
    # the line that declares an encoding may already be in it, which detect_encoding refuses
    cookie = _COOKIE.match(data)
    start = data if cookie is None else b"# coding: " + cookie[1] + b"\n"
    if data.startswith(codecs.BOM_UTF8):
        start = data
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(start).readline)
    except SyntaxError as error:
        raise Unreadable(path, str(error.msg).partition(" for ")[0]) from None
    bom = encoding == "utf-8-sig"
    if bom:
        data, encoding = data[3:], "utf-8"
    # A copy that was cut short or padded ends in null bytes. Python up to 3.11 ignores that end.
    data = data.rstrip(b"\0")
    if b"\0" in data:
        raise Unreadable(path, "holds null bytes, so it is no source file")
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise Unreadable(path, f"is not {encoding}, and declares no other encoding", line) from None
    newline = next(iter(_SPLIT.findall(text)), "\n")
    return Source(path, _SPLIT.sub("\n", text), encoding, newline, bom)


def read(path: str) -> Source:
    """Reads a program.

    Raises:
        Unreadable: The file is missing, is a folder, or is not text.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Unreadable(path, (error.strerror or str(error)).lower()) from None
    return decode(data, path)


def write(source: Source, text: str, path: str | None = None) -> None:
    """Writes ``text`` in the encoding and with the line ends of ``source``.

    The new file is complete before it takes the old one's place, so that an interruption
    leaves one of the two.
    """
    path = path or source.path
    try:
        write_whole(path, source.encoded(text))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Unreadable(path, f"can't be written: {reason}") from None


@functools.lru_cache(maxsize=4096)
def _installed(folder: str) -> frozenset[str]:
    """The files that pip has put in a folder, by the records that it keeps beside them."""
    found: set[str] = set()
    try:
        entries = [entry.path for entry in os.scandir(folder) if entry.name.endswith(".dist-info")]
        for entry in entries:
            with open(os.path.join(entry, "RECORD"), newline="", encoding="utf-8") as file:
                found.update(os.path.normpath(row[0]) for row in csv.reader(file) if row)
    except (OSError, UnicodeDecodeError, csv.Error):
        return frozenset(found)
    return frozenset(found)


def install_folder(path: str) -> str | None:
    """The folder of libraries that a file was installed into, or None.

    Beside ``site-packages`` that is what ``pip install --target`` fills, wherever it lies.
    """
    real = os.path.realpath(path)
    parts = real.split(os.sep)
    for at, part in enumerate(parts):
        if part in SKIPPED:
            return os.sep.join(parts[: at + 1])
    folder = os.path.dirname(real)
    while os.path.relpath(real, folder) not in _installed(folder):
        if folder == os.path.dirname(folder):
            return None
        folder = os.path.dirname(folder)
    return folder


def _is_script(path: str) -> bool:
    """Whether a file without an extension is a program of Python's, by its first line."""
    if os.path.splitext(path)[1] or not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return _SHEBANG.match(file.readline(200)) is not None
    except OSError:
        return False


def _walk(
    folder: str,
    above: frozenset[tuple[int, int]],
    installed: frozenset[str] = frozenset(),
) -> Iterator[str | Unreadable]:
    installed |= {os.path.join(folder, name) for name in _installed(folder)}
    try:
        status = os.stat(folder)
        here = (status.st_dev, status.st_ino)
        if here in above:
            yield Unreadable(folder, "a link that leads back to a folder above it")
            return
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Unreadable(folder, (error.strerror or str(error)).lower())
        return
    folders = []
    for entry in entries:
        try:
            is_folder = entry.is_dir()
        except OSError as error:
            yield Unreadable(entry.path, (error.strerror or str(error)).lower())
            continue
        if is_folder:
            library = entry.name in SKIPPED or os.path.exists(
                os.path.join(entry.path, "pyvenv.cfg")
            )
            if not library:
                folders.append(entry.path)
        elif entry.name.startswith(_BESIDE) or entry.path in installed:
            continue
        elif entry.name.endswith(SUFFIXES) or _is_script(entry.path):
            yield entry.path
    for name in folders:
        yield from _walk(name, above | {here}, installed)


def find(paths: Iterable[str]) -> Iterator[str | Unreadable]:
    """Yields the programs among ``paths``: files as named, folders by what they hold.

    Virtual environments and version control are left out. A missing file or a link that leads
    back to its own folder comes as an `Unreadable`, so that the others are still done.
    """
    for path in paths:
        if os.path.isdir(path):
            yield from _walk(path, frozenset())
        elif os.path.lexists(path) and not os.path.exists(path):
            try:
                os.stat(path)
            except OSError as error:
                yield Unreadable(path, (error.strerror or str(error)).lower())
        elif not os.path.exists(path):
            yield Unreadable(path, "no such file or directory")
        else:
            yield path
